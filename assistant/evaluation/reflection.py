"""Does an exchange hold a judgment, and are its trigger, advice and reason the right ones?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assistant.evaluation.runner import Context
from assistant.memory.engine import MemoryEngine
from assistant.memory.extraction.matching import matches
from assistant.memory.records import Episode, JudgmentDraft

PARTS = ("trigger", "judgment", "reasoning")


async def run(context: Context) -> dict[str, Any]:
    """gate_accuracy over all cases; hit rates of trigger, judgment and reasoning over the judgments that were found."""
    cases = [json.loads(line) for line in context.cases.read_text("utf-8").splitlines() if line.strip()]
    settings = context.settings.memory
    path = context.tmp / "reflection.duckdb"
    async with await MemoryEngine.open(
        path, context.embedder, settings=settings, model=context.model
    ) as memory:
        decide = memory.decisions.asking(context.model) if context.decider == "model" else memory.decisions
        template = await memory.record("template", "template")
        found = [await _drafted(decide, template, case) for case in cases]
    return {"n": len(cases), **_figures(cases, found), "failures": _failures(cases, found)}


async def _drafted(decide: Any, template: Episode, case: Mapping[str, Any]) -> tuple[JudgmentDraft, ...]:
    episode = replace(template, user=case["user"], assistant=case["assistant"])
    return tuple((await decide.reflect(episode)).drafts)


def _figures(
    cases: Sequence[Mapping[str, Any]], found: Sequence[tuple[JudgmentDraft, ...]]
) -> dict[str, Any]:
    right = sum(
        bool(drafts) == (case["judgment"] is not None) for case, drafts in zip(cases, found, strict=True)
    )
    hits = [
        {part: _hit(part, drafts, case["judgment"]) for part in PARTS}
        for case, drafts in zip(cases, found, strict=True)
        if drafts and case["judgment"] is not None
    ]
    rates = {f"{part}_hits": sum(hit[part] for hit in hits) / len(hits) if hits else 0.0 for part in PARTS}
    outcomes = Counter(
        (case["judgment"] is not None, bool(drafts)) for case, drafts in zip(cases, found, strict=True)
    )
    confusion = {
        "holds one": {"found": outcomes[True, True], "missed": outcomes[True, False]},
        "holds none": {"invented": outcomes[False, True], "left alone": outcomes[False, False]},
    }
    return {"gate_accuracy": right / len(cases), **rates, "confusion": confusion}


def _hit(part: str, drafts: Sequence[JudgmentDraft], gold: Mapping[str, Any]) -> bool:
    return any(matches(_read(part, draft), gold[f"{part}_any"]) for draft in drafts)


def _read(part: str, draft: JudgmentDraft) -> str:
    """A sentence that says what to do and why counts as both."""
    text = str(getattr(draft, part))
    return f"{text} {draft.judgment}" if part == "reasoning" else text


def _failures(
    cases: Sequence[Mapping[str, Any]], found: Sequence[tuple[JudgmentDraft, ...]]
) -> list[dict[str, Any]]:
    failures = []
    for case, drafts in zip(cases, found, strict=True):
        gold = case["judgment"]
        got = drafts[0].judgment if drafts else None
        if (gold is None) != (got is None):
            failures.append({"id": case["id"], "expected": gold and gold["judgment_any"], "got": got})
        elif gold is not None and not _hit("judgment", drafts, gold):
            failures.append({"id": case["id"], "expected": gold["judgment_any"], "got": got})
    return failures
