"""Entries of the palette for what the user has: facts, judgments, models, themes."""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any

import pytest

from assistant.config import ModelKind
from assistant.memory.records import Fact, JudgmentDraft
from assistant.tui.commands import PROVIDERS, FactCommands
from assistant.tui.screens.fact import FactScreen
from assistant.tui.screens.judgment import JudgmentScreen
from tests.tui.stage import Open, Stage

MEMORY_ONLY = ModelKind.MEMORY_ONLY
MANY = 2_000


async def choose(stage: Stage, typed: str, entry: str) -> None:
    """Open the palette, type, and take the first entry, which must be this one."""
    await stage.pilot.press("ctrl+p")
    await stage.until(lambda: stage.app.screen is not stage.main)
    await stage.pilot.press(*typed)
    await stage.until(lambda: entry in stage.text)
    await stage.pilot.press("enter")


async def test_a_fact_is_found_by_its_words_opened_and_what_is_changed_shows(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await stage.memory.facts.add("User lives in [/b] Leith", key="home_city")
        await stage.memory.facts.add("User has a cat")
        await choose(stage, "leith fact", "Fact: Open User lives in [/b] Leith")
        await stage.until(lambda: isinstance(stage.app.screen, FactScreen))
        assert "home_city" in stage.text
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.app.screen is stage.main)


async def test_what_is_typed_before_the_records_are_read_finds_them_once_they_are(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await stage.memory.facts.add("User lives in Leith")
        read, listed = asyncio.Event(), stage.memory.facts.list

        async def slowly(*args: Any, **kwargs: Any) -> list[Fact]:
            await read.wait()
            return await listed(*args, **kwargs)

        monkeypatch.setattr(stage.memory.facts, "list", slowly)
        await stage.pilot.press("ctrl+p")
        for letter in "leith":
            await stage.pilot.press(letter)
            await stage.pilot.pause(0.2)
        read.set()
        await stage.until(lambda: "Fact: Open User lives in Leith" in stage.text)


async def test_a_judgment_is_found_and_opened(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await stage.memory.judgments.add(JudgmentDraft("config must change", "Propose it, never edit it"))
        await choose(stage, "propose", "Judgment: Open Propose it, never edit it")
        await stage.until(lambda: isinstance(stage.app.screen, JudgmentScreen))


async def test_a_theme_is_used_at_once(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await choose(stage, "morning", "Theme: Use morning-garden")
        await stage.until(lambda: stage.app.theme == "morning-garden")


async def test_a_model_of_the_server_is_used_for_a_conversation_even_before_it_begins(opened: Open) -> None:
    async with opened() as stage:
        stage.server.models = ["stub-model", "other-model"]
        await choose(stage, "other-model", "Model: Use other-model in this conversation")
        await stage.until(lambda: stage.main.header.model == "other-model")
        await stage.talk("hello there, how are you?")
        assert stage.server.chats[-1].body["model"] == "other-model"
        assert len(await stage.memory.conversations.list()) == 1


async def test_a_server_that_is_gone_offers_no_models_and_does_no_harm(opened: Open) -> None:
    async with opened() as stage:
        assert stage.main.model is not None
        await stage.main.model.close()
        stage.server.models = []
        assert await stage.main.readiness.models() == []


async def test_two_thousand_facts_keep_nobody_waiting(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        insert = (
            "INSERT INTO facts (fact, key, statement, value, kind, confidence, valid_from, learned)"
            f" SELECT i, 'k' || i, 'User likes glaze number ' || i, i, 'semantic', 'stated', now()::TIMESTAMP, now()::TIMESTAMP"
            f" FROM range({MANY}) AS r(i)"
        )
        await stage.memory.core.db.write(lambda con: con.execute(insert))
        begun = time.process_time()
        provider = FactCommands(stage.main)
        await provider.startup()
        read = time.process_time() - begun
        assert len([hit async for hit in provider.search("glaze")]) == 20
        assert [str(hit.text) async for hit in provider.search("1999 likes")] == [
            "Fact: Open User likes glaze number 1999"
        ]
        assert read < 0.6
        assert time.process_time() - begun - read < 0.1


async def test_every_entry_names_its_area_and_a_verb(opened: Open) -> None:
    async with opened() as stage:
        await stage.memory.facts.add("User lives in Leith")
        stage.server.models = ["stub-model"]
        for kind in PROVIDERS:
            entries = [text async for text, _, _ in kind(stage.main).entries()]
            assert all(re.match(r"[A-Z][a-z]+: [A-Z][a-z]+ ?", text) for text in entries), entries


async def test_what_a_panel_can_do_is_done_there_also_when_it_was_hidden(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await stage.memory.facts.add("User lives in Leith")
        await choose(stage, "take back this change", "Journal: Take back this change")
        await stage.until(lambda: stage.main.query_one("#panel-journal").has_focus_within)
        await stage.until(lambda: "undone" in stage.text)
        assert await stage.memory.facts.list() == []
        await choose(stage, "add a fact", "Facts: Add a fact")
        await stage.until(lambda: isinstance(stage.app.screen, FactScreen))


async def test_a_command_that_wants_a_text_is_begun_in_the_message_field(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await choose(stage, "remember a sentence", "Memory: Remember a sentence")
        await stage.until(lambda: stage.main.composer.text == "/remember ")
        assert stage.main.composer.has_focus
