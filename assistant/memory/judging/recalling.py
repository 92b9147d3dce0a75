"""Which judgments a question recalls: those of its situation, what proved right first."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.memory.core import Core
from assistant.memory.judging.utility import Contender, Placed, rank
from assistant.memory.ports import Vector
from assistant.memory.records import Judgment, Recalled
from assistant.memory.store import judgments as store
from assistant.memory.store import search
from assistant.memory.store.database import Connection
from assistant.memory.store.rows import Row

RELATED = 0.25
"""Shared relevance below which a situation is not the question's: nonsense recalls nothing."""
_LOOKED_AT = 60
_MOST = 8
_CHARACTERS_A_TOKEN = 4


async def recall_judgments(core: Core, vector: Vector) -> list[Recalled]:
    """Best first, at most 8; those beyond the token budget are marked as not fitting."""
    found = await contenders(core, vector)
    judgments = {contender.id: judgment for contender, judgment in found}
    placed = rank([contender for contender, _ in found], core.settings.utility_weight)
    related = [one for one in placed if one.relevance >= RELATED][:_MOST]
    return _within_budget(related, judgments, core.settings.judgment_tokens)


async def contenders(
    core: Core, vector: Vector, *, domain: str = "", limit: int = _LOOKED_AT
) -> list[tuple[Contender, Judgment]]:
    """The judgments nearest to `vector` by trigger or text, with all alternatives of their situations."""

    def look(con: Connection) -> list[tuple[Contender, Judgment]]:
        hits = search.similar(con, search.Corpus.JUDGMENTS, vector, limit=limit, domain=domain)
        found = store.with_siblings(con, [hit.id for hit in hits])
        kept = [row for row in found if not domain or row["domain"] == domain]
        return paired(con, core, vector, kept)

    return await core.db.read(look)


def paired(
    con: Connection, core: Core, vector: Vector, found: Sequence[Row]
) -> list[tuple[Contender, Judgment]]:
    """Rows as contenders for the question with that vector; those without vectors yet are left out."""
    cosines = store.cosines(con, vector, [row["id"] for row in found])
    judgments = store.records(con, found, core.clock(), core.settings.vote_half_life_days)
    return [
        (Contender(each.id, each.situation, *cosines[each.id], each.utility), each)
        for each in judgments
        if each.id in cosines
    ]


def _within_budget(placed: Sequence[Placed], judgments: dict[int, Judgment], budget: int) -> list[Recalled]:
    recalled: list[Recalled] = []
    used = 0
    for one in placed:
        judgment = judgments[one.contender.id]
        tokens = _tokens(judgment)
        fits = used + tokens <= budget
        used += tokens if fits else 0
        recalled.append(Recalled(judgment, one.score, _parts(one), _reason(one, judgment), tokens, fits))
    return recalled


def _parts(one: Placed) -> dict[str, float]:
    return {
        "relevance": one.relevance,
        "trigger": one.contender.trigger,
        "judgment": one.contender.judgment,
        "utility": one.contender.utility,
    }


def _reason(one: Placed, judgment: Judgment) -> str:
    cast = judgment.adopted + judgment.corrected
    shared = one.relevance > one.contender.relevance
    situation = "an alternative for a situation like this" if shared else "the situation is like this"
    if not cast:
        return f"{situation}; not verified yet"
    if judgment.refuted:
        return f"{situation}; proved wrong {judgment.corrected} of {cast} times"
    return f"{situation}; proved right {judgment.adopted} of {cast} times"


def _tokens(judgment: Judgment) -> int:
    texts = (judgment.trigger, judgment.judgment, judgment.reasoning, judgment.correction)
    return sum(map(len, texts)) // _CHARACTERS_A_TOKEN + 12
