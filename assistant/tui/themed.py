"""A program in the theme of its settings, as far as its terminal can show it."""

from __future__ import annotations

from typing import cast

from textual.reactive import Initialize, Reactive

from assistant.config import Settings
from assistant.paths import Folders
from assistant.tui.terminal import TerminalApp
from assistant.tui.themes import load_themes, suitable, terminal_colours


class ThemedApp(TerminalApp, inherit_bindings=False):
    """Knows all themes, shipped ones and the user's own."""

    theme: Reactive[str] = Reactive(Initialize[str](lambda app: cast("ThemedApp", app)._first_theme()))  # noqa: SLF001
    """Chosen before anything is styled, so that nothing is styled twice."""

    def __init__(self, settings: Settings, folders: Folders) -> None:
        self.settings = settings
        self.folders = folders
        super().__init__()  # which asks for the theme

    @property
    def theme_notice(self) -> str:
        """What is wrong with theme files; "" for nothing."""
        return self._loaded.notice

    def use_theme(self, name: str) -> None:
        self.theme = self._suitable(name)

    def _first_theme(self) -> str:
        self._loaded = load_themes(self.folders.themes)
        for theme in self._loaded.themes.values():
            self.register_theme(theme)
        return self._suitable(self.settings.screen.theme)

    def _suitable(self, name: str) -> str:
        return suitable(name, self.available_themes, terminal_colours())
