"""Is the advice that proved right ranked first? Three settings of triggers, votes flipped at random, each form of utility.

Judgments are stored through the engine's own collection, which decides their situations. The 50 draws of votes are then
ranked by the same pure function that recall uses, since storing a hundred thousand votes would only measure the disk.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assistant.evaluation.runner import Context
from assistant.memory.engine import MemoryEngine
from assistant.memory.judging.recalling import contenders
from assistant.memory.judging.utility import Contender, Form, Placed, Tally, rank, rank_plainly
from assistant.memory.records import JudgmentDraft

SEEDS = 50
VOTES = 5
FLIPPED = (0.0, 0.2, 0.3)
PLAIN_WEIGHT = 0.5
"""Of the published form; the form by situation uses the weight of the settings."""
SETTINGS = ("uninformative trigger", "one trigger", "two triggers")
RIGHT, WRONG, NEAR_MISS = "right", "wrong", "near miss"

Case = Mapping[str, Any]
Roles = dict[int, tuple[int, str]]
"""Judgment id -> (number of its case, its role)."""
Ranking = Callable[[Sequence[Contender]], list[Placed]]


async def run(context: Context) -> dict[str, Any]:
    """precision_at_1 and mean_rank by setting, form and share of flipped votes; what was wrong about situations."""
    cases = [json.loads(line) for line in context.cases.read_text("utf-8").splitlines() if line.strip()]
    figures: dict[str, Any] = {"n": len(cases), "failures": []}
    for setting in SETTINGS:
        measured = await _measure(context, cases, setting)
        figures["failures"] += measured.pop("failures")
        figures[setting] = measured
    return figures


async def _measure(context: Context, cases: Sequence[Case], setting: str) -> dict[str, Any]:
    path = context.tmp / f"{setting.replace(' ', '-')}.duckdb"
    async with await MemoryEngine.open(path, context.embedder, settings=context.settings.memory) as memory:
        roles = await _store(memory, cases, setting)
        fields = await _fields(memory, cases)
    weight = context.settings.memory.utility_weight
    measured: dict[str, Any] = {
        name: {f"{flipped:.0%}": _draws(fields, roles, ranking, form, flipped) for flipped in FLIPPED}
        for name, ranking, form in _forms(weight)
    }
    measured["cosine"] = _draws(fields, roles, lambda each: rank_plainly(each, 0), Form.RATIO, 0)
    return {**measured, **_situations(fields[0], roles, cases)} | {
        "failures": _failures(fields, roles, cases, weight, setting)
    }


def _forms(weight: float) -> list[tuple[str, Ranking, Form]]:
    def plain(each: Sequence[Contender]) -> list[Placed]:
        return rank_plainly(each, PLAIN_WEIGHT)

    def shared(each: Sequence[Contender]) -> list[Placed]:
        return rank(each, weight)

    return [
        ("by situation, signed", shared, Form.SIGNED_WILSON),
        ("ratio", plain, Form.RATIO),
        ("wilson", plain, Form.WILSON),
        ("signed-wilson", plain, Form.SIGNED_WILSON),
    ]


# Storing --------------------------------------------------------------------------------------------------------------


async def _store(memory: MemoryEngine, cases: Sequence[Case], setting: str) -> Roles:
    roles: Roles = {}
    for number, case in enumerate(cases):
        for role, draft in _drafts(number, case, setting):
            entry = await memory.judgments.add(draft)
            assert entry.subject_id is not None
            roles[entry.subject_id] = (number, role)
    return roles


def _drafts(number: int, case: Case, setting: str) -> list[tuple[str, JudgmentDraft]]:
    first = f"scenario {number + 1}" if setting == SETTINGS[0] else case["trigger"]
    second = case["trigger_wrong"] if setting == SETTINGS[2] else first
    domain = case.get("domain", "")
    drafts = [
        (RIGHT, JudgmentDraft(first, case["correct"], case.get("reasoning_correct", ""), domain)),
        (WRONG, JudgmentDraft(second, case["wrong"], case.get("reasoning_wrong", ""), domain)),
    ]
    beside = case.get("near_miss")
    if beside and setting != SETTINGS[0]:
        near = JudgmentDraft(beside["trigger"], beside["judgment"], beside.get("reasoning", ""), domain)
        drafts.append((NEAR_MISS, near))
    return drafts


async def _fields(memory: MemoryEngine, cases: Sequence[Case]) -> list[list[Contender]]:
    """Per case, every judgment as a contender for its query."""
    everything = 4 * len(cases)
    vectors = await memory.core.embed([case["query"] for case in cases])
    return [
        [contender for contender, _ in await contenders(memory.core, vector, limit=everything)]
        for vector in vectors
    ]


# Voting and ranking ---------------------------------------------------------------------------------------------------


def _draws(
    fields: Sequence[Sequence[Contender]], roles: Roles, ranking: Ranking, form: Form, flipped: float
) -> dict[str, float]:
    """Means over seeds and cases; without flips every draw is the same, so one is enough.

    `won_by_age` is the part of precision_at_1 that was won over an alternative with the very same score: equal evidence
    falls to the older judgment, and the right one is stored first here.
    """
    seeds = SEEDS if flipped else 1
    first = ranks = near = aged = 0.0
    for seed in range(seeds):
        utilities = _utilities(roles, form, flipped, np.random.default_rng(seed))
        for number, field in enumerate(fields):
            placed = ranking([replace(each, utility=utilities[each.id]) for each in field])
            order = [roles[one.contender.id] for one in placed]
            first += order[0] == (number, RIGHT)
            aged += order[0] == (number, RIGHT) and placed[0].score == placed[1].score
            near += order[0][1] == NEAR_MISS
            ranks += order.index((number, RIGHT)) + 1
    total = seeds * len(fields)
    return {
        "precision_at_1": first / total,
        "won_by_age": aged / total,
        "mean_rank": ranks / total,
        "near_miss_first": near / total,
    }


def _utilities(roles: Roles, form: Form, flipped: float, chance: np.random.Generator) -> dict[int, float]:
    """Five votes on each judgment, each flipped with that chance. Near misses were never voted on."""
    utilities: dict[int, float] = {}
    for judgment, (_, role) in roles.items():
        turned = int((chance.random(VOTES) < flipped).sum())
        adopted = VOTES - turned if role == RIGHT else turned
        votes = Tally() if role == NEAR_MISS else Tally(adopted, VOTES - adopted)
        utilities[judgment] = votes.utility(form)
    return utilities


def _situations(field: Sequence[Contender], roles: Roles, cases: Sequence[Case]) -> dict[str, Any]:
    """How many pairs share a situation, and how many situations mix what should be apart."""
    members: dict[int, set[tuple[int, str]]] = {}
    for each in field:
        members.setdefault(each.situation, set()).add(roles[each.id])
    together = sum(
        {(number, RIGHT), (number, WRONG)} <= situation
        for situation in members.values()
        for number in range(len(cases))
    )
    mixed = [situation for situation in members.values() if len({number for number, _ in situation}) > 1]
    near = [s for s in members.values() if len(s) > 1 and any(role == NEAR_MISS for _, role in s)]
    return {"situations": {"pairs together": together, "mixed": len(mixed), "with a near miss": len(near)}}


def _failures(
    fields: Sequence[Sequence[Contender]], roles: Roles, cases: Sequence[Case], weight: float, setting: str
) -> list[dict[str, Any]]:
    """Cases that fail by situation when no vote is flipped."""
    utilities = _utilities(roles, Form.SIGNED_WILSON, 0, np.random.default_rng(0))
    failures = []
    for number, (case, field) in enumerate(zip(cases, fields, strict=True)):
        best = rank([replace(each, utility=utilities[each.id]) for each in field], weight)[0]
        got = roles[best.contender.id]
        if got != (number, RIGHT):
            failures.append(
                {"id": f"{case['id']} ({setting})", "expected": RIGHT, "got": f"{got[1]} of case {got[0]}"}
            )
    return failures
