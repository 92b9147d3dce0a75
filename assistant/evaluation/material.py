"""What the suites about size make their stores of: real chat messages, and mixtures of two where those do not reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assistant.evaluation import locomo
from assistant.evaluation.tables import read_cases
from assistant.memory.ports import Vectors
from assistant.paths import shipped

if TYPE_CHECKING:
    from assistant.evaluation.runner import Context

_QUESTIONS = 100
_SECOND = 0.6
"""Weight of the second message in a mixture; that of the first is 1."""
_NOISE = 0.02
"""Standard deviation of what is added to each component of a mixture."""
_BATCH = 50_000
_WORDS = 25
"""Words that each of the two messages gives."""


@dataclass(frozen=True, slots=True)
class Material:
    """Chat messages with their vectors, and questions with theirs."""

    texts: list[str]
    vectors: Vectors
    questions: list[str]
    asked: Vectors

    def rows(self, count: int) -> tuple[list[str], Vectors]:
        """`count` texts and unit vectors: the messages themselves, then mixtures."""
        rng = np.random.default_rng(0)
        size = len(self.texts)
        one, two = rng.integers(0, size, (2, count))
        one[:size] = np.arange(size)[:count]
        made = self.vectors[one]
        for start in range(size, count, _BATCH):  # a million rows fill the memory once, not three times
            batch = slice(start, start + _BATCH)
            noise = rng.standard_normal(made[batch].shape, np.float32)
            made[batch] += _SECOND * self.vectors[two[batch]] + _NOISE * noise
        made /= np.sqrt(np.einsum("ij,ij->i", made, made))[:, None]
        words = [text.split(" ") for text in self.texts]
        texts = [
            self.texts[i] if row < size else " ".join(words[i][:_WORDS] + words[j][:_WORDS])
            for row, (i, j) in enumerate(zip(one.tolist(), two.tolist(), strict=True))
        ]
        return texts, made


def material(context: Context) -> Material:
    """From the cases that ship, or a file of other messages (JSON Lines with `user` and `assistant`, or LoCoMo)."""
    given = context.cases if context.cases.is_file() else shipped("data", "cases", "extraction.jsonl")
    texts = list(dict.fromkeys(_messages(given)))
    planning = read_cases(shipped("data", "cases", "planning.jsonl"))
    questions = [case["question"] for case in planning if case["needs_episodes"]][:_QUESTIONS]
    return Material(texts, context.embedder.embed(texts), questions, context.embedder.embed(questions))


def _messages(file: Path) -> Iterator[str]:
    if file.suffix == ".json":
        yield from (turn.line for talk in locomo.read(file) for turn in talk.turns)
    else:
        yield from (f"{case['user']}\n{case['assistant']}" for case in read_cases(file))
