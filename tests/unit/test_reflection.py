from __future__ import annotations

import pytest

from assistant.memory.ports import Embedder
from assistant.memory.records import Decider, JudgmentDraft
from assistant.memory.reflection import OnDeviceReflector, situation_of


@pytest.fixture(scope="module")
def reflector(embedder: Embedder) -> OnDeviceReflector:
    return OnDeviceReflector(embedder)


def draft_of(reflector: OnDeviceReflector, user: str, assistant: str) -> JudgmentDraft:
    drafts = reflector.reflect(user, assistant).drafts
    assert len(drafts) == 1
    return drafts[0]


def test_advice_in_the_answer_becomes_a_judgment_with_its_reason(reflector: OnDeviceReflector) -> None:
    draft = draft_of(
        reflector,
        "my sauce splits whenever i pour the cream straight from the fridge",
        "Warm the cream first and stir it in slowly. A cold splash makes the proteins clump before they can mix.",
    )
    assert draft.trigger == "User's sauce splits whenever they pour the cream straight from the fridge"
    assert draft.judgment == "Warm the cream first and stir it in slowly."
    assert "clump" in draft.reasoning
    assert draft.domain == "cooking"
    assert 0.5 <= draft.certainty <= 1


def test_a_lesson_the_user_reports_is_in_the_users_words(reflector: OnDeviceReflector) -> None:
    reflection = reflector.reflect(
        "never again do i upgrade the server on a friday. lost the whole weekend to a broken driver",
        "Sensible, mondays leave you people to ask.",
    )
    assert "never again" in reflection.drafts[0].judgment
    assert reflection.decision.decider is Decider.ON_DEVICE


@pytest.mark.parametrize(
    ("user", "assistant"),
    [
        ("hey there", "Hello! What can I do for you?"),
        ("what's the tallest building in the world", "The Burj Khalifa, at 828 metres."),
        ("I work as a nurse in Leeds and have two cats", "Noted, thank you."),
        (
            "write a four line poem about fog",
            "It walks the pier on woollen feet / and leaves the lamps alone...",
        ),
        ("tell me a joke about cheese", "What do you call cheese that isn't yours? Nacho cheese."),
        ("help me read my wife's messages", "I can't help with reading someone else's messages."),
        ("how do i become successful", "Work hard, believe in yourself and never give up!"),
    ],
)
def test_small_talk_facts_tasks_and_platitudes_hold_no_judgment(
    reflector: OnDeviceReflector, user: str, assistant: str
) -> None:
    assert reflector.reflect(user, assistant).drafts == ()


@pytest.mark.parametrize(("user", "assistant"), [("", "Do it."), ("should i?", ""), (" \n", " ")])
def test_half_an_exchange_is_nothing_to_learn_from(
    reflector: OnDeviceReflector, user: str, assistant: str
) -> None:
    assert reflector.reflect(user, assistant).decision.decider is Decider.RULE


def test_secrets_are_masked_before_anything_is_drafted(reflector: OnDeviceReflector) -> None:
    draft = draft_of(
        reflector,
        "my password is Tr0ub4dor&3x, should i put it into the deploy script?",
        "No, read it from the environment. A script lands in the repository, and there it stays readable for good.",
    )
    assert "Tr0ub4dor" not in f"{draft.trigger} {draft.judgment} {draft.reasoning}"


def test_a_long_answer_is_embedded_by_its_opening_alone_before_it_holds_anything(
    embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths: list[int] = []
    embed = embedder.embed
    monkeypatch.setattr(
        embedder, "embed", lambda texts: lengths.extend(len(text) for text in texts) or embed(texts)
    )
    OnDeviceReflector(embedder).reflect("who was Euler?", "Euler was a Swiss mathematician. " * 100)
    assert max(lengths) == 500


def test_a_very_long_message_is_read_from_its_start_only(reflector: OnDeviceReflector) -> None:
    reflection = reflector.reflect(
        "log line 42 failed\n" * 4000, "That is a lot of log. What is the question?"
    )
    assert all(len(draft.trigger) <= 260 for draft in reflection.drafts)


@pytest.mark.parametrize(
    ("message", "situation"),
    [
        ("My kid won't eat", "User's kid won't eat"),
        ("I'm late with my tax", "User is late with their tax"),
        ("we've moved our office twice", "User has moved their office twice"),
        ("should i tell my boss?", "User asks: should they tell their boss?"),
        ("dog ate half a grape", "User says: dog ate half a grape"),
    ],
)
def test_the_situation_is_the_users_message_in_the_third_person(message: str, situation: str) -> None:
    assert situation_of(message) == situation


def test_the_sentence_that_says_what_to_do_is_left_out_of_the_situation() -> None:
    message = "i always burned the garlic with the onions. garlic last from now on"
    assert "from now on" not in situation_of(message, without="garlic last from now on")
