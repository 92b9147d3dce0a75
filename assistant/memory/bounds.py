"""What the rules forbid of what the routing head might choose: another person, one more of a kind, a value that differs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.memory.heads import language
from assistant.memory.heads.features import Floats
from assistant.memory.heads.routing import Options
from assistant.memory.novelty import difference, other_person, other_tie
from assistant.memory.records import Candidate, Fact
from assistant.memory.renewal import only_departs

__all__ = ["bounded", "normal"]

_KEPT = 0.5
"""The gate's probability from which a candidate certainly says something."""
_FURTHER = re.compile(
    r"\b(?:a|another|our|my) (?:second|third|fourth|further|other)\b|\banother\b|\btoo\b|\bas well\b|\balso\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\b(?:called|named|names? (?:is|are)|name[’']s)\b", re.IGNORECASE)
_THEIRS = re.compile(
    rf"\bmy (?:\w+ ){{0,2}}(?:{'|'.join(language.ROLES)})\b.*\b(?:his|her|their)\b", re.IGNORECASE
)
"""What somebody of the user's people does with what is their own."""


def bounded(options: Options, candidate: Candidate, facts: Sequence[Fact]) -> Options:
    """The options without those that the rules forbid."""
    clause = candidate.clause or candidate.statement
    same, changed, ended = options.same.copy(), options.changed.copy(), options.ended.copy()
    add, nothing = options.add, options.nothing
    if candidate.statement != clause and candidate.certainty >= _KEPT and not language.asks(clause):
        add, nothing = add + nothing, 0.0  # the gate of extraction has judged already that it says something
    theirs = language.roles(clause) if _THEIRS.search(clause) else frozenset()
    for place, fact in enumerate(facts):
        if theirs and not theirs & language.roles(fact.statement):
            add, ended[place] = add + ended[place], 0
        if other_person(candidate.statement, fact.statement):
            add += same[place] + changed[place] + ended[place]
            same[place] = changed[place] = ended[place] = 0
        elif _one_more(clause, fact) or only_departs(candidate.statement, fact.statement):
            add, changed[place] = add + changed[place], 0
        elif other_tie(candidate.statement, fact.statement):
            add, same[place] = add + same[place], 0
        elif difference(candidate.statement, fact.statement):
            changed[place], same[place] = changed[place] + same[place], 0
        elif _brings_nothing(candidate.statement, fact.statement) and not language.cue("change", clause):
            same[place], changed[place] = same[place] + changed[place], 0
    return normal(add, nothing, same, changed, ended)


def _one_more(clause: str, fact: Fact) -> bool:
    """Another one with a name of its own: "we have a tortoise too, called Duke", beside a cat called Noodle."""
    named = _CALLED.search(clause) and _CALLED.search(fact.statement)
    return bool(named and _FURTHER.search(clause) and language.names(clause) - language.names(fact.statement))


def _brings_nothing(said: str, stored: str) -> bool:
    """Every word of it stands in the stored fact already: such a text repeats it, and replaces nothing."""
    mine = set(language.content(said))
    return (
        bool(mine)
        and mine <= set(language.content(stored))
        and language.negated(said) == language.negated(stored)
    )


def normal(add: float, nothing: float, same: Floats, changed: Floats, ended: Floats) -> Options:
    """Scaled to sum 1."""
    total = float(add + nothing + same.sum() + changed.sum() + ended.sum()) or 1.0
    return Options(add / total, nothing / total, same / total, changed / total, ended / total)
