"""An earlier message edited, and what may not happen to its turn meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from assistant.config import Settings
from assistant.memory.ports import ChatModel
from tests.stubs.server import text
from tests.tui.stage import Open


async def test_an_edited_message_is_sent_anew_and_the_draft_comes_back(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(text("To the first."), text("To the edited."))
        await stage.talk("original")
        stage.main.composer.add_text("a draft")
        await stage.pilot.press("f4")
        assert stage.main.composer.text == "original"
        await stage.pilot.press("!", "enter")
        await stage.until(lambda: stage.turns[0].answer == "To the edited." and "2/2" in stage.text)
        assert stage.turns[0].question == "original!"
        assert len(stage.turns) == 1
        assert stage.main.composer.text == "a draft"


async def test_escape_gives_up_editing(opened: Open) -> None:
    async with opened() as stage:
        await stage.talk("original")
        await stage.pilot.press("f4", "x", "escape")
        assert stage.main.composer.text == ""
        await stage.talk("another")
        assert [turn.question for turn in stage.turns] == ["original", "another"]


async def test_a_message_that_is_edited_keeps_its_turn_until_it_is_sent(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(text("First."), text("Second."), text("Third."))
        await stage.talk("question")
        await stage.pilot.press("ctrl+r")
        await stage.until(lambda: stage.turns[0].answer == "Second." and "2/2" in stage.text)
        await stage.pilot.press("f4")
        for key in ("ctrl+r", "alt+left"):
            stage.main.status.clear()
            await stage.pilot.press(key)
            await stage.until(lambda: "An earlier message is being edited" in stage.text)
        await stage.pilot.press("!", "enter")
        await stage.until(lambda: stage.turns[0].answer == "Third." and "3/3" in stage.text)
        assert [turn.question for turn in stage.turns] == ["question!"]


async def test_leaving_the_conversation_gives_up_editing_and_keeps_the_draft_where_it_was(
    opened: Open,
) -> None:
    async with opened() as stage:
        number = (await stage.talk("original")).episode.conversation
        stage.main.composer.add_text("a draft")
        await stage.pilot.press("f4", "ctrl+n")
        await stage.until(lambda: not stage.turns)
        assert "Editing an earlier message" not in stage.text
        await stage.pilot.press("n", "e", "w")
        await stage.main.desk.show_number(number)
        assert stage.main.composer.text == "a draft"
        await stage.main.desk.show()
        assert stage.main.composer.text == "new"


async def test_no_turn_is_answered_anew_by_a_model_that_is_being_replaced(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as stage:
        stage.server.will(text("First."), text("By another."))
        await stage.talk("question")
        await stage.pilot.press("f4", "!")
        opened_now, open_model = asyncio.Event(), stage.app._open_model

        @asynccontextmanager
        async def slowly(settings: Settings) -> AsyncIterator[ChatModel | None]:
            await opened_now.wait()
            async with open_model(settings) as model:
                yield model

        monkeypatch.setattr(stage.app, "_open_model", slowly)
        stage.main.readiness.connect("another-model")
        await stage.pilot.press("enter")
        await stage.until(lambda: "Another model is being opened" in stage.text)
        assert stage.main.composer.text == "question!"
        opened_now.set()
        await stage.until(lambda: not stage.main.flow.held)
        await stage.pilot.press("enter")
        await stage.until(lambda: stage.turns[0].answer == "By another.")
        await stage.until(lambda: "another-model ·" in stage.text)
