"""Suite conversations: which facts hold at the end of a scripted conversation, told through the engine of the chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assistant.evaluation.tables import read_cases
from assistant.memory.extraction.matching import matches

if TYPE_CHECKING:
    from assistant.evaluation.runner import Context


async def run(context: Context) -> dict[str, Any]:
    """passed (of n), checks_right (a share of all single checks), and per kind of check how many conversations failed it; failures name the checks."""
    cases = read_cases(context.cases)
    failures: list[dict[str, Any]] = []
    wrong_checks = 0
    failed = {"current": 0, "stale": 0, "absent": 0, "max_facts": 0}
    for case in cases:
        held = await _held_after(case, context)
        wrong = check(case, held)
        wrong_checks += len(wrong)
        for name in {line.split(":")[0] for line in wrong}:
            failed[name] += 1
        if wrong:
            failures.append({"id": case["id"], "expected": "; ".join(wrong), "got": held})
    return {
        "n": len(cases),
        "passed": len(cases) - len(failures),
        "checks_right": 1 - wrong_checks / max(1, sum(map(_checks, cases))),
        "failed_by_check": failed,
        "failures": failures,
    }


async def _held_after(case: dict[str, Any], context: Context) -> list[str]:
    """Statements of the facts that are current after the last turn."""
    async with context.memory(case["id"]) as engine:
        conversation = await engine.conversations.create()
        for turn in case["turns"]:
            episode = await engine.record(turn["user"], turn["assistant"], conversation=conversation.id)
            await engine.learn(episode.id)
        return [fact.statement for fact in await engine.facts.list()]


def _checks(case: dict[str, Any]) -> int:
    return len(case["current"]) + len(case["stale"]) + len(case["absent"]) + 1


def check(case: dict[str, Any], held: Sequence[str]) -> list[str]:
    """What is wrong with the facts held at the end, each as "check: what"."""
    wrong = [
        f"current: {fact['any_of'][0]}"
        for fact in case["current"]
        if not any(matches(text, fact["any_of"]) for text in held)
    ]
    for name in ("stale", "absent"):
        wrong += [
            f"{name}: {string}" for string in case[name] if any(matches(text, [string]) for text in held)
        ]
    if len(held) > case["max_facts"]:
        wrong.append(f"max_facts: {len(held)} > {case['max_facts']}")
    return wrong
