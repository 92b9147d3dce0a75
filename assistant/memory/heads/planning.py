"""The planning head: probability that answering needs the transcript, from the question's vector, its words, its grammar and its turns of phrase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
from assistant.memory.heads.talk import turns_of_phrase, unquoted
from assistant.memory.ports import Embedder, Vector

NAME = "planning"
_WORD_BUCKETS = 1 << 14
_FRAME_BUCKETS = 1 << 13
_STRENGTH = 8.0
_VECTOR_SCALE = 2.0
_WORD_SCALE = 1.5
_FRAME_SCALE = 2.5
_HIDDEN = 64
_SEEDS = (1, 2, 3)
_DENSE_VECTOR_SCALE = 8.0
_DENSE_PHRASE_SCALE = 1.5
_DENSE_SHARE = 0.35
"""Share of the small networks in the probability; the rest is the logistic regression's."""
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
    """Shape (dimension + buckets + phrases,)."""
    bias: float
    networks: tuple[Weights, ...] = ()
    """One hidden layer each: `in` (inputs, hidden), `in_bias`, `out` (hidden,), `out_bias` (1,)."""

    @classmethod
    def load(cls) -> PlanningHead:
        stored = read_weights(NAME)
        networks = tuple(
            {part: stored[f"{seed}.{part}"] for part in ("in", "in_bias", "out", "out_bias")}
            for seed in _SEEDS
        )
        return cls(stored["weights"], float(stored["bias"][0]), networks)

    def probability(self, question: str, vector: Vector) -> float:
        """Probability in (0, 1) that the question is about what was said or done before."""
        sparse = sigmoid(float(features(question, vector) @ self.weights) + self.bias)
        if not self.networks:
            return sparse
        row = _dense(question, vector)
        dense = float(np.mean([_forward(network, row) for network in self.networks]))
        return _DENSE_SHARE * dense + (1 - _DENSE_SHARE) * sparse


def features(question: str, vector: Vector) -> Floats:
    """Vector, hashed word n-grams, hashed n-grams of the frame without its topic, turns of phrase. Shape (dimension + buckets + phrases,)."""
    frame = hashed_tokens(skeleton(unquoted(question), _OF_TALK), _FRAME_BUCKETS, longest=4)
    words = hashed(question, _WORD_BUCKETS)
    return np.concatenate(
        [vector * _VECTOR_SCALE, words * _WORD_SCALE, frame * _FRAME_SCALE, turns_of_phrase(question)]
    )


def _dense(question: str, vector: Vector) -> Floats:
    return np.concatenate(
        [vector * _DENSE_VECTOR_SCALE, turns_of_phrase(question) * _DENSE_PHRASE_SCALE]
    ).astype(np.float32)


def _forward(network: Weights, row: Floats) -> float:
    hidden = np.maximum(row @ network["in"] + network["in_bias"], 0)
    return sigmoid(float(hidden @ network["out"]) + float(network["out_bias"][0]))


# Training -------------------------------------------------------------------------------------------------------------


def train(embedder: Embedder) -> Weights:
    return fit(read_cases(NAME), embedder)


def fit(cases: Sequence[dict[str, Any]], embedder: Embedder) -> Weights:
    """Logistic regression over the sparse features and small networks over the dense ones. A case's `weight` is 1 where it has none."""
    vectors = embedder.embed([case["question"] for case in cases])
    asked = [(case["question"], vector) for case, vector in zip(cases, vectors, strict=True)]
    labels = [bool(case["needs_episodes"]) for case in cases]
    weight = [float(case.get("weight", 1.0)) for case in cases]
    sparse = np.stack([features(question, vector) for question, vector in asked])
    stored = logistic(sparse, labels, strength=_STRENGTH, weight=weight)
    dense = np.stack([_dense(question, vector) for question, vector in asked])
    for seed in _SEEDS:
        for part, value in _network(dense, labels, seed).items():
            stored[f"{seed}.{part}"] = value
    return stored


def _network(rows: Floats, labels: Sequence[bool], seed: int) -> Weights:
    """A network that stops after 25 epochs, long before it knows the cases by heart."""
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier

    fitted = MLPClassifier((_HIDDEN,), alpha=1e-2, max_iter=25, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted.fit(rows, list(labels))
    (inner, outer), (inner_bias, outer_bias) = fitted.coefs_, fitted.intercepts_
    return {
        "in": inner.astype(np.float16),
        "in_bias": inner_bias.astype(np.float16),
        "out": outer[:, 0].astype(np.float16),
        "out_bias": outer_bias.astype(np.float32),
    }
