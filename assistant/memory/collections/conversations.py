"""Conversations: the list, the branches of each, and their settings."""

from __future__ import annotations

import builtins
from typing import Any

from assistant.memory.core import Core
from assistant.memory.records import Conversation, Episode, JournalEntry
from assistant.memory.store import conversations as store
from assistant.memory.store import episodes, journal, search
from assistant.memory.store.database import Connection
from assistant.text import clean_text, one_line

_FOUND_TURNS = 200
"""Turns that are looked at for conversations about a query."""


class Conversations:
    def __init__(self, core: Core) -> None:
        self._core = core

    # Looking --------------------------------------------------------------------------------------------------------

    async def list(self, query: str | None = None, *, archived: bool = False) -> builtins.list[Conversation]:
        """Pinned first, then newest first. With a query: those whose title holds it, then those whose turns match, best first."""
        if not query:
            return await self._core.db.read(lambda con: store.listing(con, archived=archived))
        vector = (await self._core.embed([query]))[0]
        wanted = search.Query(query, vector, _FOUND_TURNS, inactive=True)

        def look(con: Connection) -> builtins.list[Conversation]:
            hits = search.find(con, search.Corpus.EPISODES, wanted)
            turns = episodes.with_ids(con, [hit.id for hit in hits])
            ids = [*store.titled(con, query), *(turn.conversation for turn in turns)]
            shown = {each.id: each for each in store.listing(con, archived=archived)}
            return [shown[id_] for id_ in dict.fromkeys(ids) if id_ in shown]

        return await self._core.db.read(look)

    async def newest(self) -> Conversation | None:
        """The one that was talked in last, pinned or not."""
        return max(await self.list(), key=lambda each: each.updated, default=None)

    async def get(self, conversation: int) -> Conversation:
        """Raises UnknownIdError."""
        return await self._core.db.read(lambda con: store.get(con, conversation))

    async def branch(self, conversation: int) -> builtins.list[Episode]:
        """The shown turns, from the first to the head. Raises UnknownIdError."""
        return await self._core.db.read(lambda con: store.branch(con, conversation))

    async def siblings(self, episode: int) -> builtins.list[Episode]:
        """The versions of a turn (edited, regenerated), oldest first, with itself among them. Raises UnknownIdError."""
        return await self._core.db.read(lambda con: store.siblings(con, episode))

    # Changing -------------------------------------------------------------------------------------------------------

    async def create(self, title: str = "") -> Conversation:
        """A new conversation; without a title it is named after its first message."""
        now = self._core.clock()
        return await self._core.db.write(lambda con: store.create(con, _title(title), now))

    async def show_branch(self, episode: int) -> Conversation:
        """Show the branch through this turn, down to its newest last turn. Raises UnknownIdError."""
        return await self._core.db.write(lambda con: store.show_branch(con, episode))

    async def rename(self, conversation: int, title: str) -> Conversation:
        """Raises UnknownIdError."""
        return await self._set(conversation, title=_title(title))

    async def pin(self, conversation: int, pinned: bool = True) -> Conversation:  # noqa: FBT001, FBT002
        """Raises UnknownIdError."""
        return await self._set(conversation, pinned=pinned)

    async def configure(
        self,
        conversation: int,
        *,
        model: str | None = None,
        temperature: float | None = None,
        instructions: str | None = None,
    ) -> Conversation:
        """Settings of this conversation alone. What is not given stays; "" for model or instructions, and a negative
        temperature, go back to the general settings. Raises UnknownIdError."""
        values: dict[str, Any] = {"model": model, "instructions": instructions}
        values = {name: clean_text(text) for name, text in values.items() if text is not None}
        if temperature is not None:
            values["temperature"] = temperature if temperature >= 0 else None
        return await self._set(conversation, **values)

    async def archive(self, conversation: int, archived: bool = True) -> JournalEntry:  # noqa: FBT001, FBT002
        """Take a conversation out of the list, or back into it. Its turns are still recalled. Raises UnknownIdError."""
        now = self._core.clock()
        return await self._core.db.write(
            lambda con: store.archive(con, conversation, archived, decision=journal.BY_USER, now=now)
        )

    async def delete(self, conversation: int) -> JournalEntry:
        """Take a conversation out with all its turns; facts learned from it stay. Undo brings it back. Raises UnknownIdError."""
        now = self._core.clock()
        return await self._core.db.write(
            lambda con: store.delete(con, conversation, decision=journal.BY_USER, now=now)
        )

    async def _set(self, conversation: int, **values: Any) -> Conversation:
        return await self._core.db.write(lambda con: store.change(con, conversation, **values))


def _title(text: str) -> str:
    return one_line(clean_text(text))
