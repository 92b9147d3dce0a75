"""Facts and their versions. A fact changes by ending one version and inserting the next under the same fact id.

A version holds in the half-open time [valid_from, valid_to); the current one has no end. Every change is journaled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import duckdb

from assistant.errors import MemoryInputError, UnknownIdError
from assistant.memory.records import Candidate, Confidence, Decision, Fact, FactKind, JournalEntry, Subject
from assistant.memory.store import journal, rows
from assistant.memory.store.journal import RowChange
from assistant.memory.store.rows import Row
from assistant.text import normalise


@dataclass(frozen=True, slots=True)
class Cause:
    """Why facts change: who decided, when (`now`), and from which turn, said when."""

    decision: Decision
    now: datetime
    episode: int | None = None
    said: datetime | None = None

    @property
    def since(self) -> datetime:
        """When what is learned became true, unless its own words say so."""
        return self.said or self.now


# Looking --------------------------------------------------------------------------------------------------------------


def get(con: duckdb.DuckDBPyConnection, fact: int) -> Fact:
    """The current version, or the last one of a fact that ended. Raises UnknownIdError."""
    return history(con, fact)[-1]


def history(con: duckdb.DuckDBPyConnection, fact: int) -> list[Fact]:
    """All versions, oldest first. Raises UnknownIdError."""
    found = rows.select(
        con, "SELECT * FROM facts WHERE fact = ? ORDER BY valid_to NULLS LAST, valid_from, version", [fact]
    )
    if not found:
        raise UnknownIdError(f"There is no fact {fact}.")
    return [to_fact(row) for row in found]


def listing(con: duckdb.DuckDBPyConnection, *, ended: bool = False, limit: int = 200) -> list[Fact]:
    """Current versions, with `ended` all of them; pinned first, then newest first."""
    return _facts(
        con,
        "SELECT * FROM facts WHERE valid_to IS NULL OR ? ORDER BY pinned DESC, learned DESC, version DESC LIMIT ?",
        [ended, limit],
    )


def standing(con: duckdb.DuckDBPyConnection) -> list[Fact]:
    """Current facts that count whatever is asked: pinned ones first, then how the user wants things done."""
    return _facts(
        con,
        "SELECT * FROM facts WHERE valid_to IS NULL AND (pinned OR kind = 'procedural')"
        " ORDER BY pinned DESC, learned DESC, version DESC",
        [],
    )


def versions(con: duckdb.DuckDBPyConnection, ids: Sequence[int]) -> list[Fact]:
    """The versions with these version ids, in that order; unknown ones are left out."""
    found = _facts(con, "SELECT * FROM facts WHERE version IN (SELECT unnest(?::BIGINT[]))", [list(ids)])
    by_version = {fact.version: fact for fact in found}
    return [by_version[version] for version in ids if version in by_version]


def newest_version(con: duckdb.DuckDBPyConnection, fact: int) -> Fact:
    """The version that was stored last, be it current or put into the past."""
    return _facts(con, "SELECT * FROM facts WHERE fact = ? ORDER BY version DESC LIMIT 1", [fact])[0]


def with_key(con: duckdb.DuckDBPyConnection, key: str, *, limit: int) -> list[Fact]:
    """Current facts in the same slot, newest first."""
    return _facts(
        con,
        "SELECT * FROM facts WHERE valid_to IS NULL AND key = ? ORDER BY version DESC LIMIT ?",
        [key, limit],
    )


def as_of(con: duckdb.DuckDBPyConnection, when: datetime) -> list[Fact]:
    """What was true at `when`, as far as known now: one version of a fact at most."""
    moment = rows.to_store(when)
    return _facts(
        con,
        "SELECT * FROM facts WHERE valid_from <= ? AND (valid_to IS NULL OR valid_to > ?)"
        " QUALIFY row_number() OVER (PARTITION BY fact ORDER BY valid_from DESC, version DESC) = 1"
        " ORDER BY pinned DESC, valid_from DESC, version DESC",
        [moment, moment],
    )


# Changing -------------------------------------------------------------------------------------------------------------


def add(con: duckdb.DuckDBPyConnection, new: Candidate, cause: Cause) -> JournalEntry:
    """A new fact; what is known word for word already is only noted. Raises MemoryInputError for an empty statement."""
    repeated = _same_statement(con, new)
    if repeated is not None:
        return note(con, new, cause, repeated["fact"])
    row = _version(
        new, cause, fact=rows.next_id(con, "fact_ids"), version=rows.next_id(con, "fact_version_ids")
    )
    return _enter(
        con, [RowChange("facts", None, row)], "fact.add", row, cause, new.statement, after=new.statement
    )


def supersede(con: duckdb.DuckDBPyConnection, fact: int | None, new: Candidate, cause: Cause) -> JournalEntry:
    """The current version of `fact` ends where `new` begins, under the same id, key and pin.

    A target that is not current gives a new fact. What was said before the current version was goes into the past. A
    statement that another fact holds already ends the target instead of standing there twice.
    """
    old = _current(con, fact)
    if old is None:
        return add(con, new, cause)
    repeated = _same_statement(con, new)
    if repeated is not None and repeated["fact"] == fact:
        return note(con, new, cause, fact)
    if _is_older(con, cause, old):
        return _insert_past(con, old, new, cause)
    if repeated is not None:
        return _end(con, old, cause, new.valid_from, after=repeated["statement"])
    return _replace(con, old, new, cause, "fact.update")


def edit(con: duckdb.DuckDBPyConnection, fact: int, values: Row, cause: Cause) -> JournalEntry:
    """A new version by the user's hand, with some of statement, key, value and kind changed. Raises UnknownIdError, MemoryInputError."""
    old = _need_current(con, fact)
    changed = {
        column: value for column, value in values.items() if value is not None and value != old[column]
    }
    if not changed:
        raise MemoryInputError("Nothing was changed.")
    row = {**old, **changed}
    new = Candidate(row["statement"], row["key"], row["value"], FactKind(row["kind"]), Confidence.EDITED)
    return _replace(
        con, old, new, Cause(cause.decision, cause.now, old["episode"]), "fact.edit", key=row["key"]
    )


