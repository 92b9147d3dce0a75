"""What the memory answers with by itself, when no language model is connected."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from assistant.conversation.from_memory import answer_from_memory
from assistant.memory.recall import MATCHES
from assistant.memory.records import Confidence, Decider, Decision, Fact, FactKind, Plan, Recall, Recalled

MAY = datetime(2026, 5, 4, tzinfo=UTC)


def recalled(question: str, *statements: str) -> Recall:
    facts = [
        Fact(n, n, "", text, "", FactKind.SEMANTIC, Confidence.STATED, None, MAY, MAY)
        for n, text in enumerate(statements, 1)
    ]
    return Recall(
        Plan(question, needs_episodes=False, decision=Decision(Decider.RULE, "")),
        tuple(Recalled(fact, 0.6, {}, MATCHES) for fact in facts),
    )


def answered(question: str, *statements: str) -> tuple[str, str]:
    """What is known on the question, and what lies nearest besides."""
    text = answer_from_memory(question, recalled(question, *statements))
    known, _, besides = text.partition("**The nearest that I know besides**")
    return known, besides


def test_anothers_name_is_not_answered_with_the_users_own() -> None:
    known, besides = answered("What is my sister's name?", "User's name is Ada")
    assert "I don't know" in known
    assert "Ada" not in known
    assert "Ada" in besides


@pytest.mark.parametrize(
    "statements",
    [("User's sister is called Lene",), ("User's sister is called Lene", "Lene works in Bergen")],
)
def test_facts_about_the_one_asked_for_are_the_answer(statements: tuple[str, ...]) -> None:
    known, besides = answered("What do you know about my sister?", *statements)
    assert all(statement in known for statement in statements)
    assert besides == ""


def test_a_question_about_nobody_in_particular_gets_all_that_matches() -> None:
    known, _ = answered("Where do I live?", "User lives in Wick", "User's sister lives in Oban")
    assert "Wick" in known
    assert "Oban" in known
