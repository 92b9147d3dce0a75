"""The card at the top of the tour: what to look at, which key to press, and how to go on, back and away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button, Static

from assistant.tui.tour import Step, with_keys

_BUTTONS = {"next": "→ next", "back": "← back", "leave": "leave the tour"}


class TourCard(Vertical):
    """Shows one of the steps; the screen decides when the next one comes."""

    DEFAULT_CSS = """
    TourCard {
        dock: top;
        height: auto;
        padding: 0 1;
        background: $accent 15%;
        border-left: outer $accent;
        &:ansi { background: ansi_default; border-left: outer ansi_cyan; }
        & Static { height: auto; }
        & > Horizontal { height: 1; }
        & Button.-textual-compact {
            min-width: 0;
            margin-right: 1;
            text-style: none;
            color: $foreground;
            background: $foreground 12%;
            &:hover { background: $foreground 24%; }
            &:disabled { color: $text-muted; }
            &:ansi { background: ansi_default; text-style: reverse; }
            &:nocolor { text-style: reverse; }
        }
    }
    """

    class Pressed(Message):
        """A button was clicked: "next", "back" or "leave"."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    def __init__(self, steps: Sequence[Step], keys: Mapping[str, str]) -> None:
        super().__init__()
        self._steps = steps
        self._keys = keys

    def compose(self) -> ComposeResult:
        yield Static(markup=False, id="tour-words")
        with Horizontal():
            for name, label in _BUTTONS.items():
                button = Button(label, id=f"tour-{name}", compact=True)
                button.can_focus = False  # each has a key
                yield button

    def show(self, place: int) -> None:
        """Show the step at `place`, counted from 0."""
        step = self._steps[place]
        heading = f"Tour {place + 1} of {len(self._steps)} · {step.title}"
        words = Text.assemble((heading, "bold"), "\n", with_keys(step.text, self._keys))
        self.query_one("#tour-words", Static).update(words)
        self.query_one("#tour-back", Button).display = place > 0
        self.query_one("#tour-next", Button).display = place + 1 < len(self._steps)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.post_message(self.Pressed((event.button.id or "").removeprefix("tour-")))
