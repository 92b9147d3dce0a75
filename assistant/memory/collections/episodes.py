"""Episodes: recording turns, finding them again, and taking them out of recall or out of the memory."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from datetime import datetime

from assistant.errors import EmbedderError
from assistant.memory.core import Core
from assistant.memory.ports import Vectors
from assistant.memory.records import AnswerState, Episode, Hit, JournalEntry, Recalled, Subject
from assistant.memory.store import episodes as store
from assistant.memory.store import journal, search
from assistant.memory.store.database import Connection
from assistant.memory.windows import episode_windows


class Episodes:
    def __init__(self, core: Core) -> None:
        self._core = core
        self._asked: dict[int, str] = {}
        """What was asked in the turns begun here that wait for their answer: finishing one need not look it up."""

    # Recording ------------------------------------------------------------------------------------------------------

    async def record(
        self,
        user: str,
        *,
        conversation: int,
        parent: int | None = None,
        said: datetime | None = None,
        model: str = "",
    ) -> Episode:
        """Keep a question as an open turn, the new head of its conversation; an untitled conversation is named after it.

        `parent` is the turn before it: the present head unless given, 0 for the beginning of the conversation. Raises
        UnknownIdError, or MemoryInputError when the parent belongs to another conversation.
        """
        now = self._core.clock()
        turn = await self._core.db.write(
            lambda con: store.insert(
                con, user, conversation=conversation, parent=parent, said=said or now, now=now, model=model
            )
        )
        self._asked[turn.id] = user
        return turn

    async def finish(
        self,
        episode: int,
        assistant: str,
        *,
        state: AnswerState = AnswerState.COMPLETE,
        model: str = "",
        tokens: int = 0,
        seconds: float = 0.0,
        error: str = "",
        context_used: float = 0.0,
    ) -> Episode:
        """Add the answer, or what arrived of it, and make the turn findable. Raises UnknownIdError.

        When the embedder fails the turn is kept all the same, and made findable when it works again.
        """
        begun_here = episode in self._asked
        user = self._asked.pop(episode) if begun_here else (await self.get(episode)).user
        vectors = await self._vectors(episode_windows(user, assistant))

        def work(con: Connection) -> Episode:
            turn = store.finish(
                con,
                episode,
                assistant,
                state=state,
                now=self._core.clock(),
                model=model,
                tokens=tokens,
                seconds=seconds,
                error=error,
                context_used=context_used,
            )
            # What was not begun here may be findable already, by another answer.
            put = search.add if begun_here else search.replace
            put(con, search.Corpus.EPISODES, [_entry(turn, vectors)])
            return turn

        return await self._core.db.write(work)

    async def pending(self) -> builtins.list[Episode]:
        """Turns recorded but not learned from, oldest first; open ones hold what the user typed before a crash."""
        return await self._core.db.read(store.pending)

    async def mark_learned(self, episode: int) -> None:
        """The turn held nothing to learn. (What changes facts is marked with them, see `Facts.learn`.) Raises UnknownIdError."""
        await self._core.db.write(lambda con: store.mark_learned(con, episode, self._core.clock()))

    # Looking --------------------------------------------------------------------------------------------------------

    async def list(
        self,
        query: str | None = None,
        *,
        conversation: int | None = None,
        archived: bool = False,
        limit: int = 200,
    ) -> builtins.list[Episode]:
        """Turns, newest first; by meaning and words, best first, when a query is given. `archived` includes those."""
        if not query:
            return await self._core.db.read(
                lambda con: store.listing(con, conversation=conversation, archived=archived, limit=limit)
            )
        found = await self.search(query, conversation=conversation, archived=archived, limit=limit)
        return [recalled.item for recalled in found if isinstance(recalled.item, Episode)]

    async def search(
        self,
        query: str,
        *,
        conversation: int | None = None,
        archived: bool = False,
        after: datetime | None = None,
        before: datetime | None = None,
        limit: int = 10,
    ) -> builtins.list[Recalled]:
        """Turns by meaning and words, best first, each with the parts of its score; nothing for what matches nothing."""
        vector = (await self._core.embed([query]))[0]
        wanted = search.Query(query, vector, limit, archived, conversation, after, before)

        def look(con: Connection) -> tuple[builtins.list[Hit], builtins.list[Episode]]:
            hits = search.find(con, search.Corpus.EPISODES, wanted)
            return hits, store.with_ids(con, [hit.id for hit in hits])

        hits, turns = await self._core.db.read(look)
        by_id = {turn.id: turn for turn in turns}
        return [
            Recalled(by_id[hit.id], hit.score, hit.parts, _reason(hit)) for hit in hits if hit.id in by_id
        ]

    async def get(self, episode: int) -> Episode:
        """Raises UnknownIdError."""
        return await self._core.db.read(lambda con: store.get(con, episode))

    async def neighbours(self, episode: int, reach: int = 2) -> builtins.list[Episode]:
        """Up to `reach` turns before and after, and the turn itself, in the order they were said. Raises UnknownIdError."""
        return await self._core.db.read(lambda con: store.neighbours(con, episode, reach))

    # Changing -------------------------------------------------------------------------------------------------------

    async def archive(self, ids: Sequence[int]) -> JournalEntry:
        """Take turns out of default recall; they stay findable on request. Raises UnknownIdError, MemoryInputError."""
        return await self._archive(ids, archived=True)

    async def unarchive(self, ids: Sequence[int]) -> JournalEntry:
        """Bring archived turns back into recall. Raises UnknownIdError, MemoryInputError."""
        return await self._archive(ids, archived=False)

    async def forget(self, episode: int) -> JournalEntry:
        """Erase a turn with the facts and judgments read from it. Can be undone until the program ends. Raises UnknownIdError."""
        return await self._core.forget(Subject.EPISODE, episode)

    async def _archive(self, ids: Sequence[int], *, archived: bool) -> JournalEntry:
        now = self._core.clock()
        return await self._core.db.write(
            lambda con: store.archive(con, ids, archived, decision=journal.BY_USER, now=now)
        )

    async def _vectors(self, windows: builtins.list[str]) -> Vectors:
        try:
            return await self._core.embed(windows)
        except EmbedderError:
            return self._core.no_vectors


def _entry(turn: Episode, vectors: Vectors) -> search.Entry:
    text = f"{turn.user}\n{turn.assistant}"
    return search.Entry(turn.id, text, vectors, turn.conversation, turn.said, not turn.archived)


def _reason(hit: Hit) -> str:
    return "matches by meaning and words" if hit.parts.get("words", 0) > 0 else "matches by meaning"
