from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.memory.extraction import Extraction, OnDeviceExtractor
from assistant.memory.extraction.clauses import split_clauses
from assistant.memory.extraction.keys import key_of
from assistant.memory.extraction.statements import statement_of
from assistant.memory.ports import Embedder
from assistant.memory.records import Confidence, FactKind

SAID = datetime(2026, 5, 14, 10, tzinfo=UTC)  # a Thursday


@pytest.fixture(scope="session")
def extractor(embedder: Embedder) -> OnDeviceExtractor:
    return OnDeviceExtractor(embedder)


def statements(found: Extraction) -> str:
    return "\n".join(candidate.statement for candidate in found.candidates)


# What is kept ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("I run a small pottery studio in Delft", "runs a small pottery studio in Delft"),
        ("I'm allergic to shellfish, so what can I order at a tapas bar?", "allergic to shellfish"),
        ("my sister Nadia is a vet in Cork", "User's sister Nadia is a vet in Cork"),
        ("please answer in short sentences from now on", "short sentences"),
        ("we moved to Tartu, I teach at a primary school now", "teaches at a primary school"),
        ("I no longer work at the brewery", "no longer works at the brewery"),
        ("Keep any software under 80 a month, that is my ceiling.", "any software kept under 80 a month"),
        ("My budget for the kitchen is 9,000", "9,000"),
    ],
)
def test_a_durable_statement_becomes_a_fact_in_the_third_person(
    extractor: OnDeviceExtractor, said: str, held: str
) -> None:
    assert held in statements(extractor.extract(said, "Noted.", SAID))


def test_several_facts_of_one_message_are_kept_apart(extractor: OnDeviceExtractor) -> None:
    found = extractor.extract(
        "I live in Aarhus, I work nights at a bakery and my dog is called Pesto", "ok", SAID
    )
    lines = statements(found).splitlines()
    assert len(lines) == 3
    assert ["Aarhus" in lines[0], "bakery" in lines[1], "Pesto" in lines[2]] == [True, True, True]


def test_a_fact_hidden_in_a_ramble_is_found(extractor: OnDeviceExtractor) -> None:
    ramble = (
        "ugh so the bus was late again and it rained sideways and then the lift was out, classic. anyway I'm a nurse on "
        "the night shift so can you tell me how to sleep when it's light outside"
    )
    lines = statements(extractor.extract(ramble, "Blackout curtains.", SAID)).splitlines()
    assert len(lines) == 1
    assert "nurse on the night shift" in lines[0]


def test_a_correction_is_kept_with_the_new_value(extractor: OnDeviceExtractor) -> None:
    assert "14" in statements(
        extractor.extract("actually it's 14 people in my team, not 12", "Thanks.", SAID)
    )


def test_the_users_own_words_go_along_for_routing(extractor: OnDeviceExtractor) -> None:
    found = extractor.extract("thanks! we cancelled the gym membership", "Okay.", SAID)
    assert [candidate.clause for candidate in found.candidates] == ["we cancelled the gym membership"]


def test_a_vague_goodbye_to_the_old_one_does_not_end_a_fact_of_its_own(extractor: OnDeviceExtractor) -> None:
    found = extractor.extract("stopped using the old planner, everything's in Trello now", "Okay.", SAID)
    assert [candidate.clause for candidate in found.candidates] == ["everything's in Trello now"]
    assert "planner" in statements(found)


def test_a_pronoun_is_named_from_the_same_message(extractor: OnDeviceExtractor) -> None:
    found = extractor.extract("my daughter Ines starts school in Porto. she's allergic to eggs", "ok", SAID)
    assert "User's daughter Ines is allergic to eggs" in statements(found)


def test_a_relations_attribute_stays_the_relations(extractor: OnDeviceExtractor) -> None:
    found = extractor.extract("my husband is diabetic", "ok", SAID)
    assert statements(found) == "User's husband is diabetic"
    assert found.candidates[0].key.startswith("husband_")


