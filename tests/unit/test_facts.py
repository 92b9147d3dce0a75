from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.errors import EmbedderError, MemoryInputError, UnknownIdError
from assistant.memory.collections.conversations import Conversations
from assistant.memory.collections.episodes import Episodes
from assistant.memory.collections.facts import Facts
from assistant.memory.collections.journal import Journal
from assistant.memory.core import Core
from assistant.memory.records import (
    Candidate,
    Confidence,
    Decider,
    Decision,
    Episode,
    FactKind,
    Operation,
    Route,
)
from assistant.memory.store import search
from assistant.text import clean_text

DECISION = Decision(Decider.ON_DEVICE, "a number changed", 0.9)


@pytest.fixture
def facts(core: Core) -> Facts:
    return Facts(core)


async def turn(core: Core, text: str, said: datetime | None = None) -> Episode:
    conversation = await Conversations(core).create()
    asked = await Episodes(core).record(text, conversation=conversation.id, said=said)
    return await Episodes(core).finish(asked.id, "Noted.")


def route(operation: Operation, target: int | None = None) -> Route:
    return Route(operation, target, DECISION)


def employees(number: int, **more: object) -> Candidate:
    return Candidate(f"Company has {number} employees", "headcount", f"{number} employees", **more)  # type: ignore[arg-type]


async def statements(facts: Facts, **options: bool) -> list[str]:
    return [fact.statement for fact in await facts.list(**options)]


# From turns -----------------------------------------------------------------------------------------------------------


async def test_an_update_replaces_under_the_same_id_and_the_old_version_stays_in_history(
    core, facts, clock
) -> None:
    first = await turn(core, "We're about 50 people.")
    added = await facts.apply(employees(50), route(Operation.ADD), first)
    clock.step(days=30)
    second = await turn(core, "We're closer to 80 employees now.")
    changed = await facts.apply(employees(80), route(Operation.UPDATE, added.subject_id), second)

    assert changed.subject_id == added.subject_id
    assert changed.summary == "headcount: 50 employees → 80 employees"
    assert (changed.before, changed.after) == ("Company has 50 employees", "Company has 80 employees")
    assert await statements(facts) == ["Company has 80 employees"]
    old, new = await facts.history(added.subject_id)
    assert (old.value, old.valid_from, old.valid_to) == ("50 employees", first.said, second.said)
    assert (new.value, new.valid_from, new.valid_to) == ("80 employees", second.said, None)
    assert new.episode == second.id


async def test_as_of_answers_with_the_version_of_that_time(core, facts, clock) -> None:
    first = await turn(core, "50")
    added = await facts.apply(employees(50), route(Operation.ADD), first)
    clock.step(days=30)
    await facts.apply(employees(80), route(Operation.UPDATE, added.subject_id), await turn(core, "80"))
    assert [fact.value for fact in await facts.as_of(first.said + timedelta(days=29))] == ["50 employees"]
    assert [fact.value for fact in await facts.as_of(clock.now)] == ["80 employees"]
    assert await facts.as_of(first.said - timedelta(seconds=1)) == []


async def test_a_date_in_the_users_words_is_when_the_fact_began(core, facts) -> None:
    began = datetime(2019, 5, 1, tzinfo=UTC)
    await facts.apply(
        employees(50, valid_from=began), route(Operation.ADD), await turn(core, "since May 2019")
    )
    assert [fact.valid_from for fact in await facts.list()] == [began]


async def test_a_value_that_was_wrong_from_the_start_held_at_no_time(core, facts, clock) -> None:
    first = await turn(core, "50")
    added = await facts.apply(employees(50), route(Operation.ADD), first)
    clock.step(days=1)
    since = first.said - timedelta(days=1000)
    await facts.apply(
        employees(80, valid_from=since),
        route(Operation.UPDATE, added.subject_id),
        await turn(core, "80, always was"),
    )
    assert [fact.value for fact in await facts.as_of(first.said)] == ["80 employees"]
    assert [fact.value for fact in await facts.history(added.subject_id)] == ["50 employees", "80 employees"]


