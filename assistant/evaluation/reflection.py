"""Does an exchange hold a judgment, and are its trigger, advice and reason the right ones?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from assistant.evaluation.runner import Context
from assistant.evaluation.tables import exchange, read_cases
from assistant.memory.extraction.matching import matches
from assistant.memory.records import JudgmentDraft

PARTS = ("trigger", "judgment", "reasoning")


async def run(context: Context) -> dict[str, Any]:
    """gate_accuracy over all cases; hit rates of trigger, judgment and reasoning over the judgments that were found."""
    cases = read_cases(context.cases)
    decisions = context.decisions()
    found = [(await decisions.reflect(exchange(case))).drafts for case in cases]
    return {"n": len(cases), **_figures(cases, found), "failures": _failures(cases, found)}


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
