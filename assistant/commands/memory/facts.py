"""`assistant memory facts`: what is true."""

from __future__ import annotations

from typing import Annotated

import typer

from assistant.commands.memory import lines
from assistant.commands.memory.parameters import Id, Json, Limit, Query
from assistant.commands.memory.taking_back import forget_command, undo_command
from assistant.commands.shared import print_record, print_records, with_memory
from assistant.memory.records import Subject

app = typer.Typer(help="What is true.", no_args_is_help=True)


@app.command("list")
def list_(
    context: typer.Context,
    query: Query = None,
    history: Annotated[bool, typer.Option("--history", help="Also those that are no longer true.")] = False,
    limit: Limit = 200,
    as_json: Json = False,
) -> None:
    """The facts that hold, pinned ones first."""
    found = with_memory(context, lambda memory: memory.facts.list(query, history=history, limit=limit))
    print_records(found, lines.fact_line, as_json=as_json, nothing="No facts.")


@app.command("show")
def show(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """A fact with all its versions, oldest first."""
    versions = with_memory(context, lambda memory: memory.facts.history(number))
    print_record(versions, map(lines.version_line, versions), as_json=as_json)


@app.command("add")
def add(
    context: typer.Context,
    statement: Annotated[str, typer.Argument(help='What is true: "User lives in Leith".')],
    key: Annotated[
        str, typer.Option(help="What it is about, snake_case; found from the statement unless given.")
    ] = "",
    value: Annotated[str, typer.Option(help="The value alone.")] = "",
    as_json: Json = False,
) -> None:
    """Add a fact by hand."""
    lines.print_entry(
        with_memory(context, lambda memory: memory.facts.add(statement, key=key, value=value)),
        as_json=as_json,
    )


@app.command("edit")
def edit(
    context: typer.Context,
    number: Id,
    statement: Annotated[str | None, typer.Option(help="The new statement.")] = None,
    key: Annotated[str | None, typer.Option(help="The new key.")] = None,
    value: Annotated[str | None, typer.Option(help="The new value.")] = None,
    as_json: Json = False,
) -> None:
    """Change a fact; the version before stays in its history."""
    entry = with_memory(
        context, lambda memory: memory.facts.edit(number, statement=statement, key=key, value=value)
    )
    lines.print_entry(entry, as_json=as_json)


@app.command("pin")
def pin(
    context: typer.Context,
    number: Id,
    off: Annotated[bool, typer.Option("--off", help="Unpin.")] = False,
    as_json: Json = False,
) -> None:
    """Pin a fact: it always comes along."""
    lines.print_entry(with_memory(context, lambda memory: memory.facts.pin(number, not off)), as_json=as_json)


forget_command(app, Subject.FACT)
undo_command(app, Subject.FACT)
