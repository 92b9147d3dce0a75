"""The journal: what changed in the memory, why, and the way back."""

from __future__ import annotations

import builtins
from contextlib import suppress
from dataclasses import replace

from assistant.errors import EmbedderError, MemoryInputError
from assistant.memory.core import Core
from assistant.memory.records import JournalEntry, Subject
from assistant.memory.store import forgetting
from assistant.memory.store import journal as store
from assistant.memory.store.database import Connection


class Journal:
    def __init__(self, core: Core) -> None:
        self._core = core

    async def list(self, *, subject: Subject | None = None, limit: int = 200) -> builtins.list[JournalEntry]:
        """Newest first."""
        found = await self._core.db.read(lambda con: store.newest(con, subject=subject, limit=limit))
        return [self._with_forgotten(entry) for entry in found]

    async def get(self, entry: int) -> JournalEntry:
        """Raises UnknownIdError."""
        return self._with_forgotten(await self._core.db.read(lambda con: store.get(con, entry)))

    async def undo(self, entry: int | None = None) -> JournalEntry:
        """Take a change back: the newest that is still in effect, unless one is named. The undo can be undone as well.

        What was forgotten comes back only while the program that forgot it runs. Raises UnknownIdError, or
        MemoryInputError with a sentence when there is nothing to undo or a later change must be undone first.
        """
        undone = await self._core.db.write(lambda con: self._undo(con, entry))
        self._core.forgotten.pop(undone.undoes or 0, None)
        with suppress(EmbedderError):  # rows that came back stay unindexed until the embedder works again
            await self._core.index_missing()
        return undone

    def _undo(self, con: Connection, entry: int | None) -> JournalEntry:
        now = self._core.clock()
        chosen = entry or self._newest(con)
        erased = self._core.forgotten.get(chosen)
        if erased is None:
            return store.undo(con, chosen, now=now)
        return forgetting.restore(con, chosen, erased, now=now)

    def _newest(self, con: Connection) -> int:
        """The newest change in effect; refused where something was forgotten after it, which undoing it would not bring back."""
        chosen = store.newest_in_effect(con, also=builtins.list(self._core.forgotten))
        gone = store.newest_forgetting(con)
        if gone is not None and gone.id > (chosen or 0):
            raise MemoryInputError(
                f"The newest change, “{gone.summary}”, cannot be undone: what is forgotten is erased for good when the program ends.",
                hint=f"Name an earlier change to undo that: the newest is {chosen}." if chosen else "",
            )
        if chosen is None:
            raise MemoryInputError("There is nothing to undo.")
        return chosen

    def _with_forgotten(self, entry: JournalEntry) -> JournalEntry:
        return replace(entry, undoable=True) if entry.id in self._core.forgotten else entry
