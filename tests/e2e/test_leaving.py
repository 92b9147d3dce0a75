"""However the program ends or pauses, the terminal is left clean, what was said is kept, and what went wrong is said."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import Iterator

import pytest

from assistant.memory import MemoryEngine
from assistant.memory.records import AnswerState, Episode
from assistant.models.embedding import FastEmbedder
from assistant.paths import Folders
from tests.e2e.conftest import Start
from tests.e2e.terminal import ENTER, ESCAPE, LEFT_CLEAN, Terminal
from tests.stubs.server import StubServer, text
from tests.stubs.serving import serving

CTRL_Q = "\x11"
WORDS = [f"word{number} " for number in range(4000)]
SIZE = {"columns": 100, "rows": 30}


@pytest.fixture
def server() -> Iterator[StubServer]:
    """Answers with many words, slowly."""
    with serving(text(*WORDS, delay=0.02)) as running:
        yield running


def settings_for(server: StubServer) -> dict[str, str]:
    return {"ASSISTANT_MODEL__KIND": "server", "ASSISTANT_MODEL__BASE_URL": server.base_url}


@pytest.fixture
def streaming(start: Start, server: StubServer) -> Terminal:
    """A terminal in which an answer is under way."""
    terminal = start(**SIZE, **settings_for(server))
    terminal.wait_for("ready")
    terminal.say("Count the words.")
    terminal.wait_for("word20 ")
    return terminal


def kept(folders: Folders, embedder: FastEmbedder) -> Episode:
    """The one turn in the store."""

    async def read() -> Episode:
        async with await MemoryEngine.open(folders.store, embedder) as memory:
            (turn,) = await memory.episodes.list()
        return turn

    return asyncio.run(read())


def check_cut(turn: Episode) -> None:
    """A partial answer is kept, marked as cut, without a gap."""
    assert turn.user == "Count the words."
    assert turn.state is AnswerState.CUT
    assert turn.assistant.split()
    assert "".join(WORDS).startswith(turn.assistant.strip())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_in_the_middle_of_an_answer_keeps_what_arrived(
    streaming: Terminal, folders: Folders, embedder: FastEmbedder, number: signal.Signals
) -> None:
    os.kill(streaming.pid, number)
    assert streaming.wait_for_end() == 128 + number
    assert streaming.left_clean
    check_cut(kept(folders, embedder))


def test_a_window_that_is_closed_in_the_middle_of_an_answer_keeps_what_arrived(
    streaming: Terminal, folders: Folders, embedder: FastEmbedder
) -> None:
    streaming.hang_up()
    streaming.wait_for_end()
    check_cut(kept(folders, embedder))


def test_a_killed_program_leaves_no_half_written_memory(
    streaming: Terminal, folders: Folders, embedder: FastEmbedder
) -> None:
    os.kill(streaming.pid, signal.SIGKILL)
    streaming.wait_for_end()
    assert kept(folders, embedder).user == "Count the words."


def test_resizing_in_the_middle_of_an_answer_keeps_the_chat_and_hides_the_panels_when_narrow(
    streaming: Terminal, folders: Folders, embedder: FastEmbedder
) -> None:
    streaming.wait_for("Facts")
    for columns, rows in ((60, 20), (20, 5), (300, 80), (60, 20)):
        streaming.resize(columns, rows)
    here = streaming.wait_until(lambda shown: "Facts" not in shown and "word" in shown, "the chat alone")
    streaming.wait_until(lambda shown: last_word(shown) > last_word(here), "the stream going on")
    streaming.resize(120, 30)
    streaming.wait_for("Facts")
    streaming.type(ESCAPE)
    shown = streaming.wait_for("ctrl+g continues")
    assert max(len(line) for line in shown.splitlines()) > 60
    streaming.type(CTRL_Q)
    assert streaming.wait_for_end() == 0
    check_cut(kept(folders, embedder))


def last_word(shown: str) -> int:
    return max(int(number) for number in re.findall(r"word(\d+) ", shown))


def test_suspending_gives_the_shell_its_terminal_and_coming_back_redraws_all_while_the_answer_goes_on(
    start: Start, server: StubServer
) -> None:
    shell = start(
        program=("bash", "--norc", "--noprofile", "-i"), PS1="shell> ", **SIZE, **settings_for(server)
    )
    shell.wait_for("shell>")
    shell.type(f"{sys.executable} -m assistant{ENTER}")
    shell.wait_for("ready")
    shell.say("Count the words.")
    shell.wait_for("word20 ")
    shell.type("/suspend " + ENTER)
    shell.wait_until(lambda _: b"Stopped" in shell.received, "the shell's word that the program is stopped")
    assert shell.left_clean
    shell.wipe()
    shell.type("stty -a" + ENTER)
    assert " icanon" in shell.wait_for(" echo ")
    shell.wipe()
    shell.type("fg" + ENTER)
    before = shell.wait_for("f1 help", "word", "answering")
    shell.wait_until(lambda shown: last_word(shown) > last_word(before), "the stream going on")
    shell.type("typed afterwards")
    shell.wait_for("typed afterwards")
    shell.type(CTRL_Q)
    shell.wait_until(lambda _: shell.left_clean, "the terminal as it was")
    shell.wipe()
    shell.type("echo code $?" + ENTER)
    shell.wait_for("code 0")


def test_a_fault_in_the_program_is_a_sentence_and_a_file(start: Start, folders: Folders) -> None:
    code = (
        "from assistant.tui.widgets.composer import Composer\n"
        "Composer.send = lambda self: 1 / 0\n"
        "from assistant.__main__ import main; main()"
    )
    terminal = start(program=(sys.executable, "-c", code), **SIZE)
    terminal.wait_for("ready")
    terminal.say("a secret of mine")
    assert terminal.wait_for_end() == 1
    assert terminal.left_clean
    told = terminal.received[terminal.received.rfind(LEFT_CLEAN[-1]) :]
    log = folders.logs / "fault.log"
    assert b"A fault in the program." in told
    assert str(log).encode() in told.replace(b"\r\n", b"")
    assert b"Traceback" not in told
    assert "ZeroDivisionError" in log.read_text("utf-8")
    assert "secret" not in log.read_text("utf-8")


def test_what_libraries_print_does_not_reach_the_screen(start: Start) -> None:
    code = (
        "import logging, sys, warnings\n"
        "from assistant.tui.widgets.composer import Composer\n"
        "send = Composer.send\n"
        "def noisy(self):\n"
        "    print('NOISE'); sys.stderr.write('NOISE'); sys.__stdout__.flush()\n"
        "    warnings.warn('NOISE'); logging.getLogger('x').error('NOISE')\n"
        "    send(self)\n"
        "Composer.send = noisy\n"
        "from assistant.__main__ import main; main()"
    )
    terminal = start(program=(sys.executable, "-c", code), **SIZE)
    terminal.wait_for("ready")
    terminal.say("I like celadon.")
    terminal.wait_for("Noted.")
    terminal.type(CTRL_Q)
    assert terminal.wait_for_end() == 0
    assert b"NOISE" not in terminal.received


def test_a_broken_memory_file_is_told_and_leaves_the_terminal_clean(start: Start, folders: Folders) -> None:
    folders.store.parent.mkdir(parents=True)
    folders.store.write_bytes(b"this is no database" * 100)
    terminal = start(**SIZE)
    assert terminal.wait_for_end() == 3
    assert terminal.left_clean
    assert b"Traceback" not in terminal.received


def test_quitting_leaves_the_terminal_as_it_was_and_no_settings_behind(
    start: Start, folders: Folders
) -> None:
    terminal = start(**SIZE)
    terminal.wait_for("ready")
    terminal.type(CTRL_Q)
    assert terminal.wait_for_end() == 0
    assert terminal.left_clean
    assert not folders.config_file.exists()


def test_a_second_start_names_the_first_by_its_pid_and_ends_with_code_3(start: Start) -> None:
    first = start(**SIZE)
    first.wait_for("ready")
    second = start(**SIZE)
    assert second.wait_for_end() == 3
    assert str(first.pid).encode() in second.received
    assert b"Traceback" not in second.received


def test_a_terminal_that_cannot_show_a_screen_is_told_so_in_a_sentence(start: Start) -> None:
    terminal = start(TERM="dumb", **SIZE)
    assert terminal.wait_for_end() == 2
    assert b"TERM=dumb" in terminal.received
    assert b"assistant ask" in terminal.received
    assert b"\x1b" not in terminal.received
