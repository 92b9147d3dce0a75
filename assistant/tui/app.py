"""The program on the screen. Thin: it opens memory and model in the background and holds what all screens share."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import work
from textual.binding import BindingType
from textual.command import Provider
from textual.types import CSSPathType
from textual.widgets import Input, TextArea

from assistant.config import ModelKind, Settings, load_settings, save_settings
from assistant.errors import AssistantError, ConfigError
from assistant.paths import Folders
from assistant.tui.actions import bindings
from assistant.tui.clipboard import copy
from assistant.tui.commands import PROVIDERS
from assistant.tui.keys import keymap, keys_of, of_areas, problems
from assistant.tui.messages import MemoryOpened, ModelOpened, Say
from assistant.tui.screens.main import MainScreen
from assistant.tui.state import ScreenState
from assistant.tui.themed import ThemedApp
from assistant.tui.widgets.turn_line import count_of

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine
    from assistant.memory.ports import ChatModel, Embedder

OpenMemory = Callable[[], Awaitable["MemoryEngine"]]
OpenModel = Callable[[Settings], AbstractAsyncContextManager["ChatModel | None"]]

_SAVE_EVERY = 3.0
"""Seconds between looks at whether drafts changed."""
_ALL_LOADED = 5.0
"""Seconds after which libraries and models are in memory: no full collection of garbage walks them any more."""
_RARELY = (10_000, 10, 100)
"""When garbage is looked for: Python's own measure (700, 10, 10) comes to a full collection, of 0.1 s, with each long answer."""
_PATIENCE = 3.0
"""Seconds that quitting waits for an answer to be stopped and kept."""
_QUIT_AGAIN = 4.0
"""Seconds in which a second ctrl+c quits."""


