"""The running program of a test: typing, waiting, looking."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from textual.pilot import Pilot

from assistant.memory.engine import MemoryEngine
from assistant.tui.app import AssistantApp
from assistant.tui.screens.main import MainScreen
from assistant.tui.widgets.turn import Turn
from tests.stubs.server import StubServer
from tests.tui.holder import all_text, until


@dataclass
class Stage:
    app: AssistantApp
    pilot: Pilot[None]
    server: StubServer

    @property
    def main(self) -> MainScreen:
        return self.app.main

    @property
    def turns(self) -> list[Turn]:
        return self.main.log_view.turns

    @property
    def text(self) -> str:
        """Everything on the screen."""
        return all_text(self.app.screen)

    @property
    def memory(self) -> MemoryEngine:
        assert self.main.memory is not None
        return self.main.memory

    async def until(self, what: Callable[[], object], seconds: float = 60) -> None:
        await until(self.pilot, what, seconds)

    async def ready(self) -> None:
        await self.until(lambda: self.main.flow.session is not None)

    async def type(self, text: str) -> None:
        """Put `text` into the message field and press Enter."""
        self.main.composer.focus()
        self.main.composer.add_text(text)
        await self.pilot.press("enter")

    async def talk(self, text: str) -> Turn:
        """Send `text` and wait for the whole answer."""
        await self.type(text)
        await self.until(lambda: self.turns and self.turns[-1].question == text)
        await self.until(lambda: self.turns[-1].episode is not None and self.main.flow.running is None)
        return self.turns[-1]


Open = Callable[..., AbstractAsyncContextManager[Stage]]
"""The fixture `opened`: `async with opened() as stage:`; a second opening in one test is a second start of the program."""
