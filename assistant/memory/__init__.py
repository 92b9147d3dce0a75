"""The memory engine: episodes (what was said), facts (what is true), judgments (how to act, and whether it proved right).

A library of its own: needs neither the screen nor a language model.

    async with await MemoryEngine.open("memory.duckdb", embedder) as memory:
        turn = await memory.record("I run a small ceramics shop on Shopify.", "Noted.")
        await memory.learn(turn.id)
        recall = await memory.recall("What platform am I on?")
"""

from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import ChatModel, Embedder
from assistant.memory.records import (
    Conversation,
    Decision,
    Episode,
    Fact,
    JournalEntry,
    Judgment,
    JudgmentDraft,
    Operation,
    Plan,
    Recall,
    Verdict,
)

__all__ = [
    "ChatModel",
    "Conversation",
    "Decision",
    "Embedder",
    "Episode",
    "Fact",
    "JournalEntry",
    "Judgment",
    "JudgmentDraft",
    "MemoryEngine",
    "Operation",
    "Plan",
    "Recall",
    "Verdict",
]
