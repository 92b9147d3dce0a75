"""Answers: streamed in any pieces they end as if shown at once; long ones stay cheap; tags stay text; all can be copied."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.geometry import Offset
from textual.selection import SELECT_ALL, Selection

from assistant.tui.document import LONGEST
from assistant.tui.messages import Say
from assistant.tui.widgets.answer import Answer
from assistant.tui.widgets.plain_text import PlainText, pieces
from tests.tui.holder import Holder, shown, until

DOCUMENTS = {
    "fence": "Text\n\n```python\nprint('a')\n\nprint('b')\n```\n\nMore\n",
    "table": "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nAfter.\n",
    "list": "- one\n- two\n\n      indented\n- three\n\n1. x\n2. y\n",
    "odd breaks": "one\u2028two\x0bthree\x0cfour\x85five\r\nsix",
    "escapes": "a\x1b[31mred\x1b[0m b\x1b]0;title\x07c",
    "html": "<details>\nhidden?\n</details>\n\n<think>inner</think>\n\n<b>bold</b> text",
    "reference": "See [this][1].\n\n[1]: https://example.org\n",
    "headings": "# One\ntext\n## Two\ntext\n",
    "quote": "> a\n> b\n\nc",
}
WORDS = "Some words that fill a paragraph, over and over again. "


async def shown_at_once(text: str) -> str:
    answer = Answer(text)
    async with Holder(answer).run_test(size=(60, 60)) as pilot:
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
        answer.finish()
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
        answer.finish()
        await pilot.pause()
        assert len(app.got(Answer.Grew)) <= 4


async def test_another_text_at_the_end_takes_the_place_of_what_was_streamed() -> None:
    answer = Answer()
    async with Holder(answer).run_test(size=(60, 20)) as pilot:
        answer.add("Half a sen")
        await until(pilot, lambda: "Half" in shown(answer))
        answer.finish("Another.")
        await pilot.pause()
        assert shown(answer).split() == ["Another."]


async def test_a_row_that_is_drawn_before_the_layout_has_its_text() -> None:
    answer = Answer("One.\n\nTwo.")
    async with Holder(answer).run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        answer.finish("One.\n\nThree.")
        assert answer.render_line(2).text.strip() == "Three."


async def test_taking_an_answer_away_in_mid_stream_is_quiet() -> None:
    answer = Answer()
    async with Holder(answer).run_test() as pilot:
        answer.add("Hello")
        await pilot.pause(0.1)
        answer.add(" more")
        await answer.remove()
        await pilot.pause(0.2)


@pytest.mark.parametrize("separator", ["\n\n", " ", "\n- "])
async def test_a_very_long_answer_is_one_widget_with_all_its_text(separator: str) -> None:
    text = separator.join(f"word{number}" for number in range(8_000))
    answer = Answer()
    async with Holder(answer).run_test(size=(100, 40)) as pilot:
        for start in range(0, len(text), 10_000):
            answer.add(text[start : start + 10_000])
        answer.finish()
        await until(pilot, lambda: answer.source == text)
        await pilot.pause()
        assert not answer.query("*")
        copied = answer.get_selection(SELECT_ALL)
        assert copied is not None
        assert [word for word in copied[0].split() if word != "•"] == text.replace("-", "").split()


async def test_an_answer_that_is_turned_and_scrolled_shows_its_end() -> None:
    answer = Answer(f"{WORDS}\n\n" * 300 + "The end.")
    app = Holder(answer)
    async with app.run_test(size=(100, 20)) as pilot:
        await until(pilot, lambda: answer.source == answer.text)
        await pilot.resize_terminal(40, 20)
        app.screen.scroll_end(animate=False)
        await until(
            pilot, lambda: "The end." in "\n".join(s.text for s in app.screen._compositor.render_strips())
        )


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        (WORDS * 4, (WORDS * 4).strip()),
        ("```python\nfor x in y:\n    print(x)\n```", "\nfor x in y:\n    print(x)\n"),
        ("- one\n  - two", "• one\n  ▪ two"),
        ("> said\n> so", "said so"),
        ("x" * 300, "x" * 300),
    ],
)
async def test_what_was_wrapped_is_copied_as_one_line(text: str, copied: str) -> None:
    answer = Answer(text)
    async with Holder(answer).run_test(size=(60, 30)):
        found = answer.get_selection(SELECT_ALL)
        assert found is not None
        assert found[0].rstrip("\n") == copied.rstrip("\n")


async def test_a_part_is_copied_from_where_the_mouse_went_down_to_where_it_was_let_go() -> None:
    answer = Answer("First line.\n\nSecond line.\n\nThird line.")
    async with Holder(answer).run_test(size=(60, 30)) as pilot:
        await pilot.mouse_down(answer, offset=(6, 0))
        await pilot.hover(answer, offset=(5, 2))
        await pilot.mouse_up(answer, offset=(5, 2))
        await pilot.pause()
        assert pilot.app.screen.get_selected_text() == "line.\n\nSecond"


async def test_a_double_click_selects_the_paragraph_under_it() -> None:
    answer = Answer(f"First.\n\n{WORDS * 3}\n\nThird.")
    async with Holder(answer).run_test(size=(60, 30)) as pilot:
        await pilot.click(answer, offset=(3, 3), times=2)
        await pilot.pause()
        assert pilot.app.screen.get_selected_text() == (WORDS * 3).strip()


@pytest.mark.parametrize("link", ["javascript:alert(1)", "file:///etc/passwd", "../secret"])
async def test_only_web_addresses_are_opened(link: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = Answer("[a page](https://example.org/)")
    app = Holder(answer)
    went: list[str] = []
    monkeypatch.setattr(app, "open_url", went.append)
    async with app.run_test(size=(60, 30)) as pilot:
        await pilot.click(answer, offset=(2, 0))
        await until(pilot, lambda: went == ["https://example.org/"])
        await answer.action_link(link)
        await until(pilot, lambda: any("Not opened" in said.text for said in app.got(Say)))
        assert went == ["https://example.org/"]


@given(st.text(alphabet="ab \n", max_size=300), st.integers(2, 40))
def test_pieces_join_to_the_text_and_none_is_too_long(text: str, size: int) -> None:
    found = list(pieces(text, size))
    assert "".join(found) == text
    assert all(0 < len(piece) <= size for piece in found)


async def test_plain_text_shows_every_line_as_it_is() -> None:
    text = "".join(f"line {number} with *no* marks\n" for number in range(2 * LONGEST // 20))
    plain = PlainText(text)
    async with Holder(plain).run_test(size=(60, 40)):
        assert plain.size.height == text.count("\n")
        assert plain.get_selection(Selection(Offset(0, 0), Offset(6, 1))) == (
            "line 0 with *no* marks\nline 1",
            "\n",
        )
