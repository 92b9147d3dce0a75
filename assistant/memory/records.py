"""What the memory is made of. Every record is frozen; times are aware datetimes in UTC; ids are positive integers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

__all__ = [
    "MEMORY_ALONE",
    "ROOT",
    "AnswerState",
    "Candidate",
    "Confidence",
    "Conversation",
    "Decider",
    "Decision",
    "Episode",
    "Fact",
    "FactKind",
    "Hit",
    "JournalEntry",
    "Judgment",
    "JudgmentDraft",
    "Learning",
    "Operation",
    "Plan",
    "Recall",
    "Recalled",
    "Route",
    "Subject",
    "Verdict",
    "Vote",
]


class Decider(StrEnum):
    """Who made a decision."""

    ON_DEVICE = "on-device"
    RULE = "rule"
    MODEL = "model"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Decision:
    """Who decided, why in words, how sure (0 to 1), how long it took, and what went wrong on the way, if anything."""

    decider: Decider
    reason: str
    confidence: float = 1.0
    milliseconds: float = 0.0
    fallback: str = ""
    """Why the model's decision was not used, where it was asked and failed: a sentence for the panels."""


# Episodes: what was said, and when ------------------------------------------------------------------------------------


class AnswerState(StrEnum):
    OPEN = "open"
    """The question is recorded, no answer yet (or the program ended before one)."""
    COMPLETE = "complete"
    CUT = "cut"
    """Stopped by the user, or broken off: what arrived is kept."""
    FAILED = "failed"


NEW_CONVERSATION = "New conversation"
"""What a conversation is called until it has a title: nothing was said in it, or no more than a greeting."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A line of turns. `head` is the newest turn of the branch that is shown."""

    id: int
    title: str
    created: datetime
    updated: datetime
    head: int | None = None
    pinned: bool = False
    archived: bool = False
    model: str = ""
    """Model of this conversation alone; empty: the configured one."""
    temperature: float | None = None
    instructions: str = ""
    turns: int = 0

    @property
    def name(self) -> str:
        """Its title; until a message gives it one, what a new one is called."""
        return self.title or NEW_CONVERSATION


ROOT = 0
"""As the parent of a turn: the beginning of its conversation."""


MEMORY_ALONE = "memory"
"""As the model of a turn: no language model answered, the memory quoted itself."""


@dataclass(frozen=True, slots=True)
class Episode:
    """One turn, verbatim. Turns of a conversation form a tree: an edited or regenerated turn is a sibling of the first."""

    id: int
    conversation: int
    parent: int | None
    user: str
    assistant: str
    said: datetime
    state: AnswerState = AnswerState.COMPLETE
    model: str = ""
    answered: datetime | None = None
    learned: datetime | None = None
    """When facts were extracted from it; None: not yet."""
    archived: bool = False
    tokens: int = 0
    """Tokens of the answer, as the server reported or as counted from the stream."""
    seconds: float = 0.0
    """From sending the prompt to the last token."""
    error: str = ""
    context_used: float = 0.0
    """Part of the model's context that prompt and answer took, 0 to 1; 0 where it is not known."""


# Facts: what is true --------------------------------------------------------------------------------------------------


class FactKind(StrEnum):
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    """How the user wants things done: standing instructions."""
    EPISODIC = "episodic"
    """Durable, but tied to a date: "moved to Leith in May 2024"."""


class Confidence(StrEnum):
    STATED = "stated"
    CONFIRMED = "confirmed"
    """The assistant said it and the user agreed."""
    INFERRED = "inferred"
    EDITED = "edited"
    """Written or changed by the user's own hand in the panel."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One version of a fact. `id` stays over its versions; `version` is this row's own id."""

    id: int
    version: int
    key: str
    statement: str
    value: str
    kind: FactKind
    confidence: Confidence
    episode: int | None
    valid_from: datetime
    """When it became true, as far as known."""
    learned: datetime
    """When the memory learned it."""
    valid_to: datetime | None = None
    """When it stopped being true; None: it is current."""
    pinned: bool = False

    @property
    def current(self) -> bool:
        return self.valid_to is None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A durable fact read from a turn, before it meets the store."""

    statement: str
    """Short, third person: "User lives in Leith"."""
    key: str
    value: str
    kind: FactKind = FactKind.SEMANTIC
    confidence: Confidence = Confidence.STATED
    certainty: float = 1.0
    """The gate's probability that this is durable, 0 to 1."""
    clause: str = ""
    """The user's own words that it was read from; routing looks for removal cues here."""
    valid_from: datetime | None = None
    restated: bool = False
    """The user says that this was told before ("as I said, …"): it repeats a known fact unless a value differs."""


