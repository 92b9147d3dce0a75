"""Theme files: what is loaded, what is refused and why, and that nothing that was loaded can break the screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.theme import BUILTIN_THEMES
from textual.widgets import OptionList

from assistant.tui.screens.themes import ThemeScreen
from assistant.tui.themes import ThemeError, load_themes, made_theme, read_theme, suitable

GOOD = 'primary = "#336699"\nbackground = "#ffffff"\nforeground = "#222222"\ndark = false\n'


class Bare(App[None]):
    def __init__(self, own: Path) -> None:
        super().__init__()
        self.loaded = load_themes(own)

    def on_mount(self) -> None:
        for theme in self.loaded.themes.values():
            self.register_theme(theme)

    def compose(self) -> ComposeResult:
        yield OptionList("one", "two")


@pytest.fixture
def own(tmp_path):
    folder = tmp_path / "themes"
    folder.mkdir()
    return folder


def test_the_shipped_themes_all_load(tmp_path):
    loaded = load_themes(tmp_path / "none")
    assert {"assistant-dark", "assistant-light", "harbour-night", "morning-garden"} <= set(loaded.themes)
    assert loaded.failed == {}
    assert loaded.notice == ""


def test_a_users_theme_is_named_after_its_file_and_may_replace_a_shipped_one(own):
    (own / "mine.toml").write_text(GOOD)
    (own / "other.toml").write_text(f'name = "assistant-dark"\n{GOOD}')
    loaded = load_themes(own)
    assert not loaded.themes["mine"].dark
    assert loaded.themes["assistant-dark"].primary == "#336699"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('primary = "#33669"', "primary is no colour"),
        ("primary = 7", "primary is no colour"),
        ('background = "#ffffff"', "no primary colour"),
        ('primary = "red"\nprimry = "red"', "no setting “primry”"),
        ('primary = "red"\ndark = "yes"', "dark must be true or false"),
        ('primary = "red"\ntext_alpha = 3', "text_alpha must be a number from 0 to 1"),
        ('primary = "red"\nname = "[red]"', "its name must be plain"),
        ('primary = "red"\nvariables = 3', "must be a table"),
        ('primary = "red"\n[variables]\nborder = "blurple"', "border is no colour"),
        ('primary = "red"\n[variables]\nblock-cursor-text-style = "wavy"', "is no text style"),
        ('primary = "red"\n[variables]\n"a; b" = "red"', "must be lower-case"),
        ('primary = "red', "cannot be read"),
        ("\x00\xff", "cannot be read"),
    ],
)
def test_a_bad_file_is_named_with_its_reason_and_the_others_still_load(own, text, reason):
    (own / "bad.toml").write_bytes(text.encode("latin-1"))
    (own / "good.toml").write_text(GOOD)
    loaded = load_themes(own)
    assert "good" in loaded.themes
    assert list(loaded.failed) == ["bad.toml"]
    assert reason in loaded.failed["bad.toml"]
    assert "bad.toml" in loaded.notice


@pytest.mark.parametrize("value", ["auto 60%", "#ffffff 30%", "rgb(1,2,3)", "ansi_red", "transparent"])
def test_colours_in_every_form_textual_knows_are_taken(value):
    assert made_theme({"name": "x", "primary": "#336699", "variables": {"text-muted": value}}).variables


async def test_every_theme_that_loads_can_be_applied(own):
    (own / "odd.toml").write_text(
        f'{GOOD}[variables]\ntext-muted = "auto 60%"\nblock-cursor-text-style = "bold reverse"\n'
    )
    app = Bare(own)
    async with app.run_test() as pilot:
        for name in app.available_themes:
            app.theme = name
            await pilot.pause()
            assert app.theme == name


def test_reading_raises_a_theme_error_and_nothing_else(tmp_path):
    with pytest.raises(ThemeError):
        read_theme(tmp_path / "missing.toml")


def test_an_unknown_theme_falls_back_and_sixteen_colours_take_the_terminals_own():
    known = {**BUILTIN_THEMES, **load_themes(Path("none")).themes}
    assert suitable("gone", known, "truecolor") == "assistant-dark"
    assert suitable("assistant-light", known, "256") == "assistant-light"
    assert suitable("assistant-dark", known, "standard") == "ansi-dark"
    assert suitable("assistant-light", known, "standard") == "ansi-light"
    assert suitable("ansi-light", known, "standard") == "ansi-light"
    assert suitable("ansi-light", known, "") == "assistant-light"


async def test_the_picker_previews_as_the_cursor_moves_and_esc_brings_the_old_theme_back(own):
    app = Bare(own)
    async with app.run_test() as pilot:
        app.theme = "assistant-dark"
        chosen: list[str | None] = []
        await app.push_screen(ThemeScreen(), chosen.append)
        await pilot.pause()
        await pilot.press("down")
        await pilot.pause()
        assert app.theme != "assistant-dark"
        await pilot.press("escape")
        await pilot.pause()
        assert app.theme == "assistant-dark"
        assert chosen == [None]


async def test_enter_takes_the_theme_under_the_cursor(own):
    app = Bare(own)
    async with app.run_test() as pilot:
        app.theme = "assistant-dark"
        chosen: list[str | None] = []
        await app.push_screen(ThemeScreen(), chosen.append)
        await pilot.pause()
        await pilot.press("down", "enter")
        await pilot.pause()
        assert chosen == [app.theme]
        assert app.theme != "assistant-dark"
