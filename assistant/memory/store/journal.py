"""Every change to the memory, with what is needed to take it back. A change and its entry are one transaction.

An entry is *in effect* until it is undone. An undo is an entry of its own, so it can be undone too, which puts the first
change into effect again. Changes of the same rows are taken back newest first; anything else is refused with a sentence
that names the entry in the way.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import duckdb

from assistant.errors import MemoryInputError, UnknownIdError
from assistant.memory.records import Decider, Decision, JournalEntry, Subject
from assistant.memory.store import rows, search
from assistant.memory.store.rows import Row

BY_USER = Decision(Decider.USER, "by your own hand")
UNDO = "undo"

_NO_CHANGES = "[]"
_CORPORA = {
    "facts": search.Corpus.FACTS,
    "episodes": search.Corpus.EPISODES,
    "judgments": search.Corpus.JUDGMENTS,
}
_TEXTS = {"trigger_text", "judgment", "reasoning", "domain"}
"""Columns of a judgment that search reads; the texts of facts and turns never change."""


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row before and after, whole, column by name. None before: inserted; None after: deleted."""

    table: str
    before: Row | None
    after: Row | None

    @classmethod
    def of(cls, table: str, row: Row, **values: Any) -> RowChange:
        """`row` with some columns changed."""
        return cls(table, row, {**row, **values})

    @property
    def key(self) -> rows.Key:
        return rows.key_of(self.table, self.after or self.before or {})

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns in which an updated row differs."""
        before, after = rows.plain(self.before or {}), rows.plain(self.after or {})
        return tuple(column for column in after if before.get(column) != after[column])

    def to_json(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "before": None if self.before is None else rows.plain(self.before),
            "after": None if self.after is None else rows.plain(self.after),
        }


def apply(
    con: duckdb.DuckDBPyConnection,
    changes: Sequence[RowChange],
    *,
    action: str,
    subject: Subject,
    subject_id: int | None,
    summary: str,
    decision: Decision,
    now: datetime,
    episode: int | None = None,
    before: str = "",
    after: str = "",
) -> JournalEntry:
    """Write the rows and the entry that tells of them. Without changes the entry only tells (a NOOP) and cannot be undone."""
    written = [write(con, change) for change in changes]
    return _enter(
        con,
        written,
        {
            "happened": rows.to_store(now),
            "action": action,
            "subject": subject.value,
            "subject_id": subject_id,
            "summary": summary,
            **_decision_columns(decision),
            "episode": episode,
            "before": before,
            "after": after,
        },
    )


def undo(con: duckdb.DuckDBPyConnection, entry_id: int, *, now: datetime) -> JournalEntry:
    """Take a change back. Raises UnknownIdError, or MemoryInputError with a sentence when it cannot be (yet)."""
    row = _row(con, entry_id)
    if row["undone_by"] is not None:
        raise MemoryInputError(f"“{row['summary']}” was undone already.")
    if row["changes"] == _NO_CHANGES:
        raise MemoryInputError(f"“{row['summary']}” cannot be undone: it left nothing to take back.")
    changes = _changes(row)
    _refuse_when_changed_later(con, row, changes)
    return enter_undo(con, entry_id, [_take_back(con, row, change) for change in reversed(changes)], now=now)


def enter_undo(
    con: duckdb.DuckDBPyConnection, entry_id: int, undone: Sequence[RowChange], *, now: datetime
) -> JournalEntry:
    """The entry that tells that `entry_id` was taken back by the changes `undone`, which are written already."""
    row = _row(con, entry_id)
    entry = _enter(
        con,
        undone,
        {
            "happened": rows.to_store(now),
            "action": UNDO,
            "subject": row["subject"],
            "subject_id": row["subject_id"],
            "summary": f"undone: {row['summary']}",
            **_decision_columns(BY_USER),
            "episode": row["episode"],
            "before": row["after"],
            "after": row["before"],
            "undoes": entry_id,
        },
    )
    _mark_undone(con, row, entry.id)
    return entry


def get(con: duckdb.DuckDBPyConnection, entry_id: int) -> JournalEntry:
    """Raises UnknownIdError."""
    return to_entry(_row(con, entry_id))


def newest(
    con: duckdb.DuckDBPyConnection, *, subject: Subject | None = None, limit: int = 200
) -> list[JournalEntry]:
    """Newest first."""
    found = rows.select(
        con,
        "SELECT * FROM journal WHERE ? IS NULL OR subject = ? ORDER BY id DESC LIMIT ?",
        [subject, subject, limit],
    )
    return [to_entry(row) for row in found]


def newest_in_effect(con: duckdb.DuckDBPyConnection, also: Sequence[int] = ()) -> int | None:
    """The newest change that can be undone and is not an undo itself. `also` names entries whose rows are kept elsewhere."""
    found = con.execute(
        "SELECT max(id) FROM journal WHERE undone_by IS NULL AND undoes IS NULL"
        " AND (changes <> ? OR id IN (SELECT unnest(?::BIGINT[])))",
        [_NO_CHANGES, list(also)],
    ).fetchall()
    return None if found[0][0] is None else int(found[0][0])


def newest_forgetting(con: duckdb.DuckDBPyConnection) -> JournalEntry | None:
    """The newest entry that tells of something forgotten, unless it was taken back."""
    found = rows.select(
        con,
        "SELECT * FROM journal WHERE ends_with(action, '.forget') AND undone_by IS NULL ORDER BY id DESC LIMIT 1",
        [],
    )
    return to_entry(found[0]) if found else None


def to_entry(row: Mapping[str, Any]) -> JournalEntry:
    return JournalEntry(
        id=row["id"],
        happened=rows.from_store(row["happened"]),
        action=row["action"],
        subject=Subject(row["subject"]),
        subject_id=row["subject_id"],
        summary=row["summary"],
        decision=Decision(
            Decider(row["decider"]), row["reason"], row["confidence"], fallback=row["fallback"]
        ),
        episode=row["episode"],
        undone_by=row["undone_by"],
        undoes=row["undoes"],
        before=row["before"],
        after=row["after"],
        undoable=row["changes"] != _NO_CHANGES and row["undone_by"] is None,
    )


# Writing rows ---------------------------------------------------------------------------------------------------------


def write(con: duckdb.DuckDBPyConnection, change: RowChange) -> RowChange:
    """Write one row and return the change as it was written: an inserted row with what the table filled in."""
    if change.before is None:
        assert change.after is not None
        change = RowChange(change.table, None, rows.insert(con, change.table, change.after))
        _keep_search_in_step(con, change)
        return change
    if change.after is None:
        rows.delete(con, change.table, change.key)
    else:
        rows.update(
            con, change.table, change.key, {column: change.after[column] for column in change.columns}
        )
    _keep_search_in_step(con, change)
    return change


def _keep_search_in_step(con: duckdb.DuckDBPyConnection, change: RowChange) -> None:
    """A row that comes back or reads otherwise has no vectors until what `search.missing` names is embedded again."""
    if change.table == "votes" and _corrections(change):
        search.remove(con, search.Corpus.JUDGMENTS, change.key[:1])
    corpus = _CORPORA.get(change.table)
    if corpus is None:
        return
    if change.after is None or (change.before is not None and _TEXTS & set(change.columns)):
        search.remove(con, corpus, change.key)
    elif change.before is not None and _active(change.before) != _active(change.after):
        search.set_active(con, corpus, change.key, _active(change.after))


def _corrections(change: RowChange) -> bool:
    """Whether a vote's correction comes, goes or changes: a judgment is found by its corrections too."""
    before, after = (row["correction"] if row else "" for row in (change.before, change.after))
    return bool(before != after)


