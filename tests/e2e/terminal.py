"""The program in a real pseudo-terminal, and what a person would see on it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte

ESCAPE, ENTER, NEWLINE, BACKSPACE = "\x1b", "\r", "\n", "\x7f"


class Terminal:
    """`assistant` started with `arguments`, `columns` x `rows`, its folders under `home`."""

    def __init__(
        self, home: Path, *arguments: str, columns: int = 160, rows: int = 48, **environment: str
    ) -> None:
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
        self._child = pexpect.spawn(
            sys.executable,
            ["-m", "assistant", *arguments],
            dimensions=(rows, columns),
            env={
                **kept,
                "ASSISTANT_HOME": str(home),
                "HOME": str(home),
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                "TZ": "UTC",
                "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
                **environment,
            },
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

    def type(self, keys: str) -> None:
        self._child.send(keys)

    def paste(self, text: str) -> None:
        """A bracketed paste, as terminals send it."""
        self._child.send(f"\x1b[200~{text}\x1b[201~")

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
            if holds(shown := self.text()):
                return shown
            time.sleep(0.05)
        raise AssertionError(f"never seen: {what}\n{self.text()}")

    def wait_for_end(self, seconds: float = 30) -> int | None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._child.isalive():
            self._read()
            time.sleep(0.05)
        self._read()
        assert not self._child.isalive(), f"still running\n{self.text()}"
        return self._child.exitstatus

    def close(self) -> None:
        self._child.close(force=True)

    def _read(self) -> None:
        while True:
            try:
                chunk = self._child.read_nonblocking(65536, timeout=0.05)
            except (pexpect.TIMEOUT, pexpect.EOF):
                return
            self.received += chunk
            self._stream.feed(chunk)
