"""The answer when no language model is connected: what the memory holds on the question, quoted, never invented."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.conversation.prompt import validity
from assistant.memory.heads import language
from assistant.memory.recall import MATCHES
from assistant.memory.records import Episode, Fact, Judgment, Recall, Recalled
from assistant.text import one_line

_ASKS = re.compile(
    r"\?|^\W*(?:who|whom|whose|what|when|where|which|why|how|do|does|did|is|are|am|was|were|can|could|should|would|will|"
    r"have|has|remind|tell|show|list|find|pick up)\b",
    re.IGNORECASE,
)
_MOST_FACTS, _MOST_TURNS, _MOST_JUDGMENTS = 6, 3, 3
_NEAREST = 3
_NOTED = "Noted. No language model is connected, so I keep what you tell me and answer questions from memory alone."
_HEARD = "This conversation is private, so I keep nothing of it; no language model is connected, so I answer questions from memory alone."
_UNKNOWN = (
    "I don't know: nothing that I remember matches this for certain, and no language model is connected. "
    "`assistant setup` connects one, or /setup in the chat."
)
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~])")


def answer_from_memory(question: str, recall: Recall, *, private: bool = False) -> str:
    """Markdown. Says that it comes from memory alone, and "I don't know" where the memory holds nothing on the question."""
    if not _ASKS.search(question):
        return _HEARD if private else _NOTED
    matching = _about_those_asked_for(question, _matching(recall.facts), recall.facts)[:_MOST_FACTS]
    others = [item for item in recall.facts if item not in matching][: max(0, _NEAREST - len(matching))]
    nearest = _section("The nearest that I know besides", [_fact(item.item) for item in others])
    parts = [
        _section("What I know", [_fact(item.item) for item in matching]),
        _section("What was said", [_turn(item.item) for item in _fitting(recall.episodes, _MOST_TURNS)]),
        _section(
            "What proved right or wrong",
            [_judgment(item.item) for item in _fitting(recall.judgments, _MOST_JUDGMENTS)],
        ),
    ]
    opening = "From memory alone, as no language model is connected:" if any(parts) else _UNKNOWN
    return "\n\n".join(filter(None, [opening, *parts, nearest]))


def _matching(facts: tuple[Recalled, ...]) -> list[Recalled]:
    return [item for item in facts if item.reason.startswith(MATCHES)]


def _about_those_asked_for(
    question: str, matching: list[Recalled], known: Sequence[Recalled]
) -> list[Recalled]:
    """Of the facts that match, those that tell of the people in the question: a sister's name is not the user's own.

    A fact tells of someone by their role ("sister") or by a name that a known fact gives to that role.
    """
    asked = language.roles(question)
    if not asked:
        return matching
    theirs = {
        name
        for item in known
        if asked & language.roles(_statement(item))
        for name in language.names(_statement(item))
    }
    return [
        item
        for item in matching
        if asked & language.roles(_statement(item)) or theirs & _words(_statement(item))
    ]


def _statement(item: Recalled) -> str:
    assert isinstance(item.item, Fact)
    return item.item.statement


def _words(text: str) -> set[str]:
    return {word.removesuffix("'s") for word in language.words(text)}


def _fact(item: object) -> str:
    assert isinstance(item, Fact)
    return f"{_plain(item.statement)} ({validity(item)})"


def _turn(item: object) -> str:
    assert isinstance(item, Episode)
    return f"{item.said.astimezone():%d %b %Y, %H:%M}, you: “{_plain(one_line(item.user, 400))}”"


def _judgment(item: object) -> str:
    assert isinstance(item, Judgment)
    line = f"{_plain(item.trigger)}: {_plain(item.judgment)}"
    if item.refuted:
        line += " — **proved wrong**" + (f"; right: {_plain(item.correction)}" if item.correction else "")
    elif item.adopted:
        line += f" — proved right {item.adopted}×"
    return line


def _fitting(items: tuple[Recalled, ...], most: int) -> list[Recalled]:
    return [item for item in items if item.fits][:most]


def _section(title: str, lines: list[str]) -> str:
    return "\n".join([f"**{title}**", "", *(f"- {line}" for line in lines)]) if lines else ""


def _plain(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)