def end(
    con: duckdb.DuckDBPyConnection, fact: int | None, cause: Cause, *, when: datetime | None = None
) -> JournalEntry | None:
    """`fact` is no longer true; it stays in the history. None when it was not current, or was stated after the turn that ends it."""
    old = _current(con, fact)
    if old is None or _is_older(con, cause, old):
        return None
    return _end(con, old, cause, when)


def end_current(con: duckdb.DuckDBPyConnection, fact: int, cause: Cause) -> JournalEntry:
    """As `end`, by the user's hand. Raises UnknownIdError, or MemoryInputError when the fact has ended already."""
    return _end(con, _need_current(con, fact), cause, cause.now)


def pin(con: duckdb.DuckDBPyConnection, fact: int, pinned: bool, cause: Cause) -> JournalEntry:  # noqa: FBT001
    """Raises UnknownIdError, or MemoryInputError when nothing would change."""
    old = _need_current(con, fact)
    word = "pinned" if pinned else "unpinned"
    if old["pinned"] == pinned:
        raise MemoryInputError(f"The fact is {word} already.")
    change = RowChange.of("facts", old, pinned=pinned)
    return _enter(
        con, [change], "fact.pin" if pinned else "fact.unpin", old, cause, f"{word}: {old['statement']}"
    )


def note(con: duckdb.DuckDBPyConnection, new: Candidate, cause: Cause, fact: int | None) -> JournalEntry:
    """Nothing changes: the entry tells that `new` was met and why it was not kept."""
    known = _current(con, fact)
    summary = f"known already: {new.statement}" if known else f"not kept: {new.statement}"
    before = known["statement"] if known else ""
    row = known or {"fact": None}
    return _enter(con, [], "fact.noop", row, cause, summary, before=before, after=new.statement)


def to_fact(row: Row) -> Fact:
    return Fact(
        id=row["fact"],
        version=row["version"],
        key=row["key"],
        statement=row["statement"],
        value=row["value"],
        kind=FactKind(row["kind"]),
        confidence=Confidence(row["confidence"]),
        episode=row["episode"],
        valid_from=rows.from_store(row["valid_from"]),
        learned=rows.from_store(row["learned"]),
        valid_to=rows.maybe_from_store(row["valid_to"]),
        pinned=row["pinned"],
    )


# Parts ----------------------------------------------------------------------------------------------------------------


def _facts(con: duckdb.DuckDBPyConnection, sql: str, values: Sequence[Any]) -> list[Fact]:
    return [to_fact(row) for row in rows.select(con, sql, values)]


def _current(con: duckdb.DuckDBPyConnection, fact: int | None) -> Row | None:
    found = rows.select(con, "SELECT * FROM facts WHERE fact = ? AND valid_to IS NULL", [fact])
    return found[0] if found else None


