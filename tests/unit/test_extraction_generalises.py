"""What holds for messages nobody here wrote the rules for: details join their fact, old values go, figures keep a margin."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.config import Settings
from assistant.evaluation import conversations
from assistant.evaluation.runner import Context
from assistant.memory.extraction import OnDeviceExtractor
from assistant.memory.extraction.clauses import split_clauses
from assistant.memory.extraction.keys import key_of
from assistant.memory.extraction.leaning import whole
from assistant.memory.extraction.statements import statement_of
from assistant.memory.ports import Embedder
from assistant.paths import Folders, shipped

SAID = datetime(2026, 5, 14, 10, tzinfo=UTC)


@pytest.fixture(scope="session")
def extractor(embedder: Embedder) -> OnDeviceExtractor:
    return OnDeviceExtractor(embedder)


def kept(message: str, *likely: float) -> list[str]:
    return [clause.text for clause, _ in whole(split_clauses(message), likely, 0.5)]


def test_a_clause_that_points_back_joins_the_one_it_leans_on() -> None:
    assert kept("I never buy from Verkade. I've boycotted them since 2019", 0.9, 0.9) == [
        "I never buy from Verkade, I've boycotted them since 2019"
    ]


def test_a_fragment_whose_antecedent_is_not_kept_is_left_out() -> None:
    assert kept("What a lovely shelf. Mugs, mostly", 0.1, 0.55) == []


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("I swapped Asana for Linear at work", "User switched to Linear at work"),
        ("we moved from Lyon to Nantes", "User moved to Nantes"),
        ("practice is at 7 now instead of 6:30", "Practice is at 7 now"),
        ("Olaf retired, Birte is my boss now", "Birte is the user's boss now"),
        ("we're about 7 people now", "User's group is about 7 people now"),
        ("my sister and I share a car", "User's sister and the user share a car"),
        ("I don’t eat veal", "User doesn't eat veal"),
    ],
)
def test_a_statement_says_what_holds_now_and_reads_well(said: str, statement: str) -> None:
    assert statement_of(said) == statement


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("User's budget is 300 a month", "budget"),
        ("keep your answers under 50 words", "answers_words"),
        ("I'm no longer the secretary", "secretary"),
    ],
)
def test_a_key_names_the_matter_and_not_a_word_that_looks_like_it(said: str, key: str) -> None:
    assert key_of(statement_of(said), said) == key


def test_also_does_not_cut_the_subject_off() -> None:
    assert [clause.text for clause in split_clauses("I also do a bit of joinery")] == [
        "I also do a bit of joinery"
    ]


def test_a_pronoun_is_named_from_the_message_before(extractor: OnDeviceExtractor) -> None:
    found = extractor.extract(
        "She goes to Maple Lane nursery", "Ok.", SAID, earlier="I have a daughter, Wren."
    )
    assert [one.statement for one in found.candidates] == ["User's daughter Wren goes to Maple Lane nursery"]


def test_a_name_that_falls_by_the_way_is_kept(extractor: OnDeviceExtractor) -> None:
    found = extractor.extract("our dog Bandit ate a grape, is that bad?", "Call a vet.", SAID)
    assert "User's dog is called Bandit" in [one.statement for one in found.candidates]


@pytest.mark.parametrize(
    "said",
    [
        "My bread dough stays stiff while it rises, what now?",
        "hypothetically, I can't swim",
        "do otters hold hands when they sleep",
        "you are a geologist. I am your customer and my son starts school in May",
        "row = Member(town='Lund', age=40)\nwhy does this fail?",
    ],
)
def test_what_is_of_the_moment_or_nobodys_is_not_kept(extractor: OnDeviceExtractor, said: str) -> None:
    assert extractor.extract(said, "Let me see.", SAID).candidates == ()


async def test_most_shipped_conversations_end_as_they_should(
    embedder: Embedder, folders: Folders, tmp_path: Path
) -> None:
    cases = shipped("data", "cases", "conversations.jsonl")
    report = await conversations.run(Context(cases, embedder, "on-device", tmp_path, Settings(), folders))
    assert report["n"] == 6
    assert report["passed"] >= 4, report["failures"]


@pytest.mark.parametrize(
    ("said", "restated"),
    [
        ("as I said, I'm allergic to walnuts", True),
        ("I told you already, I work nights at the bakery", True),
        ("again, I work nights at the bakery", True),
        ("I work nights at the bakery, as mentioned", True),
        ("I work nights at the bakery again", False),
        ("I'm allergic to walnuts", False),
    ],
)
def test_a_repeat_that_is_announced_is_marked_as_one(
    extractor: OnDeviceExtractor, said: str, restated: bool
) -> None:
    assert [one.restated for one in extractor.extract(said, "Noted.", SAID).candidates] == [restated]
