"""The novelty gate: what can be settled by looking, and what must never count as the same however near the vectors are."""

from __future__ import annotations

import re
from collections.abc import Iterable

from assistant.memory.heads import language
from assistant.memory.heads.quantities import quantities, same_quantity
from assistant.text import normalise

_DIRECTION = re.compile(
    r"\b([a-z][\w'-]*)\s+(\w+(?:\s+(?:by|to|for|from|with|than|of|under|at))?)\s+([a-z][\w'-]*)\b",
    re.IGNORECASE,
)
_PERSON = re.compile(r"\b([a-z]+),? ([A-Z][\w'-]+)")
_OWN = re.compile(
    r"\b([A-Z][\w-]+)['’]s (birthday|age|height|weight|job|salary|phone|number|address|car|bike|room|shift|diet|allergy|name)\b"
)
_CAPITALISED = re.compile(r"\b(?!User\b)[A-Z][\w'-]+")
_NEW_HOLDER = re.compile(
    r"\b(?:(?<!a )(?<!another )new|got a new) (?P<post>(?:\w+ )*?\w+)(?: too| is|['’]s|:|,| called| named)+ (?P<who>[A-Z][\w'’-]+)"
)
_MANY_OF = frozenset(
    {
        "dog",
        "cat",
        "friend",
        "client",
        "colleague",
        "baby",
        "neighbour",
        "cousin",
        "niece",
        "nephew",
        "flatmate",
    }
)
"""Roles of which one more takes nobody's place."""
_TIES = {
    word: tie
    for tie, words in {
        "work": "work works working employed job", "volunteer": "volunteer volunteers volunteering", "study": "study studies studied studying",
        "teach": "teach teaches teaching taught", "own": "own owns bought", "rent": "rent rents renting",
        "learn": "learn learns learning", "live": "live lives living", "repair": "repair repairs", "sell": "sell sells",
    }.items()
    for word in words.split()
}  # fmt: skip

_SITE = re.compile(
    r"\b(?:in|at|on) (?:the|user's|the user's|their|an?) (?:(?:\w+ )?\w+ )??(?P<site>(?!now\b)[a-z-]{3,})(?=[,.]|$| (?:now|these days|from now on|instead|every|each|on|at|since)\b)"
)
_NO_SITES_WORDS = "morning mornings evening evenings afternoon night weekend weekends week month year day time moment end way side future past meantime beginning start"
_NO_SITES = frozenset(_NO_SITES_WORDS.split())
_LIVING = re.compile(r"\b(?:for|makes?|earns?) (?:a|their|the user's) living\b", re.IGNORECASE)
_HOUSED = frozenset({"live", "rent", "own"})


def repeats(one: str, other: str) -> bool:
    """Whether both are the same text after normalising."""
    return normalise(one) == normalise(other)


def difference(one: str, other: str) -> str:
    """Why two texts in like words are not the same (a number, date, name, direction or negation differs), in words; "" when nothing forbids it.

    Something that only one of them names is a detail, not a difference.
    """
    if repeats(one, other):
        return ""
    return (
        _numbers(one, other)
        or _dates(one, other)
        or _names(one, other)
        or _sites(one, other)
        or _direction(one, other)
        or _negation(one, other)
    )


def other_person(one: str, other: str) -> bool:
    """Whether both name a person of the same role, and not the same one: "daughter Lea", "daughter Mia"."""
    mine, theirs = _people(one), _people(other)
    named = any(not mine[role] & theirs[role] for role in mine.keys() & theirs.keys())
    return named or _of_another(one, other) or _of_another(other, one)


def has_new_holder(clause: str, stored: str) -> bool:
    """A post that the stored fact gives to somebody has somebody else: "new supervisor too, Ms Okafor"."""
    found = _NEW_HOLDER.search(clause)
    if found is None or language.roles(found["post"]) & _MANY_OF or not language.names(stored):
        return False
    post = set(language.content(found["post"]))
    return (
        bool(post)
        and post <= set(language.content(stored))
        and found["who"].lower() not in language.names(stored)
    )


def _of_another(one: str, other: str) -> bool:
    """What is somebody's own is told of one with a name in the first, and of the user in the second: "Mara's birthday", "User's birthday"."""
    owned = {
        (who.lower(), what.lower())
        for who, what in _OWN.findall(one)
        if who != "User" and not _stands(who.lower(), other)
    }
    return any(("User", what) in _OWN.findall(other) for _, what in owned)


