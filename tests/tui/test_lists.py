"""Rows at any width, and lists that change under the cursor without moving it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.memory.ports import utc_now
from assistant.memory.records import Verdict, Vote
from assistant.tui.widgets import marks
from assistant.tui.widgets.record_list import Heading, Item, RecordList
from assistant.tui.widgets.rows import Line, laid_out, row
from tests.tui.holder import Holder, shown

TEXT = st.text(max_size=120)


@given(
    left=TEXT,
    right=st.text(max_size=12),
    lead=st.text(max_size=4),
    width=st.integers(24, 90),
    lines=st.integers(1, 4),
)
def test_every_line_of_a_row_is_as_wide_as_the_list_whatever_it_holds(left, right, lead, width, lines):
    line = Line(((left, ""),), ((right, "bold"),), lines=lines, indent=2, lead=((lead, ""),))
    found = laid_out(line, width)
    assert 1 <= len(found) <= lines
    assert all(each.cell_length == width for each in found)
    assert all("\n" not in each.plain and "\x1b" not in each.plain for each in found)


def test_a_row_wraps_under_its_first_word_keeps_its_right_part_and_says_what_is_cut():
    line = Line((("alpha beta gamma delta epsilon", ""),), (("0.81", ""),), lines=2, lead=(("1. ", "bold"),))
    assert [each.plain for each in laid_out(line, 20)] == ["1. alpha beta   0.81", "   gamma delta…     "]


def test_rows_that_show_the_same_are_equal():
    assert row(Line((("a", "bold"),))) == row(Line((("a", "bold"),)))
    assert row(Line((("a", "bold"),))) != row(Line((("a", ""),)))


def items(*names: str) -> list[Heading | Item]:
    return [Heading("Some"), *(Item(f"fact:{name}", row(f"fact {name}")) for name in names)]


async def test_the_cursor_stays_on_its_record_when_rows_come_go_and_change_places():
    records = RecordList()
    async with Holder(records).run_test() as pilot:
        records.show(items("a", "b", "c"))
        assert records.current == "fact:a"
        records.go_to("fact:b")
        records.show(items("z", "c", "b", "a"))
        assert records.current == "fact:b"
        records.show(items("z", "c", "a"))
        assert records.current == "fact:a"
        records.show(items())
        assert records.current is None
        await pilot.pause()


async def test_a_row_that_changes_is_replaced_in_place_without_moving_the_view():
    names = [str(number) for number in range(60)]
    records = RecordList()
    async with Holder(records).run_test(size=(40, 12)) as pilot:
        records.show(items(*names))
        records.go_to("fact:40")
        await pilot.pause()
        top = records.scroll_offset.y
        assert top > 0
        changed = items(*names)
        changed[41] = Item("fact:40", row("fact 40 is new"))
        records.show(changed)
        await pilot.pause()
        assert records.scroll_offset.y == top
        assert "▌fact 40 is new" in shown(records) or "▏fact 40 is new" in shown(records)


async def test_headings_are_passed_over_and_vim_keys_move():
    records = RecordList()
    async with Holder(records).run_test() as pilot:
        records.show([*items("a", "b"), Heading("More"), Item("fact:c", row("fact c"))])
        records.focus()
        await pilot.press("j", "j")
        assert records.current == "fact:c"
        await pilot.press("k")
        assert records.current == "fact:b"
        await pilot.press("G")
        assert records.current == "fact:c"
        await pilot.press("g")
        assert records.current == "fact:a"


async def test_the_first_click_highlights_and_the_second_selects():
    records = RecordList()
    app = Holder(records)
    async with app.run_test() as pilot:
        records.show(items("a", "b"))
        await pilot.click(records, offset=(4, 2))
        assert records.current == "fact:b"
        assert not app.got(RecordList.OptionSelected)
        await pilot.click(records, offset=(4, 2))
        await pilot.pause()
        assert [message.option_id for message in app.got(RecordList.OptionSelected)] == ["fact:b"]


async def test_five_thousand_rows_are_no_burden():
    records = RecordList()
    async with Holder(records).run_test(size=(44, 20)) as pilot:
        records.show(items(*(str(number) for number in range(5000))))
        records.focus()
        await pilot.press("G")
        assert records.current == "fact:4999"


@pytest.mark.parametrize(
    ("utility", "bar"),
    [(0, "····│····"), (0.02, "····│█···"), (1, "····│████"), (-0.5, "··██│····"), (-1, "████│····")],
)
def test_the_utility_bar_grows_from_the_middle(utility, bar):
    assert marks.utility_bar(utility) == bar


def test_the_trend_rises_with_thumbs_up_and_falls_with_thumbs_down():
    now = utc_now()
    votes = [Vote(1, str(number), Verdict.ADOPTED, now) for number in range(4)]
    rising = marks.trend(votes)
    assert list(rising) == sorted(rising)
    falling = marks.trend([*votes, *(Vote(1, f"d{number}", Verdict.CORRECTED, now) for number in range(9))])
    assert falling[-1] < rising[-1]
