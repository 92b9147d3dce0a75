"""The text of an answer: Markdown that is read as it arrives, a little at a time, so that no key is kept waiting."""

from __future__ import annotations

from time import perf_counter

from textual.message import Message
from textual.timer import Timer

from assistant.text import StreamCleaner, clean_text
from assistant.tui.document import LONGEST, Document
from assistant.tui.messages import Say
from assistant.tui.widgets.lines import Lines

UPDATES_A_SECOND = 12
_SLICE = 0.01
"""Seconds of reading in one go."""
_FIRST = 0.1
"""Of an answer that is there already: all but very long ones are whole when they are first seen."""
_REST = 2
"""Times as long as that took, nothing is done after it: a key passes through several hands before it is seen."""
_BEHIND = 0.3
"""Seconds between two updates of the screen while much is unread: what scrolls past at once nobody reads."""
_PIECE = LONGEST // 4
"""Characters read at a time, or as many as are open: these are read again with them."""
_AGAIN = 60_000
"""Characters up to which an answer that gives its links' addresses at its end is read once more, with these known."""


class Answer(Lines):
    """`add` while it streams, then `finish` once; with a `text` it is there already."""

    class Grew(Message):
        """More of the answer is on the screen."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.text = text
        self._cleaner = StreamCleaner()
        self._clean = self._cleaner.feed(text)
        self._over = bool(text)
        self._timer: Timer | None = None
        self._shown_at = 0.0
        self._start(Document())

    def _start(self, document: Document) -> None:
        self._document = document
        self._read = 0
        """Characters of the cleaned text that the document has taken in."""
        self._settled = 0
        """Blocks that are on the screen for good."""

    @property
    def source(self) -> str:
        """The cleaned text of all that is on the screen."""
        return self._clean[: self._read]

    def on_mount(self) -> None:
        if self._over:
            self._clean += self._cleaner.finish()
            self._update(_FIRST)

    def add(self, text: str) -> None:
        """Append a delta; the screen follows up to `UPDATES_A_SECOND` times a second."""
        self.text += text
        self._clean += self._cleaner.feed(text)
        self._update_in(1 / UPDATES_A_SECOND)

    def finish(self, text: str | None = None) -> None:
        """The answer is over: it is `text`, else what was streamed. What is not on the screen yet follows."""
        self._clean += self._cleaner.finish()
        if text is not None and text != self.text:
            self.text, self._clean, read = text, clean_text(text), self.source
            if not self._clean.startswith(read):
                self._start(Document())
        self._over = True
        self._update()

    def _update_in(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = self.set_timer(seconds, self._update)

    def _update(self, seconds: float = _SLICE) -> None:
        """Read for a while, and show what was read."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        began = perf_counter()
        while self._read < len(self._clean) and perf_counter() - began < seconds:
            piece = self._clean[self._read : self._read + max(_PIECE, len(self._document.tail))]
            self._document.feed(piece)
            self._read += len(piece)
        behind = self._read < len(self._clean)
        if not behind or began - self._shown_at > _BEHIND:
            self._show()
            self._shown_at = perf_counter()
        if behind:
            self._update_in(_REST * (perf_counter() - began))

    def _show(self) -> None:
        opened = self._document.open()
        if self._over and self._document.late and len(self._clean) <= _AGAIN:
            self._start(Document(self._document.references))
            self._document.feed(self._clean)
            self._read = len(self._clean)
            opened = self._document.open()
        self.put([*self._document.settled[self._settled :], *opened], after=self._settled)
        self._settled = len(self._document.settled)
        self.post_message(self.Grew())

    async def action_link(self, address: str) -> None:
        """Only web addresses are opened, and never without saying which."""
        if address.startswith(("http://", "https://")):
            self.app.open_url(address)
            self.post_message(Say(f"Opened {address} in the browser."))
        else:
            self.post_message(Say(f"Not opened, it is no web address: {address}", level="warning"))
