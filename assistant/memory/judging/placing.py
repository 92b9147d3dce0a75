"""Finds, in the store, what a new judgment must be compared with, and decides its situation (situations.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from assistant.errors import EmbedderError
from assistant.memory.core import Core
from assistant.memory.heads.situation import differs, views
from assistant.memory.judging.situations import Placement, Sight, nearest, place
from assistant.memory.records import JudgmentDraft
from assistant.memory.store import judgments as store
from assistant.memory.store import search
from assistant.memory.store.database import Connection
from assistant.memory.store.rows import Row
from assistant.text import normalise

_NEIGHBOURS = 8
"""Stored judgments looked at on each side of a pair."""
_REPEAT = 0.92
"""Cosine from which two judgments for one situation are the same advice, where nothing in them differs for certain."""
_NEW = 0
"""Stands for the judgment that has no id yet."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a judgment belongs. `moves`: others that change their situation with it (None: one of their own).

    `known`: a stored judgment that says the same about the same situation.
    """

    situation: int | None = None
    moves: Mapping[int, int | None] = field(default_factory=dict)
    known: Row | None = None


async def find_place(core: Core, draft: JudgmentDraft, *, own: int = _NEW) -> Place:
    """The place of a judgment; `own` is its id where it is stored already (it is being edited).

    When the embedder fails, only the same words are the same situation.
    """
    twins = [
        row
        for row in await core.db.read(lambda con: store.with_trigger(con, draft.trigger))
        if row["id"] != own
    ]
    for twin in twins:
        if normalise(twin["judgment"]) == normalise(draft.judgment):
            return Place(twin["situation"], known=twin)
    try:
        return await _by_meaning(core, draft, own)
    except EmbedderError:
        return Place(twins[0]["situation"] if twins else None)


async def _by_meaning(core: Core, draft: JudgmentDraft, own: int) -> Place:
    row = {
        "id": own,
        "situation": 0,
        "trigger_text": draft.trigger,
        "judgment": draft.judgment,
        "reasoning": draft.reasoning,
    }
    new = (await _sights(core, [row]))[0]
    around = await _around(core, new)
    placement = place(new, around)
    siblings = [other for other in around if other.situation == placement.situation]
    moves = {} if placement.situation is None else await _moves(core, new, placement, around)
    return Place(placement.situation, moves, await _repeated(core, new, draft.judgment, siblings))


async def _moves(
    core: Core, new: Sight, placement: Placement, around: Sequence[Sight]
) -> dict[int, int | None]:
    """Members that leave are placed anew, once, beside the new one."""
    assert placement.situation is not None
    joined = replace(new, situation=placement.situation)
    leaving = [other for other in around if other.id in placement.leaving]
    return {each.id: place(each, [*await _around(core, each), joined]).situation for each in leaving}


async def _repeated(core: Core, new: Sight, judgment: str, siblings: Sequence[Sight]) -> Row | None:
    alike = [other.id for other in siblings if float(new.vectors[1] @ other.vectors[1]) >= _REPEAT]
    found = await core.db.read(lambda con: store.of_ids(con, alike)) if alike else []
    return next((row for row in found if not differs(row["judgment"], judgment)), None)


async def _around(core: Core, new: Sight) -> list[Sight]:
    """The neighbours of a judgment and of the nearest of them, with all members of their situations."""
    first = await _neighbours(core, new)
    partner = nearest(new, first)
    second = [] if partner is None else await _neighbours(core, partner)
    seen = {other.id: other for other in (*first, *second) if other.id != new.id}
    return [seen[each] for each in sorted(seen)]


async def _neighbours(core: Core, new: Sight) -> list[Sight]:
    def look(con: Connection) -> list[Row]:
        hits = [
            hit
            for vector in new.vectors
            for hit in search.similar(con, search.Corpus.JUDGMENTS, vector, limit=_NEIGHBOURS)
        ]
        return store.with_siblings(con, {hit.id for hit in hits} - {new.id})

    found = await core.db.read(look)
    return [sight for sight in await _sights(core, found) if sight.id != new.id]


async def _sights(core: Core, found: Sequence[Row]) -> list[Sight]:
    texts = [text for row in found for text in views(row["trigger_text"], row["judgment"], row["reasoning"])]
    vectors = (await core.embed(texts)).reshape(len(found), 3, core.embedder.dimension)
    return [
        Sight(row["id"], row["situation"], row["trigger_text"], own)
        for row, own in zip(found, vectors, strict=True)
    ]
