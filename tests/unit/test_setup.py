"""First setup and the choice of a model: tried before it is saved, keys never in the file, a sentence for each failure."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from typer.testing import CliRunner

from assistant import setup
from assistant.cli import app
from assistant.config import ModelKind, ModelSettings, Settings, load_settings
from assistant.errors import ModelError
from assistant.models import discovery
from assistant.models.choice import find_key, open_model, store_key
from assistant.models.discovery import FoundServer
from assistant.paths import Folders
from assistant.setup import Way
from tests.stubs.server import StubServer, error
from tests.stubs.wheel import let_pip_find


class Remembering(KeyringBackend):
    """A keyring in memory."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.held[service, username] = password


@pytest.fixture
def ring() -> object:
    before = keyring.get_keyring()
    made = Remembering()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


@pytest.fixture
async def server() -> AsyncIterator[StubServer]:
    async with StubServer(models=["nomic-embed-text", "qwen2.5:3b"]) as running:
        yield running


@pytest.fixture(autouse=True)
def nothing_found(monkeypatch: pytest.MonkeyPatch) -> list[FoundServer]:
    """What discovery finds, whatever runs on this machine; a test may add to it."""
    found: list[FoundServer] = []

    async def find_servers(ports: object = None) -> list[FoundServer]:
        return found

    monkeypatch.setattr(setup, "find_servers", find_servers)
    monkeypatch.setattr(discovery, "find_servers", find_servers)
    return found


def silent(here: int, expected: int) -> None:
    """No one looks."""


def saved(folders: Folders) -> ModelSettings:
    return load_settings(folders.config_file).model


# Offers -------------------------------------------------------------------------------------------------------------


async def test_a_found_server_is_offered_first_then_the_small_model_an_address_and_memory_only(
    folders: Folders, nothing_found: list[FoundServer]
) -> None:
    nothing_found += [
        FoundServer("Ollama", "http://127.0.0.1:11434/v1", ("a", "b")),
        FoundServer("vLLM", "http://x/v1", ()),
    ]
    listed = await setup.offers(folders)
    assert [offer.way for offer in listed] == [Way.FOUND, Way.SMALL, Way.ADDRESS, Way.MEMORY_ONLY]
    assert listed[0].title == "a on Ollama"


async def test_without_the_extra_the_small_model_is_shown_as_not_usable(
    folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "is_installed", lambda: False)
    small = (await setup.offers(folders))[0]
    assert not small.usable
    assert "assistant[local]" in small.note


async def test_the_best_is_a_found_server(
    folders: Folders, server: StubServer, nothing_found: list[FoundServer]
) -> None:
    nothing_found.append(FoundServer("Ollama", server.base_url, ("qwen2.5:3b",)))
    assert "qwen2.5:3b" in await setup.use_best(folders, silent)
    assert saved(folders).base_url == server.base_url


