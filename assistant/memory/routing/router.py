"""Candidate + nearest stored facts -> ADD, UPDATE, DELETE or NOOP, each with its target, its reason and how sure.

Rules settle the clear cases and bound what the routing head may choose; the head weighs all offered facts together.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.memory.heads import language
from assistant.memory.heads.places import in_forms_of
from assistant.memory.heads.reading import Reading, read
from assistant.memory.heads.routing import Options, RoutingHead
from assistant.memory.ports import Embedder
from assistant.memory.records import Candidate, Decider, Decision, Fact, Operation, Route
from assistant.memory.routing.bounds import bounded, normal
from assistant.memory.routing.endings import SUCCESSOR, has_removal_cue
from assistant.memory.routing.evidence import (
    bears_out,
    one_slot,
    tells_no_value,
    tells_nothing_alone,
    weighed_by_end,
    weighed_by_repeat,
    weighed_by_slot,
    weighed_by_succession,
)
from assistant.memory.routing.novelty import difference, repeats, values
from assistant.memory.routing.renewal import renewed
from assistant.memory.routing.values import as_told, exchanged, successors

_SIMILAR = 0.15
"""Cosine below which a fact has nothing to do with the candidate."""
_MOST = 5
"""Facts that are compared."""
_READINGS = 1024
"""Readings of facts kept from turn to turn."""
_ALSO = 0.35
"""Share of what probability the first end leaves, from which a further fact ends with the first ("quit both the choir and the rowing club")."""
_SURE = 0.65
"""From this probability up a fact ends: a fact ended by mistake is missed silently, one kept by mistake is seen and corrected."""
_LIKELY = 0.5
"""From this probability up a fact gives way to one that shares no word with it."""
_LIKELY_END = 0.85
"""The same, for a fact that ends."""
_ALL_OF_THEM = re.compile(
    r"^(?!.*\b(?:stays?|still|keep|keeping|kept|but|except)\b).*\b(?:both|and|all (?:of|three|four|five|my|our))\b",
    re.IGNORECASE | re.DOTALL,
)
_SHOWN = {"weekday": "day", "daytime": "time of day", "site": "place"}
"""Kinds of values by their plain names."""
_DEATH = re.compile(r"\b(?:died|dead|passed (?:away|on)|put .{1,20} down)\b", re.IGNORECASE)
_DISLIKE = re.compile(
    r"\b(?:hate[sd]?|dislikes?|loathes?|can(?:'|’|no)?t stand|(?:gone|went) off|sick of|not a fan)\b"
    r"|\b(?:do|does|did)(?:n't|n’t|nt| not) (?:really )?(?:like|enjoy|care for)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A stored fact near a candidate, with the cosine of their vectors."""

    fact: Fact
    similarity: float


