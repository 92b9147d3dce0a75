"""The fields of a section of settings: what each is for, and its value made of what was written for it.

A section is a frozen dataclass whose fields come from `setting`. What is written comes from a file (as TOML's types), or
as text from a form or the environment; both go by the same rules and are refused in plain words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

Section = TypeVar("Section")

_TRUTHS = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}
_MUST_BE = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text in quotes",
    Path: "text in quotes",
}


def setting(default: Any, description: str, *, least: float | None = None, most: float | None = None) -> Any:
    """A field of a section: its default, what it is for, and the limits of a number."""
    return field(default=default, metadata={"description": description, "least": least, "most": most})


@dataclass(frozen=True)
class Field:
    """One field of a section; an optional one that is empty is None."""

    name: str
    kind: Any
    """bool, int, float, str, Path or an enumeration of texts."""
    optional: bool
    description: str
    least: float | None
    most: float | None

    def value(self, written: Any) -> Any:
        """The value that `written` stands for. Raises ValueError that says what it must be."""
        if self.optional and written in (None, ""):
            return None
        try:
            made = _made(self.kind, written)
        except (KeyError, TypeError, ValueError):
            raise ValueError(f"it must be {_MUST_BE.get(self.kind) or _one_of(self.kind)}") from None
        if self.least is not None and not made >= self.least:
            raise ValueError(f"it must be {self.least:g} or more")
        if self.most is not None and not made <= self.most:
            raise ValueError(f"it must be {self.most:g} or less")
        return made


def fields_of(section: type) -> list[Field]:
    """The fields of a section, in the order in which they stand there."""
    hints = get_type_hints(section)
    return [_field(each.name, hints[each.name], each.metadata) for each in fields(section)]


def read(section: type[Section], written: Mapping[str, Any]) -> tuple[Section | None, dict[str, str]]:
    """The section made of what was written, with defaults for the rest; or None, and what is wrong by field."""
    known = {each.name: each for each in fields_of(section)}
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for name, each in written.items():
        try:
            values[name] = known[name].value(each)
        except KeyError:
            wrong[name] = "there is no setting of that name"
        except ValueError as problem:
            wrong[name] = str(problem)
    return (None if wrong else section(**values)), wrong


def _field(name: str, hint: Any, about: Mapping[str, Any]) -> Field:
    kind, *none = get_args(hint) or (hint,)
    return Field(name, kind, none == [NoneType], **about)


def _made(kind: Any, written: Any) -> Any:
    """Raises KeyError, TypeError or ValueError."""
    if kind is bool:
        return _TRUTHS[str(written).strip().lower()]
    if kind in (int, float):
        return kind(str(written))
    if not isinstance(written, str | Path):
        raise TypeError
    return kind(written)


def _one_of(kind: type[Enum]) -> str:
    *others, last = (f"'{each.value}'" for each in kind)
    return f"{', '.join(others)} or {last}"
