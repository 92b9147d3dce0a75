"""The ways in which chat programs in terminals fail their users, each with the test that would notice it here."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.config import ModelKind
from assistant.tui import clipboard
from tests.stubs.server import error
from tests.tui.stage import Open

TESTS = Path(__file__).parents[1]
KINDS = {
    "typing gets slower as the chat grows": "tui/test_chat.py::test_new_turns_push_the_oldest_out_so_that_typing_stays_fast",
    "CPU burnt when idle": "tui/test_start.py::test_nothing_moves_while_nobody_does_anything",
    "the view jumps while reading during a stream": "tui/test_chat.py::test_reading_further_up_is_not_disturbed_by_what_comes_in_below",
    "no way to stop the scrolling": "tui/test_chat.py::test_reading_further_up_is_not_disturbed_by_what_comes_in_below",
    "a click scrolls to the bottom": "tui/test_chat.py::test_a_click_into_the_chat_does_not_scroll_it",
    "freeze on a change of the window's focus": "e2e/test_keys_as_bytes.py::test_losing_and_gaining_the_focus_of_the_window_changes_nothing",
    "resizing during a stream breaks the layout": "e2e/test_leaving.py::test_resizing_in_the_middle_of_an_answer_keeps_the_chat_and_hides_the_panels_when_narrow",
    "stopping drops the partial answer": "tui/test_chat.py::test_escape_stops_the_model_and_keeps_the_partial_answer",
    "stopping drops the prompt": "tui/test_chat.py::test_escape_returns_messages_that_wait_to_the_message_field",
    "crash when the server is down": "tui/test_chat.py::test_a_wrong_address_is_told_in_a_sentence_and_loses_nothing",
    "crash when the saved chat's model is gone": "tui/test_kinds_of_failure.py::test_a_conversation_whose_model_is_gone_is_read_and_told_why_nothing_answers",
    "crash when something in the background fails": "tui/test_kinds_of_failure.py::test_drafts_that_cannot_be_written_are_told_and_the_chat_goes_on",
    "“connection error” with no reason": "unit/test_chat.py::test_nothing_listening_is_told_at_once_with_the_address",
    "a key demanded for a local server": "unit/test_chat.py::test_the_key_goes_to_the_server_and_a_placeholder_where_there_is_none",
    "an address without /v1": "unit/test_setup.py::test_a_missing_v1_is_put_in",
    "an address without a scheme": "unit/test_chat.py::test_an_address_of_this_machine_needs_no_scheme",
    "an error replaces the partial answer": "tui/test_chat.py::test_an_error_keeps_prompt_and_partial_answer_and_one_key_tries_again",
    "endless wait when no end of the answer comes": "unit/test_chat.py::test_a_stream_without_an_end_says_that_it_may_be_cut",
    "endless wait for a server that stalls": "unit/test_chat.py::test_a_stalled_server_is_told_as_such",
    "only the first line of a paste is kept": "tui/test_composer.py::test_a_paste_never_sends_and_keeps_all_its_lines_once",
    "a paste sends": "e2e/test_keys_as_bytes.py::test_a_long_paste_with_terminal_sequences_in_it_is_folded_and_presses_no_key",
    "a paste is inserted twice": "tui/test_terminal_input.py::test_a_paste_is_one_text_whatever_it_holds_and_however_it_is_cut",
    "“copied” though the clipboard is empty": "tui/test_kinds_of_failure.py::test_copying_says_what_is_known_of_it_and_no_more",
    "unreadable on light terminals": "unit/test_contrast.py::test_text_stands_out_from_every_background",
    "unreadable without colour": "tui/test_start.py::test_without_colour_the_text_is_not_black_on_black",
    "wrong caret after emoji or CJK": "e2e/test_keys_as_bytes.py::test_the_caret_stands_behind_wide_letters",
    "old chats cannot be found": "tui/test_conversations.py::test_words_said_in_a_conversation_find_it_and_open_at_the_message",
    "opening a chat of 500 messages freezes": "tui/test_chat.py::test_only_some_turns_are_mounted_and_earlier_ones_come_without_a_jump",
    "a message is passed round for ever": "tui/test_start.py::test_nothing_moves_while_nobody_does_anything",
    "the settings file is rewritten at the start": "e2e/test_leaving.py::test_quitting_leaves_the_terminal_as_it_was_and_no_settings_behind",
    "mouse bytes are left in the shell after a crash": "e2e/test_leaving.py::test_a_fault_in_the_program_is_a_sentence_and_a_file",
    "a library's output lies over the screen": "e2e/test_leaving.py::test_what_libraries_print_does_not_reach_the_screen",
    "the history key fires in mid-paragraph": "tui/test_composer.py::test_up_on_the_second_row_of_a_wrapped_line_moves_the_cursor",
    "shift+backspace is dead": "e2e/test_keys_as_bytes.py::test_shift_backspace_deletes",
    "keys overtake each other": "tui/test_keys.py::test_keys_that_move_or_delete_take_their_turn_among_letters_typed_in_a_hurry",
}
"""Kind of failure -> the test."""


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_has_its_test(kind: str) -> None:
    file, name = KINDS[kind].split("::")
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    assert name in {
        each.name for each in tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    }


async def test_a_conversation_whose_model_is_gone_is_read_and_told_why_nothing_answers(opened: Open) -> None:
    async with opened() as stage:
        await stage.talk("Which glaze?")
        assert stage.main.flow.session is not None
        assert stage.main.flow.session.conversation is not None
        number = stage.main.flow.session.conversation.id
        await stage.memory.conversations.configure(number, model="gone-model")
    async with opened() as stage:
        stage.server.will(error(404, "model 'gone-model' not found"))
        await stage.main.desk.show_number(number)
        await stage.until(lambda: "Which glaze?" in stage.text)
        await stage.type("And which cone?")
        await stage.until(lambda: "gone-model" in stage.text and "✗" in stage.text)
        assert "And which cone?" in stage.text


async def test_drafts_that_cannot_be_written_are_told_and_the_chat_goes_on(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        monkeypatch.setattr(stage.app.state, "save", full)
        await stage.until(lambda: "No space left on device" in stage.text)
        turn = await stage.talk("I like celadon.")
        assert turn.episode is not None


def script(folder: Path, code: str) -> Callable[[str], str | None]:
    """Stands for `shutil.which` on a machine with one clipboard tool, which runs `code`."""
    tool = folder / "tool"
    tool.write_text(f"#!/bin/sh\n{code}\n")
    tool.chmod(0o700)
    return lambda name: str(tool) if name == "pbcopy" else None


@pytest.mark.parametrize(
    ("code", "copied"), [('cat > "$0.copy"', True), ("cat > /dev/null; exit 1", False), ("sleep 60", False)]
)
async def test_copying_says_what_is_known_of_it_and_no_more(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, copied: bool
) -> None:
    monkeypatch.setattr(clipboard.shutil, "which", script(tmp_path, code))
    monkeypatch.setattr(clipboard, "_PATIENCE", 5.0 if copied else 0.5)
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        said = await asyncio.wait_for(clipboard.copy(stage.app, "Größe"), 30)
        assert said.startswith("Copied 5 characters") is copied
        assert ("cannot be seen from here" in said) is not copied
        assert stage.app.clipboard == "Größe"
    if copied:
        assert (tmp_path / "tool.copy").read_text("utf-8") == "Größe"
