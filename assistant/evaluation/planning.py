"""Suite planning: facts only, or facts + episodes? The planner of the chat against labelled questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assistant.evaluation.tables import confusion, read_cases

if TYPE_CHECKING:
    from assistant.evaluation.runner import Context

_NAMES = {False: "facts only", True: "facts + episodes"}


async def run(context: Context) -> dict[str, Any]:
    """accuracy, false_facts_only (episodes were needed and left out), false_episodes, a confusion table, failures."""
    cases = read_cases(context.cases)
    got = await _plans([case["question"] for case in cases], context)
    pairs = [(bool(case["needs_episodes"]), needs) for case, needs in zip(cases, got, strict=True)]
    return {
        "n": len(cases),
        "accuracy": sum(wanted == needs for wanted, needs in pairs) / max(len(pairs), 1),
        "false_facts_only": pairs.count((True, False)),
        "false_episodes": pairs.count((False, True)),
        "confusion": confusion((_NAMES[wanted], _NAMES[needs]) for wanted, needs in pairs),
        "failures": [
            {"id": case["id"], "expected": wanted, "got": needs}
            for case, (wanted, needs) in zip(cases, pairs, strict=True)
            if wanted != needs
        ],
    }


async def _plans(questions: list[str], context: Context) -> list[bool]:
    decisions = context.decisions()
    vectors = context.embedder.embed(questions)
    return [
        (await decisions.plan(question, vector))[0]
        for question, vector in zip(questions, vectors, strict=True)
    ]
