"""Suite extraction: durable facts in one exchange. The extractor of the chat against labelled exchanges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assistant.evaluation.tables import exchange, read_cases
from assistant.memory.extraction.matching import matches
from assistant.memory.records import Candidate

if TYPE_CHECKING:
    from assistant.evaluation.runner import Context


@dataclass(frozen=True, slots=True)
class _Scored:
    case: dict[str, Any]
    statements: tuple[str, ...]
    found: tuple[bool, ...]
    """Per labelled fact: does some statement hold it?"""
    right: tuple[bool, ...]
    """Per statement: does it hold some labelled fact?"""
    leaked: tuple[str, ...]


async def run(context: Context) -> dict[str, Any]:
    """precision, recall, f1 (micro, over facts), empty_turns_right (a share), never_leaks (a count), failures."""
    decisions = context.decisions()
    scored = []
    for case in read_cases(context.cases):
        extraction = await decisions.extract(exchange(case))
        scored.append(_score(case, extraction.candidates))
    return figures(scored)


def _score(case: dict[str, Any], candidates: Sequence[Candidate]) -> _Scored:
    statements = tuple(candidate.statement for candidate in candidates)
    stored = "\n".join(
        f"{one.statement}\n{one.key}\n{one.value}\n{one.clause}" for one in candidates
    ).casefold()
    return _Scored(
        case,
        statements,
        tuple(any(matches(text, fact["any_of"]) for text in statements) for fact in case["facts"]),
        tuple(any(matches(text, fact["any_of"]) for fact in case["facts"]) for text in statements),
        tuple(string for string in case.get("never", ()) if string.casefold() in stored),
    )


def figures(scored: Sequence[_Scored]) -> dict[str, Any]:
    right, made = sum(sum(one.right) for one in scored), sum(len(one.right) for one in scored)
    found, wanted = sum(sum(one.found) for one in scored), sum(len(one.found) for one in scored)
    precision, recall = right / made if made else 1.0, found / wanted if wanted else 1.0
    empty = [not one.statements for one in scored if not one.case["facts"]]
    return {
        "n": len(scored),
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        "empty_turns_right": sum(empty) / len(empty) if empty else 1.0,
        "never_leaks": sum(len(one.leaked) for one in scored),
        "failures": [_failure(one) for one in scored if one.leaked or not all((*one.found, *one.right))],
    }


def _failure(one: _Scored) -> dict[str, Any]:
    missed = [
        fact["any_of"][0] for fact, found in zip(one.case["facts"], one.found, strict=True) if not found
    ]
    return {
        "id": one.case["id"],
        "expected": missed or "nothing more",
        "got": [*(f"LEAK {string}" for string in one.leaked), *one.statements],
    }
