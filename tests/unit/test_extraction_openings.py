"""What a message opens with: who speaks, greetings, and words to the listener before what is told."""

from __future__ import annotations

import pytest

from assistant.memory.extraction.clauses import split_clauses
from assistant.memory.extraction.facets import facets
from assistant.memory.extraction.restating import restates
from assistant.memory.extraction.statements import statement_of


def told(message: str) -> list[str]:
    return [clause.text for clause in split_clauses(message)]


@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("midwife here", "I am a midwife"),
        ("Good evening, mountain guide here", "I am a mountain guide"),
        ("Bookbinder, 20 years in the trade.", "I am a bookbinder, 20 years in the trade."),
        ("plasterer, self employed", "I am a plasterer, self employed"),
        ("hey, lone app developer", "I am a lone app developer"),
        ("mum of three here", "I am a mum of three"),
        ("architect here", "I am an architect"),
        ("dad of two, night bus driver", "I am a dad of two, night bus driver"),
        ("Retired nurse, 69", "I am a retired nurse, 69"),
    ],
)
def test_who_speaks_is_told_without_a_verb(said: str, who: str) -> None:
    assert told(said) == [who]


@pytest.mark.parametrize(
    "said",
    [
        "lovely weather here",
        "same here",
        "new here",
        "plumber, Tuesday at 9",
        "hi teacher",
        "doctor, my knee clicks",
        "our baker is here",
        "no other carpenter here",
    ],
)
def test_a_trade_that_is_nobodys_makes_no_speaker(said: str) -> None:
    assert not any(text.startswith("I am") for text in told(said))


def test_what_somebody_of_a_trade_does_is_a_fact_beside_it() -> None:
    (text,) = told("joiner here, hanging 12 doors a week")
    assert facets(text) == ["I am a joiner", "I am hanging 12 doors a week"]


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("You'll recall I can't have grapefruit", "I can't have grapefruit"),
        ("bearing in mind we've no oven", "we've no oven"),
        ("mind that I've got a bad knee", "I've got a bad knee"),
        ("like I say, I only work mornings", "I only work mornings"),
        ("As I mentioned our tenors cannot read music", "our tenors cannot read music"),
        ("as you know my knee is bad", "my knee is bad"),
        ("like I told you last time I'm colour blind", "I'm colour blind"),
        ("don't forget I'm deaf in one ear", "I'm deaf in one ear"),
    ],
)
def test_words_to_the_listener_are_no_part_of_what_they_are_to_keep_in_mind(said: str, rest: str) -> None:
    (clause,) = split_clauses(said)
    assert clause.text == rest
    assert restates(clause.words)


@pytest.mark.parametrize(
    "said",
    ["I remember my first job", "you know Lund well", "I told you a lie", "never forget to salt the water"],
)
def test_what_only_sounds_like_a_reminder_stays(said: str) -> None:
    assert told(said) == [said]


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("hello :) I'm training for the coastguard", "User is training for the coastguard"),
        ("our shop is in Bray ;) and we sell kites", "User's shop is in Bray"),
        ("I keep quails =D", "User keeps quails"),
        ("heyyy im 19", "User is 19"),
        ("hiii, I play the oboe", "User plays the oboe"),
    ],
)
def test_greetings_and_smileys_are_no_part_of_a_statement(said: str, statement: str) -> None:
    assert statement in {statement_of(text) for text in told(said)}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I work for Brisko since this week", "I work for Brisko since this week"),
        ("Tamsin is my agent as of this week", "my agent is Tamsin now as of this week"),
        ("new teacher since the weekend: Otto", "my teacher is Otto now since the weekend"),
    ],
)
def test_since_when_stays_with_what_is_so(said: str, kept: str) -> None:
    assert told(said) == [kept]


def test_since_may_still_join_two_clauses() -> None:
    assert told("I eat late since this is how we work")[0] == "I eat late"


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("got a new lab mate, Sunniva", ["my lab mate is Sunniva now"]),
        (
            "we got a new trainer mr otieno he is so strict",
            ["my trainer is mr otieno now", "he is so strict"],
        ),
    ],
)
def test_a_new_holder_of_a_role_is_told_by_name(said: str, parts: list[str]) -> None:
    assert told(said) == parts