def _active(row: Row) -> bool:
    """Facts: current. Episodes and judgments: not archived."""
    return row["valid_to"] is None if "valid_to" in row else not row["archived"]


def _enter(con: duckdb.DuckDBPyConnection, changes: Sequence[RowChange], columns: Row) -> JournalEntry:
    text = rows.to_json([change.to_json() for change in changes])
    return to_entry(rows.insert(con, "journal", {**columns, "changes": text}))


def _decision_columns(decision: Decision) -> Row:
    return {
        "decider": decision.decider.value,
        "reason": decision.reason,
        "confidence": decision.confidence,
        "fallback": decision.fallback,
    }


# Taking back ----------------------------------------------------------------------------------------------------------


def _row(con: duckdb.DuckDBPyConnection, entry_id: int) -> Row:
    row = rows.get(con, "journal", (entry_id,))
    if row is None:
        raise UnknownIdError(f"There is no journal entry {entry_id}.")
    return row


def _changes(row: Row) -> list[RowChange]:
    return [RowChange(**change) for change in json.loads(row["changes"])]


def _take_back(con: duckdb.DuckDBPyConnection, entry: Row, change: RowChange) -> RowChange:
    """Write one row as it was; only the columns that the entry changed, so that what else happened to the row stays."""
    current = rows.get(con, change.table, change.key)
    if not is_as_left(change, current):
        raise _changed_since(con, entry, change)
    if change.before is None or change.after is None:
        undone = RowChange(change.table, current, change.before)
    else:
        assert current is not None
        undone = RowChange.of(
            change.table, current, **{column: change.before[column] for column in change.columns}
        )
    write(con, undone)
    return undone


