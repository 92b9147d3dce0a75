"""The planning head: probability that answering needs the transcript, from the question's vector, its words and its grammar."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assistant.memory.heads.features import (
    Floats,
    Weights,
    hashed,
    hashed_tokens,
    logistic,
    read_cases,
    read_weights,
    sigmoid,
)
from assistant.memory.heads.skeleton import skeleton
from assistant.memory.ports import Embedder, Vector

NAME = "planning"
_WORD_BUCKETS = 1 << 14
_FRAME_BUCKETS = 1 << 13
_STRENGTH = 8.0
_VECTOR_SCALE = 1.5
_FRAME_SCALE = 2.0
_TALK_WORDS = (
    "suggest suggested recommend recommended mention mentioned discuss discussed talk talked talking chat chats conversation spoke speak "
    "decide decided agree agreed settle settled promise promised advise advised advice warn warned ask asked asking wrote written write "
    "explain explained gave made before earlier again back first original version previous previously once where left continue resume "
    "pick leave step list plan idea ideas suggestion options exactly words quote recap summarise summary history remind forgot forget "
    "remember long ago often times many time same told had hadn't we'd you'd you've been come came between thing stuff"
)
_OF_TALK = frozenset(_TALK_WORDS.split())
"""Words that a question about the past turns on: kept in its grammatical frame."""


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
    """Vector, hashed word n-grams, and hashed n-grams of the frame without its topic. Shape (dimension + buckets,)."""
    frame = hashed_tokens(skeleton(question, _OF_TALK), _FRAME_BUCKETS, longest=4)
    return np.concatenate([vector * _VECTOR_SCALE, hashed(question, _WORD_BUCKETS), frame * _FRAME_SCALE])


def train(embedder: Embedder) -> Weights:
    cases = read_cases(NAME)
    vectors = embedder.embed([case["question"] for case in cases])
    rows = np.stack([features(case["question"], vector) for case, vector in zip(cases, vectors, strict=True)])
    return logistic(rows, [case["needs_episodes"] for case in cases], strength=_STRENGTH)
