"""The durable-fact gate: probability that a clause states something about the user that is still true next month."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assistant.memory.extraction.clauses import Clause, split_clauses
from assistant.memory.extraction.guards import refused, unreal
from assistant.memory.extraction.matching import matches
from assistant.memory.extraction.statements import statement_of
from assistant.memory.heads.features import (
    Floats,
    Weights,
    buckets,
    hashed,
    logistic,
    n_grams,
    read_cases,
    read_weights,
)
from assistant.memory.heads.skeleton import skeleton
from assistant.memory.ports import Embedder, Vectors
from assistant.memory.redaction import mask

NAME = "gate"
_BUCKETS = 1 << 13
_FRAMES = 1 << 12
_STRENGTH = 0.5
_QUESTION_WEIGHT = 0.3
"""Of the planning head's questions: many, and alike."""
_COMPOSED_WEIGHT = 0.5
"""Of cases put together from frames: they repeat themselves more than cases written one by one."""
_SCALES = {
    "clause": 2.2,
    "message": 1.0,
    "before": 0.4,
    "after": 0.4,
    "words": 1.0,
    "around": 0.5,
    "frame": 2.0,
    "cues": 0.7,
}
_CUES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:i|i['’]m|im|i['’]ve|ive)\b",
        r"\b(?:we|we['’]re|we['’]ve)\b",
        r"\b(?:my|our|mine)\b",
        r"\b(?:you|your|u|ur)\b",
        r"^(?:he|she|they|it|his|her)\b",
        r"\b(?:always|never|every|usually|only|no more|no longer|anymore|any more|from now on|for good|permanent\w*)\b",
        r"\b(?:today|tonight|tomorrow|yesterday|just now|right now|this (?:morning|evening|afternoon|week)|last night|an hour ago|at the moment)\b",
        r"\d",
        r"[$€£¥]|\b(?:quid|bucks|euros?|dollars?|kronor)\b",
        r"(?<!^)\b[A-Z][a-z]{2,}",
        r"^(?:what|how|why|where|when|which|who|can|could|would|should|do|does|did|is|are|am|any)\b",
        r"^(?:please |pls |just )?(?:give|write|make|tell|show|help|draft|explain|translate|list|suggest|recommend|find|plan|create|describe|compose|rewrite|summari[sz]e)\b",
        r"\b(?:don['’]?t|never|stop|always|keep|only)\b.*\b(?:me|you|replies|answers?|when|in|with)\b",
        r"\b(?:if|would|could|might|maybe|perhaps|suppose|imagine|wish|thinking of|thinking about)\b",
        r"\b(?:says?|said|thinks|reckons|told|claims|asked)\b",
        r"“…”",
        r"\b(?:lol|haha|ugh|omg|wow|meh|argh)\b",
        r"\b(?:used to|gave up|given up|quit|stopped|cancell?ed|sold|left|dropped|ditched|scrapped|binned|axed|closed|folded|ended|resigned|got rid|fell through|no longer|any ?more|run out|lapse)\b",
        r"\b(?:switched|moved|changed|started|became|got|gone|turned|joined|new|now|these days|instead|since)\b",
        r"\b(?:wife|husband|partner|son|daughter|kids?|mum|mom|dad|sister|brother|boss|landlord|dog|cat|flatmate|neighbou?r|friend|mate|cousin|colleague|client)\b",
        r"\b(?:act as|pretend|role ?play|character|story|novel|poem|persona|fictional|game|film|movie|book|song|dream)\b",
    )
)


@dataclass(frozen=True, slots=True)
class GateHead:
    weights: Floats
    """Shape (features,)."""
    bias: float

    @classmethod
    def load(cls) -> GateHead:
        stored = read_weights(NAME)
        return cls(stored["weights"], float(stored["bias"][0]))

    def probabilities(self, clauses: Sequence[Clause], vectors: Vectors) -> Floats:
        """Shape (clauses,), each in (0, 1). `vectors` has one row a clause, of the clause's text."""
        if not clauses:
            return np.zeros(0, np.float32)
        scores = features(clauses, vectors) @ self.weights + self.bias
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(scores, -40, 40))), np.float32)


