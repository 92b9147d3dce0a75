"""Kinds of mistake that memories make with what they are told, one by one: real store, real embedder, no language model."""

from __future__ import annotations

import pytest

from assistant.memory import MemoryEngine
from assistant.memory.records import JournalEntry


async def tell(memory: MemoryEngine, *messages: str) -> list[JournalEntry]:
    """Say each message in one conversation; all that was done to the facts."""
    changes: list[JournalEntry] = []
    conversation = (await memory.conversations.create()).id
    for message in messages:
        turn = await memory.record(message, "Noted.", conversation=conversation)
        changes += (await memory.learn(turn.id)).changes
    return changes


async def held(memory: MemoryEngine) -> list[str]:
    return [fact.statement for fact in await memory.facts.list()]


async def test_the_same_text_twice_erases_nothing_and_adds_nothing(memory: MemoryEngine) -> None:
    await tell(memory, "I keep quails in the back yard.", "I keep quails in the back yard.")
    assert await held(memory) == ["User keeps quails in the back yard"]


async def test_a_taste_that_turns_leaves_the_new_one_alone(memory: MemoryEngine) -> None:
    await tell(memory, "I love liquorice.", "I can't stand liquorice any more.")
    (statement,) = await held(memory)
    assert "can't stand" in statement


async def test_an_update_writes_the_new_text_and_keeps_the_old_in_history(memory: MemoryEngine) -> None:
    await tell(memory, "My gym is Kraftwerk.", "My gym is Eisenhalle now.")
    (fact,) = await memory.facts.list()
    assert "Eisenhalle" in fact.statement
    assert ["Kraftwerk" in old.statement for old in await memory.facts.history(fact.id)] == [True, False]


async def test_a_new_fact_has_a_history_of_its_own(memory: MemoryEngine) -> None:
    await tell(memory, "My gym is Kraftwerk.", "My sister breeds goats.")
    goats = next(fact for fact in await memory.facts.list() if "goats" in fact.statement)
    assert len(await memory.facts.history(goats.id)) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I work at the harbour museum.", "I volunteer at the harbour museum."),
        ("Deliveries have moved to Thursdays.", "We've moved the workshop to Ypres."),
        ("I switched to decaf.", "I switched to Firefox."),
        ("My rent went up to 720 a month.", "My phone bill went up to 25 a month."),
        ("My daughter Sunniva plays the harp.", "My daughter Ragna plays the harp."),
        ("My laptop runs Fedora 41.", "My server runs Debian 12."),
    ],
)
async def test_facts_alike_in_words_do_not_retire_each_other(
    memory: MemoryEngine, first: str, second: str
) -> None:
    changes = await tell(memory, first, second)
    assert [change.action for change in changes] == ["fact.add", "fact.add"]


async def test_a_move_leaves_one_address(memory: MemoryEngine) -> None:
    await tell(memory, "I live in Arbroath.", "We moved from Arbroath to Nairn.")
    (statement,) = await held(memory)
    assert "Nairn" in statement


async def test_who_does_it_to_whom_makes_a_difference(memory: MemoryEngine) -> None:
    await tell(memory, "My cousin Siv manages my cousin Ola.", "My cousin Ola manages my cousin Siv.")
    assert any("Ola manages" in statement for statement in await held(memory))


async def test_after_ten_changes_of_one_slot_one_value_is_recalled(memory: MemoryEngine) -> None:
    towns = ["Leith", "Nairn", "Oban", "Wick", "Thurso", "Ayr", "Perth", "Elgin", "Dunbar", "Peebles"]
    await tell(memory, "I live in Crieff.", *(f"I moved, I live in {town} now." for town in towns))
    recall = await memory.recall("Where do I live?")
    assert ["Peebles" in item.item.statement for item in recall.facts] == [True]  # type: ignore[union-attr]
    (fact,) = await memory.facts.list()
    assert len(await memory.facts.history(fact.id)) == 11


async def test_two_undos_take_back_two_changes(memory: MemoryEngine) -> None:
    await tell(memory, "I live in Oban.", "I moved, I live in Wick now.", "I moved, I live in Ayr now.")
    first, second = await memory.undo(), await memory.undo()
    assert first.undoes != second.undoes
    assert "Oban" in (await held(memory))[0]


@pytest.mark.parametrize(
    ("first", "second", "new", "old"),
    [
        ("My lease ends on the 3rd of May.", "My lease ends on the 4th of May.", "4th", "3rd"),
        ("Our site runs on PHP 8.2.", "Our site runs on PHP 8.3 now.", "8.3", "8.2"),
        ("My dentist is Dr. Quist.", "Actually my dentist is Dr. Quill.", "Quill", "Quist"),
        ("My tooling budget is 300 a month.", "budget's gone up to 400", "400", "300"),
        ("We have twelve beehives.", "we've got 15 beehives now", "15", "twelve"),
        ("The workshop is in Malmö.", "moved the workshop, it's in Lund now", "Lund", "Malmö"),
        ("I wear size 42 shoes.", "my shoe size is 43, not 42", "43", "is 42"),
    ],
)
async def test_another_value_is_never_taken_for_the_same(
    memory: MemoryEngine, first: str, second: str, new: str, old: str
) -> None:
    await tell(memory, first, second)
    (statement,) = await held(memory)
    assert new in statement
    assert old not in statement


