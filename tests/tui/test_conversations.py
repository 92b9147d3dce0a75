"""Many conversations: listing, finding, keeping, leaving; drafts; the private one; export."""

from __future__ import annotations

import json
import os
from pathlib import Path

from textual.widgets import Input, OptionList

from assistant.config import ModelKind
from assistant.paths import Folders
from tests.stubs.server import HELD, text
from tests.tui.stage import Open, Stage

MEMORY_ONLY = ModelKind.MEMORY_ONLY


async def with_history(stage: Stage) -> tuple[int, int]:
    """Two conversations of one turn each; returns their ids."""
    first = await stage.memory.conversations.create("Pottery kiln")
    await stage.memory.record("How hot does stoneware get?", "About 1280 degrees.", conversation=first.id)
    second = await stage.memory.conversations.create("Holiday plans")
    await stage.memory.record("Where shall we go in May?", "To the island of Skye.", conversation=second.id)
    return first.id, second.id


async def open_list(stage: Stage) -> OptionList:
    await stage.pilot.press("ctrl+o")
    await stage.until(lambda: stage.app.screen is not stage.main and "Holiday plans" in stage.text)
    return stage.app.screen.query_one(OptionList)


async def test_the_list_opens_a_conversation_where_it_was_left(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await with_history(stage)
        await open_list(stage)
        await stage.pilot.press("j", "enter")
        await stage.until(lambda: stage.main.header.conversation == "Pottery kiln")
        await stage.until(lambda: stage.turns[0].answer == "About 1280 degrees.")


async def test_words_said_in_a_conversation_find_it_and_open_at_the_message(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await with_history(stage)
        await open_list(stage)
        await stage.pilot.press("slash", *"stoneware")
        await stage.until(lambda: "Said in a conversation" in stage.text and "How hot does" in stage.text)
        found = stage.app.screen.query_one(OptionList)
        await stage.pilot.press("enter")
        found.highlighted = found.option_count - 1
        await stage.pilot.press("enter")
        await stage.until(lambda: stage.main.header.conversation == "Pottery kiln")
        await stage.until(lambda: stage.app.focused is stage.turns[0])


async def test_a_deleted_conversation_leaves_the_list_and_undo_brings_it_back(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await with_history(stage)
        await open_list(stage)
        await stage.pilot.press("d")
        await stage.until(lambda: "u takes it back" in stage.text and "Pottery kiln" in stage.text)
        assert len(await stage.memory.conversations.list()) == 1
        await stage.pilot.press("u")
        await stage.until(lambda: "Undone." in stage.text)
        assert len(await stage.memory.conversations.list()) == 2


async def test_the_open_conversation_is_highlighted_and_renamed_or_deleted_there_changes_at_once(
    opened: Open,
) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        kiln, _ = await with_history(stage)
        await stage.main.desk.show_number(kiln)
        await open_list(stage)
        await stage.pilot.press("r")
        title = stage.app.screen.query_one("#title", Input)
        await stage.until(lambda: title.has_focus)
        title.value = "Firing"
        await stage.pilot.press("enter")
        await stage.until(lambda: "Firing" in stage.text)
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.main.header.conversation == "Firing")
        await open_list(stage)
        await stage.pilot.press("d")
        await stage.until(lambda: "Deleted “Firing”." in stage.text)
        await stage.pilot.press("escape")
        await stage.until(lambda: not stage.turns and stage.main.header.conversation == "")
        await stage.talk("What now?")
        assert stage.main.header.conversation == "What now"


async def test_keys_of_the_list_can_be_changed_and_are_shown_there(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY, keys={"conversations.pin": "f"}) as stage:
        await with_history(stage)
        await open_list(stage)
        assert "f pin · r rename" in stage.text
        await stage.pilot.press("f")
        await stage.until(lambda: "▲" in stage.text)


async def test_a_deleted_conversation_is_brought_back_wherever_and_whenever_it_was_deleted(
    opened: Open,
) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await stage.type("/undelete ")
        await stage.until(lambda: "No deleted conversation can be brought back." in stage.text)
        await with_history(stage)
        await open_list(stage)
        await stage.pilot.press("d")
        await stage.until(lambda: "u takes it back" in stage.text)
        await stage.pilot.press("escape")
        await stage.type("/open ")
        await stage.until(lambda: stage.app.screen is not stage.main and "Pottery kiln" in stage.text)
        await stage.pilot.press("enter")
        await stage.until(lambda: stage.main.header.conversation == "Pottery kiln")
        await stage.type("/delete ")
        await stage.until(lambda: "/undelete brings it back" in stage.text)
    async with opened(kind=MEMORY_ONLY) as stage:
        await stage.type("/undelete ")
        await stage.until(lambda: stage.main.header.conversation == "Pottery kiln")
        assert stage.turns[0].question == "How hot does stoneware get?"
        await stage.type("/undelete ")
        await stage.until(lambda: stage.main.header.conversation == "Holiday plans")


async def test_pinning_renaming_and_archiving_from_the_list(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        kiln, _ = await with_history(stage)
        await open_list(stage)
        await stage.pilot.press("j", "p")
        await stage.until(lambda: "▲ Pottery kiln" in stage.text)
        await stage.pilot.press("r")
        title = stage.app.screen.query_one("#title", Input)
        await stage.until(lambda: title.has_focus)
        title.value = "Firing"
        await stage.pilot.press("enter")
        await stage.until(lambda: "▲ Firing" in stage.text)
        await stage.pilot.press("a")
        await stage.until(lambda: "Archived “Firing”" in stage.text)
        assert (await stage.memory.conversations.get(kiln)).archived
        await stage.pilot.press("A")
        await stage.until(lambda: "(archived) Firing" in stage.text)


async def test_a_new_conversation_gets_a_short_name_and_keeps_the_one_the_user_gives(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await stage.talk("Hello!")
        assert stage.main.header.conversation == ""
        await stage.talk("Can you help me plan a week of vegetarian dinners, because I hate shopping?")
        await stage.until(lambda: stage.main.header.conversation == "Plan a week of vegetarian dinners")
        await stage.type("/title My dinners")
        await stage.until(lambda: stage.main.header.conversation == "My dinners")
        await stage.talk("And how do I fire a new kiln?")
        assert stage.main.header.conversation == "My dinners"


async def test_a_conversation_that_is_but_a_greeting_is_called_a_new_one_everywhere(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await stage.talk("hi")
        await stage.pilot.press("ctrl+o")
        await stage.until(lambda: "New conversation  1 turn" in stage.text)
        await stage.pilot.press("d")
        await stage.until(lambda: "Deleted “New conversation”." in stage.text)


async def test_the_name_is_at_the_top_while_the_first_answer_is_still_coming(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(text("word ", HELD))
        await stage.type("How hot must the kiln get for stoneware?")
        await stage.until(lambda: stage.main.flow.running and "kiln" in stage.main.header.conversation)
        stage.main.flow.do_stop()


async def test_a_name_given_in_the_list_before_the_first_message_stays(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        empty = await stage.memory.conversations.create()
        await stage.main.desk.show_number(empty.id)
        await stage.memory.conversations.rename(empty.id, "Kiln notes")
        await stage.talk("How do I fire a new kiln?")
        await stage.until(lambda: stage.main.header.conversation == "Kiln notes")


async def test_each_conversation_keeps_its_own_draft_over_a_restart(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        kiln, _ = await with_history(stage)
        stage.main.composer.add_text("for a new one")
        await stage.main.desk.show_number(kiln)
        assert stage.main.composer.text == ""
        stage.main.composer.add_text("for the kiln")
        await stage.pilot.pause()
        await stage.pilot.press("ctrl+n")
        await stage.until(lambda: stage.main.composer.text == "for a new one")
    async with opened(kind=MEMORY_ONLY) as stage:
        assert stage.main.composer.text == "for a new one"
        await stage.main.desk.show_number(kiln)
        assert stage.main.composer.text == "for the kiln"


async def test_starting_and_quitting_writes_no_file_of_the_screen(opened: Open, folders: Folders) -> None:
    async with opened(kind=MEMORY_ONLY):
        pass
    assert not folders.screen_state.exists()
    assert not folders.config_file.exists()


async def test_the_prompt_history_outlives_a_restart(opened: Open, folders: Folders) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await stage.talk("remember this prompt")
    assert oct(folders.screen_state.stat().st_mode)[-3:] == "600"
    async with opened(kind=MEMORY_ONLY) as stage:
        await stage.pilot.press("up")
        assert stage.main.composer.text == "remember this prompt"


async def test_a_private_conversation_is_marked_and_leaves_nothing_behind(
    opened: Open, folders: Folders
) -> None:
    async with opened() as stage:
        stage.server.will(text("A private answer."))
        await stage.pilot.press("f8")
        await stage.until(lambda: "PRIVATE, nothing is remembered" in stage.text)
        await stage.talk("My secret is a blue door.")
        stage.main.composer.add_text("a private draft")
        await stage.pilot.pause()
        assert await stage.memory.conversations.list() == []
        assert await stage.memory.facts.list() == []
        assert await stage.memory.episodes.list() == []
        await stage.pilot.press("ctrl+n")
        await stage.until(lambda: "PRIVATE" not in stage.text)
    assert not folders.screen_state.exists() or "blue door" not in folders.screen_state.read_text()


async def test_export_writes_the_branch_as_markdown_and_json_and_never_overwrites(
    opened: Open, tmp_path: Path
) -> None:
    async with opened() as stage:
        stage.server.will(text("**Bold** answer."))
        await stage.talk("A question")
        markdown, data = tmp_path / "talk.md", tmp_path / "talk.json"
        await stage.type(f"/export md {markdown}")
        await stage.until(markdown.exists)
        await stage.type(f"/export {data}")
        await stage.until(data.exists)
        await stage.type(f"/export md {markdown}")
        await stage.until(lambda: "is there already" in " ".join(r.text for r in stage.main.status.records))
    assert "**Bold** answer." in markdown.read_text()
    assert json.loads(data.read_text())["turns"][0]["user"] == "A question"


async def test_instructions_and_temperature_hold_for_one_conversation(opened: Open) -> None:
    async with opened() as stage:
        await stage.talk("first")
        await stage.type("/system Answer in French.")
        await stage.type("/temperature 0.3")
        await stage.until(lambda: "Temperature 0.3" in stage.text)
        await stage.talk("second")
        body = stage.server.chats[-1].body
        assert "Answer in French." in body["messages"][0]["content"]
        assert body["temperature"] == 0.3
        await stage.pilot.press("ctrl+n")
        await stage.talk("third")
        assert "Answer in French." not in stage.server.chats[-1].body["messages"][0]["content"]


async def test_a_conversation_can_have_a_model_of_its_own(opened: Open) -> None:
    async with opened() as stage:
        await stage.talk("first")
        await stage.type("/model other-model")
        await stage.until(lambda: stage.main.header.model == "other-model")
        await stage.talk("second")
        assert stage.server.chats[-1].body["model"] == "other-model"
        await stage.pilot.press("ctrl+n")
        await stage.until(lambda: stage.main.header.model == "stub-model")


async def test_a_text_file_is_attached_and_a_large_or_binary_one_is_refused(
    opened: Open, tmp_path: Path
) -> None:
    note, blob, large = tmp_path / "note.txt", tmp_path / "blob.bin", tmp_path / "large.txt"
    note.write_text("glaze recipe")
    blob.write_bytes(os.urandom(2000))
    large.write_text("x" * 300_000)
    async with opened() as stage:
        for path in (blob, large, tmp_path / "missing"):
            await stage.type(f"/attach {path}")
        await stage.until(lambda: len(stage.main.status.records) == 3)
        await stage.type(f"/attach {note}")
        await stage.until(lambda: "[file 1: note.txt" in stage.main.composer.text)
        await stage.pilot.press("enter")
        await stage.until(lambda: stage.server.chats)
        assert "glaze recipe" in stage.server.chats[0].body["messages"][-1]["content"]


async def test_what_the_keys_of_the_list_do_a_click_on_their_names_does_too(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await with_history(stage)
        await open_list(stage)
        hint = stage.app.screen.query_one("#hint")
        await stage.pilot.click(hint, offset=(len("Enter opens · p"), 0))
        await stage.until(lambda: "▲" in stage.text)
