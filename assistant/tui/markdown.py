"""Markdown as blocks for the screen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any

from textual.content import Content, Span
from textual.style import Style

from assistant.tui.blocks import EMPTY, TAB, Block, Code, Rule, Table, Text, Words

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

JOINER = "\u2060"
"""Stands before text that goes on in the middle of a line, so that it begins no list; it is never shown."""

References = dict[str, dict[str, Any]]
"""Link definitions by name, as the parser keeps them: "href", "title", and as "map" the lines that they took."""

_DEEPEST = 120
"""Levels of nesting (a list has two) that are read; the parser drops what lies deeper, so such text is shown as it is."""
_BULLETS = ("• ", "▪ ", "‣ ", "◦ ")
_BLANK = Text(EMPTY, EMPTY, ("", ()))
_SPACE = re.compile(r"\s+")
_EMPHASIS = {"em": Style(italic=True), "strong": Style(bold=True), "s": Style(strike=True)}


@cache
def _parser() -> MarkdownIt:
    """Tags are shown as they are written: as HTML they would vanish, and with them part of the answer."""
    from markdown_it import MarkdownIt

    return MarkdownIt("gfm-like", {"html": False, "maxNesting": _DEEPEST})


def parse(source: str, references: References) -> list[list[Token]]:
    """The tokens of each outermost block. `references` are the link definitions known so far; those of `source` are added."""
    env = {"references": references}
    found: list[list[Token]] = []
    for token in _parser().parse(source, env):
        if token.level == 0 and token.nesting >= 0:
            found.append([])
        found[-1].append(token)
    return found


def blocks_of(tokens: Sequence[Token], source: str) -> list[Block]:
    """One outermost block, of the text `source`, as blocks for the screen; an empty row ends it."""
    if max(token.level for token in tokens) >= _DEEPEST - 2:
        return [Text(EMPTY, EMPTY, (source.strip("\n").expandtabs(TAB), ())), _BLANK]
    return [*_Builder(tokens).build(), _BLANK]


@dataclass(slots=True)
class _Around:
    """A list's item or a quote around what is being built, by what stands before its rows."""

    first: str
    rest: str
    style: str = ".mark"


@dataclass(slots=True)
class _List:
    start: int
    width: int = 0
    """Characters of the longest number; 0 in a list without numbers."""
    items: int = 0


