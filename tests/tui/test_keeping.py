"""Remembering by hand from the chat."""

from __future__ import annotations

from assistant.config import ModelKind
from assistant.tui.screens.judgment import JudgmentScreen
from tests.stubs.server import text
from tests.tui.stage import Open


async def test_a_sentence_is_remembered_shown_and_taken_back(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        await stage.type("/remember I prefer short answers")
        await stage.until(lambda: "Remembered:" in stage.text and "short answers" in stage.text)
        assert len(await stage.memory.facts.list()) == 1
        await stage.type("/undo")
        await stage.until(lambda: "Undone:" in stage.text)
        assert await stage.memory.facts.list() == []


async def test_an_answer_is_kept_as_a_judgment_and_opens_to_be_put_better(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(text("Propose production changes, never make them."))
        await stage.talk("How should we change production config?")
        before = await stage.memory.judgments.count()
        await stage.pilot.press("f5")
        await stage.until(lambda: isinstance(stage.app.screen, JudgmentScreen))
        assert "How should we change production config?" in stage.text
        assert await stage.memory.judgments.count() >= before


async def test_nothing_of_a_private_conversation_is_kept_as_a_judgment(opened: Open) -> None:
    async with opened() as stage:
        await stage.pilot.press("f8")
        await stage.talk("a secret")
        await stage.pilot.press("f5")
        await stage.until(lambda: "Nothing of a private conversation is kept." in stage.text)
        assert await stage.memory.judgments.count() == 0
