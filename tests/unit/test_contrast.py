"""The shipped themes are readable: WCAG contrast of every text colour on every background that text stands on."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import Theme

from assistant.paths import shipped
from assistant.tui.themes import DEFAULT_DARK, DEFAULT_LIGHT, read_theme

TEXT = 4.5
THEMES = sorted(shipped("themes").glob("*.toml"))
TEXTS = [
    "foreground",
    "text-muted",
    "text-primary",
    "text-secondary",
    "text-accent",
    "text-success",
    "text-warning",
    "text-error",
    "link-color",
    "footer-key-foreground",
    "markdown-h1-color",
    "markdown-h2-color",
    "markdown-h3-color",
]
SHADES = [
    ("background", 0),
    ("background", 8),
    ("background", 14),
    ("surface", 0),
    ("surface", 14),
    ("panel", 0),
]
"""A base colour and how much of the foreground (per cent) lies over it: headers 8, the highlighted row 14."""


@pytest.mark.parametrize("file", THEMES, ids=lambda file: file.stem)
@pytest.mark.parametrize("text", TEXTS)
def test_text_stands_out_from_every_background(file, text):
    colours = colours_of(read_theme(file))
    for base, share in SHADES:
        background = colours[base].blend(colours["foreground"], share / 100)
        assert contrast(colours[text], background) >= TEXT, f"{text} on {base} with {share} % foreground"


@pytest.mark.parametrize("file", THEMES, ids=lambda file: file.stem)
def test_text_on_coloured_bars_and_buttons_stands_out(file):
    colours = colours_of(read_theme(file))
    assert contrast(colours["block-cursor-foreground"], colours["block-cursor-background"]) >= TEXT
    assert contrast(colours["foreground"], colours["block-cursor-blurred-background"]) >= TEXT
    for bar in ("primary", "error"):
        background = colours[bar]
        letters = background.blend(background.get_contrast_text(1.0), 0.87)  # Textual's $text on a colour
        assert contrast(letters, background) >= TEXT, bar


def test_two_light_and_two_dark_themes_ship_and_the_defaults_are_among_them():
    themes = [read_theme(file) for file in THEMES]
    assert sum(theme.dark for theme in themes) >= 2
    assert sum(not theme.dark for theme in themes) >= 2
    assert {DEFAULT_DARK, DEFAULT_LIGHT} <= {theme.name for theme in themes}


def test_contrast_is_that_of_the_standard():
    assert contrast(Color.parse("#000000"), Color.parse("#ffffff")) == pytest.approx(21)
    assert contrast(Color.parse("#767676"), Color.parse("#ffffff")) == pytest.approx(4.54, abs=0.01)


def colours_of(theme: Theme) -> dict[str, Color]:
    values = {**theme.to_color_system().generate(), **theme.variables}
    names = {*TEXTS, *(base for base, _ in SHADES), "primary", "error"}
    names |= {"block-cursor-foreground", "block-cursor-background", "block-cursor-blurred-background"}
    return {name: Color.parse(values[name]) for name in names}


def contrast(one: Color, other: Color) -> float:
    """From 1 to 21 (WCAG 2.2, contrast ratio)."""
    brighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def luminance(colour: Color) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