# What is not kept -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "what is the capital of Mongolia?",
        "how long do I boil an egg",
        "write me a birthday poem for a dentist",
        "thanks, that's all for now",
        "hello there",
        "ugh what a day",
        "I'm so tired today",
        "if I lived in Monaco I'd eat fish every day, what would that cost?",
        "imagine I had a farm with ninety cows, how much hay is that?",
        "pretend you're a baker and I'm a duke with three castles",
        "yeah right, and I'm the queen of Sweden",
        'my neighbour said "I sold my house and moved to Cuba"',
        'translate: "I am a nurse and I live in Oslo with my two cats"',
        "proofread this:\nI have been a member since 2009 and I own two boats.",
        "someone at the gym claims coffee makes you shrink",
        "in the film the hero is a widower from Naples with a dog called Gus",
        "I had a strange dream, I was married to a lighthouse in Bergen",
        "2026-01-03 10:00:01 ERROR worker moved to /home/oslo\nwhat does this mean",
        "```\nuser = 'lives in Rome'\n```\nwhy does this fail",
    ],
)
def test_nothing_is_kept_from_what_is_not_a_statement_about_the_user(
    extractor: OnDeviceExtractor, said: str
) -> None:
    assert statements(extractor.extract(said, "Sure.", SAID)) == ""


def test_what_only_the_assistant_said_is_not_kept(extractor: OnDeviceExtractor) -> None:
    answer = "As a vegan living in Lisbon you might like this. I will remember that you are vegan."
    assert extractor.extract("any dinner ideas?", answer, SAID).candidates == ()


def test_an_invention_of_the_assistant_that_the_user_rejects_is_not_kept(
    extractor: OnDeviceExtractor,
) -> None:
    found = extractor.extract("you said I love sailing. I never said that", "Sorry.", SAID)
    assert "loves sailing" not in statements(found)


# Confirmation ---------------------------------------------------------------------------------------------------------


def test_a_bare_yes_confirms_what_the_assistant_asked(extractor: OnDeviceExtractor) -> None:
    found = extractor.extract("yes", "Great.", SAID, asked="Thanks for that. So you live in Graz?")
    assert statements(found) == "User lives in Graz"
    assert found.candidates[0].confidence is Confidence.CONFIRMED


@pytest.mark.parametrize(
    ("answer", "asked"),
    [("no", "So you live in Graz?"), ("yes", "Shall I write it?"), ("yes", "You live in Graz."), ("yes", "")],
)
def test_nothing_is_confirmed_by_a_no_or_to_an_offer(
    extractor: OnDeviceExtractor, answer: str, asked: str
) -> None:
    assert extractor.extract(answer, "ok", SAID, asked=asked).candidates == ()


# Time -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "date"),
    [
        ("I'm moving to Riga next Tuesday for good", "on Tuesday 19 May 2026"),
        ("we moved to Riga last month", "in April 2026"),
        ("my wedding is next year", "in 2027"),
        ("I quit smoking two years ago", "in 2024 (“two years ago”)"),
    ],
)
def test_relative_dates_are_made_absolute_from_the_turns_own_time(
    extractor: OnDeviceExtractor, said: str, date: str
) -> None:
    assert date in statements(extractor.extract(said, "ok", SAID))


def test_the_same_words_said_on_another_day_mean_another_date(extractor: OnDeviceExtractor) -> None:
    later = datetime(2026, 7, 1, 10, tzinfo=UTC)
    assert "7 July 2026" in statements(
        extractor.extract("I'm moving to Riga next Tuesday for good", "ok", later)
    )


def test_a_habit_is_not_taken_for_a_date(extractor: OnDeviceExtractor) -> None:
    assert "2026" not in statements(extractor.extract("I have choir practice every Tuesday", "ok", SAID))


def test_since_a_year_says_when_it_became_true(extractor: OnDeviceExtractor) -> None:
    found = extractor.extract("I've lived in Kaunas since 2016", "ok", SAID)
    assert found.candidates[0].valid_from == datetime(2016, 1, 1, tzinfo=UTC)


# Secrets --------------------------------------------------------------------------------------------------------------


def test_a_secret_is_stored_nowhere_and_its_kind_is_told(extractor: OnDeviceExtractor) -> None:
    found = extractor.extract("I bank with Nordhaus, my pin is 4432", "Careful.", SAID)
    assert found.masked == ("password",)
    assert "Nordhaus" in statements(found)
    assert not any("4432" in f"{one.statement}{one.value}{one.key}{one.clause}" for one in found.candidates)


