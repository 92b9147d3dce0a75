"""The line at the bottom: the newest notice, and the keys that open everything else. All notices stay readable (`app.notices`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from assistant.text import clean_text, one_line

_KEPT = 200
_GAP = 2
"""Columns between the notice and the hints."""


@dataclass(frozen=True, slots=True)
class NoticeRecord:
    text: str
    level: str
    when: datetime


class StatusLine(Horizontal):
    """A notice that is too long for the room beside the hints takes theirs, and further lines."""

    def __init__(self, keys: Mapping[str, str], *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.records: list[NoticeRecord] = []
        self._shown = Text()
        self._hints = Text(
            "  ".join(
                f"{keys[name].partition(',')[0]} {word}"
                for name, word in (
                    ("app.help", "help"),
                    ("app.palette", "commands"),
                    ("memory.toggle", "memory"),
                )
                if keys.get(name)
            )
        )

    def compose(self) -> ComposeResult:
        yield Static(markup=False, id="notice")
        yield Static(self._hints, markup=False, id="hints")

    def on_resize(self) -> None:
        self._make_room()

    def say(self, text: str, level: str = "info") -> None:
        """Show `text` and keep it among the notices."""
        text = clean_text(text).strip()
        self.records = [*self.records, NoticeRecord(text, level, datetime.now().astimezone())][-_KEPT:]
        mark = {"error": "✗ ", "warning": "! "}.get(level, "")
        self._show(Text(one_line(mark + text)))
        self.query_one("#notice").set_classes(level)

    def clear(self) -> None:
        """The newest notice has done its work; it stays among the notices."""
        self._show(Text())

    def _show(self, notice: Text) -> None:
        self._shown = notice
        self.query_one("#notice", Static).update(notice)
        self._make_room()

    def _make_room(self) -> None:
        wanted = self._shown.cell_len + _GAP + self._hints.cell_len
        self.query_one("#hints").display = not self._shown or wanted <= self.size.width
