"""Which judgments are about the same situation: decided when a judgment is stored, kept as its situation number.

Same trigger text -> the same. A differing number, name, date, direction, negation or swapped word -> never the same.
Otherwise the two must be each other's nearest, be found alike by the trained head, and be clear of near misses: where a
sibling that differs for certain lies about as near, it cannot be told which of the two is meant, and nothing is shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from assistant.memory.heads.situation import SituationHead, affinity, differs, features
from assistant.memory.ports import Vectors
from assistant.text import normalise

JOIN = 0.4
"""Probability from which two judgments, each the other's nearest, share a situation. Wrong ones are kept out by nearness."""
CLEAR = 0.1
"""How much nearer than any near miss of its partner a judgment must be."""
SURE = 0.6
"""Affinity from which a third telling joins two that are nearer to each other."""
_NONE = -1.0


@dataclass(frozen=True, slots=True)
class Sight:
    """A judgment as this decision sees it; `vectors` are those of its `views`, shape (3, dimension)."""

    id: int
    situation: int
    trigger: str
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class Placement:
    """`situation`: which one it joins, or None for one of its own. `leaving`: members that fit less well and move out."""

    situation: int | None
    reason: str
    confidence: float
    leaving: tuple[int, ...] = ()


def nearest(new: Sight, others: Iterable[Sight]) -> Sight | None:
    """The one whose neighbours must be known too before `place` can decide."""
    return max(others, key=lambda other: _alike(new, other), default=None)


def place(new: Sight, around: Sequence[Sight]) -> Placement:
    """Where `new` belongs. `around`: the judgments near it, and those near the nearest of them, with all members of their situations."""
    twin = next((other for other in around if normalise(other.trigger) == normalise(new.trigger)), None)
    if twin is not None:
        less_near = [other.id for other in _members(twin, around) if _alike(twin, other) < SURE]
        return Placement(twin.situation, "the same trigger", 1.0, tuple(less_near))
    leaving = _unsure_members(new, around)
    around = [replace(other, situation=-other.id) if other.id in leaving else other for other in around]
    placement = _beside(nearest(new, around), new, around)
    return replace(placement, leaving=leaving + placement.leaving)


def _beside(partner: Sight | None, new: Sight, around: Sequence[Sight]) -> Placement:
    if partner is None or _alike(new, partner) == _NONE:
        return Placement(None, "nothing like it is stored", 1.0)
    probability = _probability(new, partner, around)
    if probability < JOIN:
        return Placement(None, "its nearest neighbour tells of something else", 1 - probability)
    if not _mutual(new, partner, around):
        return Placement(None, "its nearest neighbour has a nearer one", 1 - probability)
    if _doubtful(new, partner, around):
        return Placement(None, "a near miss is about as near", 1 - probability)
    return _join(new, partner, around, probability)


def _unsure_members(new: Sight, around: Sequence[Sight]) -> tuple[int, ...]:
    """Siblings of `new` (alike, but different for certain) that share a situation with something that is about as near to `new`."""
    return tuple(
        sibling.id
        for sibling in around
        if differs(new.trigger, sibling.trigger)
        and any(
            other.situation == sibling.situation
            and normalise(other.trigger) != normalise(sibling.trigger)
            and _alike(new, other) > _alike(sibling, other) - CLEAR
            for other in around
        )
    )


def _join(new: Sight, partner: Sight, around: Sequence[Sight], probability: float) -> Placement:
    """Join the partner's situation. Members that are no alternatives of `new` move out, unless they are the partner's nearer ones."""
    strangers = [
        other
        for other in _members(partner, around)
        if _alike(new, other) == _NONE or _probability(new, other, around) < JOIN
    ]
    if any(_alike(partner, other) >= _alike(new, partner) for other in strangers):
        return Placement(None, "its nearest neighbour has a nearer one", 1 - probability)
    leaving = tuple(other.id for other in strangers)
    return Placement(partner.situation, "told in other words", probability, leaving)


def _alike(one: Sight, other: Sight) -> float:
    return _NONE if differs(one.trigger, other.trigger) else affinity(one.vectors, other.vectors)


def _members(partner: Sight, around: Sequence[Sight]) -> list[Sight]:
    """Those in the partner's situation that were told differently."""
    return [
        other
        for other in around
        if other.situation == partner.situation and normalise(other.trigger) != normalise(partner.trigger)
    ]


def _outside(around: Sequence[Sight], new: Sight, partner: Sight) -> list[Sight]:
    return [other for other in around if other.id != new.id and other.situation != partner.situation]


def _rivals(new: Sight, partner: Sight, around: Sequence[Sight]) -> tuple[float, float]:
    """The best affinity that each of the two has to anything else; alternatives they may join are no rivals when it is sure."""
    sure = _alike(new, partner) >= SURE
    others = (
        _outside(around, new, partner)
        if sure
        else [each for each in around if each.id not in (new.id, partner.id)]
    )
    return (
        max((_alike(new, other) for other in others), default=_NONE),
        max((_alike(partner, other) for other in others), default=_NONE),
    )


def _probability(new: Sight, partner: Sight, around: Sequence[Sight]) -> float:
    return _head().probability(features(new.vectors, partner.vectors, *_rivals(new, partner, around)))


def _mutual(new: Sight, partner: Sight, around: Sequence[Sight]) -> bool:
    return _alike(new, partner) >= max(_rivals(new, partner, around))


def _doubtful(new: Sight, partner: Sight, around: Sequence[Sight]) -> bool:
    """Whether a near miss of one of the two is about as near to the other."""
    alike = _alike(new, partner)
    return any(
        alike - _alike(one, other) < CLEAR
        for one, two in ((new, partner), (partner, new))
        for other in _outside(around, new, partner)
        if differs(two.trigger, other.trigger)
    )


@cache
def _head() -> SituationHead:
    return SituationHead.load()
