"""Folded texts and the line under an answer: what is shown is what is sent, and counts are told in words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.conversation.events import Answered, Learned, Usage
from assistant.memory.records import AnswerState, Decider, Decision, Episode, JournalEntry, Subject
from assistant.tui.reading import code_blocks
from assistant.tui.widgets.pastes import Pastes, is_long
from assistant.tui.widgets.turn_line import TurnLine, state_words

NOW = datetime(2026, 5, 4, tzinfo=UTC)


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=200))
def test_a_folded_text_comes_back_exactly_where_its_mark_stood(before: str, after: str, text: str) -> None:
    pastes = Pastes()
    mark = pastes.fold(text)
    plain = "pasted" not in before + after
    assert not plain or pastes.unfold(before + mark + after) == before + text + after


def test_a_mark_that_was_edited_or_names_nothing_is_sent_as_it_stands() -> None:
    pastes = Pastes()
    mark = pastes.fold("secret")
    for shown in (mark[:-1], mark.replace("1", "7", 1), "[pasted x]"):
        assert pastes.unfold(shown) == shown


def test_a_file_is_sent_fenced_with_its_name_whatever_fences_it_holds() -> None:
    pastes = Pastes()
    mark = pastes.fold("a\n````\nb", "notes [1].md")
    assert pastes.unfold(mark) == "notes _1_.md:\n`````\na\n````\nb\n`````"


@pytest.mark.parametrize(
    ("text", "long"), [("x" * 1500, False), ("x" * 1501, True), ("\n" * 19, False), ("\n" * 20, True)]
)
def test_text_folds_beyond_a_length_or_a_number_of_lines(text: str, long: bool) -> None:
    assert is_long(text) is long


@pytest.mark.parametrize(
    ("markdown", "blocks"),
    [
        ("```py\na\n```\ntext\n~~~\nb\n~~~", ["a", "b"]),
        ("````\n```\ninner\n```\n````", ["```\ninner\n```"]),
        ("```\ncut off", ["cut off"]),
        ("no code `inline`", []),
    ],
)
def test_code_blocks_are_found_without_their_fences(markdown: str, blocks: list[str]) -> None:
    assert code_blocks(markdown) == blocks


def episode(state: AnswerState, error: str = "") -> Episode:
    return Episode(1, 1, None, "q", "a", NOW, state, error=error)


def test_the_line_says_model_time_speed_context_and_what_was_learned() -> None:
    entry = JournalEntry(1, NOW, "fact.add", Subject.FACT, 1, "x", Decision(Decider.RULE, "x"))
    line = TurnLine()
    line = line.with_event(Answered(episode(AnswerState.COMPLETE), Usage("llama3", 2.0, 0.1, 300, 100, 4000)))
    line = line.with_event(Learned((entry, entry), ("password",)))
    assert line.words() == "llama3 · 2.0 s · 50 tok/s · context 10% · learned 2 facts · hid password"


def test_an_answer_from_memory_says_so_and_boasts_no_speed() -> None:
    line = TurnLine().with_event(
        Answered(episode(AnswerState.COMPLETE), Usage("memory", 0.1, 0.1, 0, 100, 0))
    )
    assert line.words() == "from memory alone · 0.1 s"


@pytest.mark.parametrize(
    ("state", "error", "words"),
    [
        (AnswerState.COMPLETE, "", ""),
        (AnswerState.CUT, "", "Stopped here."),
        (AnswerState.CUT, "limit reached", "Cut short: limit reached"),
        (AnswerState.FAILED, "No server.", "No server."),
    ],
)
def test_a_state_is_told_in_words(state: AnswerState, error: str, words: str) -> None:
    assert state_words(episode(state, error)) == words
