"""Which memory decisions a language model may make: both deciders answer the same built-in cases, and the better one is used.

A model's decision that fell back is the device's and counts as wrong. The cases (data/cases/aptitude.jsonl) are in no
training set. A tie goes to the device, which costs nothing and is never down; a model is asked no further once it can no
longer win, so that a hopeless one is found out in a few calls.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.memory.decisions import Decisions, Matter
from assistant.memory.judging.utility import wilson
from assistant.memory.records import (
    Candidate,
    Confidence,
    Episode,
    Fact,
    FactKind,
    Operation,
)
from assistant.memory.routing import Neighbour
from assistant.paths import shipped

_NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)
_OFFERED = 0.6
"""Similarity given to the facts of a routing case: near enough that no gate settles it."""

Case = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Aptitude:
    """How many of `n` cases each decider got right; `asked` of them were put to the model before it could not win any more."""

    matter: Matter
    on_device: int
    model: int
    asked: int
    n: int

    @property
    def trusted(self) -> bool:
        return self.model > self.on_device

    @property
    def likely(self) -> float:
        """How often the model is right at the least, 0 to 1: so few cases prove little."""
        return wilson(self.model, self.asked)


def trust_in(scores: Iterable[Aptitude]) -> dict[Matter, float]:
    """What the scores allow the model to decide, each with how often it is right; where the device is surer, it still does not."""
    return {score.matter: score.likely for score in scores if score.trusted}


def read_cases(path: Path | None = None) -> dict[Matter, list[Case]]:
    cases: dict[Matter, list[Case]] = {matter: [] for matter in Matter}
    for line in (path or shipped("data", "cases", "aptitude.jsonl")).read_text("utf-8").splitlines():
        case = json.loads(line)
        cases[Matter(case["matter"])].append(case)
    return cases


async def at_once() -> None:
    """No waiting between the cases."""


async def probe(
    matter: Matter,
    cases: Sequence[Case],
    decisions: Decisions,
    pause: Callable[[], Awaitable[None]] = at_once,
) -> Aptitude:
    """Score the device and the connected model on `cases` of one matter. `pause` is awaited before each question to the model."""
    judge = _JUDGES[matter]
    on_device, model = decisions.asking(None), decisions.asking(decisions.model)
    device_right = [await judge(on_device, case) for case in cases]
    mistakes_left = len(cases) - sum(device_right) - 1
    right = asked = 0
    for case in cases:
        if mistakes_left < 0:
            break
        asked += 1
        await pause()
        if await judge(model, case):
            right += 1
        else:
            mistakes_left -= 1
    return Aptitude(matter, sum(device_right), right, asked, len(cases))


async def _planning(decisions: Decisions, case: Case) -> bool:
    vector = decisions.embedder.embed([case["question"]])[0]
    needs, decision = await decisions.plan(case["question"], vector)
    return not decision.fallback and needs == case["needs_episodes"]


async def _extraction(decisions: Decisions, case: Case) -> bool:
    found = await decisions.extract(Episode(1, 1, None, case["user"], case["assistant"], _NOW))
    texts = [f"{candidate.statement} {candidate.value}".casefold() for candidate in found.candidates]
    complete = all(any(_matches(text, fact["any_of"]) for text in texts) for fact in case["facts"])
    return not found.decision.fallback and complete and bool(texts) == bool(case["facts"])


async def _routing(decisions: Decisions, case: Case) -> bool:
    names = {fact["id"]: place for place, fact in enumerate(case["existing"], 1)}
    neighbours = [Neighbour(_fact(names[fact["id"]], fact["text"]), _OFFERED) for fact in case["existing"]]
    candidate = Candidate(case["candidate"], "", "", clause=case["candidate"])
    routes = await decisions.route(candidate, neighbours)
    target = names.get(case["target"]) if case["operation"] in (Operation.UPDATE, Operation.DELETE) else None
    made = routes[0].target if routes[0].operation in (Operation.UPDATE, Operation.DELETE) else None
    first = routes[0]
    return not first.decision.fallback and first.operation == case["operation"] and made == target


async def _reflection(decisions: Decisions, case: Case) -> bool:
    found = await decisions.reflect(Episode(1, 1, None, case["user"], case["assistant"], _NOW))
    if found.decision.fallback or case["judgment"] is None:
        return not found.decision.fallback and not found.drafts
    return any(
        _matches(draft.judgment.casefold(), case["judgment"]["judgment_any"]) for draft in found.drafts
    )


_JUDGES = {
    Matter.PLANNING: _planning,
    Matter.EXTRACTION: _extraction,
    Matter.ROUTING: _routing,
    Matter.REFLECTION: _reflection,
}


def _matches(text: str, any_of: Sequence[str]) -> bool:
    return any(part.casefold() in text for part in any_of)


def _fact(number: int, statement: str) -> Fact:
    return Fact(number, number, "", statement, "", FactKind.SEMANTIC, Confidence.STATED, None, _NOW, _NOW)
