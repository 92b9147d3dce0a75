"""The memory engine: episodes (what was said), facts (what is true), judgments (how to act, and whether it proved right).

A library of its own: needs neither the screen nor a language model.

    async with await MemoryEngine.open("memory.duckdb", embedder) as memory:
        turn = await memory.record("I run a small ceramics shop on Shopify.", "Noted.")
        await memory.learn(turn.id)
        recall = await memory.recall("What platform am I on?")

`JudgmentMemory` is the judgments alone, without an event loop.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine as MemoryEngine
    from assistant.memory.judging.library import JudgmentMemory as JudgmentMemory

__all__ = ["JudgmentMemory", "MemoryEngine"]

_HOMES = {"JudgmentMemory": "assistant.memory.judging.library", "MemoryEngine": "assistant.memory.engine"}


def __getattr__(name: str) -> Any:
    """Both bring DuckDB and numpy with them; records and ports are used without those before the first paint."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
