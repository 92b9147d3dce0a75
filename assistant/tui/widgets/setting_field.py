"""One setting as a form field: name, control, what it is for, and what is wrong with what was typed."""

from __future__ import annotations

from enum import Enum
from typing import Any

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Checkbox, Input, Select, Static, TextArea

from assistant.fields import Field
from assistant.text import clean_text
from assistant.tui.widgets.rows import Line, row

LONG = frozenset({"instructions"})
"""Settings that are written in more than one line."""


class SettingField(Vertical):
    DEFAULT_CSS = """
    SettingField {
        height: auto;
        margin-bottom: 1;
        & > .name { text-style: bold; }
        & > Static { height: auto; }
        & > #problem { display: none; color: $text-error; }
        &.-wrong > #problem { display: block; }
        & > .purpose { color: $text-muted; }
        & > Input, & > TextArea, & > Checkbox { background: $foreground 6%; }
        & > Input { padding: 0 1 !important; }
        & > Input:focus, & > TextArea:focus, & > Checkbox:focus { background: $foreground 14%; }
        & > Input:nocolor:focus { text-style: underline; }
        & > Checkbox { width: 1fr; padding: 0; }
        & > TextArea { height: auto; min-height: 2; max-height: 8; }
    }
    """

    def __init__(self, section: str, field: Field, value: Any, *, fixed_by: str = "") -> None:
        super().__init__(id=f"field-{section}-{field.name}")
        self.section = section
        self.setting = field.name
        self._purpose = field.description
        self._value = value
        self._fixed_by = fixed_by

    @property
    def written(self) -> Any:
        """What the control holds."""
        control = self.query_one("#control")
        match control:
            case Checkbox() | Select():
                return control.value
            case TextArea():
                return control.text
            case Input():
                return control.value.strip()
        raise TypeError(type(control).__name__)

    def show_problem(self, text: str) -> None:
        """Say what is wrong; "" when nothing is."""
        self.set_class(bool(text), "-wrong")
        self.query_one("#problem", Static).update(row(Line(((text, ""),), lines=2, lead=(("! ", "bold"),))))

    def compose(self) -> ComposeResult:
        title = self.setting.replace("_", " ")
        if not isinstance(self._value, bool):
            yield Static(title, classes="name", markup=False)
        control = self._control(title)
        control.id = "control"
        control.disabled = bool(self._fixed_by)
        yield control
        purpose = self._purpose
        if self._fixed_by:
            purpose = f"Set by {self._fixed_by} in the environment, which wins. {purpose}"
        yield Static(purpose, classes="purpose", markup=False)
        yield Static(id="problem", markup=False)

    def _control(self, title: str) -> Widget:
        value = self._value
        if isinstance(value, bool):
            return Checkbox(Content(title), value, compact=True)
        if isinstance(value, Enum):
            return Select(
                [(str(each.value), each.value) for each in type(value)],
                value=value.value,
                allow_blank=False,
                compact=True,
            )
        text = "" if value is None else clean_text(str(value))
        if self.setting in LONG:
            return TextArea(text, compact=True, tab_behavior="focus")
        return Input(text, compact=True)
