"""One turn, from the user's message to what was learned from it, as a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from time import perf_counter

from assistant.config import Settings
from assistant.conversation.events import (
    Answered,
    Delta,
    Failed,
    Learned,
    Notice,
    Planned,
    Recalled,
    Reflected,
    Thinking,
    TurnEvent,
    Usage,
)
from assistant.conversation.from_memory import answer_from_memory
from assistant.conversation.prompt import Budget, build_prompt
from assistant.errors import AssistantError, UnknownIdError
from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import ChatModel, EndPiece, Message, Piece, TextPiece, ThoughtPiece
from assistant.memory.records import MEMORY_ALONE, ROOT, AnswerState, Conversation, Episode, Recall
from assistant.text import StreamCleaner, clean_text, estimate_tokens

_CONTINUE = "Your last answer broke off. Go on exactly where it stopped; repeat nothing."


@dataclass(slots=True)
class _Answer:
    """What has arrived of an answer, and from whom: the session may be given another model before it ends."""

    model: ChatModel | None
    text: str = ""
    started: float = field(default_factory=perf_counter)
    first: float = 0.0
    end: EndPiece = field(default_factory=EndPiece)

    def add(self, text: str) -> None:
        self.first = self.first or perf_counter() - self.started
        self.text += text

    @property
    def author(self) -> str:
        return self.model.name if self.model is not None else MEMORY_ALONE

    @property
    def seconds(self) -> float:
        return perf_counter() - self.started

    @property
    def tokens(self) -> int:
        return self.end.answer_tokens or estimate_tokens(self.text)


class Session:
    """An open conversation. `turns` is the branch that is shown, oldest first.

    A private session recalls but keeps nothing: its turns live here alone and carry negative ids.
    """

    def __init__(
        self,
        memory: MemoryEngine,
        model: ChatModel | None,
        settings: Settings,
        *,
        conversation: Conversation | None = None,
        private: bool = False,
    ) -> None:
        self.memory = memory
        self.model = model
        self.settings = settings
        self.conversation = conversation
        self.private = private
        self.turns: list[Episode] = []
        self._stopping = asyncio.Event()

    async def load(self) -> None:
        """Read the conversation's shown branch from the memory."""
        if self.conversation is not None:
            self.conversation = await self.memory.conversations.get(self.conversation.id)
            self.turns = await self.memory.conversations.branch(self.conversation.id)

    # What the user does ---------------------------------------------------------------------------------------------

    def ask(self, text: str) -> AsyncGenerator[TurnEvent, None]:
        """A new turn at the end of the branch."""
        return self._run(text, tuple(self.turns))

    def regenerate(self, episode_id: int) -> AsyncGenerator[TurnEvent, None]:
        """The same message answered anew; the earlier answer stays as a branch."""
        place, episode = self._find(episode_id)
        return self._run(episode.user, tuple(self.turns[:place]))

    def edit(self, episode_id: int, text: str) -> AsyncGenerator[TurnEvent, None]:
        """Another message in the place of an earlier one, which stays as a branch."""
        place, _ = self._find(episode_id)
        return self._run(text, tuple(self.turns[:place]))

    def resume(self, episode_id: int) -> AsyncGenerator[TurnEvent, None]:
        """Go on with an answer that was cut; the longer one is a branch of its own."""
        place, episode = self._find(episode_id)
        return self._run(episode.user, tuple(self.turns[:place]), begun=episode.assistant)

    def stop(self) -> None:
        """End the answer under way: the model stops at once, and what arrived is kept, marked as cut."""
        self._stopping.set()

    async def siblings(self, episode_id: int) -> list[Episode]:
        """All versions of a turn, oldest first, with itself among them."""
        _, episode = self._find(episode_id)
        return [episode] if self.private else await self.memory.conversations.siblings(episode_id)

    async def step(self, episode_id: int, direction: int) -> None:
        """Show the version of a turn before (-1) or after (+1) this one, with what followed it."""
        versions = await self.siblings(episode_id)
        place = [version.id for version in versions].index(episode_id) + direction
        if 0 <= place < len(versions) and not self.private:
            await self.memory.conversations.show_branch(versions[place].id)
            await self.load()

    # The turn -------------------------------------------------------------------------------------------------------

    async def _run(
        self, text: str, history: tuple[Episode, ...], *, begun: str = ""
    ) -> AsyncGenerator[TurnEvent, None]:
        self._stopping = stopping = asyncio.Event()
        answer = _Answer(self.model, begun)
        episode = await self._record(clean_text(text), history)
        self.turns = [*history, episode]
        try:
            recall = await self._recall(episode, history)
            yield Planned(recall.plan)
            prompt = self._prompt(recall, history, episode.user, answer)
            yield Recalled(recall, prompt)
            if begun:
                yield Delta(begun)
            async with aclosing(self._answer(prompt, recall, answer, stopping)) as coming:
                async for event in coming:
                    yield event
            usage = self._usage(answer, prompt)
            episode = await self._finish(
                episode, answer, self._state(answer, stopping), context_used=usage.context_used
            )
            yield Answered(episode, usage)
        except AssistantError as problem:
            episode = await self._finish(episode, answer, AnswerState.FAILED, error=str(problem))
            yield Failed(problem.message, problem.hint, episode, exit_code=problem.exit_code)
        except (asyncio.CancelledError, GeneratorExit):
            await asyncio.shield(self._finish(episode, answer, AnswerState.CUT))
            raise
        async with aclosing(self._take_in(episode)) as learning:
            async for event in learning:
                yield event

    async def _answer(
        self, prompt: tuple[Message, ...], recall: Recall, answer: _Answer, stopping: asyncio.Event
    ) -> AsyncGenerator[TurnEvent, None]:
        """Deltas and thoughts, gathered in `answer` as they pass."""
        if answer.model is None:
            answer.add(answer_from_memory(recall.plan.question, recall, private=self.private))
            yield Delta(answer.text)
            return
        pieces = answer.model.talk(
            prompt, temperature=self._temperature(), max_tokens=self.settings.model.max_tokens
        )
        spoken, thought = StreamCleaner(), StreamCleaner()
        async with aclosing(_until(stopping, pieces)) as coming:
            async for piece in coming:
                match piece:
                    case TextPiece(text) if clean := spoken.feed(text):
                        answer.add(clean)
                        yield Delta(clean)
                    case ThoughtPiece(text) if clean := thought.feed(text):
                        yield Thinking(clean)
                    case EndPiece():
                        answer.end = piece
        if rest := spoken.finish():
            answer.add(rest)
            yield Delta(rest)
        if answer.end.cut:
            yield Notice(answer.end.cut)

    async def _take_in(self, episode: Episode) -> AsyncGenerator[TurnEvent, None]:
        """Learn and reflect. A failure here loses nothing: the turn is recorded and is learned from at the next start.

        That holds for any failure: the answer is on the screen already, and a fault in learning must not take it away.
        """
        if self.private:
            return
        try:
            learning = await self.memory.learn(episode.id)
            yield Learned(learning.changes, learning.masked)
            changes = await self.memory.reflect(episode.id)
            ids = [entry.subject_id for entry in changes if entry.subject_id is not None]
            yield Reflected(tuple([await self.memory.judgments.get(found) for found in ids]), changes)
        except Exception as problem:  # noqa: BLE001
            yield Notice(
                f"The turn is kept, but was not learned from yet: {problem or type(problem).__name__}"
            )

    # Memory, or nothing of it when private --------------------------------------------------------------------------

    async def _record(self, text: str, history: tuple[Episode, ...]) -> Episode:
        if self.private:
            fresh = -1 - len(history)
            return Episode(fresh, 0, None, text, "", self.memory.core.clock(), AnswerState.OPEN)
        if self.conversation is None:
            self.conversation = await self.memory.conversations.create()
        return await self.memory.record(
            text, conversation=self.conversation.id, parent=history[-1].id if history else ROOT
        )

    async def _recall(self, episode: Episode, history: tuple[Episode, ...]) -> Recall:
        recall = await self.memory.recall(episode.user, exclude=[turn.id for turn in (*history, episode)])
        if self.private:
            return recall
        return replace(recall, plan=await self.memory.note_recall(episode.id, recall))

    async def _finish(
        self,
        episode: Episode,
        answer: _Answer,
        state: AnswerState,
        error: str = "",
        context_used: float = 0.0,
    ) -> Episode:
        if self.private:
            done = replace(
                episode,
                assistant=answer.text,
                state=state,
                model=answer.author,
                error=error,
                context_used=context_used,
            )
        else:
            done = await self.memory.finish(
                episode.id,
                answer.text,
                state=state,
                model=answer.author,
                tokens=answer.tokens,
                seconds=answer.seconds,
                error=error or answer.end.cut,
                context_used=context_used,
            )
        self.turns = [done if turn.id == episode.id else turn for turn in self.turns]
        return done

    # Small questions ------------------------------------------------------------------------------------------------

    def _find(self, episode_id: int) -> tuple[int, Episode]:
        for place, episode in enumerate(self.turns):
            if episode.id == episode_id:
                return place, episode
        raise UnknownIdError(f"There is no turn {episode_id} in this conversation.")

    def _prompt(
        self, recall: Recall, history: Sequence[Episode], question: str, answer: _Answer
    ) -> tuple[Message, ...]:
        if answer.model is None:
            return ()
        chosen = self.settings.model
        wishes = [chosen.instructions, self.conversation.instructions if self.conversation else ""]
        prompt = build_prompt(
            recall,
            history,
            question,
            Budget(answer.model.context_tokens, chosen.max_tokens),
            now=self.memory.core.clock().astimezone(),
            instructions="\n".join(filter(None, wishes)),
        )
        begun = (Message("assistant", answer.text), Message("user", _CONTINUE)) if answer.text else ()
        return (*prompt, *begun)

    def _temperature(self) -> float | None:
        own = self.conversation.temperature if self.conversation else None
        return self.settings.model.temperature if own is None else own

    def _state(self, answer: _Answer, stopping: asyncio.Event) -> AnswerState:
        return AnswerState.CUT if stopping.is_set() or answer.end.cut else AnswerState.COMPLETE

    def _usage(self, answer: _Answer, prompt: tuple[Message, ...]) -> Usage:
        counted = sum(estimate_tokens(message.content) for message in prompt)
        return Usage(
            model=answer.author,
            seconds=answer.seconds,
            first_token_seconds=answer.first,
            prompt_tokens=answer.end.prompt_tokens or counted,
            answer_tokens=answer.tokens,
            context_tokens=answer.model.context_tokens if answer.model is not None else 0,
        )


async def _until(stop: asyncio.Event, pieces: AsyncGenerator[Piece, None]) -> AsyncGenerator[Piece, None]:
    """`pieces` until they end or `stop` is set, which also cancels a read that waits for the server."""
    stopping = asyncio.ensure_future(stop.wait())
    coming: asyncio.Future[Piece | None] | None = None
    try:
        while not stop.is_set():
            coming = asyncio.ensure_future(anext(pieces, None))
            await asyncio.wait({coming, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if not coming.done():
                return
            piece = coming.result()
            if piece is None:
                return
            yield piece
    finally:
        stopping.cancel()
        if coming is not None and not coming.done():
            coming.cancel()
            with suppress(asyncio.CancelledError):
                await coming
        await pieces.aclose()
