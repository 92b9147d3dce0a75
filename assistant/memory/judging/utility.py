"""Votes to utility, and relevance x utility: which judgment comes first.

| form | utility of `a` adopted and `c` corrected votes | range |
|---|---|---|
| ratio | a / (a + c), 0 without votes | 0 to 1 |
| Wilson | lower bound W(a, a + c) of the share of adopted votes | 0 to 1 |
| signed Wilson | W(a, a + c) − W(c, a + c): what speaks for it less what speaks against it | −1 to 1 |

W(k, n) is the lower end of the score interval of a share p = k / n (Wilson 1927), with z = 1.44 (85 %, two-sided):
(p + z²/2n − z·sqrt(p(1 − p)/n + z²/4n²)) / (1 + z²/n); 0 without votes. A vote that ages counts 0.5^(age / half-life).

Rank = relevance × (1 + α · utility), α from 0 to 1. Relevance belongs to the situation, evidence to the judgment: see `rank`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from math import sqrt

from assistant.memory.records import Verdict, Vote

Z = 1.44
TRIGGER_SHARE = 0.7
"""How much of a judgment's relevance is its trigger's similarity to the question; the rest is its own text's."""
_RELATED = 0.5
"""Share of another's relevance from which evidence can lift a judgment past it."""
_SECONDS_A_DAY = 86_400


class Form(StrEnum):
    RATIO = "ratio"
    WILSON = "wilson"
    SIGNED_WILSON = "signed-wilson"


@dataclass(frozen=True, slots=True)
class Tally:
    """Votes for and against, each weighted by its age."""

    adopted: float = 0.0
    corrected: float = 0.0

    def utility(self, form: Form = Form.SIGNED_WILSON) -> float:
        """In the range of `form`; 0 without votes."""
        total = self.adopted + self.corrected
        if total <= 0:
            return 0.0
        if form is Form.RATIO:
            return self.adopted / total
        against = wilson(self.corrected, total) if form is Form.SIGNED_WILSON else 0.0
        return wilson(self.adopted, total) - against


def wilson(hits: float, trials: float, z: float = Z) -> float:
    """Lower bound of the share `hits / trials`, 0 to 1; 0 without trials (Wilson 1927)."""
    if trials <= 0:
        return 0.0
    p = hits / trials
    centre = p + z * z / (2 * trials)
    margin = z * sqrt(max(p * (1 - p), 0.0) / trials + z * z / (4 * trials * trials))
    return max(0.0, (centre - margin) / (1 + z * z / trials))


def vote_weight(age_days: float, half_life_days: float) -> float:
    """What a vote of that age counts, 0 to 1. A half-life of 0: votes do not age."""
    return 1.0 if half_life_days <= 0 else 0.5 ** (max(age_days, 0.0) / half_life_days)


def tally(votes: Iterable[Vote], now: datetime, half_life_days: float = 0.0) -> Tally:
    """The votes counted at `now`."""
    counted = dict.fromkeys(Verdict, 0.0)
    for vote in votes:
        age = (now - vote.voted).total_seconds() / _SECONDS_A_DAY
        counted[vote.verdict] += vote_weight(age, half_life_days)
    return Tally(counted[Verdict.ADOPTED], counted[Verdict.CORRECTED])


def boosted(relevance: float, utility: float, weight: float) -> float:
    """relevance × (1 + α · utility), the plain form for one judgment by itself."""
    return relevance * (1 + weight * utility)


@dataclass(frozen=True, slots=True)
class Contender:
    """A judgment that may answer the question. `trigger` and `judgment` are cosines of its texts to the question."""

    id: int
    situation: int
    trigger: float
    judgment: float
    utility: float

    @property
    def relevance(self) -> float:
        """How near it is to the question by itself, −1 to 1."""
        return TRIGGER_SHARE * self.trigger + (1 - TRIGGER_SHARE) * self.judgment


@dataclass(frozen=True, slots=True)
class Placed:
    """A contender with the relevance it shares and the score it ranks by."""

    contender: Contender
    relevance: float
    score: float


def rank(contenders: Sequence[Contender], weight: float) -> list[Placed]:
    """Best first. Relevance picks the situation, evidence picks the judgment within it. `weight` is α, 0 to 1.

    Judgments of one situation share the best relevance among them, so that wording near the question's is no advantage;
    between equals the older comes first. Each place goes to the most relevant judgment left, unless one that proved
    right has a higher score: evidence against an answer does not make the question another one. For the same reason the
    best of several alternatives never falls below their relevance. What is less than half as relevant passes nothing.
    """
    placed = _scored(contenders, weight)
    by_relevance = sorted(placed, key=lambda one: (-one.relevance, -one.contender.utility, one.contender.id))
    proved = [one for one in placed if one.contender.utility > 0]
    by_score = sorted(proved, key=lambda one: (-one.score, one.contender.id))
    order: list[Placed] = []
    taken: set[int] = set()
    for leader in by_relevance:
        while leader.contender.id not in taken:
            floor = _RELATED * leader.relevance
            left = (one for one in by_score if one.contender.id not in taken and one.relevance >= floor)
            passing = next(left, leader)
            best = passing if passing.score > leader.score else leader
            taken.add(best.contender.id)
            order.append(best)
    return order


def _scored(contenders: Sequence[Contender], weight: float) -> list[Placed]:
    shared: dict[int, float] = {}
    alternatives: dict[int, list[float]] = {}
    for each in contenders:
        shared[each.situation] = max(each.relevance, shared.get(each.situation, -1.0))
        alternatives.setdefault(each.situation, []).append(each.utility)
    placed = []
    for each in contenders:
        rivals = alternatives[each.situation]
        best_of_several = len(rivals) > 1 and each.utility == max(rivals)
        utility = max(each.utility, 0.0) if best_of_several else each.utility
        relevance = shared[each.situation]
        placed.append(Placed(each, relevance, boosted(relevance, utility, weight)))
    return placed


def rank_plainly(contenders: Sequence[Contender], weight: float) -> list[Placed]:
    """Best first, each judgment by its own relevance: the published form, without situations."""
    placed = [
        Placed(each, each.relevance, boosted(each.relevance, each.utility, weight)) for each in contenders
    ]
    return sorted(placed, key=lambda one: (-one.score, one.contender.id))
