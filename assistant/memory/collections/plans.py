"""Plans: which were made, what was recalled with them, and the user's corrections."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence

from assistant.errors import UnknownIdError
from assistant.memory.collections.judgments import Judgments
from assistant.memory.core import Core
from assistant.memory.figures import Trace
from assistant.memory.planning import PlanFeedback
from assistant.memory.records import Episode, Fact, JournalEntry, Judgment, Plan, Recall, Recalled, Subject
from assistant.memory.store import episodes, facts, journal, traces
from assistant.memory.store import plans as store
from assistant.memory.store.database import Connection
from assistant.memory.store.plans import Kept

_FEEDBACK = 100
"""Newest corrections that guide later plans."""


class Plans:
    def __init__(self, core: Core) -> None:
        self._core = core

    async def list(self, limit: int = 100) -> builtins.list[Plan]:
        """Newest first."""
        return await self._core.db.read(lambda con: store.listing(con, limit=limit))

    async def get(self, plan: int) -> Plan:
        """Raises UnknownIdError."""
        return await self._core.db.read(lambda con: store.get(con, plan))

    async def record(self, episode: int, recall: Recall) -> Plan:
        """Keep the plan and what was recalled for a turn; returns the plan with its id."""
        now = self._core.clock()

        def work(con: Connection) -> Plan:
            store.insert_recalled(con, episode, recall.items)
            return store.insert_plan(con, recall.plan, episode=episode, now=now, steps=recall.milliseconds)

        return await self._core.db.write(work)

    async def recall_of(self, episode: int) -> Recall | None:
        """What was recalled for an earlier answer, as it was then; None when none was kept. What was forgotten since is left out."""

        (plan, steps), kept = await self._core.db.read(
            lambda con: (store.of_episode(con, episode), store.recalled_of(con, episode))
        )
        if plan is None or steps is None:
            return None
        items = [found for each in kept if (found := await self._recalled(each)) is not None]
        facts_, judgments, episodes_ = (
            tuple(item for item in items if item.subject is subject)
            for subject in (Subject.FACT, Subject.JUDGMENT, Subject.EPISODE)
        )
        return Recall(plan, facts_, judgments, episodes_, steps)

    async def traces(self, episodes: Sequence[int]) -> dict[int, Trace]:
        """What each of these turns drew on and left behind, as counts; turns without any are left out."""
        return await self._core.db.read(lambda con: traces.of_episodes(con, episodes))

    async def mark_wrong(self, plan: int) -> JournalEntry:
        """What was needed was the opposite: later plans for similar questions follow. Undo takes it back. Raises UnknownIdError, MemoryInputError."""
        now = self._core.clock()
        return await self._core.db.write(
            lambda con: store.mark_wrong(con, plan, decision=journal.BY_USER, now=now)
        )

    async def feedback(self) -> builtins.list[PlanFeedback]:
        """The user's corrections, newest first."""
        wrong = await self._core.db.read(lambda con: store.marked_wrong(con, limit=_FEEDBACK))
        vectors = await self._core.embed([plan.question for plan in wrong])
        return [
            PlanFeedback(vector, not plan.needs_episodes) for plan, vector in zip(wrong, vectors, strict=True)
        ]

    async def _recalled(self, kept: Kept) -> Recalled | None:
        item = await self._item(kept)
        return (
            None
            if item is None
            else Recalled(item, kept.score, kept.parts, kept.reason, kept.tokens, kept.fits)
        )

    async def _item(self, kept: Kept) -> Fact | Judgment | Episode | None:
        if kept.subject is Subject.JUDGMENT:
            try:
                return await Judgments(self._core).get(kept.item)
            except UnknownIdError:
                return None
        look: Callable[[Connection, Sequence[int]], Sequence[Fact | Episode]]
        look = facts.versions if kept.subject is Subject.FACT else episodes.with_ids
        found = await self._core.db.read(lambda con: look(con, [kept.item]))
        return found[0] if found else None
