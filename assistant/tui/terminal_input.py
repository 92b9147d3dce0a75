"""What the terminal sends, as Textual's messages: a paste is text whatever it holds, and no byte can end the program.

Textual's own parser lets a paste that holds escape bytes fall apart into keys, an Enter among them, and types replies
that it does not know into the focused field.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Generator, Iterable
from contextlib import suppress
from functools import partial

from textual import events
from textual._parser import ParseEOF, Parser, ParseTimeout, Peek1, Read1, TokenCallback
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.keys import Keys
from textual.message import Message

_ESCAPE = "\x1b"
_CONTROL = re.compile(r"\x1b\[(?:[0-?]+[ -/]*[@-~]|[@-LN-Z\\-~])")
"""A whole control sequence, but for ESC [ M and ESC [ [, which go on."""
_STRING = re.compile(r"\x1b[\]P_^][0-9>|=+!$]")
"""The beginning of a string that answers a query, e.g. for the background colour."""
_MOUSE = re.compile(r"\x1b\[<[-\d;]*")
"""The beginning of a mouse report."""
_Reading = Generator[Read1 | Peek1, str, None]


class InputReader:
    """Bytes as they are read, in whatever pieces, to messages."""

    def __init__(self) -> None:
        self._parser = SafeParser()
        self._decode = getincrementaldecoder("utf-8")("replace").decode

    def read(self, data: bytes) -> list[Message]:
        text = self._decode(data)
        return [*(self._parser.feed(text) if text else ()), *self._parser.tick()]


class SafeParser(XTermParser):
    """Textual's parser inside of one that keeps from it what it would misread."""

    _muted = False

    def parse(self, token_callback: TokenCallback[Message]) -> _Reading:
        inner = super().parse(partial(self._made, token_callback))
        awaiting, seen = next(inner), ""
        while True:
            try:
                character = yield awaiting
            except ParseTimeout as over:
                awaiting, seen = inner.throw(over), ""
                continue
            except ParseEOF as end:
                with suppress(StopIteration):
                    inner.throw(end)
                return
            seen = _grown(seen, character)
            awaiting = inner.send(seen[-1:] or character)
            if seen == BRACKETED_PASTE_START:
                token_callback(events.Paste((yield from _up_to(BRACKETED_PASTE_END)).replace("\x00", "")))
                for character in BRACKETED_PASTE_END:
                    awaiting = inner.send(character)
            elif awaiting.timeout is None:  # the parser took it for something
                seen = ""
            elif _CONTROL.fullmatch(seen) or _STRING.fullmatch(seen):
                awaiting = self._give_up(inner)
                if _STRING.fullmatch(seen):
                    yield from _string()
                seen = ""

    def _made(self, token_callback: TokenCallback[Message], token: Message) -> None:
        if not self._muted and not isinstance(token, events.Paste):  # pastes are made above
            token_callback(token)

    def _give_up(self, inner: _Reading) -> Read1 | Peek1:
        """Take back from the parser a sequence for which it has no use, before it makes keys of it."""
        self._muted = True
        inner.send(_ESCAPE)
        awaiting = inner.throw(ParseTimeout())
        self._muted = False
        return awaiting

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:  # noqa: FBT001, FBT002 - Textual's signature
        """Keys, without those whose character is none: too large a number, or half of a pair."""
        try:
            keys = list(super()._sequence_to_key_events(sequence, alt))
        except (ValueError, OverflowError):
            return [events.Key(Keys.Ignore, sequence)]
        return [key for key in keys if not "\ud800" <= (key.character or "") <= "\udfff"]


def _grown(seen: str, character: str) -> str:
    """The sequence that is being read, "" outside of one."""
    if character == _ESCAPE:
        return character
    if character in "Na" and _MOUSE.fullmatch(seen):  # NaN for the place of the mouse
        character = "0"  # which is off the screen, so that the report is dropped
    return seen and seen + character


def _up_to(end: str) -> Generator[Read1 | Peek1, str, str]:
    """What comes before `end`, which is read too."""
    read: list[str] = []
    while read[-len(end) :] != [*end]:
        read.append((yield Parser.read1()))
    return "".join(read[: -len(end)])


def _string() -> _Reading:
    """Read a control string to its end; one that is broken off ends with its last character."""
    before = ""
    try:
        while True:
            character = yield Parser.read1(0.1)
            if character in "\x07\x9c" or before + character == "\x1b\\":
                return
            before = character
    except ParseTimeout:
        return
