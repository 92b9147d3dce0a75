"""The theme picker: the screen behind it takes on each theme as the cursor passes it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.theme import Theme
from textual.widgets import Static

from assistant.tui.actions import Action, bindings
from assistant.tui.widgets.record_list import Heading, Item, RecordList
from assistant.tui.widgets.rows import Line, row

_SWATCHES = ("primary", "accent", "success", "warning", "error")


class ThemeScreen(ModalScreen[str | None]):
    """Ends with the name of the chosen theme; Esc goes back to the one before and ends with None."""

    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("themes.close", "escape", "Keep the theme as it was", "Themes"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    DEFAULT_CSS = """
    ThemeScreen { align: right top; background: transparent; }
    ThemeScreen > Vertical {
        width: 44; max-width: 100%; height: 100%;
        background: $surface; border-left: outer $primary; padding: 0 0 0 1;
    }
    ThemeScreen Static { height: auto; padding: 0 1; margin-bottom: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._before = ""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(
                row(Line((("Themes", "bold"),), (("Enter takes, Esc keeps", "$text-muted"),))), markup=False
            )
            yield RecordList()

    def on_mount(self) -> None:
        self._before = self.app.theme
        themes = list(self.app.available_themes.values())
        self.query_one(RecordList).show(entries(themes))
        self.query_one(RecordList).go_to(f"theme:{self._before}")

    def on_option_list_option_highlighted(self, event: RecordList.OptionHighlighted) -> None:
        event.stop()
        self.app.theme = (event.option_id or "").removeprefix("theme:") or self.app.theme

    def on_option_list_option_selected(self, event: RecordList.OptionSelected) -> None:
        event.stop()
        self.dismiss((event.option_id or "").removeprefix("theme:"))

    def action_close(self) -> None:
        self.app.theme = self._before
        self.dismiss(None)


def entries(themes: list[Theme]) -> list[Heading | Item]:
    """Dark ones, light ones, and those that use the terminal's own colours."""
    groups = {
        "Dark": [each for each in themes if each.dark and not each.ansi],
        "Light": [each for each in themes if not each.dark and not each.ansi],
        "The terminal's own colours": [each for each in themes if each.ansi],
    }
    rows: list[Heading | Item] = []
    for title, members in groups.items():
        if members:
            rows.append(Heading(title, str(len(members))))
            rows.extend(_item(each) for each in sorted(members, key=lambda theme: theme.name))
    return rows


def _item(theme: Theme) -> Item:
    colours = [getattr(theme, name) for name in _SWATCHES]
    swatches = tuple(("██", colour) for colour in colours if colour)
    return Item(f"theme:{theme.name}", row(Line(((theme.name, ""),), swatches)))
