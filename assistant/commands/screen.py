"""What is opened without a command: the screen. Read before the first paint, so what is slow to import waits for its use."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from assistant.assembly import open_memory
from assistant.config import Settings, load_settings
from assistant.errors import UsageError
from assistant.paths import Folders

if TYPE_CHECKING:
    from assistant.memory.ports import ChatModel


def show(folders: Folders, *, go_on: bool) -> int:
    """Run the screen, on the newest conversation (`go_on`) or a new one; returns the exit code."""
    need_terminal()
    settings = load_settings(folders.config_file)
    from assistant.tui.app import AssistantApp

    screen = AssistantApp(
        settings,
        folders,
        open_memory=lambda: open_memory(settings, folders),
        open_model=lambda chosen: open_model(chosen, folders),
        go_on=go_on,
    )
    screen.run()
    return screen.return_code or 0


def need_terminal() -> None:
    """Raises UsageError where the screen could not be shown."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
        raise UsageError("The screen needs a terminal.", hint='In a script use `assistant ask "…"`.')
    if os.environ.get("TERM") == "dumb":
        raise UsageError(
            "This terminal cannot move its cursor (TERM=dumb), so there can be no screen.",
            hint='Use `assistant ask "…"` here, or another terminal.',
        )


@asynccontextmanager
async def open_model(settings: Settings, folders: Folders) -> AsyncIterator[ChatModel | None]:
    """The model of the settings; its client is imported beside the screen, which goes on meanwhile."""
    choice = await asyncio.to_thread(import_module, "assistant.models.choice")
    async with choice.open_model(settings, folders) as model:
        yield model
