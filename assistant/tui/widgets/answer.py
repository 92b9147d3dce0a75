"""The text of an answer: Markdown that is streamed smoothly, and plain text beyond the length a terminal can lay out."""

from __future__ import annotations

from asyncio import Lock

from markdown_it import MarkdownIt
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Markdown
from textual.widgets.markdown import MarkdownStream

from assistant.text import clean_text
from assistant.tui.messages import Say
from assistant.tui.widgets.plain_text import PlainText

UPDATES_A_SECOND = 12
MARKDOWN_LIMIT = 24_000
"""Characters shown as Markdown. Each paragraph is a widget that every layout pass walks; what follows is plain text."""


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
        self._markdown = Markdown(parser_factory=_parser, open_links=False)

    def compose(self) -> ComposeResult:
        yield self._markdown

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
            if self._stream is None:
                self._stream = Markdown.get_stream(self._markdown)
            markdown_left = max(MARKDOWN_LIMIT - self._shown, 0)
            self._shown = len(self.text)
            if markdown_left:
                await self._stream.write(fresh[:markdown_left])
            if fresh[markdown_left:]:
                await (await self._tail()).add(fresh[markdown_left:])
        self.post_message(self.Grew())

    async def _tail(self) -> PlainText:
        for there in self.query(PlainText):
            return there
        tail = PlainText(classes="tail")
        await self.mount(tail)
        return tail

    async def finish(self, text: str | None = None) -> None:
        """The stream is over: show `text` (what was streamed, unless given) once as a whole, which mends what streaming broke."""
        await self._end_stream()
        await self.show(self.text if text is None else text)
        self.post_message(self.Grew())

    async def show(self, text: str) -> None:
        """Show a whole answer."""
        self.text = text
        markdown, plain = split(clean_text(text))
        await self.query(PlainText).remove()
        await self._markdown.update(markdown)
        if plain:
            await self.mount(PlainText(plain, classes="tail"))

    async def _end_stream(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        async with self._writing:  # a stream that is stopped before its task has run raises CancelledError
            stream, self._stream = self._stream, None
        if stream is not None:
            await stream.stop()

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
