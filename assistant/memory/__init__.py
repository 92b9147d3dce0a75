"""The memory engine: episodes (what was said), facts (what is true), judgments (how to act, and whether it proved right).

A library of its own: needs neither the screen nor a language model.

    async with await MemoryEngine.open("memory.duckdb", embedder) as memory:
        turn = await memory.record("I run a small ceramics shop on Shopify.", "Noted.")
        await memory.learn(turn.id)
        recall = await memory.recall("What platform am I on?")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine as MemoryEngine

__all__ = ["MemoryEngine"]


def __getattr__(name: str) -> Any:
    """The engine brings DuckDB and numpy with it; records and ports are used without it before the first paint."""
    if name == "MemoryEngine":
        from assistant.memory.engine import MemoryEngine

        return MemoryEngine
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
