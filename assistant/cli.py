"""The command line: one function a command, each in a file of its own under `commands/`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from assistant import __version__
from assistant.commands import ask, config, conversations, demo, doctor, evaluate, memory, models, setup
from assistant.commands.endings import INTERRUPTED, Commands
from assistant.commands.shared import Situation, need_terminal, situation
from assistant.errors import AssistantError
from assistant.faults import write_down
from assistant.paths import user_folders

app = typer.Typer(
    name="assistant",
    cls=Commands,
    help="A chat assistant that remembers you, and lets you see and check what it remembers. Without a command: the screen.",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("ask")(ask.ask)
app.command("setup")(setup.setup)
app.command("doctor")(doctor.doctor)
app.command("demo")(demo.demo)
app.command("eval")(evaluate.evaluate)
app.add_typer(conversations.app, name="conversations")
app.add_typer(memory.app, name="memory")
app.add_typer(models.app, name="models")
app.add_typer(config.app, name="config")


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
    context.obj = Situation(user_folders(home))
    if context.invoked_subcommand is None:
        _screen(situation(context), go_on=go_on)


def _screen(where: Situation, *, go_on: bool) -> None:
    need_terminal()
    from assistant.assembly import open_memory
    from assistant.models.choice import open_model
    from assistant.tui.app import AssistantApp

    screen = AssistantApp(
        where.settings,
        where.folders,
        open_memory=lambda: open_memory(where.settings, where.folders),
        open_model=lambda settings: open_model(settings, where.folders),
        go_on=go_on,
    )
    screen.run()
    if screen.return_code:
        raise typer.Exit(screen.return_code)


def run() -> None:
    """Run the command line; an error of ours ends as its sentence on standard error and its exit code."""
    try:
        app()
    except AssistantError as problem:
        typer.echo(f"assistant: {problem}", err=True)
        sys.exit(problem.exit_code)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception as fault:  # noqa: BLE001  # the last boundary: a fault of ours is a sentence and a file
        typer.echo(write_down(fault, user_folders()), err=True)
        sys.exit(1)
