"""The program over a filled memory whose clock stands still, in any theme."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from assistant import setup
from assistant.config import ModelKind, ModelSettings, ScreenSettings, Settings
from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import ChatModel
from assistant.memory.records import AnswerState, JudgmentDraft, Verdict
from assistant.models.embedding import FastEmbedder
from assistant.paths import Folders
from assistant.setup import Offer
from assistant.tui.app import AssistantApp
from tests.snapshots.screens import OFFERS
from tests.tui.desk import NOW

InTheme = Callable[[str], AssistantApp]
"""The program in a theme; "no-colour" is the usual one under NO_COLOR."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, embedder: FastEmbedder) -> Path:
    """A memory file with two conversations, a fact that changed, and a judgment that was voted on."""
    path = tmp_path_factory.mktemp("filled") / "memory.duckdb"

    async def fill() -> None:
        async with await MemoryEngine.open(path, embedder, clock=lambda: NOW) as memory:
            for title, question, answer in (
                (
                    "Firing a new kiln",
                    "How do I fire a new kiln?",
                    "Slowly, below **600 °C**, with the lid ajar.",
                ),
                ("Holiday in May", "Where to?", "Skye."),
            ):
                conversation = await memory.conversations.create(title)
                turn = await memory.record(question, conversation=conversation.id)
                await memory.finish(turn.id, answer, model="llama3", tokens=96, seconds=2.4)
                await memory.episodes.mark_learned(turn.id)
            failed = await memory.record("Which [glaze]?", conversation=1)
            await memory.episodes.mark_learned(failed.id)
            await memory.finish(
                failed.id, "", state=AnswerState.FAILED, error="Nothing answers at http://127.0.0.1:1/v1."
            )
            await memory.facts.add(
                "User's company has about 50 people", key="team_size", value="50", episode=1
            )
            await memory.facts.edit(1, statement="User's company has about 80 people", value="80")
            await memory.judgments.add(
                JudgmentDraft(
                    "production configuration has to change",
                    "Propose the change in a pull request",
                    "outages",
                    "ops",
                ),
                episode=1,
            )
            await memory.verify(
                1, Verdict.CORRECTED, episode=1, correction="Propose it, let someone review it"
            )

    asyncio.run(fill())
    return path


@asynccontextmanager
async def no_model(settings: Settings) -> AsyncIterator[ChatModel | None]:
    yield None


@pytest.fixture
def in_theme(
    folders: Folders, filled: Path, embedder: FastEmbedder, monkeypatch: pytest.MonkeyPatch
) -> InTheme:
    async def offers(_: Folders) -> list[Offer]:
        return OFFERS

    async def memory() -> MemoryEngine:
        return await MemoryEngine.open(folders.store, embedder, clock=lambda: NOW)

    def made(theme: str) -> AssistantApp:
        if theme == "no-colour":
            monkeypatch.setenv("NO_COLOR", "1")
            theme = "assistant-dark"
        folders.data.mkdir(parents=True)
        shutil.copy(filled, folders.store)
        wanted = Settings(
            model=ModelSettings(kind=ModelKind.MEMORY_ONLY), screen=ScreenSettings(panels=False, theme=theme)
        )
        return AssistantApp(wanted, folders, open_memory=memory, open_model=no_model)

    monkeypatch.setattr(setup, "offers", offers)
    monkeypatch.setenv("COLORTERM", "truecolor")
    time.tzset()
    return made
