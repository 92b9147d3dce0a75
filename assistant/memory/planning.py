"""Question -> facts only, or facts + episodes? Decided on the device in milliseconds, corrected by the user's own marks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.memory.heads.planning import PlanningHead
from assistant.memory.ports import Vector
from assistant.memory.records import Decider, Decision

_NEAR = 0.75
"""Cosine from which an earlier question counts as similar where the head is at a loss …"""
_NEARER = 0.15
"""… and how much more it takes where the head is certain: reworded questions reach 0.7-0.9, but so do "what's my budget" and "what did I say about my budget"."""
_UNSURE = 0.42
"""From this probability up episodes are included: a missing transcript hurts more than a superfluous one."""


_WORDS = {True: "episodes are needed", False: "facts are enough"}


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

        `vector` is the question's unit vector. The nearest correction in `feedback` decides alone when its
        question is similar: the more certain the head, the more similar it must be.
        """
        started = time.perf_counter()
        probability = self._loaded().probability(question, vector)
        corrected = _nearest(vector, feedback, probability)
        if corrected is not None:
            needs, likeness = corrected
            reason = f"You corrected the plan of a similar question ({likeness:.0%} alike): {_WORDS[needs]}"
            return needs, Decision(Decider.USER, reason, likeness, _milliseconds(started))
        confidence = max(probability, 1 - probability)
        decision = Decision(Decider.ON_DEVICE, _reason(probability), confidence, _milliseconds(started))
        return probability >= _UNSURE, decision

    def _loaded(self) -> PlanningHead:
        if self._head is None:
            self._head = PlanningHead.load()
        return self._head


def _nearest(
    vector: Vector, feedback: Sequence[PlanFeedback], probability: float
) -> tuple[bool, float] | None:
    """The nearest correction and its cosine, if it is near enough to outweigh the head's own probability."""
    if not feedback:
        return None
    likeness = np.stack([mark.vector for mark in feedback]) @ vector
    best = int(np.argmax(likeness))
    certainty = abs(2 * probability - 1)
    near = float(likeness[best]) >= _NEAR + _NEARER * certainty
    return (feedback[best].needs_episodes, min(float(likeness[best]), 1.0)) if near else None


def _reason(probability: float) -> str:
    if probability >= 0.5:
        return "The question is about what was said or done before"
    if probability >= _UNSURE:
        return "The question may be about what was said before; unsure, so episodes are included"
    return "What is known now is enough; the question does not ask about what was said before"


def _milliseconds(started: float) -> float:
    return (time.perf_counter() - started) * 1000
