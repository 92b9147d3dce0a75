"""How the command line ends when it is cut short: by ctrl+c, at a question, or by whoever reads its output."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

INTERRUPTED = 130
"""Exit code after ctrl+c, as of shells."""


class Commands(TyperGroup):
    """The commands; each ends quietly, with the cursor on a line of its own."""

    def invoke(self, ctx: Any) -> Any:
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
