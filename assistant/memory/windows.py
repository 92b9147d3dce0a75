"""The texts that are embedded and searched: a fact with its key, and a turn cut into windows.

An embedder reads some 256 tokens and drops the rest unseen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.text import estimate_tokens

_WHOLE_TURN = 160
"""Tokens up to which question and answer share one vector."""
_WINDOW = 220
"""Tokens of a window; they are estimated on the high side."""
_MOST = 24
"""Windows of one turn. What lies beyond them is found by its words."""
_BREAK = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")


def fact_text(statement: str, key: str) -> str:
    """A fact as it is looked for. Its key is a second wording: "my budget" is near to "wants tooling under 200 (budget)"."""
    words = key.replace("_", " ").strip()
    return f"{statement} ({words})" if words else statement


def episode_windows(user: str, assistant: str) -> list[str]:
    """The texts whose vectors stand for a turn: one for a short turn, otherwise the windows of each side. Never empty."""
    whole = f"{user}\n{assistant}".strip()
    if estimate_tokens(whole) <= _WHOLE_TURN:
        return [whole]
    return [*_windows(user), *_windows(assistant)][:_MOST]


def _windows(text: str) -> list[str]:
    """Sentences gathered until a window is full."""
    windows: list[str] = []
    size = _WINDOW
    for piece in _pieces(text):
        cost = estimate_tokens(piece)
        if size + cost > _WINDOW:
            windows.append(piece)
            size = cost
        else:
            windows[-1] += f" {piece}"
            size += cost
    return windows


def _pieces(text: str) -> Iterator[str]:
    """Sentences; one that is longer than a window, cut into runs of characters that surely fit."""
    for sentence in _BREAK.split(text):
        if estimate_tokens(sentence) <= _WINDOW:
            if sentence.strip():
                yield sentence.strip()
        else:
            yield from (sentence[start : start + _WINDOW] for start in range(0, len(sentence), _WINDOW))