async def test_ten_changes_of_one_slot_leave_one_current_value(core, facts, clock) -> None:
    added = await facts.apply(employees(0), route(Operation.ADD), await turn(core, "0"))
    for number in range(1, 11):
        clock.step(days=1)
        await facts.apply(
            employees(number), route(Operation.UPDATE, added.subject_id), await turn(core, str(number))
        )
    assert await statements(facts) == ["Company has 10 employees"]
    assert len(await facts.history(added.subject_id)) == 11
    assert [fact.value for fact in await facts.list("how many employees?")] == ["10 employees"]


async def test_delete_ends_a_fact_and_keeps_its_history(core, facts, clock) -> None:
    added = await facts.apply(employees(50), route(Operation.ADD), await turn(core, "50"))
    clock.step(days=1)
    entry = await facts.apply(
        Candidate("Company was closed", "", ""),
        route(Operation.DELETE, added.subject_id),
        await turn(core, "closed"),
    )
    assert (entry.action, entry.before) == ("fact.end", "Company has 50 employees")
    assert await facts.list() == []
    assert [fact.valid_to for fact in await facts.list(history=True)] == [clock.now]
    assert not (await facts.get(added.subject_id)).current


@pytest.mark.parametrize("operation", [Operation.ADD, Operation.UPDATE, Operation.NOOP])
async def test_the_same_statement_again_changes_no_row_and_says_so(core, facts, operation) -> None:
    added = await facts.apply(employees(50), route(Operation.ADD), await turn(core, "50"))
    before = await facts.list(history=True)
    again = Candidate("company has 50 employees.", "headcount", "50 employees")
    entry = await facts.apply(again, route(operation, added.subject_id), await turn(core, "still 50"))
    assert (entry.action, entry.undoable, entry.subject_id) == ("fact.noop", False, added.subject_id)
    assert await facts.list(history=True) == before


@pytest.mark.parametrize("target", [None, 4711])
async def test_an_update_of_what_is_not_there_adds_and_a_delete_only_tells(core, facts, target) -> None:
    entry = await facts.apply(employees(50), route(Operation.UPDATE, target), await turn(core, "50"))
    assert entry.action == "fact.add"
    entry = await facts.apply(employees(60), route(Operation.DELETE, target), await turn(core, "60"))
    assert entry.action == "fact.noop"
    assert await statements(facts) == ["Company has 50 employees"]


async def test_an_update_of_an_ended_fact_adds(core, facts) -> None:
    added = await facts.add("Company has 50 employees", key="headcount")
    await facts.end(added.subject_id)
    entry = await facts.apply(
        employees(80), route(Operation.UPDATE, added.subject_id), await turn(core, "80")
    )
    assert entry.action == "fact.add"
    assert await statements(facts) == ["Company has 80 employees"]


async def test_an_update_to_what_another_fact_says_leaves_it_standing_once(core, facts, clock) -> None:
    old = await facts.add("User lives in Edinburgh", key="home")
    new = await facts.add("User lives in Leith", key="address")
    clock.step(days=1)
    leith = Candidate("User lives in Leith", "address", "Leith")
    entry = await facts.apply(
        leith, route(Operation.UPDATE, old.subject_id), await turn(core, "I live in Leith")
    )
    assert entry.action == "fact.end"
    assert [fact.id for fact in await facts.list()] == [new.subject_id]


async def test_an_older_turn_learned_later_goes_into_the_past(core, facts, clock) -> None:
    newer = await turn(core, "80")
    added = await facts.apply(employees(80), route(Operation.ADD), newer)
    older = await turn(core, "50", said=newer.said - timedelta(days=400))
    entry = await facts.apply(employees(50), route(Operation.UPDATE, added.subject_id), older)
    assert (entry.before, entry.after) == ("Company has 50 employees", "Company has 80 employees")
    assert await statements(facts) == ["Company has 80 employees"]
    assert [fact.value for fact in await facts.history(added.subject_id)] == ["50 employees", "80 employees"]
    assert [fact.value for fact in await facts.as_of(older.said)] == ["50 employees"]


