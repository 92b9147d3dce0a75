from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from assistant.memory.heads.routing import Options
from assistant.memory.records import Candidate, Confidence, Fact, FactKind
from assistant.memory.routing.endings import ends_only, without_successor
from assistant.memory.routing.evidence import (
    tells_nothing_alone,
    weighed_by_end,
    weighed_by_repeat,
    weighed_by_slot,
    weighed_by_succession,
)

NOW = datetime(2026, 5, 14, tzinfo=UTC)


def fact(key: str, statement: str) -> Fact:
    return Fact(1, 1, key, statement, "", FactKind.SEMANTIC, Confidence.STATED, None, NOW, NOW)


def options(*, add: float = 0.0, nothing: float = 0.0, same: float = 0.0, changed: float = 0.0) -> Options:
    return Options(
        add,
        nothing,
        np.float32([same]),
        np.float32([changed]),
        np.float32([1 - add - nothing - same - changed]),
    )


def weighed(given: Options, said: Candidate, facts: list[Fact]) -> Options:
    return weighed_by_slot(given, said, facts, [0.5] * len(facts))


def likeliest(found: Options) -> str:
    shares = {
        "add": found.add,
        "nothing": found.nothing,
        "same": float(found.same[0]),
        "changed": float(found.changed[0]),
        "ended": float(found.ended[0]),
    }
    assert sum(shares.values()) == pytest.approx(1, abs=1e-5)
    return max(shares, key=lambda name: shares[name])


def test_a_new_value_of_a_slot_that_holds_one_fact_is_a_change_not_an_addition() -> None:
    said = Candidate("User is at Nord Gym now", "gym", "Nord Gym", clause="I'm at Nord Gym now")
    assert (
        likeliest(weighed(options(add=0.8, same=0.2), said, [fact("gym", "User trains at Boulderhaus gym")]))
        == "changed"
    )


def test_a_new_value_of_a_slot_that_holds_one_fact_is_never_the_same() -> None:
    said = Candidate("User is a vegan", "diet", "vegan", clause="I'm vegan")
    assert (
        likeliest(weighed(options(same=0.9, add=0.1), said, [fact("diet", "User keeps kosher")])) == "changed"
    )


def test_facts_without_a_word_in_common_do_not_repeat_each_other() -> None:
    said = Candidate("User never takes taxis", "taxis", "never", clause="I never take taxis")
    assert (
        likeliest(weighed(options(same=0.9, add=0.1), said, [fact("hand_luggage", "User travels light")]))
        == "add"
    )


def test_an_ending_finds_the_fact_of_its_matter() -> None:
    said = Candidate("User quit the judo thing", "judo", "", clause="i quit the judo thing")
    assert (
        likeliest(weighed(options(add=0.9, same=0.1), said, [fact("judo_class", "User has a judo class")]))
        == "ended"
    )


def test_an_ending_leaves_facts_of_other_matters_alone() -> None:
    said = Candidate("User quit the judo thing", "judo", "", clause="i quit the judo thing")
    assert (
        likeliest(weighed(options(add=0.9, same=0.1), said, [fact("piano", "User plays the piano")])) == "add"
    )


def test_another_budget_is_another_slot() -> None:
    said = Candidate("User's gym budget is 40", "gym_budget", "40", clause="my gym budget is 40 now")
    assert (
        likeliest(
            weighed(options(add=0.9, same=0.1), said, [fact("food_budget", "User's food budget is 90")])
        )
        == "add"
    )


def test_without_a_key_the_head_is_left_alone() -> None:
    given = options(add=0.2, same=0.8)
    assert weighed(given, Candidate("User is vegan", "", ""), [fact("diet", "User keeps kosher")]) is given


@pytest.mark.parametrize(
    ("words", "over"),
    [
        ("we cancelled the gym", True),
        ("I'm off the works council", True),
        ("no more piano lessons", True),
        ("we cancelled the gym, we train at home now", False),
        ("I love the gym", False),
    ],
)
def test_an_ending_is_told_from_a_replacement(words: str, over: bool) -> None:
    assert ends_only(words) is over


def test_facts_far_apart_without_a_word_in_common_never_replace_each_other() -> None:
    said = Candidate("User switched to Firefox", "firefox", "Firefox", clause="I switched to Firefox")
    known = [fact("decaf", "User switched to decaf")]
    found = weighed_by_slot(options(changed=0.9, add=0.1), said, known, [0.3])
    assert likeliest(found) == "add"


def test_a_change_that_says_nothing_but_a_new_value_of_a_fact_changes_it() -> None:
    said = Candidate("Pickups have moved to Fridays", "pickup", "", clause="pickups have moved to fridays")
    known = [fact("vegetables", "The vegetables come from a co-op, pickup is on Wednesdays")]
    assert likeliest(weighed_by_succession(options(add=0.8, changed=0.2), said, known)) == "changed"
    other = Candidate("Chess moved to Fridays", "chess", "", clause="chess moved to fridays")
    assert likeliest(weighed_by_succession(options(add=0.8, changed=0.2), other, known)) == "add"


def test_a_name_is_not_changed_in_passing() -> None:
    said = Candidate("Liv cooks for the user now", "cooks_liv", "", clause="Liv cooks for us now")
    known = [fact("name", "User is Solvei")]
    assert likeliest(weighed(options(changed=0.8, add=0.2), said, known)) == "add"


def test_what_something_came_instead_of_finds_the_fact_that_names_it() -> None:
    said = Candidate("", "", "", clause="my niece is the keyholder instead of Bram")
    known = [
        fact("", "User's keyholder is a neighbour called Bram"),
        fact("", "User's cousin Bram lives in Gent"),
    ]
    given = Options(0.9, 0.1, np.zeros(2, np.float32), np.zeros(2, np.float32), np.zeros(2, np.float32))
    found = weighed_by_succession(given, said, known)
    assert found.changed[0] > 0.5
    assert found.changed[1] == 0


