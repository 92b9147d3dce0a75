"""Undo and forget, alike for every kind of memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assistant.commands.memory import lines
from assistant.commands.memory.parameters import Id, Json
from assistant.commands.shared import with_memory
from assistant.errors import MemoryInputError
from assistant.memory.records import JournalEntry, Subject

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine

_ALL = 100_000


def undo(
    context: typer.Context,
    number: Annotated[
        int | None, typer.Argument(help="The journal entry; without it the newest that can be undone.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Take back a change."""
    lines.print_entry(with_memory(context, lambda memory: memory.undo(number)), as_json=as_json)


def undo_command(group: typer.Typer, subject: Subject) -> None:
    """Give `group` an `undo NUMBER` that takes back the newest change to that one."""

    def undo_newest(context: typer.Context, number: Id, as_json: Json = False) -> None:
        async def work(memory: MemoryEngine) -> JournalEntry:
            for entry in await memory.journal.list(subject=subject, limit=_ALL):
                if entry.subject_id == number and entry.undoable and entry.undoes is None:
                    return await memory.undo(entry.id)
            raise MemoryInputError(f"Nothing was done to {subject} {number} that can be undone.")

        lines.print_entry(with_memory(context, work), as_json=as_json)

    group.command("undo", help=f"Take back the newest change to this {subject}.")(undo_newest)


def forget_command(group: typer.Typer, subject: Subject) -> None:
    """Give `group` a `forget NUMBER`."""

    def forget(
        context: typer.Context,
        number: Id,
        yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
        as_json: Json = False,
    ) -> None:
        question = f"Erase {subject} {number} and every copy of it? This cannot be undone later."
        if not yes and not typer.confirm(question):
            raise typer.Exit(1)
        lines.print_entry(
            with_memory(context, lambda memory: memory.forget(subject, number)), as_json=as_json
        )

    group.command("forget", help=f"Erase this {subject} with every copy and what was derived from it alone.")(
        forget
    )
