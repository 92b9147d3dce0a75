"""The main screen: header, chat, composer, memory panels, status line; it hands actions to whoever carries them out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import DescendantFocus
from textual.screen import Screen
from textual.types import CSSPathType
from textual.widgets import OptionList, TextArea

from assistant.config import Settings
from assistant.conversation.events import Answered, Delta, Failed, Learned, Planned, Reflected, Thinking
from assistant.errors import AssistantError
from assistant.tui.actions import bindings
from assistant.tui.desk import Desk
from assistant.tui.drafts import Drafts
from assistant.tui.flow import ChatFlow
from assistant.tui.keeping import Keeping
from assistant.tui.keys import ACTIONS, NOT_ON_SCREEN, by_slash
from assistant.tui.messages import Happened, MemoryOpened, ModelOpened, Say, ShowEpisode, TurnEnded, Wrote
from assistant.tui.panels import PanelArea, panel_actions
from assistant.tui.readiness import Readiness
from assistant.tui.reading import Reading
from assistant.tui.state import ScreenState
from assistant.tui.widgets.chat_log import ChatLog, NewOutputBar
from assistant.tui.widgets.completions import Completions
from assistant.tui.widgets.composer import Composer
from assistant.tui.widgets.header import TitleBar
from assistant.tui.widgets.status_line import StatusLine
from assistant.tui.widgets.turn import Turn
from assistant.tui.writing import Writing

if TYPE_CHECKING:
    from assistant.conversation.turn import Session
    from assistant.memory.engine import MemoryEngine
    from assistant.memory.ports import ChatModel


_LIKE_A_COMMAND = re.compile(r"/[A-Za-z]+")


class MainScreen(Screen[None]):
    CSS_PATH: ClassVar[CSSPathType | None] = "main.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012  # declared so by textual
    VERTICAL_BREAKPOINTS = [(0, "-low"), (14, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings([act for act in ACTIONS if act.id not in NOT_ON_SCREEN]),
        *bindings([replace(act, do=f"panel('{panel.id}')") for panel, act in panel_actions()]),
    ]

    def __init__(
        self,
        settings: Settings,
        state: ScreenState,
        keys: Mapping[str, str],
        connect: Callable[[str], None],
        *,
        go_on: bool = False,
    ) -> None:
        """`connect` opens the model of the settings, or of the same server the one that is named; ModelOpened follows.

        `go_on` opens the newest conversation first, instead of a new one.
        """
        super().__init__(
            classes="-wide -high"
        )  # as most windows are: there nothing is styled anew at the first resize
        self.settings = settings
        self.state = state
        self.keys = keys
        self.readiness = Readiness(self, connect, go_on=go_on)
        self.drafts = Drafts(state)
        self.header = TitleBar()
        self.log_view = ChatLog(mounted=settings.screen.mounted_messages, keys=keys, id="log")
        self.completions = Completions(id="completions")
        self.composer = Composer(keys, self.drafts.prompts, self.completions, id="composer")
        self.panels = PanelArea(state, keys)
        self.status = StatusLine(keys, id="status")
        self.flow = ChatFlow(self, self.log_view, self.composer)
        self.desk = Desk(self)
        self._doubted = ""
        """A message that looked like a mistyped command and was given back."""
        self._performers: dict[str, tuple[object, ...]] = {
            "chat": (self.flow, Reading(self, self.log_view, self.composer)),
            "compose": (Writing(self, self.composer),),
            "conversation": (self.desk,),
            "memory": (Keeping(self),),
        }

    def compose(self) -> ComposeResult:
        yield self.header
        with Horizontal(id="body"):
            with Vertical(id="chat"):
                yield self.log_view
                yield NewOutputBar("▼ New output below", markup=False, id="new-output")
                yield self.completions
                yield self.composer
            yield self.panels
        yield self.status

    def on_mount(self) -> None:
        self.set_class(not self.settings.screen.panels, "-panels-hidden")
        self.query_one("#new-output").display = False
        self.composer.restore(self.drafts.of(None))
        self.composer.focus()

    # Actions ----------------------------------------------------------------------------------------------------------

    async def action_do(self, action: str, argument: str = "") -> None:
        """Carry out an action of the table in keys.py; what it cannot do it says in a sentence."""
        method = self.performer(action)
        if method is None:
            return
        try:
            result = method(argument)
            if isawaitable(result):
                await result
        except AssistantError as problem:
            self.status.say(str(problem), "error")

    def performer(self, action: str) -> Callable[[str], Any] | None:
        """Who carries out an action: the method `do_name` of one of the objects that are kept for its area."""
        area, _, name = action.partition(".")
        for performer in self._performers.get(area, (self.app,)):
            if (method := getattr(performer, f"do_{name}", None)) is not None:
                return cast("Callable[[str], Any]", method)
        return None

    def toggle_panels(self) -> None:
        """Show or hide the memory panels; on a narrow screen they lie over the chat."""
        if self.has_class("-narrow"):
            if self.panels.display:
                self.leave_panels()
            else:
                self.focus_panels()
            return
        self.toggle_class("-panels-hidden")
        if not self.panels.display or self.panels.has_focus_within:
            self.composer.focus()

    def focus_panels(self) -> None:
        """To the panels, and from there back to the message field."""
        if self.panels.has_focus_within:
            self.leave_panels()
        else:
            self._show_panels()
            self.panels.go(self.panels.newest)

    @on(PanelArea.Left)
    def leave_panels(self) -> None:
        """Back to the message field, and away with panels that lie over it."""
        self.remove_class("-panels-over")
        self.composer.focus()

    def action_panel(self, name: str) -> None:
        """Go to a memory panel."""
        self._show_panels()
        self.panels.go(name)

    async def do_in_panel(self, name: str, action: str) -> None:
        """Go to a memory panel and carry out one of its actions."""
        self._show_panels()
        await self.panels.do_in(name, action)

    def _show_panels(self) -> None:
        self.remove_class("-panels-hidden")
        self.set_class(self.has_class("-narrow"), "-panels-over")

    def begin_command(self, slash: str, argument: str = "") -> None:
        """Put a command into the message field, for the user to complete."""
        self.composer.replace_text(f"/{slash} {argument}")
        self.composer.focus()

    @on(Composer.Sent)
    async def _sent(self, message: Composer.Sent) -> None:
        self.status.clear()
        word, _, argument = message.text.strip().partition(" ")
        if (command := by_slash().get(word.removeprefix("/"))) and word.startswith("/"):
            await self.action_do(command.id, argument.strip())
            return
        if _LIKE_A_COMMAND.fullmatch(message.text.split(maxsplit=1)[0]) and message.text != self._doubted:
            self._doubt(message.text, word)
            return
        if not (self.flow.session and self.flow.session.private):
            self.drafts.add_prompt(message.text)
        await self.flow.send(message.text)

    def _doubt(self, text: str, word: str) -> None:
        """A message that begins like a command, but like none that there is, goes only when it is sent once more."""
        self._doubted = text
        self.composer.put_back(text)
        self.status.say(f"There is no command {word}. Enter again sends it as a message.", "warning")

    @on(Turn.Typed)
    def _typed_on_a_turn(self, message: Turn.Typed) -> None:
        self.composer.focus()
        self.composer.add_text(message.text)

    @on(TextArea.Changed, "#composer")
    def _typed(self) -> None:
        self._keep_draft()

    @on(OptionList.OptionSelected, "#completions")
    def _completed(self, message: OptionList.OptionSelected) -> None:
        self.composer.replace_text(f"{message.option_id} ")
        self.composer.focus()

    # Memory and model arrive ------------------------------------------------------------------------------------------

    @property
    def memory(self) -> MemoryEngine | None:
        return self.readiness.memory

    @property
    def model(self) -> ChatModel | None:
        return self.readiness.model

    @on(MemoryOpened)
    async def _memory_opened(self, message: MemoryOpened) -> None:
        await self.readiness.memory_opened(message.memory)

    @on(ModelOpened)
    async def _model_opened(self, message: ModelOpened) -> None:
        self.header.model = message.model.name if message.model else ""
        await self.readiness.model_opened(message)

    def use_settings(self, settings: Settings) -> None:
        self.settings = settings
        if self.flow.session is not None:
            self.flow.session.settings = settings

    async def take_session(self, session: Session, *, at: int | None = None) -> None:
        """Show another conversation; the first one takes over what was typed and sent while the program was starting."""
        starting = self.flow.session is None
        if not starting:
            self.flow.return_waiting()
            self._keep_draft()
        under_way = self.flow.take_session(session)
        self.readiness.connect_for(session.conversation.model if session.conversation else "")
        if not starting:
            self.composer.restore(self.drafts.of(session))
        if session.turns or not starting:
            await self.log_view.show(session.turns, at=at)
            await self.flow.show_waiting()
        if under_way is not None:
            await self.flow.rejoin(under_way)
        self.header.context = session.turns[-1].context_used if session.turns else 0.0
        self.show_title()
        self.show_phase()
        assert self.memory is not None
        await self.panels.attach(self.memory, session)
        if (
            at is None and not starting
        ):  # at the start the cursor is there, unless the user has led it elsewhere
            self.composer.focus()
        self.flow.pump()
        self._show_what_is_known()

    @on(ChatLog.Loaded)
    def _loaded(self) -> None:
        self._show_what_is_known()

    @work(group="known", exclusive=True, exit_on_error=False)
    async def _show_what_is_known(self) -> None:
        """What the memory knows about the turns on the screen: their versions, what they drew on and left behind."""
        await self.flow.show_branches()
        await self.flow.show_traces()

    def show_title(self) -> None:
        session = self.flow.session
        self.header.private = bool(session and session.private)
        self.header.conversation = session.conversation.title if session and session.conversation else ""

    # A turn runs ------------------------------------------------------------------------------------------------------

    @on(Wrote)
    async def _wrote(self, message: Wrote) -> None:
        if message.session is self.flow.session and message.turn.is_attached:
            await message.turn.follow(Delta(message.take()))

    @on(Happened)
    async def _happened(self, message: Happened) -> None:
        event, session = message.event, message.session
        if session is not self.flow.session:
            await self._happened_elsewhere(event, session)
            return
        if message.turn.is_attached:
            await message.turn.follow(event)
        if isinstance(event, Thinking):
            return
        if isinstance(event, Answered | Failed):
            session.model, session.settings = self.model, self.settings  # may have changed while it was away
            self.flow.answered(message.turn)
        self.show_phase()
        try:
            if isinstance(event, Planned | Answered):
                await self.desk.take_title()
            if isinstance(event, Answered):
                self.header.context = event.usage.context_used
                await self.flow.show_branches()
            await self.panels.follow(event)
        except AssistantError as problem:  # the answer itself is on the screen and kept
            self.status.say(str(problem), "error")

    async def _happened_elsewhere(self, event: Any, session: Session) -> None:
        """An answer ended whose conversation was left meanwhile; if another branch of it is on the screen, show it whole."""
        if isinstance(event, Learned | Reflected):
            await self.panels.refresh_records()
        shown = self.flow.session
        if not isinstance(event, Answered | Failed) or session.conversation is None or shown is None:
            return
        if shown.conversation is not None and shown.conversation.id == session.conversation.id:
            await self.desk.show_number(session.conversation.id)

    @on(TurnEnded)
    async def _turn_ended(self, message: TurnEnded) -> None:
        if message.problem:
            await self._broken(message)
        self.show_phase()

    async def _broken(self, message: TurnEnded) -> None:
        """The stream broke without an event: say it where the answer stands, and let the next message go."""
        self.status.say(message.problem, "error")
        failed = Failed(message.problem, episode=message.turn.episode)
        if message.turn.is_attached:
            await message.turn.follow(failed)
        self.flow.answered(message.turn)

    def show_phase(self) -> None:
        self.header.phase = self.readiness.phase

    # What is said, kept, shown ----------------------------------------------------------------------------------------

    @on(Say)
    def _say(self, message: Say) -> None:
        self.status.say(message.text, message.level)

    @on(ShowEpisode)
    async def _show_episode(self, message: ShowEpisode) -> None:
        await self.desk.show_number(message.conversation, message.episode)

    @on(DescendantFocus)
    def _answer_chosen(self, message: DescendantFocus) -> None:
        """The panels show what the answer under the cursor was made of; the next turn brings them back to the newest."""
        if isinstance(message.widget, Turn) and message.widget.episode is not None:
            shown = self.panels.show_answer(message.widget.episode.id)
            self.run_worker(shown, group="panels", exclusive=True)

    def _keep_draft(self) -> None:
        self.drafts.keep(self.flow.session, self.composer.draft)
