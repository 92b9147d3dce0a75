"""The top line of a panel: its name, a few words about what is in it, and × to hide it; dragging it moves the edge."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from assistant.tui.widgets.rows import Line, row

_CLOSE_CELLS = 3


class PanelHeader(Static):
    DEFAULT_CSS = """
    PanelHeader {
        height: 1;
        padding: 0 1;
        background: $foreground 8%;
        color: $foreground;
        &:ansi { text-style: underline; }
    }
    """

    class Closed(Message):
        """× was clicked."""

        def __init__(self, panel: Widget) -> None:
            super().__init__()
            self.panel = panel

    class Dragged(Message):
        """The mouse, with its button down, moved the header by `rows` (down is positive)."""

        def __init__(self, panel: Widget, rows: int) -> None:
            super().__init__()
            self.panel = panel
            self.rows = rows

    def __init__(self, title: str) -> None:
        super().__init__(markup=False)
        self._title = title
        self._dragging = False
        self.note("")

    def note(self, text: str) -> None:
        """Show `text` at the right."""
        self.update(row(Line(((self._title, "bold"),), ((f"{text}  ×", ""),))))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.x < self.size.width - _CLOSE_CELLS:
            self._dragging = True
            self.capture_mouse()

    def on_mouse_up(self, _event: events.MouseUp) -> None:
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragging and self.parent is not None and event.y != 0:
            assert isinstance(self.parent, Widget)
            self.post_message(self.Dragged(self.parent, event.y))

    def on_click(self, event: events.Click) -> None:
        if event.x >= self.size.width - _CLOSE_CELLS and isinstance(self.parent, Widget):
            self.post_message(self.Closed(self.parent))