# Statement, key, kind -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "statement"),
    [
        ("I'm left-handed", "User is left-handed"),
        ("I don't eat pork", "User doesn't eat pork"),
        ("I usually fly from Cork", "User usually flies from Cork"),
        ("btw my kids go to bed at eight", "User's kids go to bed at eight"),
        ("call me Bo pls", "User wants to be called Bo"),
        ("don't use emojis", "User wants the assistant not to use emojis"),
        ("we live in the US", "User lives in the US"),
        ("allergic to nuts", "User is allergic to nuts"),
        ("I love my bike and it loves me", "User loves their bike and it loves them"),
    ],
)
def test_statements_read_as_sentences_about_the_user(words: str, statement: str) -> None:
    assert statement_of(words) == statement


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("my budget is 200", "the ceiling is 250 now"),
        ("I live in Leith", "we moved to Portobello"),
        ("the rent is 900", "landlord raised it, my rent is 1,040 a month"),
        ("our team lead is Ravi", "team lead is Simone since monday"),
        ("I'm allergic to nuts", "allergic to nuts, badly"),
        ("my dog is called Bello", "our dog's name is Rex"),
        ("my favourite colour is red", "my favorite color is blue"),
        ("drama practice is on Mondays", "our drama practice has moved to the gym"),
        ("bins: Tuesdays", "the bins are Friday now"),
        ("I'm Ottoline", "my name is Tilly"),
        ("we're 12 people in the team", "the team has fourteen people"),
        ("I get up at 6", "I wake up at half five"),
    ],
)
def test_the_same_slot_has_the_same_key_however_it_is_worded(one: str, other: str) -> None:
    assert key_of(statement_of(one), one) == key_of(statement_of(other), other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I'm allergic to nuts", "I'm allergic to wasps"),
        ("my daughter is 9", "I'm 41"),
        ("my rent is 900", "my budget is 900"),
        ("my sister lives in Oslo", "my brother lives in Oslo"),
        ("our band is called Tin Heron", "my name is Tin Heron"),
        ("my tools budget is 90", "my holiday budget is 900"),
    ],
)
def test_different_slots_have_different_keys(one: str, other: str) -> None:
    assert key_of(statement_of(one), one) != key_of(statement_of(other), other)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("our parrot is called Socrates", "socrates"),
        ("my sister's name: Jelena", "jelena"),
        ("our boiler is oil fired", "oil"),
        ("the caravan is in Tenby", "tenby"),
        ("my favourite band is Low", "low"),
        ("i work weekends at greggs", "greggs"),
    ],
)
def test_a_key_never_holds_the_value(said: str, value: str) -> None:
    assert value not in key_of(statement_of(said), said).split("_")


def test_a_budget_is_qualified_by_what_it_is_for() -> None:
    told = ["my budget is 90", "the tooling budget is 90", "budget for the shed: 650 tops"]
    assert [key_of(statement_of(said), said) for said in told] == ["budget", "tooling_budget", "shed_budget"]


def test_a_standing_instruction_is_procedural_and_a_fact_is_semantic(extractor: OnDeviceExtractor) -> None:
    order = extractor.extract("never use hashtags in posts you write for me", "ok", SAID).candidates[0]
    fact = extractor.extract("I have asthma and two cats", "ok", SAID).candidates[0]
    assert (order.kind, fact.kind) == (FactKind.PROCEDURAL, FactKind.SEMANTIC)


def test_an_order_keeps_the_reason_it_points_to() -> None:
    texts = [clause.text for clause in split_clauses("I row on Monday evenings, so don't plan calls then")]
    assert texts == ["I row on Monday evenings, so don't plan calls then"]


# Robustness -----------------------------------------------------------------------------------------------------------


_PARTS = "I'm my we . , ? \" ' ( ) : ; — and but so because yes no \n http:// 9 { } < > next Tuesday"


@given(st.text(max_size=400))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_makes_it_fail(extractor: OnDeviceExtractor, said: str) -> None:
    for candidate in extractor.extract(said, said, SAID, asked=said).candidates:
        assert candidate.statement
        assert candidate.key
        assert 0 <= candidate.certainty <= 1


@given(
    st.lists(
        st.sampled_from(_PARTS.split(" ")),
        max_size=40,
    )
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_arrangement_of_small_words_and_marks_makes_it_fail(
    extractor: OnDeviceExtractor, parts: list[str]
) -> None:
    extractor.extract(" ".join(parts), "", SAID)
