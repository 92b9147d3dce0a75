"""`assistant ask` and its relatives as a script calls them: separate processes, one memory."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.memory import MemoryEngine
from assistant.models.embedding import FastEmbedder
from tests.stubs.server import StubServer, page, text

Run = Callable[..., subprocess.CompletedProcess[str]]
ASSISTANT = (sys.executable, "-m", "assistant")


def environment_of(home: Path) -> dict[str, str]:
    return {**os.environ, "ASSISTANT_HOME": str(home), "ASSISTANT_MODEL__KIND": "memory-only"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def run(home: Path) -> Run:
    """Run `assistant` to its end; keyword arguments are environment variables, `piped` its standard input."""

    def call(
        *arguments: str, piped: str | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*ASSISTANT, *arguments],
            env=environment_of(home) | environment,
            input=piped,
            stdin=subprocess.DEVNULL if piped is None else None,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return call


def asked(run: Run, text: str, *options: str, **environment: str) -> dict[str, Any]:
    done = run("ask", "--json", *options, text, **environment)
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_four_turns_without_a_model_are_answered_from_memory(run: Run) -> None:
    first = asked(run, "I run a small ceramics shop on Shopify.")
    assert [change["action"] for change in first["learned"]] == ["fact.add"]
    asked(run, "Keep any tooling under 200 a month, that is my ceiling.")

    current = asked(run, "What platform am I on, and what is my budget?")
    assert current["plan"]["needs_episodes"] is False
    assert "Shopify" in current["answer"]
    assert "200 a month" in current["answer"]

    past = asked(run, "What exactly did I say when I mentioned the budget?")
    assert past["plan"]["needs_episodes"] is True
    assert "Keep any tooling under 200 a month, that is my ceiling." in past["answer"]


def test_piped_text_is_added_to_the_message_and_a_dash_reads_it_alone(run: Run) -> None:
    run("ask", "--json", "Summarise this", piped="three lines\nof a log")
    run("ask", "-", piped="Only from the pipe")
    listed = json.loads(run("memory", "episodes", "list", "--json").stdout)
    assert [turn["user"] for turn in listed] == [
        "Only from the pipe",
        "Summarise this\n\n```\nthree lines\nof a log\n```",
    ]


def test_a_file_as_standard_input_is_added_to_the_message(run: Run, home: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("three lines\nof notes\n", "utf-8")
    with (tmp_path / "notes.txt").open() as notes:
        subprocess.run([*ASSISTANT, "ask", "Summarise"], env=environment_of(home), stdin=notes, check=True)
    assert "Summarise\n\n```\nthree lines\nof notes\n```" in run("memory", "episodes", "show", "1").stdout


def test_a_loop_over_lines_asks_about_each_of_them(run: Run, home: Path) -> None:
    loop = 'while read -r line; do "$0" -m assistant ask --no-stdin "$line"; done'
    subprocess.run(
        ["bash", "-c", loop, sys.executable], env=environment_of(home), input=b"first\nsecond\n", check=True
    )
    listed = json.loads(run("memory", "episodes", "list", "--json").stdout)
    assert [turn["user"] for turn in listed] == ["second", "first"]


async def test_a_reader_that_goes_away_ends_the_answer_quietly_and_what_came_is_kept(
    run: Run, home: Path
) -> None:
    pipeline = 'set -o pipefail; "$0" -m assistant ask "Say much" < /dev/null | head -n 1'
    async with StubServer() as server:
        server.will(text(*["word " * 200 + "\n"] * 300))
        model = {"ASSISTANT_MODEL__KIND": "server", "ASSISTANT_MODEL__BASE_URL": server.base_url}
        done = await asyncio.to_thread(
            subprocess.run,
            ["bash", "-c", pipeline, sys.executable],
            env=environment_of(home) | model,
            capture_output=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")
    (turn,) = json.loads(run("memory", "episodes", "list", "--json").stdout)
    assert turn["state"] == "cut"
    assert turn["assistant"].startswith("word word")


def test_an_empty_message_is_refused_with_a_sentence(run: Run) -> None:
    done = run("ask", "  ")
    assert (done.returncode, done.stderr.strip()) == (
        2,
        "assistant: There is nothing to ask: the message is empty.",
    )


def test_a_conversation_goes_on_where_it_is_told_to(run: Run) -> None:
    first = asked(run, "Hello there")
    second = asked(run, "And again", "--continue")
    assert second["conversation"] == first["conversation"]
    assert asked(run, "Something else")["conversation"] != first["conversation"]


def test_a_private_question_leaves_no_trace(run: Run) -> None:
    asked(run, "I live in Leith.", "--private")
    assert json.loads(run("memory", "facts", "list", "--json").stdout) == []
    assert json.loads(run("memory", "episodes", "list", "--json").stdout) == []


def test_a_server_that_is_down_ends_with_code_4_and_a_sentence_and_keeps_the_question(run: Run) -> None:
    server = {"ASSISTANT_MODEL__KIND": "server", "ASSISTANT_MODEL__BASE_URL": "http://127.0.0.1:9/v1"}
    done = run("ask", "I live in Leith.", **server)
    assert done.returncode == 4
    assert "127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Leith" in run("memory", "facts", "list").stdout


async def test_a_web_page_instead_of_an_api_is_told_as_such(run: Run) -> None:
    async with StubServer() as server:
        server.will(page("<html><body>Welcome!</body></html>"))
        where = {"ASSISTANT_MODEL__KIND": "server", "ASSISTANT_MODEL__BASE_URL": server.base_url}
        done = await asyncio.to_thread(run, "ask", "Hello", **where)
    assert done.returncode == 4
    assert server.base_url in done.stderr
    assert "Traceback" not in done.stderr


def test_a_key_variable_that_is_not_set_is_named(run: Run) -> None:
    done = run(
        "ask",
        "Hello",
        ASSISTANT_MODEL__KIND="server",
        ASSISTANT_MODEL__BASE_URL="https://models.example/v1",
        ASSISTANT_MODEL__KEY_ENV="MY_KEY",
    )
    assert done.returncode == 4
    assert "MY_KEY" in done.stderr


async def test_a_second_instance_names_the_first_by_its_pid_and_ends_with_code_3(
    run: Run, home: Path, embedder: FastEmbedder
) -> None:
    async with await MemoryEngine.open(home / "data" / "memory.duckdb", embedder):
        done = await asyncio.to_thread(run, "memory", "facts", "list")
    assert done.returncode == 3
    assert str(os.getpid()) in done.stderr
    assert "Traceback" not in done.stderr


_RECORD_AND_DIE = """
import asyncio, os, signal, sys
from pathlib import Path
from assistant.memory import MemoryEngine
from assistant.models.embedding import FastEmbedder

