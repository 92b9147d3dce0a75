"""Places and peoples in the form in which a fact holds them."""

from __future__ import annotations

import pytest

from assistant.memory.heads.places import in_forms_of


@pytest.mark.parametrize(
    ("said", "stored", "told"),
    [
        ("my wife's Polish", "User's wife is from Poland", "my wife's from Poland"),
        ("my boss is from Denmark", "User's boss is Danish", "my boss is Danish"),
        ("my aunt lives in Zürich", "User's aunt lives in Zurich", "my aunt lives in Zurich"),
        ("he studies in Lisboa", "User's son studies in Lisbon", "he studies in Lisbon"),
        ("she moved to Vienna", "User's niece lives in Wien", "she moved to Wien"),
    ],
)
def test_a_place_is_told_as_the_fact_tells_it(said: str, stored: str, told: str) -> None:
    assert in_forms_of(said, [stored]) == told


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("I'm taking a Polish course", "User's wife is from Poland"),
        ("my wife's Portuguese", "User's wife is from Poland"),
        ("I moved to Tours", "User lives in Turin"),
        ("we have nice weather", "User lives in Nice"),
    ],
)
def test_what_is_no_form_of_it_stays(said: str, stored: str) -> None:
    assert in_forms_of(said, [stored]) == said
