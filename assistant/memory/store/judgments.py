"""Judgments and their votes: reading them, and the changes that store, vote, edit and merge them. Every change is journaled.

Judgments of one situation share its number. A merged judgment stays as an archived row that names what it became part of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import duckdb

from assistant.errors import MemoryInputError, UnknownIdError
from assistant.memory.judging.utility import tally
from assistant.memory.ports import Vector, Vectors
from assistant.memory.records import Decision, JournalEntry, Judgment, JudgmentDraft, Subject, Verdict, Vote
from assistant.memory.store import journal, rows, search
from assistant.memory.store.corpus import Corpus
from assistant.memory.store.journal import RowChange
from assistant.memory.store.rows import Row
from assistant.text import normalise

EDITABLE = {"trigger": "trigger_text", "judgment": "judgment", "reasoning": "reasoning", "domain": "domain"}
"""Fields that can be edited, and their columns."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why judgments change: who decided, when, from which turn."""

    decision: Decision
    now: datetime
    episode: int | None = None


# Looking --------------------------------------------------------------------------------------------------------------


def get(con: duckdb.DuckDBPyConnection, judgment: int) -> Row:
    """Raises UnknownIdError."""
    row = rows.get(con, "judgments", (judgment,))
    if row is None:
        raise UnknownIdError(f"There is no judgment {judgment}.")
    return row


def listing(con: duckdb.DuckDBPyConnection, *, domain: str = "", limit: int = 200) -> list[Row]:
    """Those that are not archived, newest first."""
    return rows.select(
        con,
        "SELECT * FROM judgments WHERE NOT archived AND (? = '' OR domain = ?) ORDER BY id DESC LIMIT ?",
        [domain, domain, limit],
    )


def of_ids(con: duckdb.DuckDBPyConnection, ids: Iterable[int]) -> list[Row]:
    """In the order of `ids`; unknown ones are left out."""
    wanted = list(ids)
    found = rows.select(con, "SELECT * FROM judgments WHERE id IN (SELECT unnest(?::BIGINT[]))", [wanted])
    by_id = {row["id"]: row for row in found}
    return [by_id[judgment] for judgment in wanted if judgment in by_id]


def with_siblings(con: duckdb.DuckDBPyConnection, ids: Iterable[int]) -> list[Row]:
    """These and all others of their situations, without archived ones."""
    return rows.select(
        con,
        "SELECT * FROM judgments WHERE NOT archived AND situation IN"
        " (SELECT situation FROM judgments WHERE id IN (SELECT unnest(?::BIGINT[]))) ORDER BY id",
        [list(ids)],
    )


def with_trigger(con: duckdb.DuckDBPyConnection, trigger: str) -> list[Row]:
    """Those whose trigger is the same text once normalised."""
    found = rows.select(
        con,
        "SELECT * FROM judgments WHERE NOT archived AND abs(length(trigger_text) - ?) <= 8 ORDER BY id",
        [len(trigger)],
    )
    return [row for row in found if normalise(row["trigger_text"]) == normalise(trigger)]


def after(con: duckdb.DuckDBPyConnection, judgment: int, limit: int) -> list[Row]:
    """The next ones by id, without archived ones: a page of an export."""
    return rows.select(
        con, "SELECT * FROM judgments WHERE id > ? AND NOT archived ORDER BY id LIMIT ?", [judgment, limit]
    )


def count(con: duckdb.DuckDBPyConnection) -> int:
    return int(con.execute("SELECT count(*) FROM judgments WHERE NOT archived").fetchall()[0][0])


def votes(con: duckdb.DuckDBPyConnection, judgments: Iterable[int]) -> dict[int, list[Vote]]:
    """Oldest first, by judgment; an empty list for one without votes."""
    wanted = list(judgments)
    found: dict[int, list[Vote]] = {judgment: [] for judgment in wanted}
    for row in rows.select(
        con,
        "SELECT * FROM votes WHERE judgment IN (SELECT unnest(?::BIGINT[])) ORDER BY voted, ballot",
        [wanted],
    ):
        found[row["judgment"]].append(_to_vote(row))
    return found


