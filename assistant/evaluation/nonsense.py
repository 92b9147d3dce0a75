"""Questions that a memory must not find anything for."""

from __future__ import annotations

import string
from collections.abc import Sequence

import numpy as np

from assistant.evaluation.tables import read_cases
from assistant.memory.ports import Embedder
from assistant.memory.store import search
from assistant.memory.store.database import Connection
from assistant.memory.store.search import Corpus, Query
from assistant.paths import shipped


def random_letters(count: int) -> list[str]:
    """Strings of 5 to 40 letters and spaces."""
    rng = np.random.default_rng(1)
    alphabet = list(string.ascii_lowercase + "   ")
    return ["".join(rng.choice(alphabet, size)) for size in rng.integers(5, 41, count)]


def other_topics() -> list[str]:
    """50 questions of general knowledge, which people who talk about themselves do not touch on."""
    return [case["question"] for case in read_cases(shipped("data", "cases", "off_topic.jsonl"))]


def without_hit(con: Connection, embedder: Embedder, questions: Sequence[str]) -> int:
    """How many of them find no turn."""
    asked = zip(questions, embedder.embed(questions), strict=True)
    return sum(not search.find(con, Corpus.EPISODES, Query(text, vector)) for text, vector in asked)