class OnDeviceRouter:
    """Synchronous, no language model: about 2 ms a text that it has not read before, then 1 ms. Use from one thread at a time."""

    def __init__(self, embedder: Embedder, head: RoutingHead | None = None) -> None:
        self._embedder = embedder
        self._head = head
        self._read: OrderedDict[str, Reading] = OrderedDict()

    def route(self, candidate: Candidate, neighbours: Sequence[Neighbour]) -> tuple[Route, ...]:
        """What the candidate does to the store: never empty, targets only among `neighbours`."""
        started = time.perf_counter()
        near = sorted(
            (
                one
                for one in neighbours
                if one.similarity >= _SIMILAR or _names_it_as_old(candidate, one.fact)
            ),
            key=lambda one: -one.similarity,
        )
        held = _as_held(candidate, near[:_MOST])
        routes = _settled(candidate, neighbours) or self._weighed(held, near[:_MOST])
        spent = (time.perf_counter() - started) * 1000
        return tuple(replace(route, decision=replace(route.decision, milliseconds=spent)) for route in routes)

    def _weighed(self, candidate: Candidate, near: Sequence[Neighbour]) -> tuple[Route, ...]:
        if self._head is None:
            self._head = RoutingHead.load()
        clause = candidate.clause or candidate.statement
        facts, similarities = [one.fact for one in near], [one.similarity for one in near]
        said, *held = self._readings(
            [as_told(candidate.statement, clause), *(fact.statement for fact in facts)]
        )
        options = bounded(self._head.options(said, clause, held), candidate, facts)
        options = weighed_by_succession(options, candidate, facts)
        options = _cued(weighed_by_slot(options, candidate, facts, similarities), clause)
        if not _DISLIKE.search(clause):
            options = weighed_by_end(options, clause, facts)
        if candidate.restated:
            options = weighed_by_repeat(options, candidate, facts, similarities)
        first = _likeliest(options, candidate, facts)
        if first.operation is Operation.DELETE:
            first = _confident(first, _chance_of_end(first, options, clause))
        if first.operation is Operation.DELETE and (
            first.decision.confidence < _SURE or _far_fetched(first, candidate, near)
        ):
            first = _likeliest(replace(options, ended=np.zeros_like(options.ended)), candidate, facts)
        if first.operation is Operation.UPDATE and _far_fetched(first, candidate, near):
            first = _route(Operation.ADD, None, _add_reason(facts), 1 - first.decision.confidence)
        empty = tells_no_value if first.operation is Operation.UPDATE else tells_nothing_alone
        if first.operation in (Operation.ADD, Operation.UPDATE) and empty(candidate.statement):
            return (_route(Operation.NOOP, None, "Says nothing by itself", 1.0, Decider.RULE),)
        if first.operation is Operation.UPDATE:
            return (first, *_left_behind(first, candidate, facts))
        if first.operation is Operation.DELETE:
            return (first, *_further_ends(first, options, clause, facts))
        return (first,)

    def _readings(self, texts: Sequence[str]) -> list[Reading]:
        fresh = [text for text in dict.fromkeys(texts) if text not in self._read]
        if fresh:
            self._read.update(zip(fresh, read(fresh, self._embedder), strict=True))
        found = [self._read[text] for text in texts]
        while len(self._read) > _READINGS:
            self._read.popitem(last=False)
        return found


def _settled(candidate: Candidate, neighbours: Sequence[Neighbour]) -> tuple[Route, ...]:
    """Exact repeats and pure questions need no weighing."""
    for one in neighbours:
        if repeats(candidate.statement, one.fact.statement):
            return (_route(Operation.NOOP, one.fact.id, "Already known, word for word", 1.0, Decider.RULE),)
    if language.only_asks(candidate.clause or candidate.statement):
        return (_route(Operation.NOOP, None, "A question states nothing", 1.0, Decider.RULE),)
    return ()


def _as_held(candidate: Candidate, near: Sequence[Neighbour]) -> Candidate:
    """The candidate with its places and peoples told as the facts tell them."""
    facts = [one.fact.statement for one in near]
    statement, clause = (in_forms_of(text, facts) for text in (candidate.statement, candidate.clause))
    return replace(candidate, statement=statement, clause=clause)


def _chance_of_end(first: Route, options: Options, clause: str) -> float:
    """How likely it is that something ends: where several end in one breath, or with one who died, they share the probability."""
    shared = _ALL_OF_THEM.search(clause) or _DEATH.search(clause)
    return float(options.ended.sum()) if shared else first.decision.confidence


def _confident(route: Route, confidence: float) -> Route:
    return replace(route, decision=replace(route.decision, confidence=confidence))


def _names_it_as_old(candidate: Candidate, fact: Fact) -> bool:
    """However far apart the words are: "from Xero to Dinero" is about "User keeps the books in Xero"."""
    return exchanged(candidate.clause or candidate.statement, fact.statement) is not None


def _far_fetched(first: Route, candidate: Candidate, near: Sequence[Neighbour]) -> bool:
    """A fact that shares no word with the candidate, and is not likely to be meant: it is not given up."""
    one = next(one for one in near if one.fact.id == first.target)
    ends = first.operation is Operation.DELETE
    likely = _LIKELY_END if ends else _LIKELY
    return first.decision.confidence < likely and not bears_out(
        candidate, one.fact, one.similarity if ends else 0.0
    )


