"""Cleaning, comparing and measuring text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.text import StreamCleaner, clean_text, estimate_tokens, normalise, one_line

ANY_TEXT = st.text(st.characters(), max_size=300)


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]52;c;c2VjcmV0\x1b\\after", "after"),
        ("\x1bP1$r0m\x1b\\after", "after"),
        ("\x9b2Jafter", "after"),
        ("a\r\nb\rc\u2028d\x0be\x85f", "a\nb\nc\nd\ne\nf"),
        ("nul\x00 bell\x07 del\x7f", "nul bell del"),
        ("\u202eevil\u202c \u2066x\u2069", "evil x"),
        ("lone \ud800 surrogate", "lone  surrogate"),
        ("tab\tstays", "tab\tstays"),
        ("👩‍👩‍👧 naïve 日本", "👩‍👩‍👧 naïve 日本"),
    ],
)
def test_what_a_terminal_would_obey_is_removed_and_the_rest_stays(dirty: str, clean: str) -> None:
    assert clean_text(dirty) == clean


@given(ANY_TEXT)
def test_cleaning_twice_is_cleaning_once_and_leaves_no_control_character(text: str) -> None:
    once = clean_text(text)
    assert clean_text(once) == once
    assert not any(ord(character) < 32 and character not in "\n\t" for character in once)
    once.encode("utf-8")


TERMINAL_TEXT = st.text(st.sampled_from("ab[];m?31\x07\\\x1b\x9b\x9d\r\n\u2028P^_X"), max_size=60)


@given(ANY_TEXT | TERMINAL_TEXT, st.lists(st.integers(0, 60), max_size=6))
def test_text_that_comes_in_pieces_is_cleaned_as_the_whole(text: str, cuts: list[int]) -> None:
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    cleaner = StreamCleaner()
    cleaned = [cleaner.feed(text[start:end]) for start, end in pairwise(places)]
    assert "".join([*cleaned, cleaner.finish()]) == clean_text(text)


@given(ANY_TEXT)
def test_normalising_is_stable_and_ignores_case_and_spacing(text: str) -> None:
    once = normalise(text)
    assert normalise(f"  {once}  ") == normalise(once)


@given(ANY_TEXT, st.integers(1, 40))
def test_one_line_never_breaks_and_never_exceeds_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert "\n" not in line
    assert len(line) <= limit


def test_tokens_are_estimated_on_the_high_side_and_scripts_without_spaces_count_by_character() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("four score and seven years ago") >= 7
    assert estimate_tokens("東京都") == 3
