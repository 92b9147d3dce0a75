"""What a sentence tells of something done: with what, where, when, with whom. Two that tell none of it alike are no versions of one fact."""

from __future__ import annotations

import re

from assistant.memory.heads import language

__all__ = ["hands_over", "of_another_part"]

_ADVERBS = r"(?:(?:also|always|already|currently|mostly|never|now|often|only|still|usually|just) )*"
_DOES = re.compile(
    rf"^(?:(?P<subject>(?:user's|the|all (?:of )?the user's) [a-z][a-z' -]*?)|(?:the )?user) {_ADVERBS}(?P<verb>(?!(?:is|has|was|wants|uses|needs|and|or)\b)[a-z]+)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
_PHRASE = re.compile(r" (?=(?:in|at|near|from|out of|outside|to|on|during|every|each|until|with)\b)")
_TIME = re.compile(
    r"\b(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:week)?(?:day|night|end)s?|mornings?|afternoons?|evenings?|noon|midnight"
    r"|weeks?|months?|years?|springs?|summers?|autumns?|winters?|twice|once|full[- ]time|part[- ]time|shifts?|hours?)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"^(?:in|at|near|from|out of|outside|to) (?!an?\b|home\b|least\b|most\b|all\b)")
_DONE_BY = re.compile(
    r"^(?:the )?(?P<who>(?:user's )?(?:[a-z-]+ ){0,2}?(?-i:[A-Z])[\w'’-]+|(?:user's|the) [a-z-]+) (?P<does>(?!(?:user|is|has|was)\b)[a-z]+s\b.*)$",
    re.IGNORECASE,
)
_FOR_USER = re.compile(
    r"\b(?:the user|user's)\b|^(?:does|handles|runs|manages|answers|covers|minds|looks after|takes care of) ",
    re.IGNORECASE,
)
_HOLDING = re.compile(r" (?:now|these days|nowadays|from now on|instead|currently|at the moment)\b")


def of_another_part(said: str, stored: str) -> bool:
    """Whether both tell of the same doing, and the first only what the second leaves open.

    "User flies a Piper" beside "User flies out of Kemble", "User drives at night" beside "User drives a taxi in Lisbon",
    "User's appointments live in a calendar" beside "User lives in Duluth".
    """
    mine, theirs = _DOES.match(_HOLDING.sub("", said)), _DOES.match(stored)
    if mine is None or theirs is None or _stem(mine) != _stem(theirs):
        return False
    if _subject(mine) != _subject(theirs):
        return _stem(mine) == "live" and not _subject(mine) & set(language.content(stored))
    told, held = _parts(mine["rest"]), _parts(theirs["rest"])
    return bool(told and held) and not told & held


def hands_over(said: str, stored: str) -> bool:
    """Whether somebody is said to do for the user what the fact says that another one does: "Toby does the user's shopping now"."""
    mine, theirs = _DONE_BY.match(said), _DONE_BY.match(stored)
    if mine is None or theirs is None or _HOLDING.search(said) is None:
        return False
    does, did = (set(language.content(_HOLDING.sub("", found["does"]))) for found in (mine, theirs))
    alike = bool(does) and does <= did and _FOR_USER.search(mine["does"]) is not None
    return alike and mine["who"].split()[-1] != theirs["who"].split()[-1]


def _stem(found: re.Match[str]) -> str:
    return language.stem(found["verb"].lower())


def _subject(found: re.Match[str]) -> frozenset[str]:
    return frozenset(language.content(found["subject"] or ""))


def _parts(rest: str) -> frozenset[str]:
    """Which of "thing", "place", "time" and "company" the words after a verb tell; none where one of them cannot be read."""
    thing, *phrases = _PHRASE.split(rest.split(",", maxsplit=1)[0].rstrip(" ."))
    parts = {_part(phrase) for phrase in phrases}
    if thing.strip():
        parts.add("time" if _TIME.search(thing) else "" if _how(thing) else "thing")
    return frozenset() if "" in parts else frozenset(parts)


def _part(phrase: str) -> str:
    if _TIME.search(phrase):
        return "time"
    if phrase.startswith("with "):
        return "company"
    return "place" if _PLACE.match(phrase) else ""


def _how(thing: str) -> bool:
    """No object, but the way in which: "alone", "slowly", "for a firm"."""
    return (
        re.match(r" (?:alone|together|abroad|as|by|for|of|off|up|over|well|\w+ly)\b", thing, re.IGNORECASE)
        is not None
    )
