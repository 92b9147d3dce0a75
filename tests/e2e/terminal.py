"""The program in a real pseudo-terminal, and what a person would see on it."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pexpect
import pyte

ESCAPE, ENTER, NEWLINE, BACKSPACE = "\x1b", "\r", "\n", "\x7f"
ASSISTANT = (sys.executable, "-m", "assistant")
LEFT_CLEAN = tuple(
    f"\x1b[{mode}".encode()
    for mode in ("?1049l", "?1000l", "?1003l", "?1006l", "?2004l", "?25h", "?7h", "<u")
)
"""Normal screen, no mouse reports, no bracketed paste, a cursor, lines that wrap, the usual keyboard."""


def environment_of(home: Path) -> dict[str, str]:
    """What the program needs, and nothing of the machine's own settings."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
    return {
        **kept,
        "ASSISTANT_HOME": str(home),
        "ASSISTANT_MODEL__KIND": "memory-only",
        "HOME": str(home),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "TZ": "UTC",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
    }


class Terminal:
    """`program` (usually the assistant) started with `arguments`, `columns` x `rows`, its folders under `home`.

    Without other settings in `environment` it answers from memory alone; "" takes a variable away.
    """

    def __init__(
        self,
        home: Path,
        *arguments: str,
        columns: int = 160,
        rows: int = 48,
        program: Sequence[str] = ASSISTANT,
        **environment: str,
    ) -> None:
        wanted = environment_of(home) | environment
        self._child = pexpect.spawn(
            program[0],
            [*program[1:], *arguments],
            dimensions=(rows, columns),
            env={name: value for name, value in wanted.items() if value},
            timeout=60,
        )
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.received = b""

    @property
    def pid(self) -> int:
        return int(self._child.pid)

    @property
    def exit_code(self) -> int | None:
        self._child.wait()
        return self._child.exitstatus

    @property
    def left_clean(self) -> bool:
        """Whether the terminal was given back as it was."""
        self._read()
        end = self.received[self.received.rfind(b"\x1b[?1049h") :]
        return all(sequence in end for sequence in LEFT_CLEAN)

    @property
    def caret(self) -> int:
        """The column in which the terminal's own cursor stands, from 0."""
        return int(self._screen.cursor.x)

    def type(self, keys: str | bytes) -> None:
        self._child.send(keys)

    def paste(self, text: str) -> None:
        """A bracketed paste, as terminals send it."""
        self._child.send(f"\x1b[200~{text}\x1b[201~")

    def wipe(self) -> None:
        """Forget what is on the screen, as the shell does when another program has drawn over it."""
        self._read()
        self._screen.reset()

    def hang_up(self) -> None:
        """Close the terminal, as closing its window does."""
        self._child.ptyproc.fileobj.close()
        self._child.ptyproc.closed = self._child.closed = True

    def say(self, text: str) -> None:
        self.type(text)
        self.wait_for(text[-30:])
        self.type(ENTER)

    def resize(self, columns: int, rows: int) -> None:
        self._screen.resize(rows, columns)
        self._child.setwinsize(rows, columns)

    def text(self) -> str:
        """What is on the screen now, a line a row."""
        self._read()
        return "\n".join(line.rstrip() for line in self._screen.display)

    def wait_for(self, *wanted: str, seconds: float = 60) -> str:
        """The screen once it shows every one of `wanted` (a line break on the screen counts as a space)."""
        return self.wait_until(
            lambda shown: all(text in shown for text in wanted), " & ".join(wanted), seconds
        )

    def wait_until(self, holds: Callable[[str], bool], what: str, seconds: float = 60) -> str:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            running = self._child.isalive()
            if holds(shown := self.text()):
                return shown
            if not running:
                break
        raise AssertionError(f"never seen: {what}\n{self.text()}")

    def wait_for_end(self, seconds: float = 30) -> int | None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._child.isalive():
            self._read()
        self._read()
        assert not self._child.isalive(), f"still running\n{self.text()}"
        return self._child.exitstatus

    def close(self) -> None:
        if self._child.isalive():
            self._child.kill(signal.SIGKILL)
        if not self._child.closed:
            self._child.close(force=True)

    def _read(self) -> None:
        while not self._child.closed:
            try:
                chunk = self._child.read_nonblocking(65536, timeout=0.05)
            except (pexpect.TIMEOUT, pexpect.EOF):
                return
            self.received += chunk
            self._stream.feed(chunk)
