"""The on-device extractor: mask, split, gate, state."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from assistant.memory.extraction.asides import with_asides
from assistant.memory.extraction.clauses import Clause, split_clauses
from assistant.memory.extraction.confirmation import confirmed
from assistant.memory.extraction.corrections import latest
from assistant.memory.extraction.dates import absolute, since
from assistant.memory.extraction.guards import refused, unreal
from assistant.memory.extraction.keys import key_of, kind_of, owner_of, value_of
from assistant.memory.extraction.leaning import whole
from assistant.memory.extraction.restating import restates
from assistant.memory.extraction.statements import statement_of, trimmed
from assistant.memory.ports import Embedder
from assistant.memory.records import Candidate, Confidence, Decider, Decision
from assistant.memory.redaction import mask
from assistant.text import clean_text

_SOMETHING = 0.58
"""Probability that some clause of the message must reach before anything is kept: most turns hold nothing."""
_ALSO = 0.42
"""Probability from which clauses beside it are kept too."""
_CHANGE = re.compile(
    r"\b(?:(?<!right )now|these days|no longer|any ?more|from now on|instead|quit|stopped|scrapped|dropped|ditched|changed|cancell?ed|gave up|given up|sold|died|moved (?:in|out|to)|no more|broke up|(?:left|let) (?:the|my|our))\b",
    re.IGNORECASE,
)
_CHANGE_LIFT = 0.12
"""Added to the probability of a clause that tells of a change: where something changed, something lasting was known."""
_FAINT = 0.05
"""Probability from which a clause that is not kept for itself is held against what is known."""
_DIED = re.compile(
    r"\b(?:died|passed away|passed (?:on|last|this|yesterday)|is dead|put down|put to sleep|no longer with us|was killed)\b",
    re.IGNORECASE,
)
_LOSS = 0.8
"""Least probability of a clause that tells of the death of one of the user's own; a battery's is another matter."""
_INVISIBLE = re.compile(r"[\u200b-\u200d\u2060-\u2064\u00ad]")
_LONGEST = 20_000
"""Characters of a message that are read; what is longer is pasted."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """`masked` names the kinds of secrets that were hidden, for the user to be told.

    `faint` are candidates too uncertain to be kept for themselves; where they tell of a change or an end, what is known
    already may bear them out ("scrapped the stamp card").
    """

    candidates: tuple[Candidate, ...]
    masked: tuple[str, ...]
    decision: Decision
    faint: tuple[Candidate, ...] = ()


class OnDeviceExtractor:
    """Durable facts of a turn by the trained gate, without a language model."""

    def __init__(self, embedder: Embedder) -> None:
        from assistant.memory.heads.gate import GateHead

        self._embedder = embedder
        self._head = GateHead.load()

    def extract(
        self,
        user: str,
        assistant: str,  # noqa: ARG002
        said: datetime,
        *,
        asked: str = "",
        earlier: str = "",
    ) -> Extraction:
        """Candidates from the user's words, in their order; never from `assistant`, which is the answer to them.

        `asked` is the assistant's message before, so that a bare "yes" can confirm it, and `earlier` the user's own
        before it, which may tell whom a "she" means. Never raises on any text
        (EmbedderError apart).
        """
        started = time.perf_counter()
        masked = mask(_INVISIBLE.sub("", clean_text(user))[:_LONGEST])
        clauses = [] if unreal(masked.text) else split_clauses(masked.text, _told(earlier))
        agreed = confirmed(masked.text, mask(clean_text(asked)).text)
        if agreed:
            clauses = [Clause(masked.text, agreed, agreed, asked=False, first=True)]
        candidates, faint = self._candidates(
            clauses, said, Confidence.CONFIRMED if agreed else Confidence.STATED
        )
        sure = min((candidate.certainty for candidate in candidates), default=1.0)
        took = (time.perf_counter() - started) * 1000
        return Extraction(
            candidates,
            masked.kinds,
            Decision(Decider.ON_DEVICE, _reason(candidates, clauses), sure, took),
            faint,
        )

    def _candidates(
        self, clauses: list[Clause], said: datetime, confidence: Confidence
    ) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
        """Those to keep, and the faint ones: all else that is no question and no play."""
        if not clauses:
            return (), ()
        likely = self._head.probabilities(clauses, self._embedder)
        changes = [bool(_CHANGE.search(clause.text)) for clause in clauses]
        lift = _CHANGE_LIFT * np.array(changes)
        likely = np.maximum(likely, _LOSS * np.array([_loss(clause.text) for clause in clauses]))
        likely = np.where([refused(clause) for clause in clauses], 0.0, (likely + lift).clip(max=1.0))
        kept = whole(clauses, likely.tolist(), _ALSO) if likely.max() >= _SOMETHING else []
        kept = with_asides(clauses, kept)
        words = {clause.words for clause, _ in kept}
        faint = [
            (clause, certainty)
            for clause, certainty in zip(clauses, likely.tolist(), strict=True)
            if certainty >= _FAINT and not any(clause.words in kept for kept in words)
        ]
        likely_ones, faint_ones = (
            [_candidate(clause, said, confidence, certainty) for clause, certainty in group]
            for group in (kept, faint)
        )
        return latest(likely_ones), tuple(faint_ones)


def _loss(text: str) -> bool:
    return bool(_DIED.search(text) and owner_of(text))


def _told(earlier: str) -> list[Clause]:
    """Clauses of the messages before, or none where they were not in earnest."""
    text = mask(clean_text(earlier)).text[:_LONGEST]
    return [] if unreal(text) else split_clauses(text)


def _candidate(clause: Clause, said: datetime, confidence: Confidence, certainty: float) -> Candidate:
    statement = absolute(statement_of(clause.text), said)
    key = key_of(statement, trimmed(clause.text))
    return Candidate(
        statement,
        key,
        value_of(statement, key),
        kind_of(statement, clause.text),
        confidence,
        certainty,
        clause.words,
        since(statement, said),
        restates(clause.words) or restates(clause.sentence),
    )


def _reason(candidates: tuple[Candidate, ...], clauses: list[Clause]) -> str:
    if not clauses:
        return "The user states nothing in their own words"
    return f"{len(candidates)} of {len(clauses)} clauses state something that lasts"
