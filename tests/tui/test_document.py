"""Markdown in pieces: whatever way it is cut, it ends as if read at once; nothing of it is lost, however long or deep it is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.selection import SELECT_ALL

from assistant.tui.blocks import Block, Code, Table
from assistant.tui.document import Document
from assistant.tui.widgets.lines import selected

BLOCKS = [
    "A paragraph of *several* words\nover **two** lines with `code`.",
    "# Heading\ntext right below",
    "Title\n=====",
    "- one\n- two\n  - deeper\n\n  a second paragraph\n\n- three",
    "9. nine\n10. ten\n    1. inner",
    "> quoted\n> - item\n\n> again",
    "```python\ndef f():\n\n    return 1\n```",
    "~~~\nnot closed\n\n# no heading",
    "    indented code\n\n    more",
    "| a | b |\n|---|:-:|\n| 1 | **2** |\n| 3 |",
    "***",
    "text\n***bold***",
    "para\n#5 is no heading",
    "para\n| a |\n|-|",
    "See [this][1] and [that](http://example.org).",
    "[1]: https://example.org/one\n  'a title'",
    "<b>tags</b> stay\n\n<div>\nso do these\n</div>",
    "1) other\n- mixed\n* lists\n+ here",
    "- \n-\n1.",
]
texts = st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=6).map("\n\n".join) | st.text(
    alphabet="ab1`#->|*=~[]:(). \n\t", max_size=120
)
cuts = st.lists(st.integers(1, 25), max_size=40)


def rows(blocks: list[Block], width: int = 60) -> list[str]:
    return [line.content.plain.rstrip() for block in blocks for line in block.draw(width)]


def read(*pieces: str, longest: int = 8_000) -> list[Block]:
    document = Document(longest=longest)
    for piece in pieces:
        document.feed(piece)
        document.open()
    blocks = [*document.settled, *document.open()]
    return read_again(document, "".join(pieces)) if document.late else blocks


def read_again(document: Document, text: str) -> list[Block]:
    again = Document(document.references)
    again.feed(text)
    return [*again.settled, *again.open()]


def in_pieces(text: str, sizes: list[int]) -> list[str]:
    pieces, at = [], 0
    for size in sizes:
        pieces.append(text[at : at + size])
        at += size
    return [*pieces, text[at:]]


@given(texts, cuts)
def test_read_in_any_pieces_it_ends_as_if_read_at_once(text: str, sizes: list[int]) -> None:
    assert rows(read(*in_pieces(text, sizes))) == rows(read(text))


@given(texts, st.integers(1, 90))
def test_blocks_take_as_many_rows_as_they_say_and_none_is_too_wide(text: str, width: int) -> None:
    for block in read(text):
        lines = block.draw(width)
        assert len(lines) == block.height(width)
        assert all(line.content.cell_length <= max(width, 8) for line in lines)


NUMBERED = {
    "one line": " ".join(f"w{n}" for n in range(400)),
    "lines": "\n".join(f"w{n}" for n in range(400)),
    "items": "\n".join(f"- w{n}" for n in range(400)),
    "numbers": "\n".join(f"{n}. w{n}" for n in range(400)),
    "loose items": "\n\n".join(f"- w{n}" for n in range(400)),
    "one huge item": "- " + "\n  ".join(f"w{n}" for n in range(400)),
    "nested": "\n".join(f"{'  ' * (n % 7)}- w{n}" for n in range(400)),
    "deep": "\n".join(f"{'  ' * n}- w{n}" for n in range(150)),
    "deep quotes": ">" * 300 + " w0",
    "quote": "\n".join(f"> w{n}" for n in range(400)),
    "fence": "```python\n" + "\n".join(f"w{n}" for n in range(400)) + "\n```\n\nw400",
    "indented code": "\n".join(f"    w{n}" for n in range(400)),
    "table": "|h|h|\n|-|-|\n" + "\n".join(f"|w{2 * n}|w{2 * n + 1}|" for n in range(200)),
    "wide table": "|".join("h" * 60)
    + "\n"
    + "|".join("-" * 60)
    + "\n"
    + " | ".join(f"w{n}" for n in range(60)),
    "paragraphs": "\n\n".join(f"w{n}" for n in range(400)),
    "heading": "# " + " ".join(f"w{n}" for n in range(400)),
}


@pytest.mark.parametrize("longest", [60, 300, 8_000])
@pytest.mark.parametrize("text", NUMBERED.values(), ids=NUMBERED.keys())
def test_nothing_is_lost_where_a_long_block_is_cut(text: str, longest: int) -> None:
    step = max(longest // 2, 30)
    blocks = read(*in_pieces(text, [step] * (len(text) // step)), longest=longest)
    drawn = selected((line for block in blocks for line in block.draw(40)), SELECT_ALL)
    assert re.findall(r"w\d+", drawn) == re.findall(r"w\d+", text)


def test_a_long_fence_is_one_ground_without_seams() -> None:
    code = "\n".join(f"line {number}" for number in range(300))
    blocks = [block for block in read(f"```text\n{code}\n```\n", longest=500) if isinstance(block, Code)]
    assert len(blocks) > 1
    assert "\n".join(block.code for block in blocks) == code
    assert [(block.begins, block.ends) for block in blocks] == [
        (block is blocks[0], block is blocks[-1]) for block in blocks
    ]


def test_a_long_table_has_one_header() -> None:
    text = "| head |\n|---|\n" + "".join(f"| row {number} |\n" for number in range(200))
    tables = [block for block in read(text, longest=500) if isinstance(block, Table)]
    assert len(tables) > 1
    assert [table.headed for table in tables] == [table is tables[0] for table in tables]
    assert rows(read(text, longest=500)).count("head") == 1


def test_a_long_list_goes_on_with_its_numbers() -> None:
    text = "".join(f"{number}. item\n" for number in range(1, 300))
    shown = [row.strip() for row in rows(read(text, longest=500)) if row]
    assert shown == [f"{number}. item" for number in range(1, 300)]


def test_what_is_settled_is_not_read_again() -> None:
    document = Document()
    for number in range(2_000):
        document.feed(f"Paragraph {number}.\n\n")
        assert len(document.tail) < 60
    assert len(document.settled) > 3_900


def test_addresses_given_at_the_end_are_known_after_a_second_reading() -> None:
    text = "See [this][1].\n\nMore.\n\n[1]: https://example.org\n"
    assert rows(read(*text)) == rows(read(text)) == ["See this.", "", "More.", ""]


def test_nested_marks_stand_where_they_belong() -> None:
    text = "> 1. one\n>    - two\n>\n>      ```\n>      code\n>      ```\n> 2. three\n"
    assert rows(read(text)) == [
        "▌  1. one",
        "▌     ▪ two",
        "▌",
        "▌",
        "▌         code",
        "▌",
        "▌  2. three",
        "",
    ]


def test_the_columns_of_a_table_share_what_room_there_is() -> None:
    text = "| key | value |\n|---|---|\n| a | " + "word " * 12 + "|\n| b | short |\n"
    assert rows(read(text), width=30) == [
        "key │ value",
        "────┼─────────────────────────",
        "a   │ word word word word word",
        "    │ word word word word word",
        "    │ word word",
        "────┼─────────────────────────",
        "b   │ short",
        "",
    ]
