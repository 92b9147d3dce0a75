"""The typed values in a statement (amounts, weekdays, dates, times, levels, places, names) and which of them stands for which in another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assistant.memory.heads import language

__all__ = ["PART", "SlotValue", "akin", "as_told", "exchanged", "slot_values", "successors"]

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_NAME = r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?(?!User\b|I\b)[A-Z][\w'’&.-]*\w(?: [A-Z][\w'’&.-]*\w)*"
_COUNT = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty)"
_KINDS = {
    "weekday": re.compile(rf"\b{_DAY}(?:(?:,| and|, and| to| or) {_DAY})*\b", re.IGNORECASE),
    "date": re.compile(
        rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?: \d{{4}})?|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?|{_MONTH}(?: \d{{4}})?|\d{{1,2}}(?:st|nd|rd|th))\b"
    ),
    "time": re.compile(
        r"\b(?:\d{1,2}[:.]\d{2}(?: ?[ap]m)?|\d{1,2} ?[ap]m|(?<=at )\d{1,2}(?! \w*(?:percent|km|euros?))|noon|midnight|(?:half|quarter) (?:past|to) \w+)\b",
        re.IGNORECASE,
    ),
    "daytime": re.compile(r"(?<!good )\b(?:morning|noon|afternoon|evening|night|bedtime)s?\b", re.IGNORECASE),
    "rank": re.compile(r"\b(?:first|second|third|fourth|fifth)\b(?! (?:time|week|day|thing))", re.IGNORECASE),
    "level": re.compile(r"\b(?:[ABC][12]|N[1-5]|[Gg]rade \d)\b"),
    "number": re.compile(
        rf"(?<![\w.,])[$€£]?\d(?:[\d.,]*\d)?(?:k|m)?(?=x?\b)|\b(?:(?:a|{_COUNT})[ -](?:hundred|thousand)|{_COUNT})\b"
    ),
    "place": re.compile(rf"(?<=\bin ){_NAME}|(?<=\bnear ){_NAME}"),
    "site": re.compile(rf"(?<=\bat ){_NAME}"),
    "name": re.compile(rf"(?<=\bcalled ){_NAME}|(?<=\bnamed ){_NAME}|(?<=\bis ){_NAME}"),
}
"""In the order in which they are sought: what one has taken is no other's."""
_ONE = rf"(?:the |an? |my |our )?(?P<{{}}>{_NAME}|[\w.+#:-]+)"
_OLD = _ONE.format("old")
_NEW = _ONE.format("new") + r"(?=[.,;!?]|$| (?:at|in|on|for|now|this|last|since|because|so|and|from)\b)"
_EXCHANGES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:swapp?ed|traded|exchanged) {_OLD} for {_NEW}",
        rf"\b(?:moved|moving|went|gone|going|switche?d|switching|changed|changing|migrated|up|down|raised|lowered)\b(?: \w+){{0,3}}? from {_OLD} (?:over )?to {_NEW}",
        rf"\breplaced {_OLD} (?:with|by) {_NEW}",
        rf"(?P<new>{_NAME}|\d[\d.,:]*) (?:instead of|rather than|in place of|replaces|replaced) {_OLD}(?=[.,;!?]|$)",
    )
)
_UNITS = {
    word: unit
    for unit, words in {
        "kg": "kilo kilos kgs kilogram kilograms", "km": "kilometre kilometres kilometer kilometers kms", "euro": "eur euros",
        "pound": "gbp quid pounds", "dollar": "usd bucks dollars", "minute": "min mins minutes", "hour": "hr hrs hours",
    }.items()
    for word in words.split()
}  # fmt: skip
"""Words of one unit by the one that stands for them."""
_SINCE = re.compile(r"\b(?:since|from|as of|starting|effective)(?: the| last| next| this)? $", re.IGNORECASE)
_ROOT = 5
"""Letters by which two stems are of one root."""
PART = re.compile(r"[,;:]\s")
"""Between the parts of a sentence."""
_RESOLVED = re.compile(
    r" (?:on|in|since|from|until|by|as of) (?:the week of )?(?:\d{1,2} )?(?:[A-Z]\w+ )?(?P<year>20\d\d)\b"
)
_UNLIKE = 5.0
"""From this ratio up two numbers without a unit in common are amounts of different things."""


@dataclass(frozen=True, slots=True)
class SlotValue:
    kind: str
    """A name of `_KINDS`."""
    text: str
    start: int
    """Where it begins in its statement, in characters."""
    unit: frozenset[str]
    """Stems of the words after it."""
    of: frozenset[str]
    """Stems of the words before it."""

    @property
    def meaning(self) -> object:
        """What two texts of one value have in common: "four" and "4", "Thursdays" and "thursday"."""
        return language.numbers(self.text) or language.calendar(self.text) or self.text.lower()


@lru_cache(maxsize=1024)
def slot_values(statement: str) -> tuple[SlotValue, ...]:
    """The values of a statement, in the order in which they stand there."""
    return tuple(sorted(_found(statement), key=lambda value: value.start))


