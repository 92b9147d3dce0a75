"""Textual's driver for a terminal, made to stand odd bytes, a terminal that is gone, and one that takes no Unicode."""

from __future__ import annotations

import os
import selectors
import signal
from contextlib import suppress
from typing import Any, TextIO, cast

from textual.drivers.linux_driver import LinuxDriver

from assistant.tui.terminal_input import InputReader

_PLAIN = str.maketrans("─━│┃╭╮╰╯┏┓┗┛▌▏·…×✓✗▲■", "--||++++++++||..xvx^#")
"""What stands for lines and marks where there is no Unicode."""
_LOOK = 0.1
"""Seconds between looks at whether the program ends, and whether an Esc was a key."""


class TerminalDriver(LinuxDriver):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        assert self._file is not None
        self._file = cast("Any", _Output(self._file))

    def run_input_thread(self) -> None:
        """Pass on what is typed until the program ends; a terminal that is gone ends it, as its hang-up does."""
        reader = InputReader()
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                data = None
                if selector.select(_LOOK):
                    try:
                        data = os.read(self.fileno, 4096)
                    except OSError:
                        data = b""
                if data == b"":
                    os.kill(os.getpid(), signal.SIGHUP)
                    return
                for message in reader.read(data or b""):
                    self.process_message(message)


class _Output:
    """Standard error, where Textual draws; what a terminal that is gone does not take is dropped."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.fileno = file.fileno
        self._table = {} if "utf" in file.encoding.lower() else _PLAIN
        if self._table:
            cast("Any", file).reconfigure(errors="replace")  # one character for one, so that columns stay

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._file.write(text.translate(self._table) if self._table else text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()
