"""The command line: the screen, or one of the commands, each a module of `commands/`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assistant import __version__
from assistant.commands.group import Commands
from assistant.commands.screen import show
from assistant.commands.shared import Situation
from assistant.paths import user_folders

app = typer.Typer(
    name="assistant",
    cls=Commands,
    help="A chat assistant that remembers you, and lets you see and check what it remembers. Without a command: the screen.",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"assistant {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    home: Annotated[
        Path | None,
        typer.Option(help="Keep config, data and logs under this folder instead of the usual ones."),
    ] = None,
    go_on: Annotated[
        bool, typer.Option("--continue", "-c", help="Open the newest conversation instead of a new one.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Open the screen, or run one of the commands."""
    folders = user_folders(home)
    context.obj = Situation(folders)
    if context.invoked_subcommand is None:
        raise typer.Exit(show(folders, go_on=go_on))
