"""What is embedded again within a turn is not made again, and is the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from assistant.errors import EmbedderError
from assistant.memory import MemoryEngine
from assistant.memory.recent import RecentEmbedder
from assistant.models.embedding import FastEmbedder


class Watched:
    """Notes what it is asked to make."""

    def __init__(self, embedder: FastEmbedder) -> None:
        self.id, self.file_hash, self.dimension = embedder.id, embedder.file_hash, embedder.dimension
        self.token_vectors = embedder.token_vectors
        self.made: list[str] = []
        self._embedder = embedder

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.made += texts
        return self._embedder.embed(texts)


TEXTS = ["a kiln", "a boat", "a kiln", ""]


def test_it_gives_what_the_embedder_gives_in_the_order_asked(embedder: FastEmbedder) -> None:
    recent = RecentEmbedder(embedder)
    for _ in range(2):
        assert np.allclose(recent.embed(TEXTS), embedder.embed(TEXTS), atol=1e-5)
        for (pieces, vectors), (known, expected) in zip(
            recent.token_vectors(TEXTS), embedder.token_vectors(TEXTS), strict=True
        ):
            assert pieces == known
            assert np.allclose(vectors, expected, atol=1e-5)
    assert recent.embed([]).shape == (0, embedder.dimension)


def test_only_what_is_new_is_made_and_only_so_much_is_kept(embedder: FastEmbedder) -> None:
    watched = Watched(embedder)
    recent = RecentEmbedder(watched)
    recent.embed(["one", "two"])
    recent.embed(["two", "three", "three"])
    assert watched.made == ["one", "two", "three"]
    recent.embed([f"text {number}" for number in range(300)])
    recent.embed(["one"])
    assert watched.made.count("one") == 2


def test_a_failure_is_passed_on_and_nothing_is_kept_of_it(embedder: FastEmbedder) -> None:
    class Failing(Watched):
        def embed(self, texts: Sequence[str]) -> np.ndarray:
            if not self.made:
                self.made += texts
                raise EmbedderError("The file is gone.")
            return super().embed(texts)

    recent = RecentEmbedder(Failing(embedder))
    with pytest.raises(EmbedderError, match="gone"):
        recent.embed(["a kiln"])
    assert np.allclose(recent.embed(["a kiln"]), embedder.embed(["a kiln"]), atol=1e-5)


async def test_a_turn_reads_its_question_once(embedder: FastEmbedder, tmp_path) -> None:
    watched = Watched(embedder)
    question = "should I fire the kiln twice?"
    async with await MemoryEngine.open(tmp_path / "memory.duckdb", watched) as memory:
        await memory.recall(question)
        episode = await memory.record(question, "Yes, twice, or the glaze stays dull.")
        await memory.learn(episode.id)
        await memory.reflect(episode.id)
    assert watched.made.count(question) == 1
