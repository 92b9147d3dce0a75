"""Forgetting erases for good: the rows, everything derived from them alone, their search rows, and their words in the journal.

What was erased is handed back as row changes, so that the running program can still take the step back; nothing of it
stays in the store but an entry without content ("forgot a fact").
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import duckdb

from assistant.errors import MemoryInputError, UnknownIdError
from assistant.memory.records import JournalEntry, Subject
from assistant.memory.store import journal, rows
from assistant.memory.store.journal import RowChange
from assistant.memory.store.rows import Row
from assistant.memory.titles import proposed_title
from assistant.text import one_line

Erased = tuple[RowChange, ...]
"""Every row as it was, in the order of erasing."""

_NAMES = {Subject.FACT: "fact", Subject.JUDGMENT: "judgment", Subject.EPISODE: "turn"}
_SCRUBBED: Row = {"summary": "(forgotten)", "reason": "", "fallback": "", "before": "", "after": ""}


def forget(
    con: duckdb.DuckDBPyConnection, subject: Subject, subject_id: int, *, now: datetime
) -> tuple[JournalEntry, Erased]:
    """Erase a fact (all versions), a judgment (with its votes and what was merged into it), or a turn (with the facts and
    judgments read from it, its plan and what was recalled for it). Raises UnknownIdError, MemoryInputError."""
    if subject not in _COLLECT:
        raise MemoryInputError(f"A {subject} cannot be forgotten.", hint="Name a fact, a judgment or a turn.")
    changes = _COLLECT[subject](con, subject_id)
    gone = [change for change in changes if change.after is None]
    if not gone:
        raise UnknownIdError(f"There is no {_NAMES[subject]} {subject_id}.")
    changes += _recalled(con, gone)
    changes += _scrubbed_entries(con, changes)
    for change in changes:
        journal.write(con, change)
    entry = journal.apply(
        con,
        [],
        action=f"{subject}.forget",
        subject=subject,
        subject_id=subject_id,
        summary=_summary(subject, gone),
        decision=journal.BY_USER,
        now=now,
    )
    return entry, tuple(changes)


def restore(con: duckdb.DuckDBPyConnection, entry_id: int, erased: Erased, *, now: datetime) -> JournalEntry:
    """Put back what `forget` erased. What has changed since in the rows around it stays as it is."""
    for change in reversed(erased):
        current = rows.get(con, change.table, change.key)
        if journal.is_as_left(change, current):
            journal.write(con, RowChange(change.table, current, _as_before(change, current)))
    return journal.enter_undo(con, entry_id, [], now=now)


def _as_before(change: RowChange, current: Row | None) -> Row | None:
    if current is None or change.before is None:
        return change.before
    return {**current, **{column: change.before[column] for column in change.columns}}


# What goes ------------------------------------------------------------------------------------------------------------


def _fact(con: duckdb.DuckDBPyConnection, fact: int) -> list[RowChange]:
    return _deleted(con, "facts", "fact = ?", fact)


def _judgment(con: duckdb.DuckDBPyConnection, judgment: int) -> list[RowChange]:
    found = con.execute(
        "WITH RECURSIVE same AS (SELECT id FROM judgments WHERE id = ?"
        " UNION SELECT j.id FROM judgments j JOIN same ON j.merged_into = same.id) SELECT id FROM same",
        [judgment],
    ).fetchall()
    ids = [row[0] for row in found]
    return [change for each in ids for change in _one_judgment(con, each)]


def _one_judgment(con: duckdb.DuckDBPyConnection, judgment: int) -> list[RowChange]:
    return [
        *_deleted(con, "votes", "judgment = ?", judgment),
        *_deleted(con, "judgments", "id = ?", judgment),
    ]


def _episode(con: duckdb.DuckDBPyConnection, episode: int) -> list[RowChange]:
    own = _deleted(con, "episodes", "id = ?", episode)
    if not own or own[0].before is None:
        return []
    judged = con.execute("SELECT id FROM judgments WHERE episode = ?", [episode]).fetchall()
    derived = _unique(change for (judgment,) in judged for change in _judgment(con, judgment))
    return [
        *_deleted(con, "facts", "episode = ?", episode),
        *derived,
        *_deleted(con, "plans", "episode = ?", episode),
        *_deleted(con, "recalled", "episode = ?", episode),
        *_unlinked(con, own[0].before),
        *own,
    ]


_COLLECT: dict[Subject, Callable[[duckdb.DuckDBPyConnection, int], list[RowChange]]] = {
    Subject.FACT: _fact,
    Subject.JUDGMENT: _judgment,
    Subject.EPISODE: _episode,
}


def _unlinked(con: duckdb.DuckDBPyConnection, turn: Row) -> list[RowChange]:
    """The turns after it follow the one before it, and its conversation shows another head and no title made of its words."""
    after = rows.select(con, "SELECT * FROM episodes WHERE parent = ? ORDER BY id", [turn["id"]])
    moved = [RowChange.of("episodes", row, parent=turn["parent"]) for row in after]
    home = rows.get(con, "conversations", (turn["conversation"],))
    if home is None:
        return moved
    values: Row = {}
    if home["head"] == turn["id"]:
        values["head"] = turn["parent"] or _newest_other(con, turn)
    title = home["title"].rstrip("…").rstrip()
    if title and (
        home["title"] == proposed_title(turn["user_text"]) or one_line(turn["user_text"]).startswith(title)
    ):
        values["title"] = ""
    return [*moved, RowChange.of("conversations", home, **values)] if values else moved


def _newest_other(con: duckdb.DuckDBPyConnection, turn: Row) -> int | None:
    found = con.execute(
        "SELECT max(id) FROM episodes WHERE conversation = ? AND id <> ?", [turn["conversation"], turn["id"]]
    ).fetchall()
    return None if found[0][0] is None else int(found[0][0])


def _recalled(con: duckdb.DuckDBPyConnection, gone: Sequence[RowChange]) -> list[RowChange]:
    """Where an erased item was recalled for other turns."""
    subjects = {"facts": Subject.FACT, "judgments": Subject.JUDGMENT, "episodes": Subject.EPISODE}
    already = {change.key for change in gone if change.table == "recalled"}
    found = [
        change
        for item in gone
        if item.table in subjects
        for change in _deleted(
            con, "recalled", "subject = ? AND item = ?", subjects[item.table].value, item.key[0]
        )
    ]
    return [change for change in _unique(found) if change.key not in already]


def _deleted(con: duckdb.DuckDBPyConnection, table: str, condition: str, *values: Any) -> list[RowChange]:
    return [
        RowChange(table, row, None)
        for row in rows.select(con, f"SELECT * FROM {table} WHERE {condition}", values)
    ]


def _unique(changes: Iterable[RowChange]) -> list[RowChange]:
    return list({(change.table, change.key): change for change in changes}.values())


# The journal's words --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Gone:
    """What marks a row or a journal entry as telling of something erased."""

    rows: frozenset[tuple[str, rows.Key]]
    statements: frozenset[str]
    subjects: frozenset[tuple[str, int]]

    def has(self, subject: Subject, subject_id: int | None) -> bool:
        return (subject.value, subject_id) in self.subjects

    def is_told_by(self, entry: Row) -> bool:
        return (
            self.has(Subject(entry["subject"]), entry["subject_id"])
            or self.has(Subject.EPISODE, entry["episode"])
            or not self.statements.isdisjoint((entry["before"], entry["after"]))
        )

    def holds(self, change: RowChange) -> bool:
        """Whether the row is one of the erased, or belonged to one of them at an earlier time."""
        row = change.after or change.before or {}
        return (
            (change.table, change.key) in self.rows
            or self.has(Subject.EPISODE, row.get("episode"))
            or (change.table == "facts" and self.has(Subject.FACT, row["fact"]))
            or (change.table == "votes" and self.has(Subject.JUDGMENT, row["judgment"]))
            or (change.table == "recalled" and self.has(Subject(row["subject"]), row["item"]))
        )

    @property
    def tokens(self) -> list[str]:
        """Pieces of JSON of which every concerned entry holds one; they spare reading all the others."""
        numbers = {key[-1] for _, key in self.rows} | {subject_id for _, subject_id in self.subjects}
        return [f'": {rows.to_json(number)}' for number in numbers]


def _scrubbed_entries(con: duckdb.DuckDBPyConnection, changes: Sequence[RowChange]) -> list[RowChange]:
    """Entries that tell of an erased row lose their words and that row; rows of others in the same entry stay undoable."""
    gone = _marks(con, changes)
    likely = rows.select(
        con,
        "SELECT * FROM journal WHERE episode IN (SELECT unnest($ids::BIGINT[]))"
        " OR subject_id IN (SELECT unnest($ids::BIGINT[]))"
        " OR before IN (SELECT unnest($texts::VARCHAR[])) OR after IN (SELECT unnest($texts::VARCHAR[]))"
        " OR EXISTS (SELECT 1 FROM unnest($tokens::VARCHAR[]) AS tokens (token) WHERE contains(changes, token))",
        {
            "ids": [subject_id for _, subject_id in gone.subjects],
            "texts": list(gone.statements),
            "tokens": gone.tokens,
        },
    )
    scrubbed = (_scrub(entry, gone) for entry in likely)
    return [change for change in scrubbed if change.columns]


def _marks(con: duckdb.DuckDBPyConnection, changes: Sequence[RowChange]) -> _Gone:
    erased = {
        (change.table, change.key): change.before or {}
        for change in changes
        if change.after is None or _lost_its_title(change)
    }
    whole = {
        "judgments": Subject.JUDGMENT,
        "episodes": Subject.EPISODE,
        "plans": Subject.PLAN,
        "conversations": Subject.CONVERSATION,
    }
    subjects = {(whole[table].value, key[0]) for table, key in erased if table in whole}
    subjects |= {(Subject.FACT.value, fact) for fact in _whole_facts(con, changes)}
    statements = frozenset(row["statement"] for (table, _), row in erased.items() if table == "facts")
    return _Gone(frozenset(erased), statements, frozenset(subjects))


def _lost_its_title(change: RowChange) -> bool:
    return change.table == "conversations" and "title" in change.columns


def _whole_facts(con: duckdb.DuckDBPyConnection, gone: Sequence[RowChange]) -> list[int]:
    """Facts of which no version stays."""
    versions = [change.before for change in gone if change.table == "facts" and change.before]
    found = con.execute(
        "SELECT fact FROM facts WHERE fact IN (SELECT unnest(?::BIGINT[])) GROUP BY fact"
        " HAVING bool_and(version IN (SELECT unnest(?::BIGINT[])))",
        [[row["fact"] for row in versions], [row["version"] for row in versions]],
    ).fetchall()
    return [row[0] for row in found]


def _scrub(entry: Row, gone: _Gone) -> RowChange:
    changes = [RowChange(**change) for change in json.loads(entry["changes"])]
    kept = [change for change in changes if not gone.holds(change)]
    tells = gone.is_told_by(entry) or (len(kept) < len(changes) and not _is_of_many(entry, kept))
    if len(kept) < len(changes):
        return RowChange.of("journal", entry, **(_SCRUBBED if tells else {}), changes=_as_json(kept))
    return RowChange.of("journal", entry, **(_SCRUBBED if tells else {}))


def _is_of_many(entry: Row, kept: Sequence[RowChange]) -> bool:
    """One entry for many rows ("archived: 50 turns") has no words of any."""
    return entry["subject_id"] is None and bool(kept)


def _as_json(changes: Sequence[RowChange]) -> str:
    return rows.to_json([change.to_json() for change in changes])


def _summary(subject: Subject, gone: Sequence[RowChange]) -> str:
    """Without content: "forgot a turn with 2 facts and 1 judgment"."""
    facts = len({change.before["fact"] for change in gone if change.table == "facts" and change.before})
    judgments = sum(change.table == "judgments" for change in gone)
    if subject is not Subject.EPISODE or not facts + judgments:
        return f"forgot a {_NAMES[subject]}"
    counted = [
        f"{count} {word}{'s' if count > 1 else ''}"
        for count, word in ((facts, "fact"), (judgments, "judgment"))
        if count
    ]
    return f"forgot a {_NAMES[subject]} with {' and '.join(counted)}"
