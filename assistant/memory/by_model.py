"""The memory's decisions, made by a language model: one schema and one constant few-shot prefix for each.

The examples never change, so that a server which caches prompt prefixes reads them once. Every string and list is
bounded, targets are an enum of the ids that were offered, and what is kept must be told in the words of the turn (a small
model copies its examples otherwise, or its own apology). Whatever does not hold raises ModelReplyError, and the caller falls
back. What the device leaves out of a message, pasted and quoted text, no model reads as the user's word either.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from assistant.errors import ModelReplyError
from assistant.memory.extraction.clauses import split_clauses
from assistant.memory.extraction.dates import absolute
from assistant.memory.extraction.passages import own_words
from assistant.memory.heads.language import content
from assistant.memory.ports import ChatModel, Message
from assistant.memory.records import (
    Candidate,
    Decider,
    Decision,
    FactKind,
    JudgmentDraft,
    Operation,
    Route,
)
from assistant.memory.routing import Neighbour
from assistant.text import snake_case

_LONGEST_TURN = 4000
"""Characters of a message that a decision reads; what follows is pasted text more often than not."""

_PLAN_SECONDS = 8.0
"""A plan holds up the answer, so that it may not take longer."""
_IN_OWN_WORDS = 0.6
"""Share of a claim's words that must stand in the turn."""
_OF_THE_FORM = frozenset(content("user wants prefers likes answers has have is no longer any more"))
"""Words that the third person and the form of a fact bring along."""

Line = Annotated[str, Field(max_length=300)]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")


# Planning -----------------------------------------------------------------------------------------------------------


class PlanReply(_Reply):
    reason: Line
    needs_transcript: bool


_PLAN = [
    Message(
        "system",
        "You decide whether answering a message needs the transcript of earlier talks with this user. It does when the "
        "message asks what was said, advised, decided or done before, when, or in which words. It does not for what is "
        "true now (current facts are at hand anyway), general knowledge, or a new task. Reply with JSON.",
    ),
    Message("user", "What's my budget again?"),
    Message("assistant", '{"reason": "asks for a current value", "needs_transcript": false}'),
    Message("user", "Which of the two venues did I say was too loud?"),
    Message("assistant", '{"reason": "asks what was said earlier", "needs_transcript": true}'),
    Message("user", "Write a toast for my brother's wedding"),
    Message("assistant", '{"reason": "a new task", "needs_transcript": false}'),
    Message("user", "Let's go on with the budget sheet where we stopped"),
    Message("assistant", '{"reason": "continues an earlier talk", "needs_transcript": true}'),
]


async def plan(model: ChatModel, question: str) -> tuple[bool, Decision]:
    reply = await model.decide(
        [*_PLAN, Message("user", question[:_LONGEST_TURN])], PlanReply, max_tokens=120, seconds=_PLAN_SECONDS
    )
    return reply.needs_transcript, Decision(Decider.MODEL, reply.reason)


# Extraction ---------------------------------------------------------------------------------------------------------


class FactReply(_Reply):
    statement: Line
    key: Annotated[str, Field(max_length=40)]
    value: Annotated[str, Field(max_length=120)]
    standing_instruction: bool


class FactsReply(_Reply):
    facts: Annotated[list[FactReply], Field(max_length=8)]


_EXTRACT = [
    Message(
        "system",
        "From the user's message, list the facts about the user or their world that will still be true next month: "
        "identity, preferences, constraints, relations, health, tools, plans with a date, standing instructions. Also "
        "list when something is over. Write each as a short sentence in the third person, with a snake_case key and "
        "the value in the user's own words. List nothing for questions, one-off tasks, moods, hypotheticals, quotes, "
        "pasted text, role play, or what only the assistant said. Most messages hold nothing. Reply with JSON.",
    ),
    Message("user", "User: could you proofread this line for me?\nAssistant: Of course, paste it."),
    Message("assistant", '{"facts": []}'),
    Message(
        "user",
        "User: I drive a van for a florist in Ghent, and please answer in Dutch from now on\nAssistant: Doe ik.",
    ),
    Message(
        "assistant",
        '{"facts": [{"statement": "User drives a van for a florist in Ghent", "key": "job", "value": "drives a van for a '
        'florist in Ghent", "standing_instruction": false}, {"statement": "User wants answers in Dutch", "key": '
        '"answer_language", "value": "Dutch", "standing_instruction": true}]}',
    ),
    Message("user", "User: if I had a boat I'd call it Margaret\nAssistant: A fine name."),
    Message("assistant", '{"facts": []}'),
    Message(
        "user",
        "User: we don't have the allotment any more btw. how do I prune a fig?\nAssistant: In late winter.",
    ),
    Message(
        "assistant",
        '{"facts": [{"statement": "User no longer has the allotment", "key": "allotment", "value": "no longer", '
        '"standing_instruction": false}]}',
    ),
]


