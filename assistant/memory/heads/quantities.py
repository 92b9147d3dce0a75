"""Numbers with units, in the base unit of their kind, so that 180 cm and 5 foot 11, or 14 days and two weeks, are the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assistant.memory.heads.language import numbers

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
        "second": 1 / 60, "s": 1 / 60, "minute": 1, "min": 1, "hour": 60, "hr": 60, "day": 1440, "week": 10080, "fortnight": 20160, "month": 43800,
        "year": 525600,
    },
    "area": {"sqm": 1, "sqft": 0.0929, "hectare": 1e4, "acre": 4046.9},
    "heat": {"celsius": 1, "c": 1, "fahrenheit": 5 / 9, "f": 5 / 9},
}  # fmt: skip
_UNITS = {unit: (kind, factor) for kind, units in _FACTORS.items() for unit, factor in units.items()}
_FREEZING = {"fahrenheit": 32.0, "f": 32.0}
_SQUARE = re.compile(r"\b(?:square|sq\.?)\s*(m|ft|met(?:er|re)s?|f(?:ee|oo)t)\b", re.IGNORECASE)
_FEET = re.compile(r"\b(\d+)\s*(?:foot|feet|ft|')\s*(\d+)\b", re.IGNORECASE)
_QUANTITY = re.compile(
    r"(?<![\w.,])(?=(\d[\d,]*(?:\.\d+)?|[a-z]+\b)[\s-]*(?:degrees? )?°?([a-z]+))", re.IGNORECASE
)


_SAID_OTHERWISE = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), plain)
    for words, plain in (
        ("fortnightly|bi-?weekly|every (?:second|other) week", "2 weeks"),
        ("quarterly", "3 months"),
        ("an hour and a half|one and a half hours", "90 minutes"),
        ("half an hour|half hour", "30 minutes"),
        ("(?:three quarters|3/4) of an hour", "45 minutes"),
        ("a year and a half", "18 months"),
        ("half a year", "6 months"),
    )
)
_SHARES = {"half past": 30, "quarter past": 15, "quarter to": -15}
_SAID_HOUR = re.compile(rf"\b(?P<share>{'|'.join(_SHARES)}) (?P<hour>[a-z]+|\d{{1,2}})\b", re.IGNORECASE)
_CLOCK = re.compile(
    r"(?<![\d:.,])(?P<hour>\d{1,2})(?:[:.h](?P<minute>[0-5]\d))?\s?(?P<half>[ap])\.?m\b|(?<![\d:.,])(?P<hour24>\d{1,2})[:h](?P<minute24>[0-5]\d)(?![\d:])",
    re.IGNORECASE,
)
_HALF_DAY = 720.0


class Quantity(NamedTuple):
    kind: str
    """length, weight, volume, time, area, heat or clock"""
    value: float
    """In metres, grams, millilitres, minutes, square metres, degrees Celsius or minutes after midnight."""


def same_quantity(some: Sequence[Quantity], others: Sequence[Quantity]) -> bool:
    """Whether one of each are of one kind and alike within 2.5 %; times of day to the minute."""
    return any(
        one.kind == other.kind
        and abs(one.value - other.value)
        <= (_WITHIN * max(abs(one.value), abs(other.value)) if one.kind != "clock" else 0)
        for one in some
        for other in others
    )


def quantities(text: str) -> tuple[Quantity, ...]:
    """Each number followed by a unit, and each time of day; "6:30", which may be of the morning or of the evening, is both."""
    for words, plain in _SAID_OTHERWISE:
        text = words.sub(plain, text)
    flat = _SQUARE.sub(lambda match: " sqft" if match.group(1)[0].lower() == "f" else " sqm", text)
    found = [
        Quantity("length", int(match[1]) * 0.3048 + int(match[2]) * 0.0254) for match in _FEET.finditer(flat)
    ]
    for match in _QUANTITY.finditer(_FEET.sub("", flat)):
        unit = match.group(2).lower()
        known = _UNITS.get(unit) or _UNITS.get(unit.removesuffix("s"))
        if known:
            kind, factor = known
            found += [
                Quantity(kind, (value - _FREEZING.get(unit, 0.0)) * factor)
                for value in numbers(match.group(1))
            ]
    return (*found, *_times_of_day(text))


def _times_of_day(text: str) -> Iterator[Quantity]:
    for said in _SAID_HOUR.finditer(text):
        for hour in numbers(said["hour"]):
            yield from _either_half(hour * 60 + _SHARES[said["share"].lower()])
    for digits in _CLOCK.finditer(text):
        minutes = int(digits["hour"] or digits["hour24"]) * 60 + int(
            digits["minute"] or digits["minute24"] or 0
        )
        if digits["half"]:
            yield Quantity("clock", minutes % _HALF_DAY + _HALF_DAY * (digits["half"].lower() == "p"))
        else:
            yield from _either_half(minutes)


def _either_half(minutes: float) -> Iterator[Quantity]:
    """A time told by the twelve-hour clock, in both halves of the day; one after 13:00 as it is."""
    yield Quantity("clock", float(minutes))
    if minutes < _HALF_DAY + 60:
        yield Quantity("clock", (minutes + _HALF_DAY) % (2 * _HALF_DAY))
