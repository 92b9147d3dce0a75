"""Settings: what the file says, what the environment says instead, and what neither may say."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.config import ModelKind, Settings, load_settings
from assistant.errors import ConfigError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_without_a_file_the_defaults_are_in_force(file: Path) -> None:
    assert load_settings(file) == Settings()


def test_what_the_file_leaves_out_keeps_its_default(file: Path) -> None:
    file.write_text('[model]\nkind = "server"\n[memory]\nutility_weight = 1\n[keys]\n"chat.copy" = "f6"\n')
    settings = load_settings(file)
    assert (settings.model.kind, settings.model.max_tokens) == (ModelKind.SERVER, 2048)
    assert settings.memory.utility_weight == 1.0
    assert settings.keys == {"chat.copy": "f6"}


@pytest.mark.parametrize(
    ("variable", "text", "value"),
    [
        ("ASSISTANT_MODEL__KIND", "memory-only", ModelKind.MEMORY_ONLY),
        ("ASSISTANT_MODEL__NAME", "llama3", "llama3"),
        ("ASSISTANT_MODEL__MAX_TOKENS", "900", 900),
        ("ASSISTANT_MODEL__TEMPERATURE", "0.4", 0.4),
        ("ASSISTANT_MODEL__TEMPERATURE", "", None),
        ("ASSISTANT_MEMORY__STORE", "/tmp/here.duckdb", Path("/tmp/here.duckdb")),
        ("ASSISTANT_MEMORY__ASK_MODEL", "False", False),
        ("ASSISTANT_SCREEN__REDUCED_MOTION", "1", True),
    ],
)
def test_the_environment_wins_and_its_text_becomes_what_the_setting_takes(
    file: Path, monkeypatch: pytest.MonkeyPatch, variable: str, text: str, value: object
) -> None:
    file.write_text(
        '[model]\nkind = "server"\nname = "other"\nmax_tokens = 500\ntemperature = 1.5\n'
        '[memory]\nstore = "there.duckdb"\nask_model = true\n[screen]\nreduced_motion = false\n'
    )
    monkeypatch.setenv(variable, text)
    section, _, name = variable.removeprefix("ASSISTANT_").lower().partition("__")
    found = getattr(getattr(load_settings(file), section), name)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("variable", "text", "said"),
    [
        ("ASSISTANT_MODEL__MAX_TOKENS", "3.5", "it must be a whole number"),
        ("ASSISTANT_MODEL__TEMPERATURE", "nan", "it must be 0 or more"),
        ("ASSISTANT_SCREEN__PANELS", "perhaps", "it must be true or false"),
        ("ASSISTANT_MODEL__KIND", "Server", "it must be 'unset', 'server', 'embedded' or 'memory-only'"),
        ("ASSISTANT_MODEL__COLOUR", "red", "there is no setting of that name"),
    ],
)
def test_a_variable_that_cannot_be_used_is_named_with_what_it_must_be(
    file: Path, monkeypatch: pytest.MonkeyPatch, variable: str, text: str, said: str
) -> None:
    monkeypatch.setenv(variable, text)
    with pytest.raises(ConfigError) as refused:
        load_settings(file)
    assert said in str(refused.value)
    assert variable in refused.value.hint


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("model = 3", "model is not usable: it must be a section of settings."),
        ("[keys]\n'chat.copy' = 6", "keys.chat.copy is not usable: it must be text in quotes."),
        ("[model]\nname = 3", "model.name is not usable: it must be text in quotes."),
        ("[model]\nmax_tokens = true", "model.max_tokens is not usable: it must be a whole number."),
        ("[modle]\nname = 'llama3'", "an unknown section [modle]."),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_what_is_wrong(file: Path, written: str, said: str) -> None:
    file.write_text(written)
    with pytest.raises(ConfigError) as refused:
        load_settings(file)
    assert said in refused.value.message
    assert str(file) in str(refused.value)