def test_how_many_are_watching_is_not_how_many_work_for_the_user() -> None:
    assert facets("we stream the matches on Twitch, tiny crowd, 14 people") == [
        "we stream the matches on Twitch, tiny crowd, 14 people"
    ]


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("I'm 71 and a retired baker", ["I'm 71", "I am a retired baker"]),
        ("i'm 15 and doing my exams", ["i'm 15", "I am doing my exams"]),
        ("Otto here, 66", ["I'm Otto", "I am 66"]),
        ("I drive a bus, live in Hull", ["I drive a bus", "I live in Hull"]),
    ],
)
def test_what_one_says_of_oneself_in_one_breath_is_several_facts(said: str, parts: list[str]) -> None:
    (text,) = told(said)
    assert facets(text) == parts


@pytest.mark.parametrize("said", ["Rain here, 3 degrees", "Nobody here, all quiet", "I'm 40 and a bit"])
def test_what_is_nobodys_name_makes_no_speaker(said: str) -> None:
    assert not any(text.startswith("I'm") and text != said for text in told(said))


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("metric pls i cant read inches", ["I want metric", "i cant read inches"]),
        ("short answers please, my eyes are bad", ["I want short answers", "my eyes are bad"]),
        (
            "no brand names in anything you write for me",
            ["I want no brand names in anything you write for me"],
        ),
        ("remember initials, never a full name", ["remember initials, never a full name"]),
        ("i switched to Trello its way better", ["i switched to Trello", "its way better"]),
        ("but Tuesday I don't eat", ["Tuesday I don't eat"]),
        (
            "The tin is 6.50 now, sugar and glass are so dear",
            ["The tin is 6.50 now", "sugar and glass are so dear"],
        ),
        ("me boat is a Drascombe", ["my boat is a Drascombe"]),
        ("my trainee is Amira now, shes sharp as", ["my trainee is Amira now", "she's sharp as"]),
        ("Agency sent a new nanny, it's Bettina who comes now", ["my nanny is Bettina now"]),
        ("new key worker, she's called Marisa", ["my key worker is Marisa now"]),
        ("my helper name Joy", ["my helper is Joy"]),
        ("got a trainee, Callie", ["my trainee is Callie"]),
    ],
)
def test_loose_speech_is_cut_where_its_clauses_are(said: str, parts: list[str]) -> None:
    assert told(said) == parts


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("i get a lift to work off my mate", "User gets a lift to work off their mate"),
        ("only got one good ear", "User only got one good ear"),
        ("Was a shipwright for thirty years", "User was a shipwright for thirty years"),
        ("don't do sundays now", "User doesn't do sundays now"),
        ("rent too high", "Rent too high"),
        ("no more pencil and rubber", "No more pencil and rubber"),
    ],
)
def test_a_statement_says_who_is_meant(said: str, statement: str) -> None:
    assert statement_of(said) == statement


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("I don't eat meat, like I said", "I don't eat meat"),
        ("i'm deaf in one ear as i told you before", "i'm deaf in one ear"),
    ],
)
def test_words_behind_that_say_it_was_told_before_are_no_part_of_it(said: str, rest: str) -> None:
    (clause,) = split_clauses(said)
    assert clause.text == rest
    assert restates(clause.words)


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("from Tuesday the shop opens at 7", "From Tuesday the shop opens at 7"),
        ("they put my rent up to 1,150", "User's rent is 1,150 now"),
        ("rent's gone up to 450.", "Rent is 450 now"),
        ("wife and i are rowers", "User's wife and the user are rowers"),
        ("no budget so free tools only", "User has no budget so free tools only"),
    ],
)
def test_figures_and_subjects_stay_whole(said: str, statement: str) -> None:
    assert [statement_of(text) for text in told(said)] == [statement]
