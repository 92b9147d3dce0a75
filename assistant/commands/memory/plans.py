"""`assistant memory plans`: which plan was made for which question."""

from __future__ import annotations

import typer

from assistant.commands.memory import lines
from assistant.commands.memory.parameters import Id, Json, Limit
from assistant.commands.memory.taking_back import undo_command
from assistant.commands.shared import print_record, print_records, with_memory
from assistant.memory.records import Subject

app = typer.Typer(help="Which plan was made for which question.", no_args_is_help=True)


@app.command("list")
def list_(context: typer.Context, limit: Limit = 50, as_json: Json = False) -> None:
    """The newest plans."""
    found = with_memory(context, lambda memory: memory.plans.list(limit=limit))
    print_records(found, lines.plan_line, as_json=as_json, nothing="No plans.")


@app.command("show")
def show(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """A plan."""
    plan = with_memory(context, lambda memory: memory.plans.get(number))
    print_record(plan, [lines.plan_line(plan)], as_json=as_json)


@app.command("wrong")
def wrong(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """Mark a plan as wrong: similar questions are planned the other way from now on."""
    lines.print_entry(with_memory(context, lambda memory: memory.plans.mark_wrong(number)), as_json=as_json)


undo_command(app, Subject.PLAN)
