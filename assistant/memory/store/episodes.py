"""Episodes: each turn verbatim, recorded before anything else can fail, and learned from exactly once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import duckdb

from assistant.errors import MemoryInputError, UnknownIdError
from assistant.memory.records import AnswerState, Decision, Episode, JournalEntry, Subject
from assistant.memory.store import journal, rows
from assistant.memory.store.journal import RowChange
from assistant.memory.store.rows import Row
from assistant.memory.titles import proposed_title
from assistant.text import one_line

_TOLD = 60
"""Characters of a turn that the journal tells."""


def insert(
    con: duckdb.DuckDBPyConnection,
    user: str,
    *,
    conversation: int,
    parent: int | None,
    said: datetime,
    now: datetime,
    model: str = "",
) -> Episode:
    """An open turn, now the head of its conversation. `parent` None: after the present head; ROOT: at the beginning.

    Raises UnknownIdError for the conversation, MemoryInputError when the parent belongs to another one.
    """
    home = rows.get(con, "conversations", (conversation,))
    if home is None:
        raise UnknownIdError(f"There is no conversation {conversation}.")
    after = home["head"] if parent is None else parent or None
    if after != home["head"] and after is not None and get(con, after).conversation != conversation:
        raise MemoryInputError(f"Turn {after} belongs to another conversation.")
    row = rows.insert(
        con,
        "episodes",
        {
            "conversation": conversation,
            "parent": after,
            "user_text": user,
            "said": rows.to_store(said),
            "state": AnswerState.OPEN.value,
            "model": model,
        },
    )
    values = {"head": row["id"], "updated": rows.to_store(now)}
    if not home["title"]:
        values["title"] = proposed_title(user)
    rows.update(con, "conversations", (conversation,), values)
    return to_episode(row)


def finish(
    con: duckdb.DuckDBPyConnection,
    episode: int,
    answer: str,
    *,
    state: AnswerState,
    now: datetime,
    model: str = "",
    tokens: int = 0,
    seconds: float = 0.0,
    error: str = "",
    context_used: float = 0.0,
) -> Episode:
    """The answer, or what arrived of it. Raises UnknownIdError."""
    held = _row(con, episode)
    values = {
        "answer_text": answer,
        "state": state.value,
        "model": model or held["model"],
        "answered": rows.to_store(now),
        "tokens": tokens,
        "seconds": seconds,
        "error": error,
        "context_used": context_used,
    }
    rows.update(con, "episodes", (episode,), values)
    return to_episode({**held, **values})


def mark_learned(con: duckdb.DuckDBPyConnection, episode: int, now: datetime) -> bool:
    """Claim a turn's learning: False when it was learned from already. Belongs into the transaction that changes the facts."""
    if get(con, episode).learned is not None:
        return False
    rows.update(con, "episodes", (episode,), {"learned": rows.to_store(now)})
    return True


def pending(con: duckdb.DuckDBPyConnection) -> list[Episode]:
    """Turns recorded but not learned from, oldest first: also open ones, which a crash left with only what the user typed."""
    return _episodes(con, "SELECT * FROM episodes WHERE learned IS NULL ORDER BY said, id")


# Looking --------------------------------------------------------------------------------------------------------------


def get(con: duckdb.DuckDBPyConnection, episode: int) -> Episode:
    """Raises UnknownIdError."""
    return to_episode(_row(con, episode))


def with_ids(con: duckdb.DuckDBPyConnection, ids: Sequence[int]) -> list[Episode]:
    """The turns with these ids, in that order; unknown ones are left out."""
    found = _episodes(con, "SELECT * FROM episodes WHERE id IN (SELECT unnest(?::BIGINT[]))", list(ids))
    by_id = {episode.id: episode for episode in found}
    return [by_id[id_] for id_ in ids if id_ in by_id]


def listing(
    con: duckdb.DuckDBPyConnection,
    *,
    conversation: int | None = None,
    archived: bool = False,
    limit: int = 200,
) -> list[Episode]:
    """Newest first; with `archived` those too."""
    return _episodes(
        con,
        "SELECT * FROM episodes WHERE (?::BIGINT IS NULL OR conversation = ?) AND (NOT archived OR ?)"
        " ORDER BY said DESC, id DESC LIMIT ?",
        conversation,
        conversation,
        archived,
        limit,
    )


