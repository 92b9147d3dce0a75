"""`assistant config`: where the settings are, and what they are."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer

from assistant.commands.shared import situation
from assistant.fields import fields_of

app = typer.Typer(
    help="Where the settings are, and what they are.", no_args_is_help=True, add_completion=False
)


@app.command()
def path(context: typer.Context) -> None:
    """Print the path of the settings file (it need not exist: every setting has a default)."""
    typer.echo(situation(context).folders.config_file)


@app.command()
def show(
    context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False
) -> None:
    """Print every setting with its value in force, as TOML that can be pasted into the file."""
    settings = situation(context).settings
    if as_json:
        typer.echo(json.dumps(asdict(settings), indent=2, default=str, ensure_ascii=False))
        return
    for name in ("model", "memory", "screen"):
        typer.echo(f"[{name}]")
        section = getattr(settings, name)
        for each in fields_of(type(section)):
            typer.echo(f"# {each.description}\n{_line(each.name, getattr(section, each.name))}")
        typer.echo()
    typer.echo("[keys]")
    for action, keys in settings.keys.items():
        typer.echo(_line(json.dumps(action), keys))


def _line(name: str, value: Any) -> str:
    """A setting as TOML; one that is unset as a comment."""
    if value is None:
        return f"# {name} ="
    return f"{name} = {json.dumps(value, default=str, ensure_ascii=False)}"
