"""The novelty gate: what can be settled by looking, and what must never count as the same however near the vectors are."""

from __future__ import annotations

import re
from collections.abc import Iterable

from assistant.memory.heads import language
from assistant.text import normalise

_WITHIN = 0.025
"""Two quantities of one kind are the same up to this share: 180 cm is 5 foot 11."""
_FACTORS: dict[str, dict[str, float]] = {
    "length": {
        "mm": 1e-3, "cm": 0.01, "m": 1, "metre": 1, "meter": 1, "km": 1e3, "kilometre": 1e3, "kilometer": 1e3, "mile": 1609.34,
        "ft": 0.3048, "foot": 0.3048, "feet": 0.3048, "inch": 0.0254, "yard": 0.9144,
    },
    "weight": {
        "g": 1, "gram": 1, "kg": 1e3, "kilo": 1e3, "lb": 453.6, "lbs": 453.6, "pound": 453.6, "oz": 28.35, "ounce": 28.35,
        "stone": 6350.3, "tonne": 1e6, "ton": 1e6,
    },
    "volume": {"ml": 1, "cl": 10, "l": 1e3, "litre": 1e3, "liter": 1e3, "pint": 568, "gallon": 3785},
    "time": {
        "minute": 1, "min": 1, "hour": 60, "hr": 60, "day": 1440, "week": 10080, "fortnight": 20160, "month": 43800,
        "year": 525600,
    },
    "area": {"sqm": 1, "sqft": 0.0929, "hectare": 1e4, "acre": 4046.9},
    "heat": {"celsius": 1, "c": 1, "fahrenheit": 5 / 9, "f": 5 / 9},
}  # fmt: skip
_UNITS = {unit: (kind, factor) for kind, units in _FACTORS.items() for unit, factor in units.items()}
_FREEZING = {"fahrenheit": 32.0, "f": 32.0}
_SQUARE = re.compile(r"\b(?:square|sq\.?)\s*(m|ft|met(?:er|re)s?|f(?:ee|oo)t)\b", re.IGNORECASE)
_FEET = re.compile(r"\b(\d+)\s*(?:foot|feet|ft|')\s*(\d+)\b", re.IGNORECASE)
_QUANTITY = re.compile(r"(\d[\d,]*(?:\.\d+)?|\b[a-z]+)[\s-]*(?:degrees? )?°?([a-z]+)", re.IGNORECASE)
_DIRECTION = re.compile(
    r"\b([a-z][\w'-]*)\s+(\w+(?:\s+(?:by|to|for|from|with|than|of|under|at))?)\s+([a-z][\w'-]*)\b",
    re.IGNORECASE,
)


def repeats(one: str, other: str) -> bool:
    """Whether both are the same text after normalising."""
    return normalise(one) == normalise(other)


def difference(one: str, other: str) -> str:
    """Why two texts in like words are not the same (a number, date, name, direction or negation differs), in words; "" when nothing forbids it.

    Something that only one of them names is a detail, not a difference.
    """
    return (
        _numbers(one, other)
        or _dates(one, other)
        or _names(one, other)
        or _direction(one, other)
        or _negation(one, other)
    )


def _numbers(one: str, other: str) -> str:
    mine, theirs = language.numbers(one), language.numbers(other)
    new, gone = mine - theirs, theirs - mine
    if not new or not gone or _same_quantity(one, other):
        return ""
    return f"another number ({_listed(new)}, not {_listed(gone)})"


def _same_quantity(one: str, other: str) -> bool:
    pairs = [
        (mine, theirs) for mine in quantities(one) for theirs in quantities(other) if mine[0] == theirs[0]
    ]
    return any(
        abs(mine - theirs) <= _WITHIN * max(abs(mine), abs(theirs)) for (_, mine), (_, theirs) in pairs
    )


def quantities(text: str) -> list[tuple[str, float]]:
    """(kind, value in the kind's base unit) of each number followed by a unit."""
    flat = _SQUARE.sub(lambda match: " sqft" if match.group(1)[0].lower() == "f" else " sqm", text)
    feet = [("length", int(match[1]) * 0.3048 + int(match[2]) * 0.0254) for match in _FEET.finditer(flat)]
    found = []
    for match in _QUANTITY.finditer(_FEET.sub("", flat)):
        unit = match.group(2).lower()
        known = _UNITS.get(unit) or _UNITS.get(unit.removesuffix("s"))
        if known:
            kind, factor = known
            found += [
                (kind, (value - _FREEZING.get(unit, 0.0)) * factor)
                for value in language.numbers(match.group(1))
            ]
    return feet + found


def _dates(one: str, other: str) -> str:
    mine, theirs = language.calendar(one), language.calendar(other)
    new, gone = mine - theirs, theirs - mine
    return f"another date ({_listed(new)}, not {_listed(gone)})" if new and gone else ""


def _names(one: str, other: str) -> str:
    new = {name for name in language.names(one) if not _stands(name, other)}
    gone = {name for name in language.names(other) if not _stands(name, one)}
    return f"another name ({_listed(new)}, not {_listed(gone)})" if new and gone else ""


def _stands(name: str, text: str) -> bool:
    return any(word.removesuffix("'s") == name for word in language.words(text))


def _direction(one: str, other: str) -> str:
    """Two who change places around the same verb: "Kit manages Bo" and "Bo manages Kit"."""
    mine, theirs = (
        {tuple(part.lower() for part in match.groups()) for match in _DIRECTION.finditer(text)}
        for text in (one, other)
    )
    turned = any((after, verb, before) in theirs for before, verb, after in mine if before != after)
    return "the other way round" if turned else ""


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