def _further_ends(first: Route, options: Options, clause: str, facts: Sequence[Fact]) -> Iterator[Route]:
    """The other facts that end in the same breath: likely too, and named by words that the first one does not hold."""
    if not _ALL_OF_THEM.search(clause):
        return
    ended = next(fact for fact in facts if fact.id == first.target)
    said = set(language.content(clause)) - set(language.content(ended.statement))
    enough = _ALSO * (1 - first.decision.confidence)
    for fact, chance in zip(facts, options.ended, strict=True):
        if fact is not ended and chance >= enough and said & set(language.content(fact.statement)):
            yield _route(Operation.DELETE, fact.id, _ends(fact), first.decision.confidence)


def _left_behind(first: Route, candidate: Candidate, facts: Sequence[Fact]) -> Iterator[Route]:
    """Further facts of the slot that an update empties of its old value: "trains at Vim" beside "the gym is Vim, on Main Street"."""
    replaced = next(fact for fact in facts if fact.id == first.target)
    now = renewed(candidate.statement, replaced, candidate.clause)
    gone = values(replaced.statement) - values(now)
    for fact in facts:
        if fact is not replaced and one_slot(replaced, fact) and gone & values(fact.statement):
            reason = f"Ends “{fact.statement}”: it falls with “{replaced.statement}”"
            yield _route(Operation.DELETE, fact.id, reason, first.decision.confidence)


def _cued(options: Options, clause: str) -> Options:
    """Nothing ends without a cue in the user's words; "can't stand it any more" and "switched to tea" tell what holds now."""
    none = np.zeros_like(options.ended)
    if not has_removal_cue(clause):
        return normal(options.add, options.nothing, options.same, options.changed, none)
    if _DISLIKE.search(clause) or SUCCESSOR.search(clause):
        return normal(options.add, options.nothing, options.same, options.changed + options.ended, none)
    return options


def _likeliest(options: Options, candidate: Candidate, facts: Sequence[Fact]) -> Route:
    chances: list[tuple[float, Operation, Fact | None]] = [
        (options.add, Operation.ADD, None),
        (options.nothing + float(options.same.sum()), Operation.NOOP, None),
        *(
            (float(chance), Operation.UPDATE, fact)
            for chance, fact in zip(options.changed, facts, strict=True)
        ),
        *((float(chance), Operation.DELETE, fact) for chance, fact in zip(options.ended, facts, strict=True)),
    ]
    chance, operation, fact = max(chances, key=lambda option: option[0])
    if operation is Operation.NOOP:
        return _route(operation, *_known(options, facts), chance)
    if fact is None:
        return _route(operation, None, _add_reason(facts), chance)
    reason = _ends(fact) if operation is Operation.DELETE else _replaces(candidate, fact)
    return _route(operation, fact.id, reason, chance)


def _replaces(candidate: Candidate, fact: Fact) -> str:
    change = _change(candidate, fact) or "the same matter, told anew"
    return f"Replaces “{fact.statement}”: {change}"


def _change(candidate: Candidate, fact: Fact) -> str:
    """The values that answer one another, in words: "another number (35, not 34)"."""
    said = as_told(candidate.statement, candidate.clause or candidate.statement)
    pairs = successors(said, fact.statement)
    named = (f"another {_SHOWN.get(new.kind, new.kind)} ({new.text}, not {old.text})" for new, old in pairs)
    return ", ".join(named) or difference(said, fact.statement)


def _ends(fact: Fact) -> str:
    return f"Ends “{fact.statement}”: it is said to be over, and nothing takes its place"


def _add_reason(facts: Sequence[Fact]) -> str:
    return f"New: not the same matter as “{facts[0].statement}”" if facts else "New: nothing similar is known"


def _known(options: Options, facts: Sequence[Fact]) -> tuple[int | None, str]:
    """The fact that is repeated, if one is, and the reason."""
    if len(facts) and float(options.same.max()) >= options.nothing:
        fact = facts[int(options.same.argmax())]
        return fact.id, f"Already known: “{fact.statement}”"
    return None, "States nothing new to remember"


def _route(
    operation: Operation,
    target: int | None,
    reason: str,
    confidence: float,
    decider: Decider = Decider.ON_DEVICE,
) -> Route:
    return Route(operation, target, Decision(decider, reason, float(confidence)))
