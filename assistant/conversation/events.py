"""One turn as typed events, in the order in which they happen. The screen and `assistant ask` read the same stream.

Planned -> Recalled -> (Thinking | Delta)* -> Answered -> Learned -> Reflected
Notice anywhere; Failed instead of Answered when no answer could be had.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.memory.ports import Message
from assistant.memory.records import Episode, JournalEntry, Judgment, Plan, Recall


@dataclass(frozen=True, slots=True)
class Planned:
    plan: Plan


@dataclass(frozen=True, slots=True)
class Recalled:
    recall: Recall
    prompt: tuple[Message, ...] = ()
    """The prompt as it will be sent; empty when the answer comes from memory alone."""


@dataclass(frozen=True, slots=True)
class Thinking:
    text: str


@dataclass(frozen=True, slots=True)
class Delta:
    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """`model` is "memory" when no language model answered."""

    model: str
    seconds: float = 0.0
    first_token_seconds: float = 0.0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    context_tokens: int = 0

    @property
    def context_used(self) -> float:
        """Part of the model's context that prompt and answer took, 0 to 1; 0 where it is not known."""
        if not self.context_tokens:
            return 0.0
        return min(1.0, (self.prompt_tokens + self.answer_tokens) / self.context_tokens)


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer is complete (or cut: see `episode.state`) and recorded."""

    episode: Episode
    usage: Usage


@dataclass(frozen=True, slots=True)
class Learned:
    """What the turn changed among the facts; `changes` is empty when it held nothing durable. `masked` names secrets that were hidden."""

    changes: tuple[JournalEntry, ...]
    masked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reflected:
    judgments: tuple[Judgment, ...]
    changes: tuple[JournalEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user should know; nothing is lost and the turn goes on."""

    text: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The model gave no (whole) answer. `episode` keeps the prompt and what arrived; `text` says what failed, `hint` what to try."""

    text: str
    hint: str = ""
    episode: Episode | None = None
    exit_code: int = 1
    """That of the error which it tells of, for a command to end with."""


TurnEvent = Planned | Recalled | Thinking | Delta | Answered | Learned | Reflected | Notice | Failed
