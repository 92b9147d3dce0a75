"""The vector search among a million rows: several minutes, most of them to fill the store."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from assistant.evaluation.material import material
from assistant.evaluation.nearest import compared
from assistant.memory.engine import MemoryEngine
from assistant.memory.store import search
from assistant.memory.store.search import Corpus

if TYPE_CHECKING:
    from assistant.evaluation.runner import Context

ROWS = 1_000_000
_BATCH = 5_000


async def run(context: Context) -> dict[str, Any]:
    """Milliseconds and recall, as `scale` gives them."""
    messages = material(context)
    _, made = messages.rows(ROWS)
    async with await MemoryEngine.open(context.tmp / "million.duckdb", context.embedder) as memory:
        for start in range(0, ROWS, _BATCH):
            rows = range(start, min(start + _BATCH, ROWS))
            batch = [search.Entry(row + 1, "", made[row : row + 1]) for row in rows]
            await memory.core.db.write(partial(search.add, corpus=Corpus.EPISODES, entries=batch))
        figures = await memory.core.db.read(lambda con: compared(con, messages, made, None))
    return {"n": ROWS, **figures}
