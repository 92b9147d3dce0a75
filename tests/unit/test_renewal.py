"""What the next version of a fact says."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from assistant.memory.records import Confidence, Fact, FactKind
from assistant.memory.routing.renewal import only_departs, renewed, what_is_left

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


@pytest.mark.parametrize(
    ("said", "stored", "whole"),
    [
        ("User is 34 now", "User is Joaquim, 33, living in Braga", "User is Joaquim, 34, living in Braga"),
        (
            "Rent went up to 720",
            "User rents a 3 room flat in Lund, 690 a month",
            "User rents a 3 room flat in Lund, 720 a month",
        ),
        (
            "Pickups have moved to Fridays",
            "The vegetables come from a co-op, pickup is on Wednesdays",
            "The vegetables come from a co-op, pickup is on Fridays",
        ),
        (
            "User teaches six days a week now, the loan isn't paying itself",
            "User teaches swimming in Porto, five days a week",
            "User teaches swimming in Porto, six days a week",
        ),
        (
            "User gave away three of the hens, down to five",
            "User has a garden with 8 hens and a goat",
            "User has a garden with five hens and a goat",
        ),
        (
            "User has reached C1 in Italian",
            "User takes Italian lessons at B2 level",
            "User takes Italian lessons at C1 level",
        ),
        (
            "The statin is in the evening now",
            "User takes a statin for the heart, every morning",
            "User takes a statin for the heart, every evening",
        ),
        (
            "User has been promoted to first oboe",
            "User plays second oboe in an orchestra in Graz",
            "User plays first oboe in an orchestra in Graz",
        ),
        (
            "Crew is 11 people since Friday",
            "User's crew of 8 uses Basecamp",
            "User's crew of 11 uses Basecamp",
        ),
        (
            "It is Mrs Adeyemi who comes now, from 10 to 12",
            "A nurse called Rosalind comes on weekdays from 9 to 11",
            "A nurse called Mrs Adeyemi comes on weekdays from 10 to 12",
        ),
        (
            "Ansgar moved out and Birgit moved in",
            "User shares a house in Ghent with Ansgar",
            "User shares a house in Ghent with Birgit",
        ),
    ],
)
def test_a_fact_of_several_values_keeps_those_that_have_not_changed(
    said: str, stored: str, whole: str
) -> None:
    assert renewed(said, fact(stored)) == whole


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("User pays 12 for the pool", "User has 3 cats and a garden in Oban"),  # an amount of something else
        ("User works at Voss now", "User works at the mill in Oban, four nights a week"),
        ("User's sister Ada is 34 now", "User is 33 and lives in Braga"),  # somebody else
        ("User isn't on six days a week", "User works on the ferry, five days a week"),
    ],
)
def test_a_value_that_is_none_of_the_facts_takes_no_place_in_it(said: str, stored: str) -> None:
    assert renewed(said, fact(stored)) == said


def test_words_that_name_what_is_exchanged_tell_what_takes_its_place() -> None:
    stored = "User is a tester at a bank in Leeds, mostly Selenium"
    said, clause = "User switched to Playwright", "we swapped Selenium for Playwright"
    assert renewed(said, fact(stored), clause) == "User is a tester at a bank in Leeds, mostly Playwright"
    hours = fact("User works from 9 to 6 at the bank")
    assert renewed("User works from 9 to 5", hours, "from 9 to 5") == "User works from 9 to 5 at the bank"


def test_a_date_that_was_worked_out_is_no_value_of_the_fact() -> None:
    said, clause = "Fee is 60 as of 30 November 2026", "fee's 60 since yesterday"
    assert renewed(said, fact("The fee is 55, due on 3 May"), clause) == "The fee is 60, due on 3 May"


@pytest.mark.parametrize(
    ("said", "stored", "new"),
    [
        ("80 letters a day now, peak season", "User delivers about 60 letters a day", "80 letters"),
        ("User lives in Lund, so local tips", "User is Siv, 40, living in Lund", "lives in Lund"),
    ],
)
def test_what_was_said_is_never_lost_with_what_is_over(said: str, stored: str, new: str) -> None:
    assert new in renewed(said, fact(stored))


def test_a_new_town_says_nothing_of_the_kind_of_home() -> None:
    said, stored = "User lives in Wick now", "User lives in a bungalow in Oban"
    assert renewed(said, fact(stored, key="residence")) == said


@pytest.mark.parametrize(
    ("said", "stored", "history"),
    [
        ("Torben moved to Aarhus", "User's gardener is called Torben", True),
        ("Torben moved to Aarhus", "User's gardener Torben lives in Odense", False),
        ("Torben left, Liv does the garden", "User's gardener is called Torben", False),
        ("Torben mentors Liv", "Liv mentors Torben", False),
    ],
)
def test_what_became_of_whom_a_fact_named_is_history(said: str, stored: str, history: bool) -> None:
    assert only_departs(said, stored) is history


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        (
            "User moved the studio to a shared loft in Oslo",
            "User's studio is in the user's dad's barn in Hamar",
        ),
        ("User works in Gdansk as a waiter", "User works as a cook at a lodge in Sopot"),
        ("User's workshop is in Brno now", "User's workshop is in a yard in Ostrava"),
    ],
)
def test_what_a_fact_told_of_the_old_place_stays_behind(said: str, stored: str) -> None:
    assert renewed(said, fact(stored)) == said


def test_a_time_after_since_begins_no_new_part() -> None:
    said = "The old shop is history since Monday, User works at Lidl now"
    assert renewed(said, fact("User works at the old shop")) == "User works at Lidl now"


@pytest.mark.parametrize(
    ("said", "stored", "left"),
    [
        ("I quit the choir", "User sings in a choir and rows on Sundays", "User rows on Sundays"),
        ("no more rowing", "User sings in a choir and rows on Sundays", "User sings in a choir"),
        ("we got rid of the van", "User has a van and a trailer", "User has a trailer"),
        ("sold both the van and the trailer", "User has a van and a trailer", ""),
        ("sold the van", "User has a van", ""),
    ],
)
def test_the_end_of_one_of_two_things_leaves_the_other(said: str, stored: str, left: str) -> None:
    assert what_is_left(said, stored) == left
