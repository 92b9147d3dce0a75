"""Themes: those that ship in themes/, the user's own from the config folder, and Textual's; each colour checked before use."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from rich.console import Console
from textual.color import Color, ColorParseError
from textual.theme import Theme

from assistant.paths import shipped
from assistant.text import one_line

DEFAULT_DARK, DEFAULT_LIGHT = "assistant-dark", "assistant-light"
_COLOURS = frozenset(
    {
        "primary",
        "secondary",
        "warning",
        "error",
        "success",
        "accent",
        "foreground",
        "background",
        "surface",
        "panel",
        "boost",
    }
)
_NUMBERS = frozenset({"luminosity_spread", "text_alpha"})
_FLAGS = frozenset({"dark", "ansi"})
_NAME = re.compile(r"[a-z0-9][a-z0-9 _-]{0,40}", re.IGNORECASE)
_VARIABLE = re.compile(r"[a-z][a-z0-9-]*")
_STYLES = frozenset(
    {"none", "not", "bold", "dim", "italic", "underline", "strike", "reverse", "b", "d", "i", "u", "s", "r"}
)
_AUTO = re.compile(r"auto( \d{1,3}%)?")
_ALPHA = re.compile(r"(?P<colour>.+?) (?P<alpha>\d{1,3})%")


@dataclass(frozen=True, slots=True)
class Loaded:
    """Themes by name, and the files that could not be used, each with the reason."""

    themes: dict[str, Theme] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def notice(self) -> str:
        """One sentence that names the bad files; empty when there is none."""
        if not self.failed:
            return ""
        named = "; ".join(f"{file}: {reason}" for file, reason in self.failed.items())
        return f"Theme files that cannot be used: {named}"


class ThemeError(ValueError):
    """A theme file cannot be used; the text says why."""


def load_themes(own: Path) -> Loaded:
    """The shipped themes and those in the user's folder `own`; a theme of the user replaces a shipped one of its name."""
    loaded = Loaded()
    for file in (*_files(shipped("themes")), *_files(own)):
        try:
            theme = read_theme(file)
        except ThemeError as problem:
            loaded.failed[file.name] = str(problem)
        else:
            loaded.themes[theme.name] = theme
    return loaded


def read_theme(file: Path) -> Theme:
    """The theme in a TOML file. Raises ThemeError."""
    try:
        values = tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise ThemeError(f"cannot be read ({one_line(str(problem), 120)})") from problem
    values.setdefault("name", file.stem)
    return made_theme(values)


def made_theme(values: Mapping[str, Any]) -> Theme:
    """A theme of plain values, as in a theme file. Raises ThemeError for an unknown name or a value that is no colour."""
    unknown = sorted(set(values) - {each.name for each in fields(Theme)})
    if unknown:
        raise ThemeError(f"there is no setting “{unknown[0]}”")
    name = values.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ThemeError("its name must be plain letters, digits and dashes")
    if "primary" not in values:
        raise ThemeError("it has no primary colour")
    for key, value in values.items():
        _check(key, value)
    return Theme(**values)


def terminal_colours() -> str:
    """What the terminal can show, as rich names it: "standard" (16 colours), "256", "truecolor"; "" where NO_COLOR forbids any."""
    environment = dict(os.environ)
    if "NO_COLOR" in environment:
        return ""
    return Console(force_terminal=True, legacy_windows=False, _environ=environment).color_system or ""


def suitable(name: str, known: Mapping[str, Theme], colours: str) -> str:
    """The theme to use: `name` if it is known, else the default; on a terminal of 16 colours ("standard") the terminal's own."""
    if not colours:  # made grey, the terminal's own colours would all turn black
        name = name.replace("ansi-", "assistant-", 1)
    theme = known.get(name) or known[DEFAULT_DARK]
    if colours == "standard" and not theme.ansi:
        return "ansi-dark" if theme.dark else "ansi-light"
    return theme.name


def _check(key: str, value: Any) -> None:
    if key in _COLOURS:
        _check_colour(key, value)
    elif key in _FLAGS and not isinstance(value, bool):
        raise ThemeError(f"{key} must be true or false")
    elif key in _NUMBERS and (
        isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1
    ):
        raise ThemeError(f"{key} must be a number from 0 to 1")
    elif key == "variables":
        if not isinstance(value, dict):
            raise ThemeError("[variables] must be a table")
        for name, each in value.items():
            _check_variable(name, each)


def _check_variable(name: str, value: Any) -> None:
    if not _VARIABLE.fullmatch(name):
        raise ThemeError(f"the variable “{one_line(name, 40)}” must be lower-case letters, digits and dashes")
    if "style" in name.split("-"):
        if not isinstance(value, str) or not value.split() or not set(value.split()) <= _STYLES:
            raise ThemeError(f"{name} is no text style: {one_line(str(value), 40)}")
    elif not (isinstance(value, str) and _AUTO.fullmatch(value)):
        _check_colour(name, value)


def _check_colour(name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise ThemeError(f"{name} is no colour: {one_line(str(value), 40)}")
    with_alpha = _ALPHA.fullmatch(value)
    try:
        Color.parse(with_alpha["colour"] if with_alpha else value)
    except ColorParseError as problem:
        raise ThemeError(f"{name} is no colour: {one_line(value, 40)}") from problem


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.toml")) if folder.is_dir() else []
