"""The on-device extractor: mask, split, gate, state."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime

from assistant.memory.extraction.clauses import Clause, split_clauses
from assistant.memory.extraction.guards import refused, unreal
from assistant.memory.extraction.keys import key_of, kind_of, value_of
from assistant.memory.extraction.statements import statement_of
from assistant.memory.ports import Embedder
from assistant.memory.records import Candidate, Decider, Decision
from assistant.memory.redaction import mask
from assistant.text import clean_text

_THRESHOLD = 0.5
_LONGEST = 20_000
"""Characters of a message that are read; what is longer is pasted."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """`masked` names the kinds of secrets that were hidden, for the user to be told."""

    candidates: tuple[Candidate, ...]
    masked: tuple[str, ...]
    decision: Decision


class OnDeviceExtractor:
    """Durable facts of a turn by the trained gate, without a language model."""

    def __init__(self, embedder: Embedder) -> None:
        from assistant.memory.heads.gate import GateHead

        self._embedder = embedder
        self._head = GateHead.load()

    def extract(self, user: str, assistant: str, said: datetime) -> Extraction:
        """Candidates from the user's words, in their order. Never raises on any text (EmbedderError apart)."""
        started = time.perf_counter()
        masked = mask(clean_text(user)[:_LONGEST])
        clauses = [] if unreal(masked.text) else split_clauses(masked.text)
        candidates = self._candidates(clauses) if any(not refused(clause) for clause in clauses) else ()
        reason = (
            f"{len(candidates)} of {len(clauses)} clauses state something durable"
            if clauses
            else "nothing the user states"
        )
        sure = min((candidate.certainty for candidate in candidates), default=1.0)
        took = (time.perf_counter() - started) * 1000
        return Extraction(candidates, masked.kinds, Decision(Decider.ON_DEVICE, reason, sure, took))

    def _candidates(self, clauses: list[Clause]) -> tuple[Candidate, ...]:
        vectors = self._embedder.embed([clause.text for clause in clauses])
        likely = self._head.probabilities(clauses, vectors)
        return tuple(
            _candidate(clause, float(chance))
            for clause, chance in zip(clauses, likely, strict=True)
            if chance >= _THRESHOLD and not refused(clause)
        )


def _candidate(clause: Clause, certainty: float) -> Candidate:
    statement = statement_of(clause.text)
    key = key_of(statement, clause.text)
    return Candidate(
        statement,
        key,
        value_of(statement, key),
        kind_of(statement, clause.text),
        certainty=certainty,
        clause=clause.words,
    )
