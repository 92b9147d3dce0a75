"""`assistant conversations`: which there are, what was said in one, taking one out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.commands.memory import lines
from assistant.commands.memory.parameters import Id, Json, Limit, Query
from assistant.commands.shared import print_record, print_records, with_memory
from assistant.errors import FileError

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine
    from assistant.memory.records import Conversation, Episode

app = typer.Typer(
    help="Which conversations there are, and what was said in them.",
    no_args_is_help=True,
    add_completion=False,
)


@app.command("list")
def list_(
    context: typer.Context,
    query: Query = None,
    archived: Annotated[bool, typer.Option("--archived", help="Also archived ones.")] = False,
    limit: Limit = 50,
    as_json: Json = False,
) -> None:
    """The conversations, pinned ones first; with a query those in which it was spoken of, best first."""
    found = with_memory(context, lambda memory: memory.conversations.list(query, archived=archived))
    print_records(found[:limit], lines.conversation_line, as_json=as_json, nothing="No conversations.")


@app.command("show")
def show(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """A conversation, verbatim, as Markdown."""
    typer.echo(_document(context, number, as_json=as_json), nl=False)


@app.command("export")
def export(
    context: typer.Context,
    number: Id,
    target: Annotated[Path, typer.Argument(help="A new file; JSON where its name ends in .json.")],
) -> None:
    """Write a conversation to a file, as Markdown or JSON."""
    document = _document(context, number, as_json=target.suffix.lower() == ".json")
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(document)
    except OSError as problem:
        raise FileError.of(problem, target) from problem
    typer.echo(f"Conversation {number} is written to {target}.")


@app.command("rename")
def rename(
    context: typer.Context,
    number: Id,
    title: Annotated[str, typer.Argument(help="Its new title.")],
    as_json: Json = False,
) -> None:
    """Give a conversation another title."""
    renamed = with_memory(context, lambda memory: memory.conversations.rename(number, title))
    print_record(renamed, [lines.conversation_line(renamed)], as_json=as_json)


@app.command("archive")
def archive(
    context: typer.Context,
    number: Id,
    off: Annotated[bool, typer.Option("--off", help="Bring it back into the list.")] = False,
    as_json: Json = False,
) -> None:
    """Take a conversation out of the list; what was said in it is still recalled."""
    entry = with_memory(context, lambda memory: memory.conversations.archive(number, not off))
    lines.print_entry(entry, as_json=as_json)


@app.command("delete")
def delete(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """Take a conversation out with all its turns; facts learned from it stay. `assistant memory undo` brings it back."""
    lines.print_entry(
        with_memory(context, lambda memory: memory.conversations.delete(number)), as_json=as_json
    )


def _document(context: typer.Context, number: int, *, as_json: bool) -> str:
    from assistant.conversation import transcript

    async def look(memory: MemoryEngine) -> tuple[list[Episode], Conversation]:
        return await memory.conversations.branch(number), await memory.conversations.get(number)

    turns, conversation = with_memory(context, look)
    return (transcript.as_json if as_json else transcript.as_markdown)(turns, conversation)
