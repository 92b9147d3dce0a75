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

from assistant.errors import UnknownIdError
from assistant.memory.records import JournalEntry, Subject
from assistant.memory.store import journal, rows
from assistant.memory.store.journal import RowChange
from assistant.memory.store.rows import Row
from assistant.text import one_line

Erased = tuple[RowChange, ...]
"""Every row as it was, in the order of erasing."""

_SCRUBBED = {"summary": "(forgotten)", "reason": "", "fallback": "", "before": "", "after": ""}


def forget(
    con: duckdb.DuckDBPyConnection, subject: Subject, subject_id: int, *, now: datetime
) -> tuple[JournalEntry, Erased]:
    """Erase a fact (all versions), a judgment (with its votes and what was merged into it), or a turn (with the facts and
    judgments read from it, its plan and what was recalled for it). Raises UnknownIdError."""
    changes = _COLLECT[subject](con, subject_id)
    gone = [change for change in changes if change.after is None]
    if not gone:
        raise UnknownIdError(f"There is no {subject} {subject_id}.")
    changes += _recalled(con, gone)
    changes += _scrubbed_entries(con, [change for change in changes if change.after is None])
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
    if title and one_line(turn["user_text"]).startswith(title):
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
    """What marks a journal entry as telling of something erased."""

    rows: frozenset[tuple[str, rows.Key]]
    statements: frozenset[str]
    subjects: frozenset[tuple[str, int]]
    episodes: frozenset[int]

    def is_told_by(self, entry: Row) -> bool:
        return (
            (entry["subject"], entry["subject_id"]) in self.subjects
            or entry["episode"] in self.episodes
            or not self.statements.isdisjoint((entry["before"], entry["after"]))
        )


def _scrubbed_entries(con: duckdb.DuckDBPyConnection, gone: Sequence[RowChange]) -> list[RowChange]:
    """Entries that tell of an erased row lose their words and that row; rows of others in the same entry stay undoable."""
    marks = _marks(con, gone)
    tokens = {f'": {rows.to_json(key[-1])}' for _, key in marks.rows}
    likely = rows.select(
        con,
        "SELECT * FROM journal WHERE episode IN (SELECT unnest(?::BIGINT[]))"
        " OR subject_id IN (SELECT unnest(?::BIGINT[]))"
        " OR before IN (SELECT unnest(?::VARCHAR[])) OR after IN (SELECT unnest(?::VARCHAR[]))"
        " OR EXISTS (SELECT 1 FROM unnest(?::VARCHAR[]) AS tokens (token) WHERE contains(changes, token))",
        [
            list(marks.episodes),
            [subject_id for _, subject_id in marks.subjects],
            list(marks.statements),
            list(marks.statements),
            sorted(tokens),
        ],
    )
    scrubbed = (_scrub(entry, marks) for entry in likely)
    return [change for change in scrubbed if change.columns]


def _marks(con: duckdb.DuckDBPyConnection, gone: Sequence[RowChange]) -> _Gone:
    held = {(change.table, change.key): change.before or {} for change in gone}
    statements = frozenset(row["statement"] for (table, _), row in held.items() if table == "facts")
    whole = {"judgments": Subject.JUDGMENT, "episodes": Subject.EPISODE, "plans": Subject.PLAN}
    subjects = {(whole[table].value, key[0]) for table, key in held if table in whole}
    subjects |= {(Subject.FACT.value, fact) for fact in _whole_facts(con, gone)}
    episodes = frozenset(key[0] for table, key in held if table == "episodes")
    return _Gone(frozenset(held), statements, frozenset(subjects), episodes)


def _whole_facts(con: duckdb.DuckDBPyConnection, gone: Sequence[RowChange]) -> list[int]:
    """Facts of which no version stays."""
    versions = [change.before for change in gone if change.table == "facts" and change.before]
    found = con.execute(
        "SELECT fact FROM facts WHERE fact IN (SELECT unnest(?::BIGINT[])) GROUP BY fact"
        " HAVING bool_and(version IN (SELECT unnest(?::BIGINT[])))",
        [[row["fact"] for row in versions], [row["version"] for row in versions]],
    ).fetchall()
    return [row[0] for row in found]


def _scrub(entry: Row, marks: _Gone) -> RowChange:
    changes = [RowChange(**change) for change in json.loads(entry["changes"])]
    kept = [change for change in changes if (change.table, change.key) not in marks.rows]
    about_many = entry["subject_id"] is None and kept
    if not marks.is_told_by(entry) and (len(kept) == len(changes) or about_many):
        return RowChange.of("journal", entry, changes=_as_json(kept) if about_many else entry["changes"])
    return RowChange.of("journal", entry, **_SCRUBBED, changes=_as_json(kept))


def _as_json(changes: Sequence[RowChange]) -> str:
    return rows.to_json([change.to_json() for change in changes])


def _summary(subject: Subject, gone: Sequence[RowChange]) -> str:
    """Without content: "forgot a turn with 2 facts and 1 judgment"."""
    name = "turn" if subject is Subject.EPISODE else subject.value
    facts = len({change.before["fact"] for change in gone if change.table == "facts" and change.before})
    judgments = sum(change.table == "judgments" for change in gone)
    if subject is not Subject.EPISODE or not facts + judgments:
        return f"forgot a {name}"
    counted = [
        f"{count} {word}{'s' if count > 1 else ''}"
        for count, word in ((facts, "fact"), (judgments, "judgment"))
        if count
    ]
    return f"forgot a {name} with {' and '.join(counted)}"
