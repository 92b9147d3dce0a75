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
_HAPPENED = re.compile(
    r"\s+(?:just |has |also )*(?:(?!moved|died|married|retired|graduated|joined|started|turned|adopted|divorced|passed)\w{2,}ed|ate|bit|fell|broke|threw|ran|drank|hurt|lost|got|went|came|had|said|saw)\b"
)
_SURE = 0.7
"""A name beside the word for who bears it is seldom anything else."""


def with_asides(
    clauses: Sequence[Clause], kept: Sequence[tuple[Clause, float]]
) -> list[tuple[Clause, float]]:
    """`kept` (clauses with their probability) and what somebody or some animal of the user's is called in the others.

    Of something that happened, and that a question is asked about, only the name lasts.
    """
    lasting = [(clause, chance) for clause, chance in kept if not _asked_about(clause)]
    return lasting + list(_asides(clauses, " ".join(clause.text for clause, _ in lasting)))


def _asked_about(clause: Clause) -> bool:
    found = _INTRODUCED.search(clause.text)
    happened = found is not None and _HAPPENED.match(clause.text, found.end())
    return bool(happened) and not clause.asked and clause.sentence.rstrip(" )\"'").endswith("?")


def _asides(clauses: Sequence[Clause], told: str) -> Iterator[tuple[Clause, float]]:
    for clause in clauses:
        for found in _INTRODUCED.finditer(clause.words):
            if found["name"] not in told:
                told += f" {found['name']}"
                text = f"my {found['phrase']} is called {found['name']}"
                yield Clause(clause.words, text, clause.sentence, asked=False, first=clause.first), _SURE
