"""Every screen of the program, how it is opened over a filled memory, and what it shows when it is there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, TextArea

from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import Embedder
from assistant.setup import Offer, Way
from assistant.tui.app import AssistantApp
from assistant.tui.screens.conversations import ConversationsScreen
from assistant.tui.screens.correction import CorrectionScreen
from assistant.tui.screens.fact import FactScreen
from assistant.tui.screens.help import HelpScreen
from assistant.tui.screens.judgment import JudgmentScreen
from assistant.tui.screens.main import MainScreen
from assistant.tui.screens.reader import ReaderScreen
from assistant.tui.screens.settings import SettingsScreen
from assistant.tui.screens.setup import SetupScreen
from assistant.tui.screens.themes import ThemeScreen
from assistant.tui.screens.tour import TourScreen
from tests.tui.holder import all_text, until

Opened = Callable[[AssistantApp, MemoryEngine], Awaitable[Screen[object]]]

NOTICES = "14:03:12  Learned from 2 turns that the last start had left.\n14:02:58  Connecting to the model…"
OFFERS = [
    Offer(Way.FOUND, "Ollama on this machine, llama3.2:3b", "http://127.0.0.1:11434, 2 models."),
    Offer(
        Way.SMALL, "The small built-in model", "Needs the extra: pip install 'assistant[local]'", usable=False
    ),
    Offer(Way.ADDRESS, "Another server", "Any OpenAI-compatible address, with or without a key."),
    Offer(Way.MEMORY_ONLY, "Memory only", "No model: answers with what it remembers, and says so."),
]


async def main(app: AssistantApp, memory: MemoryEngine) -> Screen[object]:
    await app.main.desk.show_number(1)
    return app.main


async def conversations(app: AssistantApp, memory: MemoryEngine) -> Screen[object]:
    return ConversationsScreen(memory, app.keys)


async def fact(app: AssistantApp, memory: MemoryEngine) -> Screen[object]:
    return FactScreen(memory, await memory.facts.get((await memory.facts.list())[0].id))


async def judgment(app: AssistantApp, memory: MemoryEngine) -> Screen[object]:
    return JudgmentScreen(memory, await memory.judgments.get(1))


async def correction(app: AssistantApp, memory: MemoryEngine) -> Screen[object]:
    return CorrectionScreen(await memory.judgments.get(1))


async def helping(app: AssistantApp, memory: MemoryEngine) -> Screen[object]:
    return HelpScreen(app.keys)


async def reader(app: AssistantApp, memory: MemoryEngine) -> Screen[object]:
    return ReaderScreen("Notices, newest first", NOTICES)


async def settings(app: AssistantApp, memory: MemoryEngine) -> Screen[object]:
    return SettingsScreen(app.settings, Path("/home/you/.config/assistant/config.toml"))


async def setting_up(app: AssistantApp, memory: MemoryEngine) -> Screen[object]:
    return SetupScreen(app.folders)


async def themes(app: AssistantApp, memory: MemoryEngine) -> Screen[object]:
    return ThemeScreen()


async def tour(app: AssistantApp, memory: MemoryEngine) -> Screen[object]:
    async def never() -> Embedder:
        await asyncio.Event().wait()
        raise AssertionError

    return TourScreen(app.settings, app.keys, never)


async def palette(app: AssistantApp, memory: MemoryEngine) -> Screen[object]:
    return CommandPalette()


TABLE: dict[type[Screen], tuple[Opened, str]] = {  # type: ignore[type-arg]
    MainScreen: (main, "glaze"),
    ConversationsScreen: (conversations, "Holiday in May"),
    FactScreen: (fact, "Esc closes"),
    JudgmentScreen: (judgment, "Esc closes"),
    CorrectionScreen: (correction, "What would have been right?"),
    HelpScreen: (helping, "Esc closes"),
    ReaderScreen: (reader, "Connecting to the model"),
    SettingsScreen: (settings, "Choose a theme"),
    SetupScreen: (setting_up, "Memory only"),
    ThemeScreen: (themes, "harbour-night"),
    TourScreen: (tour, "Tour 1 of"),
    CommandPalette: (palette, "Conversations: "),
}
"""How each screen is opened, and what it shows when it is there."""


async def show(app: AssistantApp, pilot: Pilot[None], screen: type[Screen[object]]) -> Screen[object]:
    """Bring one of the screens to the front, with cursors that stand still."""
    make, seen = TABLE[screen]
    await until(pilot, lambda: app.main.flow.session is not None)
    assert app.main.memory is not None
    if (made := await make(app, app.main.memory)) is not app.main:
        await app.push_screen(made)
    await until(pilot, lambda: seen in all_text(app.screen))
    for box in [*app.screen.query(Input), *app.screen.query(TextArea)]:
        box.cursor_blink = False
    await pilot.pause(0.3)
    return app.screen
