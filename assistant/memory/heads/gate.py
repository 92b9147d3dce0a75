"""The durable-fact gate: probability that a clause states something about the user that is still true next month."""

from __future__ import annotations

import random
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
_COMPANY_WEIGHT = 0.5
"""Of cases told again beside small talk."""
_SHORT = 160
"""Characters of a message that can stand beside another."""
_SCALES = {
    "clause": 2.2,
    "peaks": 2.2,
    "message": 1.0,
    "before": 0.4,
    "after": 0.4,
    "words": 1.0,
    "around": 0.5,
    "frame": 2.0,
    "cues": 0.7,
}
_SUPPOSING = r"\b(?:if|would|could|might|maybe|perhaps|suppose|imagine|wish|thinking of|thinking about)\b"
_INVENTING = r"\b(?:act as|pretend|role ?play|character|story|novel|poem|persona|fictional|game|film|movie|book|song|dream)\b"
_NOT_IN_EARNEST = re.compile(f"{_SUPPOSING}|{_INVENTING}", re.IGNORECASE)
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
        _SUPPOSING,
        r"\b(?:says?|said|thinks|reckons|told|claims|asked)\b",
        r"“…”",
        r"\b(?:lol|haha|ugh|omg|wow|meh|argh)\b",
        r"\b(?:used to|gave up|given up|quit|stopped|cancell?ed|sold|left|dropped|ditched|scrapped|binned|axed|closed|folded|ended|resigned|got rid|fell through|no longer|any ?more|run out|lapse)\b",
        r"\b(?:switched|moved|changed|started|became|got|gone|turned|joined|new|now|these days|instead|since)\b",
        r"\b(?:wife|husband|partner|son|daughter|kids?|mum|mom|dad|sister|brother|boss|landlord|dog|cat|flatmate|neighbou?r|friend|mate|cousin|colleague|client)\b",
        _INVENTING,
        r"\b(?:favou?rite|prefer\w*|loves?|hates?|can['’]?t (?:stand|eat|have)|allergic|allergy|intolerant|fan of|for fun|hobby|keen on|into)\b",
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

    def probabilities(self, clauses: Sequence[Clause], embedder: Embedder) -> Floats:
        """Shape (clauses,), each in (0, 1)."""
        if not clauses:
            return np.zeros(0, np.float32)
        scores = features(clauses, meanings(clauses, embedder)) @ self.weights + self.bias
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(scores, -40, 40))), np.float32)


def meanings(clauses: Sequence[Clause], embedder: Embedder) -> Floats:
    """Shape (clauses, 3, dimension): of each clause's statement the mean direction of its word pieces, and the highest and the lowest they reach in each dimension.

    A mean alone drowns the one word that tells ("registered", "allergic") in a long clause.
    """
    told = embedder.token_vectors([statement_of(clause.text) for clause in clauses])
    return np.stack([_pooled(pieces, embedder.dimension) for _, pieces in told])


def _pooled(pieces: Floats, dimension: int) -> Floats:
    """Shape (3, dimension), rows of unit norm; zeros for a text without word pieces."""
    if not len(pieces):
        return np.zeros((3, dimension), np.float32)
    rows = np.stack([pieces.mean(axis=0), pieces.max(axis=0), pieces.min(axis=0)])
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def features(clauses: Sequence[Clause], meant: Floats) -> Floats:
    """Shape (clauses, features): what the clause means, its message and its neighbours, its words and theirs, and cues."""
    vectors = meant[:, 0]
    lengths = np.array([len(clause.text.split()) for clause in clauses], np.float32)
    message = vectors.T @ (lengths / max(lengths.sum(), 1.0))
    blank = np.zeros((1, vectors.shape[1]), np.float32)
    before, after = np.vstack([blank, vectors[:-1]]), np.vstack([vectors[1:], blank])
    whole = hashed(" ".join(clause.text for clause in clauses), _BUCKETS // 4, longest=2)
    return np.hstack(
        [
            vectors * _SCALES["clause"],
            meant[:, 1:].reshape(len(clauses), -1) * _SCALES["peaks"],
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
    from scipy import sparse

    cases = read_cases("extraction")
    made = [case for case in cases if case["id"].startswith("made")]
    written = [case for case in cases if not case["id"].startswith("made")]
    kinds = (
        (written + told(), 1.0),
        (in_company(written), _COMPANY_WEIGHT),
        (made, _COMPOSED_WEIGHT),
        (asked_only(), _QUESTION_WEIGHT),
    )
    read = [(*examples(group, embedder), weight) for group, weight in kinds]
    return logistic(
        sparse.vstack([rows for rows, _, _ in read]),
        [label for _, labels, _ in read for label in labels],
        strength=_STRENGTH,
        weight=[weight for _, labels, weight in read for _ in labels],
    )


def in_company(cases: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each short case with a fact told again before or after small talk of another case: a fact is one in any company."""
    chance = random.Random(0)  # noqa: S311 - shuffles cases, guards nothing
    small_talk = [str(case["user"]).strip() for case in cases if not case["facts"] and _is_small_talk(case)]
    pairs = [
        (_ended(str(case["user"])), _ended(chance.choice(small_talk)), case)
        for case in cases
        if case["facts"] and len(str(case["user"])) <= _SHORT
    ]
    return [
        case | {"user": f"{talk} {fact}" if chance.random() < 0.5 else f"{fact} {talk}"}
        for fact, talk, case in pairs
    ]


def _is_small_talk(case: dict[str, Any]) -> bool:
    """Short, plain and in earnest: what stands beside it stays as true as it was."""
    text = str(case["user"])
    plain = len(text) <= _SHORT and not re.search(r"[:\"“\n]", text) and not case.get("never")
    return plain and not unreal(text) and not _NOT_IN_EARNEST.search(text)


def _ended(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


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


def examples(cases: Sequence[dict[str, Any]], embedder: Embedder) -> tuple[Any, list[bool]]:
    """Feature rows (a sparse matrix: most n-grams occur in few clauses) and labels for every clause that the guards let through."""
    from scipy import sparse

    rows: list[Any] = []
    labels: list[bool] = []
    for case in cases:
        message = mask(str(case["user"])).text
        clauses = [] if unreal(message) else split_clauses(message)
        open_ = [place for place, clause in enumerate(clauses) if not refused(clause)]
        if not open_:
            continue
        meant = meanings(clauses, embedder)
        durable = durable_clauses(case, clauses, meant[:, 0], embedder)
        rows.append(sparse.csr_matrix(features(clauses, meant)[open_]))
        labels.extend(place in durable for place in open_)
    return sparse.vstack(rows), labels


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