async def main():
    memory = await MemoryEngine.open(Path(sys.argv[1]), FastEmbedder(cache=Path(sys.argv[2])))
    await memory.record("I live in Leith.", "Noted.")
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def test_a_turn_that_a_crash_left_unlearned_is_learned_from_once_at_the_next_start(
    run: Run, home: Path, tmp_path: Path
) -> None:
    store = home / "data" / "memory.duckdb"
    died = subprocess.run([sys.executable, "-c", _RECORD_AND_DIE, str(store), str(tmp_path)], check=False)
    assert died.returncode == -signal.SIGKILL
    for _ in range(2):
        asked(run, "thanks")
    facts = json.loads(run("memory", "facts", "list", "--json").stdout)
    added = [
        entry
        for entry in json.loads(run("memory", "journal", "list", "--json").stdout)
        if entry["action"] == "fact.add"
    ]
    assert ["Leith" in fact["statement"] for fact in facts] == [True]
    assert len(added) == 1


def test_judgments_are_added_verified_and_ranked_from_the_command_line(run: Run) -> None:
    situation = "User's bread dough stays stiff during its rise"
    for advice in ("Add more water at once", "Give it another half hour of rest"):
        assert run("memory", "judgments", "add", situation, advice, "--json").returncode == 0
    rested = 2
    assert run("memory", "judgments", "verify", str(rested), "adopted", "--json").returncode == 0
    ranked = json.loads(run("memory", "judgments", "list", "my dough is stiff while rising", "--json").stdout)
    assert [judgment["id"] for judgment in ranked] == [2, 1]
    assert run("memory", "judgments", "verify", "1", "adopted").returncode == 0
    assert (
        run(
            "memory", "judgments", "verify", str(rested), "corrected", "--correction", "Water helps"
        ).returncode
        == 0
    )
    ranked = json.loads(run("memory", "judgments", "list", "my dough is stiff while rising", "--json").stdout)
    assert [judgment["id"] for judgment in ranked] == [1, 2]
    assert ranked[1]["correction"] == "Water helps"


def test_facts_are_added_edited_forgotten_and_undone_from_the_command_line(run: Run) -> None:
    run("memory", "facts", "add", "User lives in Leith", "--key", "home_city", "--value", "Leith")
    run("memory", "facts", "edit", "1", "--statement", "User lives in Portobello")
    assert "Portobello" in run("memory", "facts", "list").stdout
    run("memory", "facts", "undo", "1")
    assert "Leith" in run("memory", "facts", "list").stdout
    run("memory", "facts", "forget", "1", "--yes")
    done = run("memory", "facts", "list")
    assert (done.stdout, done.stderr.strip()) == ("", "No facts.")


def test_an_unknown_number_is_a_sentence_and_code_2(run: Run) -> None:
    done = run("memory", "facts", "show", "77")
    assert done.returncode == 2
    assert "77" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_broken_settings_file_is_named_with_what_is_wrong(run: Run, home: Path) -> None:
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.toml").write_text("[model]\ntemperature = 9\n", "utf-8")
    done = run("ask", "Hello")
    assert done.returncode == 2
    assert "model.temperature" in done.stderr


def test_doctor_finds_everything_in_place(run: Run) -> None:
    done = run("doctor", "--json")
    assert done.returncode == 0, done.stdout
    assert {"embedding", "memory", "model", "settings"} <= {
        finding["what"] for finding in json.loads(done.stdout)
    }


def test_the_engine_is_a_library_without_screen_and_client() -> None:
    check = "import assistant.memory, sys; assistant.memory.MemoryEngine; assert not {'textual', 'openai'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True)
