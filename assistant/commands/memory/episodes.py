"""`assistant memory episodes`: what was said."""

from __future__ import annotations

from typing import Annotated

import typer

from assistant.commands.memory import lines
from assistant.commands.memory.parameters import Id, Json, Limit, Query
from assistant.commands.memory.taking_back import forget_command, undo_command
from assistant.commands.shared import print_record, print_records, with_memory
from assistant.memory.records import Subject

app = typer.Typer(help="What was said.", no_args_is_help=True)


@app.command("list")
def list_(
    context: typer.Context,
    query: Query = None,
    conversation: Annotated[int | None, typer.Option(help="Only this conversation.")] = None,
    archived: Annotated[bool, typer.Option("--archived", help="Also archived ones.")] = False,
    limit: Limit = 50,
    as_json: Json = False,
) -> None:
    """Past turns."""
    found = with_memory(
        context,
        lambda memory: memory.episodes.list(query, conversation=conversation, archived=archived, limit=limit),
    )
    print_records(found, lines.episode_line, as_json=as_json, nothing="No turns.")


@app.command("show")
def show(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """A turn, verbatim."""
    episode = with_memory(context, lambda memory: memory.episodes.get(number))
    print_record(
        episode, [lines.episode_line(episode), "", episode.user, "", episode.assistant], as_json=as_json
    )


@app.command("archive")
def archive(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """Take a turn out of default recall; it stays searchable with --archived."""
    lines.print_entry(with_memory(context, lambda memory: memory.episodes.archive([number])), as_json=as_json)


@app.command("unarchive")
def unarchive(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """Bring an archived turn back."""
    lines.print_entry(
        with_memory(context, lambda memory: memory.episodes.unarchive([number])), as_json=as_json
    )


forget_command(app, Subject.EPISODE)
undo_command(app, Subject.EPISODE)
