"""What every room of the memory works with: the store, the embedder, the clock, the settings."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from assistant.config import MemorySettings
from assistant.memory.ports import Clock, Embedder, Vector, Vectors
from assistant.memory.store.database import Database

_CACHED_TEXTS = 256


@dataclass(slots=True)
class Core:
    db: Database
    embedder: Embedder
    clock: Clock
    settings: MemorySettings
    _cache: OrderedDict[str, Vector] = field(default_factory=OrderedDict)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimension), made off the event loop; recent texts come from a cache. Raises EmbedderError."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._cache]
        if fresh:
            made = await asyncio.to_thread(self.embedder.embed, fresh)
            self._cache.update(zip(fresh, made, strict=True))
        found = [self._cache[text] for text in texts]
        while len(self._cache) > _CACHED_TEXTS:
            self._cache.popitem(last=False)
        return np.stack(found) if found else np.zeros((0, self.embedder.dimension), np.float32)
