"""Suite routing: what a new fact does to the store. The router of the chat against labelled candidates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assistant.evaluation.tables import confusion, read_cases
from assistant.memory.ports import Embedder, utc_now
from assistant.memory.records import Candidate, Confidence, Fact, FactKind, Operation, Route
from assistant.memory.routing import Neighbour

if TYPE_CHECKING:
    from assistant.evaluation.runner import Context


async def run(context: Context) -> dict[str, Any]:
    """accuracy (operation and target), wrong_deletes (a share of all cases), by operation, a confusion table, failures."""
    cases = read_cases(context.cases)
    decisions = context.decisions()
    got = [await decisions.route(_candidate(case), neighbours(case, context.embedder)) for case in cases]
    right = [_right(case, routes) for case, routes in zip(cases, got, strict=True)]
    return {
        "n": len(cases),
        "accuracy": float(np.mean(right)) if right else 0.0,
        "wrong_deletes": float(np.mean([_wrong_delete(case, routes) for case, routes in zip(cases, got, strict=True)])) if got else 0.0,
        "by_operation": _by_operation(cases, right),
        "confusion": confusion((case["operation"], str(routes[0].operation)) for case, routes in zip(cases, got, strict=True)),
        "failures": [
            {"id": case["id"], "expected": _expected(case), "got": " + ".join(map(_named, routes))}
            for case, routes, good in zip(cases, got, right, strict=True)
            if not good
        ],
    }  # fmt: skip


def neighbours(case: dict[str, Any], embedder: Embedder) -> list[Neighbour]:
    """The facts of a case as the store would offer them; "fact_3" becomes id 3."""
    if not case["existing"]:
        return []
    said, *held = embedder.embed([case["candidate"], *(fact["text"] for fact in case["existing"])])
    return [
        Neighbour(_fact(_number(fact["id"]), fact["text"]), float(vector @ said))
        for fact, vector in zip(case["existing"], held, strict=True)
    ]


def _candidate(case: dict[str, Any]) -> Candidate:
    return Candidate(statement=case["candidate"], key="", value="", clause=case["candidate"])


def _fact(number: int, text: str) -> Fact:
    now = utc_now()
    return Fact(number, number, "", text, "", FactKind.SEMANTIC, Confidence.STATED, None, now, now)


def _number(name: str) -> int:
    return int(name.rpartition("_")[2])


def _right(case: dict[str, Any], routes: Sequence[Route]) -> bool:
    """The first route names operation and target, and no further one does harm."""
    first = routes[0]
    target = first.target if first.operation in (Operation.UPDATE, Operation.DELETE) else None
    wanted = _number(case["target"]) if case["target"] else None
    return first.operation == case["operation"] and target == wanted and not _wrong_delete(case, routes)


def _wrong_delete(case: dict[str, Any], routes: Sequence[Route]) -> bool:
    wanted = _number(case["target"]) if case["operation"] == "DELETE" else None
    return any(route.operation is Operation.DELETE and route.target != wanted for route in routes)


def _by_operation(cases: Sequence[dict[str, Any]], right: Sequence[bool]) -> dict[str, float]:
    by: dict[str, list[bool]] = {}
    for case, good in zip(cases, right, strict=True):
        by.setdefault(case["operation"], []).append(good)
    return {operation: sum(goods) / len(goods) for operation, goods in sorted(by.items())}


def _expected(case: dict[str, Any]) -> str:
    return f"{case['operation']} {case['target'] or ''}".strip()


def _named(route: Route) -> str:
    return str(route.operation) + (f" fact_{route.target}" if route.target is not None else "")