def said_between(
    con: duckdb.DuckDBPyConnection,
    after: datetime | None,
    before: datetime | None,
    *,
    conversation: int | None = None,
    limit: int,
) -> list[Episode]:
    """The latest turns said from `after` on and before `before` (None: open), newest first; archived ones are left out."""
    return _episodes(
        con,
        "SELECT * FROM episodes WHERE NOT archived AND (?::TIMESTAMP IS NULL OR said >= ?)"
        " AND (?::TIMESTAMP IS NULL OR said < ?) AND (?::BIGINT IS NULL OR conversation = ?)"
        " ORDER BY said DESC, id DESC LIMIT ?",
        *[after and rows.to_store(after)] * 2,
        *[before and rows.to_store(before)] * 2,
        *[conversation] * 2,
        limit,
    )


def line_to(con: duckdb.DuckDBPyConnection, episode: int) -> list[Episode]:
    """The turns that lead to this one, from the first of its conversation to itself. Raises UnknownIdError."""
    parents = _parents(con, get(con, episode).conversation)
    line = [episode]
    while (before := parents.get(line[-1])) is not None:
        line.append(before)
    return with_ids(con, line[::-1])


def children(con: duckdb.DuckDBPyConnection, conversation: int, parent: int | None) -> list[Episode]:
    """The turns that follow `parent` directly (None: the first turns), oldest first."""
    return _episodes(
        con,
        "SELECT * FROM episodes WHERE conversation = ? AND parent IS NOT DISTINCT FROM ? ORDER BY id",
        conversation,
        parent,
    )


def newest_leaf(con: duckdb.DuckDBPyConnection, episode: Episode) -> int:
    """Id of the newest turn without a follower at or below this one."""
    below = {episode.id}
    parents = _parents(con, episode.conversation)
    for turn, parent in sorted(parents.items()):  # a turn is always newer than the one it follows
        if parent in below:
            below.add(turn)
    return max(below - {parents[turn] for turn in below})


def neighbours(con: duckdb.DuckDBPyConnection, episode: int, reach: int) -> list[Episode]:
    """Up to `reach` turns before and after this one, and itself, in the order they were said. Raises UnknownIdError."""
    line = line_to(con, episode)[-reach - 1 :]
    for _ in range(reach):
        following = children(con, line[-1].conversation, line[-1].id)
        if not following:
            break
        line.append(following[-1])
    return line


# Archiving ------------------------------------------------------------------------------------------------------------


def archive(
    con: duckdb.DuckDBPyConnection,
    ids: Sequence[int],
    archived: bool,  # noqa: FBT001
    *,
    decision: Decision,
    now: datetime,
) -> JournalEntry:
    """Take turns out of default recall, or back into it, as one entry. Raises UnknownIdError; MemoryInputError when none would change."""
    held = [_row(con, episode) for episode in dict.fromkeys(ids)]
    changing = [row for row in held if row["archived"] != archived]
    word = "archived" if archived else "unarchived"
    if not changing:
        raise MemoryInputError(f"There is nothing that is not {word} already.")
    many = f"{len(changing)} turns"
    return journal.apply(
        con,
        [RowChange.of("episodes", row, archived=archived) for row in changing],
        action="episode.archive" if archived else "episode.unarchive",
        subject=Subject.EPISODE,
        subject_id=changing[0]["id"] if len(changing) == 1 else None,
        summary=f"{word}: {one_line(changing[0]['user_text'], _TOLD) if len(changing) == 1 else many}",
        decision=decision,
        now=now,
    )


def to_episode(row: Row) -> Episode:
    return Episode(
        id=row["id"],
        conversation=row["conversation"],
        parent=row["parent"],
        user=row["user_text"],
        assistant=row["answer_text"],
        said=rows.from_store(row["said"]),
        state=AnswerState(row["state"]),
        model=row["model"],
        answered=rows.maybe_from_store(row["answered"]),
        learned=rows.maybe_from_store(row["learned"]),
        archived=row["archived"],
        tokens=row["tokens"],
        seconds=row["seconds"],
        error=row["error"],
        context_used=row["context_used"],
    )


def _row(con: duckdb.DuckDBPyConnection, episode: int) -> Row:
    row = rows.get(con, "episodes", (episode,))
    if row is None:
        raise UnknownIdError(f"There is no turn {episode}.")
    return row


def _parents(con: duckdb.DuckDBPyConnection, conversation: int) -> dict[int, int | None]:
    """Which turn each turn of a conversation follows. Walked here: a recursive query over all turns costs five times as much."""
    found = con.execute("SELECT id, parent FROM episodes WHERE conversation = ?", [conversation]).fetchall()
    return dict(found)


def _episodes(con: duckdb.DuckDBPyConnection, sql: str, *values: Any) -> list[Episode]:
    return [to_episode(row) for row in rows.select(con, sql, values)]
