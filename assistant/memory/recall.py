"""Plan -> recall: which facts and past turns the prompt gets, within their token budgets, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from assistant.memory.core import Core
from assistant.memory.names import as_spoken_by, named
from assistant.memory.ports import Vector
from assistant.memory.records import Episode, Fact, FactKind, Hit, Recalled
from assistant.memory.store import episodes as store_episodes
from assistant.memory.store import facts as store_facts
from assistant.memory.store import search
from assistant.memory.store.database import Connection
from assistant.memory.store.terms import terms
from assistant.memory.timewords import Side, Times, times_in
from assistant.text import estimate_tokens, normalise

_FACTS = 60
"""Facts looked at for one question."""
_LAST = 2
"""Facts that have ended and come along where no current one matches."""
_FIRST = 5
"""Matching facts that go before pinned ones and standing wishes, so that many wishes cannot crowd out the answer."""
_EPISODES = 8
_SOURCES = 3
"""Facts whose own turns come along when past turns are wanted."""
_IN_TIME = 0.3
"""What a turn gains when it was said at the time that the question names."""
_EVENT = 0.5
"""Score from which a fact tells when something happened."""
EXCERPT = 1200
"""Characters of each side of a turn that a prompt shows."""

MATCHES = "matches the question"
_ROOM = "nothing nearer: comes along while there is room"
_SOURCE = "a fact that bears on the question was learned from it"

# Words that ask for what was true once: only then do ended versions of a fact come along.
_ONCE = re.compile(
    r"\b(?:before|used to|previous(?:ly)?|former(?:ly)?|old|earlier|originally|back then|in the past|no longer|anymore|ever)\b",
    re.IGNORECASE,
)
# What "what did we talk about yesterday?" leaves when its time is taken away: nothing to look for.
_TALK = frozenset(
    terms(
        "talk discuss say said tell told mention chat conversation ask asked speak spoke happen do last time"
    )
)

Pick = tuple[Fact | Episode, Hit, str]


async def recall_facts(core: Core, question: str, vector: Vector) -> tuple[Recalled, ...]:
    """Facts for the question, best first.

    After the best matches by meaning or words come pinned ones and standing wishes, which are always wanted, then further
    matches and the nearest others while the budget lasts: a question seldom names the word that a fact is worded with.
    Facts are current ones, unless the question asks for what was true once; where no current one matches, what was true
    last comes along, with its end ("Where do I live?" after the flat was given up).
    """
    times = await _resolved(core, times_in(question, core.clock()))
    once = times is not None or bool(_ONCE.search(question))
    query = search.Query(question, vector, limit=_FACTS, inactive=once)

    def look(con: Connection) -> list[Pick]:
        ranked = search.rank(con, search.Corpus.FACTS, query)
        over = [] if once or any(supported for _, supported in ranked) else _ended(con, query)
        hits = {hit.id: hit for hit, _ in ranked}
        matching = [hit.id for hit, supported in ranked if supported]
        standing = {fact.version: fact for fact in store_facts.standing(con)}
        found = {fact.version: fact for fact in store_facts.versions(con, list(hits))} | standing
        return over + [
            (
                found[version],
                hits.get(version) or Hit(version, 0.0),
                _why(found[version], matching=version in matching),
            )
            for version in dict.fromkeys([*matching[:_FIRST], *standing, *hits])
            if _counts(found[version], times, matching=version in matching)
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
    """Past turns for the question, best first: those that match by meaning and words, and those that the best of `facts` came from.

    A time in the question lifts the turns said then; where it asks for nothing but a time, it gets the turns of that time.
    """
    question, vector = await _spoken(core, question, vector)
    times = await _resolved(core, times_in(question, core.clock()))
    query = search.Query(question, vector, limit=_EPISODES, conversation=conversation, exclude=exclude)
    sources = _sources(facts, exclude)

    def look(con: Connection) -> Sequence[Pick]:
        if times is not None and _asks_for_time_alone(question, times):
            return _turns_of(con, query, times)
        hits = _hits(con, query, times)
        ids = [*(id_ for id_ in sources if id_ not in hits), *hits]
        return [
            (turn, hits.get(turn.id) or Hit(turn.id, sources[turn.id]), _reason(turn, hits, times))
            for turn in _without_repeats(store_episodes.with_ids(con, ids))
            if conversation in (None, turn.conversation)
        ]

    return _within(core.settings.episode_tokens, await core.db.read(look))


# Facts ------------------------------------------------------------------------------------------------------------------


def _ended(con: Connection, query: search.Query) -> list[Pick]:
    """The best of the facts that match and have ended."""
    ranked = search.rank(con, search.Corpus.FACTS, replace(query, inactive=True))
    hits = {hit.id: hit for hit, supported in ranked if supported}
    over = [fact for fact in store_facts.versions(con, list(hits)) if fact.valid_to is not None]
    return [(fact, hits[fact.version], _why(fact, matching=True)) for fact in over[:_LAST]]


def _why(fact: Fact, *, matching: bool) -> str:
    if fact.valid_to is not None:
        return f"{MATCHES}, true until {fact.valid_to.astimezone():%d %B %Y}"
    if matching:
        return MATCHES
    if fact.pinned:
        return "pinned"
    return "a standing wish" if fact.kind is FactKind.PROCEDURAL else _ROOM


def _counts(fact: Fact, times: Times | None, *, matching: bool) -> bool:
    """A current fact always counts; an ended one only if it matches and was true at some moment of the time asked for."""
    if fact.valid_to is None:
        return True
    if times is None:
        return matching
    begun = times.before is None or fact.valid_from < times.before
    return matching and begun and (times.after is None or fact.valid_to > times.after)


# Turns ------------------------------------------------------------------------------------------------------------------


def _hits(con: Connection, query: search.Query, times: Times | None) -> dict[int, Hit]:
    """Hits by id, best first; those said at the time asked for are looked for on their own too, and lifted."""
    found = {hit.id: hit for hit in search.find(con, search.Corpus.EPISODES, query)}
    if times is not None and (times.after or times.before):
        within = replace(query, after=times.after, before=times.before)
        for hit in search.find(con, search.Corpus.EPISODES, within):
            found[hit.id] = Hit(hit.id, hit.score + _IN_TIME, {**hit.parts, "time": _IN_TIME})
    best = sorted(found.values(), key=lambda hit: -hit.score)[: query.limit]
    return {hit.id: hit for hit in best}


def _asks_for_time_alone(question: str, times: Times) -> bool:
    return not times.event and not set(terms(question.replace(times.phrase, " "))) - _TALK


def _turns_of(con: Connection, query: search.Query, times: Times) -> Sequence[Pick]:
    """The latest turns of a time."""
    turns = store_episodes.said_between(
        con,
        times.after,
        times.before,
        conversation=query.conversation,
        limit=query.limit + len(query.exclude),
    )
    why = f"said {times.phrase}" if times.after or times.before else "among the latest turns"
    return [(turn, Hit(turn.id, 0.0), why) for turn in turns if turn.id not in query.exclude][: query.limit]


def _reason(turn: Episode, hits: dict[int, Hit], times: Times | None) -> str:
    if turn.id not in hits:
        return _SOURCE
    return f"{MATCHES}, said {times.phrase}" if times and "time" in hits[turn.id].parts else MATCHES


def _without_repeats(turns: Iterable[Episode]) -> list[Episode]:
    """A question that was asked again in the same words, and answered the same, comes along once."""
    return list(
        {(normalise(turn.user), normalise(turn.assistant)): turn for turn in reversed(list(turns))}.values()
    )[::-1]


def _sources(facts: Sequence[Recalled], exclude: frozenset[int]) -> dict[int, float]:
    """The turns that the best matching facts came from, with the fact's score."""
    best = [one for one in facts if one.reason == MATCHES][:_SOURCES]
    turns = {one.item.episode: one.score for one in best if isinstance(one.item, Fact)}
    return {turn: score for turn, score in turns.items() if turn is not None and turn not in exclude}


