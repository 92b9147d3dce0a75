from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.memory.timewords import Side, Times, times_in

NOW = datetime(2026, 11, 30, 19, tzinfo=UTC)  # a Monday


def day(year: int, month: int, day_: int) -> datetime:
    return datetime(year, month, day_, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "after", "before"),
    [
        ("what did we talk about yesterday?", day(2026, 11, 29), day(2026, 11, 30)),
        ("what did I say this morning", day(2026, 11, 30), day(2026, 12, 1)),
        ("what did I say last week about pricing", day(2026, 11, 23), day(2026, 11, 30)),
        ("last weekend we talked about bikes", day(2026, 11, 28), day(2026, 11, 30)),
        ("what did we decide last month", day(2026, 10, 1), day(2026, 11, 1)),
        ("what happened in March?", day(2026, 3, 1), day(2026, 4, 1)),
        ("what happened in December", day(2025, 12, 1), day(2026, 1, 1)),
        ("what happened in march 2024", day(2024, 3, 1), day(2024, 4, 1)),
        ("what did I plan in 2023", day(2023, 1, 1), day(2024, 1, 1)),
        ("on 5 May 2023 I asked something", day(2023, 5, 5), day(2023, 5, 6)),
        ("May 5th, what did I ask?", day(2026, 5, 5), day(2026, 5, 6)),
        ("what did I ask on Monday", day(2026, 11, 23), day(2026, 11, 24)),
        ("anything since 2024-05-03?", day(2024, 5, 3), None),
        ("what did I say before 2024", None, day(2024, 1, 1)),
        ("what did I say after March 2024", day(2024, 4, 1), None),
        ("what did I ask in the last 3 days", day(2026, 11, 27), day(2026, 12, 1)),
    ],
)
def test_times_in_a_question(question: str, after: datetime | None, before: datetime | None) -> None:
    found = times_in(question, NOW, UTC)
    assert found is not None
    assert (found.after, found.before, found.event) == (after, before, "")
    assert found.phrase in question


@pytest.mark.parametrize(
    "question",
    [
        "may I ask something?",
        "march on!",
        "that is 2023 euros",
        "a recipe for sunday roast",
        "what is my budget",
        "is it at 5 or at 6",
        "",
    ],
)
def test_no_time_is_read_where_none_is_meant(question: str) -> None:
    assert times_in(question, NOW, UTC) is None


def test_people_count_loosely() -> None:
    found = times_in("two weeks ago I told you about it", NOW, UTC)
    assert found is not None
    assert found.after
    assert found.before
    assert found.after <= NOW - timedelta(days=17)
    assert found.before >= NOW - timedelta(days=11)


@pytest.mark.parametrize(
    ("question", "event", "side"),
    [
        ("where did I live before I moved?", "I moved", Side.BEFORE),
        ("what did I plan after the wedding", "the wedding", Side.AFTER),
        ("what was I working on when I lived in Rome?", "I lived in Rome", Side.AT),
    ],
)
def test_an_event_bounds_the_time(question: str, event: str, side: Side) -> None:
    found = times_in(question, NOW, UTC)
    assert found is not None
    assert (found.event, found.side) == (event, side)


def test_where_we_left_off_means_the_latest_turns() -> None:
    assert times_in("let's pick up where we left off", NOW, UTC) == Times("where we left off")


def test_a_day_is_the_users_day() -> None:
    """At 23:30 UTC it is tomorrow in Tokyo already."""
    tokyo = ZoneInfo("Asia/Tokyo")
    late = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
    found = times_in("what did I say yesterday", late, tokyo)
    assert found is not None
    assert found.after == datetime(2026, 11, 30, tzinfo=tokyo)
    assert found.before == datetime(2026, 12, 1, tzinfo=tokyo)


def test_summer_time_is_that_of_the_day_asked_for() -> None:
    found = times_in("what did I say in July", NOW, ZoneInfo("Europe/London"))
    assert found is not None
    assert found.after == datetime(2026, 6, 30, 23, tzinfo=UTC)


@given(st.text(max_size=80))
def test_any_question_can_be_read(question: str) -> None:
    found = times_in(question, NOW, UTC)
    assert found is None or found.phrase in question


@given(st.integers(0, 400), st.sampled_from(["day", "week", "month", "year"]))
def test_a_window_is_never_empty_nor_in_the_future(count: int, unit: str) -> None:
    found = times_in(f"what did I say {count} {unit}s ago", NOW, UTC)
    if found and found.after and found.before:
        assert found.after < found.before
        assert found.after <= NOW


def test_dateparser_is_not_imported_without_a_time_in_the_question() -> None:
    code = (
        "import sys; from datetime import UTC, datetime; from assistant.memory.timewords import times_in; "
        "times_in('what is my budget, and where do I live?', datetime.now(UTC)); "
        "sys.exit('dateparser' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
