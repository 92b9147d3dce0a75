"""What a text comes to on the screen: blocks that know how many rows they take, and draw these rows when they are seen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from textual.content import Content, Span

if TYPE_CHECKING:
    from textual.highlight import HighlightTheme

Words = tuple[str, tuple[Span, ...]]
"""Text and its styles. Plain, unlike `Content`, so that the thousands of a long answer cost no collection of garbage anything."""

EMPTY = Content()
TAB = 4
"""Columns; whoever makes a block expands the tabs in it."""
_CODE_INSET = 2
_NARROWEST = 4
"""Cells of a table's column; where they do not fit, its rows are shown as running text."""


class Line(NamedTuple):
    """One row. Copied, it begins after `inset` characters, and `joint` follows: nothing or a space where a line was wrapped."""

    content: Content
    joint: str = "\n"
    inset: int = 0


@dataclass(slots=True)
class Block(ABC):
    """`first` stands before the first row and `rest` before the others: the marks of lists and quotes around the block."""

    first: Content
    rest: Content

    def height(self, width: int) -> int:
        """Rows at so many columns."""
        return self._rows(self._room(width))

    def draw(self, width: int) -> list[Line]:
        """All rows."""
        first, rest = self.first[: width // 2], self.rest[: width // 2]
        top, *others = self._lines(self._room(width))
        copied_from = len(first) if first.plain == rest.plain else 0
        return [
            Line(first + top.content, top.joint, copied_from + top.inset),
            *(Line(rest + line.content, line.joint, len(rest) + line.inset) for line in others),
        ]

    def _room(self, width: int) -> int:
        return max(width - min(self.rest.cell_length, width // 2), 2)

    def _rows(self, width: int) -> int:
        return len(self._lines(width))

    @abstractmethod
    def _lines(self, width: int) -> Sequence[Line]: ...


@dataclass(slots=True)
class Text(Block):
    """A paragraph, a heading, an item: words that are wrapped."""

    words: Words

    def _rows(self, width: int) -> int:
        return _content(self.words).get_height({}, width)

    def _lines(self, width: int) -> list[Line]:
        content = _content(self.words)
        return [line for each in content.split(allow_blank=True) for line in _wrapped(each, width)]


@dataclass(slots=True)
class Rule(Block):
    """A line across."""

    def _lines(self, width: int) -> list[Line]:
        return [Line(Content.styled("─" * width, ".rule"))]


@dataclass(slots=True)
class Code(Block):
    """Lines that are folded where they are too long. A row of the code's ground stands above and below, unless it goes on there."""

    code: str
    language: str
    begins: bool = True
    ends: bool = True
    _coloured: Content | None = None

    def colour(self, colours: type[HighlightTheme]) -> None:
        """Highlight it; done when it is seen, since its height does not depend on it."""
        from textual.highlight import highlight

        if self.language:
            self._coloured = highlight(self.code, language=self.language, theme=colours)

    def _rows(self, width: int) -> int:
        room = max(width - 2 * _CODE_INSET, 2)
        lines = self.code.split("\n")
        return sum(1 if cell_len(line) <= room else len(Content(line).fold(room)) for line in lines) + (
            self.begins + self.ends
        )

    def _lines(self, width: int) -> list[Line]:
        room = max(width - 2 * _CODE_INSET, 2)
        lines = [Line(EMPTY)] * self.begins
        for line in (self._coloured or Content(self.code)).split(allow_blank=True):
            *folded, last = line.fold(room)
            lines += [*(Line(part, "") for part in folded), Line(last)]
        return [_on_ground(line, width) for line in (*lines, *[Line(EMPTY)] * self.ends)]


@dataclass(slots=True)
class Table(Block):
    """Rows of cells. `headed` tells whether the first row is the header."""

    rows: tuple[tuple[Words, ...], ...]
    headed: bool = True

    def _rows(self, width: int) -> int:
        widths = self._widths(width)
        if not widths:
            return sum(1 for _ in self._running(width))
        heights = [
            max(
                (_content(cell).get_height({}, room) for cell, room in zip(row, widths, strict=False)),
                default=1,
            )
            for row in self.rows
        ]
        return sum(heights) + self._rules(heights)

    def _lines(self, width: int) -> list[Line]:
        widths = self._widths(width)
        if not widths:
            return list(self._running(width))
        rows = [_row(row, widths) for row in self.rows]
        rule = Line(Content.styled("─┼─".join("─" * room for room in widths), ".rule"))
        everywhere = self._ruled([len(row) for row in rows])
        lines: list[Line] = []
        for number, row in enumerate(rows):
            if number and (everywhere or (number == 1 and self.headed)):
                lines.append(rule)
            lines += row
        return lines

    def _ruled(self, heights: list[int]) -> bool:
        """Rows of several lines are told apart by a rule between each two."""
        return max(heights, default=1) > 1

    def _rules(self, heights: list[int]) -> int:
        between = len(heights) - 1
        return max(between if self._ruled(heights) else min(between, int(self.headed)), 0)

    def _widths(self, width: int) -> list[int]:
        """Cells of each column: as wide as its text, the widest cut to the same measure. None where that is too narrow."""
        columns = max(map(len, self.rows), default=0)
        natural = [
            max((cell_len(row[n][0]) for row in self.rows if n < len(row)), default=0) for n in range(columns)
        ]
        room = width - 3 * (columns - 1)
        if sum(natural) <= room:
            return [max(cells, 1) for cells in natural]
        cap = bisect_right(
            range(max(natural)), room, key=lambda most: sum(min(cells, most + 1) for cells in natural)
        )
        return [max(min(cells, cap), 1) for cells in natural] if cap >= _NARROWEST else []

    def _running(self, width: int) -> Iterator[Line]:
        for row in self.rows:
            yield from _wrapped(Content(" │ ").join(map(_content, row)), width)


def _row(cells: Sequence[Words], widths: list[int]) -> list[Line]:
    """One row of a table: the lines of its cells side by side."""
    padded = [*map(_content, cells), *[EMPTY] * (len(widths) - len(cells))]
    wrapped = [
        [line.content for line in _wrapped(cell, room)] for cell, room in zip(padded, widths, strict=True)
    ]
    bar = Content.styled(" │ ", ".rule")
    return [
        Line(bar.join(_filled(lines[n] if n < len(lines) else EMPTY, room) for lines, room in zip(wrapped, widths, strict=True)))
        for n in range(max(map(len, wrapped)))
    ]  # fmt: skip


def _content(words: Words) -> Content:
    text, spans = words
    return Content(text, list(spans)) if spans else Content(text)


def _wrapped(content: Content, width: int) -> Iterator[Line]:
    """One line of text in as many as it takes."""
    *parts, last = content.wrap(width)
    at = 0
    for part in parts:
        at += len(part.plain)
        space = len(content.plain) - at - len(content.plain[at:].lstrip(" "))
        at += space
        yield Line(part, " " if space else "")
    yield Line(last)


def _filled(content: Content, width: int) -> Content:
    return content.pad_right(max(width - content.cell_length, 0))


def _on_ground(line: Line, width: int) -> Line:
    """A row of code, on its ground from side to side."""
    inset = line.content.pad_left(_CODE_INSET)
    return Line(_filled(inset, width).stylize_before(".code"), line.joint, _CODE_INSET)
