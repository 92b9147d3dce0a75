"""What the next version of a fact says."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from assistant.memory.records import Confidence, Fact, FactKind
from assistant.memory.renewal import renewed

MAY = datetime(2026, 5, 4, tzinfo=UTC)


def fact(statement: str, key: str = "") -> Fact:
    return Fact(1, 1, key, statement, "", FactKind.SEMANTIC, Confidence.STATED, None, MAY, MAY)


@pytest.mark.parametrize(
    ("said", "stored", "left"),
    [
        (
            "Cornelia stepped down, Edwin is treasurer now",
            "The treasurer is Cornelia",
            "Edwin is treasurer now",
        ),
        (
            "Dr Quist has retired and Dr Abel sees the user now",
            "User's doctor is Dr Quist",
            "Dr Abel sees the user now",
        ),
        (
            "The essay is due in May instead of March",
            "User's essay is due in March",
            "The essay is due in May",
        ),
        ("User sells in Dole, not Lons", "User sells cheese in Lons", "User sells cheese in Dole"),
        (
            "User moved to Wick and works at Voss",
            "User lives in Oban",
            "User moved to Wick and works at Voss",
        ),
    ],
)
def test_what_became_of_the_old_value_is_left_to_the_history(said: str, stored: str, left: str) -> None:
    assert renewed(said, fact(stored)) == left


@pytest.mark.parametrize(
    ("said", "stored", "whole"),
    [
        ("User works in Wick now", "User works as a welder in Oban", "User works as a welder in Wick"),
        ("It's 14 girls now", "There are 16 girls on the team", "There are 14 girls on the team"),
        ("The fee is 30 a month, with sauna", "The fee is 25", "The fee is 30 a month, with sauna"),
        ("User is in Wick now", "User has 3 flats in Oban", "User is in Wick now"),
    ],
)
def test_a_bare_new_value_takes_the_place_of_the_old_one(said: str, stored: str, whole: str) -> None:
    assert renewed(said, fact(stored)) == whole


def test_a_new_town_says_nothing_of_the_kind_of_home() -> None:
    said, stored = "User lives in Wick now", "User lives in a bungalow in Oban"
    assert renewed(said, fact(stored, key="residence")) == said