async def test_an_older_withdrawal_does_not_end_what_was_said_since(core, facts) -> None:
    newer = await turn(core, "80")
    added = await facts.apply(employees(80), route(Operation.ADD), newer)
    older = await turn(core, "nobody", said=newer.said - timedelta(days=400))
    entry = await facts.apply(employees(0), route(Operation.DELETE, added.subject_id), older)
    assert entry.action == "fact.noop"
    assert await statements(facts) == ["Company has 80 employees"]


async def test_a_turn_is_learned_from_once(core, facts) -> None:
    heard = await turn(core, "We're about 50 people.")
    first = await facts.learn(heard, [(employees(50), route(Operation.ADD))])
    again = await facts.learn(heard, [(employees(50), route(Operation.ADD))])
    assert ([entry.action for entry in first], again) == (["fact.add"], ())
    assert (await Episodes(core).get(heard.id)).learned is not None


async def test_when_one_of_a_turns_changes_fails_the_turn_stays_to_be_learned_from(core, facts) -> None:
    heard = await turn(core, "We're about 50 people.")
    empty = Candidate(" ", "", "")
    with pytest.raises(MemoryInputError):
        await facts.learn(heard, [(employees(50), route(Operation.ADD)), (empty, route(Operation.ADD))])
    assert await facts.list() == []
    assert [episode.id for episode in await Episodes(core).pending()] == [heard.id]


# By hand --------------------------------------------------------------------------------------------------------------


async def test_an_edit_is_a_new_version_by_the_users_hand(facts, clock) -> None:
    added = await facts.add("User lives in Lieth", key="home", value="Lieth")
    await facts.pin(added.subject_id)
    clock.step(minutes=1)
    entry = await facts.edit(
        added.subject_id, statement="User lives in Leith", value="Leith", kind=FactKind.PROCEDURAL
    )
    fact = await facts.get(added.subject_id)
    assert (fact.statement, fact.value, fact.key) == ("User lives in Leith", "Leith", "home")
    assert (fact.kind, fact.confidence, fact.pinned) == (FactKind.PROCEDURAL, Confidence.EDITED, True)
    assert (entry.action, entry.summary, entry.decision.decider) == (
        "fact.edit",
        "home: Lieth → Leith",
        Decider.USER,
    )
    assert [found.statement for found in await facts.list("Leith")] == ["User lives in Leith"]


async def test_what_the_hand_cannot_do_is_a_sentence(facts) -> None:
    with pytest.raises(MemoryInputError, match="needs a statement"):
        await facts.add("  ")
    with pytest.raises(UnknownIdError, match="no fact 99"):
        await facts.edit(99, statement="anything")
    for unknown in (facts.get, facts.history, facts.pin, facts.end, facts.forget):
        with pytest.raises(UnknownIdError):
            await unknown(99)
    added = await facts.add("User lives in Leith", key="home")
    with pytest.raises(MemoryInputError, match="Nothing was changed"):
        await facts.edit(added.subject_id, key="home")
    with pytest.raises(MemoryInputError, match="unpinned already"):
        await facts.pin(added.subject_id, False)
    await facts.end(added.subject_id)
    with pytest.raises(MemoryInputError, match="has ended"):
        await facts.edit(added.subject_id, statement="User lives in Portobello")


async def test_pinned_facts_come_first_then_the_newest(facts, clock) -> None:
    added = [await facts.add(f"User owns {thing}", key=thing) for thing in ("a boat", "a bike", "a kiln")]
    clock.step(minutes=1)
    newest = await facts.add("User owns a piano", key="piano")
    await facts.pin(added[0].subject_id)
    found = [fact.id for fact in await facts.list()]
    assert found[:2] == [added[0].subject_id, newest.subject_id]
    assert [fact.id for fact in await facts.list(limit=1)] == [added[0].subject_id]


# Finding --------------------------------------------------------------------------------------------------------------


async def test_facts_are_found_by_meaning_and_ended_ones_only_on_request(facts) -> None:
    home = await facts.add("User lives in Leith", key="home")
    await facts.add("User is allergic to peanuts", key="allergy")
    assert (await facts.list("what am I allergic to?"))[0].key == "allergy"
    await facts.end(home.subject_id)
    assert home.subject_id not in [fact.id for fact in await facts.list("where do I live?")]
    assert home.subject_id in [fact.id for fact in await facts.list("where do I live?", history=True)]


