"""Writes the open conversation to a file of the user's choice."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.conversation.transcript import as_json, as_markdown
from assistant.errors import MemoryInputError
from assistant.text import one_line

if TYPE_CHECKING:
    from assistant.conversation.turn import Session


async def export(session: Session, argument: str) -> Path:
    """Write the shown branch; `argument` is "[md|json] [FILE]". Returns the path. Never overwrites: raises MemoryInputError."""
    kind, _, name = argument.strip().partition(" ")
    if kind not in ("md", "json"):
        kind, name = ("json" if argument.strip().endswith(".json") else "md"), argument.strip()
    make = as_json if kind == "json" else as_markdown
    text = make(session.turns, session.conversation)
    return await asyncio.to_thread(_write, Path(name.strip() or _file_name(session, kind)), text)


def _write(path: Path, text: str) -> Path:
    path = path.expanduser().absolute()
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as problem:
        raise MemoryInputError(
            f"{path} is there already.", hint="Name another file: /export md notes.md"
        ) from problem
    except OSError as problem:
        raise MemoryInputError(
            f"{path} cannot be written: {problem.strerror}.", hint="Name another place."
        ) from problem
    return path


def _file_name(session: Session, kind: str) -> str:
    title = session.conversation.title if session.conversation else "private conversation"
    plain = re.sub(r"[^\w]+", "-", one_line(title, 50)).strip("-").lower() or "conversation"
    return f"{plain}.{kind}"
