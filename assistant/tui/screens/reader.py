"""A window to read plain text in: folded pastes, notices."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen

from assistant.text import clean_text
from assistant.tui.widgets.plain_text import PlainText


class ReaderScreen(ModalScreen[None]):
    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Close"),
        Binding("j", "scroll(1)", show=False),
        Binding("k", "scroll(-1)", show=False),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog wide") as dialog:
            dialog.border_title = Content(clean_text(self._title))
            dialog.border_subtitle = "Esc closes"
            with VerticalScroll():
                yield PlainText(clean_text(self._text))

    def action_scroll(self, direction: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=direction, animate=False)
