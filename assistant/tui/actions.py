"""What a key can do: one record per action, from which bindings, help, the palette and the key settings are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textual.binding import Binding


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the user can do. A widget lists its own in a class attribute `ACTIONS`."""

    id: str
    """Stable name by which the settings rebind it: "judgments.right"."""
    key: str
    """The default key, or several with commas between: "d,delete"."""
    title: str
    """Verb and object, for help and the palette: "Say it proved right"."""
    group: str
    """The area of the screen, for help: "Judgments"."""
    do: str = ""
    """Textual's action string; empty: the last part of the id, "judgments.mark-right" → "mark_right"."""
    show: bool = False
    """Whether the footer shows it."""
    slash: str = ""
    """The slash command that does the same, without the slash."""
    argument: str = ""
    """What the slash command takes, for help: "FILE"."""
    priority: bool = False
    """Works even where the focused widget has a use of its own for the key."""

    @property
    def action(self) -> str:
        return self.do or self.id.rpartition(".")[2].replace("-", "_")


def key_of(action: Action, keys: Mapping[str, str]) -> str:
    """The first of an action's keys; `keys` are those in force, by action id."""
    return keys.get(action.id, action.key).partition(",")[0].strip()


FORM_KEYS = (
    Binding("tab", "app.focus_next", show=False, priority=True),
    Binding("shift+tab", "app.focus_previous", show=False, priority=True),
)
"""For screens with fields. They go before the fields' own keys: a tab that waits its turn behind typed text lets what is
typed after it into the field before."""


def bindings(actions: Sequence[Action]) -> list[Binding]:
    """The actions as a widget's BINDINGS; the action's id is the binding's id, so that a keymap can change the key."""
    return [
        Binding(each.key, each.action, each.title, show=each.show, priority=each.priority, id=each.id)
        for each in actions
        if each.key
    ]