class AssistantApp(ThemedApp, inherit_bindings=False):
    TITLE = "Assistant"
    PAUSE_GC_ON_SCROLL = True
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = set(PROVIDERS)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(of_areas("app"))]
    CSS_PATH: ClassVar[CSSPathType | None] = [
        "app.tcss",
        "screens/main.tcss",
    ]  # with the first screen's, so that all is parsed once
    VERTICAL_BREAKPOINTS = [(0, "-low"), (24, "-high")]  # noqa: RUF012  # declared so by textual

    def __init__(
        self,
        settings: Settings,
        folders: Folders,
        *,
        open_memory: OpenMemory,
        open_model: OpenModel,
        go_on: bool = False,
        tour: bool = False,
    ) -> None:
        """`go_on` opens the newest conversation instead of a new one; `tour` begins with the tour."""
        super().__init__(settings, folders)
        self._open_memory = open_memory
        self._open_model = open_model
        self._replaced = asyncio.Event()
        """Set once another model takes the place of the one that is held."""
        self._memory: MemoryEngine | None = None
        self._memory_there = asyncio.Event()
        self._tour = tour
        self._quit_asked = False
        self.animation_level = "none" if settings.screen.reduced_motion else "full"
        self.state = ScreenState(folders.screen_state)
        self.keys = keys_of(keymap(settings.keys))
        self.main = MainScreen(settings, self.state, self.keys, self.connect, go_on=go_on)

    def get_default_screen(self) -> MainScreen:
        return self.main

    def on_load(self) -> None:
        gc.disable()  # what is made for the first paint is there to stay: looking for garbage in it only holds it up

    def on_mount(self) -> None:
        self.set_keymap(keymap(self.settings.keys))
        self.call_after_refresh(self._start)

    def _start(self) -> None:
        """After the first paint: what is slow to import is imported from here on."""
        gc.freeze()
        gc.enable()
        for problem in filter(None, (self.theme_notice, *problems(self.settings.keys))):
            self.main.post_message(Say(problem, level="warning"))
        self._bring_memory()
        self.main.readiness.connect()
        if self.settings.model.kind is ModelKind.UNSET:
            self.do_setup()
        if self._tour:
            self.do_tour()
        self.set_interval(_SAVE_EVERY, self._save_state)
        self.set_timer(_ALL_LOADED, self._all_loaded)

    def _all_loaded(self) -> None:
        gc.freeze()
        gc.set_threshold(*_RARELY)

    # Memory and model, in the background --------------------------------------------------------------------------------

    @work(group="memory")
    async def _bring_memory(self) -> None:
        for slow in ("assistant.conversation.turn", "markdown_it", "textual.highlight"):
            await asyncio.to_thread(import_module, slow)
        try:
            self._memory = memory = await self._open_memory()
        except AssistantError as problem:
            self.exit(return_code=problem.exit_code, message=Text(f"assistant: {problem}"))
            return
        self._memory_there.set()
        self.main.post_message(MemoryOpened(memory))
        try:
            caught_up = await memory.catch_up()
        except Exception as problem:  # noqa: BLE001  # whatever fails here, the chat goes on
            said = str(problem) or type(problem).__name__
            self.main.post_message(
                Say(f"Turns of the last start are not learned from yet: {said}", level="warning")
            )
            return
        if caught_up:
            self.main.post_message(
                Say(f"Learned from {count_of(caught_up, 'turn')} that the last start had left.")
            )

    def connect(self, name: str = "") -> None:
        """Open the model of the settings, or another of the same server by `name`.

        One that is open ends its answers and is let go.
        """
        settings = self.settings
        if name:
            settings = replace(settings, model=replace(settings.model, name=name))
        self._replaced.set()
        self._replaced = asyncio.Event()
        self._hold_model(settings, self._replaced)

    @work(group="model")
    async def _hold_model(self, settings: Settings, replaced: asyncio.Event) -> None:
        """Keep the model open until another one takes its place and it has ended its answers, or the program ends."""
        try:
            async with self._open_model(settings) as model:
                if not replaced.is_set():
                    self.main.post_message(ModelOpened(model))
                await replaced.wait()
                await self.main.flow.let_end(model)
        except Exception as problem:  # noqa: BLE001  # whatever a model's library raises, memory alone goes on answering
            if not replaced.is_set():
                self.main.post_message(ModelOpened(None, _sentence(problem)))

    # Actions ----------------------------------------------------------------------------------------------------------

    @property
    def front(self) -> MainScreen:
        """The main screen that is seen: the user's own, or that of the tour over it."""
        seen = (screen for screen in reversed(self.screen_stack) if isinstance(screen, MainScreen))
        return next(seen, self.main)

    async def action_do(self, action: str, argument: str = "") -> None:
        await self.front.action_do(action, argument)

    def do_help(self, _: str = "") -> None:
        from assistant.tui.screens.help import HelpScreen

        self.push_screen(HelpScreen(self.keys), self._after_help)

    async def _after_help(self, action: str | None) -> None:
        if action:
            await self.action_do(action)

    def do_tour(self, _: str = "") -> None:
        """Show the tour over whatever is open; there the user is again when it ends."""
        from assistant.tui.screens.tour import TourScreen

        self.push_screen(TourScreen(self.settings, self.keys, self._embedder))

    async def _embedder(self) -> Embedder:
        await self._memory_there.wait()
        assert self._memory is not None
        return self._memory.core.embedder

    def do_palette(self, _: str = "") -> None:
        self.action_command_palette()

    def do_notices(self, _: str = "") -> None:
        from assistant.tui.screens.reader import ReaderScreen

        lines = [f"{record.when:%H:%M:%S}  {record.text}" for record in reversed(self.front.status.records)]
        self.push_screen(ReaderScreen("Notices, newest first", "\n".join(lines) or "There are none yet."))

    def do_settings(self, _: str = "") -> None:
        from assistant.tui.screens.settings import SettingsScreen

        self.push_screen(SettingsScreen(self.settings, self.folders.config_file), self._settings_saved)

    def _settings_saved(self, settings: Settings | None) -> None:
        if settings is None:
            return
        model_changed = settings.model != self.settings.model
        self.use_settings(settings)
        self.use_theme(settings.screen.theme)
        self.main.post_message(Say("The settings are saved."))
        if model_changed:
            self.main.readiness.connect()

    def do_theme(self, name: str = "") -> None:
        """Choose a theme, or use the one that is named."""
        from assistant.tui.screens.themes import ThemeScreen

        if not name:
            self.push_screen(ThemeScreen(), lambda chosen: self.choose_theme(chosen) if chosen else None)
        elif name in self.available_themes:
            self.choose_theme(name)
        else:
            self.front.post_message(Say(f"There is no theme “{name}”.", level="warning"))

    def do_setup(self, _: str = "") -> None:
        from assistant.tui.screens.setup import SetupScreen

        self.push_screen(SetupScreen(self.folders), self._set_up)

    def _set_up(self, said: str | None) -> None:
        if said is not None:
            if self.settings.model.kind is ModelKind.UNSET:
                said = f"{said} /tour shows you around."
            self.use_settings(load_settings(self.folders.config_file))
            self.main.post_message(Say(said))
            self.main.readiness.connect()

    def use_settings(self, settings: Settings) -> None:
        """Take up changed settings; those of the model take effect with the next `connect`."""
        self.settings = settings
        self.animation_level = "none" if settings.screen.reduced_motion else "full"
        self.main.use_settings(settings)

    def do_reconnect(self, _: str = "") -> None:
        self.main.post_message(Say("Connecting to the model…"))
        self.main.readiness.connect()

    async def do_copy_or_quit(self, _: str = "") -> None:
        """ctrl+c: copy what is selected, else stop the answer, else ask whether to quit."""
        if self.copy_selection():
            return
        if self.screen is not self.front:
            self.screen.dismiss()
        elif self.front.flow.running is not None:
            self.front.flow.do_stop()
        elif self._quit_asked:
            await self.do_quit()
        else:
            self._quit_asked = True
            self.set_timer(_QUIT_AGAIN, self._forget_quit)
            self.front.post_message(Say("Press ctrl+c again to quit.", level="warning"))

    def choose_theme(self, name: str) -> None:
        """Use a theme from now on and at the next start."""
        self.theme = name
        self._save_settings({"screen": {"theme": name}})

    def _save_settings(self, changes: dict[str, dict[str, Any]]) -> None:
        try:
            save_settings(self.folders.config_file, changes)
        except ConfigError as problem:
            self.main.post_message(Say(str(problem), level="warning"))

    def copy_selection(self) -> bool:
        """Copy what is selected, in a text field or by mouse. False when nothing is."""
        focused = self.screen.focused
        selected = focused.selected_text if isinstance(focused, TextArea | Input) else ""
        selected = selected or self.screen.get_selected_text() or ""
        if selected:
            self._copy(selected)
        return bool(selected)

    @work
    async def _copy(self, text: str) -> None:
        self.front.post_message(Say(await copy(self, text)))

    def _forget_quit(self) -> None:
        self._quit_asked = False
        self.front.status.clear()

    async def do_quit(self, _: str = "") -> None:
        """End the running answer (what arrived is kept), write drafts, close the memory, leave."""
        await self.main.flow.finish_up(_PATIENCE)
        self._save_state()
        self.workers.cancel_group(self, "model")
        if self._memory is not None:
            memory, self._memory = self._memory, None
            await memory.close()
        self.exit()

    def _save_state(self) -> None:
        try:
            self.state.save()
        except OSError as problem:
            self.main.post_message(Say(f"Drafts could not be written: {problem}", level="warning"))


def _sentence(problem: Exception) -> str:
    if isinstance(problem, AssistantError):
        return str(problem)
    return f"The model could not be opened: {type(problem).__name__}: {problem}."
