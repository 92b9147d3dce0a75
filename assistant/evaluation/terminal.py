"""A terminal that shows nothing, but is painted like a real one: it counts frames and tells when something was painted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver

from assistant.errors import AssistantError

T = TypeVar("T")

SIZE = (150, 44)
"""Columns and rows: chat and panels side by side."""


class MeasuredTerminal(HeadlessDriver):
    """Set as `driver_class` of an app. Unlike Textual's headless driver it has every frame rendered to characters."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.frames = 0
        self.stopped = asyncio.Event()
        """Set when the program leaves the terminal, on purpose or by a fault."""
        self._waiting: list[Callable[[str], bool]] = []

    @property
    def is_headless(self) -> bool:
        return False

    def stop_application_mode(self) -> None:
        self.stopped.set()

    def write(self, data: str) -> None:
        """One frame, as the characters and sequences that a terminal would get."""
        self.frames += 1
        self._waiting = [waiting for waiting in self._waiting if not waiting(data)]

    def painted(self, is_there: Callable[[str], bool], read: Callable[[], T]) -> asyncio.Future[T]:
        """Becomes what `read` returns at the moment that a frame is painted of which `is_there` holds."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def look(frame: str) -> bool:
            if not future.done() and is_there(frame):
                future.set_result(read())
            return future.done()

        self._waiting.append(look)
        return future

    async def before_it_stops(self, awaited: Awaitable[T]) -> T:
        """What `awaited` gives. Raises AssistantError where the program leaves the terminal first."""
        wanted = asyncio.ensure_future(awaited)
        ended = asyncio.ensure_future(self.stopped.wait())
        await asyncio.wait({wanted, ended}, return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if not wanted.done():
            wanted.cancel()
            raise AssistantError("The program ended in the middle of the measurement.")
        return await wanted

    async def still(self, seconds: float = 0.3) -> None:
        """Return when nothing has been painted for that long."""
        frames = -1
        while frames != self.frames:
            frames = self.frames
            await asyncio.sleep(seconds)


def terminal_of(app: App[Any]) -> MeasuredTerminal:
    terminal = app._driver  # noqa: SLF001  # Textual offers no other way to it
    assert isinstance(terminal, MeasuredTerminal)
    return terminal
