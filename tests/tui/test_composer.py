"""The message field: keys as terminals send them, pastes, history, growth, drafts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual import events
from textual.pilot import Pilot

from assistant.tui.keys import keys_of
from assistant.tui.widgets.completions import Completions
from assistant.tui.widgets.composer import Composer
from tests.tui.holder import Holder, feed, shown

LONG = "\n".join(f"line {number}" for number in range(60))


@asynccontextmanager
async def composing(*prompts: str, width: int = 60) -> AsyncIterator[tuple[Composer, Pilot[None], Holder]]:
    completions = Completions()
    composer = Composer(keys_of({}), list(prompts), completions)
    app = Holder(completions, composer)
    async with app.run_test(size=(width, 30)) as pilot:
        composer.focus()
        await pilot.pause()
        yield composer, pilot, app


def sent(app: Holder) -> list[str]:
    return [message.text for message in app.got(Composer.Sent)]


async def test_enter_sends_the_text_and_clears_the_field() -> None:
    async with composing() as (composer, pilot, app):
        await pilot.press(*"hello", "enter")
        assert sent(app) == ["hello"]
        assert composer.text == ""


async def test_enter_in_an_empty_field_sends_nothing() -> None:
    async with composing() as (_, pilot, app):
        await pilot.press("space", "enter")
        assert sent(app) == []


@pytest.mark.parametrize("data", ["\n", "\x1b[13;2u", "\x1b[27;2;13~"], ids=["LF", "kitty", "xterm"])
async def test_every_way_in_which_terminals_send_a_newline_makes_one(data: str) -> None:
    async with composing() as (composer, pilot, app):
        await pilot.press("a")
        await feed(pilot, data)
        await pilot.press("b")
        assert composer.text == "a\nb"
        assert sent(app) == []


async def test_carriage_return_from_the_terminal_sends() -> None:
    async with composing() as (_, pilot, app):
        await feed(pilot, "hi\r")
        assert sent(app) == ["hi"]


async def test_a_space_that_arrives_as_an_escape_sequence_is_a_space() -> None:
    async with composing() as (composer, pilot, _):
        await feed(pilot, "a\x1b[32ub\x1b[32;2uc")
        assert composer.text == "a b c"


async def test_shift_backspace_deletes() -> None:
    async with composing() as (composer, pilot, _):
        await feed(pilot, "ab\x1b[127;2u")
        assert composer.text == "a"


async def test_mouse_reports_without_numbers_leave_no_text() -> None:
    async with composing() as (composer, pilot, _):
        await feed(pilot, "ab\x1b[<32;NaN;NaNMc")
        assert composer.text == "abc"


async def test_a_paste_never_sends_and_keeps_all_its_lines_once() -> None:
    async with composing() as (composer, pilot, app):
        await feed(pilot, "\x1b[200~one\r\ntwo\rthree\n\x1b[201~")
        assert composer.text == "one\ntwo\nthree\n"
        assert sent(app) == []


async def test_a_paste_loses_its_terminal_sequences() -> None:
    async with composing() as (composer, pilot, _):
        await feed(pilot, "\x1b[200~safe\x07\u202e text\x1b[201~")
        assert composer.text == "safe text"


async def test_a_long_paste_folds_into_a_mark_and_is_sent_whole() -> None:
    async with composing() as (composer, pilot, app):
        await pilot.press(*"see: ")
        await feed(pilot, f"\x1b[200~{LONG}\x1b[201~")
        assert composer.text == f"see: [pasted 1: 60 lines, {len(LONG)} characters]"
        await pilot.press("enter")
        assert sent(app) == [f"see: {LONG}"]


async def test_a_very_long_line_never_stands_in_the_field() -> None:
    async with composing() as (composer, pilot, app):
        await feed(pilot, f"\x1b[200~{'x' * 200_000}\x1b[201~")
        assert len(composer.text) < 100
        await pilot.press("enter")
        assert [len(text) for text in sent(app)] == [200_000]


async def test_the_field_grows_when_a_narrower_window_wraps_its_text() -> None:
    async with composing(width=100) as (composer, pilot, _):
        composer.replace_text(
            "A draft of some eighty letters, which take two lines where the window is narrow."
        )
        await pilot.pause()
        before = composer.size.height
        await pilot.resize_terminal(60, 30)
        await pilot.pause()
        assert composer.size.height == before + 1


async def test_the_field_grows_with_its_lines() -> None:
    async with composing() as (composer, pilot, _):
        before = composer.size.height
        await pilot.press(*"ab", "ctrl+j", *"cd", "ctrl+j", *"ef")
        await pilot.pause()
        assert composer.size.height == before + 2


async def test_up_on_the_first_line_brings_earlier_prompts_and_down_what_was_being_written() -> None:
    async with composing("first", "second") as (composer, pilot, _):
        await pilot.press(*"new", "up")
        assert composer.text == "second"
        await pilot.press("up", "up")
        assert composer.text == "first"
        await pilot.press("down", "down")
        assert composer.text == "new"


async def test_up_in_the_middle_of_a_text_moves_the_cursor_and_not_the_history() -> None:
    async with composing("first") as (composer, pilot, _):
        await pilot.press("a", "ctrl+j", "b", "up")
        assert composer.text == "a\nb"
        assert composer.cursor_location[0] == 0


async def test_up_on_the_second_row_of_a_wrapped_line_moves_the_cursor() -> None:
    async with composing("first", width=20) as (composer, pilot, _):
        await pilot.press(*("word " * 8))
        await pilot.press("up")
        assert composer.text.startswith("word")


async def test_a_draft_comes_back_with_its_folded_pastes() -> None:
    async with composing() as (composer, pilot, _):
        await pilot.press(*"look ")
        await feed(pilot, f"\x1b[200~{LONG}\x1b[201~")
        draft = composer.draft
    async with composing() as (composer, pilot, app):
        composer.restore(draft)
        await pilot.press("enter")
        assert sent(app) == [f"look {LONG}"]


@pytest.mark.parametrize(
    "draft", [{}, {"text": 3}, {"text": "ok", "pastes": ["x"]}, {"pastes": {"a": 1, "2": None}}]
)
async def test_a_draft_of_unexpected_shape_is_no_reason_to_fail(draft: dict[str, object]) -> None:
    async with composing() as (composer, _, _):
        composer.restore(draft)
        assert composer.text in ("", "ok")


async def test_a_slash_lists_the_commands_and_tab_completes_the_highlighted_one() -> None:
    async with composing() as (composer, pilot, app):
        await pilot.press(*"/pri")
        assert app.query_one(Completions).display
        assert "/private" in shown(app.query_one(Completions))
        await pilot.press("tab")
        assert composer.text == "/private "
        assert not app.query_one(Completions).display


async def test_enter_after_a_command_typed_in_one_go_sends_it_and_not_the_one_first_listed() -> None:
    async with composing() as (composer, pilot, app):
        await pilot.press("/")
        composer.insert("suspend ")
        await composer._on_key(events.Key("enter", "\r"))  # before the list has heard of the letters
        await pilot.pause()
        assert sent(app) == ["/suspend "]


async def test_escape_closes_the_list_of_commands_and_keeps_the_text() -> None:
    async with composing() as (composer, pilot, app):
        await pilot.press(*"/e", "escape")
        assert composer.text == "/e"
        assert not app.query_one(Completions).display


async def test_emoji_and_wide_characters_keep_the_cursor_right() -> None:
    async with composing() as (composer, pilot, _):
        await feed(pilot, "日本👍語")
        await pilot.press("left", "backspace", "x")
        assert composer.text == "日本x語"
