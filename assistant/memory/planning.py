"""Question -> facts only, or facts + episodes? Decided on the device in milliseconds, corrected by the user's own marks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.memory.heads.planning import PlanningHead
from assistant.memory.ports import Vector
from assistant.memory.records import Decider, Decision

_NEAR = 0.8
"""Cosine from which an earlier question counts as "similar" to this one."""
_UNSURE = 0.35
"""From this probability up episodes are included: a missing transcript hurts more than a superfluous one."""


@dataclass(frozen=True, slots=True)
class PlanFeedback:
    """A plan that the user marked wrong: the question's vector, and what would have been right."""

    vector: Vector
    needs_episodes: bool


class OnDevicePlanner:
    """The planning head behind the user's own corrections. Pure and synchronous; about a millisecond a question."""

    def __init__(self, head: PlanningHead | None = None) -> None:
        self._head = head

    def plan(
        self, question: str, vector: Vector, feedback: Sequence[PlanFeedback] = ()
    ) -> tuple[bool, Decision]:
        """Whether episodes are needed, and the decision with its reason and probability.

        `vector` is the question's unit vector. The nearest correction in `feedback` decides alone when its question is similar.
        """
        started = time.perf_counter()
        corrected = _nearest(vector, feedback)
        if corrected is not None:
            needs, likeness = corrected
            reason = f"You corrected the plan of a similar question ({likeness:.0%} alike): {_words(needs)}"
            return needs, Decision(Decider.USER, reason, likeness, _milliseconds(started))
        probability = self._loaded().probability(question, vector)
        needs = probability >= _UNSURE
        confidence = max(probability, 1 - probability)
        return needs, Decision(Decider.ON_DEVICE, _reason(probability), confidence, _milliseconds(started))

    def _loaded(self) -> PlanningHead:
        if self._head is None:
            self._head = PlanningHead.load()
        return self._head


def _nearest(vector: Vector, feedback: Sequence[PlanFeedback]) -> tuple[bool, float] | None:
    if not feedback:
        return None
    likeness = np.stack([mark.vector for mark in feedback]) @ vector
    best = int(np.argmax(likeness))
    return (feedback[best].needs_episodes, float(likeness[best])) if likeness[best] >= _NEAR else None


def _reason(probability: float) -> str:
    if probability >= 0.5:
        return "The question is about what was said or done before"
    if probability >= _UNSURE:
        return "The question may be about what was said before; unsure, so episodes are included"
    return "What is known now is enough; the question does not ask about what was said before"


def _words(needs: bool) -> str:  # noqa: FBT001
    return "episodes are needed" if needs else "facts are enough"


def _milliseconds(started: float) -> float:
    return (time.perf_counter() - started) * 1000
