"""A real store in a temporary folder, with the real embedder and a clock that stands still until it is moved."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assistant.config import MemorySettings
from assistant.memory import MemoryEngine
from assistant.memory.core import Core
from assistant.memory.ports import Embedder
from assistant.memory.store.database import Database
from assistant.models.chat import OpenAIChat
from tests.stubs.server import StubServer


class SteppedClock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def step(self, **span: float) -> datetime:
        self.now += timedelta(**span)
        return self.now


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a store goes, in a folder that is not there yet."""
    return tmp_path / "data" / "memory.duckdb"


@pytest.fixture
def core(tmp_path: Path, embedder: Embedder, clock: SteppedClock) -> Iterator[Core]:
    db = Database.open(
        tmp_path / "memory.duckdb",
        embedder=embedder.id,
        embedder_hash=embedder.file_hash,
        dimension=embedder.dimension,
    )
    yield Core(db, embedder, clock, MemorySettings())
    db.close()


@pytest.fixture
async def memory(tmp_path: Path, embedder: Embedder) -> AsyncIterator[MemoryEngine]:
    """A whole engine, by the clock of the machine, that decides without a language model."""
    async with await MemoryEngine.open(tmp_path / "memory.duckdb", embedder) as engine:
        yield engine


@pytest.fixture
async def model(server: StubServer) -> AsyncIterator[OpenAIChat]:
    chat = OpenAIChat(server.base_url, "stub-model", "", context_tokens=4096)
    yield chat
    await chat.close()