class Operation(StrEnum):
    ADD = "ADD"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    NOOP = "NOOP"


@dataclass(frozen=True, slots=True)
class Route:
    """What a candidate does to the store. `target` is the id of an offered fact for UPDATE and DELETE (and the repeated one for NOOP, if any)."""

    operation: Operation
    target: int | None
    decision: Decision


# Judgments: how to act, and whether that proved right -----------------------------------------------------------------


class Verdict(StrEnum):
    ADOPTED = "adopted"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True)
class Vote:
    """One thumb. `ballot` names the answer it was given on: there is one vote per judgment and ballot."""

    judgment: int
    ballot: str
    verdict: Verdict
    voted: datetime
    correction: str = ""


@dataclass(frozen=True, slots=True)
class Judgment:
    id: int
    trigger: str
    judgment: str
    reasoning: str
    domain: str
    created: datetime
    situation: int
    """Judgments about the same situation share this number; they are alternatives."""
    episode: int | None = None
    adopted: int = 0
    corrected: int = 0
    utility: float = 0.0
    """Signed, in (-1, 1): see memory/judging/utility.py."""
    correction: str = ""
    """The right answer, from the newest thumb down that carried one."""
    archived: bool = False
    merged_into: int | None = None

    @property
    def refuted(self) -> bool:
        return self.corrected > self.adopted


@dataclass(frozen=True, slots=True)
class JudgmentDraft:
    """A judgment read from a turn or written by hand, before it meets the store."""

    trigger: str
    judgment: str
    reasoning: str = ""
    domain: str = ""
    certainty: float = 1.0


# Plan and recall ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plan:
    """Facts only, or facts + episodes?"""

    question: str
    needs_episodes: bool
    decision: Decision
    id: int | None = None
    episode: int | None = None
    marked_wrong: bool = False


class Subject(StrEnum):
    """What a journal entry or a recalled item is about."""

    FACT = "fact"
    JUDGMENT = "judgment"
    EPISODE = "episode"
    PLAN = "plan"
    CONVERSATION = "conversation"


@dataclass(frozen=True, slots=True)
class Hit:
    """A row found by search. `parts` are the named terms that add up to, or explain, `score`."""

    id: int
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recalled:
    """One thing recalled for a turn, with its score, the score's parts, and why it was picked, in words."""

    item: Fact | Judgment | Episode
    score: float
    parts: Mapping[str, float]
    reason: str
    tokens: int = 0
    fits: bool = True
    """False: found, but left out of the prompt because the budget was used up."""

    @property
    def subject(self) -> Subject:
        return {Fact: Subject.FACT, Judgment: Subject.JUDGMENT, Episode: Subject.EPISODE}[type(self.item)]


@dataclass(frozen=True, slots=True)
class Recall:
    """All that was recalled for one question, best first within each kind; `milliseconds` by step."""

    plan: Plan
    facts: tuple[Recalled, ...] = ()
    judgments: tuple[Recalled, ...] = ()
    episodes: tuple[Recalled, ...] = ()
    milliseconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def items(self) -> tuple[Recalled, ...]:
        return self.facts + self.judgments + self.episodes


# Journal --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One change to the memory: what, why, who decided, from which turn. Also what the panels show as learned."""

    id: int
    happened: datetime
    action: str
    """`fact.add`, `fact.update`, `fact.end`, `fact.edit`, `fact.pin`, `fact.forget`, `judgment.add`, `judgment.vote`, `episode.archive`, …, `undo`."""
    subject: Subject
    subject_id: int | None
    summary: str
    """A line for people, secrets masked: "platform: Etsy → Shopify"."""
    decision: Decision
    episode: int | None = None
    undone_by: int | None = None
    """The entry that took this one back."""
    undoes: int | None = None
    before: str = ""
    """The old statement, where one was replaced."""
    after: str = ""
    undoable: bool = True


@dataclass(frozen=True, slots=True)
class Learning:
    """What a turn changed among the facts, in order, and the kinds of secrets that were hidden on the way."""

    changes: tuple[JournalEntry, ...] = ()
    masked: tuple[str, ...] = ()
