"""Long text shown exactly as it is, in pieces, so that no single widget has to lay out all of it."""

from __future__ import annotations

from collections.abc import Iterator

from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

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


class PlainText(Vertical):
    """Text without any markup; `add` appends to it at the cost of the last piece only."""

    DEFAULT_CSS = """
    PlainText { height: auto; }
    PlainText > Static { height: auto; }
    """

    def __init__(self, text: str = "", *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(*map(_piece, pieces(text)), id=id, classes=classes)
        self.text = text
        self._last = next(reversed(list(pieces(text))), "")

    async def add(self, text: str) -> None:
        """Append `text` (clean already)."""
        self.text += text
        first, *more = list(pieces(self._last + text)) or [""]
        if self.children:
            self.query(Static).last().update(Content(first.removesuffix("\n")))
        else:
            more.insert(0, first)
        await self.mount_all(map(_piece, more))
        self._last = more[-1] if more else first


def _piece(text: str) -> Static:
    """The newline that ends a piece is the break between two widgets."""
    return Static(Content(text.removesuffix("\n")), markup=False)
