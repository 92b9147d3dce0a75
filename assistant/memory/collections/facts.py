"""Facts: browsed and changed by hand, and changed by what a turn taught."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from assistant.errors import EmbedderError, MemoryInputError
from assistant.memory.core import Core
from assistant.memory.extraction.keys import key_of, value_of
from assistant.memory.ports import Vector, Vectors
from assistant.memory.records import (
    Candidate,
    Confidence,
    Decision,
    Episode,
    Fact,
    FactKind,
    JournalEntry,
    Operation,
    Route,
    Subject,
)
from assistant.memory.redaction import mask
from assistant.memory.store import episodes as store_episodes
from assistant.memory.store import facts as store
from assistant.memory.store import journal, search
from assistant.memory.store.database import Connection
from assistant.memory.store.facts import Cause
from assistant.memory.windows import fact_text
from assistant.text import clean_text, snake_case

_NEW_VERSION = {"fact.add", "fact.update", "fact.edit"}


class Facts:
    def __init__(self, core: Core) -> None:
        self._core = core

    # Looking --------------------------------------------------------------------------------------------------------

    async def list(
        self, query: str | None = None, *, history: bool = False, limit: int = 200
    ) -> builtins.list[Fact]:
        """Current facts, pinned first, then newest first; by meaning and words, best first, when a query is given.

        `history` includes versions that ended.
        """
        if not query:
            return await self._core.db.read(lambda con: store.listing(con, ended=history, limit=limit))
        vector = (await self._core.embed([query]))[0]
        wanted = search.Query(query, vector, limit=limit, inactive=history)
        return await self._core.db.read(
            lambda con: store.versions(con, [hit.id for hit in search.find(con, search.Corpus.FACTS, wanted)])
        )

    async def get(self, fact: int) -> Fact:
        """The current version, or the last one of a fact that ended. Raises UnknownIdError."""
        return await self._core.db.read(lambda con: store.get(con, fact))

    async def history(self, fact: int) -> builtins.list[Fact]:
        """All versions, oldest first. Raises UnknownIdError."""
        return await self._core.db.read(lambda con: store.history(con, fact))

    async def as_of(self, when: datetime) -> builtins.list[Fact]:
        """What was true at `when` (aware), as far as known now."""
        return await self._core.db.read(lambda con: store.as_of(con, when))

    async def nearest(
        self, vector: Vector, *, key: str = "", limit: int = 8
    ) -> builtins.list[tuple[Fact, float]]:
        """Current facts with their cosine to `vector`, best first; those with the same key are always among them."""

        def look(con: Connection) -> tuple[builtins.list[tuple[Fact, float]], builtins.list[Fact]]:
            hits = {
                hit.id: hit.score for hit in search.similar(con, search.Corpus.FACTS, vector, limit=limit)
            }
            near = [(fact, hits[fact.version]) for fact in store.versions(con, builtins.list(hits))]
            same_key = store.with_key(con, key, limit=limit) if key else []
            return near, [fact for fact in same_key if fact.version not in hits]

        near, others = await self._core.db.read(look)
        vectors = await self._core.embed([fact_text(fact.statement, fact.key) for fact in others])
        near += [(fact, float(other @ vector)) for fact, other in zip(others, vectors, strict=True)]
        return sorted(near, key=lambda pair: -pair[1])

    # By hand --------------------------------------------------------------------------------------------------------

    async def add(
        self,
        statement: str,
        *,
        key: str = "",
        value: str = "",
        kind: FactKind = FactKind.SEMANTIC,
        episode: int | None = None,
        decision: Decision | None = None,
    ) -> JournalEntry:
        """A new fact; key and value are read from the statement unless given. Secrets are masked.

        What is known word for word already gives an entry that only says so. Raises MemoryInputError.
        """
        by_hand = Confidence.EDITED if decision is None else Confidence.STATED
        text = _clean(statement)
        slot = snake_case(_clean(key)) or key_of(text, text)
        new = Candidate(text, slot, _clean(value) or value_of(text, slot), kind, by_hand)
        return await self._change(
            fact_text(new.statement, new.key),
            partial(store.add, new=new, cause=self._cause(decision, episode)),
        )

    async def edit(
        self,
        fact: int,
        *,
        statement: str | None = None,
        key: str | None = None,
        value: str | None = None,
        kind: FactKind | None = None,
    ) -> JournalEntry:
        """A new version with these fields changed; the old one stays in the history. Secrets are masked.

        A new statement brings its value along, unless one is given. Raises UnknownIdError, MemoryInputError.
        """
        held = await self.get(fact)
        text = held.statement if statement is None else _clean(statement)
        slot = held.key if key is None else snake_case(_clean(key))
        if not text or not slot:
            raise MemoryInputError(
                "A fact needs a statement and a key.", hint="`forget` or undo takes it away."
            )
        read = held.value if text == held.statement else value_of(text, slot)
        values = {
            "statement": text,
            "key": slot,
            "value": read if value is None else _clean(value),
            "kind": (kind or held.kind).value,
        }
        return await self._change(
            fact_text(text, slot), lambda con: store.edit(con, fact, values, self._cause())
        )

    async def pin(self, fact: int, pinned: bool = True) -> JournalEntry:  # noqa: FBT001, FBT002
        """Pinned facts come first, in lists and in prompts. Raises UnknownIdError, MemoryInputError."""
        return await self._core.db.write(lambda con: store.pin(con, fact, pinned, self._cause()))

    async def end(self, fact: int, decision: Decision | None = None) -> JournalEntry:
        """The fact is no longer true; it stays in the history. Raises UnknownIdError, MemoryInputError when it had ended."""
        return await self._core.db.write(lambda con: store.end_current(con, fact, self._cause(decision)))

    async def forget(self, fact: int) -> JournalEntry:
        """Erase every version, and every word of it in the journal. Can be undone until the program ends. Raises UnknownIdError."""
        return await self._core.forget(Subject.FACT, fact)

    # From a turn ----------------------------------------------------------------------------------------------------

    async def apply(self, candidate: Candidate, route: Route, episode: Episode) -> JournalEntry:
        """What one routed candidate does to the facts. Every outcome is journaled, also a NOOP."""
        vectors = await self._vectors([fact_text(candidate.statement, candidate.key)])
        return await self._core.db.write(lambda con: self._apply(con, candidate, route, episode, vectors))

    async def learn(
        self, episode: Episode, routed: Sequence[tuple[Candidate, Route]]
    ) -> tuple[JournalEntry, ...]:
        """All that a turn taught, and the mark that it was learned from, in one transaction: a crash leaves both or neither.

        A turn that was learned from already changes nothing.
        """
        vectors = await self._vectors([fact_text(new.statement, new.key) for new, _ in routed])

        def work(con: Connection) -> tuple[JournalEntry, ...]:
            if not store_episodes.mark_learned(con, episode.id, self._core.clock()):
                return ()
            return tuple(
                self._apply(con, candidate, route, episode, vectors[place : place + 1])
                for place, (candidate, route) in enumerate(routed)
            )

        return await self._core.db.write(work)

    def _apply(
        self, con: Connection, candidate: Candidate, route: Route, episode: Episode, vectors: Vectors
    ) -> JournalEntry:
        cause = Cause(route.decision, self._core.clock(), episode.id, episode.said)
        entry = _route(con, candidate, route, cause)
        _index(con, entry, vectors)
        return entry

    # Parts ----------------------------------------------------------------------------------------------------------

    def _cause(self, decision: Decision | None = None, episode: int | None = None) -> Cause:
        return Cause(decision or journal.BY_USER, self._core.clock(), episode)

    async def _change(self, text: str, work: Callable[[Connection], JournalEntry]) -> JournalEntry:
        vectors = await self._vectors([text])

        def write(con: Connection) -> JournalEntry:
            entry = work(con)
            _index(con, entry, vectors)
            return entry

        return await self._core.db.write(write)

    async def _vectors(self, texts: Sequence[str]) -> Vectors:
        """No vectors when the embedder fails: the fact is kept, and made findable when the embedder works again."""
        try:
            return await self._core.embed(texts)
        except EmbedderError:
            return self._core.no_vectors


def _route(con: Connection, new: Candidate, route: Route, cause: Cause) -> JournalEntry:
    match route.operation:
        case Operation.ADD:
            return store.add(con, new, cause)
        case Operation.UPDATE:
            return store.supersede(con, route.target, new, cause)
        case Operation.DELETE:
            ended = store.end(con, route.target, cause, when=new.valid_from)
            return ended or store.note(con, new, cause, None)
        case Operation.NOOP:
            return store.note(con, new, cause, route.target)


def _index(con: Connection, entry: JournalEntry, vectors: Vectors) -> None:
    if entry.action not in _NEW_VERSION or entry.subject_id is None:
        return
    fact = store.newest_version(con, entry.subject_id)
    text = fact_text(fact.statement, fact.key)
    row = search.Entry(fact.version, text, vectors, said=fact.valid_from, active=fact.current)
    search.replace(con, search.Corpus.FACTS, [row])


def _clean(text: str) -> str:
    return mask(clean_text(text)).text.strip()