# The question -----------------------------------------------------------------------------------------------------------


async def _spoken(core: Core, question: str, vector: Vector) -> tuple[str, Vector]:
    """The question as the user would put it who is asked about by name ("what did Kit order" -> "what did I order")."""
    known = await core.db.read(lambda con: store_facts.with_key(con, "name", limit=2))
    names = named(
        question, [name for fact in known for name in (fact.value, *fact.value.split()[:1]) if name]
    )
    if not names:
        return question, vector
    spoken = as_spoken_by(question, names)
    return spoken, (await core.embed([spoken]))[0]


async def _resolved(core: Core, times: Times | None) -> Times | None:
    """`times` with an event turned into the moment at which a fact began ("before I moved"); None where no fact tells."""
    if times is None or not times.event:
        return times
    vector = (await core.embed([times.event]))[0]
    query = search.Query(times.event, vector, limit=1, inactive=True)

    def look(con: Connection) -> list[Fact]:
        hits = [hit for hit in search.find(con, search.Corpus.FACTS, query) if hit.score >= _EVENT]
        return store_facts.versions(con, [hit.id for hit in hits])

    facts = await core.db.read(look)
    if not facts:
        return None
    if times.side is Side.BEFORE:
        return replace(times, before=facts[0].valid_from)
    end = facts[0].valid_to if times.side is Side.AT else None
    return replace(times, after=facts[0].valid_from, before=end)


# The budget -------------------------------------------------------------------------------------------------------------


def _within(budget: int, picks: Iterable[Pick]) -> tuple[Recalled, ...]:
    """As many as the budget holds, in this order; the others are named but do not fit."""
    recalled: list[Recalled] = []
    left = budget
    for item, hit, reason in picks:
        tokens = estimate_tokens(shown(item))
        fits = tokens <= left
        left -= tokens if fits else 0
        recalled.append(Recalled(item, hit.score, hit.parts, reason, tokens, fits))
    return tuple(recalled)


def shown(item: Fact | Episode) -> str:
    """What a prompt shows of it: a fact's statement, the beginning of each side of a turn."""
    return item.statement if isinstance(item, Fact) else f"{item.user[:EXCERPT]}\n{item.assistant[:EXCERPT]}"
