"""The text of an answer: Markdown that is streamed smoothly, and plain text beyond the length a terminal can lay out."""

from __future__ import annotations

from asyncio import Lock, sleep
from itertools import accumulate

from markdown_it import MarkdownIt
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Markdown
from textual.widgets.markdown import MarkdownStream

from assistant.text import clean_text
from assistant.tui.messages import Say
from assistant.tui.widgets.plain_text import PIECE, PlainText, pieces

UPDATES_A_SECOND = 12
MARKDOWN_LIMIT = 24_000
"""Characters shown as Markdown. Each paragraph is a widget that every layout pass walks; what follows is plain text."""

SECTION = 2_000
"""Characters after which the next block begins a widget of its own: what is laid out in one go keeps a key waiting."""

_BREATH = 0.03
"""Seconds between two sections, in which keys that were typed are shown."""
_PLAIN = 4 * PIECE
"""Characters of plain text that are laid out in one go."""


def _parser() -> MarkdownIt:
    """Tags are shown as they are written: as HTML they would vanish, and with them part of the answer."""
    return MarkdownIt("gfm-like", {"html": False})


def split(text: str, limit: int = MARKDOWN_LIMIT) -> tuple[str, str]:
    """`text` as (Markdown, plain), cut at the last paragraph, else line, before `limit`."""
    if len(text) <= limit:
        return text, ""
    for mark in ("\n\n", "\n", " "):
        if (cut := text.rfind(mark, limit // 2, limit)) > 0:
            return text[: cut + len(mark)], text[cut + len(mark) :]
    return text[:limit], text[limit:]


def sections(text: str, size: int = SECTION) -> list[str]:
    """`text` in parts of at least `size` characters, each but the first beginning with a block; joined they are `text`."""
    if len(text) <= size:
        return [text]
    lines = text.split("\n")
    offsets = list(accumulate((len(line) + 1 for line in lines), initial=0))
    parts, begun = [], 0
    for token in _parser().parse(text):
        if token.level == 0 and token.map and offsets[token.map[0]] - begun >= size:
            parts.append(text[begun : offsets[token.map[0]]])
            begun = offsets[token.map[0]]
    return [*parts, text[begun:]]


class _Section(Markdown):
    """Part of an answer; `whole` is what it was last set to, None while it is streamed."""

    def __init__(self) -> None:
        super().__init__(parser_factory=_parser, open_links=False)
        self.whole: str | None = None
        self._folded = False

    def fold(self, folded: bool) -> None:  # noqa: FBT001  # a state, as in set_class
        """Out of sight, keep the height and hide the blocks, which every layout pass would walk. Not while it is streamed."""
        if folded == self._folded or (folded and (self.whole is None or not self.outer_size.height)):
            return
        self._folded = folded
        self.styles.height = self.outer_size.height if folded else "auto"
        for block in self.children:
            block.display = not folded

    async def set(self, text: str) -> bool:
        """Show `text` as a whole. False when it is shown already."""
        if text == self.whole:
            return False
        self.fold(False)
        self.whole = text
        await self.update(text)
        return True


class Answer(Vertical):
    """`add` while it streams, then `finish` once; or `show` for an answer that is there already."""

    DEFAULT_CSS = """
    Answer { height: auto; }
    Answer Markdown { padding: 0; margin: 0; }
    """

    class Grew(Message):
        """More of the answer is on the screen."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._shown = 0
        self._stream: MarkdownStream | None = None
        self._timer: Timer | None = None
        self._writing = Lock()
        self._sections = [_Section()]
        self._open = ""
        """What was streamed into the last section."""
        self._plain: PlainText | None = None

    def compose(self) -> ComposeResult:
        yield from self._sections

    def add(self, text: str) -> None:
        """Append a delta; the screen follows up to `UPDATES_A_SECOND` times a second."""
        self.text += text
        if self._timer is None:
            self._timer = self.set_interval(1 / UPDATES_A_SECOND, self._flush)

    async def _flush(self) -> None:
        async with self._writing:
            fresh = clean_text(self.text[self._shown :])
            if not fresh or self._timer is None:
                return
            room = 0 if self._plain is not None else max(MARKDOWN_LIMIT - self._shown, 0)
            self._shown = len(self.text)
            markdown, plain = split(fresh, room) if room else ("", fresh)
            if markdown:
                await self._write(markdown)
            if plain:
                await self._add_plain(plain)
        self.post_message(self.Grew())

    async def _write(self, text: str) -> None:
        """Stream into the last section; one that is long enough is set as a whole, and the rest begins the next."""
        *whole, rest = sections(self._open + text)
        self._open = rest
        for part in whole:
            await self._end_section()
            await self._sections[-1].set(part)
            await self._add_section()
            text = rest
            await sleep(_BREATH)
        if self._stream is None:
            self._stream = Markdown.get_stream(self._sections[-1])
        self._sections[-1].whole = None
        await self._stream.write(text)

    async def _add_section(self) -> None:
        section = _Section()
        await self.mount(section, after=self._sections[-1])
        self._sections.append(section)

    async def _add_plain(self, text: str) -> None:
        if self._plain is None and text:
            self._plain = PlainText(classes="tail")
            await self.mount(self._plain)
        for part in pieces(text, _PLAIN):
            assert self._plain is not None
            await self._plain.add(part)
            self.post_message(self.Grew())
            await sleep(_BREATH)

    async def _end_section(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.stop()

    async def finish(self, text: str | None = None) -> None:
        """The stream is over: show `text` (what was streamed, unless given) once as a whole, which mends what streaming broke."""
        await self._end_stream()
        await self.show(self.text if text is None else text)
        self.post_message(self.Grew())

    async def show(self, text: str) -> None:
        """Show a whole answer."""
        self.text = text
        whole = clean_text(text)
        written = "".join(section.whole or "" for section in self._sections[:-1]) + self._open
        if self._plain is not None and whole.startswith(written + self._plain.text):
            markdown, plain = written, whole[len(written) :]  # what stands there is not laid out again
        else:
            markdown, plain = split(whole)
        parts = sections(markdown)
        for gone in self._sections[len(parts) :]:
            await gone.remove()
        del self._sections[len(parts) :]
        for number, part in enumerate(parts):
            if number == len(self._sections):
                await self._add_section()
            if await self._sections[number].set(part) and number + 1 < len(parts):
                self.post_message(self.Grew())
                await sleep(_BREATH)
        if self._plain is not None and not plain.startswith(self._plain.text):
            await self._plain.remove()
            self._plain = None
        await self._add_plain(plain if self._plain is None else plain[len(self._plain.text) :])

    def fold_outside(self, first: float, last: float) -> None:
        """Fold what lies wholly above row `first` or below row `last` of this answer."""
        top = 0
        for section in self._sections:
            bottom = top + section.outer_size.height
            section.fold(bottom < first or top > last)
            top = bottom

    async def _end_stream(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        async with self._writing:  # a stream that is stopped before its task has run raises CancelledError
            await self._end_section()

    def on_markdown_link_clicked(self, message: Markdown.LinkClicked) -> None:
        """Only web addresses are opened, and never without saying which."""
        message.stop()
        if message.href.startswith(("http://", "https://")):
            self.app.open_url(message.href)
            self.post_message(Say(f"Opened {message.href} in the browser."))
        else:
            self.post_message(Say(f"Not opened, it is no web address: {message.href}", level="warning"))

    async def on_unmount(self) -> None:
        await self._end_stream()
