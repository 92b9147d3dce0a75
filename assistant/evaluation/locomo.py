"""LoCoMo (Maharana et al. 2024): are the turns that hold the answer among the first found? One unit a turn.

Each conversation gets a store of its own, filled and searched through the store's own calls; the other forms of retrieval
are computed beside it from the same vectors and the same words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assistant.errors import MemoryInputError
from assistant.evaluation import nonsense
from assistant.memory.names import as_spoken_by, named
from assistant.memory.ports import Embedder, Vector
from assistant.memory.store import directory, search, words
from assistant.memory.store.database import Connection, Database
from assistant.memory.store.terms import term_counts

if TYPE_CHECKING:
    from assistant.evaluation.runner import Context

Ranking = Sequence[int]
"""Turns by falling score: numbers of turns in the conversation, from 1."""

_DEPTHS = (1, 5, 10, 20)
_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_TURN_ID = re.compile(r"D(\d+):0*(\d+)")


@dataclass(frozen=True, slots=True)
class Turn:
    id: str
    session: int
    said: datetime
    speaker: str
    text: str

    @property
    def line(self) -> str:
        return f"{self.speaker}: {self.text}"


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    text: str
    category: int
    evidence: frozenset[int]
    """Numbers of the turns that hold the answer."""


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation of two people, and what is asked about it."""

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]

    @property
    def speakers(self) -> list[str]:
        return sorted({turn.speaker for turn in self.turns})


async def run(context: Context) -> dict[str, Any]:
    """recall@1/5/10/20, any@10, all@10 and precision@10 by category and for 1-4 together, for each form of retrieval.

    Also the share of nonsense that finds nothing in these conversations.
    """
    found: dict[str, list[tuple[Question, Ranking]]] = {}
    silent: dict[str, list[float]] = {}
    for number, talk in enumerate(read(context.cases)):
        store = await _store(context.tmp / f"{number}.duckdb", context.embedder, talk)
        try:
            rank = await store.read(lambda con, talk=talk: _rankings(con, context.embedder, talk))  # type: ignore[misc]
            share = await store.read(lambda con: _silent(con, context.embedder))
        finally:
            store.close()
        for form, rankings in rank.items():
            found.setdefault(form, []).extend(zip(talk.questions, rankings, strict=True))
        for name, value in share.items():
            silent.setdefault(name, []).append(value)
    return {
        "n": len(found["ours"]),
        **{form: _by_category(rankings) for form, rankings in found.items()},
        "nonsense without a hit": {name: round(fmean(shares), 3) for name, shares in silent.items()},
        "failures": [
            {"id": question.id, "expected": sorted(question.evidence), "got": list(ranking[:10])}
            for question, ranking in found["ours"]
            if question.category < 5 and not question.evidence & set(ranking[:10])
        ],
    }


# Reading ----------------------------------------------------------------------------------------------------------------


def read(path: Path) -> Iterator[Talk]:
    """The conversations of a LoCoMo file. Questions whose evidence names no turn are left out. Raises MemoryInputError."""
    try:
        samples = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as problem:
        raise MemoryInputError(
            f"{path} cannot be read as LoCoMo conversations.",
            hint="The data set may not be shipped: name its JSON file with --cases.",
        ) from problem
    for sample in samples:
        turns = tuple(_turns(sample["conversation"]))
        numbers = {turn.id: number for number, turn in enumerate(turns, 1)}
        asked = (_question(sample["sample_id"], i, item, numbers) for i, item in enumerate(sample["qa"], 1))
        yield Talk(sample["sample_id"], turns, tuple(question for question in asked if question.evidence))


def _turns(conversation: Mapping[str, Any]) -> Iterator[Turn]:
    sessions = sorted(int(name[8:]) for name in conversation if re.fullmatch(r"session_\d+", name))
    for session in sessions:
        when = conversation[f"session_{session}_date_time"]
        said = datetime.strptime(f"{when} +0000", "%I:%M %p on %d %B, %Y %z")
        for turn in conversation[f"session_{session}"]:
            shown = f" [shows {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield Turn(turn["dia_id"], session, said, turn["speaker"], turn["text"] + shown)


def _question(talk: str, number: int, item: Mapping[str, Any], numbers: Mapping[str, int]) -> Question:
    """A few evidence lists are malformed ("D8:6; D9:17", "D30:05"): every turn id in them counts."""
    ids = [f"D{session}:{turn}" for session, turn in _TURN_ID.findall(" ".join(item["evidence"]))]
    evidence = frozenset(numbers[id_] for id_ in ids if id_ in numbers)
    return Question(f"{talk}-{number}", item["question"], item["category"], evidence)


