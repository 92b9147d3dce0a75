"""Plan -> recall: which facts and past turns the prompt gets, within their token budgets, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.memory.core import Core
from assistant.memory.ports import Vector
from assistant.memory.records import Episode, Fact, FactKind, Hit, Recalled
from assistant.memory.store import episodes as store_episodes
from assistant.memory.store import facts as store_facts
from assistant.memory.store import search
from assistant.memory.store.database import Connection
from assistant.text import estimate_tokens

_FACTS = 60
"""Facts looked at for one question."""
_EPISODES = 8
_SOURCES = 3
"""Facts whose own turns come along when past turns are wanted."""

MATCHES = "matches the question"
_ROOM = "nothing nearer: comes along while there is room"

Pick = tuple[Fact | Episode, Hit, str]


async def recall_facts(core: Core, question: str, vector: Vector) -> tuple[Recalled, ...]:
    """Current facts for the question, best first.

    Those that match by meaning or words come first, then pinned ones and standing wishes, which are always wanted, then
    the nearest others while the budget lasts: a question seldom names the word that a fact is worded with.
    """
    query = search.Query(question, vector, limit=_FACTS)

    def look(con: Connection) -> list[Pick]:
        matching = {hit.id: hit for hit in search.find(con, search.Corpus.FACTS, query)}
        near = {hit.id: hit for hit in search.similar(con, search.Corpus.FACTS, vector, limit=_FACTS)}
        wanted = [fact for fact in store_facts.listing(con, limit=_FACTS) if _always(fact)]
        ids = dict.fromkeys([*matching, *(fact.version for fact in wanted), *near])
        return [
            (fact, matching.get(fact.version) or near.get(fact.version) or Hit(fact.version, 0.0), reason)
            for fact in store_facts.versions(con, list(ids))
            for reason in [MATCHES if fact.version in matching else _always(fact) or _ROOM]
        ]

    return _within(core.settings.fact_tokens, await core.db.read(look))


async def recall_episodes(
    core: Core,
    question: str,
    vector: Vector,
    facts: Sequence[Recalled] = (),
    *,
    conversation: int | None = None,
    exclude: frozenset[int] = frozenset(),
) -> tuple[Recalled, ...]:
    """Past turns for the question, best first: those that match by meaning and words, and those that the best of `facts` came from."""
    query = search.Query(question, vector, limit=_EPISODES, conversation=conversation, exclude=exclude)
    sources = _sources(facts, exclude)

    def look(con: Connection) -> list[Pick]:
        hits = {hit.id: hit for hit in search.find(con, search.Corpus.EPISODES, query)}
        ids = [*(id_ for id_ in sources if id_ not in hits), *hits]
        return [
            (
                turn,
                hits.get(turn.id) or Hit(turn.id, sources[turn.id]),
                MATCHES if turn.id in hits else _SOURCE,
            )
            for turn in store_episodes.with_ids(con, ids)
            if conversation in (None, turn.conversation)
        ]

    return _within(core.settings.episode_tokens, await core.db.read(look))


_SOURCE = "a fact that bears on the question was learned from it"


def _always(fact: Fact) -> str:
    if fact.pinned:
        return "pinned"
    return "a standing wish" if fact.kind is FactKind.PROCEDURAL else ""


def _sources(facts: Sequence[Recalled], exclude: frozenset[int]) -> dict[int, float]:
    """The turns that the best matching facts came from, with the fact's score."""
    best = [one for one in facts if one.reason == MATCHES][:_SOURCES]
    turns = {one.item.episode: one.score for one in best if isinstance(one.item, Fact)}
    return {turn: score for turn, score in turns.items() if turn is not None and turn not in exclude}


def _within(budget: int, picks: Iterable[Pick]) -> tuple[Recalled, ...]:
    """As many as the budget holds, in this order; the others are named but do not fit."""
    recalled: list[Recalled] = []
    left = budget
    for item, hit, reason in picks:
        text = item.statement if isinstance(item, Fact) else f"{item.user}\n{item.assistant}"
        tokens = estimate_tokens(text)
        fits = tokens <= left
        left -= tokens if fits else 0
        recalled.append(Recalled(item, hit.score, hit.parts, reason, tokens, fits))
    return tuple(recalled)
