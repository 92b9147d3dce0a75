"""Is there a judgment in this exchange: how to act in a recurring kind of situation, and why?"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.memory.ports import Embedder
from assistant.memory.records import Decider, Decision, JudgmentDraft


@dataclass(frozen=True, slots=True)
class Reflection:
    """The judgments a turn holds, mostly none, and how that was decided."""

    drafts: tuple[JudgmentDraft, ...]
    decision: Decision


class OnDeviceReflector:
    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def reflect(self, user: str, assistant: str) -> Reflection:
        """At most one judgment, in the words of the turn."""
        return Reflection((), Decision(Decider.ON_DEVICE, "no judgment in this turn"))