def cosines(
    con: duckdb.DuckDBPyConnection, vector: Vector, judgments: Iterable[int]
) -> dict[int, tuple[float, float]]:
    """Of trigger and judgment to `vector`, for those that have their vectors."""
    found = con.execute(
        f"SELECT id, part, array_inner_product(vector, ?::FLOAT[{len(vector)}]) FROM {Corpus.JUDGMENTS.vectors} "
        "WHERE id IN (SELECT unnest(?::BIGINT[])) ORDER BY id, part",
        [vector, list(judgments)],
    ).fetchall()
    by_id: dict[int, dict[int, float]] = {}
    for judgment, part, cosine in found:
        by_id.setdefault(judgment, {})[part] = float(cosine)
    return {judgment: (parts[0], parts[1]) for judgment, parts in by_id.items() if len(parts) > 1}


def records(
    con: duckdb.DuckDBPyConnection, found: Sequence[Row], now: datetime, half_life_days: float
) -> list[Judgment]:
    """The rows with their votes counted, in the order given."""
    cast = votes(con, [row["id"] for row in found])
    return [to_judgment(row, cast[row["id"]], now, half_life_days) for row in found]


def to_judgment(row: Row, cast: Sequence[Vote], now: datetime, half_life_days: float) -> Judgment:
    corrections = [vote.correction for vote in cast if vote.verdict is Verdict.CORRECTED and vote.correction]
    return Judgment(
        id=row["id"],
        trigger=row["trigger_text"],
        judgment=row["judgment"],
        reasoning=row["reasoning"],
        domain=row["domain"],
        created=rows.from_store(row["created"]),
        situation=row["situation"],
        episode=row["episode"],
        adopted=sum(vote.verdict is Verdict.ADOPTED for vote in cast),
        corrected=sum(vote.verdict is Verdict.CORRECTED for vote in cast),
        utility=tally(cast, now, half_life_days).utility(),
        correction=corrections[-1] if corrections else "",
        archived=row["archived"],
        merged_into=row["merged_into"],
    )


def _to_vote(row: Row) -> Vote:
    return Vote(
        row["judgment"],
        row["ballot"],
        Verdict(row["verdict"]),
        rows.from_store(row["voted"]),
        row["correction"],
    )


# Changing -------------------------------------------------------------------------------------------------------------


def add(
    con: duckdb.DuckDBPyConnection,
    draft: JudgmentDraft,
    cause: Cause,
    *,
    situation: int | None = None,
    moves: Mapping[int, int | None] | None = None,
    vectors: Vectors | None = None,
) -> JournalEntry:
    """Store it, in `situation` or one of its own, findable by its two vectors (without them `search.missing` names it).

    `moves` puts other judgments into another situation (None: one of their own) in the same step.
    """
    row: Row = {
        "id": rows.next_id(con, "judgment_ids"),
        "trigger_text": draft.trigger,
        "judgment": draft.judgment,
        "reasoning": draft.reasoning,
        "domain": draft.domain,
        "created": rows.to_store(cause.now),
        "situation": situation or rows.next_id(con, "situation_ids"),
        "episode": cause.episode,
        "archived": False,
        "merged_into": None,
    }
    changes = [RowChange("judgments", None, row), *_moved(con, moves or {})]
    entry = _enter(con, changes, "judgment.add", row, cause, draft.judgment, after=draft.judgment)
    index(con, row["id"], vectors)
    return entry


def _moved(con: duckdb.DuckDBPyConnection, moves: Mapping[int, int | None]) -> list[RowChange]:
    return [
        RowChange.of("judgments", get(con, judgment), situation=to or rows.next_id(con, "situation_ids"))
        for judgment, to in moves.items()
    ]


def note(con: duckdb.DuckDBPyConnection, known: Row, cause: Cause) -> JournalEntry:
    """Nothing changes: the entry tells that a judgment was met which is known already."""
    return _enter(con, [], "judgment.noop", known, cause, f"known already: {known['judgment']}")


def vote(con: duckdb.DuckDBPyConnection, cast: Vote, cause: Cause) -> JournalEntry | None:
    """Cast or change the one vote of its ballot; None when it stands just so already. Raises UnknownIdError.

    The same verdict given again without a correction leaves the one that was given before.
    """
    row = get(con, cast.judgment)
    old = rows.get(con, "votes", (cast.judgment, cast.ballot))
    if old is not None and old["verdict"] == cast.verdict.value and not cast.correction:
        cast = replace(cast, correction=old["correction"])
    new = {
        "judgment": cast.judgment,
        "ballot": cast.ballot,
        "verdict": cast.verdict.value,
        "voted": rows.to_store(cast.voted),
        "correction": cast.correction,
    }
    if old is not None and (old["verdict"], old["correction"]) == (new["verdict"], new["correction"]):
        return None
    mark = "✓" if cast.verdict is Verdict.ADOPTED else "✗"
    summary = f"{mark} {row['judgment']}" + (f" → {cast.correction}" if cast.correction else "")
    change = RowChange("votes", old, new)
    return _enter(con, [change], "judgment.vote", row, cause, summary, after=cast.correction)


