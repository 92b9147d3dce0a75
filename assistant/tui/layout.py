"""How the user arranged the memory panels, and its form in the state file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

WIDTH, NARROWEST, WIDEST = 44, 28, 90
"""Columns of the panel area: usual, least, most."""
_MOST_ROWS = 500


@dataclass(slots=True)
class Layout:
    """Order, the user's own choice of what is shown, heights (relative) and the width of the area in columns."""

    order: list[str]
    shown: dict[str, bool] = field(default_factory=dict)
    heights: dict[str, int] = field(default_factory=dict)
    width: int = WIDTH

    @classmethod
    def read(cls, value: Any, known: Sequence[str]) -> Layout:
        """From the state file, which the user may have edited: what makes no sense is left at its default.

        `known` are the ids of the panels that there are, in their usual order.
        """
        if not isinstance(value, Mapping):
            return cls([*known])
        order = value.get("order")
        kept = [each for each in dict.fromkeys(order) if each in known] if isinstance(order, list) else []
        shown = {name: each for name, each in _items(value, "shown", known) if isinstance(each, bool)}
        heights = {
            name: each
            for name, each in _items(value, "heights", known)
            if isinstance(each, int) and 1 <= each <= _MOST_ROWS
        }
        width = value.get("width")
        width = min(max(width, NARROWEST), WIDEST) if isinstance(width, int) else WIDTH
        return cls([*kept, *(each for each in known if each not in kept)], shown, heights, width)

    def written(self) -> dict[str, Any]:
        """As plain data for the state file."""
        return {"order": self.order, "shown": self.shown, "heights": self.heights, "width": self.width}


def _items(value: Mapping[str, Any], name: str, known: Sequence[str]) -> list[tuple[str, Any]]:
    inner = value.get(name)
    return [(key, each) for key, each in inner.items() if key in known] if isinstance(inner, dict) else []