async def extract(
    model: ChatModel, user: str, assistant: str, said: datetime
) -> tuple[tuple[Candidate, ...], Decision]:
    own = absolute(own_words(user[:_LONGEST_TURN]), said)
    if not own.strip():
        return (), Decision(Decider.RULE, "nothing in the user's own words")
    turn = f"User: {own}\nAssistant: {assistant[:400]}"
    reply = await model.decide([*_EXTRACT, Message("user", turn)], FactsReply, max_tokens=700)
    kept = [fact for fact in reply.facts if told_in(own, fact.statement) and _copied(own, fact.value)]
    reason = f"the model found {len(kept)} durable" + (
        f", {len(reply.facts) - len(kept)} refused: not in the user's words"
        if len(kept) < len(reply.facts)
        else ""
    )
    clauses = [clause.text for clause in split_clauses(own)] or [own]
    candidates = tuple(
        Candidate(
            statement=fact.statement.strip(),
            key=snake_case(fact.key) or "fact",
            value=fact.value.strip(),
            kind=FactKind.PROCEDURAL if fact.standing_instruction else FactKind.SEMANTIC,
            certainty=0.9,
            clause=max(clauses, key=lambda clause: _shared(clause, fact.statement)),
            valid_from=said,
        )
        for fact in kept
    )
    return candidates, Decision(Decider.MODEL, reason)


def told_in(said: str, claim: str) -> bool:
    """The copy guard: most words of `claim` that carry meaning stand in `said`, whatever their endings."""
    return _shared(said, claim) >= _IN_OWN_WORDS


def _copied(said: str, value: str) -> bool:
    """A value may be empty, or so short that it holds no word to look for."""
    return not content(value) or told_in(said, value)


def _shared(said: str, claim: str) -> float:
    """Share of the words of `claim` that carry meaning which stand in `said`, 0 to 1; a word may differ after four letters."""
    there = set(content(said))
    starts = {word[:4] for word in there if len(word) > 3}
    words = [word for word in content(claim) if word not in _OF_THE_FORM]
    return sum(word in there or word[:4] in starts for word in words) / max(len(words), 1)


# Routing ------------------------------------------------------------------------------------------------------------

_ROUTE = [
    Message(
        "system",
        "A new statement by the user meets facts that are stored. Choose one operation. ADD: it tells something the "
        "facts do not hold. UPDATE: it changes, corrects or refines one of them (same person, same matter). DELETE: it "
        "says that one of them is over and nothing replaces it. NOOP: it adds nothing. Another person, place or matter "
        'is ADD. Give the target\'s id for UPDATE and DELETE, otherwise "none". Reply with JSON.',
    ),
    Message(
        "user",
        "Facts:\nf1: User lives in Ghent\nf2: User's sister lives in Namur\nNew: we moved to Liège in spring",
    ),
    Message("assistant", '{"reason": "the user\'s home changed", "operation": "UPDATE", "target": "f1"}'),
    Message("user", "Facts:\nf1: User's sister plays the oboe\nNew: my brother plays the horn"),
    Message("assistant", '{"reason": "another person", "operation": "ADD", "target": "none"}'),
    Message(
        "user", "Facts:\nf1: User rents a garage\nf2: User has a van\nNew: gave up the garage, no need for it"
    ),
    Message("assistant", '{"reason": "the garage is given up", "operation": "DELETE", "target": "f1"}'),
    Message(
        "user", "Facts:\nf1: User is allergic to walnuts\nNew: careful, walnuts make me ill, I'm allergic"
    ),
    Message("assistant", '{"reason": "known already", "operation": "NOOP", "target": "none"}'),
]