async def test_the_nearest_facts_include_those_of_the_same_slot(core, facts) -> None:
    for thing in ("tea", "coffee", "cocoa"):
        await facts.add(f"User drinks {thing}", key=f"likes_{thing}")
    budget = await facts.add("Tooling stays under 200 a month", key="budget")
    vector = (await core.embed(["User drinks a lot of tea"]))[0]
    near = await facts.nearest(vector, key="budget", limit=2)
    assert near[0][0].key == "likes_tea"
    assert budget.subject_id in [fact.id for fact, _ in near]
    assert [score for _, score in near] == sorted((score for _, score in near), reverse=True)


async def test_a_fact_saved_while_the_embedder_failed_is_found_later(core, facts, monkeypatch) -> None:
    def fail(_texts: object) -> None:
        raise EmbedderError("The embedding model failed.")

    with monkeypatch.context() as broken:
        broken.setattr(type(core.embedder), "embed", lambda self, texts: fail(texts))
        await facts.add("User lives in Leith", key="home")
    assert await core.index_missing() == 1
    assert [fact.key for fact in await facts.list("where do I live?")] == ["home"]


async def test_undo_brings_a_fact_back_and_it_is_found_again(core, facts) -> None:
    added = await facts.add("User lives in Leith", key="home")
    journal = Journal(core)
    undone = await journal.undo()
    assert await facts.list("where do I live?") == []
    await journal.undo(undone.id)
    assert [fact.id for fact in await facts.list("where do I live?")] == [added.subject_id]


async def test_an_update_takes_the_old_value_out_of_the_search_and_undo_puts_it_back(
    core, facts, clock
) -> None:
    added = await facts.add("User lives in Leith", key="home", value="Leith")
    clock.step(days=1)
    await facts.edit(added.subject_id, statement="User lives in Portobello", value="Portobello")
    assert [fact.value for fact in await facts.list("where do I live?")] == ["Portobello"]
    await Journal(core).undo()
    assert [fact.value for fact in await facts.list("where do I live?")] == ["Leith"]
    assert await core.db.read(lambda con: search.missing(con, search.Corpus.FACTS, 10)) == []


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(st.characters(codec=None), max_size=60)
    | st.sampled_from(["\x00", "a\x00b", "\ud800", "x\udfffy"])
)
async def test_any_text_is_kept_as_cleaned_or_refused_as_empty(core, facts, text) -> None:
    try:
        entry = await facts.add(text, key="any")
    except MemoryInputError:
        return
    fact = await facts.get(entry.subject_id)
    assert fact.statement == clean_text(text).strip() or entry.action == "fact.noop"
    assert "\x00" not in fact.statement


async def test_a_secret_written_by_hand_is_masked_in_statement_value_key_and_journal(
    facts: Facts, core: Core
) -> None:
    entry = await facts.add("User's card is 4242 4242 4242 4242")
    edited = await facts.edit(entry.subject_id, statement="User's password is hunter2-Tr0ub4dor")  # type: ignore[arg-type]
    kept = [await facts.history(entry.subject_id), entry, edited]  # type: ignore[arg-type]
    assert "4242 4242" not in str(kept)
    assert "Tr0ub4dor" not in str(kept)


async def test_an_edited_statement_brings_its_value_along_and_cannot_be_blank(facts: Facts) -> None:
    entry = await facts.add("User's name is Ada")
    await facts.edit(entry.subject_id, statement="User's name is Eve")  # type: ignore[arg-type]
    assert "Ada" not in (await facts.get(entry.subject_id)).value  # type: ignore[arg-type]
    with pytest.raises(MemoryInputError):
        await facts.edit(entry.subject_id, statement="  ")  # type: ignore[arg-type]


async def test_a_key_by_hand_becomes_snake_case(facts: Facts) -> None:
    entry = await facts.add("User lives in Leith", key="Home City!")
    assert (await facts.get(entry.subject_id)).key == "home_city"  # type: ignore[arg-type]
