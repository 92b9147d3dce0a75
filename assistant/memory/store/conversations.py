"""Conversations: trees of episodes, of which one branch, ending at `head`, is shown."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import duckdb

from assistant.errors import UnknownIdError
from assistant.memory.records import Conversation, Decision, Episode, JournalEntry, Subject
from assistant.memory.store import episodes, journal, rows
from assistant.memory.store.journal import RowChange
from assistant.memory.store.rows import Row

_SELECT = (
    "SELECT c.*, (SELECT count(*) FROM episodes e WHERE e.conversation = c.id) AS turns FROM conversations c"
)
_ORDER = "ORDER BY pinned DESC, updated DESC, id DESC"


def create(con: duckdb.DuckDBPyConnection, title: str, now: datetime) -> Conversation:
    moment = rows.to_store(now)
    row = rows.insert(con, "conversations", {"title": title, "created": moment, "updated": moment})
    return _to_conversation({**row, "turns": 0})


def get(con: duckdb.DuckDBPyConnection, conversation: int) -> Conversation:
    """Raises UnknownIdError."""
    found = rows.select(con, f"{_SELECT} WHERE id = ?", [conversation])
    if not found:
        raise _unknown(conversation)
    return _to_conversation(found[0])


def listing(con: duckdb.DuckDBPyConnection, *, archived: bool = False) -> list[Conversation]:
    """Pinned first, then the newest; with `archived` those too."""
    return _conversations(con, f"{_SELECT} WHERE NOT archived OR ? {_ORDER}", [archived])


def titled(con: duckdb.DuckDBPyConnection, text: str) -> list[int]:
    """Ids of the conversations with `text` in their title, in any case; newest first."""
    found = con.execute(
        f"SELECT id FROM conversations WHERE contains(lower(title), lower(?)) {_ORDER}", [text]
    ).fetchall()
    return [row[0] for row in found]


def branch(con: duckdb.DuckDBPyConnection, conversation: int) -> list[Episode]:
    """The shown turns, from the first to the head. Raises UnknownIdError."""
    head = get(con, conversation).head
    return [] if head is None else episodes.line_to(con, head)


def siblings(con: duckdb.DuckDBPyConnection, episode: int) -> list[Episode]:
    """The versions of a turn (edited, regenerated), oldest first, with itself among them. Raises UnknownIdError."""
    own = episodes.get(con, episode)
    return episodes.children(con, own.conversation, own.parent)


def show_branch(con: duckdb.DuckDBPyConnection, episode: int) -> Conversation:
    """Show the branch through this turn, down to its newest last turn. Raises UnknownIdError."""
    own = episodes.get(con, episode)
    rows.update(con, "conversations", (own.conversation,), {"head": episodes.newest_leaf(con, own)})
    return get(con, own.conversation)


def change(con: duckdb.DuckDBPyConnection, conversation: int, **values: Any) -> Conversation:
    """Set columns (title, pinned, model, temperature, instructions). Raises UnknownIdError."""
    get(con, conversation)
    rows.update(con, "conversations", (conversation,), values)
    return get(con, conversation)


def archive(
    con: duckdb.DuckDBPyConnection,
    conversation: int,
    archived: bool,  # noqa: FBT001
    *,
    decision: Decision,
    now: datetime,
) -> JournalEntry:
    """Take a conversation out of the list, or back into it. Its turns are still recalled. Raises UnknownIdError."""
    row = _row(con, conversation)
    word = "archived" if archived else "unarchived"
    return journal.apply(
        con,
        [RowChange.of("conversations", row, archived=archived)],
        action="conversation.archive" if archived else "conversation.unarchive",
        subject=Subject.CONVERSATION,
        subject_id=conversation,
        summary=f"{word}: {_name(row)}",
        decision=decision,
        now=now,
    )


def delete(
    con: duckdb.DuckDBPyConnection, conversation: int, *, decision: Decision, now: datetime
) -> JournalEntry:
    """Take a conversation out with its turns, their plans and what was recalled for them. The journal keeps them for undo.

    Facts and judgments learned from it stay; forgetting a turn takes those too. Raises UnknownIdError.
    """
    row = _row(con, conversation)
    turns = rows.select(con, "SELECT * FROM episodes WHERE conversation = ? ORDER BY id", [conversation])
    beside = [change for turn in turns for change in _belonging(con, turn["id"])]
    gone = [RowChange("episodes", turn, None) for turn in turns]
    return journal.apply(
        con,
        [*beside, *gone, RowChange("conversations", row, None)],
        action="conversation.delete",
        subject=Subject.CONVERSATION,
        subject_id=conversation,
        summary=f"deleted: {_name(row)}",
        decision=decision,
        now=now,
    )


def _belonging(con: duckdb.DuckDBPyConnection, episode: int) -> list[RowChange]:
    return [
        RowChange(table, row, None)
        for table in ("plans", "recalled")
        for row in rows.select(con, f"SELECT * FROM {table} WHERE episode = ?", [episode])
    ]


def _row(con: duckdb.DuckDBPyConnection, conversation: int) -> Row:
    row = rows.get(con, "conversations", (conversation,))
    if row is None:
        raise _unknown(conversation)
    return row


def _name(row: Row) -> str:
    return row["title"] or f"conversation {row['id']}"


def _unknown(conversation: int) -> UnknownIdError:
    return UnknownIdError(f"There is no conversation {conversation}.")


def _conversations(con: duckdb.DuckDBPyConnection, sql: str, values: Sequence[Any]) -> list[Conversation]:
    return [_to_conversation(row) for row in rows.select(con, sql, values)]


def _to_conversation(row: Row) -> Conversation:
    times = {name: rows.from_store(row[name]) for name in ("created", "updated")}
    return Conversation(**{**row, **times})
