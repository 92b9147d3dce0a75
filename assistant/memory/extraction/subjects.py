"""A sentence that something is added to, taken apart: "my sister runs a bar in Wick" -> "my sister", "runs", "my sister runs a bar"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.memory.extraction.slots import RELATIONS
from assistant.memory.extraction.verbs import FINITE

__all__ = ["Head", "read_head"]

_KIN = "|".join(RELATIONS.values())
_HEAD = re.compile(
    r"^(?P<who>I|we|(?:my|our)\s+[\w'’-]+(?:\s+(?!am\b|is\b|are\b|was\b|has\b)[\w'’-]+){0,2}?|(?:(?:Mrs?|Ms|Dr)\.?\s+)?(?-i:[A-Z])[\w'’-]+|(?:the\s+)?(?:landlord|landlady|boss|gp|bank|council|school)|(?:my\s+|the\s+)?[a-z]+(?=\s+(?:is|are|failed|broke|died)\b))\s+"
    rf"(?P<verb>(?:(?:also|still|now|just|usually|mostly|currently|only|always|never)\s+)*(?:(?:am|are|is)(?:\s+\w+ing)?|(?:have|has)(?:\s+been\s+\w+ing)?|(?<=^I )(?:[a-z]+n['’]t\s+)?[a-z]+(?!['’])|(?<=^we )(?:[a-z]+n['’]t\s+)?[a-z]+(?!['’])|{FINITE}))\b\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_OF_A_THING = re.compile(
    r"\b(?:has|have|takes?|taking|sees?|seeing|meets?|meeting|visits?|visiting|plays?|playing|eats?|eating|drinks?|drinking|gets?|getting|goes|go|going|attends?|attending|uses?|using|watch(?:es|ing)?|"
    r"pays?|paying|buys?|buying|likes?|loves?|hates?|prefers?|wants?|needs?|plans?|planning|moved|got|bought|started|booked|hired)$",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"\s+(?:in|on|at|around|near|for|from|with|via|through|by|about|since|until|that|which|who|where|and|but|to)\b.*$",
    re.IGNORECASE,
)
_OPENS_WITH_PLACE = re.compile(
    r"^(?:in|on|at|around|near|for|from|with|via|through|by|about|to|as)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Head:
    """A sentence that something is added to."""

    who: str
    be: str
    have: str
    core: str
    """Subject, verb and object without place and time, or "" where they cannot be told apart."""
    rest: str
    verb: str
    copula: bool
    person: bool
    """The subject is the user or one of theirs."""
    works: bool
    """Tells what somebody does all the time, not what is done with some thing: how often and where are theirs, and not the thing's."""


def read_head(text: str) -> Head | None:
    """`text`, with contractions written out, taken apart; None where it has no subject and verb."""
    found = _HEAD.match(text)
    if found is None:
        return None
    who, verb, rest = found["who"], found["verb"], found["rest"]
    first = who.lower() in {"i", "we"}
    be = {"i": "am", "we": "are"}.get(who.lower(), "is")
    copula = re.search(r"\b(?:am|are|is)$", verb, re.IGNORECASE) is not None
    core = f"{who} {verb} {rest}" if copula else f"{who} {verb} {_object(rest)}".strip()
    own = first or who.lower().startswith(("my ", "our "))
    works = own and (bool(re.match(r"an?\b", rest)) if copula else _OF_A_THING.search(verb) is None)
    person = first or re.search(rf"\b(?:{_KIN})\b", who, re.IGNORECASE) is not None
    return Head(who, be, "have" if first else "has", core, rest, verb, copula, person, works)


def _object(rest: str) -> str:
    return "" if _OPENS_WITH_PLACE.match(rest) else _CUT.sub("", rest)
