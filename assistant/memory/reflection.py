"""Is there a judgment in this exchange: how to act in a recurring kind of situation, and why? In the words of the turn."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assistant.memory.heads import language
from assistant.memory.heads.features import Floats
from assistant.memory.heads.reflection import (
    ReflectionHead,
    Sentence,
    read_sentences,
    sentence_features,
    turn_features,
)
from assistant.memory.ports import Embedder
from assistant.memory.records import Decider, Decision, JudgmentDraft
from assistant.memory.redaction import mask_turn
from assistant.text import clean_text, one_line

_WORTH_KEEPING = 0.5
_GIVES_A_REASON = 0.3
_LONGEST_TRIGGER = 240
_LONGEST_READ = 4000
"""Characters of a message that are read."""
_OPENING = 500
"""Characters of a message whose meaning says what the turn is about; the head learned from shorter ones, and a long answer costs ten times as much."""

_OPENINGS = (
    (re.compile(r"^(?:my|our)\b", re.IGNORECASE), "User's"),
    (re.compile(r"^(?:i'm|i am|im|we're|we are)\b", re.IGNORECASE), "User is"),
    (re.compile(r"^(?:i've|i have|ive|we've|we have)\b", re.IGNORECASE), "User has"),
    (re.compile(r"^(?:i|we) (?=was|had|can|will|would|should)", re.IGNORECASE), "User "),
)
_PRONOUNS = tuple(
    (re.compile(rf"\b{said}\b", re.IGNORECASE), meant)
    for said, meant in (
        ("(?:i'm|i am|we're)", "they are"),
        ("(?:i've|we've)", "they have"),
        ("(?:i'd|we'd)", "they would"),
        ("(?:i'll|we'll)", "they will"),
        ("am i", "are they"),
        ("(?:my|our)", "their"),
        ("(?:me|us)", "them"),
        ("(?:i|we)", "they"),
    )
)
_REPEATED = 0.8
"""Share of an answer's words that stand in the message, from which it is an echo."""


@dataclass(frozen=True, slots=True)
class Reflection:
    """The judgments a turn holds, mostly none, and how that was decided."""

    drafts: tuple[JudgmentDraft, ...]
    decision: Decision


class OnDeviceReflector:
    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def reflect(self, user: str, assistant: str) -> Reflection:
        """At most one judgment. Secrets are masked before anything is read. Raises EmbedderError."""
        read = (clean_text(text)[:_LONGEST_READ] for text in (user, assistant))
        user, assistant = (masked.text for masked in mask_turn(*read))
        if not user.strip() or not assistant.strip():
            return Reflection((), Decision(Decider.RULE, "there is no exchange to learn from"))
        # One at a time: in one batch the short message would be padded to the length of the answer.
        user_vector, assistant_vector = (
            self._embedder.embed([text[:_OPENING]])[0] for text in (user, assistant)
        )
        holds = self._head.holds(turn_features(user, assistant, user_vector, assistant_vector))
        if holds < _WORTH_KEEPING:
            return Reflection((), Decision(Decider.ON_DEVICE, "no judgment in this turn", 1 - holds))
        return self._drafted(user, assistant, self._head.domain(user_vector), holds)

    def _drafted(self, user: str, assistant: str, domain: str, holds: float) -> Reflection:
        sentences = read_sentences(self._embedder, user, assistant)
        seen = [sentence_features(sentence, user, assistant) for sentence in sentences]
        advice = sentences[_best(self._head.advises, seen)]
        if not advice.by_user and _echoes(advice.text, user):
            return Reflection((), Decision(Decider.RULE, "the answer only repeats the message", holds))
        draft = JudgmentDraft(
            trigger=situation_of(user, without=advice.text if advice.by_user else ""),
            judgment=one_line(advice.text),
            reasoning=self._reason(sentences, seen, advice),
            domain=domain,
            certainty=holds,
        )
        source = "the user's own decision or lesson" if advice.by_user else "advice in the answer"
        return Reflection((draft,), Decision(Decider.ON_DEVICE, source, holds))

    def _reason(self, sentences: Sequence[Sentence], seen: Sequence[Floats], advice: Sentence) -> str:
        """The sentence that says why; "" when the advice itself says it, or nothing does."""
        best = _best(self._head.reasons, seen)
        if sentences[best] is advice or self._head.reasons(seen[best]) < _GIVES_A_REASON:
            return ""
        return one_line(sentences[best].text)

    @cached_property
    def _head(self) -> ReflectionHead:
        return ReflectionHead.load()


def situation_of(message: str, *, without: str = "") -> str:
    """The user's message as the situation it tells of: one line about "User", in the third person.

    `without` is a sentence that is left out (it says what to do, not when), unless nothing else would remain.
    """
    rest = one_line(message.replace(without, " ")) if without else one_line(message)
    text = one_line(rest if len(rest.split()) > 3 else message, _LONGEST_TRIGGER)
    for pattern, opening in _OPENINGS:
        if pattern.match(text):
            return opening + _third_person(pattern.sub("", text, count=1))
    return f"User {'asks' if language.asks(text) else 'says'}: {_third_person(text)}"


def _third_person(text: str) -> str:
    for pattern, meant in _PRONOUNS:
        text = pattern.sub(meant, text)
    return text


def _echoes(advice: str, message: str) -> bool:
    """Whether the advice says nothing that the message did not: most of its words stand there."""
    said, asked = set(language.words(advice)), set(language.words(message))
    return len(said & asked) > _REPEATED * len(said)


def _best(score: Callable[[Floats], float], seen: Sequence[Floats]) -> int:
    return int(np.argmax([score(each) for each in seen]))
