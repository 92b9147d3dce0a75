"""The situation head: whether two triggers, written on different days in other words, tell of the same situation.

What it sees of a pair is how alike the two judgments are and how far ahead of all rivals: in a store where near misses
("clings to nonstick cookware") are more alike than two tellings of the same thing, being nearest says more than being near.
What differs for certain (a number, name, date, direction, negation, a swapped word) is decided before it, by `differs`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assistant.memory.heads import language
from assistant.memory.heads.features import Floats, Weights, logistic, read_cases, read_weights, sigmoid
from assistant.memory.ports import Embedder, Vectors

NAME = "situation"
_OPENING = re.compile(
    r"^user(?:['’]s)?\s+(?:(?:is|has|was|wants to|would like to|asks:|says:)\s+)?", re.IGNORECASE
)
_LIKE_WORDING = 0.5
"""Share of words in common (Dice 1945: twice the shared ones by all of both) from which two triggers are variants of one sentence, so that a swapped word is meant."""
_BACKGROUND = 0.35
"""Affinity that judgments of different situations reach in a store of some size: what a pair must beat even where it is alone."""
_OPPOSITES = (
    ("get", "give"), ("receive", "give"), ("gets", "gives"), ("got", "gave"), ("buy", "sell"), ("buying", "selling"),
    ("lend", "borrow"), ("lent", "borrowed"), ("in", "out"), ("up", "down"), ("on", "off"), ("before", "after"),
    ("over", "under"), ("with", "without"), ("from", "to"), ("more", "less"), ("early", "late"), ("earlier", "later"),
)  # fmt: skip
_STRENGTH = 1.0
_NEIGHBOURS = 4
_NEAR_MISS_EVERY = 5
"""In training every fifth situation has a near miss beside it, as often as in life."""


def views(trigger: str, judgment: str, reasoning: str = "") -> tuple[str, str, str]:
    """The texts of a judgment that are embedded to compare it: its trigger without the opening all share, its own text, all of it."""
    bare = _OPENING.sub("", trigger) or trigger
    return bare, judgment, f"{bare}. {judgment} {reasoning}".rstrip()


def affinity(first: Vectors, second: Vectors) -> float:
    """How alike two judgments are, −1 to 1, from the vectors of their `views` (shape (3, dimension) each)."""
    whole, trigger, crossed = _parts(first, second)
    return 0.6 * whole + 0.2 * trigger + 0.2 * crossed


def features(first: Vectors, second: Vectors, first_rival: float, second_rival: float) -> Floats:
    """Shape (5,). The rivals are the best affinities that each of the two has to anything else."""
    alike = affinity(first, second)
    margins = [alike - max(rival, _BACKGROUND) for rival in (first_rival, second_rival)]
    return np.array([*_parts(first, second), min(margins), max(margins)], np.float32)


def _parts(first: Vectors, second: Vectors) -> tuple[float, float, float]:
    whole, trigger = float(first[2] @ second[2]), float(first[0] @ second[0])
    return whole, trigger, float(first[0] @ second[1] + first[1] @ second[0]) / 2


def differs(first: str, second: str) -> str:
    """What makes two triggers different situations for certain, in words; "" when nothing does."""
    one, other = _content(first), _content(second)
    shared = 2 * len(one & other) / max(1, len(one) + len(other))
    for name, found in (("number", language.numbers), ("name", language.names), ("date", language.calendar)):
        mine, theirs = found(first), found(second)
        if mine and theirs and not (mine <= theirs or theirs <= mine):
            return f"another {name}"
    if shared < _LIKE_WORDING:
        return ""
    if len(language.NEGATIONS.findall(first)) != len(language.NEGATIONS.findall(second)):
        return "one of them negated"
    if one - other and other - one:
        return "a word swapped"
    return "the direction reversed" if _opposed(first, second) or _reversed(first, second) else ""


def _content(text: str) -> set[str]:
    return {word for word in language.content(text) if not language.numbers(word)}


def _opposed(first: str, second: str) -> bool:
    """Whether one says "get" where the other says "give", and so on."""
    one, other = set(language.words(first)), set(language.words(second))
    only_one, only_other = one - other, other - one
    return any(
        (a in only_one and b in only_other) or (b in only_one and a in only_other) for a, b in _OPPOSITES
    )


def _reversed(first: str, second: str) -> bool:
    """Whether the same people stand in another order: "Kit manages Bo", "Bo manages Kit"."""
    people = language.names(first) | language.names(second) | language.roles(first) | language.roles(second)
    order = [
        [word for word in language.words(text) if word.removesuffix("'s") in people]
        for text in (first, second)
    ]
    return order[0] != order[1] and sorted(order[0]) == sorted(order[1])


@dataclass(frozen=True, slots=True)
class SituationHead:
    weights: Floats
    """Shape (5,)."""
    bias: float

    @classmethod
    def load(cls) -> SituationHead:
        stored = read_weights(NAME)
        return cls(stored["weights"], float(stored["bias"][0]))

    def probability(self, seen: Floats) -> float:
        """Probability in (0, 1) that the pair with these `features` is one situation."""
        return sigmoid(float(seen @ self.weights) + self.bias)


def train(embedder: Embedder) -> Weights:
    told = [
        telling
        for number, case in enumerate(read_cases("judgments"))
        for telling in _tellings(number, case, near_miss=number % _NEAR_MISS_EVERY == 0)
    ]
    texts = [text for _, trigger, judgment in told for text in views(trigger, judgment)]
    vectors = embedder.embed(texts).reshape(len(told), 3, -1)
    triggers = [trigger for _, trigger, _ in told]
    alike = _affinities(triggers, vectors)
    pairs = {
        (min(one, int(other)), max(one, int(other)))
        for one in range(len(told))
        for other in np.argsort(-alike[one])[:_NEIGHBOURS]
        if alike[one, other] > -1
    }
    rows, labels = [], []
    for one, other in sorted(pairs):
        rest = np.delete(alike, [one, other], axis=1)
        rows.append(features(vectors[one], vectors[other], rest[one].max(), rest[other].max()))
        labels.append(told[one][0] == told[other][0])
    return _fitted(np.stack(rows), labels)


def _tellings(number: int, case: dict[str, Any], *, near_miss: bool) -> list[tuple[int, str, str]]:
    """(situation, trigger, judgment) of a case; a near miss is a situation of its own."""
    told = [(number, case["trigger"], case["correct"]), (number, case["trigger_wrong"], case["wrong"])]
    beside = case["near_miss"]
    return told + ([(-1 - number, beside["trigger"], beside["judgment"])] if near_miss else [])


def _affinities(triggers: Sequence[str], vectors: Vectors) -> Floats:
    """Of all pairs, shape (n, n); −1 where they differ for certain and on the diagonal."""
    alike = np.full((len(triggers), len(triggers)), -1.0, np.float32)
    for one in range(len(triggers)):
        for other in range(one):
            if not differs(triggers[one], triggers[other]):
                alike[one, other] = alike[other, one] = affinity(vectors[one], vectors[other])
    return alike


def _fitted(rows: Floats, labels: list[bool]) -> Weights:
    """Fitted on standardised features, returned for features as they are."""
    mean, deviation = rows.mean(axis=0), rows.std(axis=0)
    fitted = logistic((rows - mean) / deviation, labels, strength=_STRENGTH)
    weights = fitted["weights"].astype(np.float32) / deviation
    return {"weights": weights, "bias": (fitted["bias"] - weights @ mean).astype(np.float32)}
