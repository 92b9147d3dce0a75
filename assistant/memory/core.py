"""What every room of the memory works with: the store, the embedder, the clock, the settings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from assistant.config import MemorySettings
from assistant.memory import calibration
from assistant.memory.ports import Clock, Embedder, Vectors
from assistant.memory.records import JournalEntry, Subject
from assistant.memory.store import forgetting, scale, search
from assistant.memory.store.database import Connection, Database
from assistant.memory.store.forgetting import Erased
from assistant.memory.store.scale import Scale
from assistant.memory.store.waiting import Waiting, waiting

_BATCH = 64
"""Rows embedded and committed at a time while catching up: what an interruption can cost."""


@dataclass(slots=True)
class Core:
    db: Database
    embedder: Embedder
    clock: Clock
    settings: MemorySettings
    forgotten: dict[int, Erased] = field(default_factory=dict)
    """What was forgotten while the program runs, by journal entry: kept here alone, so that it can still be undone."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimension), made off the event loop. Raises EmbedderError."""
        return await asyncio.to_thread(self.embedder.embed, texts) if texts else self.no_vectors

    @property
    def no_vectors(self) -> Vectors:
        """Shape (0, dimension): of no texts, or of some that cannot be embedded now."""
        return np.zeros((0, self.embedder.dimension), np.float32)

    async def forget(self, subject: Subject, subject_id: int) -> JournalEntry:
        """Erase a fact, judgment or turn with every copy of it. Can be undone until the program ends. Raises UnknownIdError."""
        now = self.clock()
        entry, erased = await self.db.write(lambda con: forgetting.forget(con, subject, subject_id, now=now))
        self.forgotten[entry.id] = erased
        await self.db.purge()
        return replace(entry, undoable=True)

    async def index_missing(self, progress: Callable[[int], None] = lambda _: None) -> int:
        """Make findable whatever is stored without vectors, a batch and a commit at a time; returns how many rows.

        Interrupted, it goes on where it stopped. An embedder that is new to the store is calibrated. Raises EmbedderError.
        """
        if not await self.db.read(lambda con: scale.is_known(con, self.embedder.file_hash)):
            await self.calibrate()
        done = 0
        while rows := await self.db.read(lambda con: waiting(con, _BATCH)):
            made = await asyncio.to_thread(self.embedder.embed, [part for row in rows for part in row.parts])
            await self.db.write(lambda con, rows=rows, made=made: _index(con, rows, made))  # type: ignore[misc]
            done += len(rows)
            progress(done)
        return done

    async def calibrate(self) -> Scale:
        """Measure what "unlike" means to this embedder, and let search go by it from now on. Raises EmbedderError."""
        measured = await asyncio.to_thread(calibration.measure, self.embedder)
        await self.db.write(lambda con: scale.write(con, measured))
        return measured


def _index(con: Connection, rows: Sequence[Waiting], made: Vectors) -> None:
    start = 0
    for row in rows:
        search.replace(con, row.corpus, [row.entry(made[start : start + len(row.parts)])])
        start += len(row.parts)
