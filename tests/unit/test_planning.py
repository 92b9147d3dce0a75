"""Facts only, or facts + episodes? Questions of our own; real embedder, real weights."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.memory.heads.talk import turns_of_phrase, unquoted
from assistant.memory.planning import OnDevicePlanner, PlanFeedback
from assistant.memory.records import Decider
from assistant.models.embedding import FastEmbedder


@pytest.fixture(scope="session")
def planner() -> OnDevicePlanner:
    return OnDevicePlanner()


@pytest.fixture
def needs(planner: OnDevicePlanner, embedder: FastEmbedder):
    return lambda question: planner.plan(question, embedder.embed([question])[0])[0]


class FixedHead:
    def __init__(self, chance: float) -> None:
        self.chance = chance

    def probability(self, question, vector) -> float:
        return self.chance


@pytest.mark.parametrize(
    "question",
    [
        "What exactly did I say when I mentioned the budget?",
        "which soup recipe did you give me last tuesday",
        "did we ever decide on a name for the kayak?",
        "let's carry on with the eulogy where we stopped",
        "how often have I complained to you about the lift",
        "Have I told you about my aunt's bakery before?",
    ],
)
def test_questions_about_what_was_said_need_episodes(needs, question: str) -> None:
    assert needs(question)


@pytest.mark.parametrize(
    "question",
    [
        "What platform am I on, and what is my budget?",
        "what's my shoe size again",
        "write a toast for a silver wedding",
        "What did Newton say about comets?",
        "and in Danish?",
        "tell me the history of the umbrella",
        "my last message was nonsense, ignore it",
        "I got the flat in Nairn!",
    ],
)
def test_current_values_new_tasks_and_the_worlds_past_need_facts_only(needs, question: str) -> None:
    assert not needs(question)


def test_unsure_means_episodes_are_included_and_the_reason_says_so(embedder: FastEmbedder) -> None:
    vector = embedder.embed(["that thing with the kayak"])[0]
    included, decision = OnDevicePlanner(FixedHead(0.42)).plan("that thing with the kayak", vector)
    assert included
    assert "unsure" in decision.reason
    assert decision.confidence == pytest.approx(0.58)
    assert decision.decider is Decider.ON_DEVICE


def test_a_correction_decides_the_same_question_at_once_however_sure_the_head(embedder: FastEmbedder) -> None:
    vector = embedder.embed(["what about the kayak"])[0]
    head = OnDevicePlanner(FixedHead(0.001))
    assert not head.plan("what about the kayak", vector)[0]
    included, decision = head.plan(
        "what about the kayak", vector, [PlanFeedback(vector, needs_episodes=True)]
    )
    assert included
    assert decision.decider is Decider.USER
    assert "corrected" in decision.reason


def test_the_nearest_of_several_corrections_decides(embedder: FastEmbedder) -> None:
    asked, near, far = embedder.embed(
        [
            "what's new with the kayak repair?",
            "what is new with the kayak repair",
            "what's new with the school fees",
        ]
    )
    marks = [PlanFeedback(far, needs_episodes=False), PlanFeedback(near, needs_episodes=True)]
    assert OnDevicePlanner(FixedHead(0.2)).plan("what's new with the kayak repair?", asked, marks)[0]


def test_a_correction_of_another_question_changes_nothing(embedder: FastEmbedder) -> None:
    asked, other = embedder.embed(["how do I boil rice", "who was at the meeting in Turin"])
    marks = [PlanFeedback(other, needs_episodes=True)]
    assert not OnDevicePlanner(FixedHead(0.1)).plan("how do I boil rice", asked, marks)[0]


def test_a_merely_similar_correction_does_not_outweigh_a_certain_head(embedder: FastEmbedder) -> None:
    asked, other = embedder.embed(["which film did you recommend to me", "recommend me a film"])
    assert 0.75 < float(asked @ other) < 0.89
    marks = [PlanFeedback(other, needs_episodes=False)]
    assert OnDevicePlanner(FixedHead(0.99)).plan("which film did you recommend to me", asked, marks)[0]
    assert not OnDevicePlanner(FixedHead(0.55)).plan("which film did you recommend to me", asked, marks)[0]


@pytest.mark.parametrize("question", ["", "   ", "???", "漢字だけ", "\u200b", "x" * 5000])
def test_any_text_gets_a_plan(planner: OnDevicePlanner, embedder: FastEmbedder, question: str) -> None:
    _, decision = planner.plan(question, embedder.embed([question])[0])
    assert 0.5 <= decision.confidence <= 1


def test_what_stands_in_quotation_marks_was_not_said_here() -> None:
    asked = 'Translate: "did you tell me what we discussed last week?"'
    assert unquoted(asked) == 'Translate:  "" '
    assert not np.array_equal(
        turns_of_phrase(asked), turns_of_phrase("did you tell me what we discussed last week?")
    )


def test_turns_of_phrase_tell_talk_with_the_user_from_talk_of_others() -> None:
    ours, theirs = (
        turns_of_phrase("did we discuss the mill?"),
        turns_of_phrase("did Darwin discuss the mill?"),
    )
    assert np.flatnonzero(ours != theirs).size >= 2
