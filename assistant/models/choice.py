"""The model that the settings choose, open for as long as it is used; and where its key is found."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from assistant.config import ModelKind, ModelSettings, Settings
from assistant.errors import ModelError
from assistant.memory.ports import ChatModel
from assistant.models.address import is_loopback
from assistant.models.catalogue import catalogue, small_model
from assistant.models.chat import OpenAIChat
from assistant.models.embedded import run_embedded
from assistant.paths import Folders

KEYRING_SERVICE = "assistant"


@asynccontextmanager
async def open_model(settings: Settings, folders: Folders) -> AsyncIterator[ChatModel | None]:
    """The chosen model, or None where answers come from memory alone. Raises ModelError with a sentence.

    A server is not contacted before the first question; the embedded model is loaded here (1 to 3 seconds for the small one).
    """
    chosen = settings.model
    if chosen.kind is ModelKind.SERVER:
        key = await asyncio.to_thread(find_key, chosen)
        async with _chat(chosen.base_url, chosen.name, key, chosen) as model:
            yield model
    elif chosen.kind is ModelKind.EMBEDDED:
        async with _open_embedded(chosen, folders) as model:
            yield model
    else:
        yield None


def find_key(chosen: ModelSettings) -> str:
    """The key for a server, "" for none.

    Looked for in the variable that `key_env` names, in the system keyring under the server's address, and for servers
    elsewhere in OPENAI_API_KEY. Raises ModelError where a named variable is not set.
    """
    if chosen.key_env:
        key = os.environ.get(chosen.key_env, "").strip()
        if not key:
            raise ModelError(
                f"The environment variable {chosen.key_env}, which should hold the model's key, is not set.",
                hint=f"export {chosen.key_env}=… and start again. `assistant setup` chooses another.",
            )
        return key
    if is_loopback(chosen.base_url):
        return _from_keyring(chosen.base_url)
    return _from_keyring(chosen.base_url) or os.environ.get("OPENAI_API_KEY", "").strip()


def store_key(base_url: str, key: str) -> None:
    """Keep a server's key in the system keyring. Raises ModelError where there is none that keeps it."""
    import keyring

    try:
        keyring.set_password(KEYRING_SERVICE, base_url, key)
        kept = keyring.get_password(KEYRING_SERVICE, base_url)
    except Exception:  # noqa: BLE001  # each backend has errors of its own, and so has a backend that is not there
        kept = None
    if kept != key:
        raise ModelError(
            "This machine has no keyring that could keep the key.",
            hint="An environment variable can hold it. `assistant setup --key-env NAME` names one.",
        )


def model_file(chosen: ModelSettings, folders: Folders) -> Path:
    """The GGUF file of the embedded model."""
    return Path(chosen.file).expanduser() if chosen.file else small_model().path(folders.models)


@asynccontextmanager
async def _open_embedded(chosen: ModelSettings, folders: Folders) -> AsyncIterator[OpenAIChat]:
    file = model_file(chosen, folders)
    known = next((entry for entry in catalogue() if entry.file == file.name), None)
    if known:
        fitting = min(chosen.context_tokens, known.context_tokens)
        chosen = replace(chosen, context_tokens=fitting)
    log = folders.logs / "embedded-model.log"
    async with (
        run_embedded(file, alias=file.stem, context_tokens=chosen.context_tokens, log=log) as running,
        _chat(
            running.base_url, file.stem, running.key, chosen, own=known.label if known else file.stem
        ) as model,
    ):
        yield model


@asynccontextmanager
async def _chat(
    base_url: str, name: str, key: str, chosen: ModelSettings, *, own: str = ""
) -> AsyncIterator[OpenAIChat]:
    """The client, prepared; `own` is the display name of a model that runs in a process of ours."""
    model = OpenAIChat(
        base_url,
        name,
        key,
        context_tokens=chosen.context_tokens,
        max_tokens=chosen.max_tokens,
        temperature=chosen.temperature,
        label=own,
        own_process=bool(own),
    )
    await model.prepare()
    try:
        yield model
    finally:
        await model.close()


def _from_keyring(base_url: str) -> str:
    import keyring

    try:
        return keyring.get_password(KEYRING_SERVICE, base_url) or ""
    except Exception:  # noqa: BLE001  # none on this machine, locked, or broken in its own way: the same as no key
        return ""
