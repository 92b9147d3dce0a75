"""Keys, pastes and the mouse as terminals send them: bytes through the pseudo-terminal of one running program."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.terminal import BACKSPACE, ENTER, ESCAPE, NEWLINE, Terminal

CTRL_N, CTRL_Q, DELETE = "\x0e", "\x11", "\x1b[3~"
F1, F2, UP, DOWN, LEFT = "\x1bOP", "\x1bOQ", "\x1b[A", "\x1b[B", "\x1b[D"
EMPTY = "Write a message; / lists commands"
NOTED = "Noted."


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path_factory.mktemp("home"), columns=90, rows=30)
    terminal.wait_for("ready")
    yield terminal
    terminal.type(CTRL_Q)
    terminal.wait_for_end()
    terminal.close()


@pytest.fixture
def terminal(running: Terminal) -> Iterator[Terminal]:
    """The running program with an empty message field in a new conversation, as the test before should leave it."""
    running.type(CTRL_N)
    running.wait_for("New conversation", EMPTY)
    yield running
    running.type(BACKSPACE * 60 + DELETE * 60)
    running.wait_for(EMPTY, seconds=20)


def test_a_paste_never_sends_and_enter_does(terminal: Terminal) -> None:
    terminal.paste("first line\nsecond line\n")
    terminal.wait_for("first line", "second line")
    terminal.type("after")
    assert NOTED not in terminal.wait_for("after")
    terminal.type(ENTER)
    terminal.wait_for(NOTED)


def test_a_long_paste_with_terminal_sequences_in_it_is_folded_and_presses_no_key(terminal: Terminal) -> None:
    hostile = "\x1b[31mred\x1b]0;title\x07 \x1b\r\x1b[200~ \x00 \x1b[21~ rm -rf\r"
    terminal.received = b""
    terminal.paste(hostile * (50_000 // len(hostile)))
    shown = terminal.wait_for("[pasted 1: ")
    terminal.type("x")
    shown = terminal.wait_for("]x")
    assert NOTED not in shown
    assert "New conversation" in shown
    assert b"title" not in terminal.received
    terminal.type(BACKSPACE + "\x1b[20~")  # f9 opens it
    assert "red" in terminal.wait_for("rm -rf")
    terminal.type(ESCAPE)
    terminal.wait_until(lambda shown: "rm -rf" not in shown, "the window's end")


def test_a_line_feed_and_shift_enter_begin_a_new_line(terminal: Terminal) -> None:
    terminal.type("one" + NEWLINE + "two\x1b[13;2uthree\x1b[27;2;13~four")
    shown = terminal.wait_for("one", "two", "three", "four")
    rows = [line.strip(" │") for line in shown.splitlines()]
    assert rows[rows.index("one") :][:4] == ["one", "two", "three", "four"]
    assert NOTED not in shown


def test_keys_that_arrive_in_pieces_are_whole(terminal: Terminal) -> None:
    terminal.type("ac\x1b")
    terminal.type("[Db")
    for byte in "é😀".encode():
        terminal.type(bytes([byte]))
    terminal.wait_for("abé😀c")


def test_bytes_that_are_no_text_are_shown_as_such_and_end_nothing(terminal: Terminal) -> None:
    terminal.type(b"caf\xe9 au\xff lait")
    terminal.wait_for("caf\ufffd au\ufffd lait")


def test_reports_of_the_terminal_and_of_a_mouse_without_a_place_leave_no_text(terminal: Terminal) -> None:
    terminal.type("a\x1b[<32;NaN;NaNM\x1b]11;rgb:1414/1717/1c1c\x1b\\\x1b[?62;22c\x1b[I\x1b[<35;9999;9999Mz")
    terminal.wait_for("│ az ")


def test_the_mouse_clicks(terminal: Terminal) -> None:
    terminal.type("/")
    shown = terminal.wait_for("/settings")
    row = next(number for number, line in enumerate(shown.splitlines(), 1) if "/help" in line)
    terminal.type(f"\x1b[<0;5;{row}M\x1b[<0;5;{row}m")
    terminal.wait_for("│ /help ")


def test_shift_backspace_deletes(terminal: Terminal) -> None:
    terminal.type("abc\x1b[127;2uX")
    terminal.wait_for("│ abX ")


def test_the_arrow_recalls_a_prompt_only_on_the_first_line(terminal: Terminal) -> None:
    terminal.say("I like celadon.")
    terminal.wait_for(NOTED)
    terminal.type("one" + NEWLINE + "two" + UP + "X")
    terminal.wait_for("│ oneX ")
    terminal.type(UP)
    terminal.wait_until(lambda shown: "oneX" not in shown, "the prompt before")
    terminal.type(DOWN)
    terminal.wait_for("oneX")


def test_the_caret_stands_behind_wide_letters(terminal: Terminal) -> None:
    terminal.type("日本😀")
    terminal.wait_until(
        lambda shown: "日本😀" in shown and terminal.caret == 2 + 6, "the caret after six cells"
    )
    terminal.type(LEFT * 2 + "|")
    terminal.wait_for("日|本😀")


def test_help_opens_and_closes(terminal: Terminal) -> None:
    terminal.type(F1)
    terminal.wait_for("Send the message", "enter")
    terminal.type(ESCAPE)
    terminal.wait_until(lambda shown: "Send the message" not in shown, "the help's end")


def test_a_narrow_terminal_lays_the_panels_over_the_chat_on_a_key(terminal: Terminal) -> None:
    terminal.resize(60, 20)
    terminal.type(F2)
    terminal.wait_for("1-6 other panels · esc back to the chat")
    terminal.type(ESCAPE)
    terminal.wait_until(lambda shown: "other panels" not in shown, "the panels' end")
    terminal.resize(90, 30)


def test_losing_and_gaining_the_focus_of_the_window_changes_nothing(terminal: Terminal) -> None:
    terminal.type("half\x1b[O\x1b[I a thought")
    terminal.wait_for("half a thought")
