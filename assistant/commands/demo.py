"""`assistant demo`: a conversation that plays in a memory of its own, to look around without leaving a trace."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from assistant.commands.shared import situation


def demo(
    context: typer.Context,
    svg: Annotated[Path | None, typer.Option(help="Write a picture of the screen instead.")] = None,
) -> None:
    """Look around in a demo conversation; nothing of it is kept."""
    from assistant import demo as played

    cache = situation(context).folders.cache / "embedding"
    if svg is not None:
        svg.write_text(asyncio.run(played.photograph(cache)), "utf-8")
    elif code := played.show(cache):
        raise typer.Exit(code)