def is_as_left(change: RowChange, current: Row | None) -> bool:
    """Whether the row, as it is now, still is as `change` left it, in the columns that it changed."""
    if change.after is None or current is None:
        return change.after is None and current is None
    present = rows.plain(current)
    return all(present[column] == change.after[column] for column in change.columns)


def _refuse_when_changed_later(
    con: duckdb.DuckDBPyConnection, entry: Row, changes: Sequence[RowChange]
) -> None:
    for change in changes:
        later = _touching(con, change, since=entry["id"], undos=False)
        if later:
            raise _must_be_first(later)


def _changed_since(con: duckdb.DuckDBPyConnection, entry: Row, change: RowChange) -> MemoryInputError:
    later = _touching(con, change, since=entry["id"], undos=True)
    if later:
        return _must_be_first(later)
    return MemoryInputError(
        f"“{entry['summary']}” cannot be undone: what it changed is no longer as it left it."
    )


def _must_be_first(later: Row) -> MemoryInputError:
    return MemoryInputError(
        f"The same was changed again later: “{later['summary']}”.", hint=f"Undo entry {later['id']} first."
    )


def _touching(con: duckdb.DuckDBPyConnection, change: RowChange, *, since: int, undos: bool) -> Row | None:
    """The newest entry in effect after `since` that touches the same row."""
    columns = dict(zip(rows.KEYS[change.table], change.key, strict=True))
    likely = "".join(" AND contains(changes, ?)" for _ in columns)  # spares reading every entry's JSON
    found = rows.select(
        con,
        f"SELECT * FROM journal WHERE id > ? AND undone_by IS NULL AND (? OR undoes IS NULL){likely} ORDER BY id DESC",
        [since, undos, *(rows.to_json({column: value})[1:-1] for column, value in columns.items())],
    )
    touching = (
        row
        for row in found
        if any(other.table == change.table and other.key == change.key for other in _changes(row))
    )
    return next(touching, None)


def _mark_undone(con: duckdb.DuckDBPyConnection, row: Row, by: int) -> None:
    """`row` is undone by entry `by`. If it was an undo itself, what it undid is in effect again, and so on down the chain."""
    rows.update(con, "journal", (row["id"],), {"undone_by": by})
    in_effect = True
    while row["undoes"] is not None:
        undoer, row = row["id"], _row(con, row["undoes"])
        rows.update(con, "journal", (row["id"],), {"undone_by": None if in_effect else undoer})
        in_effect = not in_effect
