"""A model's thinking: one line while folded, the whole text when opened."""

from __future__ import annotations

from rich.text import Text
from textual.reactive import reactive
from textual.timer import Timer
from textual.widgets import Static

from assistant.text import clean_text

_EVERY = 0.2
"""Seconds between updates while it streams."""
_SHOWN = 20_000
"""Characters shown when opened; of longer thinking the end."""


class Thinking(Static):
    DEFAULT_CSS = """
    Thinking { height: auto; color: $text-muted; text-style: italic; }
    Thinking:hover { color: $text; }
    """

    opened: reactive[bool] = reactive(False, layout=True)

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.text = ""
        self.over = False
        self._due: Timer | None = None

    def add(self, text: str) -> None:
        """Append a delta; the screen follows a few times a second."""
        self.text += text
        if self._due is None:
            self._due = self.set_timer(_EVERY, self._show)

    def end(self) -> None:
        """The answer itself begins."""
        self.over = True
        self._show()

    def watch_opened(self) -> None:
        self._show()

    def on_click(self) -> None:
        self.opened = not self.opened

    def _show(self) -> None:
        self._due = None
        mark = "▾" if self.opened else "▸"
        state = "Thought" if self.over else "Thinking…"
        line = Text(f"{mark} {state} ({len(self.text.split()):,} words)")
        if self.opened:
            line.append("\n" + clean_text(self.text[-_SHOWN:]).strip())
        self.update(line)
