"""Long text shown exactly as it is, in pieces, so that none takes long to lay out."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.tui.blocks import EMPTY, TAB, Text
from assistant.tui.widgets.lines import Lines

PIECE = 6_000
"""Characters of one piece: wrapping one takes a few milliseconds."""


def pieces(text: str, size: int = PIECE) -> Iterator[str]:
    """`text` in pieces of at most `size` characters, broken after a newline where one is near; joined they are `text`."""
    start = 0
    while start < len(text):
        end = min(start + size, len(text))
        if end < len(text) and (newline := text.rfind("\n", start + size // 2, end)) >= 0:
            end = newline + 1
        yield text[start:end]
        start = end


class PlainText(Lines):
    """Text without any markup (clean already). The newline that ends a piece is the break between two blocks."""

    def __init__(self, text: str = "", *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        blocks = [
            Text(EMPTY, EMPTY, (piece.removesuffix("\n").expandtabs(TAB), ())) for piece in pieces(text)
        ]
        super().__init__(blocks, id=id, classes=classes)
        self.text = text
