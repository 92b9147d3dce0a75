"""Answers: streamed in any pieces they end as if shown at once; long ones stay cheap; tags stay text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.widgets import Markdown
from textual.widgets.markdown import MarkdownFence

from assistant.tui.widgets.answer import MARKDOWN_LIMIT, Answer, sections, split
from assistant.tui.widgets.plain_text import PIECE, PlainText, pieces
from tests.tui.holder import Holder, shown, until

DOCUMENTS = {
    "fence": "Text\n\n```python\nprint('a')\n\nprint('b')\n```\n\nMore\n",
    "table": "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nAfter.\n",
    "list": "- one\n- two\n\n      indented\n- three\n\n1. x\n2. y\n",
    "odd breaks": "one\u2028two\x0bthree\x0cfour\x85five\r\nsix",
    "html": "<details>\nhidden?\n</details>\n\n<think>inner</think>\n\n<b>bold</b> text",
    "reference": "See [this][1].\n\n[1]: https://example.org\n",
    "headings": "# One\ntext\n## Two\ntext\n",
    "quote": "> a\n> b\n\nc",
}


async def shown_at_once(text: str) -> str:
    answer = Answer()
    async with Holder(answer).run_test(size=(60, 60)) as pilot:
        await answer.show(text)
        await pilot.pause()
        return shown(answer)


@pytest.mark.parametrize("size", [1, 7])
@pytest.mark.parametrize("text", DOCUMENTS.values(), ids=DOCUMENTS.keys())
async def test_streamed_in_pieces_of_any_size_it_ends_as_if_shown_at_once(text: str, size: int) -> None:
    answer = Answer()
    async with Holder(answer).run_test(size=(60, 60)) as pilot:
        for start in range(0, len(text), size):
            answer.add(text[start : start + size])
            await pilot.pause(0.002)
        await answer.finish()
        await pilot.pause()
        assert shown(answer) == await shown_at_once(text)
        assert answer.text == text


@pytest.mark.parametrize("word", ["hidden?", "</details>", "<think>inner</think>", "<b>bold</b>"])
async def test_tags_are_shown_as_they_were_written(word: str) -> None:
    assert word in await shown_at_once(DOCUMENTS["html"])


async def test_deltas_reach_the_screen_before_the_answer_is_over() -> None:
    answer = Answer()
    async with Holder(answer).run_test(size=(60, 20)) as pilot:
        answer.add("Hello wor")
        await until(pilot, lambda: "Hello wor" in shown(answer))


async def test_many_deltas_are_shown_in_few_updates() -> None:
    answer = Answer()
    app = Holder(answer)
    async with app.run_test(size=(60, 20)) as pilot:
        for _ in range(300):
            answer.add("word ")
        await until(pilot, lambda: app.got(Answer.Grew))
        await answer.finish()
        await pilot.pause()
        assert len(app.got(Answer.Grew)) <= 4


async def test_taking_an_answer_away_in_mid_stream_is_quiet() -> None:
    answer = Answer()
    async with Holder(answer).run_test() as pilot:
        answer.add("Hello")
        await pilot.pause(0.1)
        answer.add(" more")
        await answer.remove()
        await pilot.pause(0.2)


async def test_a_very_long_answer_has_few_widgets_and_all_its_text() -> None:
    paragraph = "Some words that fill a paragraph, over and over again. " * 4 + "\n\n"
    text = paragraph * (300_000 // len(paragraph))
    answer = Answer()
    async with Holder(answer).run_test(size=(100, 40)) as pilot:
        for start in range(0, len(text), 10_000):
            answer.add(text[start : start + 10_000])
        await answer.finish()
        await pilot.pause()
        markdown = "".join(section.source for section in answer.query(Markdown))
        assert markdown + answer.query_one(PlainText).text == text
        assert len(markdown) <= MARKDOWN_LIMIT
        assert len(answer.query("*")) < 250


@given(st.text(max_size=400), st.integers(5, 60))
def test_splitting_loses_nothing_and_keeps_the_limit(text: str, limit: int) -> None:
    markdown, plain = split(text, limit)
    assert markdown + plain == text
    assert len(markdown) <= limit


async def test_a_fence_that_is_longer_than_a_section_stays_one_fence() -> None:
    text = "Before.\n\n```python\n" + "x = 1\n\n" * 600 + "```\n\nAfter.\n"
    answer = Answer()
    async with Holder(answer).run_test(size=(60, 60)) as pilot:
        for start in range(0, len(text), 500):
            answer.add(text[start : start + 500])
            await pilot.pause(0.1)
        await answer.finish()
        assert len(answer.query(MarkdownFence)) == 1
        assert "".join(section.source for section in answer.query(Markdown)) == text


@given(st.text(alphabet="ab`#->|1. \n", max_size=300), st.integers(1, 60))
def test_sections_join_to_the_text(text: str, size: int) -> None:
    found = sections(text, size)
    assert "".join(found) == text
    assert all(len(part) >= size for part in found[:-1])


@given(st.text(alphabet="ab \n", max_size=300), st.integers(2, 40))
def test_pieces_join_to_the_text_and_none_is_too_long(text: str, size: int) -> None:
    found = list(pieces(text, size))
    assert "".join(found) == text
    assert all(0 < len(piece) <= size for piece in found)


async def test_plain_text_that_grows_shows_the_same_as_when_shown_at_once() -> None:
    text = "".join(f"line {number} with some words in it\n" for number in range(700))
    grown, whole = PlainText(), PlainText(text)
    async with Holder(grown, whole).run_test(size=(60, 40)) as pilot:
        for start in range(0, len(text), 997):
            await grown.add(text[start : start + 997])
        await pilot.pause()
        assert grown.size.height == whole.size.height
        assert len(grown.children) <= len(text) // (PIECE // 2) + 1
