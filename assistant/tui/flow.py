"""The conversation on the screen: what is sent, what waits, what runs. Asks the session, posts its events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.conversation.events import Delta, TurnEvent
from assistant.errors import AssistantError
from assistant.memory.records import AnswerState, Episode
from assistant.tui.messages import Happened, Say, TurnEnded, Wrote
from assistant.tui.streams import Stream
from assistant.tui.widgets.chat_log import ChatLog
from assistant.tui.widgets.composer import Composer
from assistant.tui.widgets.turn import Turn

if TYPE_CHECKING:
    from textual.screen import Screen

    from assistant.conversation.turn import Session
    from assistant.memory.ports import ChatModel

_BEING_EDITED = "An earlier message is being edited: Enter sends it anew, Esc gives up."


@dataclass(frozen=True, slots=True)
class _Waiting:
    text: str
    turn: Turn


class ChatFlow:
    """Owner of the session that is shown. Carries out the `chat.…` actions that change the conversation."""

    def __init__(self, screen: Screen[None], log: ChatLog, composer: Composer) -> None:
        self.session: Session | None = None
        self.running: Turn | None = None
        """The turn whose answer is under way."""
        self.editing: Turn | None = None
        self.held = False
        """True while another model is being opened: messages wait."""
        self._screen = screen
        self._log = log
        self._composer = composer
        self._waiting: list[_Waiting] = []
        self._streams: list[Stream] = []

    # Sending ----------------------------------------------------------------------------------------------------------

    async def send(self, text: str) -> None:
        """Ask `text`: at once, or as soon as memory, model and the answer before it are done. It is never lost."""
        if self.editing is not None:
            await self._send_edited(text)
            return
        await self._wait(text)
        self.pump()

    async def _wait(self, text: str) -> None:
        turn = await self._log.begin(text)
        turn.wait(waiting=True)
        self._waiting.append(_Waiting(text, turn))

    async def show_waiting(self) -> None:
        """Put the messages that wait below what was shown in the place of all there was."""
        texts = [each.text for each in self._waiting]
        self._waiting = []
        for text in texts:
            await self._wait(text)

    def pump(self) -> None:
        """Send the next waiting message if nothing stands in the way."""
        if self.session is None or self.held or self.running is not None or not self._waiting:
            return
        first = self._waiting.pop(0)
        first.turn.wait(waiting=False)
        self._run(self.session.ask(first.text), first.turn)

    def take_session(self, session: Session) -> Stream | None:
        """Show another session from now on; a running answer of the old one goes on in the background.

        Returns the answer under way in the new one: `rejoin` shows it once its turn is mounted, even if it has ended by then.
        """
        self.session = session
        self.running = None
        if self.editing is not None:
            self.end_editing()
        return next((each for each in self._answering if each.session is session), None)

    def under_way(self, conversation: int) -> Session | None:
        """The session that is answering in a conversation that was left."""
        sessions = (stream.session for stream in self._answering)
        return next(
            (each for each in sessions if each.conversation and each.conversation.id == conversation), None
        )

    def answering_in(self) -> set[int]:
        """Ids of the conversations that an answer is under way in."""
        sessions = (stream.session for stream in self._answering)
        return {each.conversation.id for each in sessions if each.conversation}

    @property
    def _answering(self) -> list[Stream]:
        return [stream for stream in self._streams if stream.answering]

    async def rejoin(self, stream: Stream) -> None:
        """Show in its turn what has arrived of an answer, and what comes from now on."""
        turn = self._log.turns[-1] if self._log.turns else None
        if turn is None or turn.episode is None or turn.episode.id != stream.session.turns[-1].id:
            return
        self.running = turn
        turn.wait(waiting=False)
        await stream.move_to(turn)
        if not stream.answering:
            self.answered(turn)

    def take_back(self) -> list[str]:
        """Messages that wait are taken off the list; returns their texts."""
        texts = [waiting.text for waiting in self._waiting]
        for waiting in self._waiting:
            waiting.turn.remove()
        self._waiting = []
        return texts

    def _run(self, events: AsyncIterator[TurnEvent], turn: Turn) -> None:
        assert self.session is not None
        self.running = turn
        stream = Stream(self.session, turn, self.session.model)
        self._streams.append(stream)
        self._screen.run_worker(self._listen(events, stream), group="turn", exit_on_error=False)

    async def _listen(self, events: AsyncIterator[TurnEvent], stream: Stream) -> None:
        problem = ""
        try:
            await self._pass_on(events, stream)
        except AssistantError as error:
            problem = str(error)
        except Exception as error:  # noqa: BLE001  # whatever a model's library raises ends the turn, never the program
            problem = f"The turn ended unexpectedly: {type(error).__name__}: {error}"
        finally:
            self._streams.remove(stream)
            stream.over.set()
        self._screen.post_message(TurnEnded(stream.turn, stream.session, problem))

    async def _pass_on(self, events: AsyncIterator[TurnEvent], stream: Stream) -> None:
        """Post each event; text joins the message before it while that one is not handled yet and for the same turn."""
        wrote: Wrote | None = None
        async for event in events:
            stream.heard.append(event)
            if not isinstance(event, Delta):
                wrote = None
                self._screen.post_message(Happened(event, stream.turn, stream.session))
            elif wrote is None or wrote.taken or wrote.turn is not stream.turn:
                wrote = Wrote(event.text, stream.turn, stream.session)
                self._screen.post_message(wrote)
            else:
                wrote.grow(event.text)

    def answered(self, turn: Turn) -> None:
        """The answer of `turn` is over; what it taught may still follow. The next message may go."""
        if self.running is turn:
            self.running = None
        self.pump()

    async def let_end(self, model: ChatModel | None) -> None:
        """Wait until nothing is being answered by `model` any more, in whatever conversation."""
        for stream in [each for each in self._streams if each.model is model]:
            await stream.over.wait()

    async def finish_up(self, seconds: float) -> None:
        """Before leaving: stop the answers under way and wait, at most `seconds`, until what arrived is kept."""
        stopped = self._answering
        for stream in stopped:
            stream.session.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                for stream in stopped:
                    await stream.over.wait()

    # Actions ------------------------------------------------------------------------------------------------------------

    def do_stop(self, _: str = "") -> None:
        if self.editing is not None:
            self.end_editing()
        elif self.running is not None and self.session is not None:
            self.return_waiting()
            self.session.stop()
        elif self._waiting:
            self.return_waiting()
        else:
            self._composer.focus()

    def return_waiting(self) -> None:
        """Messages that wait go back to the message field rather than being sent after a stop."""
        for text in reversed(self.take_back()):
            self._composer.put_back(text)

    async def do_again(self, _: str = "") -> None:
        await self._anew(lambda session, number: session.regenerate(number), "There is nothing to ask again.")

    async def do_resume(self, _: str = "") -> None:
        if self._busy():
            return
        turn = self._log.chosen
        if turn is None or turn.episode is None or turn.episode.state is AnswerState.COMPLETE:
            self._say("That answer is whole: there is nothing to continue.")
            return
        await self._anew(lambda session, number: session.resume(number), "There is nothing to continue.")

    def do_edit(self, _: str = "") -> None:
        if self._busy():
            return
        turn = self._log.chosen
        if turn is None or turn.episode is None:
            self._say("There is no sent message to edit.")
            return
        self.editing = turn
        self._composer.begin_editing(turn.question)

    def end_editing(self) -> None:
        self.editing = None
        self._composer.end_editing()

    async def do_branch_before(self, _: str = "") -> None:
        await self._step(-1)

    async def do_branch_after(self, _: str = "") -> None:
        await self._step(1)

    async def _step(self, direction: int) -> None:
        turn, session = self._log.chosen, self.session
        if turn is None or turn.episode is None or session is None or self._busy():
            return
        siblings = await session.siblings(turn.episode.id)
        ids = [version.id for version in versions_of(siblings, turn.episode.id)]
        place = ids.index(turn.episode.id) + direction
        if not 0 <= place < len(ids):
            self._say("There is no other version of this turn in that direction.")
            return
        every = [version.id for version in siblings]
        await session.step(turn.episode.id, every.index(ids[place]) - every.index(turn.episode.id))
        await self._log.show(session.turns, at=ids[place])
        await self.show_branches()

    async def show_branches(self) -> None:
        """Say on each mounted turn which of its versions it is."""
        if (session := self.session) is None:
            return
        for turn in self._log.turns:
            if turn.episode is None or not any(known.id == turn.episode.id for known in session.turns):
                continue
            siblings = await session.siblings(turn.episode.id)
            versions = [version.id for version in versions_of(siblings, turn.episode.id)]
            if turn.is_mounted and turn.episode.id in versions:
                branch = (versions.index(turn.episode.id) + 1, len(versions))
                turn.show_branch(branch, continued=any(goes_on(turn.episode, each) for each in siblings))

    async def show_traces(self) -> None:
        """Say on each turn from the memory what it drew on and left behind."""
        if (session := self.session) is None or session.private:
            return
        shown = {turn.episode.id: turn for turn in self._log.turns if turn.episode and turn.from_memory}
        for number, trace in (await session.memory.plans.traces(list(shown))).items():
            if shown[number].is_mounted:
                shown[number].show_trace(trace)

    # One way for everything that answers a turn anew ------------------------------------------------------------------

    async def _send_edited(self, text: str) -> None:
        if why := self._in_the_way:
            self._composer.put_back(text)
            self._say(why)
            return
        turn = self.editing
        self.end_editing()
        await self._replace(turn, text, lambda session, number: session.edit(number, text))

    async def _anew(self, ask: Callable[[Session, int], AsyncIterator[TurnEvent]], otherwise: str) -> None:
        if self._busy():
            return
        turn = self._log.chosen
        if turn is None or turn.episode is None:
            self._say(otherwise)
            return
        await self._replace(turn, turn.question, ask)

    async def _replace(
        self, turn: Turn | None, question: str, ask: Callable[[Session, int], AsyncIterator[TurnEvent]]
    ) -> None:
        if turn is None or turn.episode is None or self.session is None:
            return
        number = turn.episode.id
        self._composer.focus()  # else the focus would slip from the turn that goes to the one before it
        await self._log.cut_from(turn)
        self._run(ask(self.session, number), await self._log.begin(question))

    def _busy(self) -> bool:
        """Whether turns must stay as they are for now; says why."""
        why = self._in_the_way or (_BEING_EDITED if self.editing is not None else "")
        if why:
            self._say(why)
        return bool(why)

    @property
    def _in_the_way(self) -> str:
        """Why no turn can be answered anew now, "" where one can."""
        if self.running is not None:
            return "An answer is under way; stop it first."
        return "Another model is being opened; try again in a moment." if self.held else ""

    def _say(self, text: str) -> None:
        self._screen.post_message(Say(text))


def goes_on(episode: Episode, cut: Episode) -> bool:
    """Whether an answer is that of `cut`, continued."""
    return (
        cut.state is AnswerState.CUT
        and episode.id > cut.id
        and episode.user == cut.user
        and len(episode.assistant) > len(cut.assistant) > 0
        and episode.assistant.startswith(cut.assistant)
    )


def versions_of(siblings: Sequence[Episode], shown: int) -> list[Episode]:
    """The versions of a turn that one steps through: without cut answers that a later one goes on from, but for `shown`."""
    return [
        each for each in siblings if each.id == shown or not any(goes_on(other, each) for other in siblings)
    ]
