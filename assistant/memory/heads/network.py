"""A small network that chooses among the options of a case: add, nothing new, or (same, changed, ended) for each offered fact.

Each pair and each candidate passes one hidden layer and adds the weights of its sparse n-grams; one softmax runs over all
options of the case, so that facts compete with one another and with "add" and "nothing new".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.memory.heads.features import Floats, Weights

PAIR_OPTIONS = 3
"""same, changed, ended"""
CASE_OPTIONS = 2
"""add, nothing new (small talk, questions)"""
PAIR_BUCKETS = 8192
CASE_BUCKETS = 4096
"""Rows of the tables of hashed n-grams."""


@dataclass(frozen=True, slots=True)
class Case:
    """The features of one candidate with `n` facts. `allowed` marks the right options (training only)."""

    pairs: Floats
    """Shape (n, pair features)."""
    pair_grams: Sequence[NDArray[np.int64]]
    candidate: Floats
    """Shape (candidate features,)."""
    grams: NDArray[np.int64]
    allowed: NDArray[np.bool_] | None = None
    """Shape (CASE_OPTIONS + PAIR_OPTIONS * n,)."""
    weight: float = 1.0


def options(weights: Weights, case: Case) -> Floats:
    """Probabilities: add, nothing new, then same, changed, ended for each fact. Shape (CASE_OPTIONS + PAIR_OPTIONS * n,)."""
    scores = np.concatenate(
        [_scores(weights, "case", case.candidate[None], [case.grams])[0], _pair_scores(weights, case)]
    )
    exponents = np.exp(scores - scores.max())
    return np.asarray(exponents / exponents.sum(), np.float32)


def _pair_scores(weights: Weights, case: Case) -> Floats:
    if not len(case.pairs):
        return np.zeros(0, np.float32)
    return _scores(weights, "pair", case.pairs, case.pair_grams).ravel()


def _scores(weights: Weights, part: str, rows: Floats, grams: Sequence[NDArray[np.int64]]) -> Floats:
    scaled = (rows - weights[f"{part}.mean"]) / weights[f"{part}.spread"]
    hidden = np.maximum(np.clip(scaled, -4, 4) @ weights[f"{part}.in"] + weights[f"{part}.in_bias"], 0)
    sparse = np.stack(
        [weights[f"{part}.grams"][found].sum(axis=0) / np.sqrt(max(len(found), 1)) for found in grams]
    )
    return np.asarray(hidden @ weights[f"{part}.out"] + weights[f"{part}.out_bias"] + sparse, np.float32)


# Training -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Training:
    hidden: tuple[int, int] = (96, 32)
    """Hidden units for pairs and for candidates."""
    epochs: int = 14
    batch: int = 64
    rate: float = 3e-3
    decay: float = 2e-2
    gram_decay: float = 2e-2
    drop: float = 0.3
    """Share of the inputs and hidden units left out at random in each step."""


def fit(cases: Sequence[Case], *, seed: int, training: Training | None = None) -> Weights:
    """Weights that make the allowed options likely, by Adam with decoupled weight decay (Kingma & Ba 2015; Loshchilov & Hutter 2019)."""
    training = training or Training()
    random = np.random.default_rng(seed)
    weights = _initial(cases, training, random)
    learner = _Adam(weights, training)
    steps = training.epochs * (1 + (len(cases) - 1) // training.batch)
    for step, batch in enumerate(_batches(cases, training, random)):
        learner.step(_gradients(weights, batch, training, random), rate=training.rate * (1 - step / steps))
    return weights


def _batches(cases: Sequence[Case], training: Training, random: np.random.Generator) -> Iterator[list[Case]]:
    for _ in range(training.epochs):
        order = random.permutation(len(cases))
        for start in range(0, len(cases), training.batch):
            yield [cases[place] for place in order[start : start + training.batch]]


def _initial(cases: Sequence[Case], training: Training, random: np.random.Generator) -> Weights:
    weights: Weights = {}
    rows = {
        "pair": np.concatenate([case.pairs for case in cases if len(case.pairs)]),
        "case": np.stack([case.candidate for case in cases]),
    }
    for place, (part, outputs, buckets) in enumerate(
        (("pair", PAIR_OPTIONS, PAIR_BUCKETS), ("case", CASE_OPTIONS, CASE_BUCKETS))
    ):
        inputs, hidden = rows[part].shape[1], training.hidden[place]
        weights[f"{part}.mean"] = rows[part].mean(axis=0)
        weights[f"{part}.spread"] = np.maximum(rows[part].std(axis=0), 0.02)
        weights[f"{part}.in"] = random.normal(0, np.sqrt(1 / inputs), (inputs, hidden)).astype(np.float32)
        weights[f"{part}.in_bias"] = np.zeros(hidden, np.float32)
        weights[f"{part}.out"] = random.normal(0, np.sqrt(1 / hidden), (hidden, outputs)).astype(np.float32)
        weights[f"{part}.out_bias"] = np.zeros(outputs, np.float32)
        weights[f"{part}.grams"] = np.zeros((buckets, outputs), np.float32)
    return weights


def _gradients(
    weights: Weights, batch: Sequence[Case], training: Training, random: np.random.Generator
) -> Weights:
    """Gradient of the mean negative log likelihood of the allowed options."""
    layers = {
        "case": _Layer(weights, "case", np.stack([case.candidate for case in batch]), [case.grams for case in batch], training, random),
        "pair": _Layer(
            weights, "pair",
            np.concatenate([weights["pair.mean"][None][:0], *(case.pairs for case in batch if len(case.pairs))]),
            [found for case in batch for found in case.pair_grams], training, random,
        ),
    }  # fmt: skip
    errors = {part: np.zeros(layer.scores.shape, np.float32) for part, layer in layers.items()}
    row = 0
    for place, case in enumerate(batch):
        end = row + len(case.pairs)
        scores = np.concatenate([layers["case"].scores[place], layers["pair"].scores[row:end].ravel()])
        error = _error(scores, case) / len(batch)
        errors["case"][place] = error[:CASE_OPTIONS]
        errors["pair"][row:end] = error[CASE_OPTIONS:].reshape(-1, PAIR_OPTIONS)
        row = end
    return {
        key: value for part, layer in layers.items() for key, value in layer.gradients(errors[part]).items()
    }


def _error(scores: Floats, case: Case) -> Floats:
    exponents = np.exp(scores - scores.max())
    likely = exponents / exponents.sum()
    wanted = np.where(case.allowed, likely, 0) if case.allowed is not None else likely
    return np.asarray((likely - wanted / max(float(wanted.sum()), 1e-9)) * case.weight, np.float32)


class _Layer:
    """One part's forward pass over a batch, kept for its gradients."""

    def __init__(
        self,
        weights: Weights,
        part: str,
        rows: Floats,
        grams: Sequence[NDArray[np.int64]],
        training: Training,
        random: np.random.Generator,
    ) -> None:
        self._weights, self._part = weights, part
        scaled = np.clip((rows - weights[f"{part}.mean"]) / weights[f"{part}.spread"], -4, 4)
        keep = 1 - training.drop
        self._rows = scaled * (random.random(scaled.shape) < keep) / keep
        active = np.maximum(self._rows @ weights[f"{part}.in"] + weights[f"{part}.in_bias"], 0)
        self._mask = (random.random(active.shape) < keep) / keep
        self._hidden = active * self._mask
        self._grams = np.concatenate(grams) if grams else np.zeros(0, np.int64)
        counts = np.array([len(found) for found in grams], np.int64)
        self._owner = np.repeat(np.arange(len(grams)), counts)
        self._share = (1 / np.sqrt(np.maximum(counts, 1)))[self._owner][:, None].astype(np.float32)
        self.scores = self._hidden @ weights[f"{part}.out"] + weights[f"{part}.out_bias"]
        np.add.at(self.scores, self._owner, weights[f"{part}.grams"][self._grams] * self._share)

    def gradients(self, error: NDArray[np.floating]) -> Weights:
        weights, part = self._weights, self._part
        back = (error @ weights[f"{part}.out"].T) * self._mask * (self._hidden > 0)
        grams = np.zeros_like(weights[f"{part}.grams"])
        np.add.at(grams, self._grams, error[self._owner] * self._share)
        return {
            f"{part}.in": self._rows.T @ back,
            f"{part}.in_bias": back.sum(axis=0),
            f"{part}.out": self._hidden.T @ error,
            f"{part}.out_bias": error.sum(axis=0),
            f"{part}.grams": grams,
        }


class _Adam:
    def __init__(self, weights: Weights, training: Training) -> None:
        self._weights, self._training, self._steps = weights, training, 0
        self._mean = {key: np.zeros_like(value) for key, value in weights.items()}
        self._square = {key: np.zeros_like(value) for key, value in weights.items()}

    def step(self, gradients: Weights, *, rate: float) -> None:
        self._steps += 1
        for key, gradient in gradients.items():
            self._mean[key] = 0.9 * self._mean[key] + 0.1 * gradient
            self._square[key] = 0.99 * self._square[key] + 0.01 * gradient**2
            move = self._mean[key] / (1 - 0.9**self._steps)
            size = np.sqrt(self._square[key] / (1 - 0.99**self._steps)) + 1e-6
            decay = self._training.gram_decay if key.endswith("grams") else self._training.decay
            self._weights[key] = (self._weights[key] * (1 - rate * decay) - rate * move / size).astype(
                np.float32
            )
