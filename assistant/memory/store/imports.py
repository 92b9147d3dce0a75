"""Turns that come from elsewhere: put in many at a time, and known again when they come a second time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

import numpy as np

from assistant.memory.ports import Vectors
from assistant.memory.store import conversations, corpus, rows, search
from assistant.memory.store.corpus import Connection, Corpus
from assistant.text import one_line

_TITLE = 60
"""Characters of its first message that name an untitled conversation."""


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn to put in. `key` tells it from all others, `source` its conversation from all others."""

    key: str
    source: str
    title: str
    user: str
    assistant: str
    said: datetime
    model: str
    vectors: Vectors


def known(con: Connection, keys: Sequence[str]) -> set[str]:
    """Which of `keys` were imported before."""
    found = con.execute(
        "SELECT key FROM imported_turns WHERE key IN (SELECT unnest(?::VARCHAR[]))", [list(keys)]
    )
    return {key for (key,) in found.fetchall()}


def add(con: Connection, turns: Sequence[NewTurn], *, learned: datetime | None) -> int:
    """Put `turns` after what their conversations hold, making those that are new; returns how many were made.

    Turns of one conversation stand together, in the order they were said. `learned`: when they count as learned from.
    """
    made = 0
    entries: list[search.Entry] = []
    for source, group in groupby(turns, key=lambda turn: turn.source):
        members = list(group)
        conversation = _conversation(con, source)
        if conversation is None:
            conversation = _new_conversation(con, members[0])
            made += 1
        entries += _append(con, conversation, members, learned)
    search.add(con, Corpus.EPISODES, entries)
    return made


def _conversation(con: Connection, source: str) -> int | None:
    """The conversation that `source` was imported into, if it was and has not been deleted."""
    found = con.execute(
        "SELECT conversation FROM imported_conversations JOIN conversations ON id = conversation WHERE source = ?",
        [source],
    ).fetchall()
    return found[0][0] if found else None


def _new_conversation(con: Connection, first: NewTurn) -> int:
    title = one_line(first.title or first.user, _TITLE)
    conversation = conversations.create(con, title, first.said).id
    con.execute("INSERT OR REPLACE INTO imported_conversations VALUES (?, ?)", [first.source, conversation])
    return conversation


def _append(
    con: Connection, conversation: int, turns: Sequence[NewTurn], learned: datetime | None
) -> list[search.Entry]:
    """Store the turns; returns what makes them findable."""
    count = len(turns)
    ids = [id_ for (id_,) in con.execute(f"SELECT nextval('episode_ids') FROM range({count})").fetchall()]
    head = conversations.get(con, conversation).head
    said = np.array([rows.to_store(turn.said) for turn in turns], "datetime64[us]")
    batch = {
        "id": np.array(ids, np.int64),
        "conversation": np.full(count, conversation, np.int64),
        "parent": np.array([head or 0, *ids[:-1]], np.int64),
        "user_text": np.array([turn.user for turn in turns], object),
        "answer_text": np.array([turn.assistant for turn in turns], object),
        "said": said,
        "model": np.array([turn.model for turn in turns], object),
        "learned": np.full(count, rows.to_store(learned) if learned else None, "datetime64[us]"),
    }
    select = {name: name for name in batch} | {
        "parent": "nullif(parent, 0)",
        "answered": "said",
        "state": "'complete'",
    }
    corpus.insert(con, "episodes", batch, select)
    corpus.insert(con, "imported_turns", {"key": np.array([turn.key for turn in turns], object)})
    rows.update(
        con, "conversations", (conversation,), {"head": ids[-1], "updated": rows.to_store(turns[-1].said)}
    )
    return [
        search.Entry(id_, f"{turn.user}\n{turn.assistant}", turn.vectors, conversation, turn.said)
        for id_, turn in zip(ids, turns, strict=True)
    ]
