"""The routing head: for a candidate and the facts beside it, probabilities of add, nothing new, and same / changed / ended for each fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assistant.memory.heads import network
from assistant.memory.heads.features import Floats, Weights, buckets, n_grams, read_cases, read_weights
from assistant.memory.heads.language import stem, words
from assistant.memory.heads.network import CASE_BUCKETS, CASE_OPTIONS, PAIR_BUCKETS, PAIR_OPTIONS, Case
from assistant.memory.heads.pairs import Match, candidate_features, pair_features
from assistant.memory.heads.reading import Reading, read
from assistant.memory.ports import Embedder

NAME = "routing"
_AXES = 32
"""Principal axes of the vectors that the network sees."""
_SEEDS = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Options:
    """Probabilities that sum to 1. `same`, `changed` and `ended` have one entry a fact."""

    add: float
    nothing: float
    same: Floats
    changed: Floats
    ended: Floats


@dataclass(frozen=True, slots=True)
class RoutingHead:
    axes: Floats
    """Shape (dimension, axes)."""
    members: tuple[Weights, ...]
    """Networks whose probabilities are averaged."""

    @classmethod
    def load(cls) -> RoutingHead:
        return cls.of(read_weights(NAME))

    @classmethod
    def of(cls, stored: Weights) -> RoutingHead:
        count = 1 + max(int(key.split(".")[0]) for key in stored if key[0].isdigit())
        members = tuple(
            {key.partition(".")[2]: value for key, value in stored.items() if key.startswith(f"{member}.")}
            for member in range(count)
        )
        return cls(stored["axes"], members)

    def options(self, candidate: Reading, clause: str, facts: Sequence[Reading]) -> Options:
        case = case_of(candidate, clause, facts, self.axes)
        chances = np.mean([network.options(member, case) for member in self.members], axis=0)
        by_fact = chances[CASE_OPTIONS:].reshape(-1, PAIR_OPTIONS)
        return Options(float(chances[0]), float(chances[1]), by_fact[:, 0], by_fact[:, 1], by_fact[:, 2])


def case_of(
    candidate: Reading,
    clause: str,
    facts: Sequence[Reading],
    axes: Floats,
    allowed: Any = None,
    weight: float = 1.0,
) -> Case:
    """All features of one candidate beside its facts."""
    said = candidate.vector @ axes
    grams = buckets(n_grams([stem(word) for word in words(clause)]), CASE_BUCKETS)
    alone = np.concatenate([candidate_features(candidate, clause, facts), said])
    if not facts:
        return Case(np.zeros((0, 0), np.float32), (), alone, grams, allowed, weight)
    held = np.stack([fact.vector for fact in facts]) @ axes
    spread = np.broadcast_to(said, held.shape)
    matches = [Match(candidate, fact) for fact in facts]
    pairs = np.concatenate(
        [pair_features(clause, matches), spread, held, said - held, said * held * 8], axis=1
    )
    pair_grams = [buckets(n_grams(match.delexicalised(clause)), PAIR_BUCKETS) for match in matches]
    return Case(pairs.astype(np.float32), pair_grams, alone, grams, allowed, weight)


def train(embedder: Embedder) -> Weights:
    cases = read_cases(NAME)
    readings = read_all(cases, embedder)
    axes = principal_axes(np.stack([reading.vector for reading in readings.values()]))
    share = Counter(case["operation"] for case in cases)
    balance = {operation: len(cases) / (len(share) * count) for operation, count in share.items()}
    prepared = [prepare(case, readings, axes, balance[case["operation"]]) for case in cases]
    stored: Weights = {"axes": axes.astype(np.float16)}
    for member, seed in enumerate(_SEEDS):
        for key, value in network.fit(prepared, seed=seed).items():
            stored[f"{member}.{key}"] = value.astype(np.float16)
    return stored


def read_all(cases: Sequence[dict[str, Any]], embedder: Embedder) -> dict[str, Reading]:
    """Every text of the cases, read once."""
    texts = sorted(
        {text for case in cases for text in (case["candidate"], *(fact["text"] for fact in case["existing"]))}
    )
    readings: dict[str, Reading] = {}
    for start in range(0, len(texts), 32):
        some = texts[start : start + 32]
        readings.update(zip(some, read(some, embedder), strict=True))
    return readings


def principal_axes(vectors: Floats) -> Floats:
    """The main directions in which the vectors differ, shape (dimension, _AXES)."""
    _, _, directions = np.linalg.svd(vectors - vectors.mean(axis=0), full_matrices=False)
    return np.asarray(directions[:_AXES].T, np.float32)


def prepare(case: dict[str, Any], readings: dict[str, Reading], axes: Floats, balance: float = 1.0) -> Case:
    """A labelled case as the network sees it; its `weight` (1 where it has none) is multiplied by `balance`."""
    facts = [readings[fact["text"]] for fact in case["existing"]]
    return case_of(
        readings[case["candidate"]],
        case["candidate"],
        facts,
        axes,
        _allowed(case),
        balance * case.get("weight", 1.0),
    )


def _allowed(case: dict[str, Any]) -> Any:
    """Which options are right: for NOOP "nothing new" or "same" as any fact; `also` names further targets."""
    ids = [fact["id"] for fact in case["existing"]]
    allowed = np.zeros(CASE_OPTIONS + PAIR_OPTIONS * len(ids), np.bool_)
    operation = case["operation"]
    if operation == "ADD":
        allowed[0] = True
    elif operation == "NOOP":
        allowed[1] = True
        allowed[CASE_OPTIONS::PAIR_OPTIONS] = True
    else:
        option = CASE_OPTIONS + (1 if operation == "UPDATE" else 2)
        for target in (case["target"], *case.get("also", ())):
            allowed[option + PAIR_OPTIONS * ids.index(target)] = True
    return allowed
