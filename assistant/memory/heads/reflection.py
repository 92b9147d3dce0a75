"""The reflection heads: whether an exchange holds a judgment, and which of its sentences says what to do and which says why.

All three are logistic regressions over sentence vectors, hashed word n-grams and a few cues of advice and experience.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assistant.memory.extraction.matching import matches
from assistant.memory.heads import language
from assistant.memory.heads.features import (
    Floats,
    Weights,
    hashed,
    logistic,
    read_cases,
    read_weights,
    sigmoid,
)
from assistant.memory.ports import Embedder, Vector, Vectors

NAME = "reflection"
_BUCKETS = 1 << 12
_VECTOR_SCALE = 2.0
_STRENGTH = 4.0
_GATE, _ADVICE, _REASON = "gate", "advice", "reason"
_LIKE_A_DOMAIN = 0.3
"""Cosine to a domain's mean turn from which a turn belongs to it."""
_MOST_SENTENCES = 24
"""Sentences of a message that are read."""

_CUES = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "because": r"\b(?:because|since|as|so that|otherwise|or else|that way|which means|bc|cause)\b",
        "lesson": r"\b(?:never again|from (?:now|here) on|lesson|learn(?:ed|t)|burned|burnt|the hard way|new rule|my rule|done with|swear|"
        r"next time|no more|always|twice now|stopped|i've decided|we've decided|decided)\b",
        "should": r"\b(?:should|shall|worth|ok to|okay to|fine to|is it (?:ok|smart|safe|fine)|thinking of|tempted|wants? (?:me|us) to|or\b.*\?)",
        "negative": r"\b(?:don't|do not|never|not|no|without|instead|rather than|stop|avoid|before|first|only)\b",
        "order": r"^(?:write|draft|translate|rewrite|summari[sz]e|give me|list|make|tell me|explain|convert|fix|proofread|suggest|recommend|pretend|"
        r"roleplay|act as|generate|can you|could you|please|pls|what(?:'s| is| are| does)|who|how (?:do|does|many|much|tall|long))\b",
        "praise": r"^(?:good|nice|great|sound|fair|sensible|right|lovely|yes|yep|simple|keep it|guard it|that|it)\b",
        "generic": r"\b(?:both are|either|it depends|opinions differ|up to you|be yourself|stay positive|believe in yourself|good luck|congratulations|"
        r"noted|nice to meet|i can't|i won't)\b",
        "consequence": r"\b(?:costs?|means?|leaves?|makes?|turns?|gets?|loses?|teach(?:es)?|rots?|hides?|ruins?|shows?|nobody|nothing|worse|than|until|once|when|if)\b",
    }.items()
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    vector: Vector
    by_user: bool
    place: float
    """0 for the first of its message, 1 for the last."""


def split_sentences(text: str) -> list[str]:
    """Sentences and lines of a message, in order, as they stand."""
    return [part.strip() for part in re.split(r"(?<=[.!?])\s+|\n+", text) if re.search(r"\w", part)]


def read_sentences(embedder: Embedder, user: str, assistant: str) -> list[Sentence]:
    """The sentences of both messages, the user's first."""
    said = [(text, True) for text in split_sentences(user)[:_MOST_SENTENCES]]
    answered = [(text, False) for text in split_sentences(assistant)[:_MOST_SENTENCES]]
    vectors = embedder.embed([text for text, _ in said + answered])
    places = [number / max(1, len(part) - 1) for part in (said, answered) for number in range(len(part))]
    return [
        Sentence(text, vector, by_user, place)
        for (text, by_user), vector, place in zip(said + answered, vectors, places, strict=True)
    ]


def turn_features(user: str, assistant: str, user_vector: Vector, assistant_vector: Vector) -> Floats:
    """Shape (2 × dimension + 2 × buckets + cues,)."""
    return np.concatenate(
        [
            user_vector * _VECTOR_SCALE,
            assistant_vector * _VECTOR_SCALE,
            hashed(user, _BUCKETS, 2),
            hashed(assistant, _BUCKETS, 2),
            _cues(user),
            _cues(assistant),
            _shape(user),
            _shape(assistant),
            [float(user_vector @ assistant_vector)],
        ]
    ).astype(np.float32)


