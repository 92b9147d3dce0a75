"""`assistant models`: which models there are, fetching one, choosing one."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from assistant.commands import probe
from assistant.commands.progress import fetching
from assistant.commands.shared import Situation, situation
from assistant.config import ModelKind
from assistant.errors import ModelChoiceError, ModelError
from assistant.models.catalogue import catalogue, fetch

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="The language models on this machine: list, fetch, choose.",
)


app.command("probe")(probe.probe)


@app.command("list")
def list_models(
    context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False
) -> None:
    """What can answer: servers that run here with their models, the one in use, and models that can be fetched."""
    rows = asyncio.run(_rows(situation(context)))
    if as_json:
        typer.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for row in rows:
        typer.echo(f"{'*' if row['in_use'] else ' '} {row['name']:32} {row['where']}")


@app.command("get")
def get(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(help="A name from `assistant models list`, or a fastembed model's name.")
    ] = "",
) -> None:
    """Fetch a model's file, checked by its hash; without a name the small built-in one."""
    folders = situation(context).folders
    entries = catalogue()
    entry = next((entry for entry in entries if entry.id == name), None) if name else entries[0]
    with fetching(f"Fetching {entry.label if entry else name}") as progress:
        if entry:
            typer.echo(asyncio.run(fetch(entry, folders.models, progress)))
            return
        from assistant.models.embedding import FastEmbedder

        FastEmbedder(name, cache=folders.cache / "embedding").fetch(progress)
    typer.echo(f"{name} is here; choose it with memory.embedding in the settings.")


@app.command("use")
def use(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A name from `assistant models list`, or a GGUF file.")] = "",
) -> None:
    """Let a model answer from now on, without a name the small built-in one; it is tried first."""
    typer.echo(asyncio.run(_use(situation(context), name)))


async def _use(where: Situation, name: str) -> str:
    from assistant import setup

    if name in ("", catalogue()[0].id):
        with fetching("Fetching the small model") as progress:
            return await setup.use_small(where.folders, progress)
    if name.endswith(".gguf"):
        return await setup.use_file(where.folders, Path(name))
    rows = [row for row in await _rows(where) if row["name"] == name and row["base_url"]]
    if not rows:
        raise ModelChoiceError(
            f"No model named {name} is here.", hint="`assistant models list` shows those that are."
        )
    key_env = where.settings.model.key_env if rows[0]["base_url"] == where.settings.model.base_url else ""
    return await setup.use_server(where.folders, rows[0]["base_url"], name, key_env=key_env)


async def _rows(where: Situation) -> list[dict[str, Any]]:
    """One row a model: the configured server's first, then servers found here, then the catalogue."""
    chosen = where.settings.model
    served = await _served(where)
    rows = [
        {
            "name": name,
            "where": f"{label} at {base_url}",
            "base_url": base_url,
            "in_use": chosen.kind is ModelKind.SERVER and (base_url, name) == (chosen.base_url, chosen.name),
        }
        for label, base_url, names in served
        for name in names
    ]
    for entry in catalogue():
        here = "here" if entry.is_fetched(where.folders.models) else f"{entry.bytes / 1e6:.0f} MB to fetch"
        used = chosen.kind is ModelKind.EMBEDDED and not chosen.file
        rows.append(
            {"name": entry.id, "where": f"{entry.label}, built in, {here}", "base_url": "", "in_use": used}
        )
    if chosen.kind is ModelKind.EMBEDDED and chosen.file:
        rows.append({"name": chosen.file, "where": "file on this machine", "base_url": "", "in_use": True})
    return rows


async def _served(where: Situation) -> list[tuple[str, str, tuple[str, ...]]]:
    """(label, address, model names) of the configured server, where it answers, and of those found on this machine."""
    from assistant.models.chat import OpenAIChat
    from assistant.models.choice import find_key
    from assistant.models.discovery import find_servers

    chosen = where.settings.model
    found = [(server.label, server.base_url, server.models) for server in await find_servers()]
    if chosen.kind is not ModelKind.SERVER or any(chosen.base_url == base_url for _, base_url, _ in found):
        return found
    model = OpenAIChat(chosen.base_url, key=await asyncio.to_thread(find_key, chosen))
    try:
        return [("server", chosen.base_url, tuple(await model.list_models())), *found]
    except ModelError as problem:
        typer.echo(f"assistant: {problem}", err=True)
        return found
    finally:
        await model.close()
