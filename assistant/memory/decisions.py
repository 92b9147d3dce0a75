"""Who decides. Each decision is made on the device; a language model that proved better at it is asked where the device
is less sure than that model is likely to be right.

A model's reply that is late, cut, empty or does not fit falls back to the on-device decision, and the Decision says
so in `fallback`, which the panels show.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from time import perf_counter
from typing import TypeVar

from assistant.config import MemorySettings
from assistant.errors import ModelError
from assistant.memory import by_model
from assistant.memory.extraction import Extraction, OnDeviceExtractor
from assistant.memory.planning import OnDevicePlanner, PlanFeedback
from assistant.memory.ports import ChatModel, Embedder, Vector
from assistant.memory.records import Candidate, Decider, Decision, Episode, Operation, Route
from assistant.memory.redaction import mask_turn
from assistant.memory.reflection import OnDeviceReflector, Reflection
from assistant.memory.routing import Neighbour, OnDeviceRouter
from assistant.memory.routing.endings import has_removal_cue

Made = TypeVar("Made")


class Matter(StrEnum):
    """What is decided."""

    PLANNING = "planning"
    EXTRACTION = "extraction"
    ROUTING = "routing"
    REFLECTION = "reflection"


class Decisions:
    """The four decisions of a turn."""

    def __init__(self, embedder: Embedder, settings: MemorySettings, model: ChatModel | None = None) -> None:
        self.embedder = embedder
        self.settings = settings
        self.model = model
        self.trust: Mapping[Matter, float] = {}
        """How likely the connected model is right, 0 to 1, in each matter in which it proved better than the device."""
        self._planner = OnDevicePlanner()
        self._extractor = OnDeviceExtractor(embedder)
        self._router = OnDeviceRouter(embedder)
        self._reflector = OnDeviceReflector(embedder)

    def asking(self, model: ChatModel | None) -> Decisions:
        """The same deciders, with `model` (or none) asked however sure the device is: what a probe compares."""
        settings = replace(self.settings, ask_model=True, plan_with_model=True)
        other = Decisions(self.embedder, settings, model)
        other.trust = dict.fromkeys(Matter, math.inf)
        return other

    async def plan(
        self, question: str, vector: Vector, feedback: Sequence[PlanFeedback] = ()
    ) -> tuple[bool, Decision]:
        started = perf_counter()
        needs, decision = await asyncio.to_thread(self._planner.plan, question, vector, feedback)
        model = self._asked(Matter.PLANNING, decision)
        if model is not None and self.settings.plan_with_model:
            (needs, decision), failure = await _try(lambda: by_model.plan(model, question), (needs, decision))
            decision = self._weighed(Matter.PLANNING, decision, failure)
        return needs, replace(decision, milliseconds=_since(started))

    async def extract(self, episode: Episode, before: Sequence[Episode] = ()) -> Extraction:
        """`before` are the turns before, oldest first: a bare "yes" confirms the last answer, and a "she" may be whom they spoke of."""
        started = perf_counter()
        found = await asyncio.to_thread(
            self._extractor.extract,
            episode.user,
            episode.assistant,
            episode.said,
            asked=before[-1].assistant if before else "",
            earlier="\n".join(turn.user for turn in before),
        )
        model = self._asked(Matter.EXTRACTION, found.decision)
        if model is not None:
            user, assistant = await asyncio.to_thread(_without_secrets, episode)

            async def ask() -> Extraction:
                candidates, decision = await by_model.extract(model, user, assistant, episode.said)
                return Extraction(candidates, found.masked, decision)

            found, failure = await _try(ask, found)
            found = replace(found, decision=self._weighed(Matter.EXTRACTION, found.decision, failure))
        return replace(found, decision=replace(found.decision, milliseconds=_since(started)))

    async def route(self, candidate: Candidate, neighbours: Sequence[Neighbour]) -> tuple[Route, ...]:
        started = perf_counter()
        routes = await asyncio.to_thread(self._router.route, candidate, neighbours)
        model = self._asked(Matter.ROUTING, *(route.decision for route in routes))
        failure = ""
        if model is not None:
            routes, failure = await _try(lambda: _guarded(model, candidate, neighbours), routes)
        taken = _since(started)
        return tuple(
            replace(
                route,
                decision=replace(self._weighed(Matter.ROUTING, route.decision, failure), milliseconds=taken),
            )
            for route in routes
        )

    async def reflect(self, episode: Episode) -> Reflection:
        started = perf_counter()
        user, assistant = await asyncio.to_thread(_without_secrets, episode)
        found = await asyncio.to_thread(self._reflector.reflect, user, assistant)
        model = self._asked(Matter.REFLECTION, found.decision)
        if model is not None:

            async def ask() -> Reflection:
                drafts, decision = await by_model.reflect(model, user, assistant)
                return Reflection(drafts, decision)

            found, failure = await _try(ask, found)
            found = replace(found, decision=self._weighed(Matter.REFLECTION, found.decision, failure))
        return replace(found, decision=replace(found.decision, milliseconds=_since(started)))

    def _asked(self, matter: Matter, *made: Decision) -> ChatModel | None:
        """The model, where it may decide and is likelier to be right than the device. What a rule settled stays."""
        settled = any(decision.decider is not Decider.ON_DEVICE for decision in made)
        sure = min(decision.confidence for decision in made)
        asked = self.settings.ask_model and not settled and sure < self.trust.get(matter, 0.0)
        return self.model if asked else None

    def _weighed(self, matter: Matter, decision: Decision, failure: str) -> Decision:
        """A model's decision is as sure as the model proved to be; the device's own says why the model's was not used."""
        if decision.decider is not Decider.MODEL:
            return replace(decision, fallback=failure)
        return replace(decision, confidence=min(self.trust[matter], 1.0))


async def _guarded(
    model: ChatModel, candidate: Candidate, neighbours: Sequence[Neighbour]
) -> tuple[Route, ...]:
    """The model's routes; a removal without a removal cue in the user's words is refused, since it erases the wrong fact."""
    routes = await by_model.route(model, candidate, neighbours)
    if any(route.operation is Operation.DELETE for route in routes) and not has_removal_cue(
        candidate.clause or candidate.statement
    ):
        raise ModelError(
            "The model wanted to remove a fact, but the message does not say that anything is over."
        )
    return routes


async def _try(ask: Callable[[], Awaitable[Made]], otherwise: Made) -> tuple[Made, str]:
    """What the model decided, or `otherwise` with a sentence that says why the model's word was not used."""
    try:
        return await ask(), ""
    except ModelError as problem:
        return otherwise, f"Decided on the device: {problem}"


def _without_secrets(episode: Episode) -> tuple[str, str]:
    user, assistant = mask_turn(episode.user, episode.assistant)
    return user.text, assistant.text


def _since(started: float) -> float:
    return (perf_counter() - started) * 1000
