"""`assistant config`: where the settings are, and what they are."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from assistant.commands.shared import situation

app = typer.Typer(help="Where the settings are, and what they are.", no_args_is_help=True)


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
        typer.echo(settings.model_dump_json(indent=2))
        return
    for name, value in settings:
        typer.echo(f"[{name}]")
        fields = type(value).model_fields if hasattr(type(value), "model_fields") else {}
        for field, content in dict(value).items():
            if field in fields and fields[field].description:
                typer.echo(f"# {fields[field].description}")
            shown = json.dumps(
                content if content is None else getattr(content, "value", content),
                default=str,
                ensure_ascii=False,
            )
            typer.echo(f"# {field} =" if content is None else f"{field} = {shown}")
        typer.echo()
