"""Who or what fills a role is one slot however it is told, and what the user thinks of them is no fact."""

from __future__ import annotations

import pytest

from assistant.memory.extraction.clauses import split_clauses
from assistant.memory.extraction.guards import refused
from assistant.memory.extraction.keys import key_of
from assistant.memory.extraction.statements import statement_of


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("we found a new goalkeeper, Luka", "my goalkeeper is Luka now"),
        ("new vet as well, Dr Mbeki", "my vet is Dr Mbeki now"),
        ("there's a new head of catering: it's Abena", "my head of catering is Abena now"),
        ("got a new oboe teacher, her name is Oksana", "my oboe teacher is Oksana now"),
        ("we have a gardener, Rolf, on Mondays", "my gardener on Mondays is Rolf"),
        ("we use Vectron as our till", "my till is Vectron"),
        ("new printer: Brother", "new printer: Brother"),
        ("I use butter as my fat of choice", "I use butter"),
    ],
)
def test_a_role_is_told_by_its_name(said: str, told: str) -> None:
    assert split_clauses(said)[0].text == told


@pytest.mark.parametrize("said", ["she's a shark", "he's ruthless and loud", "I adore him", "he scares me"])
def test_an_opinion_of_somebody_is_no_fact(said: str) -> None:
    assert refused(split_clauses(f"my agent is Ugo, {said}")[1])


@pytest.mark.parametrize("said", ["she's deaf", "he's vegan", "she is 61", "I love her goulash"])
def test_what_is_so_of_somebody_is_a_fact(said: str) -> None:
    assert not refused(split_clauses(f"my agent is Ugo, {said}")[1])


def test_who_is_in_a_role_has_the_key_of_the_role() -> None:
    keys = {key_of(statement_of(said), said) for said in ("my nanny is Ida", "my nanny is Bea now")}
    assert keys == {"nanny"}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("we swapped the fridge out, the new one is a Miele, quieter", ["my fridge is a Miele now, quieter"]),
        ("visiting hours have changed, they're 2 to 4 now", ["visiting hours are 2 to 4 now"]),
        ("our kiosk is in Bray btw, six stools", ["our kiosk is in Bray, six stools"]),
        ("moved our workshop to a barn in Bray", ["our workshop is in a barn in Bray now"]),
        ("Reply in Irish. I'm still learning", ["Reply in Irish.", "I'm still learning Irish"]),
        ("I sing, badly, in a quartet", ["I sing in a quartet"]),
    ],
)
def test_what_holds_now_is_told_of_the_thing_itself(said: str, told: list[str]) -> None:
    assert [clause.text for clause in split_clauses(said)] == told


def test_what_is_called_so_may_have_been_told_of_before() -> None:
    before = split_clauses("I run a little theatre in Mons")
    assert [one.text for one in split_clauses("it's called The Lamp", before)] == [
        "my little theatre is called The Lamp"
    ]


@pytest.mark.parametrize(
    ("said", "once"),
    [
        ("respond to a client who pays late", True),
        ("write something for my aunt's birthday card", True),
        ("write to my landlord that the tap drips", True),
        ("always write to clients in Latin", False),
        ("reply in two lines at most", False),
        ("answer with the short version first", False),
    ],
)
def test_what_is_to_be_written_once_is_no_standing_wish(said: str, once: bool) -> None:
    assert refused(split_clauses(said)[0]) == once


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Noor's off to art school, so Ben is my assistant now", ["my assistant is Ben now"]),
        ("Kofi's moving to Leeds, our tutor is Sunniva now", ["our tutor is Sunniva now"]),
        ("my cook is Ben now, Ida's expecting", ["my cook is Ben now"]),
        ("boiler died, we've got a Vaillant now", ["my boiler is a Vaillant now"]),
        ("we changed schools, it's Oakfield now", ["our school is Oakfield now"]),
        ("raised my rates, 60 an hour now", ["my rates are 60 an hour now"]),
    ],
)
def test_what_came_in_the_place_of_another_is_one_fact(said: str, told: list[str]) -> None:
    assert [clause.text for clause in split_clauses(said)] == told


@pytest.mark.parametrize(
    ("before", "said", "told"),
    [
        ("my son Abel fences\nmy aunt keeps bees", "he's 9", "my son Abel is 9"),
        (
            "my uncle is deaf\nhe paints\nhis flat is in Gent\nour nurse is Ama",
            "he's left-footed",
            "my uncle is left-footed",
        ),
        ("I run a kiosk", "it's on the quay", "my kiosk is on the quay"),
    ],
)
def test_a_pronoun_is_whom_the_talk_has_been_of(before: str, said: str, told: str) -> None:
    assert split_clauses(said, split_clauses(before))[0].text == told
