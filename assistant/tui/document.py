"""Markdown that arrives in pieces: what cannot change any more is settled, only the block at the end is read again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING

from assistant.tui.blocks import Block, Code, Table
from assistant.tui.markdown import JOINER, References, blocks_of, parse

if TYPE_CHECKING:
    from markdown_it.token import Token

LONGEST = 8_000
"""Characters of one block. A longer one is cut into several of its kind, so that no piece of work keeps a key waiting."""
_SHARES = {"fence": 2.0, "bullet_list_open": 0.25, "ordered_list_open": 0.25}
"""Of that length, by kind: code is read at a glance, each item of a list takes its time."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """The outermost blocks of a text, by their tokens, and where its lines begin; what was carried stands before 0."""

    text: str
    blocks: list[list[Token]]
    lines: list[int]
    references: References

    def span(self, number: int) -> tuple[int, int]:
        """Where block `number` begins and ends."""
        first, last = self.blocks[number][0].map or (0, -1)
        return max(self.lines[first], 0), self.lines[last]

    def kind(self, number: int) -> str:
        return self.blocks[number][0].type

    def items(self) -> list[int]:
        """Where the items of the first block, a list, begin."""
        return [place for token in self.blocks[0] if (place := self._item(token)) is not None]

    def before(self, item: int) -> _Reading:
        """The first block, a list, up to the item that begins at that place."""
        return replace(
            self, blocks=[list(takewhile(lambda token: self._item(token) != item, self.blocks[0]))]
        )

    def _item(self, token: Token) -> int | None:
        if token.type != "list_item_open" or token.level != 1 or token.map is None:
            return None
        return self.lines[token.map[0]]


class Document:
    """`settled` blocks, and the source of what is still open, the `tail`."""

    def __init__(self, references: References | None = None, *, longest: int = LONGEST) -> None:
        """`references` are link definitions from an earlier reading: a text may refer to one before it gives it."""
        self.settled: list[Block] = []
        self.tail = ""
        self.references: References = dict(references or {})
        """Link definitions found, those of the tail included when it was last asked for."""
        self._certain: References = dict(self.references)
        self._given = frozenset(self.references)
        self._longest = longest
        self._carried = ""
        """What stands before the tail when it is read: the head of a table or fence that was cut there."""

    def feed(self, text: str) -> None:
        """Take in a piece, of about `longest` characters at most."""
        self.tail += text
        while self._settle(self._read(self._closed())) and len(self.tail) > self._longest // 2:
            pass

    def open(self) -> list[Block]:
        """The blocks that follow the settled ones, as the tail stands now."""
        reading = self._read(self.tail)
        self.references = reading.references
        return self._blocks(reading, len(reading.blocks))

    @property
    def late(self) -> bool:
        """Whether it gives link definitions that what stands before them may have needed."""
        return bool(self.settled) and self.references.keys() != self._given

    def _closed(self) -> str:
        """The part of the tail whose blocks stay, whatever follows: whole lines, or a line that is long already."""
        end = self.tail.rfind("\n") + 1
        return self.tail if len(self.tail) - end > self._longest // 4 else self.tail[:end]

    def _read(self, text: str) -> _Reading:
        known = dict(self._certain)
        whole = self._carried + text
        lines = accumulate((len(line) + 1 for line in whole.split("\n")), initial=-len(self._carried))
        return _Reading(text, parse(whole, known), list(lines), known)

    def _blocks(self, reading: _Reading, count: int) -> list[Block]:
        """The first `count` blocks of the tail; one that was cut before shows neither its head nor its upper edge again."""
        found = [block for tokens in reading.blocks[:count] for block in blocks_of(tokens, reading.text)]
        match found:
            case [Code() as code, *_] if self._carried:
                code.begins = False
            case [Table() as table, *_] if self._carried:
                table.rows, table.headed = table.rows[1:], False
            case _:
                pass
        return found

    # What is over -----------------------------------------------------------------------------------------------------

    def _settle(self, reading: _Reading) -> bool:
        """Settle every block but the last, or part of the first if it is too long. True when there may be more to settle."""
        long = next((number for number in range(len(reading.blocks)) if self._is_long(reading, number)), None)
        if long == 0:
            self._cut(reading)
            return True
        count = len(reading.blocks) - 1 if long is None else long
        if count > 0:
            self.settled += self._blocks(reading, count)
            self._advance(reading.span(count)[0], reading.references, "")
        return long is not None

    def _most(self, kind: str) -> int:
        return int(self._longest * _SHARES.get(kind, 1.0))

    def _is_long(self, reading: _Reading, number: int) -> bool:
        start, end = reading.span(number)
        return end - start > self._most(reading.kind(number))

    def _advance(self, to: int, references: References, carried: str) -> None:
        """The tail begins at `to` from now on; definitions before that are certain."""
        lines = (self._carried + self.tail[:to]).count("\n")
        self._certain |= {
            name: found
            for name, found in references.items()
            if name not in self._certain and found["map"][1] <= lines
        }
        self.tail, self._carried = self.tail[to:], carried

    def _cut(self, reading: _Reading) -> None:
        """Settle the first part of the first block."""
        at, carried = self._place(reading)
        part = reading.before(at) if at in reading.items() else self._read(self.tail[:at])
        blocks = self._blocks(part, len(part.blocks))[:-1]
        if blocks and isinstance(blocks[-1], Code):
            blocks[-1].ends = False
        self.settled += blocks
        self._advance(at, {}, carried)

    def _place(self, reading: _Reading) -> tuple[int, str]:
        """Where the first block is cut, and what is carried over to the rest of it."""
        kind = reading.kind(0)
        most = self._most(kind)
        whole = self._carried + self.tail
        line = self.tail.rfind("\n", most // 2, most) + 1
        if kind == "fence":
            return line or most, whole[: whole.find("\n") + 1]
        if kind == "table_open" and line:
            return line, whole[: whole.find("\n", whole.find("\n") + 1) + 1]
        if kind.endswith("_list_open") and (items := [item for item in reading.items() if 0 < item <= most]):
            return items[-1], ""
        if line:
            return line, ""
        return self.tail.rfind(" ", most // 2, most) + 1 or most, JOINER
