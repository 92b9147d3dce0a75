"""Names that fall by the way: "our dog Bandit ate a grape, is that bad?" asks about a grape, and tells what the dog is called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assistant.memory.extraction.clauses import Clause
from assistant.memory.extraction.slots import RELATIONS

__all__ = ["with_asides"]

_WORDS = "|".join(sorted(RELATIONS.values(), key=len, reverse=True))
_INTRODUCED = re.compile(
    rf"\b(?i:my|our)\s+(?P<phrase>(?:[a-z-]+\s+){{0,2}}?(?i:{_WORDS}))\s+(?P<name>[A-Z][^\W\d_]{{2,}})\b(?!['’]s\s+[a-z]+\s+[A-Z])"
)
_SURE = 0.7
"""A name beside the word for who bears it is seldom anything else."""


def with_asides(
    clauses: Sequence[Clause], kept: Sequence[tuple[Clause, float]]
) -> list[tuple[Clause, float]]:
    """`kept` (clauses with their probability) and what somebody or some animal of the user's is called in the others.

    Of a kept clause that is less sure than a name, only the name lasts.
    """
    sure = [
        (clause, chance) for clause, chance in kept if chance >= _SURE or not _INTRODUCED.search(clause.text)
    ]
    return sure + list(_asides(clauses, " ".join(clause.text for clause, _ in sure)))


def _asides(clauses: Sequence[Clause], told: str) -> Iterator[tuple[Clause, float]]:
    for clause in clauses:
        for found in _INTRODUCED.finditer(clause.words):
            if found["name"] not in told:
                told += f" {found['name']}"
                text = f"my {found['phrase']} is called {found['name']}"
                yield Clause(clause.words, text, clause.sentence, asked=False, first=clause.first), _SURE
