from __future__ import annotations

import pytest

from assistant.memory.heads.language import numbers
from assistant.memory.heads.quantities import quantities, same_quantity


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("180 cm", "1.8 m"),
        ("14 days", "every two weeks"),
        ("fortnightly", "every second week"),
        ("half an hour", "30 minutes"),
        ("half past six", "18:30"),
        ("half past six", "6:30 am"),
        ("quarter to eight", "7:45 pm"),
        ("at 10:30am", "10:30"),
    ],
)
def test_one_quantity_in_other_words_is_the_same(one: str, other: str) -> None:
    assert same_quantity(quantities(one), quantities(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("6:30", "6:45"),
        ("7 am", "7 pm"),
        ("half past six", "half past seven"),
        ("18:30", "18:35"),
        ("fortnightly", "every week"),
        ("5 km", "5 kg"),
    ],
)
def test_another_quantity_is_not_the_same(one: str, other: str) -> None:
    assert not same_quantity(quantities(one), quantities(other))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("three hundred goats", 300),
        ("sixteen grand", 16_000),
        ("thirty-five", 35),
        ("two dozen", 24),
        ("a hundred and forty", 140),
        ("seven hundred and twenty-two", 722),
    ],
)
def test_numbers_of_several_words_are_one(text: str, value: float) -> None:
    assert numbers(text) == {value}
