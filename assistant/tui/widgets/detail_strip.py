"""The foot of a panel: what is known about the highlighted row, what was just done, and buttons for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, Static

from assistant.tui.widgets.rows import Line, Row, muted, row


@dataclass(frozen=True, slots=True)
class StripButton:
    """A button that does what the action `do` of the panel does; its key does the same."""

    label: str
    do: str
    look: str = ""
    """"right", "wrong" or "" (plain)."""
    away: bool = False
    """Hidden until `DetailStrip.offer` shows it."""


_WORDS = 6
_SLIM = 41
"""Columns below which the buttons stand two in a row."""


class DetailStrip(Vertical):
    """What was just done, detail lines of the highlighted row, and a row of compact buttons."""

    DEFAULT_CSS = """
    DetailStrip {
        height: auto;
        padding: 0 1;
        border-top: solid $foreground 20%;
        & > #words { height: auto; max-height: 6; overflow: hidden; }
        & Static { height: auto; display: none; }
        & #said.-shown { display: block; }
        & > Horizontal { height: 1; overflow: hidden; }
        & Button.-textual-compact {
            min-width: 0;
            margin-right: 1;
            text-style: none;
            color: $foreground;
            background: $foreground 10%;
            &:hover { background: $foreground 22%; }
            &.-right { color: $text-success; }
            &.-wrong { color: $text-error; }
            &.-away { display: none; }
            &:ansi:disabled { border: none !important; }
        }
        &.-slim > Horizontal { layout: grid; grid-size: 2; grid-rows: 1; height: auto; }
        &:ansi Button { background: ansi_default; text-style: reverse; }
        &:nocolor Button { text-style: reverse; }
    }
    """

    class Pressed(Message):
        """One of the buttons was clicked."""

        def __init__(self, do: str) -> None:
            super().__init__()
            self.do = do

    def __init__(self, buttons: Sequence[StripButton] = (), keys: Mapping[str, str] | None = None) -> None:
        """`keys` are shown on the buttons: action -> its key."""
        super().__init__()
        self._keys = keys or {}
        self._buttons = {_button_id(each.do): each for each in buttons}

    def compose(self) -> ComposeResult:
        with Vertical(id="words"):
            yield Static(id="said", markup=False)
            yield Static(id="detail", markup=False)
        if self._buttons:
            with Horizontal():
                for button_id, each in self._buttons.items():
                    yield self._made(button_id, each)

    def show(self, *lines: Line | str) -> None:
        """Detail of the highlighted row; nothing clears it."""
        self.query_one("#detail", Static).update(row(*lines))

    def say(self, text: str, *, problem: bool = False) -> None:
        """What was just done, or why it was not; until the next; "" clears it."""
        said = self.query_one("#said", Static)
        said.update(_problem(text) if problem else row(muted(f"» {text}", lines=3)))
        said.set_class(bool(text), "-shown")

    def limit(self, rows: int) -> None:
        """How many rows the words may take, at least one and at most the usual number."""
        self.query_one("#words").styles.max_height = min(max(rows, 1), _WORDS)

    def allow(self, do: str, allowed: bool) -> None:  # noqa: FBT001 - a state, as in Widget.disabled
        """Enable or disable one of the buttons."""
        self._button(do).disabled = not allowed

    def offer(self, do: str, offered: bool) -> None:  # noqa: FBT001 - a state, as in Widget.display
        """Show or hide one of the buttons, if it is one of them."""
        for button in self.query(f"#{_button_id(do)}"):
            button.set_class(not offered, "-away")

    def _button(self, do: str) -> Button:
        return self.query_one(f"#{_button_id(do)}", Button)

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < _SLIM, "-slim")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.post_message(self.Pressed(self._buttons[event.button.id or ""].do))

    def _made(self, button_id: str, each: StripButton) -> Button:
        look = f"-{each.look}" if each.look else ""
        away = "-away" if each.away else ""
        label = Content.assemble((self._keys.get(each.do, ""), "bold"), " ", each.label)
        button = Button(label, id=button_id, compact=True, classes=f"{look} {away}".strip())
        button.styles.line_pad, button.styles.width = 0, label.cell_length  # else a cell more on each side
        button.can_focus = False  # each has a key; as tab stops they would stand between the panels
        return button


def _button_id(do: str) -> str:
    return f"do-{do.replace('_', '-')}"


def _problem(text: str) -> Row:
    return row(Line((("! ", "bold $text-error"), (text, "$text-error")), lines=4))
