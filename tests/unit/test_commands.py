"""The command line in one process: what it says, where, and with which exit code."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from assistant.__main__ import main
from assistant.commands.report import Report
from assistant.config import load_settings
from assistant.conversation.events import Failed, Learned
from assistant.paths import Folders


class Done(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("ASSISTANT_MODEL__KIND", "memory-only")

    def call(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["assistant", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        return Done(int(ended.value.code or 0), *capsys.readouterr())

    return call


@pytest.fixture
def unreadable(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A settings file that is no TOML, and nothing in the environment that stands in for it."""
    monkeypatch.delenv("ASSISTANT_MODEL__KIND", raising=False)
    folders.config.mkdir(parents=True)
    folders.config_file.write_text("[model\nkind =", "utf-8")
    return folders.config_file


def test_a_command_does_not_wait_for_the_imports_of_the_others_or_of_the_screen(tmp_path: Path) -> None:
    code = "import sys; from assistant.cli import app; app(['config', 'path'], standalone_mode=False); print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = set(ran.stdout.split())
    assert "assistant.commands.config" in imported
    assert not imported & {
        "assistant.commands.ask",
        "assistant.commands.memory",
        "textual",
        "duckdb",
        "openai",
    }


# What cannot be done is a sentence ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "--json", "--format", "plain", "hello"),
        ("ask", "--conversation", "1", "--continue", "hello"),
        ("ask", "--no-stdin"),
        ("setup", "--server", "http://127.0.0.1:9/v1", "--memory-only"),
        ("setup", "--model", "llama"),
        ("setup", "--server", "foo"),
        ("models", "use", "nope"),
        ("models", "use", "nowhere/nope.gguf"),
        ("models", "get", "nope"),
        ("memory", "import", "nowhere/chats.json"),
        ("memory", "restore", "nowhere/memory.duckdb"),
        ("memory", "backup", "/dev/null/memory.duckdb"),
        ("memory", "judgments", "export", "nowhere/judgments.jsonl"),
        ("memory", "judgments", "export", "."),
        ("demo", "--svg", "nowhere/screen.svg"),
        ("demo",),
        (),
        ("--continue",),
        ("--home", "elsewhere"),
        ("eval", "nope"),
        ("conversations", "show", "7"),
    ],
    ids=" ".join,
)
def test_wrong_input_is_one_sentence_and_code_2(
    run: Run, arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("assistant: ")
    assert done.err.count("\n") == 1
    assert "Errno" not in done.err
    assert "fault" not in done.err


@pytest.mark.parametrize("command", [("setup", "--memory-only"), ("config", "show"), ("ask", "hello")])
def test_a_settings_file_that_is_no_toml_is_named_and_left_alone(
    run: Run, unreadable: Path, command: tuple[str, ...]
) -> None:
    before = unreadable.read_text("utf-8")
    done = run(*command)
    assert done.code == 2
    assert f"The settings file {unreadable} cannot be read: " in done.err
    assert "line 1" in done.err
    assert unreadable.read_text("utf-8") == before


def test_a_settings_folder_that_cannot_be_written_is_named(run: Run, folders: Folders) -> None:
    folders.config.parent.mkdir(parents=True)
    folders.config.write_text("a file where the folder should be", "utf-8")
    done = run("setup", "--memory-only")
    assert done.code == 2
    assert f"{folders.config_file} cannot be written: " in done.err


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ('[model]\nmax_tokens = "many"', "model.max_tokens is not usable: it must be a whole number."),
        ("[model]\ntemperature = 9", "model.temperature is not usable: it must be 2 or less."),
        ('[model]\nkind = "oracle"', "model.kind is not usable: it must be 'unset', "),
        ("[screen]\npanels = 7", "screen.panels is not usable: it must be true or false."),
        ("[screen]\ncolour = 7", "screen.colour is not usable: there is no setting of that name."),
    ],
)
def test_a_setting_that_cannot_be_used_is_told_in_plain_words(
    run: Run, folders: Folders, monkeypatch: pytest.MonkeyPatch, setting: str, said: str
) -> None:
    monkeypatch.delenv("ASSISTANT_MODEL__KIND")
    folders.config.mkdir(parents=True)
    folders.config_file.write_text(setting, "utf-8")
    assert said in run("config", "show").err


def test_the_settings_as_they_are_shown_make_a_file_that_says_the_same(run: Run, folders: Folders) -> None:
    folders.config.mkdir(parents=True)
    folders.config_file.write_text(
        '[model]\ninstructions = "Be “brief”."\n[keys]\n"chat.copy" = "f6"\n', "utf-8"
    )
    before = load_settings(folders.config_file)
    folders.config_file.write_text(run("config", "show").out, "utf-8")
    assert load_settings(folders.config_file) == before


def test_ctrl_c_leaves_the_cursor_on_a_line_of_its_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("assistant.commands.ask.read_message", interrupted)
    assert run("ask", "hello") == (130, "", "\n")


