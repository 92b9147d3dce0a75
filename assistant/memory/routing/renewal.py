"""The new version of a fact tells what holds now: what became of the old value is for the history to tell."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.memory.heads import language
from assistant.memory.records import Fact
from assistant.memory.routing.novelty import values
from assistant.memory.routing.values import PART, SlotValue, akin, as_told, exchanged, successors

__all__ = ["only_departs", "renewed", "what_is_left"]

_TIME = r"(?:the|last|this|yesterday|then|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|\d)"
_JOINT = re.compile(
    rf"(\s*[,;]\s+(?:and |so |but )?|\.\s+|\s+(?:and|so|but|because|since(?! {_TIME}))\s+)", re.IGNORECASE
)
_SINCE_WHEN = re.compile(rf" since {_TIME}\b.*$", re.IGNORECASE)
_ITEM = re.compile(
    r"^(?P<lead>User (?:\w+ )??\w+s |User's \w+ \w+s )(?P<item>(?:(?:an?|the|his|her|their|two|three) )?(?:[\w-]+ )?[\w-]+)$"
)
_MOVED = "moved moves moving went gone going switched switching changed changing migrated up down over raised lowered cut dropped"
_FROM = "|".join(rf"(?<=\b{verb}) from" for verb in _MOVED.split())
_AGAINST = re.compile(
    rf"(?:,? (?:instead of|rather than|in place of)|,? (?:and )?not|(?: over)?(?:{_FROM})) (?:the )?(?P<old>[\w'’.:&-]+)(?= to\b|[,.;]|$)",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"^(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[\w'-]+(?: has|['’]s| is)? (?:moved|went|gone|left|retired|retiring|quit|died|emigrated|resigned|off|leaving|expecting|on leave|back (?:in|to))\b",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(
    r"^(?!Nobody|No|Everyone|Someone|Another|User)(?P<who>[A-Z][\w'-]+) (?:moved in|took over|takes over|stepped in|came instead|has joined|joined|replaced \w+|follows)\b"
)
_WHERE = frozenset({"place", "site"})
_PLACE = re.compile(
    r"(?<!\w)(?:in|at|near|behind|beside|above|below|under|opposite|on|by) (?!\d)", re.IGNORECASE
)
_OF_SOMETHING = frozenset({"place", "site", "name", "date"})
"""Values that say little without what they are of: they are exchanged only where both texts name it."""
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof", "professor"})
_SUBJECT = re.compile(r"^(?:the user|user)\b", re.IGNORECASE)
_VERB = re.compile(
    r"^(?:(?:now|just|also)\s+)?(?:got|went|took|has|is|was|\w{3,}ed|(?!this|its)\w{2,}[^su\W]s)\b"
)


def renewed(statement: str, fact: Fact, clause: str = "") -> str:
    """`statement` as the next version of `fact`: without what is over, and with what the fact told besides.

    `clause` is what the user said in their own words.
    """
    held = fact.statement
    swap = exchanged(clause, held)
    if swap and len(set(language.content(held)) - set(language.content(" ".join((*swap, statement))))) > 0:
        return held.replace(swap[1], swap[0], 1)
    told = without_the_old(statement, held)
    return (
        _with_who_follows(told, statement, held) or _in_its_place(as_told(told, clause or told), fact) or told
    )


def what_is_left(clause: str, held: str) -> str:
    """What still holds of a fact that joins two things, where the user's words end one of them only; else "".

    "quit the choir" after "User sings in a choir and rows on Sundays" -> "User rows on Sundays".
    """
    halves = re.split(r",? and ", held)
    if len(halves) != 2:
        return ""
    first, second = halves
    one, other = (set(language.content(half)) - {"user"} for half in halves)
    said = set(language.content(clause))
    if said & other and not said & (one - other):
        return first
    if not said & one or said & (other - one):
        return ""
    if _VERB.match(second):
        return f"User {second}" if _SUBJECT.match(first) else ""
    listed = _ITEM.match(first)
    return listed["lead"] + second if listed and len(second.split()) <= len(listed["item"].split()) else ""


def _with_who_follows(told: str, statement: str, replaced: str) -> str:
    """The fact with the name of who came for who went, where that is all that was said; else "".

    "Tane left and Mereana moved in" after "User rents two rooms with Tane" -> "User rents two rooms with Mereana".
    """
    gone, follows = statement.split(" ", maxsplit=1)[0], _FOLLOWS.match(told)
    if (
        follows is None
        or told == statement
        or set(language.content(replaced)) <= set(language.content(statement))
    ):
        return ""
    return re.sub(rf"\b{re.escape(gone)}\b", follows["who"], replaced)


def _in_its_place(statement: str, fact: Fact) -> str:
    """The fact with its values exchanged, where it tells more than the statement besides; else "".

    "User works in Wick now" after "User works as a welder in Oban" -> "User works as a welder in Wick".
    """
    pairs = successors(statement, fact.statement)
    said, held = set(language.content(statement)), set(language.content(fact.statement))
    for new, old in pairs:
        said -= set(language.content(new.text))
        held -= set(language.content(old.text))
    if not pairs or not held - said or _tells_more(statement, fact.statement, pairs):
        return ""
    if not akin(said, held) and any(new.kind in _OF_SOMETHING or said for new, _ in pairs):
        return ""
    if any(new.kind in _WHERE for new, _ in pairs) and (
        fact.key.endswith("residence") or _tells_where(said, held, fact.statement)
    ):
        return ""  # what else the fact tells of the old place stays behind with it
    renewed = fact.statement
    for new, old in sorted(pairs, key=lambda pair: -pair[1].start):
        renewed = renewed[: old.start] + new.text + renewed[old.start + len(old.text) :]
    return renewed


def _tells_where(said: set[str], held: set[str], replaced: str) -> bool:
    """The candidate tells more than the bare place, or the fact tells of the old one by several phrases."""
    more = said - held - {language.stem(word) for word in _MOVED.split()}
    return bool(more) or len(_PLACE.findall(replaced)) > 1


def _tells_more(statement: str, replaced: str, pairs: Sequence[tuple[SlotValue, SlotValue]]) -> bool:
    """It names someone or something, or a role, that neither the fact nor the exchange holds, or denies what the fact says."""
    known = set(language.words(replaced)).union(*(language.words(new.text) for new, _ in pairs))
    named = {name for name in language.names(statement) if name not in known}
    roles = language.roles(statement) - language.roles(replaced)
    said = [part for part in PART.split(statement) if any(new.text in part for new, _ in pairs)]
    held = [part for part in PART.split(replaced) if any(old.text in part for _, old in pairs)]
    denied = any(map(language.negated, said)) != any(map(language.negated, held))
    return bool(named or roles) or denied


def without_the_old(statement: str, replaced: str) -> str:
    """`statement` without the parts that only tell how the value of `replaced` came to an end.

    "Dr Rees retired and Dr Anders sees mum" after "Mum sees Dr Rees" -> "Dr Anders sees mum".
    """
    statement = _without_comparison(statement, replaced)
    pieces = _JOINT.split(statement)
    parts, joints = pieces[::2], pieces[1::2]
    over = [_tells_the_end(part, replaced) for part in parts]
    goes_on = [part for part, old in zip(parts, over, strict=True) if not old]
    if not any(over) or not any(_says_something_new(part, replaced) for part in goes_on):
        return statement
    kept = ""
    for place, part in enumerate(parts):
        if over[place]:
            continue
        kept += (joints[place - 1] if kept else "") + part
    if _SUBJECT.match(statement) and _VERB.match(kept):
        kept = f"User {kept}"
    kept = re.sub(r"^the user\b", "User", kept)
    return kept[:1].upper() + kept[1:]


def _without_comparison(statement: str, replaced: str) -> str:
    """Drops "instead of March", "not Dole", "over from Excel" where it names what the fact held."""
    held = set(language.words(replaced))
    return _AGAINST.sub(
        lambda found: "" if set(language.words(found["old"])) <= held else found[0], statement
    ).strip()


def _tells_the_end(part: str, replaced: str) -> bool:
    """It says that something of the replaced fact is over, or what became of whom it named, or no more than that its value will not do."""
    if _departs(part, replaced):
        return True
    if values(_SINCE_WHEN.sub("", part)) - values(replaced):
        return False
    words = {word.removesuffix("'s") for word in language.words(part)}
    named = bool(words & (language.names(replaced) - _TITLES)) or bool(_amounts(part) & _amounts(replaced))
    if language.cue("removal", part):
        return named or bool(set(language.content(part)) & set(language.content(replaced)))
    return named and (language.cue("past", part) or language.negated(part))


def _amounts(text: str) -> frozenset[float | str]:
    return language.numbers(text) | language.calendar(text)


def only_departs(statement: str, held: str) -> bool:
    """Whether the statement tells no more than what became of whom the fact `held` names."""
    gone = _GONE.search(statement) is not None and _JOINT.search(statement) is None
    return gone and _departs(statement, held)


def _departs(part: str, replaced: str) -> bool:
    """ "Terje moved to Bergen", after "User's cook is called Terje": it begins with whom the fact only names."""
    first = next((word for word in language.words(part) if word not in _TITLES), "")
    named = (
        rf"(?:\b(?:called|named|is)|,)(?: (?:dr|mr|mrs|ms|prof))? {re.escape(first)}\b|\b{re.escape(first)}$"
    )
    return first in language.names(replaced) and bool(re.search(named, replaced, re.IGNORECASE))


def _says_something_new(part: str, replaced: str) -> bool:
    new = set(language.content(part)) - set(language.content(replaced))
    return bool(new) and (len(part.split()) > 1 or part[:1].isupper())
