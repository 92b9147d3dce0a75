"""`assistant memory journal`: every change to the memory."""

from __future__ import annotations

from typing import Annotated

import typer

from assistant.commands.memory import lines
from assistant.commands.memory.parameters import Json, Limit
from assistant.commands.shared import print_records, with_memory
from assistant.memory.records import Subject

app = typer.Typer(help="Every change to the memory.", no_args_is_help=True)


@app.command("list")
def list_(
    context: typer.Context,
    subject: Annotated[Subject | None, typer.Option(help="Only changes to these.")] = None,
    limit: Limit = 50,
    as_json: Json = False,
) -> None:
    """What the memory did, newest first."""
    found = with_memory(context, lambda memory: memory.journal.list(subject=subject, limit=limit))
    print_records(found, lines.entry_line, as_json=as_json, nothing="Nothing has been changed yet.")
