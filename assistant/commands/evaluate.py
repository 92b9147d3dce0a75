"""`assistant eval`: measure the program's claims on cases that anyone can supply."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer

from assistant.commands.shared import situation

app = typer.Typer(add_completion=False)


@app.command("eval")
def evaluate(
    context: typer.Context,
    suite: Annotated[str, typer.Argument(help="The suite's name; `assistant eval list` prints all.")],
    cases: Annotated[
        Path | None, typer.Option(help="A file of cases; default: the ones that ship, where there are any.")
    ] = None,
    decider: Annotated[
        str,
        typer.Option(
            help="on-device, or model: as the chat decides with the connected language model, which is probed first."
        ),
    ] = "on-device",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Run one suite on a store of its own in a temporary folder, through the same calls as the chat."""
    from assistant.evaluation import runner

    if suite == "list":
        typer.echo("\n".join(f"{name:14} {what}" for name, what in runner.SUITES.items()))
        return
    where = situation(context)
    report = asyncio.run(runner.run(suite, cases, decider, where.settings, where.folders))
    typer.echo(json.dumps(report, ensure_ascii=False, indent=2) if as_json else runner.table(report))
