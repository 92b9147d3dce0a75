"""The `compose.…` actions: attach a file, look at folded text, go to the message field."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assistant.text import clean_text
from assistant.tui.messages import Say
from assistant.tui.widgets.composer import Composer

if TYPE_CHECKING:
    from textual.screen import Screen

MOST_BYTES = 256_000
"""Of an attached file: about 64,000 tokens, more than most local models read."""


class Writing:
    def __init__(self, screen: Screen[None], composer: Composer) -> None:
        self._screen = screen
        self._composer = composer

    def do_focus(self, _: str = "") -> None:
        self._composer.focus()

    def do_attach(self, name: str = "") -> None:
        """Fold a text file into the message."""
        path = Path(name.strip("\"' ")).expanduser()
        if not name:
            self._composer.replace_text("/attach ")
        if not name or not path.is_file():
            self._say(f"There is no file {path}." if name else "Name the file: /attach notes.txt", "warning")
            return
        if (size := path.stat().st_size) > MOST_BYTES:
            self._say(f"{path.name} has {size:,} bytes; {MOST_BYTES:,} can be attached.", "warning")
            return
        try:
            text = clean_text(path.read_bytes().decode("utf-8"))
        except (OSError, UnicodeDecodeError):
            self._say(f"{path.name} cannot be read as text (UTF-8).", "warning")
            return
        self._composer.add_text(self._composer.pastes.fold(text, path.name) + " ")

    def do_open_paste(self, _: str = "") -> None:
        """Show the folded texts of the message that is being written."""
        from assistant.tui.screens.reader import ReaderScreen

        marks = self._composer.pastes.marks(self._composer.text)
        if not marks:
            self._say("Nothing is folded in this message.")
            return
        whole = "\n\n".join(f"{mark}\n\n{self._composer.pastes.texts[number]}" for number, mark in marks)
        self._screen.app.push_screen(ReaderScreen("Folded text", whole))

    def _say(self, text: str, level: str = "info") -> None:
        self._screen.post_message(Say(text, level=level))
