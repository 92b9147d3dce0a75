"""The arguments that the memory commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Id = Annotated[int, typer.Argument(help="Its number, as `list` shows it.")]
Query = Annotated[
    str | None, typer.Argument(help="Find by meaning and words; without it: all, newest first.")
]
Json = Annotated[bool, typer.Option("--json", help="As JSON.")]
Limit = Annotated[int, typer.Option(min=1, max=100_000, help="At most so many.")]
