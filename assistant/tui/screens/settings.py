"""Settings: every field of the settings file with what it is for; checked as typed, saved with the file's comments kept."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Checkbox, Input, Select, Static, TextArea

from assistant.config import Settings, environment_name, load_settings, save_settings
from assistant.errors import AssistantError
from assistant.fields import fields_of, read
from assistant.tui.actions import FORM_KEYS, Action, bindings
from assistant.tui.screens.themes import ThemeScreen
from assistant.tui.widgets.rows import Line, row
from assistant.tui.widgets.setting_field import SettingField

_TITLES = {"model": "What answers", "memory": "Memory", "screen": "Screen"}


class SettingsScreen(ModalScreen[Settings | None]):
    """Ends with the settings as saved, or None when nothing was."""

    CSS_PATH = "settings.tcss"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("settings.save", "ctrl+s", "Save the settings", "Settings"),
        Action("settings.close", "escape", "Close without saving", "Settings"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [*FORM_KEYS, *bindings(ACTIONS)]

    def __init__(self, settings: Settings, path: Path) -> None:
        super().__init__()
        self.settings = settings
        self.path = path
        self._unedited: list[object] = []
        self._warned = False

    def compose(self) -> ComposeResult:
        with Vertical(id="settings"):
            heading = Line((("Settings", "bold"),), (("ctrl+s saves, Esc closes", "$text-muted"),))
            yield Static(row(heading), id="settings-title", markup=False)
            with VerticalScroll(id="settings-body", can_focus=False):
                for section, title in _TITLES.items():
                    yield Static(title, classes="section", markup=False)
                    yield from self._fields(section)
            yield Static(id="settings-said", markup=False)
            with Horizontal(id="settings-buttons"):
                yield Button("Save", id="do-save", variant="primary", compact=True)
                yield Button("Choose a theme…", id="do-theme", compact=True)
                yield Button("Close", id="do-close", compact=True)

    def on_mount(self) -> None:
        self._unedited = self._written()
        self._say(f"They are kept in {self.path}")
        body = self.query_one("#settings-body", VerticalScroll)
        self.call_after_refresh(body.scroll_home, animate=False)

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        await self.run_action((event.button.id or "").removeprefix("do-"))

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._check()

    def on_checkbox_changed(self, event: Checkbox.Changed) -> None:
        event.stop()

    def on_select_changed(self, event: Select.Changed) -> None:
        event.stop()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()

    def action_save(self) -> None:
        """Write what differs from the settings in force."""
        sections = self._check()
        if sections is None:
            self._say("Nothing is saved: a value cannot be used.", problem=True)
            return
        found = changes(self.settings, sections)
        if not found:
            self.dismiss(None)
            return
        try:
            save_settings(self.path, found)
            self.dismiss(load_settings(self.path))
        except AssistantError as problem:
            self._say(f"The settings could not be saved: {problem}", problem=True)

    def action_theme(self) -> None:
        self.app.push_screen(ThemeScreen(), self._themed)

    def action_close(self) -> None:
        """Close; where something was changed, only the second time."""
        if self._written() != self._unedited and not self._warned:
            self._warned = True
            self._say("Not saved yet: ctrl+s saves, Esc again closes without saving.", problem=True)
        else:
            self.dismiss(None)

    def _themed(self, name: str | None) -> None:
        if name is not None:
            self.query_one("#field-screen-theme", SettingField).query_one(Input).value = name

    def _fields(self, section: str) -> list[SettingField]:
        values = getattr(self.settings, section)
        return [
            SettingField(
                section, each, getattr(values, each.name), fixed_by=environment_name(section, each.name)
            )
            for each in fields_of(type(values))
        ]

    def _written(self) -> list[object]:
        return [each.written for each in self.query(SettingField)]

    def _check(self) -> dict[str, Any] | None:
        """The sections as the form has them; None when a value is refused, which its field says."""
        checked: dict[str, Any] = {}
        wrong = False
        for section in _TITLES:
            fields = [each for each in self.query(SettingField) if each.section == section]
            values, problems = read(
                type(getattr(self.settings, section)), {each.setting: each.written for each in fields}
            )
            for each in fields:
                each.show_problem(problems.get(each.setting, ""))
            wrong = wrong or values is None
            if values is not None:
                checked[section] = values
        return None if wrong else checked

    def _say(self, text: str, *, problem: bool = False) -> None:
        look = "$text-error" if problem else "$text-muted"
        said = Line(((text, look),), lines=3, lead=(("! " if problem else "» ", look),))
        self.query_one("#settings-said", Static).update(row(said))


def changes(settings: Settings, sections: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What differs from `settings`, as plain values by section and field; None for a value that is to be unset."""
    found: dict[str, dict[str, Any]] = {}
    for section, values in sections.items():
        before = getattr(settings, section)
        for each in fields_of(type(values)):
            new = getattr(values, each.name)
            if new != getattr(before, each.name):
                found.setdefault(section, {})[each.name] = _plain(new)
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Path) else value
