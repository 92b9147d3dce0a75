"""The screen over the demo conversation: shown by `assistant demo`, and photographed for the README."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from assistant.config import Settings
from assistant.conversation.demo import Script, ScriptedModel, demo_settings, open_demo
from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import ChatModel
from assistant.models.embedding import FastEmbedder
from assistant.paths import user_folders
from assistant.tui.app import AssistantApp

_SETTLING = 3.0
"""Seconds until the panels show what the last turn taught."""


def demo_app(home: Path, cache: Path, *, tour: bool = False) -> AssistantApp:
    """The screen on a memory of its own under `home`, in which all of the script but its last turn was said."""
    settings = demo_settings(Settings())
    folders = user_folders(home)
    script = Script.read()
    model = ScriptedModel(script)

    async def open_memory() -> MemoryEngine:
        return await open_demo(folders.store, FastEmbedder(cache=cache), settings, script)

    @asynccontextmanager
    async def open_model(_: Settings) -> AsyncIterator[ChatModel | None]:
        yield model

    return AssistantApp(
        settings, folders, open_memory=open_memory, open_model=open_model, go_on=True, tour=tour
    )


def show(cache: Path) -> int:
    """The tour, and afterwards the demo to look around in; nothing of it stays. Returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="assistant-demo-") as home:
        app = demo_app(Path(home), cache, tour=True)
        app.run()
        return app.return_code or 0


async def photograph(cache: Path, columns: int = 150, rows: int = 44) -> str:
    """The screen after the demo's last turn, as SVG."""
    with tempfile.TemporaryDirectory(prefix="assistant-demo-") as home:
        app = demo_app(Path(home), cache)
        async with app.run_test(size=(columns, rows)) as pilot:
            while app.main.flow.session is None:
                await pilot.pause(0.1)
            app.theme = app.settings.screen.theme
            await app.main.flow.send(Script.read().question)
            while app.main.flow.running is not None:
                await pilot.pause(0.1)
            await pilot.pause(_SETTLING)
            return app.export_screenshot(title="assistant")
