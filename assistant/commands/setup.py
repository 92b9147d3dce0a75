"""`assistant setup`: choose what answers. Each choice is tried before it is saved."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from assistant.commands.progress import fetching
from assistant.commands.shared import situation
from assistant.errors import UsageError
from assistant.paths import Folders

app = typer.Typer(add_completion=False)


@app.command("setup")
def setup(
    context: typer.Context,
    yes: Annotated[
        bool,
        typer.Option(
            "--yes", "-y", help="Ask nothing: a server found here, else the small model, else memory only."
        ),
    ] = False,
    server: Annotated[str, typer.Option(help="Address of an OpenAI-compatible server.")] = "",
    model: Annotated[str, typer.Option(help="Name of its model; without it the first it lists.")] = "",
    key_env: Annotated[
        str, typer.Option(help="Environment variable that holds the server's key; only its name is saved.")
    ] = "",
    store_key: Annotated[
        bool, typer.Option("--store-key", help="Ask for the server's key and keep it in the system keyring.")
    ] = False,
    memory_only: Annotated[
        bool, typer.Option("--memory-only", help="No model: answer from memory alone.")
    ] = False,
) -> None:
    """Choose what answers: a server found on this machine, the small built-in model, a server elsewhere, or memory alone."""
    from assistant import setup as logic

    folders = situation(context).folders
    if server and memory_only:
        raise UsageError("--server and --memory-only contradict each other.", hint="Give one of them.")
    if (model or key_env or store_key) and not server:
        raise UsageError(
            "--model, --key-env and --store-key say more about a server.", hint="Add --server URL."
        )
    if store_key and key_env:
        raise UsageError("--store-key and --key-env contradict each other.", hint="Give one of them.")
    if memory_only:
        typer.echo(logic.use_memory_only(folders))
    elif server:
        key = typer.prompt("Key", hide_input=True) if store_key else ""
        typer.echo(asyncio.run(logic.use_server(folders, server, model, key_env=key_env, key=key)))
    elif yes:
        with fetching("Fetching the small model") as progress:
            said = asyncio.run(logic.use_best(folders, progress))
        typer.echo(said)
    else:
        typer.echo(_ask(folders))


def _ask(folders: Folders) -> str:
    """Show the offers, numbered, and take up the one that is chosen."""
    from assistant import setup as logic

    listed = asyncio.run(logic.offers(folders))
    for number, offer in enumerate(listed, 1):
        typer.echo(f"{number}  {offer.title}\n   {offer.note}")
    usable = [number for number, offer in enumerate(listed, 1) if offer.usable]
    number = typer.prompt("What shall answer?", type=int, default=usable[0])
    if number not in usable:
        raise UsageError(f"{number} cannot be chosen here.", hint=f"Possible: {', '.join(map(str, usable))}.")
    offer = listed[number - 1]
    if offer.way is logic.Way.ADDRESS:
        address = typer.prompt("Address, e.g. http://localhost:11434/v1")
        key = typer.prompt("Key (empty: none)", hide_input=True, default="", show_default=False)
        return asyncio.run(logic.use_server(folders, address, key=key))
    with fetching("Fetching the small model") as progress:
        return asyncio.run(logic.use_offer(folders, offer, progress))
