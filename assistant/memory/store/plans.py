"""Which plan was made for a turn, what was recalled for it, and which plans the user marked wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import duckdb

from assistant.errors import MemoryInputError, UnknownIdError
from assistant.memory.records import Decider, Decision, JournalEntry, Plan, Recalled, Subject
from assistant.memory.store import journal, rows
from assistant.memory.store.journal import RowChange
from assistant.memory.store.rows import Row
from assistant.text import one_line


@dataclass(frozen=True, slots=True)
class Kept:
    """A recalled item by its id (facts: by version), with its score and reason at the time."""

    subject: Subject
    item: int
    score: float
    parts: Mapping[str, float]
    reason: str
    tokens: int
    fits: bool


def insert_plan(
    con: duckdb.DuckDBPyConnection,
    plan: Plan,
    *,
    episode: int | None,
    now: datetime,
    steps: Mapping[str, float] | None = None,
) -> Plan:
    """Keep a plan, and the milliseconds of each step of its recall; returns it with its id."""
    decision = plan.decision
    row = rows.insert(
        con,
        "plans",
        {
            "episode": episode,
            "question": plan.question,
            "needs_episodes": plan.needs_episodes,
            "decider": decision.decider.value,
            "reason": decision.reason,
            "confidence": decision.confidence,
            "milliseconds": decision.milliseconds,
            "fallback": decision.fallback,
            "planned": rows.to_store(now),
            "steps": rows.to_json(dict(steps or {})),
        },
    )
    return _to_plan(row)


def insert_recalled(con: duckdb.DuckDBPyConnection, episode: int, items: Sequence[Recalled]) -> None:
    """Keep what was recalled for a turn, in order; what was kept for it before is replaced. Facts are kept by version."""
    con.execute("DELETE FROM recalled WHERE episode = ?", [episode])
    for place, item in enumerate(items):
        rows.insert(
            con,
            "recalled",
            {
                "episode": episode,
                "subject": item.subject.value,
                "item": getattr(item.item, "version", item.item.id),
                "place": place,
                "score": item.score,
                "parts": rows.to_json(dict(item.parts)),
                "reason": item.reason,
                "tokens": item.tokens,
                "fits": item.fits,
            },
        )


def of_episode(
    con: duckdb.DuckDBPyConnection, episode: int
) -> tuple[Plan, Mapping[str, float]] | tuple[None, None]:
    """The newest plan made for a turn, and the milliseconds of each step of its recall."""
    found = rows.select(con, "SELECT * FROM plans WHERE episode = ? ORDER BY id DESC LIMIT 1", [episode])
    return (_to_plan(found[0]), json.loads(found[0]["steps"])) if found else (None, None)


def recalled_of(con: duckdb.DuckDBPyConnection, episode: int) -> list[Kept]:
    """What was recalled for a turn, in the order in which it stood."""
    return [
        Kept(
            Subject(row["subject"]),
            row["item"],
            row["score"],
            json.loads(row["parts"]),
            row["reason"],
            row["tokens"],
            row["fits"],
        )
        for row in rows.select(con, "SELECT * FROM recalled WHERE episode = ? ORDER BY place", [episode])
    ]


def listing(con: duckdb.DuckDBPyConnection, *, limit: int = 100) -> list[Plan]:
    """Newest first."""
    return [
        _to_plan(row) for row in rows.select(con, "SELECT * FROM plans ORDER BY id DESC LIMIT ?", [limit])
    ]


def get(con: duckdb.DuckDBPyConnection, plan: int) -> Plan:
    """Raises UnknownIdError."""
    return _to_plan(_row(con, plan))


def marked_wrong(con: duckdb.DuckDBPyConnection, *, limit: int = 100) -> list[Plan]:
    """Plans the user marked wrong, newest first: what was needed was the opposite."""
    found = rows.select(con, "SELECT * FROM plans WHERE marked_wrong ORDER BY id DESC LIMIT ?", [limit])
    return [_to_plan(row) for row in found]


def mark_wrong(
    con: duckdb.DuckDBPyConnection, plan: int, *, decision: Decision, now: datetime
) -> JournalEntry:
    """Raises UnknownIdError, or MemoryInputError when it is marked already."""
    row = _row(con, plan)
    if row["marked_wrong"]:
        raise MemoryInputError("That plan is marked wrong already.")
    needed = "known facts were enough" if row["needs_episodes"] else "past turns were needed"
    return journal.apply(
        con,
        [RowChange.of("plans", row, marked_wrong=True)],
        action="plan.mark_wrong",
        subject=Subject.PLAN,
        subject_id=plan,
        summary=f"{needed}: {one_line(row['question'], 80)}",
        decision=decision,
        now=now,
        episode=row["episode"],
    )


def _row(con: duckdb.DuckDBPyConnection, plan: int) -> Row:
    row = rows.get(con, "plans", (plan,))
    if row is None:
        raise UnknownIdError(f"There is no plan {plan}.")
    return row


def _to_plan(row: Row) -> Plan:
    decision = Decision(
        Decider(row["decider"]), row["reason"], row["confidence"], row["milliseconds"], row["fallback"]
    )
    return Plan(
        row["question"],
        row["needs_episodes"],
        decision,
        row["id"],
        row["episode"],
        marked_wrong=row["marked_wrong"],
    )
