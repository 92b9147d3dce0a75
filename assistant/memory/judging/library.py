"""JudgmentMemory: the judgments alone, as a small library without an event loop.

    with JudgmentMemory(embedder) as memory:
        known = memory.store("User wants to edit production config", "Propose it, do not make it", "Edits caused outages")
        memory.verify(known, adopted=True)
        memory.search("Can I change the prod config?", use_utility=True)

Calls block; use `MemoryEngine.judgments` inside an event loop.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import uuid4

from assistant.config import MemorySettings
from assistant.errors import MemoryInputError
from assistant.memory.collections.judgments import Judgments
from assistant.memory.core import Core
from assistant.memory.judging.exporting import Format, Line
from assistant.memory.judging.recalling import contenders
from assistant.memory.judging.utility import Contender, Placed, rank, rank_plainly
from assistant.memory.ports import Clock, Embedder, utc_now
from assistant.memory.recent import RecentEmbedder
from assistant.memory.records import Judgment, JudgmentDraft, Verdict
from assistant.memory.store.database import Database


@dataclass(frozen=True, slots=True)
class Found:
    """A judgment with its raw similarity to the query (−1 to 1) and the score it ranks by."""

    judgment: Judgment
    similarity: float
    score: float


class JudgmentMemory:
    def __init__(self, embedder: Embedder, path: Path | None = None, *, clock: Clock = utc_now) -> None:
        """Without a path the memory lasts until `close`. Raises StoreError where the file cannot be used."""
        self._folder = None if path else tempfile.TemporaryDirectory(prefix="judgments-")
        file = path or Path(self._folder.name if self._folder else "") / "judgments.duckdb"
        db = Database.open(
            file, embedder=embedder.id, embedder_hash=embedder.file_hash, dimension=embedder.dimension
        )
        self._core = Core(db, RecentEmbedder(embedder), clock, MemorySettings())
        self._judgments = Judgments(self._core)
        self._loop = asyncio.Runner()

    def store(self, trigger: str, judgment: str, reasoning: str, domain: str = "") -> int:
        """Keep a judgment; returns its id, or that of the one that says the same. Raises MemoryInputError for empty text."""
        if not reasoning.strip():
            raise MemoryInputError("A judgment needs a reason.")
        draft = JudgmentDraft(trigger, judgment, reasoning, domain)
        entry = self._loop.run(self._judgments.add(draft))
        assert entry.subject_id is not None
        return entry.subject_id

    def search(
        self,
        query: str,
        top_k: int = 5,
        *,
        domain: str = "",
        min_score: float = 0.0,
        use_utility: bool = False,
        utility_weight: float = 0.5,
        by_situation: bool = True,
    ) -> list[Found]:
        """Best first. `min_score` is a threshold on raw similarity. Utility counts only with `use_utility`.

        With `by_situation` judgments of one situation share their relevance; without it each ranks by its own, as
        similarity × (1 + weight × utility).
        """
        weight = utility_weight if use_utility else 0.0
        ranking = rank if use_utility and by_situation else rank_plainly
        return self._loop.run(self._search(query, domain, min_score, partial(ranking, weight=weight)))[:top_k]

    def verify(self, judgment: int, *, adopted: bool, correction: str = "", answer: str = "") -> Judgment:
        """Did it prove right? One vote for each `answer`; without one every call is a vote. Raises UnknownIdError."""
        verdict = Verdict.ADOPTED if adopted else Verdict.CORRECTED
        ballot = answer or uuid4().hex
        return self._loop.run(self._judgments.verify(judgment, verdict, correction=correction, ballot=ballot))

    def get(self, judgment: int) -> Judgment:
        """Raises UnknownIdError."""
        return self._loop.run(self._judgments.get(judgment))

    def count(self) -> int:
        return self._loop.run(self._judgments.count())

    def export_triples(self, min_utility: float = 0.0) -> list[Line]:
        """context, judgment, outcome of those whose utility is above `min_utility`: by default, of those that proved right."""
        return self._loop.run(self._triples(min_utility))

    def export(self, path: Path, form: Format = Format.TRIPLES) -> int:
        """Write JSON Lines, or go on with an interrupted export; returns how many lines were written."""
        return self._loop.run(self._judgments.export(path, form))

    def close(self) -> None:
        """Let go of the file. Harmless when closed already."""
        self._core.db.close()
        self._loop.close()
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _search(
        self,
        query: str,
        domain: str,
        min_score: float,
        ranking: Callable[[Sequence[Contender]], list[Placed]],
    ) -> list[Found]:
        vector = (await self._core.embed([query]))[0]
        everything = max(1, await self._judgments.count())
        found = await contenders(self._core, vector, domain=domain, limit=everything)
        judgments = {contender.id: judgment for contender, judgment in found}
        placed = ranking([contender for contender, _ in found if contender.relevance >= min_score])
        return [Found(judgments[one.contender.id], one.contender.relevance, one.score) for one in placed]

    async def _triples(self, min_utility: float) -> list[Line]:
        return [
            line
            async for page in self._judgments.stream(Format.TRIPLES)
            for line in page
            if line["utility"] > min_utility
        ]
