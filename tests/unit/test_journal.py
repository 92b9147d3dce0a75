from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import duckdb
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from assistant.errors import MemoryInputError, UnknownIdError
from assistant.memory.records import AnswerState, Candidate, Decider, Decision, Plan, Subject
from assistant.memory.store import conversations, episodes, facts, journal, opening, plans, schema
from assistant.memory.store.facts import Cause

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DECISION = Decision(Decider.ON_DEVICE, "a number changed", 0.9)
TABLES = ("facts", "episodes", "conversations", "plans", "recalled", "judgments", "votes")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    path = tmp_path_factory.mktemp("journal") / "memory.duckdb"
    identity = schema.EmbedderIdentity("test", "0" * 64, 4)
    con, _ = opening.open_file(path, lambda con: schema.prepare(con, path, identity))
    yield con
    con.close()


@pytest.fixture
def con(store: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    store.begin()
    yield store
    store.rollback()


def cause(minutes: int = 0) -> Cause:
    return Cause(DECISION, NOW + timedelta(minutes=minutes))


def headcount(con: duckdb.DuckDBPyConnection, number: int) -> Candidate:
    return Candidate(f"Company has {number} employees", "headcount", str(number))


def everything(con: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[object, ...]]]:
    return {table: con.execute(f"SELECT * FROM {table} ORDER BY ALL").fetchall() for table in TABLES}


def test_an_entry_tells_what_why_who_and_from_which_turn(con) -> None:
    entry = facts.add(con, headcount(con, 50), Cause(DECISION, NOW, episode=7, said=NOW))
    assert journal.get(con, entry.id) == entry
    assert entry.action == "fact.add"
    assert entry.happened == NOW
    assert entry.episode == 7
    assert entry.after == "Company has 50 employees"
    assert (entry.decision.decider, entry.decision.reason) == (Decider.ON_DEVICE, "a number changed")


def test_entries_are_listed_newest_first_and_by_subject(con) -> None:
    first = facts.add(con, headcount(con, 50), cause())
    conversation = conversations.create(con, "plans", NOW)
    second = conversations.archive(con, conversation.id, True, decision=DECISION, now=NOW)
    assert journal.newest(con) == [second, first]
    assert journal.newest(con, subject=Subject.FACT) == [first]
    assert journal.newest(con, limit=1) == [second]


def test_undo_takes_back_an_update_and_can_itself_be_undone(con) -> None:
    fact = facts.add(con, headcount(con, 50), cause()).subject_id
    update = facts.supersede(con, fact, headcount(con, 80), cause(1))
    undo = journal.undo(con, update.id, now=NOW)
    assert facts.get(con, fact).value == "50"
    assert journal.get(con, update.id).undone_by == undo.id
    assert undo.undoes == update.id

    redo = journal.undo(con, undo.id, now=NOW)
    assert facts.get(con, fact).value == "80"
    assert journal.get(con, update.id).undone_by is None

    journal.undo(con, redo.id, now=NOW)
    assert facts.get(con, fact).value == "50"
    assert journal.get(con, update.id).undone_by == undo.id


def test_undo_out_of_order_names_the_entry_that_must_go_first(con) -> None:
    fact = facts.add(con, headcount(con, 50), cause()).subject_id
    first = facts.supersede(con, fact, headcount(con, 80), cause(1))
    second = facts.supersede(con, fact, headcount(con, 90), cause(2))
    before = everything(con)
    with pytest.raises(MemoryInputError, match=f"80 → 90.*entry {second.id} first"):
        journal.undo(con, first.id, now=NOW)
    assert everything(con) == before
    journal.undo(con, second.id, now=NOW)
    journal.undo(con, first.id, now=NOW)
    assert facts.get(con, fact).value == "50"


def test_undo_out_of_order_is_fine_where_other_rows_were_changed_since(con) -> None:
    first = facts.add(con, headcount(con, 50), cause())
    second = facts.add(con, Candidate("User lives in Leith", "home", "Leith"), cause())
    journal.undo(con, first.id, now=NOW)
    assert [fact.id for fact in facts.listing(con)] == [second.subject_id]


def test_a_redo_over_what_was_redone_meanwhile_is_refused(con) -> None:
    fact = facts.add(con, headcount(con, 50), cause()).subject_id
    first = facts.supersede(con, fact, headcount(con, 80), cause(1))
    second = facts.supersede(con, fact, headcount(con, 90), cause(2))
    undo_second = journal.undo(con, second.id, now=NOW)
    undo_first = journal.undo(con, first.id, now=NOW)
    with pytest.raises(MemoryInputError, match=f"entry {undo_first.id} first"):
        journal.undo(con, undo_second.id, now=NOW)


