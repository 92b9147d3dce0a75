"""The texts that are embedded and searched: a fact with its key, and a turn cut into windows.

An embedder reads some 256 tokens and drops the rest unseen.
"""

from __future__ import annotations

import re

_WHOLE_TURN = 120
"""Words up to which question and answer share one vector."""
_WINDOW = 160
"""Words in a window: within 256 tokens for prose."""
_MOST = 24
"""Windows of one turn. What lies beyond them is found by its words."""
_LONGEST_WORD = 60
_BREAK = re.compile(r"(?<=[.!?…。！？])\s+|\n+")


def fact_text(statement: str, key: str) -> str:
    """A fact as it is looked for. Its key is a second wording: "my budget" is near to "wants tooling under 200 (budget)"."""
    words = key.replace("_", " ").strip()
    return f"{statement} ({words})" if words else statement


def episode_windows(user: str, assistant: str) -> list[str]:
    """The texts whose vectors stand for a turn: one for a short turn, otherwise the windows of each side. Never empty."""
    whole = f"{user}\n{assistant}".strip()
    if _size(whole) <= _WHOLE_TURN:
        return [whole]
    return [*_windows(user), *_windows(assistant)][:_MOST]


def _windows(text: str) -> list[str]:
    """Sentences gathered until a window is full."""
    windows: list[str] = []
    size = _WINDOW
    for sentence in (piece for line in _BREAK.split(text) for piece in _pieces(line)):
        if size + _size(sentence) > _WINDOW:
            windows.append(sentence)
            size = _size(sentence)
        else:
            windows[-1] += " " + sentence
            size += _size(sentence)
    return windows


def _pieces(sentence: str) -> list[str]:
    """A sentence longer than a window in pieces of one window."""
    words = [
        word[i : i + _LONGEST_WORD] for word in sentence.split() for i in range(0, len(word), _LONGEST_WORD)
    ]
    return [" ".join(words[i : i + _WINDOW]) for i in range(0, len(words), _WINDOW)]


def _size(text: str) -> int:
    """Words, or a quarter of the bytes where that is more (scripts without spaces, code)."""
    return max(len(text.split()), len(text.encode("utf-8", "replace")) // 8)