async def test_a_bare_not_is_no_contradiction(memory: MemoryEngine) -> None:
    await tell(memory, "My dog is called Rufus.", "I don't like football.")
    assert len(await held(memory)) == 2


async def test_restatements_of_one_wish_are_one_fact(memory: MemoryEngine) -> None:
    changes = await tell(
        memory,
        "I'm allergic to shellfish.",
        "As I said, I'm allergic to shellfish.",
        "I can't eat shellfish, like I told you, I'm allergic.",
        "Again: shellfish is out, I'm allergic.",
    )
    assert len(await held(memory)) == 1
    assert {change.action for change in changes[1:]} <= {"fact.noop", "fact.update"}


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("I work at Voss as a planner.", "I quit my job."),
        ("My brother's name is Ingolf.", "I don't have a brother, that was a slip."),
        ("I have a dog called Pretzel.", "Pretzel died last night."),
        ("I visit old Gerald every Sunday.", "Gerald passed away on Monday."),
        ("I take a weaving class.", "I've packed in the weaving class."),
        ("I subscribe to the Herald.", "let the Herald lapse"),
        ("I have a cleaner called Ludmila.", "We had to let Ludmila go."),
        ("I have a harmonium.", "I handed the harmonium over to a neighbour."),
    ],
)
async def test_what_is_said_to_be_over_is_over(memory: MemoryEngine, first: str, last: str) -> None:
    await tell(memory, first)
    (before,) = await held(memory)
    await tell(memory, last)
    assert before not in await held(memory)


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("I have a cleaner called Ludmila.", "Ludmila dropped a vase today"),
        ("I'm a member of a fencing club.", "left the fencing club early tonight, headache"),
        ("I take a weaving class.", "weaving is off this week"),
        ("My sister Lene is a nurse.", "my neighbour's sister quit nursing"),
        ("I drive a Twingo.", "lost the key for the Twingo"),
    ],
)
async def test_an_event_around_a_fact_does_not_end_it(memory: MemoryEngine, first: str, said: str) -> None:
    await tell(memory, first)
    before = await held(memory)
    await tell(memory, said)
    assert set(before) <= set(await held(memory))


async def test_a_change_told_sideways_reaches_the_fact(memory: MemoryEngine) -> None:
    await tell(
        memory, "The treasurer of my club is Cornelia.", "Cornelia stepped down, Edwin is treasurer now."
    )
    (statement,) = await held(memory)
    assert "Edwin" in statement
    assert "Cornelia" not in statement


async def test_within_a_turn_the_later_word_on_a_slot_wins(memory: MemoryEngine) -> None:
    await tell(memory, "My budget is 200 a month. Actually, my budget is 250 a month.")
    (statement,) = await held(memory)
    assert "250" in statement


async def test_a_second_fact_of_the_slot_falls_with_the_old_value(memory: MemoryEngine) -> None:
    await memory.facts.add("User trains at Kraftwerk", key="gym")
    await memory.facts.add("User's gym is Kraftwerk, on Main Street", key="gym")
    await tell(memory, "My gym is Eisenhalle now.")
    (statement,) = await held(memory)
    assert "Eisenhalle" in statement


async def test_the_same_transcript_told_twice_changes_nothing(memory: MemoryEngine) -> None:
    transcript = [
        "I run a bike shop in Deurne.",
        "My mechanic is Sjoerd.",
        "We close on Mondays.",
        "Our rent is 1,400 a month.",
    ]
    await tell(memory, *transcript)
    before = await held(memory)
    changes = await tell(memory, *transcript)
    assert await held(memory) == before
    assert {change.action for change in changes} == {"fact.noop"}


async def test_who_went_leaves_no_fact_where_another_came_in_the_same_breath(memory: MemoryEngine) -> None:
    await tell(memory, "I'm Solvei.", "My gardener is called Torben.")
    await tell(memory, "Torben moved to Aarhus, Liv is my gardener now.")
    left = await held(memory)
    assert any("Liv" in statement for statement in left)
    assert any("Solvei" in statement for statement in left)
    assert not any("Torben" in statement for statement in left)


async def test_a_part_of_a_count_that_goes_does_not_end_the_rest(memory: MemoryEngine) -> None:
    await tell(memory, "I keep 6 llamas on the hill.", "sold two of the llamas, down to four")
    assert any("four" in statement for statement in await held(memory))


async def test_a_change_takes_nothing_from_other_facts_of_the_same_person(memory: MemoryEngine) -> None:
    await tell(memory, "my niece Ines starts school in Elvas in August", "she takes the school bus at 7:50")
    await tell(memory, "the start of school has been pushed to November")
    left = await held(memory)
    assert any("7:50" in statement for statement in left)
    assert any("November" in statement for statement in left)