def _people(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for role, name in _PERSON.findall(text):
        if role.lower() in language.ROLES:
            found.setdefault(language.ROLES[role.lower()], set()).add(name.lower())
    return found


def other_tie(one: str, other: str) -> bool:
    """Whether the two tie someone to the same thing in different ways: "works at the mill", "volunteers at the mill"."""
    mine, theirs = _ties(one), _ties(other)
    return bool(mine and theirs and not mine & theirs)


def other_doing(one: str, other: str) -> bool:
    """Whether one tells where somebody lives, and the other where they work or learn: a home takes no job's place."""
    mine, theirs = _ties(one), _ties(other)
    return any(
        home == {"live"} and doing and not doing & _HOUSED for home, doing in ((mine, theirs), (theirs, mine))
    )


def _ties(text: str) -> set[str]:
    return {_TIES[word] for word in language.words(_LIVING.sub("", text)) if word in _TIES}


def values(text: str) -> set[str | float]:
    """Names, numbers and dates: what a slot can hold."""
    return {*language.names(text), *language.numbers(text), *language.calendar(text)}


def _numbers(one: str, other: str) -> str:
    mine, theirs = language.numbers(one), language.numbers(other)
    new, gone = mine - theirs, theirs - mine
    if not new or not gone or same_quantity(quantities(one), quantities(other)):
        return ""
    return f"another number ({_listed(new)}, not {_listed(gone)})"


def _dates(one: str, other: str) -> str:
    mine, theirs = language.calendar(one), language.calendar(other)
    new, gone = mine - theirs, theirs - mine
    return f"another date ({_listed(new)}, not {_listed(gone)})" if new and gone else ""


def _names(one: str, other: str) -> str:
    new = {name for name in language.names(one) if not _stands(name, other)}
    gone = {name for name in language.names(other) if not _stands(name, one)}
    return f"another name ({_listed(new)}, not {_listed(gone)})" if new and gone else ""


def _sites(one: str, other: str) -> str:
    """Where something is, told by plain words: "in the garage", "in the loft"."""
    mine, theirs = _sites_of(one), _sites_of(other)
    new = sorted(mine - set(language.words(other)))
    gone = sorted(theirs - set(language.words(one)))
    return f"another place ({_listed(new)}, not {_listed(gone)})" if new and gone else ""


def _sites_of(text: str) -> set[str]:
    return {found["site"].lower() for found in _SITE.finditer(text)} - _NO_SITES


def _stands(name: str, text: str) -> bool:
    return any(word.removesuffix("'s") == name for word in language.words(text))


def _direction(one: str, other: str) -> str:
    """Two who change places around the same verb: "Kit manages Bo" and "Bo manages Kit"."""
    mine, theirs = (
        {tuple(part.lower() for part in match.groups()) for match in _DIRECTION.finditer(text)}
        for text in (one, other)
    )
    turned = any((after, verb, before) in theirs for before, verb, after in mine if before != after)
    return "the other way round" if turned or _names_changed_places(one, other) else ""


def _names_changed_places(one: str, other: str) -> bool:
    """The same words, with the names in another order, and not merely listed: "cousin Kit manages cousin Bo"."""
    if sorted(language.words(one)) != sorted(language.words(other)):
        return False
    mine, theirs = _CAPITALISED.findall(one), _CAPITALISED.findall(other)
    listed = re.search(rf"\b{re.escape(mine[0])}(?: and |, ){re.escape(mine[-1])}\b", one) if mine else None
    return mine != theirs and sorted(mine) == sorted(theirs) and listed is None


def _negation(one: str, other: str) -> str:
    """A text that is the other one with a "not"; a bare "not" beside other words is no contradiction."""
    if language.negated(one) == language.negated(other):
        return ""
    mine, theirs = set(language.content(one)), set(language.content(other))
    common = len(mine & theirs)
    return (
        "one of them denies it"
        if common and common >= max(len(mine), len(theirs)) - 1 and common >= min(len(mine), len(theirs))
        else ""
    )


def _listed(items: Iterable[float | str]) -> str:
    return ", ".join(f"{item:g}" if isinstance(item, float) else item for item in sorted(items, key=str))
