"""The commands: each is imported when it is called, and ends quietly however it is cut short."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from assistant.errors import INTERRUPTED

_MODULES: Mapping[str, str] = {
    "ask": "ask",
    "setup": "setup",
    "doctor": "doctor",
    "demo": "demo",
    "eval": "evaluate",
    "conversations": "conversations",
    "memory": "memory",
    "models": "models",
    "config": "config",
}
"""Command -> its module in this package, whose `app` it is. The order is that of the help."""


class _Imported(Mapping[str, Any]):
    """The commands by name, each imported when it is looked up."""

    def __getitem__(self, name: str) -> Any:
        command = get_command(import_module(f"assistant.commands.{_MODULES[name]}").app)
        command.name = name
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


class Commands(TyperGroup):
    """A call of one command does not wait for the imports of the others."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Imported()  # type: ignore[assignment]  # they are only read

    def invoke(self, ctx: Any) -> Any:
        """Leaves the cursor on a line of its own."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo(err=True)
            raise typer.Exit(INTERRUPTED) from None
        except (typer.Abort, EOFError):
            typer.echo("\nAborted.", err=True)
            raise typer.Exit(1) from None
        except BrokenPipeError:
            # The reader went away (`assistant … | head`): what is left in the buffer goes nowhere, without a complaint.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