def _need_current(con: duckdb.DuckDBPyConnection, fact: int) -> Row:
    row = _current(con, fact)
    if row is None:
        ended = get(con, fact)
        raise MemoryInputError(f"“{ended.statement}” has ended; only what is true now can be changed.")
    return row


def _same_statement(con: duckdb.DuckDBPyConnection, new: Candidate) -> Row | None:
    """A current fact that says the same word for word. Rows of the same key or length class are few."""
    wanted = normalise(new.statement)
    if not wanted:
        raise MemoryInputError("A fact needs a statement.")
    likely = rows.select(
        con,
        "SELECT * FROM facts WHERE valid_to IS NULL AND (key = ? OR lower(statement) = lower(?)) ORDER BY version",
        [new.key, new.statement],
    )
    return next((row for row in likely if normalise(row["statement"]) == wanted), None)


def _is_older(con: duckdb.DuckDBPyConnection, cause: Cause, old: Row) -> bool:
    """Whether the turn behind `cause` was said before what `old` was read from, as happens when old transcripts are imported."""
    if cause.said is None:
        return False
    known = old["learned"]
    if old["episode"] is not None and old["confidence"] != Confidence.EDITED:
        source = rows.get(con, "episodes", (old["episode"],))
        known = source["said"] if source else known
    return bool(rows.to_store(cause.said) < known)


def _version(new: Candidate, cause: Cause, **identity: Any) -> Row:
    return {
        "version": identity["version"],
        "fact": identity["fact"],
        "key": new.key,
        "statement": new.statement,
        "value": new.value,
        "kind": new.kind.value,
        "confidence": new.confidence.value,
        "episode": cause.episode,
        "valid_from": rows.to_store(new.valid_from or cause.since),
        "valid_to": None,
        "learned": rows.to_store(cause.now),
        "pinned": False,
    }


def _next_version(con: duckdb.DuckDBPyConnection, old: Row, new: Candidate, cause: Cause) -> Row:
    row = _version(new, cause, fact=old["fact"], version=rows.next_id(con, "fact_version_ids"))
    return {**row, "key": old["key"] or new.key, "pinned": old["pinned"]}


def _replace(
    con: duckdb.DuckDBPyConnection, old: Row, new: Candidate, cause: Cause, action: str, key: str = ""
) -> JournalEntry:
    row = _next_version(con, old, new, cause)
    row["key"] = key or row["key"]
    changes = [_ended(old, row["valid_from"]), RowChange("facts", None, row)]
    summary = _arrow(old, row)
    return _enter(con, changes, action, row, cause, summary, before=old["statement"], after=row["statement"])


def _insert_past(con: duckdb.DuckDBPyConnection, old: Row, new: Candidate, cause: Cause) -> JournalEntry:
    row = _next_version(con, old, new, cause)
    row["valid_to"] = max(row["valid_from"], old["valid_from"])
    row["pinned"] = False
    change = RowChange("facts", None, row)
    summary = _arrow(row, old)
    return _enter(
        con, [change], "fact.update", row, cause, summary, before=row["statement"], after=old["statement"]
    )


def _end(
    con: duckdb.DuckDBPyConnection, old: Row, cause: Cause, when: datetime | None, after: str = ""
) -> JournalEntry:
    change = _ended(old, rows.to_store(when or cause.since))
    summary = f"no longer: {old['statement']}"
    return _enter(con, [change], "fact.end", old, cause, summary, before=old["statement"], after=after)


def _ended(old: Row, when: datetime) -> RowChange:
    """A version that turns out to have been wrong from its start ends there: it held at no time."""
    return RowChange.of("facts", old, valid_to=max(when, old["valid_from"]))


def _arrow(old: Row, new: Row) -> str:
    if old["value"] and new["value"] and old["value"] != new["value"]:
        name = new["key"].replace("_", " ")
        return f"{name}: {old['value']} → {new['value']}" if name else f"{old['value']} → {new['value']}"
    return f"{old['statement']} → {new['statement']}"


def _enter(
    con: duckdb.DuckDBPyConnection,
    changes: Sequence[RowChange],
    action: str,
    row: Row,
    cause: Cause,
    summary: str,
    *,
    before: str = "",
    after: str = "",
) -> JournalEntry:
    return journal.apply(
        con,
        changes,
        action=action,
        subject=Subject.FACT,
        subject_id=row["fact"],
        summary=summary,
        decision=cause.decision,
        now=cause.now,
        episode=cause.episode,
        before=before,
        after=after,
    )