def sentence_features(sentence: Sentence, user: str, assistant: str) -> Floats:
    """Shape (2 × dimension + 2 × buckets + cues,): the speaker's half of vector and words is filled, the other is zero."""
    empty_vector, empty_words = np.zeros_like(sentence.vector), np.zeros(_BUCKETS, np.float32)
    words = hashed(sentence.text, _BUCKETS, 2)
    speaker = [float(sentence.by_user), float(not sentence.by_user)]
    told = float(_CUES["lesson"].search(user) is not None and not language.asks(user))
    brief = float(len(assistant.split()) < 14 or _CUES["praise"].search(assistant) is not None)
    around = np.outer(
        speaker, [1.0, told, brief, sentence.place, sentence.place == 0, language.asks(sentence.text)]
    )
    halves = (
        [sentence.vector * _VECTOR_SCALE, empty_vector]
        if sentence.by_user
        else [empty_vector, sentence.vector * _VECTOR_SCALE]
    )
    return np.concatenate(
        [
            *halves,
            *([words, empty_words] if sentence.by_user else [empty_words, words]),
            np.outer(speaker, _cues(sentence.text)).ravel(),
            around.ravel(),
            _shape(sentence.text),
        ]
    ).astype(np.float32)  # fmt: skip


def _cues(text: str) -> list[float]:
    return [float(pattern.search(text) is not None) for pattern in _CUES.values()]


def _shape(text: str) -> list[float]:
    return [
        min(len(text.split()), 60) / 20,
        min(len(split_sentences(text)), 6) / 3,
        float(language.asks(text)),
        float(bool(language.numbers(text))),
        float("\n" in text or "'" in text[:2] or "`" in text),
    ]


@dataclass(frozen=True, slots=True)
class ReflectionHead:
    weights: Weights

    @classmethod
    def load(cls) -> ReflectionHead:
        return cls(read_weights(NAME))

    def holds(self, seen: Floats) -> float:
        """Probability that the turn with these `turn_features` holds a judgment."""
        return self._probability(_GATE, seen)

    def advises(self, seen: Floats) -> float:
        """Probability that the sentence with these `sentence_features` says what to do."""
        return self._probability(_ADVICE, seen)

    def reasons(self, seen: Floats) -> float:
        """Probability that it says why."""
        return self._probability(_REASON, seen)

    def domain(self, user_vector: Vector) -> str:
        """The field a message is about, among those of the training cases; "" when none is near."""
        cosines = self.weights["domain_vectors"] @ user_vector
        best = int(np.argmax(cosines))
        return str(self.weights["domain_names"][best]) if cosines[best] >= _LIKE_A_DOMAIN else ""

    def _probability(self, name: str, seen: Floats) -> float:
        return sigmoid(float(seen @ self.weights[f"{name}_weights"]) + float(self.weights[f"{name}_bias"][0]))


def train(embedder: Embedder) -> Weights:
    return fit(read_cases(NAME), embedder)


def fit(cases: Sequence[dict[str, Any]], embedder: Embedder) -> Weights:
    users = embedder.embed([case["user"] for case in cases])
    assistants = embedder.embed([case["assistant"] for case in cases])
    turns = [
        turn_features(case["user"], case["assistant"], *vectors)
        for case, *vectors in zip(cases, users, assistants, strict=True)
    ]
    rows, advice, reason = [], [], []
    for case in cases:
        gold = case["judgment"]
        if gold is not None:
            for sentence in read_sentences(embedder, case["user"], case["assistant"]):
                rows.append(sentence_features(sentence, case["user"], case["assistant"]))
                advice.append(matches(sentence.text, gold["judgment_any"]))
                reason.append(matches(sentence.text, gold["reasoning_any"]))
    fitted = {
        _GATE: logistic(
            np.stack(turns), [case["judgment"] is not None for case in cases], strength=_STRENGTH
        ),
        _ADVICE: logistic(np.stack(rows), advice, strength=_STRENGTH),
        _REASON: logistic(np.stack(rows), reason, strength=_STRENGTH),
    }
    weights = {f"{name}_{key}": array for name, arrays in fitted.items() for key, array in arrays.items()}
    return weights | _domains(cases, users)


def _domains(cases: Sequence[dict[str, Any]], vectors: Vectors) -> Weights:
    """The mean vector of the user's messages in each domain, unit norm."""
    by_domain: dict[str, list[Vector]] = {}
    for case, vector in zip(cases, vectors, strict=True):
        if case["judgment"] is not None:
            by_domain.setdefault(case["judgment"]["domain"], []).append(vector)
    names = sorted(name for name, found in by_domain.items() if len(found) > 1)
    means = np.stack([np.mean(by_domain[name], axis=0) for name in names])
    unit = means / np.linalg.norm(means, axis=1, keepdims=True)
    return {"domain_names": np.array(names), "domain_vectors": unit.astype(np.float16)}
