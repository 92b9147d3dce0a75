"""Settings. Defaults live here and nowhere else; the file is TOML, each value can be overridden by `ASSISTANT_…`.

`ASSISTANT_MODEL__NAME=llama3` sets `model.name`. Keys are never in the file: `model.key_env` names an environment
variable, otherwise the system keyring is asked.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from assistant.errors import ConfigError, reason
from assistant.fields import read, setting

if TYPE_CHECKING:
    import tomlkit

Section = TypeVar("Section")


class ModelKind(StrEnum):
    UNSET = "unset"
    """Nothing chosen yet: setup is offered at the start."""
    SERVER = "server"
    EMBEDDED = "embedded"
    MEMORY_ONLY = "memory-only"


@dataclass(frozen=True)
class ModelSettings:
    kind: ModelKind = setting(ModelKind.UNSET, "What answers: a server, the embedded model, or memory alone.")
    base_url: str = setting("", "Address of an OpenAI-compatible server, e.g. http://localhost:11434/v1.")
    name: str = setting("", "Model name as the server lists it. Empty: the server's first.")
    key_env: str = setting(
        "",
        "Environment variable that holds the key. Empty: the keyring, then OPENAI_API_KEY for servers elsewhere.",
    )
    file: str = setting("", "A GGUF file for the embedded model. Empty: the small built-in one.")
    temperature: float | None = setting(None, "Empty: the server's own default.", least=0, most=2)
    max_tokens: int = setting(2048, "Longest answer, in tokens.", least=16, most=1_000_000)
    context_tokens: int = setting(4096, "How much the model can read at once.", least=512, most=10_000_000)
    instructions: str = setting("", "Added to every conversation's system prompt.")


@dataclass(frozen=True)
class MemorySettings:
    store: Path | None = setting(None, "The memory file. Empty: memory.duckdb in the data folder.")
    fact_tokens: int = setting(600, "Prompt budget for facts.", least=0)
    judgment_tokens: int = setting(300, "Prompt budget for judgments.", least=0)
    episode_tokens: int = setting(1200, "Prompt budget for past turns.", least=0)
    ask_model: bool = setting(
        True, "Let a model that proved good at it make memory decisions after the answer."
    )
    plan_with_model: bool = setting(False, "Ask the model for the retrieval plan too (slower first token).")
    utility_weight: float = setting(0.5, "How strongly verified judgments are preferred.", least=0, most=1)
    vote_half_life_days: float = setting(
        0.0, "Days after which a vote counts half. 0: votes do not age.", least=0
    )
    embedding: str = setting("", "A fastembed model's name. Empty: the one that ships with the program.")


@dataclass(frozen=True)
class ScreenSettings:
    theme: str = setting("assistant-dark", "A theme from themes/ or your own themes folder.")
    panels: bool = setting(True, "Show the side panels.")
    reduced_motion: bool = setting(False, "No animation.")
    mounted_messages: int = setting(20, "Messages kept on screen; earlier ones on demand.", least=4, most=200)


@dataclass(frozen=True)
class Settings:
    model: ModelSettings = ModelSettings()
    memory: MemorySettings = MemorySettings()
    screen: ScreenSettings = ScreenSettings()
    keys: Mapping[str, str] = field(default_factory=dict)
    """Key bindings by action id, e.g. "chat.copy" = "f6"."""


def load_settings(path: Path) -> Settings:
    """The settings in `path` (defaults where it does not exist). Raises ConfigError with a sentence that names the line or the field."""
    values = _values(path)
    unknown = sorted(set(values) - {each.name for each in fields(Settings)})
    if unknown:
        raise ConfigError(
            f"The settings file {path} has an unknown section [{unknown[0]}].",
            hint="`assistant config show` lists all.",
        )
    return Settings(
        model=_section(ModelSettings, "model", values, path),
        memory=_section(MemorySettings, "memory", values, path),
        screen=_section(ScreenSettings, "screen", values, path),
        keys=_keys(values, path),
    )


def environment_name(section: str, name: str) -> str:
    """The environment variable that overrides a setting, if it is set; else ""."""
    variable = f"{_variables(section)}{name}".upper()
    return variable if variable in os.environ else ""


def save_settings(path: Path, changes: dict[str, dict[str, Any]]) -> None:
    """Write `changes` (section -> field -> value) into the file, keeping the user's comments and everything else.

    Raises ConfigError when the file cannot be read as it is, or not be written; it is then left as it was.
    """
    import tomlkit

    _values(path)  # a file that is broken is told of as everywhere
    try:
        document = tomlkit.parse(path.read_text("utf-8")) if path.is_file() else tomlkit.document()
        _put(document, changes)
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.write_text(tomlkit.dumps(document), "utf-8")
        fresh.replace(path)
    except OSError as problem:
        raise ConfigError(
            f"The settings file {path} cannot be written: {reason(problem)}.",
            hint="Change its permissions, or name another place with --home.",
        ) from problem


def _section(kind: type[Section], name: str, values: Mapping[str, Any], path: Path) -> Section:
    made, wrong = read(kind, _written(name, values, path))
    if made is None:
        raise _refused(name, *next(iter(wrong.items())), path)
    return made


def _keys(values: Mapping[str, Any], path: Path) -> dict[str, str]:
    keys = _written("keys", values, path)
    for name, each in keys.items():
        if not isinstance(each, str):
            raise _refused("keys", name, "it must be text in quotes", path)
    return keys


def _written(section: str, values: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """What is written for a section's fields; the environment wins over the file."""
    in_file = values.get(section, {})
    if not isinstance(in_file, dict):
        raise ConfigError(
            f"The setting {section} is not usable: it must be a section of settings.",
            hint=f"It is in {path}.",
        )
    prefix = _variables(section)
    outside = {
        name.removeprefix(prefix).lower(): text
        for name, text in os.environ.items()
        if name.startswith(prefix)
    }
    return in_file | outside


def _variables(section: str) -> str:
    """What the names of a section's environment variables begin with."""
    return f"ASSISTANT_{section.upper()}__"


def _refused(section: str, name: str, trouble: str, path: Path) -> ConfigError:
    variable = environment_name(section, name)
    where = f"{variable} in the environment sets it." if variable else f"It is in {path}."
    return ConfigError(f"The setting {section}.{name} is not usable: {trouble}.", hint=where)


def _values(path: Path) -> dict[str, Any]:
    """What the file says, {} where there is none. Raises ConfigError."""
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as problem:
        said = reason(problem)
    except UnicodeDecodeError:
        said = "it is not text in UTF-8"
    except tomllib.TOMLDecodeError as problem:
        said = str(problem)
    raise ConfigError(f"The settings file {path} cannot be read: {said}.", hint="Mend it or move it away.")


def _put(document: tomlkit.TOMLDocument, changes: Mapping[str, Mapping[str, Any]]) -> None:
    import tomlkit

    for section, written in changes.items():
        table = document.setdefault(section, tomlkit.table())
        for name, value in written.items():
            if value is None:
                table.pop(name, None)
            else:
                table[name] = value
