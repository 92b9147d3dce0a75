"""Answers under way whose conversation is left, and opened again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from assistant.memory.records import AnswerState
from tests.stubs.server import HELD, text
from tests.tui.stage import Open, Stage

NUMBERS = [f"n{number} " for number in range(120)]


async def left_while_it_answers(stage: Stage, *, thoughts: str = "") -> int:
    """A conversation whose answer is under way while another one is on the screen; its id."""
    stage.server.will(text(*NUMBERS[:60], HELD, *NUMBERS[60:], thoughts=thoughts))
    await stage.type("count")
    await stage.until(lambda: stage.turns and "n5" in stage.turns[0].answer)
    session = stage.main.flow.session
    assert session is not None
    assert session.conversation is not None
    await stage.pilot.press("ctrl+n")
    await stage.until(lambda: not stage.turns)
    return session.conversation.id


async def test_opened_again_the_answer_is_there_and_goes_on_growing_and_loses_nothing(opened: Open) -> None:
    async with opened() as stage:
        number = await left_while_it_answers(stage)
        await stage.until(lambda: "n59" in str(stage.main.flow._streams[0].heard))
        await stage.main.desk.show_number(number)
        turn = stage.turns[-1]
        await stage.until(lambda: "n59" in turn.answer)
        assert "n119" not in turn.answer
        assert "No answer yet" not in stage.text
        assert "answering" in stage.text
        stage.server.go_on.set()
        await stage.until(lambda: stage.main.flow.running is None)
        assert stage.turns[-1] is turn
        assert turn.answer == "".join(NUMBERS)
        assert turn.episode is not None
        assert turn.episode.state is AnswerState.COMPLETE
        assert "stub-model" in stage.text


async def test_the_list_of_conversations_marks_it_until_it_is_over(opened: Open) -> None:
    async with opened() as stage:
        await left_while_it_answers(stage)
        await stage.pilot.press("ctrl+o")
        await stage.until(lambda: "1 turn · answering…" in stage.text)
        stage.server.go_on.set()
        await stage.until(lambda: "1 turn" in stage.text and "answering…" not in stage.text)


async def test_left_and_opened_many_times_it_still_is_the_whole_answer(opened: Open) -> None:
    async with opened() as stage:
        number = await left_while_it_answers(stage, thoughts="let me count")
        for _ in range(5):
            await stage.main.desk.show_number(number)
            await stage.pilot.pause(0.05)
            await stage.main.desk.show()
        await stage.main.desk.show_number(number)
        assert stage.turns[-1].toggle_thinking()
        stage.server.go_on.set()
        for _ in range(3):
            await stage.main.desk.show()
            await stage.main.desk.show_number(number)
        await stage.until(lambda: stage.main.flow.running is None)
        assert stage.turns[-1].answer == "".join(NUMBERS)
        assert (await stage.memory.episodes.list())[0].assistant == "".join(NUMBERS)


async def test_an_answer_that_ends_while_its_conversation_is_being_opened_is_shown_whole(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as stage:
        number = await left_while_it_answers(stage)
        (stream,) = stage.main.flow._streams
        show = stage.main.log_view.show

        async def slowly(*args: Any, **kwargs: Any) -> None:
            await show(*args, **kwargs)
            stage.server.go_on.set()
            await stage.until(lambda: not stage.main.flow._streams)

        monkeypatch.setattr(stage.main.log_view, "show", slowly)
        assert stream.answering
        await stage.main.desk.show_number(number)
        assert stage.turns[-1].answer == "".join(NUMBERS)
        assert "No answer yet" not in stage.text
        assert stage.main.flow.running is None


async def test_it_can_be_stopped_after_it_was_opened_again(opened: Open) -> None:
    async with opened() as stage:
        number = await left_while_it_answers(stage)
        await stage.main.desk.show_number(number)
        await stage.pilot.press("escape")
        await stage.until(lambda: "Stopped here." in stage.text)
        assert stage.main.flow.running is None
        assert "n119" not in stage.turns[-1].answer


async def test_it_is_ended_by_its_model_and_what_is_asked_next_goes_to_the_one_chosen_meanwhile(
    opened: Open,
) -> None:
    async with opened() as stage:
        number = await left_while_it_answers(stage)
        before = stage.main.model
        await stage.type("/reconnect ")
        await stage.until(lambda: stage.main.model is not before)
        await stage.main.desk.show_number(number)
        stage.server.go_on.set()
        await stage.until(lambda: stage.main.flow.running is None)
        assert stage.turns[-1].answer == "".join(NUMBERS)
        assert stage.main.flow.session is not None
        assert stage.main.flow.session.model is stage.main.model


async def test_quitting_keeps_what_arrived_in_a_conversation_that_was_left(opened: Open) -> None:
    async with opened() as stage:
        await left_while_it_answers(stage)
    async with opened() as stage:
        (episode,) = await stage.memory.episodes.list()
        assert episode.state is AnswerState.CUT
        assert "n5" in episode.assistant


async def test_quitting_does_not_wait_for_what_is_still_being_learned(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(_: int) -> None:
        await asyncio.Event().wait()

    async with opened() as stage:
        monkeypatch.setattr(stage.memory, "learn", never)
        await stage.talk("hello")
        stage.app.simulate_key("ctrl+q")  # press would wait for a screen that is closing
        await stage.until(lambda: not stage.app.is_running)
