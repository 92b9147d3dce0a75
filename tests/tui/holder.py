"""A bare program around the widgets of one test, and waiting for what a test is about instead of for time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget

from assistant.tui.terminal_input import SafeParser

Kind = TypeVar("Kind", bound=Message)


class Holder(App[None]):
    """Shows `widgets` and keeps every message that reaches it."""

    def __init__(self, *widgets: Widget) -> None:
        super().__init__()
        self._widgets = widgets
        self.seen: list[Message] = []

    def compose(self) -> ComposeResult:
        yield from self._widgets

    async def _dispatch_message(self, message: Message) -> None:
        self.seen.append(message)
        await super()._dispatch_message(message)

    def got(self, kind: type[Kind]) -> list[Kind]:
        return [message for message in self.seen if isinstance(message, kind)]


async def until(pilot: Pilot[object], what: Callable[[], object], seconds: float = 60) -> None:
    """Wait until `what()` is true; the test fails when it never is."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, f"it did not happen; the screen:\n{all_text(pilot.app.screen)}"
        await pilot.pause(0.01)


async def feed(pilot: Pilot[object], data: str) -> None:
    """Send bytes as a terminal does, through the program's parser."""
    parser = SafeParser()
    for event in [*parser.feed(data), *parser.feed("")]:
        event.set_sender(pilot.app)
        pilot.app.post_message(event)
    await pilot.pause()


def shown(widget: Widget) -> str:
    """What stands in `widget` on the screen, as plain lines."""
    region = widget.region
    strips = widget.screen._compositor.render_strips()[region.y : region.bottom]
    return "\n".join(strip.crop(region.x, region.right).text.rstrip() for strip in strips)


def all_text(screen: Widget) -> str:
    """Everything on the screen."""
    return "\n".join(strip.text.rstrip() for strip in screen.screen._compositor.render_strips())
