"""An embedder that remembers: one turn reads the same texts several times, for recall, for learning and for reflecting."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from assistant.memory.ports import Embedder, Vector, Vectors

_MOST_TEXTS = 256
_MOST_READ = 64
"""Of these each word piece is kept, not one vector alone."""

Pieces = tuple[list[str], NDArray[np.float32]]
Made = TypeVar("Made")


class RecentEmbedder(Embedder):
    """Gives what `embedder` gives; a text that was asked for lately costs nothing. Thread-safe."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: OrderedDict[str, Vector] = OrderedDict()
        self._pieces: OrderedDict[str, Pieces] = OrderedDict()
        self._lock = Lock()

    @property
    def id(self) -> str:
        return self._embedder.id

    @property
    def file_hash(self) -> str:
        return self._embedder.file_hash

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        vectors: list[Vector] = self._made(texts, self._embedder.embed, self._vectors, _MOST_TEXTS)
        return np.stack(vectors)

    def token_vectors(self, texts: Sequence[str]) -> list[Pieces]:
        return self._made(texts, self._embedder.token_vectors, self._pieces, _MOST_READ)

    def _made(
        self,
        texts: Sequence[str],
        make: Callable[[Sequence[str]], Iterable[Made]],
        kept: OrderedDict[str, Made],
        most: int,
    ) -> list[Made]:
        """One for each text, from those kept or made now; the `most` asked for last are kept."""
        with self._lock:
            known = {text: kept[text] for text in texts if text in kept}
        fresh = [text for text in dict.fromkeys(texts) if text not in known]
        if fresh:
            known.update(zip(fresh, make(fresh), strict=True))
        with self._lock:
            for text, made in known.items():
                kept[text] = made
                kept.move_to_end(text)
            while len(kept) > most:
                kept.popitem(last=False)
        return [known[text] for text in texts]
