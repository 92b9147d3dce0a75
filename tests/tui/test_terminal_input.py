"""Bytes from the terminal, cut anywhere: keys stay keys, a paste stays one text, and nothing can break the reading."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import constants, events
from textual.message import Message

from assistant.tui.terminal_input import InputReader

START, END = "\x1b[200~", "\x1b[201~"
SEQUENCES = [
    *("a", "\r", "\x1b", "é", "\x1b[A", "\x1bOP", "\x1b[[A", "\x1b[13;2u", "\x1b[27;2;13~", "\x1b[<0;3;4M"),
    *("\x1b[M !!", "\x1b[<32;NaN;NaNM", "\x1b[?2026;2$y", "\x1b]11;rgb:00/00/00\x1b\\", "\x1b[I", START, END),
    *("\x1b[55296u", "\x1b[99999999999u", "\x1b[48;20;80;200;800t", "\x1bP>|term\x1b\\", "\udc80"),
]


@pytest.fixture(autouse=True, scope="module")
def time_enough_between_two_reads() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(constants, "ESCAPE_DELAY", 60.0)
        yield


def read(*pieces: str | bytes) -> list[Message]:
    reader = InputReader()
    return [
        message
        for piece in pieces
        for message in reader.read(piece.encode(errors="ignore") if isinstance(piece, str) else piece)
    ]


def keys(*pieces: str | bytes) -> list[str]:
    return [message.key for message in read(*pieces) if isinstance(message, events.Key)]


def pasted(messages: list[Message]) -> list[str]:
    return [message.text for message in messages if isinstance(message, events.Paste)]


@given(st.text().filter(lambda text: END not in text), st.data())
def test_a_paste_is_one_text_whatever_it_holds_and_however_it_is_cut(text: str, data: st.DataObject) -> None:
    sent = f"{START}{text}{END}x".encode(errors="ignore")
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=4)))
    pieces = [sent[start:end] for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    messages = read(*pieces)
    assert pasted(messages) == [text.encode(errors="ignore").decode().replace("\x00", "")]
    assert [message.key for message in messages if isinstance(message, events.Key)] == ["x"]


@pytest.mark.parametrize(
    "inside", ["\x1b", "\x1b\r", "\x1b[31m", "\x1b[20", START, "\x1b[48;9;9;9;9t", "\x1b" * 3]
)
def test_escape_bytes_in_a_paste_press_no_key(inside: str) -> None:
    messages = read(f"{START}a{inside}\rrm -rf\r{END}")
    assert pasted(messages) == [f"a{inside}\rrm -rf\r"]
    assert len(messages) == 1


@given(st.lists(st.sampled_from(SEQUENCES) | st.binary(max_size=6), max_size=30))
def test_no_bytes_end_the_reading_and_no_key_holds_half_a_character(pieces: list[str | bytes]) -> None:
    for message in read(*pieces, END):
        if isinstance(message, events.Key):
            (message.character or "").encode()


def test_bytes_that_are_not_utf8_become_the_replacement_character() -> None:
    assert [message.character for message in read(b"caf\xe9 x") if isinstance(message, events.Key)] == [
        *"caf\ufffd x"
    ]


def test_a_letter_that_is_cut_between_two_reads_is_whole() -> None:
    assert keys(b"\xc3", b"\xa9") == ["é"]


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ("\x1b[A", "up"),
        ("\x1bOP", "f1"),
        ("\x1b[[A", "f1"),
        ("\x1b[13;2u", "shift+enter"),
        ("\x1b[1;3D", "alt+left"),
    ],
)
def test_a_key_that_is_cut_between_two_reads_is_one_key(data: str, key: str) -> None:
    assert all(keys(data[:cut], data[cut:]) == [key] for cut in range(1, len(data)))


@pytest.mark.parametrize(
    "data",
    [
        "\x1b[<32;NaN;NaNM",
        "\x1b]11;rgb:1414/1717/1c1c\x1b\\",
        "\x1b]52;c;aGk=\x07",
        "\x1bP>|xterm(390)\x1b\\",
        "\x1b[?62;22c",
        "\x1b[?1u",
    ],
)
def test_what_a_terminal_reports_unasked_is_not_typed(data: str) -> None:
    assert keys("a", data, "b") == ["a", "b"]


@pytest.mark.parametrize("data", ["\x1b[55296u", "\x1b[1114112u", "\x1b[99999999999u", "\x1b[97;1;55296u"])
def test_a_key_that_is_no_character_is_none(data: str) -> None:
    assert keys("a", data, "b") == ["a", "b"]


def test_the_mouse_is_heard() -> None:
    (down, up) = read("\x1b[<0;3;4M", "\x1b[<0;3;4m")
    assert isinstance(down, events.MouseDown)
    assert isinstance(up, events.MouseUp)
    assert (down.x, down.y) == (2, 3)
