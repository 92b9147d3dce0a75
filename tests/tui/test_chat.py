"""Chatting: what is sent, streamed, stopped, repeated, edited, and where the eye stays meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from assistant.config import ModelKind, ScreenSettings
from assistant.memory.records import AnswerState
from assistant.tui.widgets.answer import Answer
from assistant.tui.widgets.chat_log import NewOutputBar
from assistant.tui.widgets.header import Phase
from tests.stubs.server import CUT, HELD, StubServer, chunk, page, stream, text
from tests.tui.holder import feed
from tests.tui.stage import Open

PARAGRAPHS = "".join(f"Paragraph {number} with a few words.\n\n" for number in range(40))
UNDER_WAY = text("word ", "word ", HELD, "never said")


async def test_an_answer_is_streamed_and_its_quiet_line_says_what_it_took(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(text("Hello ", "**there**."))
        turn = await stage.talk("hi")
        assert turn.answer == "Hello **there**."
        await stage.until(lambda: "stub-model · " in stage.text and "context" in stage.text)
        assert "Hello there." in stage.text


async def test_a_message_sent_before_the_program_is_ready_waits_and_is_sent(opened: Open) -> None:
    gate = asyncio.Event()
    async with opened(gate=gate) as stage:
        assert stage.main.header.phase is Phase.OPENING
        await stage.type("early bird")
        await stage.until(lambda: "Waiting to be sent" in stage.text and "opening memory" in stage.text)
        gate.set()
        await stage.until(lambda: stage.turns and stage.turns[0].episode is not None)
        assert stage.server.chats[0].body["messages"][-1]["content"] == "early bird"


async def test_a_message_sent_before_the_newest_conversation_is_open_follows_in_it(opened: Open) -> None:
    async with opened() as stage:
        await stage.talk("the first question")
    gate = asyncio.Event()
    async with opened(gate=gate) as stage:
        stage.main.readiness._go_on = True
        await stage.type("early bird")
        await stage.until(lambda: "Waiting to be sent" in stage.text)
        gate.set()
        await stage.until(lambda: len(stage.turns) == 2 and stage.turns[1].episode is not None)
        assert [turn.question for turn in stage.turns] == ["the first question", "early bird"]


async def test_what_is_typed_during_an_answer_waits_its_turn(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(text("one ", HELD, "two "), text("second"))
        await stage.type("first question")
        await stage.type("second question")
        assert [turn.question for turn in stage.turns] == ["first question", "second question"]
        stage.server.go_on.set()
        await stage.until(lambda: stage.turns[1].answer == "second")
        assert stage.turns[0].answer == "one two "


async def test_escape_stops_the_model_and_keeps_the_partial_answer(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(UNDER_WAY)
        await stage.type("tell me a lot")
        await stage.until(lambda: stage.turns and "word" in stage.turns[0].answer)
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.turns[0].episode is not None)
        await asyncio.wait_for(stage.server.chats[0].disconnected.wait(), 30)
        episode = stage.turns[0].episode
        assert episode is not None
        assert episode.state is AnswerState.CUT
        assert "word" in episode.assistant
        await stage.until(lambda: "Stopped here. ctrl+g continues. ctrl+r tries again." in stage.text)


async def test_escape_returns_messages_that_wait_to_the_message_field(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(UNDER_WAY)
        await stage.type("first")
        await stage.until(lambda: stage.turns and stage.turns[0].answer)
        await stage.type("second")
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.main.flow.running is None)
        assert stage.main.composer.text == "second"
        assert len(stage.turns) == 1


async def test_a_cut_answer_continues_on_one_key(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(UNDER_WAY, text("and the rest."))
        await stage.type("tell me")
        await stage.until(lambda: stage.turns and "word" in stage.turns[0].answer)
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.turns[0].episode is not None)
        await stage.pilot.press("ctrl+g")
        await stage.until(
            lambda: stage.turns[0].answer.endswith("and the rest.") and stage.main.flow.running is None
        )
        assert stage.turns[0].answer.startswith("word ")


async def test_what_an_answer_under_way_forbids_is_said_as_that(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(UNDER_WAY)
        await stage.type("go on")
        await stage.until(lambda: "word" in stage.turns[-1].answer)
        for key in ("ctrl+r", "ctrl+g", "f4"):
            stage.main.status.clear()
            await stage.pilot.press(key)
            await stage.until(lambda: "An answer is under way; stop it first." in stage.text)
        stage.main.flow.do_stop()


async def test_a_continued_answer_is_no_other_version_and_says_what_it_is(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(UNDER_WAY, text("and the rest."), text("Another."))
        await stage.type("tell me")
        await stage.until(lambda: stage.turns and "word" in stage.turns[0].answer)
        await stage.pilot.press("escape")
        await stage.until(lambda: "ctrl+g continues" in stage.text)
        await stage.pilot.press("ctrl+g")
        await stage.until(lambda: "continued" in stage.text and stage.main.flow.running is None)
        assert "2/2" not in stage.text
        await stage.pilot.press("ctrl+r")
        await stage.until(lambda: stage.turns[0].answer == "Another." and "2/2" in stage.text)
        await stage.pilot.press("alt+left")
        await stage.until(lambda: stage.turns[0].answer.endswith("and the rest.") and "1/2" in stage.text)


async def test_after_trying_again_from_an_earlier_version_the_keys_act_on_the_new_answer(
    opened: Open,
) -> None:
    async with opened() as stage:
        stage.server.will(text("Before."), text("First."), text("Second."), UNDER_WAY)
        await stage.talk("the message before")
        await stage.talk("question")
        await stage.pilot.press("ctrl+r")
        await stage.until(lambda: stage.turns[1].answer == "Second." and "2/2" in stage.text)
        await stage.pilot.press("alt+left")
        await stage.until(lambda: "1/2" in stage.text and stage.app.focused is stage.turns[1])
        await stage.pilot.press("ctrl+r")
        await stage.until(lambda: "word" in stage.turns[1].answer)
        assert stage.main.log_view.chosen is stage.turns[1]


async def test_ctrl_end_goes_to_the_newest_message_while_something_is_being_written(opened: Open) -> None:
    async with opened(size=(120, 24), kind=ModelKind.MEMORY_ONLY) as stage:
        for number in range(6):
            await stage.talk(f"message {number}")
        stage.main.composer.add_text("two\nlines")
        await stage.pilot.press("pageup")
        await stage.until(lambda: not stage.main.log_view.at_end)
        await feed(stage.pilot, "\x1b[1;5F")
        await stage.until(lambda: stage.main.log_view.at_end)


async def test_an_error_keeps_prompt_and_partial_answer_and_one_key_tries_again(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(stream(chunk({"content": "Half an "}), CUT), text("Whole answer."))
        turn = await stage.talk("a question")
        assert turn.answer == "Half an "
        assert "✗" in stage.text
        assert "ctrl+r tries again" in stage.text
        await stage.pilot.press("ctrl+r")
        await stage.until(lambda: stage.turns[0].answer == "Whole answer.")
        assert stage.server.chats[1].body["messages"][-1]["content"] == "a question"


async def test_a_wrong_address_is_told_in_a_sentence_and_loses_nothing(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(page("<html>not an API</html>"))
        turn = await stage.talk("keep me")
        assert turn.question == "keep me"
        assert "✗" in stage.text
        assert "Traceback" not in stage.text


async def test_thinking_is_folded_and_opens_on_a_key(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(text("Answer.", thoughts="a hidden chain of thought"))
        await stage.talk("think")
        await stage.until(lambda: "▸ Thought (5 words)" in stage.text)
        assert "hidden chain" not in stage.text
        await stage.pilot.press("ctrl+t")
        await stage.until(lambda: "hidden chain" in stage.text)


async def test_a_repeated_answer_keeps_the_earlier_one_as_a_branch(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(text("First."), text("Second."))
        await stage.talk("question")
        await stage.pilot.press("ctrl+r")
        await stage.until(lambda: stage.turns[0].answer == "Second." and "2/2" in stage.text)
        await stage.pilot.press("alt+left")
        await stage.until(lambda: "1/2" in stage.text)
        assert stage.turns[0].answer == "First."
        await stage.pilot.press("alt+right")
        await stage.until(lambda: stage.turns[0].answer == "Second.")


async def test_opened_again_a_turn_still_says_what_it_recalled_and_learned(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(text("Noted."), text("In Leith."))
        await stage.talk("I live in Leith.")
        await stage.until(lambda: "learned 1 fact" in stage.text)
        await stage.talk("Where do I live?")
        await stage.until(lambda: "recalled 1 fact" in stage.text)
    async with opened() as stage:
        await stage.main.desk.show_number(1)
        await stage.until(lambda: "learned 1 fact" in stage.turns[0].line.words())
        assert stage.turns[1].line.recalled == (1, 0, 0)
        assert "context" in stage.turns[1].line.words()
        assert stage.main.header.context == stage.turns[1].line.context_used > 0
        await stage.until(lambda: "recalled 1 fact" in stage.text)


async def test_earlier_turns_that_are_loaded_say_it_too(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY, screen=ScreenSettings(mounted_messages=4)) as stage:
        await stage.talk("I live in Leith.")
        for number in range(4):
            await stage.talk(f"number {number}")
        await stage.main.desk.show_number(1)
        await stage.pilot.press("ctrl+home", "ctrl+home")
        await stage.until(lambda: stage.turns[0].question == "I live in Leith.")
        await stage.until(lambda: "learned 1 fact" in stage.turns[0].line.words())


async def test_reading_further_up_is_not_disturbed_by_what_comes_in_below(opened: Open) -> None:
    async with opened(size=(120, 24)) as stage:
        stage.server.will(text(PARAGRAPHS), text("New 0.\n\n", HELD, *[f"New {n}.\n\n" for n in range(30)]))
        await stage.talk("long")
        await stage.type("more")
        await stage.until(lambda: stage.turns[1].answer)
        await stage.pilot.press("pageup", "pageup")
        place = stage.main.log_view.scroll_y
        stage.server.go_on.set()
        await stage.until(lambda: stage.main.query_one(NewOutputBar).display)
        await stage.until(lambda: stage.main.flow.running is None)
        await stage.pilot.pause()
        assert stage.main.log_view.scroll_y == place
        assert "New output below" in stage.text


async def test_the_newest_output_comes_into_sight_on_a_click_on_the_mark(opened: Open) -> None:
    async with opened(size=(120, 24)) as stage:
        stage.server.will(text(PARAGRAPHS), text("New 0.\n\n", HELD, *[f"New {n}.\n\n" for n in range(30)]))
        await stage.talk("long")
        await stage.type("more")
        await stage.until(lambda: stage.turns[1].answer)
        await stage.pilot.press("pageup", "pageup")
        stage.server.go_on.set()
        await stage.until(lambda: stage.main.query_one(NewOutputBar).display)
        await stage.pilot.click(NewOutputBar)
        await stage.until(
            lambda: stage.main.log_view.at_end and not stage.main.query_one(NewOutputBar).display
        )


async def test_a_click_into_the_chat_does_not_scroll_it(opened: Open) -> None:
    async with opened(size=(120, 24)) as stage:
        stage.server.will(text(PARAGRAPHS))
        await stage.talk("long")
        await stage.pilot.press("pageup", "pageup")
        await stage.pilot.pause()
        place = stage.main.log_view.scroll_y
        await stage.pilot.click("#log", offset=(10, 5))
        await stage.pilot.pause()
        assert stage.main.log_view.scroll_y == place


async def test_resizing_during_a_stream_keeps_text_and_place(opened: Open) -> None:
    async with opened() as stage:
        lines = [f"Line {number}.\n\n" for number in range(40)]
        stage.server.will(text(*lines[:20], HELD, *lines[20:]))
        await stage.type("go")
        await stage.until(lambda: stage.turns and stage.turns[0].answer)
        for size in ((60, 20), (140, 50), (80, 24)):
            await stage.pilot.resize_terminal(*size)
            await stage.pilot.pause(0.05)
        assert stage.main.flow.running is not None
        stage.server.go_on.set()
        await stage.until(lambda: stage.main.flow.running is None)
        assert stage.turns[0].answer == "".join(lines)
        await stage.until(lambda: "Line 39." in stage.text)


async def test_only_some_turns_are_mounted_and_earlier_ones_come_without_a_jump(opened: Open) -> None:
    few = ScreenSettings(mounted_messages=6)
    async with opened(screen=few, kind=ModelKind.MEMORY_ONLY, size=(120, 16)) as stage:
        conversation = (await stage.memory.conversations.create("Old")).id
        for number in range(9):
            await stage.memory.record(f"question {number}", f"answer {number}", conversation=conversation)
        await stage.main.desk.show_number(conversation)
        assert [turn.question for turn in stage.turns] == ["question 6", "question 7", "question 8"]
        await stage.until(lambda: stage.main.log_view.at_end and stage.main.log_view.scroll_y > 0)
        stage.main.log_view.scroll_home(animate=False)
        await stage.until(lambda: "6 earlier" in stage.text)
        first = stage.turns[0]
        before = first.region.y
        await stage.pilot.press("ctrl+home")
        await stage.until(lambda: len(stage.turns) == 6)
        await stage.pilot.pause()
        assert first.region.y == before
        assert stage.turns[0].question == "question 3"


async def test_new_turns_push_the_oldest_out_so_that_typing_stays_fast(opened: Open) -> None:
    async with opened(screen=ScreenSettings(mounted_messages=4), kind=ModelKind.MEMORY_ONLY) as stage:
        for number in range(4):
            await stage.talk(f"message {number}")
        await stage.until(lambda: len(stage.turns) == 2)
        assert [turn.question for turn in stage.turns] == ["message 2", "message 3"]
        assert "2 earlier" in stage.text


async def test_alt_up_steps_through_the_messages_and_typing_returns_to_the_field(opened: Open) -> None:
    async with opened() as stage:
        for number in range(3):
            await stage.talk(f"message {number}")
        await stage.pilot.press("alt+up", "alt+up")
        assert stage.app.focused is stage.turns[1]
        await stage.pilot.press("x")
        assert stage.main.composer.has_focus
        assert stage.main.composer.text == "x"
        await stage.pilot.press("alt+up", "alt+down")
        assert stage.main.composer.has_focus


async def test_an_answer_goes_on_in_the_background_when_its_conversation_is_left(
    opened: Open, server: StubServer
) -> None:
    async with opened() as stage:
        server.will(text(*["word "] * 15, HELD, *["word "] * 15))
        await stage.type("slow one")
        await stage.until(lambda: stage.turns and stage.turns[0].answer)
        session = stage.main.flow.session
        assert session is not None
        assert session.conversation is not None
        await stage.pilot.press("ctrl+n")
        await stage.until(lambda: not stage.turns)
        server.go_on.set()
        await stage.main.desk.show_number(session.conversation.id)
        await stage.until(lambda: stage.turns and stage.turns[0].answer == "word " * 30)


FLOODS = {
    "paragraphs": "A short paragraph.\n\n" * 3_000,
    "one line": "word " * 40_000,
    "code": "```python\n" + "value = other(1) + 2\n" * 5_000 + "```\n",
    "table": "| a | b |\n|---|---|\n" + "| one | two |\n" * 1_000,
    "nested lists": "".join(f"{'  ' * (number % 9)}- item {number}\n" for number in range(4_000)),
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS.keys())
async def test_keys_typed_while_a_flood_arrives_come_in_order_and_all_of_it_is_drawn(
    opened: Open, flood: str
) -> None:
    typed = "typed meanwhile"
    async with opened() as stage:
        stage.server.will(text(*[flood[start : start + 2_000] for start in range(0, len(flood), 2_000)]))
        await stage.type("everything")
        await stage.until(lambda: stage.turns and stage.turns[0].answer)
        for letter in typed:
            await stage.pilot.press("space" if letter == " " else letter)
        assert stage.main.composer.text == typed
        await stage.until(lambda: stage.main.flow.running is None)
        await stage.until(lambda: stage.turns[0].query_one(Answer).source == flood)
        assert stage.turns[0].answer == flood
        assert stage.main.log_view.at_end


async def test_escape_stops_a_flood_at_once_and_what_arrived_is_drawn(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(text(*["A paragraph of the flood.\n\n" * 40] * 2_000, delay=0.001))
        await stage.type("everything")
        await stage.until(lambda: stage.turns and len(stage.turns[0].answer) > 20_000)
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.main.flow.running is None, seconds=2)
        answer = stage.turns[0].query_one(Answer)
        await stage.until(lambda: answer.source == answer.text)
        assert 20_000 < len(answer.source) < 1_000_000