def features(clauses: Sequence[Clause], vectors: Vectors) -> Floats:
    """Shape (clauses, features): the clause's vector, its message's and its neighbours', its words and theirs, and cues."""
    lengths = np.array([len(clause.text.split()) for clause in clauses], np.float32)
    message = vectors.T @ (lengths / lengths.sum())
    blank = np.zeros((1, vectors.shape[1]), np.float32)
    before, after = np.vstack([blank, vectors[:-1]]), np.vstack([vectors[1:], blank])
    whole = hashed(" ".join(clause.text for clause in clauses), _BUCKETS // 4, longest=2)
    return np.hstack(
        [
            vectors * _SCALES["clause"],
            np.tile(message, (len(clauses), 1)) * _SCALES["message"],
            before * _SCALES["before"],
            after * _SCALES["after"],
            np.stack([hashed(clause.text, _BUCKETS) for clause in clauses]) * _SCALES["words"],
            np.tile(whole, (len(clauses), 1)) * _SCALES["around"],
            np.stack([_frame(clause.text) for clause in clauses]) * _SCALES["frame"],
            np.stack([_cues(clauses, place) for place in range(len(clauses))]) * _SCALES["cues"],
        ]
    ).astype(np.float32)


def _frame(text: str) -> Floats:
    row = np.zeros(_FRAMES, np.float32)
    found = buckets(n_grams(skeleton(text), 3), _FRAMES)
    row[found] = 1.0 / np.sqrt(len(found))
    return row


def _cues(clauses: Sequence[Clause], place: int) -> Floats:
    clause = clauses[place]
    own = [bool(cue.search(clause.text)) for cue in _CUES]
    around = [any(cue.search(other.text) for other in clauses) for cue in _CUES]
    size = len(clause.text.split())
    shape = [
        clause.asked,
        not clause.asked and clause.sentence.endswith("?"),
        any(other.asked or refused(other) for other in clauses),
        clause.first,
        place == 0,
        place == len(clauses) - 1,
        size <= 2,
        size <= 4,
        size > 12,
        len(clauses) == 1,
        len(clauses) > 3,
    ]
    return np.array([*own, *around, *shape], np.float32)


# Training -------------------------------------------------------------------------------------------------------------


def train(embedder: Embedder) -> Weights:
    cases = read_cases("extraction")
    made = [case for case in cases if case["id"].startswith("made")]
    written = [case for case in cases if not case["id"].startswith("made")]
    kinds = ((written + told(), 1.0), (made, _COMPOSED_WEIGHT), (asked_only(), _QUESTION_WEIGHT))
    read = [(*examples(group, embedder)[:2], weight) for group, weight in kinds]
    return logistic(
        np.vstack([rows for rows, _, _ in read]),
        [label for _, labels, _ in read for label in labels],
        strength=_STRENGTH,
        weight=[weight for _, labels, weight in read for _ in labels],
    )


def told() -> list[dict[str, Any]]:
    """Statements of the routing head's cases that change a store: durable, each in the user's words."""
    texts = [
        case["candidate"]
        for case in read_cases("routing")
        if case["id"].startswith("rtrain") and case["operation"] != "NOOP"
    ]
    return [
        {"user": text, "facts": [{"any_of": [""]}]}
        for text in texts
        if not text.startswith("User") and len(split_clauses(text)) == 1
    ]


def asked_only() -> list[dict[str, Any]]:
    """Questions of the planning head's cases: they hold no fact."""
    texts = [case["question"] for case in read_cases("planning")]
    return [{"user": text, "facts": []} for text in texts if len(split_clauses(text)) == 1]


def examples(cases: Sequence[dict[str, Any]], embedder: Embedder) -> tuple[Floats, list[bool], list[int]]:
    """Feature rows, labels and the number of the case for every clause that the guards let through."""
    rows: list[Floats] = []
    labels: list[bool] = []
    groups: list[int] = []
    for number, case in enumerate(cases):
        message = mask(str(case["user"])).text
        clauses = [] if unreal(message) else split_clauses(message)
        if not clauses:
            continue
        vectors = embedder.embed([clause.text for clause in clauses])
        open_ = [place for place, clause in enumerate(clauses) if not refused(clause)]
        durable = durable_clauses(case, clauses, vectors, embedder)
        rows.extend(features(clauses, vectors)[open_])
        labels.extend(place in durable for place in open_)
        groups.extend(number for _ in open_)
    return np.stack(rows), labels, groups


def durable_clauses(
    case: dict[str, Any], clauses: Sequence[Clause], vectors: Vectors, embedder: Embedder
) -> set[int]:
    """Places of the clauses that hold a labelled fact: by its strings, and where they leave a choice, by meaning."""
    durable: set[int] = set()
    for fact in case["facts"]:
        texts = [f"{clause.text}\n{statement_of(clause.text)}" for clause in clauses]
        found = [place for place, text in enumerate(texts) if matches(text, fact["any_of"])]
        if len(found) != 1 and fact.get("statement"):
            near = vectors @ embedder.embed([fact["statement"]])[0]
            best = max(found or range(len(clauses)), key=lambda place: float(near[place]))
            found = [best] if found or near[best] > 0.4 else []
        durable.update(found)
    return durable
