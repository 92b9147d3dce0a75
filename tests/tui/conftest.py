"""A real memory whose clock stands still, and the panels over it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from assistant.memory.engine import MemoryEngine
from assistant.tui.panels import PanelArea
from tests.tui.desk import NOW, Desk
from tests.tui.holder import Holder


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
