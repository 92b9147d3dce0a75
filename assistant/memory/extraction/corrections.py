"""Two values for one slot in one breath: "my rent is 900, no wait, 940 since May". The later one holds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.memory.extraction.slots import MANY, SLOTS
from assistant.memory.records import Candidate

__all__ = ["latest"]

_SINGLE = frozenset(slot for slot, _ in SLOTS) - MANY
_CORRECTS = re.compile(
    r"\b(?:no,? wait|wait,? no|actually|sorry|i mean|meant|scratch that|strike that|correction|make that|rather|oops|wrong|now|these days)\b|^no\b",
    re.IGNORECASE,
)
_OVER = re.compile(r"\b(?:was|were|used to|until|till|at first|before)\b", re.IGNORECASE)


def latest(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """`candidates` of one turn without those that a later one of the same slot corrects or outdates, where the slot holds one fact at a time."""
    return tuple(
        one
        for place, one in enumerate(candidates)
        if not any(_corrected(one, other) for other in candidates[place + 1 :])
    )


def _corrected(one: Candidate, other: Candidate) -> bool:
    told = _CORRECTS.search(other.clause) or _OVER.search(one.clause)
    return one.key == other.key and told is not None and _holds_one(one.key)


def _holds_one(key: str) -> bool:
    return any(key == slot or key.endswith(f"_{slot}") for slot in _SINGLE)
