"""The memory as a file: backup, restore, reindexing, transcripts brought in from elsewhere."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.commands.progress import counting
from assistant.commands.shared import situation, with_memory
from assistant.text import plural

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine


def backup(
    context: typer.Context,
    target: Annotated[
        Path | None, typer.Argument(help="Where to; default: beside the memory, with the date.")
    ] = None,
) -> None:
    """Copy the memory to a file, compactly."""
    from assistant.assembly import store_path
    from assistant.memory.ports import utc_now
    from assistant.memory.store.backup import default_target

    where = situation(context)
    chosen = target or default_target(store_path(where.settings, where.folders), utc_now())
    with_memory(context, lambda memory: memory.core.db.backup(chosen))
    typer.echo(f"The memory is copied to {chosen}.")


def restore(
    context: typer.Context,
    source: Annotated[Path, typer.Argument(help="A backup.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Put a backup in the place of the memory; what was there is kept beside it."""
    from assistant.assembly import store_path
    from assistant.memory.store import backup as backups

    where = situation(context)
    path = store_path(where.settings, where.folders)
    if path.exists() and not yes and not typer.confirm(f"Put {source} in the place of {path}?"):
        raise typer.Exit(1)
    kept = backups.restore(source, path)
    typer.echo(f"{path} is now what {source} holds." + (f" What was there is {kept}." if kept else ""))


def reindex(context: typer.Context) -> None:
    """Make the memory findable with the embedding model of the settings; interrupted, it goes on where it stopped."""
    from assistant.assembly import open_memory

    where = situation(context)

    async def call() -> int:
        async with await open_memory(where.settings, where.folders, reembed=True) as memory:
            with counting("Indexing") as progress:
                return await memory.core.index_missing(progress)

    done = asyncio.run(call())
    typer.echo(f"Indexed: {plural(done, 'text')}.")


def calibrate(context: typer.Context) -> None:
    """Measure which similarity means "nothing to do with it" for the embedding model, and search by that from now on."""
    measured = with_memory(context, lambda memory: memory.core.calibrate())
    typer.echo(
        f"Unrelated texts have a similarity of {measured.mean:.3f}, give or take {measured.spread:.3f}."
    )


def bring_in(
    context: typer.Context,
    source: Annotated[
        Path, typer.Argument(help="JSON Lines, or an export of ChatGPT, Claude or Open WebUI.")
    ],
    learn: Annotated[bool, typer.Option(help="Learn facts and judgments from the turns, too.")] = True,
) -> None:
    """Bring in transcripts, each turn with its own time; what was brought in before is left out."""
    from assistant.memory.importing import Imported, import_transcripts

    async def work(memory: MemoryEngine) -> Imported:
        with counting("Turns") as progress:
            done = await import_transcripts(
                memory.core, source, learn=learn, progress=lambda here, _: progress(here)
            )
        if learn:
            with counting("Learned from") as progress:
                await memory.catch_up(progress)
        return done

    done = with_memory(context, work)
    known = f" {plural(done.known, 'turn')} came before." if done.known else ""
    typer.echo(f"New: {plural(done.turns, 'turn')} of {plural(done.conversations, 'conversation')}.{known}")
