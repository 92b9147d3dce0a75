"""Numbers with units, in the base unit of their kind, so that 180 cm and 5 foot 11, or 14 days and two weeks, are the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
_QUANTITY = re.compile(r"(\d[\d,]*(?:\.\d+)?|\b[a-z]+)[\s-]*(?:degrees? )?°?([a-z]+)", re.IGNORECASE)


class Quantity(NamedTuple):
    kind: str
    """length, weight, volume, time, area or heat"""
    value: float
    """In metres, grams, millilitres, minutes, square metres or degrees Celsius."""


def same_quantity(some: Sequence[Quantity], others: Sequence[Quantity]) -> bool:
    """Whether one of each are of one kind and alike within 2.5 %."""
    return any(
        one.kind == other.kind
        and abs(one.value - other.value) <= _WITHIN * max(abs(one.value), abs(other.value))
        for one in some
        for other in others
    )


def quantities(text: str) -> tuple[Quantity, ...]:
    """Each number followed by a unit."""
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
    return tuple(found)
