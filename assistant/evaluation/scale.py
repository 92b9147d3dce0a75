"""Does the memory stay fast and right as it grows? CPU milliseconds (all threads, median) and recall by number of turns.

Methods that are compared run interleaved in this process, over the same vectors. Turns are real chat messages; beyond
as many as there are, vectors and words of two are mixed. Every store also holds 2,000 facts and 500 judgments, and is
asked and written through the engine's own calls.
"""

from __future__ import annotations

import resource
import string
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import fmean, median
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from assistant.evaluation import locomo, rivals
from assistant.evaluation.tables import read_cases
from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import Embedder, Vectors
from assistant.memory.records import Candidate, Decider, Decision, JudgmentDraft
from assistant.memory.store import facts, imports, judgments, search, vectors
from assistant.memory.store.database import Connection
from assistant.memory.store.search import Corpus, Query
from assistant.memory.windows import episode_windows
from assistant.paths import shipped

if TYPE_CHECKING:
    from assistant.evaluation.runner import Context

SIZES = (1_000, 10_000, 100_000)
"""Turns of the stores that are measured whole."""
LARGEST = 1_000_000
"""Vectors of the store in which only the vector search is measured."""
_FACTS, _JUDGMENTS = 2_000, 500
_BATCH = 2_000
_ROUNDS = 15
_RIVALS_UP_TO = 10_000
"""Turns up to which other libraries run beside: beyond, building their indexes takes longer than all else together."""
_NEAREST = 10
_BEGAN = datetime(2020, 1, 1, tzinfo=UTC)
_DECISION = Decision(Decider.RULE, "made for measuring")


@dataclass(frozen=True, slots=True)
class Material:
    """What stores are made of: chat messages with their vectors, and questions with theirs."""

    texts: list[str]
    vectors: Vectors
    questions: list[str]
    asked: Vectors

    def rows(self, count: int) -> tuple[list[str], Vectors]:
        """`count` texts and unit vectors: the messages themselves, then mixtures of two."""
        rng = np.random.default_rng(0)
        size = len(self.texts)
        one, two = rng.integers(0, size, (2, count))
        one[:size] = np.arange(size)[:count]
        made = self.vectors[one]
        made[size:] += 0.6 * self.vectors[two[size:]] + rng.normal(0, 0.02, made[size:].shape).astype(
            np.float32
        )
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        words = [text.split() for text in self.texts]
        texts = [
            self.texts[i] if row < size else " ".join(words[i][:25] + words[j][:25])
            for row, (i, j) in enumerate(zip(one.tolist(), two.tolist(), strict=True))
        ]
        return texts, made