@dataclass(slots=True)
class _Builder:
    """`visit_…` is called with each of the `tokens` of that type."""

    tokens: Sequence[Token]
    place: int = 0
    """Of the token that is visited."""
    blocks: list[Block] = field(default_factory=list)
    around: list[_Around] = field(default_factory=list)
    lists: list[_List] = field(default_factory=list)
    heading: str = ""
    """Style of the heading that is open."""
    rows: list[list[Words]] | None = None
    """Of the table that is open."""
    apart: bool = False
    """Whether an empty row comes before the next block."""

    def build(self) -> list[Block]:
        for place, token in enumerate(self.tokens):
            self.place = place
            if visit := getattr(self, f"visit_{token.type}", None):
                visit(token)
        return self.blocks

    def visit_inline(self, token: Token) -> None:
        text, spans = inline(token.children or [])
        style = ".th" if self.rows is not None and len(self.rows) == 1 else self.heading
        words = (text, (Span(0, len(text), style), *spans) if style else spans)
        if self.rows is not None:
            self.rows[-1].append(words)
        else:
            self._add(Text(*self._margins(), words))

    def visit_heading_open(self, token: Token) -> None:
        self.heading = f".{token.tag}"

    def visit_heading_close(self, _: Token) -> None:
        self.heading = ""

    def visit_fence(self, token: Token) -> None:
        language = (token.info.split() or [""])[0]
        self._add(Code(*self._margins(), token.content.rstrip("\n").expandtabs(TAB), language))

    visit_code_block = visit_fence

    def visit_hr(self, _: Token) -> None:
        self._add(Rule(*self._margins()))

    def visit_table_open(self, _: Token) -> None:
        self.rows = []

    def visit_tr_open(self, _: Token) -> None:
        if self.rows is not None:
            self.rows.append([])

    def visit_table_close(self, _: Token) -> None:
        rows, self.rows = tuple(map(tuple, self.rows or [])), None
        self._add(Table(*self._margins(), rows))

    def _add(self, block: Block) -> None:
        self.blocks.append(block)
        self.apart = True

    # What stands around ------------------------------------------------------------------------------------------------

    def _margins(self) -> tuple[Content, Content]:
        """What stands before the rows of the block that comes next; an item's mark only before its first."""
        self._keep_apart()
        first = _margin(*((each.first, each.style) for each in self.around))
        for each in self.around:
            each.first = each.rest
        return first, self._rest()

    def _rest(self) -> Content:
        return _margin(*((each.rest, each.style) for each in self.around))

    def _keep_apart(self) -> None:
        if self.apart:
            self.blocks.append(Text(self._rest(), self._rest(), ("", ())))
            self.apart = False

    def visit_bullet_list_open(self, _: Token) -> None:
        self.lists.append(_List(0))

    def visit_ordered_list_open(self, token: Token) -> None:
        start = int(token.attrs.get("start", 1))
        last = start + _items(islice(self.tokens, self.place, None), token.level) - 1
        self.lists.append(_List(start, len(str(last))))

    def visit_bullet_list_close(self, _: Token) -> None:
        self.lists.pop()

    visit_ordered_list_close = visit_bullet_list_close

    def visit_list_item_open(self, _: Token) -> None:
        listed = self.lists[-1]
        if listed.items or len(self.lists) > 1:
            self.apart = False
        mark = _BULLETS[(len(self.lists) - 1) % len(_BULLETS)]
        if listed.width:
            mark = f"{listed.start + listed.items}. ".rjust(listed.width + 3)
        listed.items += 1
        self.around.append(_Around(mark, " " * len(mark)))

    def visit_blockquote_open(self, _: Token) -> None:
        self._keep_apart()
        self.around.append(_Around("▌ ", "▌ ", ".bar"))

    def visit_list_item_close(self, _: Token) -> None:
        """An item that holds nothing is shown by its mark."""
        if self.around[-1].first != self.around[-1].rest:
            self._add(Text(*self._margins(), ("", ())))
        self.around.pop()

    visit_blockquote_close = visit_list_item_close


@lru_cache(2_000)
def _margin(*marks: tuple[str, str]) -> Content:
    """What stands before a row: texts with their styles. The same for most rows."""
    return EMPTY.join(Content.styled(text, style) for text, style in marks)


def _items(tokens: Iterable[Token], level: int) -> int:
    """How many items the list has that the first of these tokens opens, at `level`."""
    inside = takewhile(lambda token: token.type != "ordered_list_close" or token.level != level, tokens)
    return sum(token.type == "list_item_open" and token.level == level + 1 for token in inside)


def inline(tokens: Sequence[Token]) -> Words:
    """Words with their emphasis, code and links."""
    text: list[str] = []
    spans: list[Span] = []
    opened: list[tuple[Token, int]] = []
    length = 0
    for token in tokens:
        if token.nesting > 0:
            opened.append((token, length))
        elif token.nesting < 0:
            begun, start = opened.pop()
            spans += [Span(start, length, style) for style in _styles(begun)]
        else:
            words = _words_of(token)
            spans += [Span(length, length + len(words), style) for style in _styles(token)]
            text.append(words)
            length += len(words)
    return "".join(text), tuple(spans)


def _styles(token: Token) -> list[Style | str]:
    match token.type:
        case "code_inline":
            return [".code_inline"]
        case "link_open" | "image":
            address = str(token.attrs.get("href") or token.attrs.get("src") or "")
            return [".link", Style.from_meta({"@click": f"link({address!r})"})]
        case _:
            return [style] if (style := _EMPHASIS.get(token.tag)) else []


def _words_of(token: Token) -> str:
    match token.type:
        case "softbreak":
            return " "
        case "hardbreak":
            return "\n"
        case "code_inline":
            return token.content.replace("\t", " ")
        case "image":
            return f"[image: {token.content}]"
        case _:
            return _SPACE.sub(" ", token.content).replace(JOINER, "")
