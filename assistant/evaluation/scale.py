"""Does the memory stay fast and right as it grows? CPU milliseconds (all threads, median) by number of turns.

Turns are real chat messages; beyond as many as there are, vectors and words of two are mixed (material.py). Every store
also holds 2,000 facts and 500 judgments, and is asked and written through the engine's own calls.
"""

from __future__ import annotations

import resource
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any

from assistant.evaluation import nonsense
from assistant.evaluation.material import Material, material
from assistant.evaluation.nearest import compared
from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import Embedder, Vectors
from assistant.memory.records import Candidate, Decider, Decision, JudgmentDraft
from assistant.memory.store import facts, imports, judgments, search
from assistant.memory.store.database import Connection
from assistant.memory.store.search import Corpus, Query
from assistant.memory.windows import episode_windows

if TYPE_CHECKING:
    from assistant.evaluation.runner import Context

SIZES = (1_000, 10_000, 100_000)
_FACTS, _JUDGMENTS = 2_000, 500
_CONVERSATION = 50
"""Turns of a conversation."""
_BATCH = 2_000
_ROUNDS = 15
_RIVALS_UP_TO = 10_000
"""Turns up to which other libraries run beside: beyond, building their indexes takes longer than all else together."""
_BEGAN = datetime(2020, 1, 1, tzinfo=UTC)
_DECISION = Decision(Decider.RULE, "made for measuring")


async def run(context: Context) -> dict[str, Any]:
    """Each figure by number of turns."""
    messages = material(context)
    stores = {size: await _store(context, messages, size) for size in SIZES}
    figures = {
        name: {f"{size:,}": stores[size][name] for size in SIZES if name in stores[size]}
        for name in stores[SIZES[0]]
    }
    recall = [stores[size]["whole recall: ms"] for size in SIZES]
    return {
        "n": len(messages.questions),
        "messages": len(messages.texts),
        "figures": figures,
        "recall, most turns / fewest": round(recall[-1] / recall[0], 2),
        "memory at most: MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


async def _store(context: Context, messages: Material, size: int) -> dict[str, Any]:
    """The figures of one store, in the order of the table."""
    texts, made = messages.rows(size)
    path = context.tmp / f"{size}.duckdb"
    rivals_in = context.tmp if size <= _RIVALS_UP_TO else None
    async with await MemoryEngine.open(path, context.embedder) as memory:
        filled = await _cpu([lambda: _fill(memory, messages, texts, made)])
        read = memory.core.db.read
        figures: dict[str, Any] = {
            **await read(lambda con: compared(con, messages, made, rivals_in)),
            "words and vectors: ms": await _cpu(
                [partial(_find, memory, messages, i) for i in range(_ROUNDS)]
            ),
            "whole recall: ms": await _cpu(
                [partial(_recall, memory, question) for question in messages.questions[:_ROUNDS]]
            ),
            **await _recording(memory, texts[:_ROUNDS]),
            "random letters, 100: no hit": await read(
                lambda con: nonsense.without_hit(con, context.embedder, nonsense.random_letters(100))
            ),
        }
    opened = partial(_open_and_recall, path, context.embedder, messages.questions[-1])
    return {
        **figures,
        "open and first recall: ms": await _cpu([opened]),
        "filling: ms a turn": round(filled / size, 2),
        "file: MB": round(path.stat().st_size / 2**20, 1),
    }


# Filling ----------------------------------------------------------------------------------------------------------------


async def _fill(memory: MemoryEngine, messages: Material, texts: Sequence[str], made: Vectors) -> None:
    """Turns ten minutes apart, in conversations of fifty; then facts and judgments."""
    for start in range(0, len(texts), _BATCH):
        turns = [_turn(row, texts[row], made[row]) for row in range(start, min(start + _BATCH, len(texts)))]
        await memory.core.db.write(lambda con, turns=turns: imports.add(con, turns, learned=_BEGAN))  # type: ignore[misc]
    await memory.core.db.write(search.tidy)
    await memory.core.db.write(lambda con: _known(con, messages))


def _turn(row: int, text: str, vector: Vectors) -> imports.NewTurn:
    user, answer = _sides(text)
    said = _BEGAN + timedelta(minutes=10 * row)
    return imports.NewTurn(str(row), str(row // _CONVERSATION), "", user, answer, said, "", vector[None])


def _known(con: Connection, messages: Material) -> None:
    texts, made = messages.rows(_FACTS + 2 * _JUDGMENTS)
    cause = facts.Cause(_DECISION, _BEGAN)
    for row in range(_FACTS):
        facts.add(con, Candidate(f"{row}: {texts[row][:200]}", f"key_{row}", ""), cause)
    entries = [search.Entry(row + 1, texts[row][:200], made[row : row + 1]) for row in range(_FACTS)]
    search.add(con, Corpus.FACTS, entries)
    for row in range(_FACTS, _FACTS + 2 * _JUDGMENTS, 2):
        draft = JudgmentDraft(f"{row}: {texts[row][:100]}", f"{row}: {texts[row + 1][:100]}")
        judgments.add(con, draft, judgments.Cause(_DECISION, _BEGAN), vectors=made[row : row + 2])


# Measuring --------------------------------------------------------------------------------------------------------------


async def _find(memory: MemoryEngine, messages: Material, number: int) -> None:
    query = Query(messages.questions[number], messages.asked[number])
    await memory.core.db.read(lambda con: search.find(con, Corpus.EPISODES, query))


async def _recall(memory: MemoryEngine, question: str) -> None:
    """Embed, plan, facts, judgments, and always turns."""
    plan = await memory.plan(question)
    await memory.recall(question, plan=replace(plan, needs_episodes=True))


async def _recording(memory: MemoryEngine, texts: Sequence[str]) -> dict[str, float]:
    """A question made durable, its answer made durable and findable, and both; without what embedding them costs."""
    conversation = (await memory.conversations.create()).id
    sides = [_sides(text) for text in texts]
    for user, answer in sides:
        await memory.core.embed(episode_windows(user, answer))
    asked, answered = [], []
    for user, answer in sides:
        begun = process_time()
        turn = await memory.record(user, conversation=conversation)
        recorded = process_time()
        await memory.finish(turn.id, answer)
        asked.append(1000 * (recorded - begun))
        answered.append(1000 * (process_time() - recorded))
    both = [sum(pair) for pair in zip(asked, answered, strict=True)]
    return {
        "recording the question: ms": round(median(asked), 2),
        "recording the answer: ms": round(median(answered), 2),
        "recording a turn: ms": round(median(both), 2),
    }


async def _open_and_recall(path: Path, embedder: Embedder, question: str) -> None:
    async with await MemoryEngine.open(path, embedder) as memory:
        await _recall(memory, question)


def _sides(text: str) -> tuple[str, str]:
    user, _, answer = text.partition("\n")
    return user, answer


async def _cpu(actions: Sequence[Callable[[], Awaitable[None]]]) -> float:
    """CPU milliseconds of all threads, the median of the actions."""
    spent = []
    for action in actions:
        started = process_time()
        await action()
        spent.append(process_time() - started)
    return round(1000 * median(spent), 2)