# Retrieval --------------------------------------------------------------------------------------------------------------


async def _store(path: Path, embedder: Embedder, talk: Talk) -> Database:
    store = Database.open(
        path, embedder=embedder.id, embedder_hash=embedder.file_hash, dimension=embedder.dimension
    )
    vectors = embedder.embed([turn.line for turn in talk.turns])
    entries = [
        search.Entry(
            number, turn.line, vectors[number - 1 : number], turn.session, turn.said, speaker=turn.speaker
        )
        for number, turn in enumerate(talk.turns, 1)
    ]
    await store.write(lambda con: search.add(con, search.Corpus.EPISODES, entries))
    return store


def _rankings(con: Connection, embedder: Embedder, talk: Talk) -> dict[str, list[Ranking]]:
    plain = embedder.embed([question.text for question in talk.questions])
    spoken = embedder.embed([as_spoken_by(question.text, talk.speakers) for question in talk.questions])
    forms: dict[str, list[Ranking]] = {}
    for question, raw, vector in zip(talk.questions, plain, spoken, strict=True):
        for form, ranking in _forms(con, talk, question, raw, vector).items():
            forms.setdefault(form, []).append(ranking)
    return forms


def _forms(
    con: Connection, talk: Talk, question: Question, raw: Vector, vector: Vector
) -> dict[str, Ranking]:
    """The ranking of each form of retrieval for one question; the first is ours."""
    deepest = _DEPTHS[-1]
    about = named(question.text, talk.speakers)
    query = search.Query(question.text, vector, limit=deepest, speaker=about[0] if len(about) == 1 else "")
    everything = directory.read(con, search.Corpus.EPISODES)
    terms = list(term_counts(question.text))
    bm25 = words.score(everything, words.look_up(con, search.Corpus.EPISODES, everything, terms))
    dense, rewritten = (_by_meaning(con, v, len(talk.turns)) for v in (raw, vector))
    by_words = [
        int(id_) for id_ in everything.ids[np.argsort(-bm25, kind="stable")[: np.count_nonzero(bm25)]]
    ]
    return {
        "ours": [hit.id for hit in search.find(con, search.Corpus.EPISODES, query)],
        "dense": dense[:deepest],
        "dense, names rewritten": rewritten[:deepest],
        "BM25 with neighbours and date": by_words[:deepest],
        "rank fusion": _rank_fusion(rewritten, by_words)[:deepest],
    }


def _silent(con: Connection, embedder: Embedder) -> dict[str, float]:
    asked = {"random letters": nonsense.random_letters(50), "other topics": nonsense.other_topics()}
    return {
        name: nonsense.without_hit(con, embedder, questions) / len(questions)
        for name, questions in asked.items()
    }


def _by_meaning(con: Connection, vector: Vector, limit: int) -> list[int]:
    return [hit.id for hit in search.similar(con, search.Corpus.EPISODES, vector, limit=limit)]


def _rank_fusion(*rankings: Sequence[int]) -> list[int]:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009), k = 60."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            scores[number] = scores.get(number, 0.0) + 1 / (60 + rank)
    return sorted(scores, key=lambda number: -scores[number])


# Figures ----------------------------------------------------------------------------------------------------------------


def _by_category(found: Sequence[tuple[Question, Ranking]]) -> dict[str, dict[str, float]]:
    groups: dict[str, Callable[[int], bool]] = {"1-4": lambda category: category < 5}
    groups |= {f"{number} {name}": number.__eq__ for number, name in _CATEGORIES.items()}
    return {
        group: _figures(members)
        for group, holds in groups.items()
        if (members := [pair for pair in found if holds(pair[0].category)])
    }


def _figures(found: Sequence[tuple[Question, Ranking]]) -> dict[str, float]:
    hits = {
        depth: [len(question.evidence & set(got[:depth])) for question, got in found] for depth in _DEPTHS
    }
    wanted = [len(question.evidence) for question, _ in found]
    returned = [max(len(got[:10]), 1) for _, got in found]
    return {
        "n": len(found),
        **{f"recall@{depth}": _mean(np.divide(hits[depth], wanted)) for depth in _DEPTHS},
        "any@10": _mean(np.array(hits[10]) > 0),
        "all@10": _mean(np.equal(hits[10], wanted)),
        "precision@10": _mean(np.divide(hits[10], returned)),
    }


def _mean(values: NDArray[Any]) -> float:
    return round(float(values.mean()), 4)
