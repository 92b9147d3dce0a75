"""A plain Textual program with the widgets of our screen and nothing behind them: what a first frame costs at the least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.app import App, ComposeResult
from textual.containers import Horizontal, ItemGrid, Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList, Sparkline, Static, TextArea

HINT = "Write a message"
"""Stands in the message field of an empty screen."""


@dataclass(frozen=True, slots=True)
class _Panel:
    title: str
    buttons: tuple[str, ...]
    search: bool = False
    shown: bool = True


_PANELS = (
    _Panel("Plan", ("✗ plan was wrong", "undo")),
    _Panel("Facts", ("add", "edit", "pin", "forget", "undo"), search=True),
    _Panel("Judgments", ("✓ right", "✗ wrong", "history", "undo"), search=True),
    _Panel("Episodes", ("open", "around", "archive", "forget", "undo"), search=True, shown=False),
    _Panel("Journal", ("undo", "open"), shown=False),
)
_TRENDS = 3


class BareApp(App[None]):
    CSS = """
    .line { height: 1; }
    .line Static { width: auto; }
    .line .wide { width: 1fr; }
    .hidden { display: none; }
    #body { height: 1fr; }
    #chat { width: 1fr; }
    #log { height: 1fr; }
    TextArea { height: auto; min-height: 3; border: round $foreground 30%; }
    #panels { width: 44; border-left: solid $foreground 20%; }
    .panel { height: 1fr; }
    .panel OptionList { height: 1fr; border: none; }
    .strip, .strip Vertical { height: auto; }
    .strip Horizontal { height: 1; }
    .strip Button { min-width: 0; margin-right: 1; }
    Input { height: 1; border: none; }
    ItemGrid { height: auto; dock: bottom; }
    """

    def compose(self) -> ComposeResult:
        yield Horizontal(Static("New conversation", classes="wide"), Static(), Static(), classes="line")
        with Horizontal(id="body"):
            yield Vertical(
                VerticalScroll(Static("Hello. " * 60), _hidden(Static()), id="log"),
                _hidden(Static("New output below")),
                _hidden(OptionList()),
                TextArea(compact=True, placeholder=HINT),
                id="chat",
            )
            others = _hidden(Static("1-6 other panels"))
            yield Vertical(*map(_panel, _PANELS), _insights(), others, _show_buttons(), id="panels")
        yield Horizontal(Static(classes="wide"), Static("f1 help  f2 memory"), classes="line")

    def on_mount(self) -> None:
        self.query_one(TextArea).focus()


def _panel(panel: _Panel) -> Widget:
    search = [Input(placeholder="search", compact=True)] if panel.search else []
    made = Vertical(Static(panel.title), *search, OptionList(), _strip(panel.buttons), classes="panel")
    return made if panel.shown else _hidden(made)


def _strip(buttons: Sequence[str]) -> Widget:
    words = Vertical(_hidden(Static()), _hidden(Static()))
    row = [Horizontal(*(Button(label, compact=True) for label in buttons))] if buttons else []
    return Vertical(words, *row, classes="strip")


def _insights() -> Widget:
    trends = [_Trend() for _ in range(_TRENDS)]
    return _hidden(Vertical(Static("Insights"), VerticalScroll(*trends, Static()), _strip(())))


class _Trend(Static):
    def compose(self) -> ComposeResult:
        yield Static()
        yield Sparkline([1, 2, 3])


def _show_buttons() -> Widget:
    titles = [*(panel.title for panel in _PANELS), "Insights"]
    return ItemGrid(*(Button(f"+ {title}", compact=True) for title in titles), min_column_width=11)


def _hidden(widget: Widget) -> Widget:
    widget.add_class("hidden")
    return widget
