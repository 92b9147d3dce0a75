"""Transcripts into the store, a batch and a commit at a time: an import that was interrupted goes on where it stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from assistant.memory.core import Core
from assistant.memory.importing import formats
from assistant.memory.importing.transcript import Transcript, Turn
from assistant.memory.ports import Embedder
from assistant.memory.store import imports, search
from assistant.memory.windows import episode_windows

_BATCH = 64
"""Turns embedded and committed together."""
_SORT_FROM = 5_000
"""New turns after which sorting the words index pays."""

Keyed = tuple[str, Transcript, Turn]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: conversations and turns that were new, and turns that were there already."""

    conversations: int
    turns: int
    known: int


async def import_transcripts(
    core: Core,
    path: Path,
    *,
    learn: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Imported:
    """Bring the conversations in `path` into the memory, each turn verbatim with its own time, and findable.

    Turns that were imported before are left out, also those that were forgotten since. `learn` leaves the new ones to be
    learned from; without it they count as learned from already. `progress` gets the turns done and how many there are to do.
    Raises MemoryInputError, EmbedderError, StoreError; what was committed before stays.
    """
    keyed = [
        (key, transcript, turn)
        for transcript in await asyncio.to_thread(formats.read, path)
        for key, turn in zip(transcript.keys(), transcript.turns, strict=True)
    ]
    known = await core.db.read(lambda con: imports.known(con, [key for key, _, _ in keyed]))
    new = [item for item in keyed if item[0] not in known]
    learned = None if learn else core.clock()
    conversations = 0
    for start in range(0, len(new), _BATCH):
        turns = await asyncio.to_thread(_embedded, core.embedder, new[start : start + _BATCH])
        conversations += await core.db.write(partial(imports.add, turns=turns, learned=learned))
        if progress is not None:
            progress(start + len(turns), len(new))
    if len(new) >= _SORT_FROM:
        await core.db.write(search.tidy)
    return Imported(conversations, len(new), len(keyed) - len(new))


def _embedded(embedder: Embedder, items: Sequence[Keyed]) -> list[imports.NewTurn]:
    windows = [episode_windows(turn.user, turn.assistant) for _, _, turn in items]
    vectors = embedder.embed([window for turn in windows for window in turn])
    turns = []
    start = 0
    for (key, transcript, turn), parts in zip(items, windows, strict=True):
        end = start + len(parts)
        turns.append(
            imports.NewTurn(
                key,
                transcript.source,
                transcript.title,
                turn.user,
                turn.assistant,
                turn.said,
                turn.model,
                vectors[start:end],
            )
        )
        start = end
    return turns
