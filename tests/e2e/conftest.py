"""Starting the program in a pseudo-terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from assistant.paths import Folders
from tests.e2e.terminal import Terminal

Start = Callable[..., Terminal]
"""`start(*arguments, columns=…, rows=…, program=…, **environment)`; every terminal is closed after the test."""


@pytest.fixture
def start(folders: Folders) -> Iterator[Start]:
    started: list[Terminal] = []

    def begin(*arguments: str, **options: Any) -> Terminal:
        started.append(Terminal(folders.data.parent, *arguments, **options))
        return started[-1]

    yield begin
    for terminal in started:
        terminal.close()
