"""Copying out of the terminal: the terminal's own way (OSC 52) and, where there is one, the system's tool."""

from __future__ import annotations

import asyncio
import os
import shutil
from asyncio.subprocess import DEVNULL, PIPE
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App

_TOOLS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("pbcopy", (), ""),
    ("wl-copy", (), "WAYLAND_DISPLAY"),
    ("xclip", ("-selection", "clipboard"), "DISPLAY"),
    ("xsel", ("--clipboard", "--input"), "DISPLAY"),
    ("clip.exe", (), ""),
)
"""Program, arguments, and the environment variable without which it cannot work."""
_PATIENCE = 2.0
"""Seconds."""


async def copy(app: App[Any], text: str) -> str:
    """Copy `text` and say, honestly, what is known about it."""
    app.copy_to_clipboard(text)
    size = f"{len(text):,} character{'s' * (len(text) != 1)}"
    for tool, arguments, needs in _TOOLS:
        path = shutil.which(tool) if not needs or os.environ.get(needs) else None
        if path and await _feed(path, arguments, text):
            return f"Copied {size} to the clipboard."
    return f"Sent {size} to the terminal's clipboard; whether the terminal took it cannot be seen from here."


async def _feed(path: str, arguments: tuple[str, ...], text: str) -> bool:
    """True when the tool took the text."""
    try:
        tool = await asyncio.create_subprocess_exec(
            path, *arguments, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL
        )
        await asyncio.wait_for(tool.communicate(text.encode()), _PATIENCE)
    except (OSError, TimeoutError):
        return False
    return tool.returncode == 0
