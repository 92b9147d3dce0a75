"""A text of any length in one widget: every block is measured, but only the rows in sight are drawn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.geometry import Offset, Size
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from assistant.tui.blocks import Block, Code, Line

if TYPE_CHECKING:
    from textual.highlight import HighlightTheme

_KEPT = 100
"""Blocks that stay drawn."""


class Lines(Widget):
    """Textual walks every mounted widget at each layout, seen or not; this one takes the place of one for each paragraph."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *("h1", "h2", "h3", "h4", "h5", "h6"),
        *("code", "code_inline", "link", "mark", "bar", "rule", "th"),
    }
    DEFAULT_CSS = """
    Lines {
        width: 1fr;
        height: auto;
        & > .h1, & > .h2 { color: $markdown-h1-color; text-style: bold underline; }
        & > .h2 { color: $markdown-h2-color; }
        & > .h3, & > .h4, & > .h5, & > .h6 { color: $markdown-h3-color; text-style: bold; }
        & > .link { color: $text-primary; text-style: underline; }
        & > .mark, & > .bar { color: $text-primary; }
        & > .rule { color: $foreground 30%; }
        & > .th { color: $text-primary; text-style: bold; }
        & > .code { background: black 10%; }
        & > .code_inline { background: $warning 10%; color: $text-warning 95%; }
        &:light > .code { background: white 30%; }
        &:light > .code_inline { background: $error 5%; color: $text-error 95%; }
        &:ansi > .code, &:ansi > .code_inline { background: ansi_default; }
        &:ansi > .rule { color: ansi_default; text-style: dim; }
    }
    """

    def __init__(
        self,
        blocks: Sequence[Block] = (),
        *,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._blocks = list(blocks)
        self._ends: list[int] = []
        """For each block that was measured, the row after its last, at `_width` columns."""
        self._width = 0
        self._drawn: dict[int, list[Line]] = {}

    def put(self, blocks: Sequence[Block], *, after: int = 0) -> None:
        """Show `blocks` in the place of those from number `after` on."""
        self._blocks[after:] = blocks
        del self._ends[after:]
        self._drawn = {number: lines for number, lines in self._drawn.items() if number < after}
        self.refresh(layout=True)

    # Layout -----------------------------------------------------------------------------------------------------------

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        if width != self._width:
            self._width = width
            self._ends.clear()
            self._drawn.clear()
        self._measure()
        return self._ends[-1] if self._ends else 0

    def _measure(self) -> None:
        end = self._ends[-1] if self._ends else 0
        for block in islice(self._blocks, len(self._ends), None):
            end += block.height(self._width)
            self._ends.append(end)

    # Drawing ----------------------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """Row `y` of the content."""
        self._measure()  # a row may be wanted, and kept by Textual, before the layout that `put` asks for
        base = self.visual_style
        place = bisect_right(self._ends, y)
        if place >= len(self._ends):
            return Strip.blank(self._width, base.rich_style)
        line = self._lines(place)[y - self._top(place)].content
        if (selection := self.text_selection) and (span := selection.get_span(y)):
            start, end = span
            chosen = Style.from_styles(self.screen.get_component_styles("screen--selection"))
            line = line.stylize(chosen, start, len(line) if end < 0 else end)
        segments, x = [], 0
        for text, style in line.render(base, end="", parse_style=self._get_style):
            segments.append(Segment(text, (base + style).rich_style_with_offset(x, y)))
            x += len(text)
        return Strip(segments).extend_cell_length(self._width, base.rich_style)

    def _top(self, place: int) -> int:
        return self._ends[place - 1] if place else 0

    def _lines(self, place: int) -> list[Line]:
        if place not in self._drawn:
            if len(self._drawn) >= _KEPT:
                self._drawn.clear()
            block = self._blocks[place]
            if isinstance(block, Code):
                block.colour(self._colours)
            self._drawn[place] = block.draw(self._width)
        return self._drawn[place]

    @property
    def _colours(self) -> type[HighlightTheme]:
        from textual.highlight import ANSIDarkHighlightTheme, ANSILightHighlightTheme, HighlightTheme

        if not self.app.native_ansi_color:
            return HighlightTheme
        return ANSIDarkHighlightTheme if self.app.current_theme.dark else ANSILightHighlightTheme

    def notify_style_update(self) -> None:
        self._drawn.clear()
        super().notify_style_update()

    # Selecting --------------------------------------------------------------------------------------------------------

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """What is selected: rows that were wrapped are one line again."""
        rows = (line for block in self._blocks for line in block.draw(self._width))
        return selected(rows, selection), "\n"

    def text_select_all(self) -> None:
        """A double click selects the block under the pointer: a paragraph, an item, a piece of code."""
        y = int(self.app.mouse_position.y) - self.content_region.y
        place = bisect_right(self._ends, y)
        if place < len(self._ends):
            start, end = self._top(place), self._ends[place] - 1
            last = len(self._lines(place)[-1].content)
            self.screen.selections = {self: Selection(Offset(0, start), Offset(last, end))}


def selected(rows: Iterable[Line], selection: Selection) -> str:
    """The text of a selection among these rows."""
    parts: list[str] = []
    for y, line in enumerate(rows):
        if span := selection.get_span(y):
            start, end = span
            text = line.content.plain[max(start, line.inset) : None if end < 0 else end]
            parts += [text.rstrip(), line.joint]
        elif parts:
            break
    return "".join(parts[:-1])
