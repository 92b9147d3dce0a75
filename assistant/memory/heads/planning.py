"""The planning head: probability that answering needs the transcript, from the question's vector and its word n-grams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assistant.memory.heads.features import (
    Floats,
    Weights,
    hashed,
    logistic,
    read_cases,
    read_weights,
    sigmoid,
)
from assistant.memory.ports import Embedder, Vector

NAME = "planning"
_BUCKETS = 1 << 14
_STRENGTH = 8.0
_VECTOR_SCALE = 1.5


@dataclass(frozen=True, slots=True)
class PlanningHead:
    weights: Floats
    """Shape (dimension + buckets,)."""
    bias: float

    @classmethod
    def load(cls) -> PlanningHead:
        stored = read_weights(NAME)
        return cls(stored["weights"], float(stored["bias"][0]))

    def probability(self, question: str, vector: Vector) -> float:
        """Probability in (0, 1) that the question is about what was said or done before."""
        return sigmoid(float(features(question, vector) @ self.weights) + self.bias)


def features(question: str, vector: Vector) -> Floats:
    return np.concatenate([vector * _VECTOR_SCALE, hashed(question, _BUCKETS)])


def train(embedder: Embedder) -> Weights:
    cases = read_cases(NAME)
    vectors = embedder.embed([case["question"] for case in cases])
    rows = np.stack([features(case["question"], vector) for case, vector in zip(cases, vectors, strict=True)])
    return logistic(rows, [case["needs_episodes"] for case in cases], strength=_STRENGTH)