def unvote(con: duckdb.DuckDBPyConnection, judgment: int, ballot: str, cause: Cause) -> JournalEntry | None:
    """Take a vote back; None when there is none. Raises UnknownIdError."""
    row = get(con, judgment)
    old = rows.get(con, "votes", (judgment, ballot))
    if old is None:
        return None
    summary = f"vote taken back: {row['judgment']}"
    return _enter(con, [RowChange("votes", old, None)], "judgment.unvote", row, cause, summary)


def edit(
    con: duckdb.DuckDBPyConnection,
    judgment: int,
    values: Row,
    situation: int | None,
    vectors: Vectors | None,
    cause: Cause,
) -> JournalEntry:
    """Other texts (by column) for a judgment; its votes stay. It moves to `situation`, or one of its own."""
    row = get(con, judgment)
    new = {**row, **values, "situation": situation or rows.next_id(con, "situation_ids")}
    changes = [RowChange("judgments", row, new)]
    summary = f"edited: {new['judgment']}"
    texts = {"before": row["judgment"], "after": new["judgment"]}
    entry = _enter(con, changes, "judgment.edit", row, cause, summary, **texts)
    index(con, judgment, vectors)
    return entry


def merge(con: duckdb.DuckDBPyConnection, keep: int, others: Sequence[int], cause: Cause) -> JournalEntry:
    """`others` become part of `keep`, with their votes; of two votes on one ballot the newer counts. Raises UnknownIdError."""
    kept = get(con, keep)
    merged = [get(con, other) for other in dict.fromkeys(others) if other != keep]
    if not merged:
        raise MemoryInputError("A judgment cannot be merged with itself.")
    changes = [RowChange.of("judgments", row, archived=True, merged_into=keep) for row in merged]
    changes += _votes_moved(con, keep, [row["id"] for row in merged])
    summary = f"merged {len(merged) + 1} into one: {kept['judgment']}"
    return _enter(con, changes, "judgment.merge", kept, cause, summary)


def _votes_moved(con: duckdb.DuckDBPyConnection, keep: int, others: Sequence[int]) -> list[RowChange]:
    cast = rows.select(
        con,
        "SELECT * FROM votes WHERE judgment = ? OR judgment IN (SELECT unnest(?::BIGINT[])) ORDER BY voted",
        [keep, list(others)],
    )
    kept = {row["ballot"]: row for row in cast if row["judgment"] == keep}
    newest = {row["ballot"]: {**row, "judgment": keep} for row in cast}
    gone = [RowChange("votes", row, None) for row in cast if row["judgment"] != keep]
    come = [
        RowChange("votes", kept.get(ballot), row) for ballot, row in newest.items() if kept.get(ballot) != row
    ]
    return gone + come


def index(con: duckdb.DuckDBPyConnection, judgment: int, vectors: Vectors | None) -> None:
    """Make it findable by meaning (`vectors`: trigger, judgment) and by all its words, corrections included.

    Without vectors it is taken out, and `search.missing` names it until it is embedded.
    """
    search.remove(con, Corpus.JUDGMENTS, [judgment])
    if vectors is not None:
        row = get(con, judgment)
        entry = search.Entry(
            judgment,
            text=_words(row, votes(con, [judgment])[judgment]),
            vectors=vectors,
            said=rows.from_store(row["created"]),
            active=not row["archived"],
            domain=row["domain"],
        )
        search.add(con, Corpus.JUDGMENTS, [entry])


def _words(row: Row, cast: Sequence[Vote]) -> str:
    texts = [row["trigger_text"], row["judgment"], row["reasoning"], *(vote.correction for vote in cast)]
    return "\n".join(text for text in texts if text)


def _enter(
    con: duckdb.DuckDBPyConnection,
    changes: Sequence[RowChange],
    action: str,
    row: Row,
    cause: Cause,
    summary: str,
    **texts: Any,
) -> JournalEntry:
    return journal.apply(
        con,
        changes,
        action=action,
        subject=Subject.JUDGMENT,
        subject_id=row["id"],
        summary=summary,
        decision=cause.decision,
        now=cause.now,
        episode=cause.episode,
        **texts,
    )
