"""A real memory whose clock stands still with the panels over it; and the whole program against a real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from assistant.config import ModelKind, ModelSettings, Settings
from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import ChatModel
from assistant.models.chat import OpenAIChat
from assistant.models.embedding import FastEmbedder
from assistant.paths import Folders
from assistant.tui.app import AssistantApp
from assistant.tui.panels import PanelArea
from tests.stubs.server import StubServer
from tests.tui.desk import NOW, Desk
from tests.tui.holder import Holder
from tests.tui.stage import Open, Stage


@pytest.fixture
async def memory(tmp_path, embedder) -> AsyncIterator[MemoryEngine]:
    async with await MemoryEngine.open(tmp_path / "memory.duckdb", embedder, clock=lambda: NOW) as engine:
        yield engine


@pytest.fixture
async def desk(memory) -> AsyncIterator[Desk]:
    area = PanelArea()
    app = Holder(area)
    async with app.run_test(size=(60, 60)) as pilot:
        await area.attach(memory, None)
        yield Desk(app, area, pilot, memory)


@pytest.fixture
def opened(folders: Folders, embedder: FastEmbedder, server: StubServer) -> Open:
    """Starts the whole program."""

    @asynccontextmanager
    async def model(settings: Settings) -> AsyncIterator[ChatModel | None]:
        if settings.model.kind is not ModelKind.SERVER:
            yield None
            return
        chat = OpenAIChat(server.base_url, settings.model.name or "stub-model", context_tokens=4096)
        try:
            yield chat
        finally:
            await chat.close()

    @asynccontextmanager
    async def program(
        kind: ModelKind = ModelKind.SERVER,
        size: tuple[int, int] = (120, 40),
        gate: asyncio.Event | None = None,
        **settings: object,
    ) -> AsyncIterator[Stage]:
        """With a `gate` the memory is not opened before it is set."""

        async def memory() -> MemoryEngine:
            if gate is not None:
                await gate.wait()
            return await MemoryEngine.open(folders.store, embedder)

        chosen = Settings(model=ModelSettings(kind=kind), **settings)
        folders.data.mkdir(parents=True, exist_ok=True)
        app = AssistantApp(chosen, folders, open_memory=memory, open_model=model)
        async with app.run_test(size=size) as pilot:
            stage = Stage(app, pilot, server)
            if gate is None:
                await stage.ready()
            yield stage
            if app.is_running:
                await app.do_quit()

    return program