def _found(statement: str) -> Iterator[SlotValue]:
    taken: set[int] = set()
    for kind, pattern in _KINDS.items():
        for match in pattern.finditer(statement):
            places = set(range(*match.span()))
            if not places & taken:
                taken |= places
                yield SlotValue(kind, match[0], match.start(), *_around(statement, *match.span()))


def _around(statement: str, start: int, end: int) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of up to three words after a value and two before it, in its part of the sentence."""
    after = re.findall(r"[^\W\d_]+", re.split(r"[,;:.](?:\s|$)", statement[end:])[0])[:3]
    after = [_UNITS.get(word.lower(), word) for word in after]
    before = language.content(re.split(r"[,;:.]\s", statement[:start])[-1])[-2:]
    return frozenset(language.content(" ".join(after))), frozenset(before)


def successors(said: str, stored: str) -> list[tuple[SlotValue, SlotValue]]:
    """Pairs (new, old): each value of `said` that `stored` has not, with the one of `stored` in whose place it comes.

    Empty where a value has no counterpart, or more than one that fit it alike.
    """
    pairs: list[tuple[SlotValue, SlotValue]] = []
    for fresh, gone in _differing(said, stored):
        if not gone and all(_tells_since_when(value, said) for value in fresh):
            continue
        if len(fresh) == len(gone) > 1 and fresh[0].kind in ("number", "time"):  # "from 8 to 10"
            pairs += zip(fresh, gone, strict=True)
            continue
        for value in _arrived_at(fresh, said):
            old = _counterpart(value, gone)
            if old is None:
                return []
            pairs.append((value, old))
    olds = [old for _, old in pairs]
    return pairs if len(set(olds)) == len(olds) else []


def _differing(said: str, stored: str) -> Iterator[tuple[list[SlotValue], list[SlotValue]]]:
    """For each kind of which `said` has a value that `stored` has not: such values, and those that only `stored` has."""
    mine, theirs = slot_values(said), slot_values(stored)
    meanings, known = {value.meaning for value in mine}, set(language.words(stored))
    fresh = [
        value
        for value in mine
        if value.meaning not in {old.meaning for old in theirs}
        and not set(language.words(value.text)) <= known
    ]
    for kind in dict.fromkeys(value.kind for value in fresh):
        gone = [value for value in theirs if value.kind == kind and value.meaning not in meanings]
        yield [value for value in fresh if value.kind == kind], gone


def _tells_since_when(value: SlotValue, said: str) -> bool:
    """A day or a date from which something else holds: no value of the fact's."""
    return value.kind in ("weekday", "date") and _SINCE.search(said[: value.start]) is not None


def _arrived_at(fresh: list[SlotValue], said: str) -> list[SlotValue]:
    """Of several, the one after "to": "sold two, down to four"."""
    reached = [value for value in fresh if said[: value.start].endswith(" to ")]
    return reached if len(fresh) > 1 and len(reached) == 1 else fresh


def _counterpart(value: SlotValue, gone: Sequence[SlotValue]) -> SlotValue | None:
    """The one of `gone` that fits best: by its unit, by what it is of; None where none fits, or several alike."""
    fitting = [old for old in gone if value.kind != "number" or _commensurable(value, old)]
    scores = [2 * len(value.unit & old.unit) + len(value.of & old.of) for old in fitting]
    best = max(scores, default=0)
    return fitting[scores.index(best)] if scores.count(best) == 1 else None


def _commensurable(one: SlotValue, other: SlotValue) -> bool:
    """Amounts of one thing: a unit in common, or none told of one of them and of one order of size."""
    if one.unit & other.unit:
        return True
    small, large = sorted(max(language.numbers(value.text), default=0.0) for value in (one, other))
    return not (one.unit and other.unit and not one.of & other.of) and large < _UNLIKE * small


def akin(said: Iterable[str], held: Iterable[str]) -> bool:
    """A stem in common, or two of one root: deliveri(es), deliv(er)."""
    roots = {stem[:_ROOT] for stem in held}
    return any(stem[:_ROOT] in roots for stem in said)


def exchanged(clause: str, stored: str) -> tuple[str, str] | None:
    """What the user's words put in the place of what, where `stored` holds the old: "swapped Selenium for Playwright"."""
    for pattern in _EXCHANGES:
        for found in pattern.finditer(clause):
            old, new = found["old"], found["new"]
            held = re.search(rf"(?<![\w-]){re.escape(old)}(?![\w-])", stored, re.IGNORECASE)
            alike = bool(language.numbers(old)) == bool(language.numbers(new))
            if held is not None and alike and language.meaningful(new.lower()):
                return new, held[0]
    return None


def as_told(statement: str, clause: str) -> str:
    """The statement without the date that "last night" was made into: that number is no value of the fact's."""
    return _RESOLVED.sub(lambda found: found[0] if found["year"] in clause else "", statement)