async def route(model: ChatModel, candidate: Candidate, neighbours: Sequence[Neighbour]) -> tuple[Route, ...]:
    names = {f"f{place}": neighbour.fact for place, neighbour in enumerate(neighbours, 1)}
    listed = "\n".join(f"{name}: {fact.statement}" for name, fact in names.items()) or "none"
    question = f"Facts:\n{listed}\nNew: {candidate.clause or candidate.statement}"[:_LONGEST_TURN]
    if candidate.clause and candidate.clause != candidate.statement:
        question += f"\nOf this: {candidate.statement}"
    reply = await model.decide(
        [*_ROUTE, Message("user", question)], _route_reply(tuple(names)), max_tokens=160
    )
    operation, target = Operation(reply.operation), names.get(reply.target)
    if operation in (Operation.UPDATE, Operation.DELETE) and target is None:
        raise ModelReplyError(f"The model chose {operation} without naming a fact.")
    decision = Decision(Decider.MODEL, reply.reason)
    replaced = target.id if target is not None and operation in (Operation.UPDATE, Operation.DELETE) else None
    return (Route(operation, replaced, decision),)


class RouteReply(_Reply):
    reason: Line
    operation: Literal["ADD", "UPDATE", "DELETE", "NOOP"]
    target: str


def _route_reply(names: tuple[str, ...]) -> type[RouteReply]:
    """The reply's schema with the offered ids as an enum, so that no other id can be named."""
    offered: Any = Literal[(*names, "none")]
    return create_model("RouteReply", __base__=RouteReply, target=(offered, ...))


# Reflection ---------------------------------------------------------------------------------------------------------


class JudgmentReply(_Reply):
    worth_keeping: bool
    situation: Line
    what_to_do: Line
    why: Line
    domain: Annotated[str, Field(max_length=30)]


_REFLECT = [
    Message(
        "system",
        "Does this exchange hold a judgment worth remembering: how to act in a kind of situation that can come up "
        "again, with a reason? It may be the assistant's advice, the user's decision or a lesson the user learned. Not: "
        "chit-chat, plain information, facts about the user, creative or lookup tasks, advice that guides nothing. "
        "Use the words of the exchange. Reply with JSON.",
    ),
    Message("user", "User: what's the capital of Peru\nAssistant: Lima."),
    Message(
        "assistant",
        '{"worth_keeping": false, "situation": "", "what_to_do": "", "why": "", "domain": ""}',
    ),
    Message(
        "user",
        "User: the varnish on the table stays tacky after two days\nAssistant: Wait a week before a second coat and warm "
        "the room. A coat over tacky varnish seals the solvent in.",
    ),
    Message(
        "assistant",
        '{"worth_keeping": true, "situation": "User\'s varnish stays tacky after two days", "what_to_do": "Wait a week '
        'before a second coat and warm the room", "why": "A coat over tacky varnish seals the solvent in", "domain": '
        '"home repair"}',
    ),
]


async def reflect(model: ChatModel, user: str, assistant: str) -> tuple[tuple[JudgmentDraft, ...], Decision]:
    turn = f"User: {user[:_LONGEST_TURN]}\nAssistant: {assistant[:_LONGEST_TURN]}"
    reply = await model.decide([*_REFLECT, Message("user", turn)], JudgmentReply, max_tokens=400)
    decision = Decision(Decider.MODEL, "the model's reading of the turn")
    if not (reply.worth_keeping and reply.situation.strip() and reply.what_to_do.strip()):
        return (), decision
    if not (told_in(turn, reply.what_to_do) and told_in(turn, reply.situation)):
        raise ModelReplyError("The model's judgment is not in the words of the turn.")
    draft = JudgmentDraft(
        reply.situation.strip(), reply.what_to_do.strip(), reply.why.strip(), reply.domain.strip(), 0.9
    )
    return (draft,), decision
