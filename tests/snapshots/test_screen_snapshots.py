"""Every screen of the program: dark, light, narrow, and without colour. A screen that is not in the table fails a test.

`pytest tests/snapshots --snapshot-update` accepts a change after looking at it.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable

import pytest
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.screen import Screen

from assistant.tui import screens
from assistant.tui.app import AssistantApp
from assistant.tui.screens.record import RecordScreen
from tests.snapshots.conftest import InTheme
from tests.snapshots.screens import TABLE, show

LOOKS = {
    "dark": ("assistant-dark", (100, 34)),
    "light": ("assistant-light", (100, 34)),
    "narrow": ("harbour-night", (46, 20)),
    "no-colour": ("no-colour", (80, 24)),
}


def test_every_screen_is_in_the_table() -> None:
    modules = [
        importlib.import_module(f"{screens.__name__}.{each.name}")
        for each in pkgutil.iter_modules(screens.__path__)
    ]
    defined = {
        each
        for module in modules
        for _, each in inspect.getmembers(module, inspect.isclass)
        if issubclass(each, Screen) and each.__module__ == module.__name__
    }
    assert defined - {RecordScreen} == set(TABLE) - {CommandPalette}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("screen", TABLE, ids=lambda screen: screen.__name__)
def test_screen(
    in_theme: InTheme, snap_compare: Callable[..., bool], screen: type[Screen[object]], look: str
) -> None:
    async def prepare(pilot: Pilot[None]) -> None:
        assert isinstance(pilot.app, AssistantApp)
        await show(pilot.app, pilot, screen)

    theme, size = LOOKS[look]
    assert snap_compare(in_theme(theme), terminal_size=size, run_before=prepare)