def test_a_question_that_is_not_answered_ends_on_a_line_of_its_own(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    done = run("memory", "facts", "forget", "1")
    assert (done.code, done.err) == (1, "\nAborted.\n")


# The doctor -----------------------------------------------------------------------------------------------------------


def bad(run: Run) -> dict[str, str]:
    """What the doctor finds wrong."""
    done = run("doctor", "--json")
    found = {each["what"]: each["is"] for each in json.loads(done.out) if not each["ok"]}
    assert done.code == bool(found)
    return found


def test_the_doctor_goes_on_past_settings_that_cannot_be_read(run: Run, unreadable: Path) -> None:
    found = bad(run)
    assert list(found) == ["settings"]
    assert str(unreadable) in found["settings"]


def test_the_doctor_names_keys_and_themes_that_do_not_exist(run: Run, folders: Folders) -> None:
    folders.config.mkdir(parents=True)
    folders.config_file.write_text('[screen]\ntheme = "mauve"\n[keys]\n"chat.sing" = "f12"\n', "utf-8")
    found = bad(run)
    assert "mauve" in found["theme"]
    assert "chat.sing" in found["keys"]


def test_the_doctor_blames_a_home_that_cannot_be_written_on_the_memory_alone(
    run: Run, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.write_text("a file where the folder should be", "utf-8")
    found = bad(run)
    assert list(found) == ["memory"]
    assert str(home) in found["memory"]


# Asking ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Call it with what is to come out of standard input, a pipe."""
    reading, writing = os.pipe()
    with os.fdopen(reading, encoding="utf-8") as pipe, os.fdopen(writing, "w", encoding="utf-8") as source:
        monkeypatch.setattr(sys, "stdin", pipe)

        def fill(text: str) -> None:
            source.write(text)
            source.close()

        yield fill


def questions(run: Run) -> list[str]:
    return [turn["user"] for turn in json.loads(run("memory", "episodes", "list", "--json").out)]


def test_without_an_argument_what_is_piped_in_is_the_message(run: Run, piped: Callable[[str], None]) -> None:
    piped("hi there\n")
    assert run("ask").code == 0
    assert questions(run) == ["hi there"]


def test_nothing_is_learned_from_text_that_is_piped_in_beside_a_message(
    run: Run, piped: Callable[[str], None]
) -> None:
    piped(" README.md | 9 +++\n 21 files changed, 599 insertions(+)\n\nI live in Leith.\n")
    run("ask", "Write a commit message for this")
    assert json.loads(run("memory", "facts", "list", "--json").out) == []


def test_standard_input_can_be_left_to_the_loop_whose_input_it_is(
    run: Run, piped: Callable[[str], None]
) -> None:
    piped("the next line\n")
    run("ask", "--no-stdin", "the first line")
    assert sys.stdin.read() == "the next line\n"
    assert questions(run) == ["the first line"]


def test_memory_alone_does_not_promise_to_keep_what_is_private(run: Run) -> None:
    assert "I keep what you tell me" in run("ask", "I live in Leith.").out
    assert "I keep nothing of it" in run("ask", "--private", "I live in Leith.").out


def test_a_turn_that_failed_ends_with_the_exit_code_of_its_error() -> None:
    report = Report()
    report.take(Failed("The memory file is damaged.", exit_code=3))
    assert report.exit_code == 3


def test_what_was_hidden_is_said_to_stay_in_the_transcript_with_the_way_to_erase_it() -> None:
    report = Report()
    report.take(Learned((), ("card number", "key")))
    (notice,) = report.notices
    assert notice.startswith("Hidden from facts and judgments: card number, key. The message itself stays")
    assert "assistant memory episodes forget" in notice


# Conversations and undo -----------------------------------------------------------------------------------------------


def test_conversations_are_listed_found_shown_exported_and_deleted(run: Run, tmp_path: Path) -> None:
    run("ask", "My sourdough does not rise.")
    run("ask", "I run a ceramics shop on Shopify.")
    assert [each["id"] for each in json.loads(run("conversations", "list", "--json").out)] == [2, 1]
    assert "Sourdough does not rise" in run("conversations", "list", "sourdough").out
    assert "(conversation 2)" in run("memory", "episodes", "list", "ceramics").out
    assert "My sourdough does not rise." in run("conversations", "show", 1).out

    target = tmp_path / "bread.json"
    assert run("conversations", "export", 1, target).code == 0
    assert json.loads(target.read_text("utf-8"))["turns"][0]["user"] == "My sourdough does not rise."
    assert "file exists" in run("conversations", "export", 2, target).err

    assert run("conversations", "delete", 1).code == 0
    assert [each["id"] for each in json.loads(run("conversations", "list", "--json").out)] == [2]
    run("memory", "undo")
    assert len(json.loads(run("conversations", "list", "--json").out)) == 2


def test_undo_after_a_forget_refuses_rather_than_take_back_an_older_change(run: Run) -> None:
    run("memory", "facts", "add", "User has a cat", "--key", "pet")
    run("memory", "facts", "add", "User lives in Leith", "--key", "home_city")
    run("memory", "facts", "forget", 2, "--yes")
    done = run("memory", "undo")
    assert done.code == 2
    assert "cannot be undone" in done.err
    assert "the newest is 1" in done.err
    assert "cat" in run("memory", "facts", "list").out
    assert run("memory", "undo", 1).code == 0
    assert run("memory", "facts", "list").out == ""


def test_counts_are_in_the_right_number_and_nothing_stands_around_them(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "chat.jsonl"
    source.write_text(
        '{"role": "user", "content": "I live in Leith."}\n{"role": "assistant", "content": "Noted."}\n',
        "utf-8",
    )
    assert run("memory", "import", source) == (0, "New: 1 turn of 1 conversation.\n", "")
    assert run("memory", "import", source).out == "New: 0 turns of 0 conversations. 1 turn came before.\n"
    assert run("memory", "reindex") == (0, "Indexed: 0 texts.\n", "")
