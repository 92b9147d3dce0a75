"""Settings. Defaults live here and nowhere else; the file is TOML, each value can be overridden by `ASSISTANT_…`.

`ASSISTANT_MODEL__NAME=llama3` sets `model.name`. Keys are never in the file: `model.key_env` names an environment
variable, otherwise the system keyring is asked.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, SettingsError

from assistant.errors import ConfigError, reason

if TYPE_CHECKING:
    import tomlkit


class ModelKind(StrEnum):
    UNSET = "unset"
    """Nothing chosen yet: setup is offered at the start."""
    SERVER = "server"
    EMBEDDED = "embedded"
    MEMORY_ONLY = "memory-only"


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelSettings(Section):
    kind: ModelKind = Field(
        ModelKind.UNSET, description="What answers: a server, the embedded model, or memory alone."
    )
    base_url: str = Field(
        "", description="Address of an OpenAI-compatible server, e.g. http://localhost:11434/v1."
    )
    name: str = Field("", description="Model name as the server lists it. Empty: the server's first.")
    key_env: str = Field(
        "",
        description="Environment variable that holds the key. Empty: the keyring, then OPENAI_API_KEY for servers elsewhere.",
    )
    file: str = Field("", description="A GGUF file for the embedded model. Empty: the small built-in one.")
    temperature: float | None = Field(None, ge=0, le=2, description="Empty: the server's own default.")
    max_tokens: int = Field(2048, ge=16, le=1_000_000, description="Longest answer, in tokens.")
    context_tokens: int = Field(
        4096, ge=512, le=10_000_000, description="How much the model can read at once."
    )
    instructions: str = Field("", description="Added to every conversation's system prompt.")


class MemorySettings(Section):
    store: Path | None = Field(None, description="The memory file. Empty: memory.duckdb in the data folder.")
    fact_tokens: int = Field(600, ge=0, description="Prompt budget for facts.")
    judgment_tokens: int = Field(300, ge=0, description="Prompt budget for judgments.")
    episode_tokens: int = Field(1200, ge=0, description="Prompt budget for past turns.")
    ask_model: bool = Field(
        True, description="Let a model that proved good at it make memory decisions after the answer."
    )
    plan_with_model: bool = Field(
        False, description="Ask the model for the retrieval plan too (slower first token)."
    )
    utility_weight: float = Field(
        0.5, ge=0, le=1, description="How strongly verified judgments are preferred."
    )
    vote_half_life_days: float = Field(
        0, ge=0, description="Days after which a vote counts half. 0: votes do not age."
    )
    embedding: str = Field(
        "", description="A fastembed model's name. Empty: the one that ships with the program."
    )


class ScreenSettings(Section):
    theme: str = Field("assistant-dark", description="A theme from themes/ or your own themes folder.")
    panels: bool = Field(True, description="Show the side panels.")
    reduced_motion: bool = Field(False, description="No animation.")
    mounted_messages: int = Field(
        20, ge=4, le=200, description="Messages kept on screen; earlier ones on demand."
    )


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="ASSISTANT_",
        env_nested_delimiter="__",
        extra="ignore",
        frozen=True,
        nested_model_default_partial_update=True,
    )

    model: ModelSettings = ModelSettings()
    memory: MemorySettings = MemorySettings()
    screen: ScreenSettings = ScreenSettings()
    keys: dict[str, str] = Field(
        default_factory=dict, description='Key bindings by action id, e.g. chat.cancel = "escape".'
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over the file (which comes in as init values)."""
        return env_settings, init_settings


def load_settings(path: Path) -> Settings:
    """The settings in `path` (defaults where it does not exist). Raises ConfigError with a sentence that names the line or the field."""
    values = _values(path)
    unknown = sorted(set(values) - set(Settings.model_fields))
    if unknown:
        raise ConfigError(
            f"The settings file {path} has an unknown section [{unknown[0]}].",
            hint="`assistant config show` lists all.",
        )
    try:
        return Settings(**values)
    except ValidationError as problem:
        first = problem.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise ConfigError(
            f"The setting {field} is not usable: {trouble(first)}.",
            hint=f"It is in {path}, or in the environment.",
        ) from problem
    except SettingsError as problem:
        raise ConfigError(
            "A setting in the environment is not usable.", hint="Names look like ASSISTANT_MODEL__NAME."
        ) from problem


def trouble(found: Mapping[str, Any]) -> str:
    """What is wrong with a value, in plain words, from one of pydantic's errors."""
    kind, limits = found["type"], found.get("ctx", {})
    if kind.startswith("int"):
        return "it must be a whole number"
    if kind.startswith("float"):
        return "it must be a number"
    if kind.startswith("bool"):
        return "it must be true or false"
    match kind:
        case "greater_than_equal":
            return f"it must be {limits['ge']:g} or more"
        case "less_than_equal":
            return f"it must be {limits['le']:g} or less"
        case "enum" | "literal_error":
            return f"it must be {limits['expected']}"
        case "string_type" | "path_type":
            return "it must be text in quotes"
        case "extra_forbidden":
            return "there is no setting of that name"
        case "model_type" | "dict_type":
            return "it must be a section of settings"
    message: str = found["msg"]
    return message.removeprefix("Value error, ").rstrip(".")


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

    for section, fields in changes.items():
        table = document.setdefault(section, tomlkit.table())
        for name, value in fields.items():
            if value is None:
                table.pop(name, None)
            else:
                table[name] = value