async def run(context: Context) -> dict[str, Any]:
    """Figures by number of turns. `context.cases` may hold other messages (JSON Lines with `user` and `assistant`, or LoCoMo)."""
    material = _material(context)
    figures = {size: await _whole_store(context, material, size) for size in SIZES}
    figures[LARGEST] = await _vectors_alone(context, material, LARGEST)
    return {
        "n": len(material.questions),
        "rows": figures,
        "recall_at_most_over_least": round(
            figures[SIZES[-1]]["whole_recall_ms"] / figures[SIZES[0]]["whole_recall_ms"], 2
        ),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _material(context: Context) -> Material:
    given = context.cases if context.cases.is_file() else shipped("data", "cases", "extraction.jsonl")
    texts = list(dict.fromkeys(_messages(given)))
    planning = read_cases(shipped("data", "cases", "planning.jsonl"))
    questions = [case["question"] for case in planning if case["needs_episodes"]][:100]
    return Material(texts, context.embedder.embed(texts), questions, context.embedder.embed(questions))


def _messages(file: Path) -> Iterator[str]:
    """The turns of a LoCoMo file, or of JSON Lines."""
    if file.suffix == ".json":
        yield from (turn.line for talk in locomo.read(file) for turn in talk.turns)
    else:
        yield from (f"{case['user']}\n{case['assistant']}" for case in read_cases(file))


# A whole store ----------------------------------------------------------------------------------------------------------


async def _whole_store(context: Context, material: Material, size: int) -> dict[str, Any]:
    texts, made = material.rows(size)
    path = context.tmp / f"{size}.duckdb"
    rounds = range(_ROUNDS)
    async with await MemoryEngine.open(path, context.embedder) as memory:
        conversation = (await memory.conversations.create()).id
        filled = await _cpu([lambda: _fill(memory, material, texts, made)])
        read = memory.core.db.read
        figures = await read(
            lambda con: _compared(con, material, made, context.tmp if size <= _RIVALS_UP_TO else None)
        )
        figures["nonsense_with_hits"] = await read(lambda con: _nonsense_with_hits(con, context.embedder))
        figures["hybrid_search_ms"] = await _cpu([partial(_find, memory, material, i) for i in rounds])
        figures["whole_recall_ms"] = await _cpu(
            [partial(_recall, memory, material.questions[i]) for i in rounds]
        )
        for i in rounds:  # the vectors are at hand then, so that only the writing is measured
            await memory.core.embed(episode_windows(*_sides(texts[i])))
        figures["record_ms"] = await _cpu([partial(_record, memory, conversation, texts[i]) for i in rounds])
    figures["open_and_first_recall_ms"] = await _cpu(
        [partial(_open_and_recall, path, context.embedder, material)]
    )
    figures["filled_ms_a_turn"] = round(filled / size, 2)
    figures["file_mb"] = round(path.stat().st_size / 2**20, 1)
    return figures


async def _fill(memory: MemoryEngine, material: Material, texts: Sequence[str], made: Vectors) -> None:
    """Turns ten minutes apart, in conversations of a dozen; then facts and judgments."""
    for start in range(0, len(texts), _BATCH):
        turns = [_turn(row, texts[row], made[row]) for row in range(start, min(start + _BATCH, len(texts)))]
        await memory.core.db.write(lambda con, turns=turns: imports.add(con, turns, learned=_BEGAN))  # type: ignore[misc]
    await memory.core.db.write(search.tidy)
    await memory.core.db.write(lambda con: _known(con, material))


def _turn(row: int, text: str, vector: Vectors) -> imports.NewTurn:
    user, answer = _sides(text)
    said = _BEGAN + timedelta(minutes=10 * row)
    return imports.NewTurn(str(row), str(row // 12), "", user, answer, said, "", vector[None])


def _known(con: Connection, material: Material) -> None:
    texts, made = material.rows(_FACTS + 2 * _JUDGMENTS)
    cause = facts.Cause(_DECISION, _BEGAN)
    for row in range(_FACTS):
        facts.add(con, Candidate(f"{row}: {texts[row][:200]}", f"key_{row}", ""), cause)
    entries = [search.Entry(row + 1, texts[row][:200], made[row : row + 1]) for row in range(_FACTS)]
    search.add(con, Corpus.FACTS, entries)
    for row in range(_FACTS, _FACTS + 2 * _JUDGMENTS, 2):
        draft = JudgmentDraft(f"{row}: {texts[row][:100]}", f"{row}: {texts[row + 1][:100]}")
        judgments.add(con, draft, judgments.Cause(_DECISION, _BEGAN), vectors=made[row : row + 2])


def _sides(text: str) -> tuple[str, str]:
    user, _, answer = text.partition("\n")
    return user, answer


async def _find(memory: MemoryEngine, material: Material, number: int) -> None:
    query = Query(material.questions[number], material.asked[number])
    await memory.core.db.read(lambda con: search.find(con, Corpus.EPISODES, query))


async def _recall(memory: MemoryEngine, question: str) -> None:
    """Embed, plan, facts, judgments, and always turns."""
    plan = await memory.plan(question)
    await memory.recall(question, plan=replace(plan, needs_episodes=True))


async def _record(memory: MemoryEngine, conversation: int, text: str) -> None:
    user, answer = _sides(text)
    await memory.record(user, answer, conversation=conversation)


async def _open_and_recall(path: Path, embedder: Embedder, material: Material) -> None:
    async with await MemoryEngine.open(path, embedder) as memory:
        await _recall(memory, material.questions[-1])


def _nonsense_with_hits(con: Connection, embedder: Embedder) -> str:
    """How many of 100 questions of random letters find anything."""
    rng = np.random.default_rng(1)
    alphabet = list(string.ascii_lowercase + "   ")
    letters = ["".join(rng.choice(alphabet, size)) for size in rng.integers(5, 40, 100)]
    pairs = zip(letters, embedder.embed(letters), strict=True)
    return f"{sum(bool(search.find(con, Corpus.EPISODES, Query(text, vector))) for text, vector in pairs)} of 100"


# Vectors alone ----------------------------------------------------------------------------------------------------------


async def _vectors_alone(context: Context, material: Material, size: int) -> dict[str, Any]:
    _, made = material.rows(size)
    async with await MemoryEngine.open(context.tmp / f"{size}.duckdb", context.embedder) as memory:
        for start in range(0, size, _BATCH):
            batch = [
                search.Entry(row + 1, "", made[row : row + 1])
                for row in range(start, min(start + _BATCH, size))
            ]
            await memory.core.db.write(partial(search.add, corpus=Corpus.EPISODES, entries=batch))
        return await memory.core.db.read(lambda con: _compared(con, material, made, None))


def _compared(con: Connection, material: Material, made: Vectors, rivals_in: Path | None) -> dict[str, Any]:
    """The vector search beside the exact scan, a numpy matrix, and other libraries: milliseconds, and recall of the exact ten."""
    methods: dict[str, rivals.Search] = {
        "ours": lambda vector, limit: [
            hit.id - 1 for hit in search.similar(con, Corpus.EPISODES, vector, limit=limit)
        ],
        "exact": lambda vector, limit: (vectors.scan(con, Corpus.EPISODES, vector, limit).ids - 1).tolist(),
        "numpy": lambda vector, limit: np.argpartition(-(made @ vector), limit)[:limit].tolist(),
    }
    if rivals_in is not None:
        methods |= dict(rivals.installed(made, rivals_in))
    spent: dict[str, list[float]] = {name: [] for name in methods}
    right: dict[str, list[float]] = {name: [] for name in methods}
    for vector in material.asked[: 2 * _ROUNDS]:
        best = set(np.argsort(-(made @ vector))[:_NEAREST].tolist())
        for name, method in methods.items():
            started = process_time()
            found = method(vector, _NEAREST)
            spent[name].append(process_time() - started)
            right[name].append(len(best.intersection(found)) / _NEAREST)
    times = {name: 1000 * median(seconds) for name, seconds in spent.items()}
    return {
        **{f"vectors_{name}_ms": round(value, 2) for name, value in times.items()},
        **{
            f"recall@10_{name}": round(fmean(right[name]), 4)
            for name in methods
            if name not in ("exact", "numpy")
        },
        "ratio_to_exact": round(times["ours"] / times["exact"], 3),
        "ratio_to_numpy": round(times["ours"] / times["numpy"], 3),
    }


async def _cpu(actions: Sequence[Callable[[], Awaitable[None]]]) -> float:
    """CPU milliseconds of all threads, the median of the actions."""
    spent = []
    for action in actions:
        started = process_time()
        await action()
        spent.append(process_time() - started)
    return round(1000 * median(spent), 2)
