"""A list of records by id: updated in place, with the cursor and the view where they were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.strip import Strip
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from assistant.tui.actions import Action, bindings
from assistant.tui.widgets.rows import Line, Row, row


@dataclass(frozen=True, slots=True)
class Item:
    """A row that can be highlighted; `id` names its record, e.g. "fact:12"."""

    id: str
    row: Row


@dataclass(frozen=True, slots=True)
class Heading:
    """A row between the items that cannot be highlighted."""

    title: str
    note: str = ""

    @property
    def id(self) -> str:
        return f"heading:{self.title}"

    @property
    def row(self) -> Row:
        note = ((self.note, "not bold $text-muted"),) if self.note else ()
        return row(Line(((self.title, ""),), note, lines=3))


class RecordList(OptionList):
    """An OptionList that shows items and headings. A click highlights a row, a second one on it selects it."""

    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("list.down", "j", "Go down", "Lists", "cursor_down"),
        Action("list.up", "k", "Go up", "Lists", "cursor_up"),
        Action("list.first", "g", "Go to the first", "Lists", "first"),
        Action("list.last", "G,shift+g", "Go to the last", "Lists", "last"),
        Action("list.page-down", "ctrl+d", "Go a page down", "Lists", "page_down"),
        Action("list.page-up", "ctrl+u", "Go a page up", "Lists", "page_up"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    DEFAULT_CSS = """
    RecordList {
        height: 1fr;
        min-height: 3;
        border: none !important;
        padding: 0;
        background: transparent;
        scrollbar-size-vertical: 1;
        &:focus { background-tint: $foreground 0%; }
        & > .option-list--option { padding: 0 1 0 0; }
        & > .option-list--option-disabled { color: $text-muted; text-style: bold; }
        & > .option-list--option-highlighted { color: $foreground; background: $boost; text-style: none; }
        &:focus > .option-list--option-highlighted { color: $foreground; background: $foreground 14%; text-style: none; }
        &:ansi:focus > .option-list--option-highlighted { background: ansi_default; text-style: bold; }
        &:nocolor:focus > .option-list--option-highlighted { text-style: bold; }
    }
    """

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._shown: list[Item | Heading] = []

    @property
    def current(self) -> str | None:
        """The id of the highlighted item."""
        option = self.highlighted_option
        return option.id if option is not None else None

    def show(self, entries: Sequence[Item | Heading]) -> None:
        """Show `entries` instead of what is shown; only what differs is touched."""
        if [each.id for each in entries] == [each.id for each in self._shown]:
            self._replace_changed(entries)
        else:
            self._replace_all(entries)
        self._shown = list(entries)

    def go_to(self, item_id: str) -> None:
        """Highlight an item, if it is there."""
        if any(each.id == item_id for each in self._shown):
            self.highlighted = self.get_option_index(item_id)

    def on_resize(self) -> None:
        """The cursor stays in sight when the list gets lower (the strip below says more about a row)."""
        if self.has_focus:
            self.call_after_refresh(self.scroll_to_highlight)

    def _replace_changed(self, entries: Sequence[Item | Heading]) -> None:
        for index, (old, new) in enumerate(zip(self._shown, entries, strict=True)):
            if old != new:
                self.replace_option_prompt_at_index(index, new.row)

    def _replace_all(self, entries: Sequence[Item | Heading]) -> None:
        kept, place, top = self.current, self.highlighted or 0, self.scroll_offset
        self.set_options(
            [Option(each.row, id=each.id, disabled=isinstance(each, Heading)) for each in entries]
        )
        selectable = [index for index, each in enumerate(entries) if isinstance(each, Item)]
        same = next((index for index in selectable if entries[index].id == kept), None)
        if same is None and selectable:
            same = next((index for index in selectable if index >= place), selectable[-1])
        self.highlighted = same
        self.scroll_to(y=top.y if kept else 0, animate=False, force=True)

    def _get_left_gutter_width(self) -> int:
        return 1

    def render_line(self, y: int) -> Strip:
        """The line with the cursor's mark before it, which needs no colour to be seen."""
        strip = super().render_line(y)
        _, line = self.scroll_offset
        lines = self._lines
        index = lines[line + y][0] if line + y < len(lines) else None
        chosen = index is not None and index == self.highlighted
        mark = ("▌" if self.has_focus else "▏") if chosen else " "
        style = next((each.style for each in strip if each.style is not None), Style.null())
        meta = Style(meta={"option": index}) if index is not None else Style.null()
        return Strip([Segment(mark, style + meta), *strip], strip.cell_length + 1)

    async def _on_click(self, event: events.Click) -> None:
        event.prevent_default()
        index = event.style.meta.get("option")
        if index is None or self._options[index].disabled:
            return
        if index == self.highlighted:
            self.action_select()
        else:
            self.highlighted = index
