"""One sentence that fills several slots told as several: "I'm Ada, 28, living in Wick" -> "I'm Ada", "I am 28", "I am living in Wick".

Each slot changes on its own; kept in one fact, the change of one would take the others along or leave the old value standing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.memory.extraction.appended import BARE_AGE, COUNT, owned, told_alone
from assistant.memory.extraction.changes import GONE
from assistant.memory.extraction.clauses import Clause
from assistant.memory.extraction.plainly import plainly
from assistant.memory.extraction.statements import sentence_of
from assistant.memory.extraction.subjects import read_head
from assistant.memory.extraction.verbs import FINITE
from assistant.memory.heads import language

__all__ = ["atoms", "facets"]

_DANGLING = re.compile(
    r"(?:now|well|honestly|actually|basically|too|also|though|thank god|thankfully|sadly|luckily|lol|haha|ha|phew|yay|ugh|(?:the |simply the )?(?:best|worst|nicest|greatest)\b.*|(?:much |way |a lot |far )?(?:more|less|fewer|better|worse|bigger|smaller|faster|slower|cheaper|nicer|newer|quieter|closer|nearer|lighter|warmer|roomier|cosier)(?:\s+[a-z]+){0,2})",
    re.IGNORECASE,
)
_TAKES_OVER = re.compile(
    r"^(?:I|we)\s+(?:moved|switched|went|changed|got|bought|joined|signed|swapped|took)\b", re.IGNORECASE
)
_BRACKETED_AGE = re.compile(
    rf"^(?P<who>(?:my|our)\s+(?:[\w'’-]+\s+){{0,2}}?[\w'’-]+)\s*(?:\(\s*(?:aged?\s+)?(?P<age>\d{{1,2}})\s*\)|,\s*(?:aged?\s+)?(?P<aged>\d{{1,2}}),)\s+(?P<rest>{FINITE}\b.*)$",
    re.IGNORECASE,
)
_RENTED_FOR = re.compile(
    rf"^(?P<home>(?:i|we)(?:['’](?:m|re)| am| are)?\s+(?:now\s+)?rent(?:ing)?\s+.{{3,60}}?)\s+for\s+(?P<rent>[$€£]?{COUNT}\S*(?:\s+\w+)?\s+(?:a|per)\s+(?:week|month|year))(?P<rest>.*)$",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"^(?P<lead>.*\b(?:allergic to|intolerant (?:to|of)|speaks?|fluent in|uses?|using|plays?)\s+(?:both\s+)?)(?P<things>[\w.#-]+(?:\s+[\w.#-]+)?(?:,\s*[\w.#-]+(?:\s+[\w.#-]+)?)*,?\s+(?:and|&|\+)\s+[\w.#-]+(?:\s+[\w.#-]+)?)$",
    re.IGNORECASE,
)
_ADDED = re.compile(
    r"^(?P<lead>.*\b(?:on|with|in|using|uses?|run|runs)\s+)(?P<things>[\w.#-]+(?:\s*\+\s*[\w.#-]+)+)$",
    re.IGNORECASE,
)
_OWNED = re.compile(
    rf"^(?P<lead>(?:I|we)\s+(?:(?:have|own|keep|also|got)\s+)+)(?P<things>(?:{COUNT}|an?)\s+[\w' -]+?(?:,\s*(?:{COUNT}|an?)\s+[\w' -]+?)*,?\s+and\s+(?:{COUNT}|an?)\s+[\w' -]+)$",
    re.IGNORECASE,
)
_AGED_AND = re.compile(
    r"^(?P<age>(?:I['’]?m|I am)\s+\d{1,2})\s+and\s+(?=(?:an?|the|still|now|in|from|\w+ing|retired|married|single|divorced|widowed)\b)(?P<rest>.+)$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*,\s*(?:and\s+)?|\s+(?:and|&)\s+|\s*\+\s*", re.IGNORECASE)
_LONGEST_THING = 3
"""Words; what is longer is no item of a list."""


def atoms(clause: Clause) -> list[Clause]:
    """`clause` as one clause for each slot that it fills."""
    texts = facets(clause.text)
    if len(texts) > 1 and GONE.match(texts[0]) and _TAKES_OVER.match(texts[1]):
        return [replace(clause, text=texts[1])]  # "mysql is history, moved to duckdb": one change
    if len(texts) == 1:
        return [replace(clause, text=texts[0])]
    lead = clause.words if language.cue("removal", clause.words) else texts[0]
    return [replace(clause, text=text, words=text if place else lead) for place, text in enumerate(texts)]


def facets(text: str) -> list[str]:
    """The clauses, in the user's own person, that `text` is made of; the first is what is left of it. [text] where it holds one slot."""
    aged = _BRACKETED_AGE.match(text)
    if aged is not None:
        return [f"{aged['who']} {aged['rest']}", f"{aged['who']} is {aged['age'] or aged['aged']}"]
    and_more = _AGED_AND.match(text)
    if and_more is not None:
        return [and_more["age"], *facets(f"I am {and_more['rest']}")]
    rented = _RENTED_FOR.match(text)
    if rented is not None:
        return [f"{rented['home']}{rented['rest']}", f"my rent is {rented['rent']}"]
    return _listed_apart(text) or _appended_apart(text)


def _listed_apart(text: str) -> list[str]:
    """ "I speak French and Dutch" as two, or []."""
    found = next(
        (found for pattern in (_LISTED, _ADDED, _OWNED) if (found := pattern.match(text.rstrip(" .!")))), None
    )
    if found is None:
        return []
    things = _BETWEEN.split(found["things"])
    if any(len(thing.split()) > _LONGEST_THING + 1 or language.calendar(thing) for thing in things):
        return []
    return [f"{found['lead']}{thing}" for thing in things]


def _appended_apart(text: str) -> list[str]:
    first, *pieces = re.split(r",\s+(?:and\s+)?(?![^()]*\))", text.rstrip(" .!"))
    if not pieces:
        return [text]
    had = _had([first, *pieces])
    if had:
        return had
    first = f"I am {first}" if BARE_AGE.match(first) else plainly(first)
    head = read_head(sentence_of(first))
    if head is None:
        return [text]
    told = [first]
    for piece in pieces:
        own = told_alone(piece.strip(), head)
        if own:
            told += own
        elif not _DANGLING.fullmatch(piece.strip()):
            told[-1] += f", {piece}"
    return told


def _had(pieces: Sequence[str]) -> list[str]:
    """ "2 kids, 1 dog, husband who travels": who and what the user has, or [] where something else stands among them."""
    all_owned = [owned(piece) for piece in pieces]
    return [f"I have {thing}" for thing in all_owned] if all(all_owned) else []
