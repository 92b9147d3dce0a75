"""Judgments: stored in their situation, verified by thumbs, recalled by what proved right, merged, edited, exported."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path

from assistant.errors import EmbedderError, MemoryInputError
from assistant.memory.core import Core
from assistant.memory.judging import exporting
from assistant.memory.judging.exporting import Format, Line
from assistant.memory.judging.placing import find_place
from assistant.memory.judging.recalling import paired, recall_judgments
from assistant.memory.judging.utility import rank
from assistant.memory.ports import Vector, Vectors
from assistant.memory.records import (
    Decision,
    JournalEntry,
    Judgment,
    JudgmentDraft,
    Recalled,
    Subject,
    Verdict,
    Vote,
)
from assistant.memory.redaction import mask
from assistant.memory.store import journal, search
from assistant.memory.store import judgments as store
from assistant.memory.store.database import Connection
from assistant.memory.store.judgments import EDITABLE, Cause
from assistant.memory.store.rows import Row
from assistant.text import clean_text, one_line

_BY_HAND = "hand"
"""Ballot of a thumb that is on no answer: one a judgment."""
_PAGE = 200
_LONGEST = 2000
"""Characters of a text that are kept."""


def ballot_of(episode: int | None) -> str:
    """The ballot of a thumb on the answer of that turn, or of one given in the list."""
    return _BY_HAND if episode is None else str(episode)


class Judgments:
    def __init__(self, core: Core) -> None:
        self._core = core

    # Looking --------------------------------------------------------------------------------------------------------

    async def list(
        self, query: str | None = None, *, domain: str = "", limit: int = 200
    ) -> builtins.list[Judgment]:
        """Newest first; with a query, those that its words or meaning match (corrections included), ranked for that situation."""
        if not query or not query.strip():
            return await self._core.db.read(
                lambda con: self._records(con, store.listing(con, domain=domain, limit=limit))
            )
        vector = (await self._core.embed([query]))[0]
        wanted = search.Query(query, vector, limit=limit, domain=domain)

        def look(con: Connection) -> builtins.list[Judgment]:
            hits = search.find(con, search.Corpus.JUDGMENTS, wanted)
            found = paired(con, self._core, vector, store.of_ids(con, [hit.id for hit in hits]))
            by_id = {contender.id: judgment for contender, judgment in found}
            placed = rank([contender for contender, _ in found], self._core.settings.utility_weight)
            return [by_id[one.contender.id] for one in placed]

        return await self._core.db.read(look)

    async def get(self, judgment: int) -> Judgment:
        """Raises UnknownIdError."""
        return await self._core.db.read(lambda con: self._records(con, [store.get(con, judgment)])[0])

    async def votes(self, judgment: int) -> builtins.list[Vote]:
        """Oldest first."""
        return (await self._core.db.read(lambda con: store.votes(con, [judgment])))[judgment]

    async def count(self) -> int:
        """How many there are, without merged ones."""
        return await self._core.db.read(store.count)

    async def recall(self, question: str, vector: Vector) -> builtins.list[Recalled]:  # noqa: ARG002
        """What the prompt gets for a question with that vector: best first, with scores and reasons."""
        return await recall_judgments(self._core, vector)

    # Storing --------------------------------------------------------------------------------------------------------

    async def add(
        self, draft: JudgmentDraft, *, episode: int | None = None, decision: Decision | None = None
    ) -> JournalEntry:
        """Store a judgment in its situation. What is known already gives an entry that only says so.

        Secrets are masked. Raises MemoryInputError for an empty trigger or judgment.
        """
        texts = _cleaned(_texts(draft))
        clean = replace(_draft(texts), certainty=draft.certainty)
        where = await find_place(self._core, clean)
        cause = self._cause(decision, episode)
        if where.known is not None:
            known = where.known
            return await self._core.db.write(lambda con: store.note(con, known, cause))
        vectors = await self._vectors(clean.trigger, clean.judgment)
        return await self._core.db.write(
            lambda con: store.add(
                con, clean, cause, situation=where.situation, moves=where.moves, vectors=vectors
            )
        )

    async def edit(
        self,
        judgment_id: int,
        *,
        trigger: str | None = None,
        judgment: str | None = None,
        reasoning: str | None = None,
        domain: str | None = None,
    ) -> JournalEntry:
        """Change some texts; votes stay. Raises UnknownIdError, or MemoryInputError when nothing would change."""
        old = await self.get(judgment_id)
        wanted = {"trigger": trigger, "judgment": judgment, "reasoning": reasoning, "domain": domain}
        new = _cleaned(_texts(old) | {name: text for name, text in wanted.items() if text is not None})
        if new == _texts(old):
            raise MemoryInputError("Nothing was changed.")
        situation: int | None = old.situation
        if new["trigger"] != old.trigger:
            situation = (await find_place(self._core, _draft(new), own=old.id)).situation
        values = {EDITABLE[name]: text for name, text in new.items()}
        vectors = await self._vectors(new["trigger"], new["judgment"])
        cause = self._cause(episode=old.episode)
        return await self._core.db.write(
            lambda con: store.edit(con, old.id, values, situation, vectors, cause)
        )

    async def merge(self, keep: int, others: Sequence[int]) -> JournalEntry:
        """`others` become part of `keep`, with their votes. Raises UnknownIdError, MemoryInputError."""
        entry = await self._core.db.write(lambda con: store.merge(con, keep, others, self._cause()))
        await self._index(keep)
        return entry

    async def forget(self, judgment: int) -> JournalEntry:
        """Erase it with its votes, what was merged into it, and every word of it in the journal.

        Can be undone until the program ends. Raises UnknownIdError.
        """
        return await self._core.forget(Subject.JUDGMENT, judgment)

    # Verifying ------------------------------------------------------------------------------------------------------

    async def verify(
        self,
        judgment: int,
        verdict: Verdict,
        *,
        episode: int | None = None,
        correction: str = "",
        ballot: str = "",
    ) -> Judgment:
        """One thumb for the answer of that turn; a second one on the same answer replaces the first. Raises UnknownIdError.

        A thumb down can carry the right answer. `ballot` names an answer that is no turn of this store.
        """
        said = _one_text(correction) if verdict is Verdict.CORRECTED else ""
        cast = Vote(judgment, ballot or ballot_of(episode), verdict, self._core.clock(), said)
        return await self._voted(judgment, lambda con: store.vote(con, cast, self._cause(episode=episode)))

    async def unvote(self, judgment: int, *, episode: int | None = None) -> Judgment:
        """Take the thumb for that answer back, if there is one. Raises UnknownIdError."""
        ballot = ballot_of(episode)
        cause = self._cause(episode=episode)
        return await self._voted(judgment, lambda con: store.unvote(con, judgment, ballot, cause))

    # Out ------------------------------------------------------------------------------------------------------------

    async def stream(self, form: Format, *, after: int = 0) -> AsyncIterator[builtins.list[Line]]:
        """The export a page at a time, in the order of ids, from the first judgment whose id is above `after`."""
        while True:
            page = await self._core.db.read(lambda con, after=after: self._page(con, after))  # type: ignore[misc]
            if not page:
                return
            yield [line for judgment, cast in page for line in exporting.lines(judgment, cast, form)]
            after = page[-1][0].id

    async def export(self, path: Path, form: Format = Format.TRIPLES) -> int:
        """Write JSON Lines to `path`, or go on with an export that was interrupted; returns how many lines were written."""
        written = 0
        after = await asyncio.to_thread(exporting.prepare, path, form)
        async for page in self.stream(form, after=after):
            await asyncio.to_thread(exporting.append, path, page)
            written += len(page)
        return written

    # Parts ----------------------------------------------------------------------------------------------------------

    def _cause(self, decision: Decision | None = None, episode: int | None = None) -> Cause:
        return Cause(decision or journal.BY_USER, self._core.clock(), episode)

    def _records(self, con: Connection, found: Sequence[Row]) -> builtins.list[Judgment]:
        return store.records(con, found, self._core.clock(), self._core.settings.vote_half_life_days)

    def _page(self, con: Connection, after: int) -> builtins.list[tuple[Judgment, builtins.list[Vote]]]:
        judgments = self._records(con, store.after(con, after, _PAGE))
        cast = store.votes(con, [judgment.id for judgment in judgments])
        return [(judgment, cast[judgment.id]) for judgment in judgments]

    async def _voted(self, judgment: int, work: Callable[[Connection], JournalEntry | None]) -> Judgment:
        if await self._core.db.write(work) is not None:
            await self._index(judgment)
        return await self.get(judgment)

    async def _index(self, judgment: int) -> None:
        """Its words changed (a correction came or went): make it findable by them."""
        record = await self.get(judgment)
        vectors = await self._vectors(record.trigger, record.judgment)
        await self._core.db.write(lambda con: store.index(con, judgment, vectors))

    async def _vectors(self, trigger: str, judgment: str) -> Vectors | None:
        """None when the embedder fails: the judgment is kept, and made findable when the embedder works again."""
        try:
            return await self._core.embed([trigger, judgment])
        except EmbedderError:
            return None


def _texts(source: JudgmentDraft | Judgment) -> dict[str, str]:
    return {name: getattr(source, name) for name in EDITABLE}


def _draft(texts: dict[str, str]) -> JudgmentDraft:
    return JudgmentDraft(texts["trigger"], texts["judgment"], texts["reasoning"], texts["domain"])


def _cleaned(texts: dict[str, str]) -> dict[str, str]:
    clean = {name: _one_text(text) for name, text in texts.items()}
    for name in ("trigger", "judgment"):
        if not clean[name]:
            raise MemoryInputError(f"A judgment needs a {name}.")
    return clean


def _one_text(text: str) -> str:
    return one_line(mask(clean_text(text)).text, _LONGEST)
