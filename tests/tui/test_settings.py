"""The settings screen: every field is there, a bad value is refused where it stands, and saving keeps the user's file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot
from textual.widgets import Checkbox, Input, Select

from assistant.config import MemorySettings, ModelKind, ModelSettings, ScreenSettings, Settings, load_settings
from assistant.fields import fields_of
from assistant.tui.screens.settings import SettingsScreen
from assistant.tui.screens.themes import ThemeScreen
from assistant.tui.widgets.setting_field import SettingField
from tests.tui.holder import Holder, shown, until


@pytest.fixture
def path(folders):
    return folders.config_file


class Opened:
    """The screen over a settings file, and what it ended with."""

    def __init__(self, path) -> None:
        self.app = Holder()
        self.screen = SettingsScreen(load_settings(path), path)
        self.ended: list[Settings | None] = []

    def control(self, section: str, name: str):
        return self.screen.query_one(f"#field-{section}-{name}", SettingField).query_one("#control")

    def said(self, section: str, name: str) -> str:
        field = self.screen.query_one(f"#field-{section}-{name}", SettingField)
        return str(field.query_one("#problem").content.plain) if field.has_class("-wrong") else ""


@asynccontextmanager
async def opened(path) -> AsyncIterator[tuple[Opened, Pilot[object]]]:
    held = Opened(path)
    async with held.app.run_test(size=(100, 40)) as pilot:
        await held.app.push_screen(held.screen, held.ended.append)
        await pilot.pause()
        yield held, pilot


async def test_every_setting_has_a_field_with_what_it_is_for(path):
    async with opened(path) as (held, _pilot):
        for section, kind in (
            ("model", ModelSettings),
            ("memory", MemorySettings),
            ("screen", ScreenSettings),
        ):
            for each in fields_of(kind):
                field = held.screen.query_one(f"#field-{section}-{each.name}", SettingField)
                assert str(field.query_one(".purpose").content) == each.description


async def test_saving_writes_what_changed_and_keeps_comments_and_everything_else(path):
    path.parent.mkdir(parents=True)
    path.write_text('# mine\n[model]\nname = "llama3"  # the good one\nmax_tokens = 500\n')
    async with opened(path) as (held, pilot):
        held.control("model", "kind").value = ModelKind.SERVER.value
        held.control("model", "temperature").value = "0.4"
        held.control("screen", "reduced_motion").value = True
        await pilot.press("ctrl+s")
        await until(pilot, lambda: held.ended)
    text = path.read_text()
    assert "# mine" in text
    assert "# the good one" in text
    saved = load_settings(path)
    assert held.ended == [saved]
    assert (saved.model.kind, saved.model.temperature, saved.model.max_tokens) == (ModelKind.SERVER, 0.4, 500)
    assert saved.screen.reduced_motion
    assert "fact_tokens" not in text


async def test_an_emptied_optional_value_is_unset(path):
    path.parent.mkdir(parents=True)
    path.write_text("[model]\ntemperature = 0.4\n")
    async with opened(path) as (held, pilot):
        held.control("model", "temperature").value = ""
        await pilot.press("ctrl+s")
        await until(pilot, lambda: held.ended)
    assert load_settings(path).model.temperature is None


async def test_a_value_that_cannot_be_used_is_refused_at_its_field_and_nothing_is_written(path):
    async with opened(path) as (held, pilot):
        held.control("model", "max_tokens").value = "many"
        await pilot.pause()
        assert "a whole number" in held.said("model", "max_tokens")
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert "Nothing is saved" in shown(held.screen)
        assert not held.ended
        held.control("model", "max_tokens").value = "900"
        await pilot.pause()
        assert held.said("model", "max_tokens") == ""
    assert not path.exists()


async def test_closing_and_saving_without_a_change_write_no_file(path):
    for key in ("escape", "ctrl+s"):
        async with opened(path) as (held, pilot):
            await pilot.press(key)
            await until(pilot, lambda held=held: held.ended)
        assert held.ended == [None]
        assert not path.exists()


async def test_esc_asks_once_before_it_throws_away_what_was_typed(path):
    async with opened(path) as (held, pilot):
        held.control("model", "name").value = "llama3"
        await pilot.press("escape")
        await pilot.pause()
        assert not held.ended
        assert "Not saved yet" in shown(held.screen)
        await pilot.press("escape")
        await until(pilot, lambda: held.ended)
    assert not path.exists()


async def test_a_setting_that_the_environment_fixes_says_so_and_cannot_be_edited(path, monkeypatch):
    monkeypatch.setenv("ASSISTANT_MODEL__NAME", "from-outside")
    async with opened(path) as (held, _pilot):
        control = held.control("model", "name")
        assert isinstance(control, Input)
        assert control.disabled
        assert control.value == "from-outside"
        field = held.screen.query_one("#field-model-name", SettingField)
        assert "ASSISTANT_MODEL__NAME" in str(field.query_one(".purpose").content)


async def test_the_theme_picked_in_the_preview_lands_in_the_form(path):
    async with opened(path) as (held, pilot):
        await held.screen.run_action("theme")
        await until(pilot, lambda: isinstance(held.app.screen, ThemeScreen))
        await pilot.press("down", "enter")
        await until(pilot, lambda: held.app.screen is held.screen)
        assert held.control("screen", "theme").value == held.app.theme


async def test_controls_fit_the_kind_of_value(path):
    async with opened(path) as (held, _pilot):
        assert isinstance(held.control("model", "kind"), Select)
        assert isinstance(held.control("screen", "panels"), Checkbox)
