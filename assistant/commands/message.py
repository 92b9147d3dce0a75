"""What is asked: the argument, standard input, or both."""

from __future__ import annotations

import os
import stat
import sys

from assistant.errors import MemoryInputError, UsageError
from assistant.text import clean_text

ONLY_PIPED = "-"
"""The argument that stands for standard input alone, as no argument does."""


def read_message(argument: str | None, *, stdin: bool = True) -> str:
    """The argument and, below it as a block of code, what is piped in; `stdin` False leaves standard input to others, such as a loop.

    Raises UsageError where nothing could be asked, MemoryInputError where the message is empty.
    """
    alone = argument is None or argument == ONLY_PIPED
    if alone and not stdin:
        raise UsageError("With --no-stdin the message must be the argument.")
    if argument is None and _is_terminal():
        raise UsageError(
            "There is nothing to ask.", hint='Give a message: `assistant ask "…"`, or pipe one in.'
        )
    piped = _piped() if alone or (stdin and _is_piped()) else ""
    parts = [piped] if alone else [argument or "", _fenced(piped)]
    whole = "\n\n".join(filter(str.strip, parts))
    message = clean_text(whole).strip()
    if not message:
        raise MemoryInputError("There is nothing to ask: the message is empty.")
    return message


def _fenced(text: str) -> str:
    """`text` as a block of code: it is what the message is about, and nothing in it is learned as the user's own words."""
    if not text.strip():
        return ""
    fence = next((each for each in ("```", "~~~") if each not in text), "~~~~~~")
    return f"{fence}\n{text.rstrip()}\n{fence}"


def _piped() -> str:
    return sys.stdin.buffer.read().decode("utf-8", "replace") if sys.stdin else ""


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _is_piped() -> bool:
    """Whether standard input is a pipe or a file; a terminal, /dev/null or a closed one is not waited for."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)
