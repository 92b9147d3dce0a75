"""The chat in a real pseudo-terminal: resizing, being killed, ending on an error."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.terminal import Terminal

LEFT_CLEAN = (b"\x1b[?1049l", b"\x1b[?1000l", b"\x1b[?25h")
"""Normal screen, no mouse reports, a cursor."""


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    running = Terminal(tmp_path / "home", columns=100, rows=30, ASSISTANT_MODEL__KIND="memory-only")
    running.wait_for("memory only · ready")
    yield running
    running.close()


def test_resizing_keeps_the_chat_and_hides_the_panels_when_narrow(terminal: Terminal) -> None:
    terminal.wait_for("Facts")
    terminal.say("I like celadon.")
    terminal.wait_for("from memory alone")
    terminal.resize(60, 20)
    terminal.wait_until(lambda shown: "Facts" not in shown and "I like celadon." in shown, "the chat alone")
    terminal.resize(120, 30)
    terminal.wait_for("Facts", "I like celadon.")


def test_a_hang_up_leaves_no_half_written_memory(terminal: Terminal, tmp_path: Path) -> None:
    terminal.say("Remember that I live in Leith.")
    terminal.wait_for("from memory alone")
    os.kill(terminal.pid, signal.SIGKILL)
    again = Terminal(tmp_path / "home", columns=100, rows=30, ASSISTANT_MODEL__KIND="memory-only")
    try:
        again.wait_for("memory only · ready")
        again.type("\x0f")
        again.wait_for("Remember that I live in Leith.")
    finally:
        again.close()


def test_an_error_in_the_program_leaves_the_terminal_clean(tmp_path: Path) -> None:
    broken = tmp_path / "home" / "data" / "memory.duckdb"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(b"this is no database" * 100)
    terminal = Terminal(tmp_path / "home", columns=100, rows=30, ASSISTANT_MODEL__KIND="memory-only")
    try:
        assert terminal.wait_for_end() == 3
        assert all(sequence in terminal.received for sequence in LEFT_CLEAN)
        assert b"Traceback" not in terminal.received
    finally:
        terminal.close()
