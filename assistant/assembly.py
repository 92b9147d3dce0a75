"""Puts the parts together from the settings: which embedder, which memory file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assistant.config import Settings
from assistant.paths import Folders

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine
    from assistant.memory.ports import ChatModel


def store_path(settings: Settings, folders: Folders) -> Path:
    return settings.memory.store or folders.store


async def open_memory(
    settings: Settings, folders: Folders, model: ChatModel | None = None, *, reembed: bool = False
) -> MemoryEngine:
    """The user's memory. The embedding model is loaded at its first use. Raises StoreError with a sentence.

    `reembed` drops the vectors of another embedding model instead of refusing.
    """
    from assistant.memory.engine import MemoryEngine  # the screen paints before DuckDB is imported
    from assistant.models.embedding import FastEmbedder

    embedder = FastEmbedder(settings.memory.embedding, cache=folders.cache / "embedding")
    return await MemoryEngine.open(
        store_path(settings, folders), embedder, model=model, settings=settings.memory, reembed=reembed
    )
