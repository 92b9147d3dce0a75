"""Rows of lists and headers: lines with a left part that wraps or is cut, and a right part that stays whole.

A row is plain data, so two rows compare by what they show; it lays itself out for whatever width it gets. Its texts are
never read as markup, and terminal sequences in them are removed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual

from assistant.text import clean_text

Piece = tuple[str, str]
"""A text and its style ("" for none), e.g. ("pinned", "$text-muted")."""

_BREAKS = re.compile(r"\s*\n\s*|\t")
_LONGEST = 600
"""Characters of one piece that are laid out; more would only be cut away, slowly."""


@dataclass(frozen=True, slots=True)
class Line:
    left: tuple[Piece, ...]
    right: tuple[Piece, ...] = ()
    lines: int = 1
    """How many screen lines the left part may take before it is cut with an ellipsis."""
    indent: int = 0
    """Spaces before the left part, on each of its screen lines."""
    lead: tuple[Piece, ...] = ()
    """What the left part hangs on, e.g. "1. ": its further screen lines begin below its own first character."""


@dataclass(frozen=True)
class Row(Visual):
    """One or more lines, shown as a whole."""

    lines: tuple[Line, ...]

    @property
    def plain(self) -> str:
        """All its texts, line by line."""
        return "\n".join(
            " ".join(text for text, _ in line.lead + line.left + line.right) for line in self.lines
        )

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        strips = [
            strip
            for line in self.lines
            for content in laid_out(line, width)
            for strip in content.render_strips(width, 1, style, options)
        ]
        return strips if height is None else strips[:height]

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:  # noqa: ARG002 - Textual's signature
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:  # noqa: ARG002 - Textual's signature
        return sum(len(laid_out(line, width)) for line in self.lines)


def row(*lines: Line | str) -> Row:
    """A row of lines; a string is a plain line."""
    return Row(tuple(Line(((each, ""),)) if isinstance(each, str) else each for each in lines))


def muted(text: str, *, lines: int = 1, indent: int = 0) -> Line:
    """A line in the quiet colour."""
    return Line(((text, "$text-muted"),), lines=lines, indent=indent)


def laid_out(line: Line, width: int) -> list[Content]:
    """The screen lines of `line`, each exactly `width` cells."""
    right, lead = _joined(line.right), _joined(line.lead).pad_left(line.indent)
    hang = lead.cell_length
    room = max(width - hang - (right.cell_length + 1 if right else 0), 1)
    wrapped = _joined(line.left).wrap(room)
    shown = wrapped[: line.lines]
    if len(wrapped) > line.lines:
        shown[-1] = _cut(shown[-1], room)
    shown = [each.truncate(room, pad=True) for each in shown]
    shown = [Content.assemble(lead, shown[0]), *(each.pad_left(hang) for each in shown[1:])]
    if right:
        shown[0] = Content.assemble(shown[0], " ", right)
    return [each.truncate(width, ellipsis=True, pad=True) for each in shown]


def _joined(pieces: tuple[Piece, ...]) -> Content:
    return Content.assemble(*((_cleaned(text), style) for text, style in pieces))


def _cleaned(text: str) -> str:
    """`text` without terminal sequences, on one line, not longer than _LONGEST."""
    line = _BREAKS.sub(" ", clean_text(text[: 2 * _LONGEST]))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _cut(content: Content, room: int) -> Content:
    """`content` with an ellipsis at its end, within `room` cells."""
    return Content.assemble(content.rstrip().truncate(max(room - 1, 1)), "…")
