"""What a candidate does to the store, with facts and words of our own. Real embedder, real weights."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.evaluation.routing import neighbours
from assistant.memory.heads.quantities import quantities, same_quantity
from assistant.memory.heads.reading import in_third_person
from assistant.memory.heads.routing import Options
from assistant.memory.records import Candidate, Confidence, Decider, Fact, FactKind, Operation, Route
from assistant.memory.routing import Neighbour, OnDeviceRouter
from assistant.memory.routing.endings import has_removal_cue
from assistant.memory.routing.novelty import difference, has_new_holder, other_person, other_tie, repeats
from assistant.models.embedding import FastEmbedder

LONG_AGO = datetime(2024, 5, 1, tzinfo=UTC)


@pytest.fixture(scope="session")
def router(embedder: FastEmbedder) -> OnDeviceRouter:
    return OnDeviceRouter(embedder)


@pytest.fixture
def route(router: OnDeviceRouter, embedder: FastEmbedder):
    def routed(said: str, *stored: str, statement: str = "", key: str = "", keys: tuple[str, ...] = ()):
        text = statement or said
        vectors = embedder.embed([text, *stored])
        offered = [
            Neighbour(
                fact(number, words, keys[number - 1] if keys else ""), float(vectors[number] @ vectors[0])
            )
            for number, words in enumerate(stored, 1)
        ]
        return router.route(Candidate(statement=text, key=key, value="", clause=said), offered)

    return routed


def fact(number: int, statement: str, key: str = "") -> Fact:
    return Fact(
        number, number, key, statement, "", FactKind.SEMANTIC, Confidence.STATED, None, LONG_AGO, LONG_AGO
    )


def only(routes: tuple[Route, ...]) -> tuple[Operation, int | None]:
    assert len(routes) == 1
    return routes[0].operation, routes[0].target


def test_the_same_text_twice_is_known_by_rule_whatever_its_score(router: OnDeviceRouter) -> None:
    stored = Neighbour(fact(7, "User keeps bees on the roof"), similarity=0.0)
    candidate = Candidate("user keeps bees on the roof!", key="", value="")
    (made,) = router.route(candidate, [stored])
    assert (made.operation, made.target, made.decision.decider) == (Operation.NOOP, 7, Decider.RULE)


def test_nothing_stored_means_new(route) -> None:
    assert only(route("I keep bees on the roof", statement="User keeps bees on the roof")) == (
        Operation.ADD,
        None,
    )


def test_nothing_similar_stored_means_new(route) -> None:
    got = route(
        "my sister breeds llamas",
        "The invoice template is in Swedish",
        statement="User's sister breeds llamas",
    )
    assert only(got) == (Operation.ADD, None)


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("we're about 64 people here now", "User's company has about 40 people"),
        ("the report is due on the 9th", "The report is due on the 8th"),
        ("The build runs on Java 21", "The build runs on Java 17"),
        ("my dentist is Dr. Quist now", "User's dentist is Dr. Abel"),
        ("we swapped Trello for Linear", "User's team plans in Trello"),
        ("I no longer live in Gdynia, it's Sopot now", "User lives in Gdynia"),
    ],
)
def test_a_new_value_replaces_the_old_one(route, said: str, stored: str) -> None:
    assert only(route(said, stored, "User's aunt grows roses")) == (Operation.UPDATE, 1)


def test_a_taste_that_turns_is_one_update_not_an_end(route) -> None:
    assert only(route("honestly I can't stand herring any more", "User loves herring")) == (
        Operation.UPDATE,
        1,
    )


def test_a_move_replaces_the_address_and_leaves_that_of_others(route) -> None:
    got = route(
        "we moved from Arbroath to Nairn", "User lives in Arbroath", "User's father lives in Arbroath"
    )
    assert only(got) == (Operation.UPDATE, 1)


def test_ways_to_be_at_one_place_do_not_retire_each_other(route) -> None:
    assert only(route("I volunteer at the mill", "User works at the mill")) == (Operation.ADD, None)


def test_two_people_with_one_role_stay_apart(route) -> None:
    got = route("my daughter Runa is allergic to wasps", "User's daughter Elsa is allergic to wasps")
    assert only(got) == (Operation.ADD, None)


def test_another_persons_change_leaves_the_users_fact_alone(route) -> None:
    assert only(route("my uncle sold his tractor", "User owns a tractor")) == (Operation.ADD, None)


def test_the_other_direction_is_never_the_same(route) -> None:
    (made,) = route("Ola mentors Siv", "Siv mentors Ola")
    assert made.operation is not Operation.NOOP


def test_the_same_in_other_words_is_known_and_names_the_fact(route) -> None:
    assert only(route("my wife's called Astrid", "User's wife is named Astrid")) == (Operation.NOOP, 1)


def test_four_restatements_of_one_preference_make_no_new_fact(route) -> None:
    ways = [
        "I like my answers short",
        "keep it brief like I said",
        "short answers please, as always",
        "I prefer brief answers",
    ]
    assert {route(way, "User prefers short answers")[0].operation for way in ways} == {Operation.NOOP}


def test_an_end_without_a_successor_deletes(route) -> None:
    got = route("I quit the fencing club, no time", "User is a member of a fencing club", "User owns a foil")
    assert only(got) == (Operation.DELETE, 1)


def test_several_ends_in_one_breath_each_find_their_fact(route) -> None:
    got = route(
        "I cancelled both Netflix and Audible",
        "User subscribes to Netflix",
        "User subscribes to Audible",
        "User subscribes to Strava",
    )
    assert {(made.operation, made.target) for made in got} == {(Operation.DELETE, 1), (Operation.DELETE, 2)}


@pytest.mark.parametrize(
    "said",
    [
        "my tent is orange",
        "I'm not working at the mill",
        "a tent is what I have",
        "I read a history of tents",
    ],
)
def test_no_end_without_a_cue_of_removal(route, said: str) -> None:
    assert not has_removal_cue(said)
    assert all(
        made.operation is not Operation.DELETE
        for made in route(said, "User has a tent", "User works at the mill")
    )


@pytest.mark.parametrize(
    "said",
    ["should I sell the boat?", "how do I cancel Strava? and who owns it?", "what did I say about my boat?"],
)
def test_a_pure_question_changes_nothing(route, said: str) -> None:
    assert only(route(said, "User owns a boat", "User subscribes to Strava")) == (Operation.NOOP, None)


def test_an_equal_key_brings_differently_worded_values_together(route) -> None:
    worded = {"statement": "User's ceiling is 250 now", "key": "budget"}
    got = route(
        "the ceiling is 250 now", "User's budget for tooling is 200 a month", keys=("budget",), **worded
    )
    assert only(got) == (Operation.UPDATE, 1)


def test_each_decision_has_a_reason_a_confidence_and_a_duration(route) -> None:
    (made,) = route("we're about 64 people here now", "User's company has about 40 people")
    assert "64" in made.decision.reason
    assert "40" in made.decision.reason
    assert type(made.decision.confidence) is float
    assert 0 < made.decision.confidence <= 1
    assert made.decision.milliseconds > 0


@settings(max_examples=25, deadline=None)
@given(said=st.text(max_size=60), count=st.integers(0, 12))
def test_targets_are_always_among_the_offered_and_there_is_always_a_route(
    embedder, said: str, count: int
) -> None:
    offered = [
        Neighbour(fact(100 + place, f"User owns {place} lamps"), 0.9 - place / 20) for place in range(count)
    ]
    routes = OnDeviceRouter(embedder).route(Candidate(said, key="", value="", clause=said), offered)
    assert routes
    assert all(made.target is None or made.target in {one.fact.id for one in offered} for made in routes)


def test_a_second_reading_of_the_same_facts_asks_the_embedder_for_the_candidate_only(embedder) -> None:
    asked: list[int] = []

    class Counting:
        def token_vectors(self, texts):
            asked.append(len(texts))
            return embedder.token_vectors(texts)

    router = OnDeviceRouter(Counting())  # type: ignore[arg-type]
    offered = [Neighbour(fact(1, "User owns a lamp"), 0.6), Neighbour(fact(2, "User owns a rug"), 0.5)]
    for said in ("I own a lamp from Delft", "the rug is red"):
        router.route(Candidate(said, key="", value="", clause=said), offered)
    assert asked == [3, 1]


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("The rent is due on the 3rd", "The rent is due on the 4th", "number"),
        ("The lease ends in May", "The lease ends in June", "date"),
        ("User's vet is Dr. Holm", "User's vet is Dr. Vik", "name"),
        ("User runs PostgreSQL 15.2", "User runs PostgreSQL 15.4", "number"),
        ("Siv mentors Ola", "Ola mentors Siv", "other way round"),
        ("User likes herring", "User does not like herring", "denies"),
    ],
)
def test_what_differs_is_never_the_same_however_near_the_vectors(one: str, other: str, why: str) -> None:
    assert why in difference(one, other)
    assert why in difference(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User is 180 cm tall", "User is 5 foot 11"),
        ("Invoices are due within 14 days", "invoices are due in two weeks"),
        ("Twelve people work there", "a dozen people work there"),
        ("User earns 58,000 a year", "I earn 58k a year"),
        ("The shop closes at 18:00", "the shop closes at 6 pm"),
        ("User likes quiet places", "User is not fond of crowds"),
        ("User drives a Volvo", "User drives a Volvo V60 from 2019"),
    ],
)
def test_the_same_value_said_otherwise_or_with_detail_is_no_difference(one: str, other: str) -> None:
    assert difference(one, other) == ""


def test_people_of_one_role_and_ties_to_one_place_are_told_apart() -> None:
    assert other_person("User's son Per swims", "User's son Nils swims")
    assert not other_person("User's son Per swims", "User's son Per skis")
    assert other_tie("User studies at the academy", "User teaches at the academy")
    assert not other_tie("User works at the academy", "User's job is at the academy")


def test_quantities_meet_across_units() -> None:
    assert same_quantity(quantities("914 square feet"), quantities("85 square metres"))
    assert same_quantity(quantities("464 F"), quantities("240 degrees Celsius"))
    assert not same_quantity(quantities("20 litres"), quantities("20 km"))


@given(st.text(max_size=80))
def test_every_text_repeats_itself_and_differs_in_nothing_from_itself(text: str) -> None:
    assert repeats(text, text)
    assert difference(text, text) == ""


def test_cases_of_the_suite_become_numbered_facts(embedder) -> None:
    case = {"candidate": "I have a tent", "existing": [{"id": "fact_3", "text": "User has a tent"}]}
    (one,) = neighbours(case, embedder)
    assert (one.fact.id, one.fact.statement) == (3, "User has a tent")
    assert np.isclose(one.similarity, 0.8, atol=0.25)


def test_i_and_we_are_read_as_the_facts_tell_them() -> None:
    assert (
        in_third_person("I'm out with my dog and we've met Imre")
        == "User is out with User's dog and User has met Imre"
    )
    assert in_third_person("Ines mined wet iron") == "Ines mined wet iron"


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("The reserve pump delivers 40 litres a minute", "The main pump delivers 55 litres a minute"),
        ("the second tenant pays 510", "The first tenant pays 480"),
        ("The Utrecht office has 14 desks", "The Breda office has 22 desks"),
    ],
)
def test_the_same_slot_of_another_thing_is_new(route, said: str, stored: str) -> None:
    assert only(route(said, stored)) == (Operation.ADD, None)


@pytest.mark.parametrize(("chance", "operation"), [(0.6, Operation.NOOP), (0.8, Operation.DELETE)])
def test_a_fact_ends_only_when_that_is_quite_sure(
    embedder: FastEmbedder, chance: float, operation: Operation
) -> None:
    none, ends = np.zeros(1, np.float32), np.array([chance], np.float32)

    class Head:
        def options(self, said, clause, held) -> Options:
            return Options(0.0, 1 - chance, none, none, ends)

    router = OnDeviceRouter(embedder, Head())
    offered = [Neighbour(fact(1, "User keeps bees"), 0.8)]
    (made,) = router.route(Candidate("I gave up the bees", key="", value=""), offered)
    assert made.operation is operation


def test_that_something_changed_replaces_nothing(route) -> None:
    assert (
        only(
            route(
                "we switched over in autumn",
                "User's stall has 40 jars",
                statement="User switched over in autumn",
            )
        )[0]
        is Operation.NOOP
    )


def test_what_was_done_to_it_is_nothing_to_remember(route) -> None:
    got = route("my boss changed it", "User's shift starts at 7", statement="User's boss changed it")
    assert only(got) == (Operation.NOOP, None)


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("we have a parrot too, she is called Olive", "User has a tabby cat called Pickle"),
        ("there's a second donkey, named Otto", "User has a donkey named Hilda"),
        ("Kasimir's birthday is the 9th of May", "User's birthday is 4 March"),
    ],
)
def test_one_more_with_a_name_of_its_own_replaces_nobody(route, said: str, stored: str) -> None:
    assert only(route(said, stored)) == (Operation.ADD, None)


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("I switched to decaf, no more coffee", "User drinks coffee"),
        ("they took her off ibuprofen and gave her paracetamol", "User's mother takes ibuprofen"),
        ("the shop's off Magento, we put it on Shopware", "User's shop runs on Magento"),
    ],
)
def test_an_end_with_its_successor_is_a_change(route, said: str, stored: str) -> None:
    assert only(route(said, stored)) == (Operation.UPDATE, 1)


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("I don't work at the quarry any longer", "User works at a quarry"),
        ("the regatta's off", "User is training for a regatta"),
        ("our reading circle has fallen apart", "User is in a reading circle"),
        ("no accordion for me any longer", "User plays the accordion"),
    ],
)
def test_an_end_is_known_by_many_words(route, said: str, stored: str) -> None:
    assert only(route(said, stored)) == (Operation.DELETE, 1)


def test_a_change_finds_the_fact_that_it_names_as_the_old_one_however_far_apart(
    embedder: FastEmbedder,
) -> None:
    router = OnDeviceRouter(embedder)
    offered = [Neighbour(fact(1, "User keeps the books in Tally"), 0.05)]
    said = Candidate("User has gone to Ledgerly", key="", value="", clause="I've gone from Tally to Ledgerly")
    (made,) = router.route(said, offered)
    assert only([made]) == (Operation.UPDATE, 1)


@pytest.mark.parametrize(("chance", "operation"), [(0.45, Operation.ADD), (0.8, Operation.UPDATE)])
def test_a_fact_that_shares_no_word_gives_way_only_to_what_is_likely(
    embedder: FastEmbedder, chance: float, operation: Operation
) -> None:
    none, changes = np.zeros(1, np.float32), np.array([chance], np.float32)

    class Head:
        def options(self, said, clause, held) -> Options:
            return Options(0.4 * (1 - chance), 0.6 * (1 - chance), none, changes, none)

    router = OnDeviceRouter(embedder, Head())
    offered = [Neighbour(fact(1, "User teaches chemistry"), 0.8)]
    (made,) = router.route(Candidate("User cycles in now", key="", value=""), offered)
    assert made.operation is operation


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("the council took down our shed at the allotment", "User's allotment has a shed"),
        ("work took my company car off me", "User has a company car"),
        ("they've done away with the free lunches at work", "User gets free lunches at work"),
        ("my parking permit was revoked", "User has a parking permit for zone C"),
        ("gave up my wednesday lesson, no regular day now", "User has a piano lesson on Wednesdays"),
    ],
)
def test_what_others_bring_to_an_end_is_over_too(route, said: str, stored: str) -> None:
    assert only(route(said, stored)) == (Operation.DELETE, 1)


def test_what_others_move_is_a_change(route) -> None:
    assert only(route("they pushed our standup back to 10", "User's team has a standup at 9")) == (
        Operation.UPDATE,
        1,
    )


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("grandpa was Norwegian", "User's grandfather came from Norway"),
        ("rent's one and a half grand", "User's rent is 1,500 EUR"),
        ("I drive the school bus for a living", "User works as a school bus driver"),
    ],
)
def test_a_value_in_another_form_is_known(route, said: str, stored: str) -> None:
    assert route(said, stored)[0].operation is Operation.NOOP


def test_what_two_facts_tell_each_in_part_is_known(route) -> None:
    got = route(
        "wife's Polish, grandpa's Norwegian", "User's wife is from Poland", "User's grandfather is Norwegian"
    )
    assert got[0].operation is Operation.NOOP


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("the sport I play is squash", "User plays a sport"),
        ("my pet is a gecko", "User has a pet"),
    ],
)
def test_which_one_of_a_kind_it_is_makes_the_fact_more_precise(route, said: str, stored: str) -> None:
    assert only(route(said, stored)) == (Operation.UPDATE, 1)


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("if you suggest a shell command, say what it does", "User wants code in Python"),
        ("User pays 25 EUR a month for the gym", "User pays 60 EUR a month for electricity"),
    ],
)
def test_another_case_and_another_purpose_are_new(route, said: str, stored: str) -> None:
    assert only(route(said, stored)) == (Operation.ADD, None)


def test_the_reason_names_only_the_values_that_answer_one_another(route) -> None:
    (made,) = route("I turned 35", "User is 34 years old", statement="User turned 35 on 30 November 2026")
    assert made.decision.reason.endswith("another number (35, not 34)")


def test_a_post_with_a_new_holder_is_a_change_and_a_further_dog_is_not() -> None:
    assert has_new_holder("new supervisor too, Ms Okafor", "User's supervisor is called Mr Brandt")
    assert has_new_holder("my new accountant's Ruth", "User's accountant Nils is slow")
    assert not has_new_holder("my new dog is Rex", "User's dog is called Bo")
    assert not has_new_holder("new bank: Nordea", "User's accountant Nils is slow")


def test_that_something_unknown_is_over_is_nothing_to_remember(route) -> None:
    said = "The quiz nights have been scrapped"
    assert only(route(said, "User lives in York")) == (Operation.NOOP, None)
    assert only(route(said, "There are quiz nights at the pub")) == (Operation.DELETE, 1)


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("User rows a double scull now", "User rows out of Marlow"),
        ("User bakes at night now", "User bakes rye bread"),
        ("User's recipes live in a shared folder now", "User lives in Tartu"),
        ("User teaches at the evening school now", "User teaches ceramics"),
        ("User lives in Graz now", "User works in Slovenia"),
    ],
)
def test_what_a_fact_leaves_open_takes_no_part_of_it_away(route, said: str, stored: str) -> None:
    assert only(route(said, stored))[0] is Operation.ADD


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("User rows out of Henley now", "User rows out of Marlow"),
        ("User bakes spelt bread now", "User bakes rye bread"),
        ("User lives in Parnu now", "User lives in Tartu"),
        ("User's nephew Aldo does the user's taxes now", "User's aunt Pia does the user's taxes"),
        ("they've moved me onto late shifts for good", "User works early shifts"),
        ("I travel by tandem now that they tore up the tram line, no more bus", "User travels by bus"),
        ("not the 3rd any more, the tasting is on the 17th of May", "User's tasting is on 3 May"),
    ],
)
def test_the_same_part_told_anew_replaces_it(route, said: str, stored: str) -> None:
    assert only(route(said, stored)) == (Operation.UPDATE, 1)


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("the sourdough course, sacked it off", "User takes a sourdough course"),
        ("we will not get a boat after all", "User plans to get a boat"),
        ("our book stall came to nothing", "User has a book stall"),
        ("I threw in the towel with the unicycle", "User is learning the unicycle"),
    ],
)
def test_an_end_by_a_turn_of_phrase_ends(route, said: str, stored: str) -> None:
    assert only(route(said, stored)) == (Operation.DELETE, 1)


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("I bowl with the left arm", "User is left-handed"),
        ("she is blind in the left eye", "User's mother is blind in the left eye"),
        ("don't forget I'm allergic to kiwi", "User is allergic to kiwi"),
        ("I'm a retired tram driver as I said", "User is a retired tram driver"),
    ],
)
def test_words_that_only_look_like_an_end_end_nothing(route, said: str, stored: str) -> None:
    assert only(route(said, stored))[0] is not Operation.DELETE


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("the kiln is out in the shed", "The kiln is in the cellar"),
        ("User works in a dairy near Ghent as a cheese maker", "User works in a dairy"),
        ("I'm at 71 kilos now", "User weighs 76 kg"),
    ],
)
def test_another_place_more_of_it_and_other_units_change_a_fact(route, said: str, stored: str) -> None:
    assert only(route(said, stored)) == (Operation.UPDATE, 1)
