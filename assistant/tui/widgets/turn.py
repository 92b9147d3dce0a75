"""One turn on the screen: what the user wrote, the answer, and a quiet line about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from assistant.conversation.events import Answered, Delta, Failed, Notice, Thinking, TurnEvent
from assistant.memory.figures import Trace
from assistant.memory.records import AnswerState, Episode
from assistant.text import clean_text
from assistant.tui.widgets.answer import Answer
from assistant.tui.widgets.plain_text import PlainText
from assistant.tui.widgets.thinking import Thinking as ThinkingLine
from assistant.tui.widgets.turn_line import TurnLine, state_words

_FOLDED = 2_000
"""Characters of a sent message that are shown before it is folded."""


class Turn(Vertical, can_focus=True):
    """Made of an episode, or of a text that is about to be asked (`episode` is None until the first event names it)."""

    class Typed(Message):
        """Text that was typed while a turn had the focus."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(
        self, question: str, episode: Episode | None = None, *, keys: Mapping[str, str] | None = None
    ) -> None:
        super().__init__()
        self.question = question
        self.episode = episode
        self.from_memory = episode is not None and episode.state is not AnswerState.OPEN
        self.line = TurnLine.of(episode) if episode else TurnLine()
        self._keys = keys or {}
        self._answer = Answer(episode.assistant if episode else "")
        self._thoughts: ThinkingLine | None = None

    def compose(self) -> ComposeResult:
        yield PlainText(self._question_shown(), classes="question")
        yield self._answer
        yield Static(markup=False, classes="mark")
        yield Static(markup=False, classes="line")

    def on_mount(self) -> None:
        self._mark("", "")
        if self.episode is None:
            return
        self._show_state(self.episode)
        self._show_line()

    def on_key(self, event: events.Key) -> None:
        """Typing while a turn has the focus goes to the message field."""
        if event.is_printable and event.character:
            event.stop()
            self.post_message(self.Typed(event.character))

    # What is shown --------------------------------------------------------------------------------------------------

    @property
    def answer(self) -> str:
        return self._answer.text

    def _question_shown(self) -> str:
        text = clean_text(self.question).strip("\n")
        if len(text) <= _FOLDED:
            return text
        return f"{text[:_FOLDED].rstrip()} …\n[{len(text) - _FOLDED:,} more characters]"

    def wait(self, waiting: bool) -> None:  # noqa: FBT001  # a state, as in set_class
        """Mark a message that is not sent yet."""
        self.set_class(waiting, "waiting")
        self._mark("Waiting to be sent." if waiting else "", "")

    async def follow(self, event: TurnEvent) -> None:
        """Show one event of the turn that is running here."""
        match event:
            case Delta(text=text):
                self._end_thinking()
                self._answer.add(text)
            case Thinking(text=text):
                (await self._thinking()).add(text)
            case Answered(episode=episode):
                self._settle(episode)
            case Failed(episode=episode):
                self._fail(event, episode)
            case Notice(text=text):
                self._mark(text, "notice")
            case _:
                pass
        if not isinstance(event, Delta | Thinking):
            self.line = self.line.with_event(event)
            self._show_line()

    def _settle(self, episode: Episode) -> None:
        self.episode = episode
        self._end_thinking()
        self._answer.finish(episode.assistant)
        self._show_state(episode)

    def _fail(self, failed: Failed, episode: Episode | None) -> None:
        self.episode = episode or self.episode
        self._end_thinking()
        self._answer.finish(episode.assistant if episode and episode.assistant else None)
        self.add_class("failed")
        words = f"{failed.text} {failed.hint}".strip()
        self._mark(f"✗ {words} {self._offer('chat.again', 'tries again')}", "error")

    def _show_state(self, episode: Episode) -> None:
        self.set_class(episode.state is AnswerState.CUT, "cut")
        self.set_class(episode.state is AnswerState.FAILED, "failed")
        words = state_words(episode)
        match episode.state:
            case AnswerState.CUT:
                offers = (
                    f"{self._offer('chat.resume', 'continues')} {self._offer('chat.again', 'tries again')}"
                )
                self._mark(f"■ {words} {offers}", "notice")
            case AnswerState.FAILED:
                self._mark(f"✗ {words} {self._offer('chat.again', 'tries again')}", "error")
            case AnswerState.OPEN:
                self._mark(f"No answer yet. {self._offer('chat.again', 'asks again')}", "notice")
            case _:
                pass

    def _offer(self, action: str, verb: str) -> str:
        key = self._keys.get(action, "").partition(",")[0]
        return f"{key} {verb}." if key else ""

    def _mark(self, text: str, kind: str) -> None:
        mark = self.query_one(".mark", Static)
        mark.update(Text(clean_text(text).strip()))
        mark.set_classes(f"mark {kind}".strip())
        mark.display = bool(text)

    def show_branch(self, branch: tuple[int, int], *, continued: bool = False) -> None:
        """Say which version of the turn this is, (place, count) from 1, and whether it goes on from one that was cut."""
        self.line = replace(self.line, branch=branch, continued=continued)
        self._show_line()

    def show_trace(self, trace: Trace) -> None:
        """Say what the turn drew on and left behind."""
        self.line = self.line.with_trace(trace)
        self._show_line()

    def _show_line(self) -> None:
        line = self.query_one(".line", Static)
        place, count = self.line.branch
        words = Content(clean_text(self.line.words()))
        if count > 1:
            step = Content.from_markup(
                "[@click=screen.do('chat.branch_before')]‹[/] $place/$count [@click=screen.do('chat.branch_after')]›[/]  ",
                place=str(place),
                count=str(count),
            )
            words = step + words
        line.update(words)
        line.display = bool(words.plain)

    # Thinking ---------------------------------------------------------------------------------------------------------

    async def _thinking(self) -> ThinkingLine:
        if self._thoughts is None:
            self._thoughts = ThinkingLine()
            await self.mount(self._thoughts, before=self._answer)
        return self._thoughts

    def _end_thinking(self) -> None:
        if self._thoughts is not None and not self._thoughts.over:
            self._thoughts.end()

    def toggle_thinking(self) -> bool:
        """Open or fold the thinking; False when this turn has none."""
        if self._thoughts is None:
            return False
        self._thoughts.opened = not self._thoughts.opened
        return True
