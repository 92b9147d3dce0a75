"""What one turn does to the facts: its candidates held against the store and against one another, in the order they were said."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from assistant.memory.extraction import Extraction
from assistant.memory.extraction.keys import value_of
from assistant.memory.heads import language
from assistant.memory.records import Candidate, Fact, Operation, Route
from assistant.memory.routing import Neighbour
from assistant.memory.routing.evidence import bears_out, one_slot
from assistant.memory.routing.renewal import only_departs, renewed, what_is_left

__all__ = ["routed"]

_CHANGES = (Operation.UPDATE, Operation.DELETE)
_SURE_OF_FAINT = 0.75
"""Probability from which a change counts that was told in words too faint to be kept for themselves."""
_SURE_OF_BARE = 0.85
"""The same, for an update that brings no name, no date and no number in digits."""
_OFFERED = 3
"""Facts that a faint candidate is held against: each may have to be read first."""
_OF_THE_MOMENT = re.compile(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening|week(?:end)?)|early|late|again|without|briefly|almost|nearly"
    r"|for (?:an?|half an|the|two|three) (?:minute|hour|day|bit|while|week|moment)s?)\b",
    re.IGNORECASE,
)
"""Words of an event that passes: told faintly, it ends and changes nothing."""

Routed = list[tuple[Candidate, Route]]


class _Router(Protocol):
    async def route(self, candidate: Candidate, neighbours: Sequence[Neighbour], /) -> tuple[Route, ...]: ...


async def routed(
    extraction: Extraction,
    said: datetime,
    decisions: _Router,
    nearest: Callable[[Candidate], Awaitable[list[Neighbour]]],
) -> Routed:
    """Each candidate with what it does to the store; within the turn the later word on a slot takes the earlier one's place."""
    done: Routed = []
    replaced: list[Fact] = []
    for candidate in extraction.candidates:
        offered = [*_standing(await nearest(candidate), done), *_said_before(candidate, done, said)]
        routes = await decisions.route(candidate, offered)
        for route in sorted(routes, key=lambda route: route.target or 0):
            _enter(done, *_renewed(candidate, route, offered))
            replaced += [
                one.fact for one in offered if route.operation in _CHANGES and one.fact.id == route.target
            ]
    for candidate in extraction.faint:
        standing = _standing(await nearest(candidate), done) if _may_tell_a_change(candidate) else []
        offered = [one for one in standing if bears_out(candidate, one.fact, one.similarity)][:_OFFERED]
        routes = await decisions.route(candidate, offered) if offered else ()
        for route in routes:
            if route.operation in _CHANGES and route.decision.confidence >= _enough(candidate, route):
                _enter(done, *_renewed(candidate, route, offered))
    return [pair for pair in done if not _is_history(pair, replaced)]


def _is_history(pair: tuple[Candidate, Route], replaced: Sequence[Fact]) -> bool:
    """It only tells what became of whom a fact named that this turn has replaced: "Terje moved to Bergen", Ada cooks now."""
    candidate, route = pair
    return route.operation is Operation.ADD and any(
        only_departs(candidate.statement, fact.statement) for fact in replaced
    )


def _renewed(candidate: Candidate, route: Route, offered: Sequence[Neighbour]) -> tuple[Candidate, Route]:
    """The candidate as the new version of the fact that it replaces; the reason says where the rest of the fact stays."""
    replaced = next((one.fact for one in offered if one.fact.id == route.target), None)
    if replaced is not None and route.operation is Operation.DELETE:
        return _shortened(candidate, route, replaced)
    if replaced is None or route.operation is not Operation.UPDATE:
        return candidate, route
    statement = renewed(candidate.statement, replaced, candidate.clause)
    if statement == candidate.statement:
        return candidate, route
    if set(language.content(statement)) - set(language.content(candidate.statement)):
        reason = f"{route.decision.reason}; the rest of it stays"
        route = replace(route, decision=replace(route.decision, reason=reason))
    return replace(candidate, statement=statement, value=value_of(statement, candidate.key)), route


def _shortened(candidate: Candidate, route: Route, ended: Fact) -> tuple[Candidate, Route]:
    """An end of one of two things that the fact tells leaves the other."""
    left = what_is_left(candidate.clause or candidate.statement, ended.statement)
    if not left:
        return candidate, route
    reason = f"Ends a part of “{ended.statement}”; the rest of it stays"
    return (
        replace(candidate, statement=left, key=ended.key, value=value_of(left, ended.key), kind=ended.kind),
        replace(route, operation=Operation.UPDATE, decision=replace(route.decision, reason=reason)),
    )


def _may_tell_a_change(candidate: Candidate) -> bool:
    """A cue of change or end, a number or a date: most of what is told faintly has none, and is not worth a search."""
    if _OF_THE_MOMENT.search(candidate.clause):
        return False
    told = any(language.cue(name, candidate.clause) for name in ("change", "removal"))
    return told or bool(language.numbers(candidate.statement) or language.calendar(candidate.statement))


def _enough(candidate: Candidate, route: Route) -> float:
    brings = re.search(r"\d", candidate.statement) or language.names(candidate.statement)
    bare = route.operation is Operation.UPDATE and not brings and not language.calendar(candidate.statement)
    return _SURE_OF_BARE if bare else _SURE_OF_FAINT


def _standing(neighbours: Sequence[Neighbour], done: Routed) -> list[Neighbour]:
    """Those that this turn has not replaced yet: one fact never gives way to two."""
    replaced = {route.target for _, route in done if route.operation is Operation.UPDATE}
    return [one for one in neighbours if one.fact.id not in replaced]


def _said_before(candidate: Candidate, done: Routed, said: datetime) -> list[Neighbour]:
    """What this turn itself said on the candidate's slot, as facts with the numbers -1, -2, …"""
    return [
        Neighbour(_as_fact(earlier, -1 - place, said), 1.0)
        for place, (earlier, route) in enumerate(done)
        if route.operation in (Operation.ADD, Operation.UPDATE) and one_slot(candidate, earlier)
    ]


def _as_fact(one: Candidate, number: int, said: datetime) -> Fact:
    return Fact(number, number, one.key, one.statement, one.value, one.kind, one.confidence, None, said, said)


def _enter(done: Routed, candidate: Candidate, route: Route) -> None:
    if route.target is not None and route.target < 0:
        _amend(done, -1 - route.target, candidate, route)
        return
    if route.operation is Operation.UPDATE:  # "the old one closed, I go to X now": an end and what follows it
        done[:] = [
            pair for pair in done if (pair[1].operation, pair[1].target) != (Operation.DELETE, route.target)
        ]
    if (route.operation, route.target) not in [
        (Operation.DELETE, earlier.target) for _, earlier in done if earlier.operation is Operation.DELETE
    ]:  # what has ended does not end twice
        done.append((candidate, route))


def _amend(done: Routed, place: int, candidate: Candidate, route: Route) -> None:
    """The turn corrects itself: `candidate` does what the earlier one would have done, or ends it."""
    _, first = done[place]
    if route.operation is Operation.NOOP:
        return
    if route.operation is Operation.UPDATE:
        done[place] = (candidate, first)
    elif first.operation is Operation.UPDATE:
        done[place] = (candidate, replace(first, operation=Operation.DELETE))
    else:
        del done[place]
