"""Asked after ✗: what would have been right? Enter alone counts the thumb; Esc leaves all as it was."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from assistant.memory.records import Judgment
from assistant.text import clean_text
from assistant.tui.actions import FORM_KEYS, Action, bindings
from assistant.tui.widgets.rows import Line, muted, row


class CorrectionScreen(ModalScreen[str | None]):
    """Ends with the right answer, "" where none was given; None where it shall not count as wrong after all."""

    CSS_PATH = "correction.tcss"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("correction.leave", "escape", "Do not count it as wrong after all", "Correction"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [*FORM_KEYS, *bindings(ACTIONS)]

    def __init__(self, judgment: Judgment) -> None:
        super().__init__()
        self.judgment = judgment

    def compose(self) -> ComposeResult:
        with Vertical(id="correction"):
            yield Static(
                row(
                    Line((("✗ wrong: ", "bold $text-error"), (self.judgment.judgment, "")), lines=4),
                    muted(f"when {self.judgment.trigger}", lines=2),
                    "",
                    Line(
                        (("What would have been right?", "bold"), (" (may stay empty)", "$text-muted")),
                        lines=2,
                    ),
                ),
                markup=False,
            )
            yield Input(clean_text(self.judgment.correction), id="right-answer", compact=True)
            with Horizontal():
                yield Button("Count  Enter", id="count", variant="primary", compact=True)
                yield Button("Leave it  Esc", id="leave", compact=True)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value.strip())

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss(self.query_one(Input).value.strip() if event.button.id == "count" else None)

    def action_leave(self) -> None:
        self.dismiss(None)
