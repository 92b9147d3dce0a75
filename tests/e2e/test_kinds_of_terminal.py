"""Terminals with few colours, none, an odd encoding, or hardly any room; and the program inside of tmux."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import Start
from tests.e2e.terminal import ENTER, ESCAPE, Terminal, environment_of

STYLES = re.compile(r"\x1b\[([\d;]*)m")
SIXTEEN = {*range(30, 38), 39, *range(40, 48), 49, *range(90, 98), *range(100, 108)}
WITHOUT = {0, 1, 2, 3, 4, 7, 9, 22, 23, 24, 27, 29}
"""Codes of styles that are no colours."""
F1, CTRL_O, CTRL_P, CTRL_Q = "\x1bOP", "\x0f", "\x10", "\x11"


def drawn(terminal: Terminal) -> list[str]:
    """The styles that the program sends while it answers and shows its help, list and commands."""
    terminal.wait_for("ready")
    terminal.say("I like celadon.")
    terminal.wait_for("Noted.")
    for key, seen in ((F1, "Send the message"), (CTRL_O, "Search titles"), (CTRL_P, "Conversations: ")):
        terminal.type(key)
        terminal.wait_for(seen)
        terminal.type(ESCAPE)
        terminal.wait_until(lambda shown, seen=seen: seen not in shown, f"the end of {seen}")  # type: ignore[misc]
    terminal.type(CTRL_Q)
    assert terminal.wait_for_end() == 0
    return STYLES.findall(terminal.received.decode(errors="replace"))


def codes(styles: list[str]) -> set[int]:
    return {int(code) for style in styles for code in style.split(";") if code}


def test_without_colour_there_are_only_shades_of_grey_and_styles(start: Start) -> None:
    styles = drawn(start(columns=100, rows=30, NO_COLOR="1"))
    shades = re.compile(r"[34]8;2;(\d+);\1;\1(?:;|$)")
    assert codes([shades.sub("", style) for style in styles]) <= WITHOUT


@pytest.mark.parametrize("kind", ["xterm", "linux"])
def test_a_terminal_of_16_colours_gets_no_others(start: Start, kind: str) -> None:
    assert codes(drawn(start(columns=100, rows=30, TERM=kind, COLORTERM=""))) <= SIXTEEN | WITHOUT


def test_letters_beyond_ascii_work_where_no_locale_is_set(start: Start) -> None:
    terminal = start(columns=80, rows=24, LC_ALL="C", LANG="")
    terminal.wait_for("ready", "╭", "·")
    terminal.type("Größe 日本 😀")
    terminal.wait_for("Größe 日本 😀")


def test_a_terminal_without_unicode_keeps_its_columns(start: Start) -> None:
    terminal = start(columns=60, rows=20, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    shown = terminal.wait_for("memory only . ready", "+--")
    assert not re.search(r"\\[ux]|\?\?", shown)
    edges = [line for line in shown.splitlines() if line[:1] in ("+", "|")]
    assert [len(line) for line in edges] == [60, 60, 60]


def test_a_tiny_window_takes_a_message_and_grows_back(start: Start) -> None:
    terminal = start(columns=20, rows=5)
    terminal.wait_for("New", "Write a message")
    terminal.type("I like celadon.")
    terminal.wait_for("I like celadon.")
    terminal.type(ENTER)
    terminal.wait_for("Write a message")
    terminal.resize(3, 1)
    terminal.resize(1, 1)
    terminal.resize(100, 30)
    terminal.wait_for("I like celadon.", "Noted.", "Facts", "memory only · ready", "f1 help")


class Multiplexer:
    """A tmux server of its own with one window in which a shell runs."""

    def __init__(self, home: Path) -> None:
        self._socket = str(home / "tmux")
        home.mkdir(parents=True, exist_ok=True)
        size = ("-x", "100", "-y", "30")
        shell = ("env", "PS1=shell> ", "bash", "--norc", "--noprofile", "-i")
        self._call("-f", os.devnull, "new-session", "-d", *size, *shell, env=environment_of(home))

    def _call(self, *arguments: str, env: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            ["tmux", "-S", self._socket, *arguments], env=env, capture_output=True, text=True, check=True
        )
        return done.stdout

    def type(self, *keys: str) -> None:
        self._call("send-keys", *keys)

    def text(self) -> str:
        return self._call("capture-pane", "-p")

    def state(self, name: str) -> str:
        return self._call("display-message", "-p", f"#{{{name}}}").strip()

    def resize(self, columns: int, rows: int) -> None:
        self._call("resize-window", "-x", str(columns), "-y", str(rows))

    def paste(self, text: str) -> None:
        self._call("set-buffer", text)
        self._call("paste-buffer", "-p")

    def wait_until(self, holds: Callable[[str], bool], what: str) -> str:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if holds(shown := self.text()):
                return shown
            time.sleep(0.05)
        raise AssertionError(f"never seen in tmux: {what}\n{self.text()}")

    def wait_for(self, *wanted: str) -> str:
        return self.wait_until(lambda shown: all(text in shown for text in wanted), " & ".join(wanted))

    def close(self) -> None:
        self._call("kill-server")


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Multiplexer]:
    if shutil.which("tmux") is None:
        assert not os.environ.get("ASSISTANT_TEST_TMUX"), "tmux is missing, and this run must not go without"
        pytest.skip("tmux is not installed")
    multiplexer = Multiplexer(tmp_path / "home")
    yield multiplexer
    multiplexer.close()


def test_inside_tmux_keys_pastes_resizing_suspending_and_quitting_work(tmux: Multiplexer) -> None:
    tmux.wait_for("shell>")
    tmux.type(f"{sys.executable} -m assistant", "Enter")
    tmux.wait_for("memory only · ready", "Facts")
    assert tmux.state("alternate_on") == "1"
    assert tmux.state("mouse_any_flag") == "1"
    tmux.type("first", "C-j", "second")
    tmux.paste(" pasted\nthird\x1b\r")
    tmux.wait_for("second pasted", "third")
    tmux.type("Enter")
    tmux.wait_for("Noted.")
    tmux.resize(60, 20)
    tmux.wait_until(lambda shown: "Facts" not in shown and "third" in shown, "the chat alone")
    tmux.type("/suspend ", "Enter")
    tmux.wait_for("Stopped", "shell>")
    assert tmux.state("alternate_on") == "0"
    assert tmux.state("mouse_any_flag") == "0"
    tmux.type("fg", "Enter")
    tmux.wait_for("f1 help", "Noted.")
    tmux.type("C-q")
    tmux.wait_until(lambda shown: "f1 help" not in shown and shown.rstrip().endswith("shell>"), "the shell")
    assert [tmux.state(name) for name in ("alternate_on", "mouse_any_flag", "cursor_flag")] == ["0", "0", "1"]
    assert "memory only" not in tmux.text()
