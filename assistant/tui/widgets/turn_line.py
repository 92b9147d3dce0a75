"""The quiet line under an answer, and what the marks above it say, in words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant.conversation.events import Answered, Learned, Recalled, Reflected
from assistant.memory.figures import Trace
from assistant.memory.records import MEMORY_ALONE, AnswerState, Episode


@dataclass(frozen=True, slots=True)
class TurnLine:
    """What is known about one answer. `branch` is (place, count) among the versions of the turn, counted from 1."""

    model: str = ""
    seconds: float = 0.0
    tokens: int = 0
    context_used: float = 0.0
    recalled: tuple[int, int, int] = (0, 0, 0)
    """Facts, judgments, past turns that reached the prompt."""
    learned: str = ""
    branch: tuple[int, int] = (1, 1)
    continued: bool = False
    """Whether the answer goes on from one that was cut."""

    @classmethod
    def of(cls, episode: Episode) -> TurnLine:
        return cls(episode.model, episode.seconds, episode.tokens, episode.context_used)

    def with_trace(self, trace: Trace) -> TurnLine:
        """The line of a turn from the memory, with what it drew on and left behind."""
        left = _joined(_learned(trace.learned), _noted(trace.noted))
        return replace(self, recalled=(trace.facts, trace.judgments, trace.episodes), learned=left)

    def with_event(self, event: object) -> TurnLine:
        """The line after one more event of the turn."""
        match event:
            case Recalled(recall=recall):
                groups = (recall.facts, recall.judgments, recall.episodes)
                facts, judgments, turns = (sum(item.fits for item in group) for group in groups)
                return replace(self, recalled=(facts, judgments, turns))
            case Answered(usage=usage):
                return replace(
                    self,
                    model=usage.model,
                    seconds=usage.seconds,
                    tokens=usage.answer_tokens,
                    context_used=usage.context_used,
                )
            case Learned() | Reflected():
                return replace(self, learned=_joined(self.learned, learned_words(event)))
            case _:
                return self

    def words(self) -> str:
        """The line itself: "llama3 · 3.2 s · 41 tok/s · context 12 % · recalled 2 facts · learned 1 fact"."""
        alone = self.model == MEMORY_ALONE
        speed = (
            f"{self.tokens / self.seconds:.0f} tok/s" if self.seconds and self.tokens and not alone else ""
        )
        return _joined(
            "continued" if self.continued else "",
            "from memory alone" if alone else self.model,
            f"{self.seconds:.1f} s" if self.seconds else "",
            speed,
            f"context {self.context_used:.0%}" if self.context_used else "",
            recalled_words(self.recalled),
            self.learned,
        )


def recalled_words(counts: tuple[int, int, int]) -> str:
    named = zip(counts, ("fact", "judgment", "past turn"), strict=True)
    said = [count_of(count, noun) for count, noun in named if count]
    return "recalled " + ", ".join(said) if said else ""


def learned_words(event: Learned | Reflected) -> str:
    """What a turn left behind, or "" when nothing."""
    if isinstance(event, Reflected):
        return _noted(len(event.judgments))
    changed = sum(not entry.action.endswith("noop") for entry in event.changes)
    return _joined(_learned(changed), "hid " + ", ".join(event.masked) if event.masked else "")


def _learned(facts: int) -> str:
    return "learned " + count_of(facts, "fact") if facts else ""


def _noted(judgments: int) -> str:
    return "noted " + count_of(judgments, "judgment") if judgments else ""


def state_words(episode: Episode) -> str:
    """What went wrong with an answer; "" when it is whole."""
    match episode.state:
        case AnswerState.CUT:
            return "Stopped here." if not episode.error else f"Cut short: {episode.error}"
        case AnswerState.FAILED:
            return episode.error or "No answer came."
        case _:
            return ""


def count_of(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)