def test_what_is_undone_already_or_changed_nothing_says_so(con) -> None:
    added = facts.add(con, headcount(con, 50), cause())
    repeated = facts.add(con, headcount(con, 50), cause(1))
    assert (added.undoable, repeated.undoable) == (True, False)
    with pytest.raises(MemoryInputError, match="nothing to take back"):
        journal.undo(con, repeated.id, now=NOW)
    journal.undo(con, added.id, now=NOW)
    assert not journal.get(con, added.id).undoable
    with pytest.raises(MemoryInputError, match="undone already"):
        journal.undo(con, added.id, now=NOW)
    with pytest.raises(UnknownIdError):
        journal.undo(con, 987_654, now=NOW)


def test_undo_leaves_alone_what_else_happened_to_the_row(con) -> None:
    turn = a_turn(con)
    archived = episodes.archive(con, [turn], True, decision=DECISION, now=NOW)
    episodes.mark_learned(con, turn, NOW)
    journal.undo(con, archived.id, now=NOW)
    assert not episodes.get(con, turn).archived
    assert episodes.get(con, turn).learned == NOW


def test_the_newest_entry_in_effect_goes_back_step_by_step(con) -> None:
    first = facts.add(con, headcount(con, 50), cause())
    second = facts.supersede(con, first.subject_id, headcount(con, 80), cause(1))
    assert journal.newest_in_effect(con) == second.id
    journal.undo(con, second.id, now=NOW)
    assert journal.newest_in_effect(con) == first.id
    journal.undo(con, first.id, now=NOW)
    assert journal.newest_in_effect(con) is None


# Whatever happened, undoing all of it gives the exact rows back -------------------------------------------------------


def a_turn(con: duckdb.DuckDBPyConnection, text: str = "hello") -> int:
    conversation = conversations.create(con, "", NOW).id
    turn = episodes.insert(con, text, conversation=conversation, parent=None, said=NOW, now=NOW).id
    episodes.finish(con, turn, "hi", state=AnswerState.COMPLETE, now=NOW)
    plans.insert_plan(con, Plan(text, False, DECISION), episode=turn, now=NOW)
    return turn


def a_world(con: duckdb.DuckDBPyConnection) -> None:
    for number in (1, 2):
        a_turn(con, f"turn {number}")
        facts.add(con, Candidate(f"User has {number} cats", f"cats_{number}", str(number)), cause(number))


def pick(con: duckdb.DuckDBPyConnection, table: str, column: str, choice: int) -> int:
    ids = [row[0] for row in con.execute(f"SELECT DISTINCT {column} FROM {table} ORDER BY 1").fetchall()]
    return ids[choice % len(ids)] if ids else 0


Change = Callable[[duckdb.DuckDBPyConnection, int, int], object]
CHANGES: dict[str, Change] = {
    "add": lambda con, n, v: facts.add(con, Candidate(f"User owns {v} hats", "hats", str(v)), cause(v)),
    "supersede": lambda con, n, v: facts.supersede(
        con, pick(con, "facts", "fact", n), headcount(con, v), cause(v)
    ),
    "end": lambda con, n, v: facts.end(con, pick(con, "facts", "fact", n), cause(v)),
    "edit": lambda con, n, v: facts.edit(
        con, pick(con, "facts", "fact", n), {"statement": f"edited {v}"}, cause(v)
    ),
    "pin": lambda con, n, v: facts.pin(con, pick(con, "facts", "fact", n), v % 2 == 0, cause(v)),
    "archive": lambda con, n, v: episodes.archive(
        con, [pick(con, "episodes", "id", n)], v % 2 == 0, decision=DECISION, now=NOW
    ),
    "hide": lambda con, n, v: conversations.archive(
        con, pick(con, "conversations", "id", n), v % 2 == 0, decision=DECISION, now=NOW
    ),
    "delete": lambda con, n, v: conversations.delete(
        con, pick(con, "conversations", "id", n), decision=DECISION, now=NOW
    ),
    "mark": lambda con, n, v: plans.mark_wrong(con, pick(con, "plans", "id", n), decision=DECISION, now=NOW),
    "undo": lambda con, n, v: journal.undo(con, pick(con, "journal", "id", n), now=NOW),
}


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(sorted(CHANGES)), st.integers(0, 20), st.integers(0, 6)), max_size=14)
)
def test_undoing_every_change_newest_first_restores_the_exact_rows(store, steps) -> None:
    store.begin()
    try:
        a_world(store)
        store.execute("DELETE FROM journal")
        before = everything(store)
        for name, choice, value in steps:
            refused = everything(store)
            try:
                CHANGES[name](store, choice, value)
            except MemoryInputError:
                if everything(store) != refused:
                    assert name == "undo"
                    reject()  # an undo refused on its way is rolled back with its transaction, which here is the whole test
        while (entry := journal.newest_in_effect(store)) is not None:
            journal.undo(store, entry, now=NOW)
        assert everything(store) == before
    finally:
        store.rollback()
