"""The first setup: what this machine offers, each choice tried before it is saved. The setup screen and `assistant setup` use it.

Every `use_…` function saves the choice into the settings file and returns a sentence that says what answers now; it
raises ModelError, and saves nothing, where a trial fails.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from assistant.config import ModelKind, Settings, load_settings, save_settings
from assistant.errors import ModelChoiceError, ModelError
from assistant.memory.ports import ChatModel, Message
from assistant.models.address import check_address, with_v1
from assistant.models.catalogue import Progress, fetch, small_model
from assistant.models.chat import OpenAIChat
from assistant.models.choice import find_key, open_model, store_key
from assistant.models.discovery import FoundServer, find_servers
from assistant.models.embedded import is_installed
from assistant.paths import Folders

_TRIAL = [Message("user", "Say hello.")]


class Way(StrEnum):
    """What can answer."""

    FOUND = "found"
    """A server that runs on this machine."""
    SMALL = "small"
    """The small built-in model."""
    ADDRESS = "address"
    """A server at an address of the user's own."""
    MEMORY_ONLY = "memory-only"


@dataclass(frozen=True, slots=True)
class Offer:
    """One line of the setup: `title` names it, `note` says what it means; `usable` is False where `note` says what is missing."""

    way: Way
    title: str
    note: str
    usable: bool = True
    server: FoundServer | None = None


async def offers(folders: Folders) -> list[Offer]:
    """What can be chosen here, best first. Takes under a second; asks nothing beyond this machine."""
    servers = await find_servers()
    return [
        *(_found(server) for server in servers if server.models),
        _small(folders),
        Offer(Way.ADDRESS, "Another server", "Any OpenAI-compatible address, with or without a key."),
        Offer(Way.MEMORY_ONLY, "Memory only", "No model: answers with what it remembers, and says so."),
    ]


async def use_best(folders: Folders, progress: Progress) -> str:
    """The first offer that works without a question: a found server, the small model, else memory only."""
    reasons: list[str] = []
    for offer in await offers(folders):
        if offer.way is Way.ADDRESS or not offer.usable:
            continue
        try:
            chosen = await use_offer(folders, offer, progress)
        except ModelError as problem:
            reasons.append(problem.message)
        else:
            return " ".join([*reasons, chosen])
    raise AssertionError("memory only always works")


async def use_offer(folders: Folders, offer: Offer, progress: Progress) -> str:
    """Take up an offer other than an address of one's own."""
    if offer.server is not None:
        return await use_server(folders, offer.server.base_url, offer.server.models[0])
    if offer.way is Way.SMALL:
        return await use_small(folders, progress)
    return use_memory_only(folders)


async def use_server(
    folders: Folders, base_url: str, name: str = "", *, key_env: str = "", key: str = ""
) -> str:
    """A server; `name` "" takes its first model. A missing `/v1` is put in; a `key` goes into the system keyring."""
    address = check_address(base_url)
    held = key or await asyncio.to_thread(_known_key, folders, address, key_env)
    address, names = await _listed(address, held)
    chosen = _among(names, name) if name else names[0]
    if not chosen:
        raise ModelChoiceError(
            f"{address} has no model named {name}.", hint=f"It has: {', '.join(names[:8])}."
        )
    model = OpenAIChat(address, chosen, held)
    try:
        await _try(model)
    finally:
        await model.close()
    if key:
        await asyncio.to_thread(store_key, address, key)
    _save(folders, kind=ModelKind.SERVER, base_url=address, name=chosen, key_env=key_env)
    return f"{chosen} at {address} answers."


async def use_small(folders: Folders, progress: Progress) -> str:
    """The small built-in model, fetched where it is missing."""
    if not is_installed():
        raise ModelError(
            "The built-in model needs an extra that is not installed.", hint="pip install 'assistant[local]'"
        )
    entry = small_model()
    await fetch(entry, folders.models, progress)
    await _use_embedded(folders, "")
    return (
        f"{entry.label} answers, on this machine alone. It is good for a try; a larger model answers better."
    )


async def use_file(folders: Folders, file: Path) -> str:
    """Any GGUF file, run by the embedded server."""
    path = await asyncio.to_thread(lambda: file.expanduser().absolute())
    await _use_embedded(folders, str(path))
    return f"{path.stem} answers, on this machine alone."


def use_memory_only(folders: Folders) -> str:
    _save(folders, kind=ModelKind.MEMORY_ONLY)
    return "No model answers: replies come from memory alone. `assistant setup` connects one at any time."


def _found(server: FoundServer) -> Offer:
    others = len(server.models) - 1
    more = f", and {others} more" if others else ""
    return Offer(
        Way.FOUND, f"{server.models[0]} on {server.label}", f"Runs at {server.base_url}{more}.", server=server
    )


def _small(folders: Folders) -> Offer:
    entry = small_model()
    title = f"{entry.label}, built in"
    if not is_installed():
        return Offer(Way.SMALL, title, "Needs an extra: pip install 'assistant[local]'.", usable=False)
    if entry.is_fetched(folders.models):
        return Offer(Way.SMALL, title, "Is here already; works offline.")
    return Offer(Way.SMALL, title, f"Fetches {entry.bytes / 1e6:.0f} MB once; works offline afterwards.")


def _known_key(folders: Folders, address: str, key_env: str) -> str:
    settings = load_settings(folders.config_file)
    return find_key(replace(settings.model, base_url=address, key_env=key_env))


async def _listed(address: str, key: str) -> tuple[str, list[str]]:
    """The address under which the server lists models, and their names; `/v1` is tried where it is missing."""
    try:
        return address, await _names(address, key)
    except ModelError:
        longer = with_v1(address)
        if longer is None:
            raise
        return longer, await _names(longer, key)


def _among(names: list[str], name: str) -> str:
    """`name` as the server lists it, "" where it does not; Ollama lists llama3.2 as llama3.2:latest."""
    return next((each for each in (name, f"{name}:latest") if each in names), "")


async def _names(address: str, key: str) -> list[str]:
    model = OpenAIChat(address, key=key)
    try:
        return await model.list_models()
    finally:
        await model.close()


async def _use_embedded(folders: Folders, file: str) -> None:
    settings = load_settings(folders.config_file)
    chosen = replace(settings.model, kind=ModelKind.EMBEDDED, file=file)
    async with open_model(Settings(model=chosen), folders) as model:
        assert model is not None
        await _try(model)
    _save(folders, kind=ModelKind.EMBEDDED, file=file)


async def _try(model: ChatModel) -> None:
    """The first piece of an answer is proof enough; closing the stream frees the server."""
    async with aclosing(model.talk(_TRIAL, max_tokens=32)) as pieces:
        await anext(pieces)


def _save(folders: Folders, **chosen: Any) -> None:
    """The choice alone, and nothing left over from an earlier one."""
    earlier = dict.fromkeys(("base_url", "name", "key_env", "file"))
    kept = {name: str(value) for name, value in chosen.items() if value}
    save_settings(folders.config_file, {"model": {**earlier, **kept}})
