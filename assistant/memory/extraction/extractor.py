"""The on-device extractor: mask, split, gate, state."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from assistant.memory.extraction.asides import with_asides
from assistant.memory.extraction.clauses import Clause, split_clauses
from assistant.memory.extraction.confirmation import confirmed
from assistant.memory.extraction.corrections import latest
from assistant.memory.extraction.dates import absolute, since
from assistant.memory.extraction.facets import atoms
from assistant.memory.extraction.guards import of_others, refused, unreal
from assistant.memory.extraction.keys import key_of, kind_of, owner_of, value_of
from assistant.memory.extraction.leaning import comments, fragment, whole
from assistant.memory.extraction.restating import restates
from assistant.memory.extraction.statements import statement_of, trimmed
from assistant.memory.heads import language
from assistant.memory.heads.features import Floats
from assistant.memory.ports import Embedder
from assistant.memory.records import Candidate, Confidence, Decider, Decision
from assistant.memory.redaction import mask
from assistant.text import clean_text

_SOMETHING = 0.58
"""Probability that some clause of the message must reach before anything is kept: most turns hold nothing."""
_ALSO = 0.37
"""Probability from which clauses beside it are kept too."""
_CHANGE = re.compile(
    r"\b(?:(?<!right )now|these days|no longer|any ?more|from now on|instead|(?:is|are) actually|(?:gone|went|come|came) (?:up|down) to|quit|stopped|scrapped|dropped|ditched|changed|cancell?ed|gave up|given up|sold|died|mov(?:ed|ing) (?:in|out|to)|no more|broke up|passed (?:the|my)|promoted|extended|from (?:this|next) \w+|(?:left|let) (?:the|my|our))\b",
    re.IGNORECASE,
)
_CHANGE_LIFT = 0.25
"""Added to the probability of a clause that tells of a change: where something changed, something lasting was known."""
_CLEAR = 0.85
"""Probability from which a few words without a verb are kept as they stand."""
_COMMENT_LOSS = 0.5
"""Taken from the probability of a clause that only comments on what was said before it in the sentence."""
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
        likely = _weighed(clauses, self._head.probabilities(clauses, self._embedder))
        kept = whole(clauses, likely.tolist(), _ALSO) if likely.max() >= _SOMETHING else []
        kept = with_asides(clauses, kept)
        words = {clause.words for clause, _ in kept}
        faint = [
            (clause, certainty)
            for clause, certainty in zip(clauses, likely.tolist(), strict=True)
            if certainty >= _FAINT
            and not any(clause.words in kept for kept in words)
            and not restates(clause.words)
        ]
        stated = _stated(kept, said, confidence)
        pieces = [one for one in stated if _unclear(one)]
        return latest([one for one in stated if one not in pieces]), (
            *pieces,
            *_stated(faint, said, confidence),
        )


def _weighed(clauses: Sequence[Clause], likely: Floats) -> Floats:
    """The gate's probabilities with what single words tell: a change, a death, a mere comment, a question."""
    changed = np.array([_CHANGE.search(one.text) is not None for one in clauses], np.float32)
    died = np.array([_loss(one.text) for one in clauses], np.float32)
    idle = np.array([comments(one) or of_others(one.text) for one in clauses], np.float32)
    weighed = np.maximum(likely, _LOSS * died) + _CHANGE_LIFT * changed - _COMMENT_LOSS * idle
    shut = np.array([refused(one) for one in clauses])
    return np.asarray(np.where(shut, 0.0, weighed.clip(0.0, 1.0)), np.float32)


def _unclear(one: Candidate) -> bool:
    return one.certainty < _CLEAR and fragment(one.statement)


def _loss(text: str) -> bool:
    return bool(_DIED.search(text) and owner_of(text))


def _told(earlier: str) -> list[Clause]:
    """Clauses of the messages before, or none where they were not in earnest."""
    text = mask(clean_text(earlier)).text[:_LONGEST]
    return [] if unreal(text) else split_clauses(text)


def _stated(
    clauses: Sequence[tuple[Clause, float]], said: datetime, confidence: Confidence
) -> list[Candidate]:
    """Candidates of the clauses (each with its probability), one for each slot that a clause fills."""
    return [
        one
        for clause, certainty in clauses
        for one in _keys_apart([_candidate(atom, said, confidence, certainty) for atom in atoms(clause)])
    ]


def _keys_apart(together: Sequence[Candidate]) -> list[Candidate]:
    """What one clause states at once is never two values of one slot: a key told before takes on a word of the statement."""
    apart: list[Candidate] = []
    for one in together:
        if one.key in {before.key for before in apart}:
            told = {word for before in apart for word in language.content(before.statement)}
            new = next(
                (word for word in language.content(one.statement) if word not in told), str(len(apart))
            )
            apart.append(replace(one, key=f"{one.key}_{new}"[:60]))
        else:
            apart.append(one)
    return apart


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
