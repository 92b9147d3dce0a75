"""Long pastes and attached files, folded: the message field shows a short mark for each, the message sent holds the text."""

from __future__ import annotations

import re

from assistant.text import clean_text

FOLD_CHARACTERS = 1_500
FOLD_LINES = 20
"""Beyond either, pasted text is folded: every key in a field that holds a very long line takes noticeable time."""

_MARK = re.compile(r"\[(?:pasted|file) (\d+): [^\[\]\n]*\]")


def is_long(text: str) -> bool:
    return len(text) > FOLD_CHARACTERS or text.count("\n") >= FOLD_LINES


class Pastes:
    """Folded texts by number. A mark that was edited out of shape is sent as it stands: what is seen is what is sent."""

    def __init__(self, texts: dict[int, str] | None = None) -> None:
        self.texts: dict[int, str] = texts or {}

    def fold(self, text: str, name: str = "") -> str:
        """Keep `text` and return its mark: "[pasted 1: 120 lines, 4,801 characters]"; with `name`, that of a file."""
        number = max(self.texts, default=0) + 1
        self.texts[number] = text
        if name:
            safe = re.sub(r"[\[\]\n]", "_", clean_text(name))
            return f"[file {number}: {safe}, {len(text):,} characters]"
        lines = text.count("\n") + 1
        return f"[pasted {number}: {lines:,} line{'s' * (lines > 1)}, {len(text):,} characters]"

    def unfold(self, text: str) -> str:
        """`text` with every mark replaced by what it stands for, files fenced with their names."""
        return _MARK.sub(self._whole, text)

    def _whole(self, mark: re.Match[str]) -> str:
        kept = self.texts.get(int(mark[1]))
        if kept is None:
            return mark[0]
        if not mark[0].startswith("[file"):
            return kept
        name = mark[0].partition(": ")[2].rpartition(", ")[0]
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", kept) or ["``"]))
        return f"{name}:\n{fence}\n{kept.rstrip()}\n{fence}"

    def marks(self, text: str) -> list[tuple[int, str]]:
        """The folded texts that `text` mentions, in its order: (number, mark)."""
        return [(int(mark[1]), mark[0]) for mark in _MARK.finditer(text) if int(mark[1]) in self.texts]

    def named_in(self, text: str) -> dict[int, str]:
        """The folded texts that `text` mentions, by number."""
        return {number: self.texts[number] for number, _ in self.marks(text)}
