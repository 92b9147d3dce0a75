"""The table of actions: complete, free of forbidden keys, carried out by someone, changeable by the user."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from assistant.config import ModelKind
from assistant.tui.keys import (
    ACTIONS,
    FORBIDDEN,
    IN_COMPOSER,
    all_actions,
    by_slash,
    keymap,
    keys_of,
    problems,
)
from assistant.tui.panels import panel_actions
from tests.tui.holder import feed
from tests.tui.stage import Open


def test_no_two_actions_share_an_id_or_a_slash_command() -> None:
    ids = [act.id for act in all_actions()]
    assert len(ids) == len(set(ids))
    assert len(by_slash()) == len([act for act in ACTIONS if act.slash])


def test_the_default_keys_are_free_of_conflicts_and_forbidden_keys() -> None:
    assert problems({}) == []


def test_no_key_of_the_screen_is_taken_by_the_keys_that_go_to_a_panel() -> None:
    own = {key.strip() for act in ACTIONS for key in act.key.split(",")}
    assert not own & {act.key for _, act in panel_actions()}


@pytest.mark.parametrize("key", FORBIDDEN)
def test_a_forbidden_key_is_refused_with_the_reason(key: str) -> None:
    wanted = {"chat.copy": key}
    assert keymap(wanted) == {}
    assert FORBIDDEN[key] in " ".join(problems(wanted))


@pytest.mark.parametrize("key", ["ctrl-k", "[red]", "f12\x1b[31m", "ctrl+", "+"])
def test_what_is_no_key_is_refused_with_how_keys_are_written(key: str) -> None:
    assert keymap({"chat.copy": key}) == {}
    assert "written like f12 or ctrl+k" in " ".join(problems({"chat.copy": key}))


def test_an_unknown_action_and_a_key_used_twice_are_reported_by_name() -> None:
    found = " ".join(problems({"chat.fly": "f12", "chat.copy": "f7"}))
    assert "chat.fly" in found
    assert "chat.copy_code" in found


def test_keys_of_the_panels_can_be_changed_and_two_panels_may_share_one() -> None:
    wanted = {"judgments.right": "y", "plan.wrong": "y"}
    assert problems(wanted) == []
    assert keymap(wanted) == wanted
    assert "judgments.wrong" in " ".join(problems({"judgments.right": "w"}))


def test_the_user_keys_win_over_the_defaults() -> None:
    assert keys_of({"chat.copy": "f12"})["chat.copy"] == "f12"
    assert keys_of({})["chat.copy"] == "f6"


async def test_every_action_is_carried_out_by_someone(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        missing = [
            act.id for act in ACTIONS if act.id not in IN_COMPOSER and stage.main.performer(act.id) is None
        ]
        assert missing == []


async def test_a_key_that_the_user_chose_works_and_the_default_does_not(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY, size=(120, 200), keys={"app.help": "f12"}) as stage:
        await stage.pilot.press("f1")
        assert stage.app.screen is stage.main
        await stage.pilot.press("f12")
        await stage.until(lambda: stage.app.screen is not stage.main)
        assert "f12" in stage.text


async def test_a_newline_key_that_the_user_chose_works_in_the_message_field(opened: Open) -> None:
    async with opened(
        kind=ModelKind.MEMORY_ONLY, keys={"compose.newline": "ctrl+n", "conversation.new": "f12"}
    ) as stage:
        await stage.pilot.press("a", "ctrl+n", "b")
        assert stage.main.composer.text == "a\nb"


async def test_conflicting_keys_are_told_on_the_screen_and_stay_among_the_notices(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY, keys={"chat.copy": "f7"}) as stage:
        await stage.until(lambda: "is the key of both" in stage.text)
        await stage.pilot.press("f3")
        await stage.until(lambda: stage.app.screen is not stage.main and "is the key of both" in stage.text)


async def test_help_lists_every_action_with_its_key_and_id(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY, size=(120, 240)) as stage:
        await stage.pilot.press("f1")
        await stage.until(lambda: "chat.copy_code" in stage.text)
        assert [act.id for act in all_actions() if act.id not in stage.text] == []
        await stage.pilot.press("escape")
        assert stage.app.screen is stage.main


async def test_the_palette_offers_actions_at_once_and_conversations_and_themes_by_name(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        conversation = await stage.memory.conversations.create("Glazes [/b] for [stoneware")
        await stage.memory.record("Which glaze?", "Celadon.", conversation=conversation.id)
        await stage.pilot.press("ctrl+p")
        await stage.until(lambda: "Writing: Attach a text file" in stage.text)
        await stage.pilot.press(*"glazes")
        await stage.until(lambda: "Conversation: Open Glazes [/b] for [stoneware" in stage.text)
        await stage.pilot.press("enter")
        await stage.until(lambda: stage.main.header.conversation.startswith("Glazes"))


async def test_slash_commands_do_what_their_action_does(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        await stage.type("/help ")
        await stage.until(lambda: stage.app.screen is not stage.main)


async def test_a_text_that_begins_with_a_slash_but_is_no_command_is_a_message(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        turn = await stage.talk("/usr/bin is a folder")
        assert turn.question == "/usr/bin is a folder"


async def test_a_mistyped_command_is_told_and_goes_as_a_message_only_on_a_second_enter(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        await stage.type("/bogus x")
        await stage.until(lambda: "There is no command /bogus." in stage.text)
        assert stage.main.composer.text == "/bogus x"
        assert stage.turns == []
        await stage.pilot.press("enter")
        await stage.until(lambda: stage.turns and stage.turns[0].question == "/bogus x")


async def test_lists_of_commands_begin_with_those_that_are_used_most(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        await stage.pilot.press("slash")
        await stage.until(lambda: stage.main.completions.display)
        listed = [str(option.id) for option in stage.main.completions.options]
        assert listed[:5] == ["/new", "/open", "/help", "/settings", "/theme"]
        assert listed[5:] == sorted(listed[5:])
        await stage.pilot.press("backspace", "ctrl+p")
        await stage.until(lambda: "Conversations: Begin a new conversation" in stage.text)
        wanted = [
            "Begin a new conversation",
            "Open or search conversations",
            "Show every key",
            "Change the settings",
            "Choose a theme",
        ]
        places = [stage.text.index(f": {title}") for title in wanted]
        assert places == sorted(places)
        assert "🔎" not in stage.text


async def test_no_sentence_of_the_help_is_broken_on_60_columns(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY, size=(60, 24)) as stage:
        await stage.pilot.press("f1")
        await stage.until(lambda: "Esc closes" in stage.text)
        said = stage.text.split("Writing")[0].splitlines()[2:-2]
        lines = [line.strip(" │▄▁▅▇█") for line in said]
        assert all(line[-1] in '.:]"6' for line in lines if line), lines


async def test_keys_that_move_or_delete_take_their_turn_among_letters_typed_in_a_hurry(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        await feed(stage.pilot, "ac\x1b[Db\x1b[Fd\x7f\x7fe\nf\x1b[Ag")
        assert stage.main.composer.text == "agbe\nf"
        await stage.pilot.press("ctrl+o")
        await stage.until(lambda: stage.app.screen is not stage.main)
        await stage.pilot.press("slash")
        await feed(stage.pilot, "ac\x1b[Db\x7fd")
        assert stage.app.screen.query_one("#query", Input).value == "adc"