def test_keys_that_differ_do_not_outweigh_a_head_that_is_sure() -> None:
    said = Candidate("User eats fish again", "diet", "fish", clause="I eat fish again")
    known = [fact("school", "User is vegetarian, has been since school")]
    assert likeliest(weighed(options(changed=0.99, add=0.01), said, known)) == "changed"
    assert likeliest(weighed(options(changed=0.8, add=0.2), said, known)) == "add"


def test_what_is_told_again_repeats_the_nearest_unless_a_value_differs() -> None:
    said = Candidate("User sends no parcels", "parcels", "", clause="again: I send no parcels", restated=True)
    near = weighed_by_repeat(
        options(add=0.9, same=0.1), said, [fact("shipping", "User does no shipping")], [0.5]
    )
    assert likeliest(near) == "same"
    far = weighed_by_repeat(options(add=0.9, same=0.1), said, [fact("cat", "User has a cat")], [0.1])
    assert likeliest(far) == "add"
    other = Candidate("User has 9 hens", "hens", "9", clause="as I said, 9 hens", restated=True)
    found = weighed_by_repeat(options(changed=0.9, add=0.1), other, [fact("hens", "User has 7 hens")], [0.8])
    assert likeliest(found) == "changed"


@pytest.mark.parametrize(
    ("clause", "stored"),
    [
        ("I've stepped back from coaching the under-nines", "User coaches the under-nines"),
        ("had to let the gardener go", "User has a gardener"),
        ("the paper round? jacked it in on Friday", "User has a paper round"),
        ("it's over with Annika", "User is with Annika"),
        ("our au pair moved out last week", "User has an au pair living with them"),
        ("I won't be doing the triathlon after all", "User is doing the triathlon in June"),
        ("the food truck folded after six years", "User runs a food truck"),
        ("gym membership lapsed", "User has a gym membership"),
        ("I don't need the crutches any longer", "User walks on crutches"),
        ("no choir this year, that's settled", "User sings in a choir"),
        ("I won't stand for mayor, somebody younger should", "User plans to stand for mayor"),
        ("Dropped the ukulele. My husband is relieved", "User plays the ukulele"),
        ("ripped out the stove, nothing in its place", "User has a stove"),
        ("I stood down as secretary at the AGM", "User is secretary of the angling club"),
        ("I've packed in the panpipes with Lucho's blessing", "User plays the panpipes"),
        ("we said goodbye to Nero on Sunday", "User's goat is called Nero"),
        (
            "I'm not going to sit the exam, not this year and not later",
            "User is training for the sommelier exam",
        ),
    ],
)
def test_an_end_without_a_successor_is_told_by_many_idioms(clause: str, stored: str) -> None:
    assert without_successor(clause, fact("", stored))
    found = weighed_by_end(options(changed=0.7, same=0.2, add=0.1), clause, [fact("", stored)])
    assert likeliest(found) == "ended"


@pytest.mark.parametrize(
    ("clause", "stored"),
    [
        ("I left the council, I'm at the library now", "User works for the council"),
        ("let the gardener go and got a robot mower", "User has a gardener"),
        ("it's over with Annika, I'm with Beate", "User is with Annika"),
        ("sold two of the boats", "User has five boats"),
        ("Dr Lenz retired so Dr. Iqbal sees us", "User's doctor is Dr Lenz"),
        ("took out the gas hob, it's an induction one", "User has a gas hob"),
        ("no letters any more, letters go by mail merge", "User writes letters by hand"),
        ("she gave up judo for karate", "User's daughter does judo"),
        ("I might quit the choir", "User sings in a choir"),
        ("whether to call off the trip, no idea", "User plans a trip"),
        ("budget's gone up to 640", "User's budget is 500"),
        ("the choir moved to Wednesday", "User's choir is on Tuesday"),
    ],
)
def test_what_goes_on_or_is_not_certain_is_no_end(clause: str, stored: str) -> None:
    assert not without_successor(clause, fact("", stored))
    given = options(changed=0.7, same=0.2, add=0.1)
    assert likeliest(weighed_by_end(given, clause, [fact("", stored)])) == "changed"


@pytest.mark.parametrize(
    "statement",
    [
        "Plans changed",
        "Things have changed",
        "User's boss moved it",
        "Ottilie switched",
        "User changed over in spring",
        "The clinic switched the user over",
    ],
)
def test_that_something_changed_says_nothing_alone(statement: str) -> None:
    assert tells_nothing_alone(statement)


@pytest.mark.parametrize(
    "statement",
    ["User moved", "User's plan is to move to Oslo", "User changed jobs", "User switched to oat milk"],
)
def test_a_change_that_says_of_what_says_something(statement: str) -> None:
    assert not tells_nothing_alone(statement)


@pytest.mark.parametrize(
    ("clause", "statement", "stored"),
    [
        ("I've gone from Tally to Ledgerly", "User has gone to Ledgerly", "User keeps the books in Tally"),
        (
            "we're out of Gamla, found a place in Norrby",
            "User found a place in Norrby",
            "User rents in Gamla",
        ),
    ],
)
def test_what_is_named_as_left_gives_way_to_what_came(clause: str, statement: str, stored: str) -> None:
    said = Candidate(statement, "", "", clause=clause)
    assert (
        likeliest(weighed_by_succession(options(add=0.8, changed=0.2), said, [fact("", stored)])) == "changed"
    )
