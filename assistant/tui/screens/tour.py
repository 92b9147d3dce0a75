"""The tour: the main screen over a demo memory in a temporary folder, with a card that leads from step to step."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.types import CSSPathType
from textual.widgets import Input

from assistant.config import Settings
from assistant.tui.messages import MemoryOpened, ModelOpened, Say
from assistant.tui.screens.main import MainScreen
from assistant.tui.state import ScreenState
from assistant.tui.tour import STEPS
from assistant.tui.widgets.tour_card import TourCard

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine
    from assistant.memory.ports import Embedder

_LOOK = 0.2
"""Seconds between looks at whether the user did what a step asks for."""
_PATIENCE = 2.0
"""Seconds that leaving waits for an answer to stop."""
_NOT_HERE = frozenset({"app.settings", "app.setup", "app.theme", "app.reconnect", "app.tour"})
"""What would change the user's own settings, or begin the tour within the tour."""


class TourScreen(MainScreen):
    """Nothing that happens here reaches the user's memory, settings or drafts."""

    CSS_PATH: ClassVar[CSSPathType | None] = ["main.tcss", "tour.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,enter", "step(1)", show=False, priority=True),
        Binding("left", "step(-1)", show=False, priority=True),
    ]

    def __init__(
        self, settings: Settings, keys: Mapping[str, str], embedder: Callable[[], Awaitable[Embedder]]
    ) -> None:
        """`embedder` waits for the one that is loaded already: that of the user's memory."""
        from assistant.conversation.demo import Script, ScriptedModel, demo_settings

        self._folder = TemporaryDirectory(prefix="assistant-tour-")
        self._script = Script.read()
        self._model = ScriptedModel(self._script)
        self._embedder = embedder
        self._demo: MemoryEngine | None = None
        self._place = 0
        self._before: object = None
        self._did = False
        state = ScreenState(Path(self._folder.name) / "screen.json")
        state.put("drafts", {"new": {"text": self._script.question}})
        super().__init__(demo_settings(settings), state, keys, self._connect_demo, go_on=True)
        self.card = TourCard(STEPS, keys)

    def compose(self) -> ComposeResult:
        yield self.card
        yield from super().compose()

    def on_mount(self) -> None:
        self._show(0)
        self._open()
        self.set_interval(_LOOK, self._look)

    @work(group="demo")
    async def _open(self) -> None:
        from assistant.conversation.demo import open_demo

        store = Path(self._folder.name) / "memory.duckdb"
        self._demo = await open_demo(store, await self._embedder(), self.settings, self._script)
        self._connect_demo()
        self.post_message(MemoryOpened(self._demo))

    def _connect_demo(self, _: str = "") -> None:
        self.post_message(ModelOpened(self._model))

    async def on_unmount(self) -> None:
        if self._demo is not None:
            await self._demo.close()
        self._folder.cleanup()

    # From step to step --------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter and the arrows go on and back where they have no other use: an empty message field, the panels for the arrows."""
        if action != "step":
            return super().check_action(action, parameters)
        if self.app.screen is not self or isinstance(self.focused, Input):
            return False
        return not self.composer.text if self.composer.has_focus else not self.panels.has_focus_within

    async def action_step(self, direction: int) -> None:
        """To the next step or the one before; from the last one out."""
        step = STEPS[self._place]
        if direction > 0 and step.instead is not None and self.composer.text:
            step.instead(self)
        elif self._place + direction == len(STEPS):
            await self.leave()
        elif self._place + direction >= 0:
            self._show(self._place + direction)

    @on(TourCard.Pressed)
    async def _pressed(self, message: TourCard.Pressed) -> None:
        if message.what == "leave":
            await self.leave()
        else:
            await self.action_step(1 if message.what == "next" else -1)

    def _show(self, place: int) -> None:
        self._place, self._did = place, False
        step = STEPS[place]
        self._before = step.done(self)
        self.card.show(place)
        self.query(".-toured").remove_class("-toured")
        if step.look:
            self.query(step.look).add_class("-toured")

    def on_screen_suspend(self) -> None:
        """Something opens over the screen, perhaps for an instant only."""
        self._look()

    def _look(self) -> None:
        """Go on when the user did what the step asks for, no answer is under way and nothing lies over the screen."""
        now = STEPS[self._place].done(self)
        self._did = self._did or (now != self._before and bool(now))
        self._before = now
        if self._did and self.flow.running is None and self.app.screen is self:
            self._show(self._place + 1)

    # What is different here ---------------------------------------------------------------------------------------------

    def performer(self, action: str) -> Callable[[str], Any] | None:
        if action in _NOT_HERE:
            return self._refuse
        idle = self.flow.running is None and self.flow.editing is None
        return self._leave_by_key if action == "chat.stop" and idle else super().performer(action)

    def _refuse(self, _: str = "") -> None:
        self.post_message(Say("In the tour nothing of your own is changed; Esc leaves it.", level="warning"))

    async def _leave_by_key(self, _: str = "") -> None:
        await self.leave()

    async def leave(self) -> None:
        """Back to where the user was."""
        await self.flow.finish_up(_PATIENCE)
        self.dismiss()