async def test_memory_only_is_left_when_nothing_else_works_and_it_says_why(
    folders: Folders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_pip_find(tmp_path / "empty", monkeypatch)
    said = await setup.use_best(folders, silent)
    assert saved(folders).kind is ModelKind.MEMORY_ONLY
    assert "memory alone" in said
    assert "could not be downloaded" in said


@pytest.mark.model
async def test_the_small_model_is_tried_and_saved(folders: Folders, small_model: Path) -> None:
    assert "answers" in await setup.use_file(folders, small_model)
    assert saved(folders).kind is ModelKind.EMBEDDED
    assert saved(folders).file == str(small_model.absolute())


# Servers ------------------------------------------------------------------------------------------------------------


async def test_a_server_is_tried_with_a_question_and_saved_without_its_key(
    folders: Folders, server: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret")
    said = await setup.use_server(folders, server.base_url, key_env="MY_KEY")
    assert said == f"qwen2.5:3b at {server.base_url} answers."
    assert server.chats[0].headers["authorization"] == "Bearer sk-secret"
    assert saved(folders) == ModelSettings(
        kind=ModelKind.SERVER, base_url=server.base_url, name="qwen2.5:3b", key_env="MY_KEY"
    )
    assert "sk-secret" not in folders.config_file.read_text()


async def test_a_missing_v1_is_put_in(folders: Folders, server: StubServer) -> None:
    await setup.use_server(folders, server.address)
    assert saved(folders).base_url == server.base_url


async def test_a_name_may_leave_out_the_tag_that_the_server_lists(folders: Folders) -> None:
    async with StubServer(models=["llama3.2:latest"]) as server:
        await setup.use_server(folders, server.base_url, "llama3.2")
    assert saved(folders).name == "llama3.2:latest"


async def test_a_failing_trial_saves_nothing(folders: Folders, server: StubServer) -> None:
    server.will(error(500, "out of memory"))
    with pytest.raises(ModelError, match="out of memory"):
        await setup.use_server(folders, server.base_url)
    assert not folders.config_file.exists()


async def test_a_name_that_the_server_does_not_list_is_refused_with_those_it_has(
    folders: Folders, server: StubServer
) -> None:
    with pytest.raises(ModelError, match=r"no model named gpt-9.*qwen2\.5:3b"):
        await setup.use_server(folders, server.base_url, "gpt-9")


async def test_a_new_choice_leaves_nothing_of_the_old_one_and_the_users_comments_stay(
    folders: Folders, server: StubServer
) -> None:
    folders.config.mkdir(parents=True)
    folders.config_file.write_text('# mine\n[model]\nkind = "embedded"\nfile = "x.gguf"\ntemperature = 0.3\n')
    await setup.use_server(folders, server.base_url)
    assert saved(folders).file == ""
    assert saved(folders).temperature == 0.3
    assert "# mine" in folders.config_file.read_text()
    setup.use_memory_only(folders)
    assert saved(folders).base_url == ""


async def test_a_typed_key_goes_into_the_keyring_once_it_worked(
    folders: Folders, server: StubServer, ring: Remembering
) -> None:
    await setup.use_server(folders, server.base_url, key="sk-typed")
    assert ring.held == {("assistant", server.base_url): "sk-typed"}
    assert find_key(saved(folders)) == "sk-typed"
    assert "sk-typed" not in folders.config_file.read_text()


# Keys ---------------------------------------------------------------------------------------------------------------

ELSEWHERE = "https://models.example/v1"


def test_the_named_variable_wins_then_the_keyring_then_openais_own(
    ring: Remembering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    assert find_key(ModelSettings(base_url=ELSEWHERE)) == "sk-openai"
    store_key(ELSEWHERE, "sk-ring")
    assert find_key(ModelSettings(base_url=ELSEWHERE)) == "sk-ring"
    monkeypatch.setenv("NAMED", "sk-named")
    assert find_key(ModelSettings(base_url=ELSEWHERE, key_env="NAMED")) == "sk-named"


def test_a_server_on_this_machine_never_gets_openais_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    assert find_key(ModelSettings(base_url="http://localhost:11434/v1")) == ""


def test_a_named_variable_that_is_not_set_is_a_sentence() -> None:
    with pytest.raises(ModelError, match=r"variable NOWHERE.*not set.*export NOWHERE"):
        find_key(ModelSettings(base_url=ELSEWHERE, key_env="NOWHERE"))


def test_a_machine_without_a_keyring_says_what_to_do_instead() -> None:
    with pytest.raises(ModelError, match=r"no keyring.*--key-env"):
        store_key(ELSEWHERE, "sk-lost")


def test_a_keyring_that_fails_in_its_own_way_is_none(
    ring: Remembering, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: str) -> None:
        raise ConnectionRefusedError("no session bus")

    monkeypatch.setattr(ring, "get_password", fail)
    monkeypatch.setattr(ring, "set_password", fail)
    assert find_key(ModelSettings(base_url="http://localhost:11434/v1")) == ""
    with pytest.raises(ModelError, match="no keyring"):
        store_key(ELSEWHERE, "sk-lost")


# Opening ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [ModelKind.UNSET, ModelKind.MEMORY_ONLY])
async def test_without_a_model_none_is_opened(folders: Folders, kind: ModelKind) -> None:
    async with open_model(Settings(model=ModelSettings(kind=kind)), folders) as model:
        assert model is None


async def test_a_server_is_opened_without_being_asked_anything(folders: Folders, server: StubServer) -> None:
    chosen = ModelSettings(
        kind=ModelKind.SERVER, base_url=server.base_url, name="qwen2.5:3b", context_tokens=9000
    )
    async with open_model(Settings(model=chosen), folders) as model:
        assert model is not None
        assert (model.name, model.context_tokens) == ("qwen2.5:3b", 9000)
        assert server.requests == []


def test_heavy_libraries_are_not_imported_before_they_are_needed() -> None:
    heavy = {"openai", "httpx", "keyring", "fastembed", "onnxruntime", "xllamacpp"}
    code = f"import sys, assistant.setup, assistant.models.choice; assert not {heavy!r} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


# Commands -----------------------------------------------------------------------------------------------------------


def test_setup_memory_only_says_what_answers_now(folders: Folders) -> None:
    result = CliRunner().invoke(app, ["setup", "--memory-only"])
    assert result.exit_code == 0
    assert "memory alone" in result.stdout
    assert saved(folders).kind is ModelKind.MEMORY_ONLY


async def run(*arguments: str) -> tuple[int, str, str]:
    """The program as a process of its own: exit code, standard output, standard error."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "assistant",
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def test_setup_with_a_server_says_what_answers_now(server: StubServer) -> None:
    code, out, err = await run("setup", "--server", server.base_url, "--model", "qwen2.5:3b")
    assert (code, out, err) == (0, f"qwen2.5:3b at {server.base_url} answers.\n", "")
    _, listed, _ = await run("models", "list")
    assert listed.startswith("* qwen2.5:3b")


async def test_setup_with_a_server_that_is_down_is_one_sentence_and_exit_code_4() -> None:
    code, out, err = await run("setup", "--server", "http://127.0.0.1:9/v1")
    assert (code, out) == (4, "")
    assert err.startswith("assistant: Nothing answers at http://127.0.0.1:9/v1")
    assert "Traceback" not in err


def test_setup_refuses_a_key_without_a_server() -> None:
    result = CliRunner().invoke(app, ["setup", "--key-env", "X"])
    assert "Add --server URL" in str(result.exception)


def test_setup_asks_by_number_and_takes_memory_only(folders: Folders) -> None:
    result = CliRunner().invoke(app, ["setup"], input="3\n")
    assert result.exit_code == 0, result.output
    assert saved(folders).kind is ModelKind.MEMORY_ONLY


def test_models_list_shows_the_catalogue_and_what_is_found(nothing_found: list[FoundServer]) -> None:
    nothing_found.append(FoundServer("Ollama", "http://127.0.0.1:11434/v1", ("llama3",)))
    result = CliRunner().invoke(app, ["models", "list"])
    assert "llama3" in result.stdout
    assert "SmolLM2 135M (tiny), built in, 98 MB to fetch" in result.stdout


def test_models_use_refuses_an_unknown_name() -> None:
    result = CliRunner().invoke(app, ["models", "use", "nonsense"])
    assert "No model named nonsense" in str(result.exception)
