"""MemoryEngine: the memory's front door. One turn goes recall -> record -> finish -> learn -> reflect; thumbs come through verify."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Self

from assistant.config import MemorySettings
from assistant.errors import MemoryInputError
from assistant.memory.aptitude import Aptitude, at_once, probe, read_cases, trust_in
from assistant.memory.collections.conversations import Conversations
from assistant.memory.collections.episodes import Episodes
from assistant.memory.collections.facts import Facts
from assistant.memory.collections.journal import Journal
from assistant.memory.collections.judgments import Judgments
from assistant.memory.collections.plans import Plans
from assistant.memory.core import Core
from assistant.memory.decisions import Decisions, Matter
from assistant.memory.figures import Insights
from assistant.memory.learning import routed
from assistant.memory.ports import ChatModel, Clock, Embedder, utc_now
from assistant.memory.recall import recall_episodes, recall_facts
from assistant.memory.recent import RecentEmbedder
from assistant.memory.records import (
    MEMORY_ALONE,
    AnswerState,
    Candidate,
    Episode,
    JournalEntry,
    Judgment,
    Learning,
    Plan,
    Recall,
    Subject,
    Verdict,
)
from assistant.memory.routing import Neighbour
from assistant.memory.store import aptitudes as store_aptitudes
from assistant.memory.store import insights as store_insights
from assistant.memory.store.database import Database
from assistant.memory.windows import fact_text
from assistant.text import clean_text

_TURNS_BEFORE = 6
"""Turns in which to look for whom a "she" means."""
_NEIGHBOURS = 8
"""Stored facts that a candidate is compared with."""


class MemoryEngine:
    """What the memory does. Browse and change it by hand through `facts`, `judgments`, `episodes`, `conversations`, `plans`, `journal`."""

    def __init__(self, core: Core, decisions: Decisions) -> None:
        self.core = core
        self.decisions = decisions
        self.facts = Facts(core)
        self.judgments = Judgments(core)
        self.episodes = Episodes(core)
        self.conversations = Conversations(core)
        self.plans = Plans(core)
        self.journal = Journal(core)
        self._learning = asyncio.Lock()
        self._recorded: set[int] = set()
        """Turns recorded since the memory was opened: one of them without an answer waits for it."""

    @classmethod
    async def open(
        cls,
        path: Path | str,
        embedder: Embedder,
        *,
        clock: Clock = utc_now,
        model: ChatModel | None = None,
        settings: MemorySettings | None = None,
        reembed: bool = False,
    ) -> Self:
        """Open the memory file, making it where there is none.

        `reembed` drops the vectors of another embedder instead of refusing; `core.index_missing` makes new ones. Raises StoreLockedError when another process holds it, StoreDamagedError, EmbedderMismatchError, StoreError.
        """
        settings = settings or MemorySettings()
        db = await asyncio.to_thread(
            Database.open,
            Path(path),
            embedder=embedder.id,
            embedder_hash=embedder.file_hash,
            dimension=embedder.dimension,
            reembed=reembed,
        )
        recent = embedder if isinstance(embedder, RecentEmbedder) else RecentEmbedder(embedder)
        engine = cls(Core(db, recent, clock, settings), Decisions(recent, settings))
        await engine.connect(model)
        return engine

    async def connect(self, model: ChatModel | None) -> None:
        """Use this language model (or none) from now on, for the decisions it proved better at in its last probe."""
        self.decisions.model = model
        known = await self.aptitudes() if model is not None else ()
        self.decisions.trust = trust_in(known)

    async def close(self) -> None:
        """Wait for learning under way, then close the file. The engine is of no use afterwards."""
        async with self._learning:
            await asyncio.to_thread(self.core.db.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # Before the answer: milliseconds, and no language model unless the settings ask for one ---------------------------

    async def plan(self, question: str) -> Plan:
        """Whether known facts are enough for `question`, or past turns must be looked up; unsure means they are."""
        vector = (await self.core.embed([question]))[0]
        needs_episodes, decision = await self.decisions.plan(question, vector, await self.plans.feedback())
        return Plan(question, needs_episodes, decision)

    async def recall(
        self,
        question: str,
        *,
        plan: Plan | None = None,
        conversation: int | None = None,
        exclude: Collection[int] = (),
    ) -> Recall:
        """What the prompt gets for `question`: facts, judgments, and past turns where the plan wants them.

        `conversation` limits past turns to one conversation; `exclude` names episodes that are in the prompt anyway.
        """
        question = clean_text(question)
        watch = _Stopwatch()
        vector = (await self.core.embed([question]))[0]
        watch.lap("embed")
        plan = plan or await self.plan(question)
        watch.lap("plan")
        facts = await recall_facts(self.core, question, vector)
        watch.lap("facts")
        judgments = await self.judgments.recall(question, vector)
        watch.lap("judgments")
        if not plan.needs_episodes:
            return Recall(plan, facts, tuple(judgments), (), watch.laps)
        episodes = await recall_episodes(
            self.core, question, vector, facts, conversation=conversation, exclude=frozenset(exclude)
        )
        watch.lap("episodes")
        return Recall(plan, facts, tuple(judgments), episodes, watch.laps)

    # The turn itself ------------------------------------------------------------------------------------------------

    async def record(
        self,
        user: str,
        assistant: str | None = None,
        *,
        conversation: int | None = None,
        parent: int | None = None,
        said: datetime | None = None,
        model: str = "",
    ) -> Episode:
        """Keep a turn, verbatim and durable. Without an answer it stays open until `finish`.

        Without a conversation a new one is begun. `parent` is the turn before it in its branch: the conversation's head
        unless given. Raises MemoryInputError for empty text.
        """
        user = clean_text(user)
        if not user.strip():
            raise MemoryInputError("There is nothing to record: the message is empty.")
        if conversation is None:
            conversation = (await self.conversations.create()).id
        episode = await self.episodes.record(
            user, conversation=conversation, parent=parent, said=said or self.core.clock(), model=model
        )
        self._recorded.add(episode.id)
        return episode if assistant is None else await self.finish(episode.id, assistant, model=model)

    async def finish(
        self,
        episode_id: int,
        assistant: str,
        *,
        state: AnswerState = AnswerState.COMPLETE,
        model: str = "",
        tokens: int = 0,
        seconds: float = 0.0,
        error: str = "",
        context_used: float = 0.0,
    ) -> Episode:
        """Add the answer (or what arrived of it) to an open turn and make the turn searchable.

        A failing embedder does not lose the turn: it is kept, and made searchable at the next `catch_up`.
        """
        return await self.episodes.finish(
            episode_id,
            clean_text(assistant),
            state=state,
            model=model,
            tokens=tokens,
            seconds=seconds,
            error=error,
            context_used=context_used,
        )

    async def note_recall(self, episode_id: int, recall: Recall) -> Plan:
        """Keep which plan was made and what was recalled for a turn; returns the plan with its id."""
        return await self.plans.record(episode_id, recall)

    # After the answer -----------------------------------------------------------------------------------------------

    async def learn(self, episode_id: int) -> Learning:
        """Extract durable facts from a turn and let each change the store. A turn is learned from once."""
        async with self._learning:
            episode = await self.episodes.get(episode_id)
            if episode.learned is not None:
                return Learning()
            before = await self._before(episode)
            extraction = await self.decisions.extract(_without_echo(episode), before)
            changes = await routed(extraction, episode.said, self.decisions, self._neighbours)
            return Learning(await self.facts.learn(episode, changes), extraction.masked)

    async def _before(self, episode: Episode) -> list[Episode]:
        """The last turns before it in its branch, oldest first."""
        turns: list[Episode] = []
        while episode.parent is not None and len(turns) < _TURNS_BEFORE:
            episode = await self.episodes.get(episode.parent)
            turns.insert(0, episode)
        return turns

    async def reflect(self, episode_id: int) -> tuple[JournalEntry, ...]:
        """Keep the judgment a turn holds, if any. A judgment that is known already gains nothing but its evidence."""
        reflection = await self.decisions.reflect(_without_echo(await self.episodes.get(episode_id)))
        return tuple(
            [
                await self.judgments.add(draft, episode=episode_id, decision=reflection.decision)
                for draft in reflection.drafts
            ]
        )

    async def catch_up(self, progress: Callable[[int], None] = lambda _: None) -> int:
        """Learn from turns that were recorded but not learned from (a crash came between, or they were imported); returns how many."""
        await self.core.index_missing()
        pending = [
            episode
            for episode in await self.episodes.pending()
            if episode.state is not AnswerState.OPEN or episode.id not in self._recorded
        ]
        for done, episode in enumerate(pending, 1):
            if episode.state is AnswerState.OPEN:
                await self.finish(
                    episode.id, episode.assistant, state=AnswerState.CUT, error="The program ended first."
                )
            await self.learn(episode.id)
            await self.reflect(episode.id)
            progress(done)
        return len(pending)

    # The user's word ------------------------------------------------------------------------------------------------

    async def verify(
        self, judgment_id: int, verdict: Verdict, *, episode: int | None = None, correction: str = ""
    ) -> Judgment:
        """One thumb on a judgment for one answer (`episode`); a second one on the same answer replaces the first. Raises UnknownIdError."""
        if episode is not None:
            await self.episodes.get(episode)
        return await self.judgments.verify(judgment_id, verdict, episode=episode, correction=correction)

    async def forget(self, subject: Subject, subject_id: int) -> JournalEntry:
        """Erase a fact, judgment or episode with every copy and everything derived from it alone."""
        match subject:
            case Subject.FACT:
                return await self.facts.forget(subject_id)
            case Subject.JUDGMENT:
                return await self.judgments.forget(subject_id)
            case Subject.EPISODE:
                return await self.episodes.forget(subject_id)
            case _:
                raise MemoryInputError(
                    f"A {subject} cannot be forgotten.", hint="Name a fact, a judgment or an episode."
                )

    async def undo(self, entry_id: int | None = None) -> JournalEntry:
        """Take back a change (the newest that can be, unless one is named). The undo can itself be undone."""
        return await self.journal.undo(entry_id)

    async def insights(self, since: datetime) -> Insights:
        """The memory in figures; what came from `since` on also by the time at which it did."""
        return await self.core.db.read(lambda con: store_insights.read(con, since=since))

    # Which decisions the connected model may make ----------------------------------------------------------------------

    async def aptitudes(self) -> tuple[Aptitude, ...]:
        """What the last probe of the connected model found; empty when there is no model or it was never probed."""
        model = self.decisions.model
        if model is None:
            return ()
        rows = await self.core.db.read(lambda con: store_aptitudes.read(con, model.name))
        return tuple(Aptitude(Matter(matter), *numbers) for matter, *numbers in rows)

    async def probe(self, pause: Callable[[], Awaitable[None]] = at_once) -> tuple[Aptitude, ...]:
        """Put the built-in cases to the connected model and trust it from now on where it beat the device.

        `pause` is awaited before each question, so that a user's own can go first.
        """
        model = self.decisions.model
        if model is None:
            return ()
        found = tuple(
            [await probe(matter, cases, self.decisions, pause) for matter, cases in read_cases().items()]
        )
        scores = [(score.matter.value, score.on_device, score.model, score.asked, score.n) for score in found]
        now = self.core.clock()
        await self.core.db.write(lambda con: store_aptitudes.save(con, model.name, scores, now))
        await self.connect(model)
        return found

    async def _neighbours(self, candidate: Candidate) -> list[Neighbour]:
        vector = (await self.core.embed([fact_text(candidate.statement, candidate.key)]))[0]
        near = await self.facts.nearest(vector, key=candidate.key, limit=_NEIGHBOURS)
        return [Neighbour(fact, similarity) for fact, similarity in near]


_NOTHING_SAID = "Noted."


def _without_echo(episode: Episode) -> Episode:
    """A turn as it is learned from: what the memory only quoted back, or an answer that broke off, teaches nothing."""
    whole = episode.model != MEMORY_ALONE and episode.state is AnswerState.COMPLETE
    return episode if whole else replace(episode, assistant=_NOTHING_SAID)


class _Stopwatch:
    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, name: str) -> None:
        now = perf_counter()
        self.laps[name] = (now - self._last) * 1000
        self._last = now
