"""Help: every action with its key and slash command, made from the table in keys.py and from the panels' own tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from assistant.tui.actions import Action
from assistant.tui.keys import all_actions, shown_key

_TOUR = Content.from_markup("[@click=screen.dismiss('app.tour')]t takes the tour: two minutes, on a demo.[/]")
_WORDS = """\
Type and press Enter.
What is kept stays on this machine.
The panels show what was recalled and learned.
There you can say whether advice proved right.
Keys, mouse and the list of commands do it all.

Rebind keys by their names in the settings file:
    [keys]
    "chat.copy" = "f6"
"""


class HelpScreen(ModalScreen[str | None]):
    """Dismisses with the id of an action to carry out, if any."""

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1", "dismiss", "Close"),
        Binding("t", "dismiss('app.tour')", "Take the tour"),
        Binding("j", "scroll(1)", show=False),
        Binding("k", "scroll(-1)", show=False),
    ]

    def __init__(self, keys: Mapping[str, str]) -> None:
        super().__init__()
        self._keys = keys

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog wide") as dialog:
            dialog.border_title = "Help"
            dialog.border_subtitle = "Esc closes"
            with VerticalScroll():
                yield Static(_TOUR)
                yield Static(_WORDS, markup=False, classes="words")
                for group, actions in groupby(all_actions(), key=lambda act: act.group):
                    yield Static(Text(group, style="bold"), classes="group")
                    yield Static(_table(list(actions), self._keys))

    def action_scroll(self, direction: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=direction, animate=False)


def _table(actions: Sequence[Action], keys: Mapping[str, str]) -> Table:
    table = Table.grid(padding=(0, 2), expand=True)
    for ratio in (3, 6, 4, 5):
        table.add_column(ratio=ratio, overflow="fold")
    for act in actions:
        table.add_row(*_cells(act, keys.get(act.id, act.key)))
    return table


def _cells(act: Action, key: str) -> Iterable[Text]:
    slash = f"/{act.slash} {act.argument}".rstrip() if act.slash else ""
    return Text(shown_key(key), style="bold"), Text(act.title), Text(slash), Text(act.id, style="dim")
