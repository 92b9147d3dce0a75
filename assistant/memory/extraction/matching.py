"""How labelled cases name a fact: alternatives, each of one or more strings that must all occur."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["matches"]


def matches(text: str, any_of: Sequence[str]) -> bool:
    """Does `text` hold, ignoring case, all parts of at least one alternative ("200&&month")?"""
    folded = text.casefold()
    return any(all(part.casefold() in folded for part in alternative.split("&&")) for alternative in any_of)
