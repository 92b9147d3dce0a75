"""The line in which a panel is searched."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.widgets import Input


class SearchBox(Input):
    """One line to search a panel; Esc clears and leaves it."""

    DEFAULT_CSS = """
    SearchBox { height: 1; padding: 0 1 !important; background: $foreground 5%; }
    SearchBox:focus { background: $foreground 12%; }
    SearchBox:nocolor:focus { text-style: underline; }
    """

    class Left(Message):
        """The user is done with the box."""

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder=placeholder, compact=True)

    def key_escape(self, event: events.Key) -> None:
        event.stop()
        self.value = ""
        self.post_message(self.Left())

    def key_down(self, event: events.Key) -> None:
        event.stop()
        self.post_message(self.Left())
