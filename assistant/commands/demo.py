"""`assistant demo`: a conversation that plays in a memory of its own, to look around without leaving a trace."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from assistant.commands.screen import need_terminal
from assistant.commands.shared import situation
from assistant.errors import FileError

app = typer.Typer(add_completion=False)


@app.command("demo")
def demo(
    context: typer.Context,
    svg: Annotated[Path | None, typer.Option(help="Write a picture of the screen instead.")] = None,
) -> None:
    """Take the tour, and look around in a demo conversation; nothing of it is kept."""
    if svg is None:
        need_terminal()
    from assistant.demo import show

    cache = situation(context).folders.cache / "embedding"
    if svg is not None:
        _photograph(svg, cache)
    elif code := show(cache):
        raise typer.Exit(code)


def _photograph(file: Path, cache: Path) -> None:
    from assistant.demo import photograph

    try:
        file.open("a").close()  # a place that cannot be written is told before the demo plays
    except OSError as problem:
        raise FileError.of(problem, file) from problem
    file.write_text(asyncio.run(photograph(cache)), "utf-8")
