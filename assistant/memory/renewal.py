"""The new version of a fact tells what holds now: what became of the old value is for the history to tell."""

from __future__ import annotations

import re

from assistant.memory.heads import language
from assistant.memory.records import Fact

__all__ = ["renewed"]

_JOINT = re.compile(r"(\s*[,;]\s+(?:and |so |but )?|\.\s+|\s+(?:and|so|but|because|since)\s+)", re.IGNORECASE)
_AGAINST = re.compile(
    r"(?:,? (?:instead of|rather than|in place of)|,? (?:and )?not|(?: over)? from) (?:the )?(?P<old>[\w'’.:&-]+)(?= to\b|[,.;]|$)",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"(?<!^)(?<!\. )\b(?!User\b|I\b)(?:(?:Dr|Mr|Mrs|Ms)\.? )?[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*|(?<![\w.])[$€£]?\d[\d.,:]*(?:\d|\b)\w*"
)
"""A name that does not open the sentence, or a number in digits."""
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof", "professor"})
_SUBJECT = re.compile(r"^(?:the user|user)\b", re.IGNORECASE)
_VERB = re.compile(
    r"^(?:(?:now|just|also)\s+)?(?:got|went|took|has|is|was|\w{3,}ed|(?!this|its)\w{2,}[^su\W]s)\b"
)


def renewed(statement: str, fact: Fact) -> str:
    """`statement` as the next version of `fact`: without what is over, and with what the fact told besides."""
    statement = without_the_old(statement, fact.statement)
    if fact.key.endswith("residence"):  # what kind of home it was moved away with the town
        return statement
    return _in_its_place(statement, fact.statement) or statement


def _in_its_place(statement: str, replaced: str) -> str:
    """`replaced` with its one value exchanged, where the statement tells no more than the new value; else "".

    "User works in Wick now" after "User works as a welder in Oban" -> "User works as a welder in Wick".
    """
    new, old = _VALUE.findall(statement), _VALUE.findall(replaced)
    if len(new) != 1 or len(old) != 1 or new == old or new[0][0].isupper() != old[0][0].isupper():
        return ""
    said, held = set(language.content(statement)), set(language.content(replaced))
    tells_more = said - held - set(language.content(new[0]))
    adds = held - said - set(language.content(old[0]))
    if tells_more or not adds or language.negated(statement) != language.negated(replaced):
        return ""
    return replaced.replace(old[0], new[0], 1)


def without_the_old(statement: str, replaced: str) -> str:
    """`statement` without the parts that only tell how the value of `replaced` came to an end.

    "Dr Rees retired and Dr Anders sees mum" after "Mum sees Dr Rees" -> "Dr Anders sees mum".
    """
    statement = _without_comparison(statement, replaced)
    pieces = _JOINT.split(statement)
    parts, joints = pieces[::2], pieces[1::2]
    over = [_tells_the_end(part, replaced) for part in parts]
    if not any(over) or not any(
        _says_something_new(part, replaced) and not old for part, old in zip(parts, over, strict=True)
    ):
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
    """It names a value of the replaced fact and no new one, or says that something of it is over."""
    words = {word.removesuffix("'s") for word in language.words(part)}
    named = bool(words & (language.names(replaced) - _TITLES))
    if language.cue("removal", part):
        return named or bool(set(language.content(part)) & set(language.content(replaced)))
    return named and not (language.names(part) | language.numbers(part)) - set(language.words(replaced))


def _says_something_new(part: str, replaced: str) -> bool:
    new = set(language.content(part)) - set(language.content(replaced))
    return bool(new) and (len(part.split()) > 1 or part[:1].isupper())
