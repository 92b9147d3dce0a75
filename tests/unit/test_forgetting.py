from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.errors import MemoryInputError, UnknownIdError
from assistant.memory.collections.conversations import Conversations
from assistant.memory.collections.episodes import Episodes
from assistant.memory.collections.facts import Facts
from assistant.memory.collections.journal import Journal
from assistant.memory.core import Core
from assistant.memory.records import (
    Candidate,
    Decider,
    Decision,
    Episode,
    Operation,
    Plan,
    Recalled,
    Route,
    Subject,
)
from assistant.memory.store import plans, rows
from assistant.memory.store.database import Connection, Database

DECISION = Decision(Decider.ON_DEVICE, "says Zanzibar", 0.9)
NEUTRAL = Decision(Decider.ON_DEVICE, "nothing similar", 0.9)
SECRET = "zanzibar"


async def say(core: Core, text: str, conversation: int) -> Episode:
    asked = await Episodes(core).record(text, conversation=conversation)
    return await Episodes(core).finish(asked.id, f"You said: {text}")


def lives(place: str) -> Candidate:
    return Candidate(f"User lives in {place}", "home", place)


def everything(con: Connection) -> dict[str, list[tuple[object, ...]]]:
    tables = [row[0] for row in con.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
    return {table: con.execute(f"SELECT * FROM {table} ORDER BY ALL").fetchall() for table in tables}


async def mentions(core: Core, word: str = SECRET) -> list[str]:
    """The tables in which any value holds the word."""
    held = await core.db.read(everything)
    return sorted(table for table, found in held.items() if word in str(found).casefold())


async def test_a_forgotten_fact_is_nowhere_in_the_store(core: Core, clock) -> None:
    facts = Facts(core)
    added = await facts.add("User lives in Zanzibar", key="home", value="Zanzibar")
    await facts.add("user lives in Zanzibar", key="home")
    clock.step(days=1)
    await facts.edit(added.subject_id, statement="User lives in Zanzibar City", value="Zanzibar City")
    await Journal(core).undo()
    await facts.edit(added.subject_id, statement="User lives in Leith", value="Leith")
    fact = await facts.get(added.subject_id)
    reason = {"reason": "near “Zanzibar”", "parts": {}}
    await core.db.write(lambda con: plans.insert_recalled(con, 1, [Recalled(fact, 1.0, **reason)]))

    entry = await facts.forget(added.subject_id)

    assert await mentions(core) == []
    assert await mentions(core, "leith") == []
    assert (entry.summary, entry.before, entry.after) == ("forgot a fact", "", "")
    with pytest.raises(UnknownIdError):
        await facts.history(added.subject_id)
    with pytest.raises(UnknownIdError):
        await facts.forget(added.subject_id)


async def test_forgetting_can_be_undone_while_the_program_runs(core: Core, clock) -> None:
    facts, journal = Facts(core), Journal(core)
    added = await facts.add("User lives in Zanzibar", key="home", value="Zanzibar")
    clock.step(days=1)
    changed = await facts.edit(added.subject_id, statement="User lives in Leith", value="Leith")
    versions = await facts.history(added.subject_id)
    entries = await journal.list()

    forgotten = await facts.forget(added.subject_id)
    assert (await journal.get(forgotten.id)).undoable
    undone = await journal.undo()

    assert undone.undoes == forgotten.id
    assert await facts.history(added.subject_id) == versions
    assert (await journal.list())[2:] == entries
    assert [fact.value for fact in await facts.list("where do I live?")] == ["Leith"]
    assert not (await journal.get(forgotten.id)).undoable
    await journal.undo(changed.id)
    assert [fact.value for fact in await facts.list()] == ["Zanzibar"]


async def test_after_the_program_ended_forgetting_is_final(core: Core) -> None:
    added = await Facts(core).add("User lives in Zanzibar")
    forgotten = await Facts(core).forget(added.subject_id)
    core.forgotten.clear()
    journal = Journal(core)
    assert not (await journal.get(forgotten.id)).undoable
    for entry in (forgotten, added):
        with pytest.raises(MemoryInputError, match="cannot be undone"):
            await journal.undo(entry.id)
    with pytest.raises(MemoryInputError, match="erased for good"):
        await journal.undo()


async def test_other_facts_keep_their_rows_words_and_undo(core: Core, clock) -> None:
    facts, journal = Facts(core), Journal(core)
    kept = await facts.add("User has a cat", key="pet", value="a cat")
    clock.step(days=1)
    edit = await facts.edit(kept.subject_id, statement="User has a dog", value="a dog")
    gone = await facts.add("User lives in Zanzibar", key="home")
    await facts.forget(gone.subject_id)
    assert (await journal.get(edit.id)).summary == "pet: a cat → a dog"
    await journal.undo(edit.id)
    assert [fact.value for fact in await facts.list()] == ["a cat"]


async def a_turn_with_all_that_follows(core: Core) -> Episode:
    facts = Facts(core)
    home = (await Conversations(core).create()).id
    turn = await say(core, "I live in Zanzibar now", home)
    added = await facts.apply(lives("Zanzibar"), Route(Operation.ADD, None, DECISION), turn)
    await facts.apply(lives("Zanzibar"), Route(Operation.NOOP, added.subject_id, DECISION), turn)

    def beside(con: Connection) -> None:
        plan = plans.insert_plan(
            con, Plan(turn.user, needs_episodes=False, decision=DECISION), episode=turn.id, now=core.clock()
        )
        plans.mark_wrong(con, plan.id or 0, decision=DECISION, now=core.clock())
        judgment = {
            "trigger_text": "User asks about Zanzibar",
            "judgment": "Mention the ferry to Zanzibar",
            "created": rows.to_store(core.clock()),
            "situation": 1,
            "episode": turn.id,
        }
        made = rows.insert(con, "judgments", judgment)
        vote = {"judgment": made["id"], "ballot": "1", "verdict": "corrected", "voted": judgment["created"]}
        rows.insert(con, "votes", {**vote, "correction": "Zanzibar has an airport"})
        recalled = Recalled(turn, 1.0, {}, "near “Zanzibar”")
        plans.insert_recalled(con, turn.id, [recalled])
        plans.insert_recalled(con, turn.id + 1, [recalled])

    await core.db.write(beside)
    return turn


async def test_a_forgotten_turn_takes_all_that_was_derived_from_it_along(core: Core) -> None:
    turn = await a_turn_with_all_that_follows(core)
    before = await core.db.read(everything)
    assert len(await mentions(core)) > 5

    entry = await Episodes(core).forget(turn.id)

    assert await mentions(core) == []
    assert entry.summary == "forgot a turn with 1 fact and 1 judgment"
    await Journal(core).undo(entry.id)
    after = await core.db.read(everything)
    for table in ("episodes", "facts", "judgments", "votes", "plans", "recalled", "conversations"):
        assert after[table] == before[table]


async def test_what_an_older_turn_said_of_a_fact_stays_in_its_history(core: Core, clock) -> None:
    facts = Facts(core)
    home = (await Conversations(core).create("Moving")).id
    first = await say(core, "I live in Leith", home)
    added = await facts.apply(lives("Leith"), Route(Operation.ADD, None, NEUTRAL), first)
    clock.step(days=1)
    second = await say(core, "I live in Zanzibar now", home)
    await facts.apply(lives("Zanzibar"), Route(Operation.UPDATE, added.subject_id, DECISION), second)

    await Episodes(core).forget(second.id)

    assert await mentions(core) == []
    assert [(fact.value, fact.current) for fact in await facts.history(added.subject_id)] == [
        ("Leith", False)
    ]
    assert (await Journal(core).get(added.id)).after == "User lives in Leith"


async def test_the_conversation_closes_over_a_forgotten_turn(core: Core) -> None:
    conversations = Conversations(core)
    home = (await conversations.create()).id
    first, middle, last = [await say(core, text, home) for text in ("one", "two", "three")]
    await Episodes(core).forget(middle.id)
    assert [turn.id for turn in await conversations.branch(home)] == [first.id, last.id]
    await Episodes(core).forget(last.id)
    assert [turn.id for turn in await conversations.branch(home)] == [first.id]
    await Journal(core).undo()
    await Journal(core).undo()
    assert [turn.user for turn in await conversations.branch(home)] == ["one", "two", "three"]


async def test_forgetting_one_of_many_archived_turns_leaves_the_others_undoable(core: Core) -> None:
    home = (await Conversations(core).create("Trips")).id
    turns = [await say(core, text, home) for text in ("Zanzibar by boat", "Leith by tram")]
    archived = await Episodes(core).archive([turn.id for turn in turns])
    await Episodes(core).forget(turns[0].id)
    assert await mentions(core) == []
    await Journal(core).undo(archived.id)
    assert [turn.user for turn in await Episodes(core).list()] == ["Leith by tram"]


async def test_a_turn_that_was_deleted_with_its_conversation_and_brought_back_is_forgotten_there_too(
    core: Core,
) -> None:
    turn = await a_turn_with_all_that_follows(core)
    await Conversations(core).delete(turn.conversation)
    await Journal(core).undo()
    await Episodes(core).forget(turn.id)
    assert await mentions(core) == []


async def test_what_cannot_be_forgotten_is_said(core: Core) -> None:
    with pytest.raises(UnknownIdError, match="no turn 99"):
        await core.forget(Subject.EPISODE, 99)
    with pytest.raises(UnknownIdError, match="no judgment 99"):
        await core.forget(Subject.JUDGMENT, 99)
    with pytest.raises(MemoryInputError, match="cannot be forgotten"):
        await core.forget(Subject.PLAN, 1)


async def test_a_judgment_goes_with_its_votes_and_what_was_merged_into_it(core: Core) -> None:
    def prepare(con: Connection) -> int:
        common = {"trigger_text": "going to Zanzibar", "created": rows.to_store(core.clock()), "situation": 1}
        keep = rows.insert(con, "judgments", {**common, "judgment": "Take the ferry to Zanzibar"})["id"]
        rows.insert(
            con,
            "judgments",
            {**common, "judgment": "Ferry to Zanzibar", "archived": True, "merged_into": keep},
        )
        return int(keep)

    keep = await core.db.write(prepare)
    await core.forget(Subject.JUDGMENT, keep)
    assert await mentions(core) == []


async def test_forgotten_text_leaves_the_log_at_once_and_the_file_when_it_is_closed(
    core: Core, tmp_path: Path
) -> None:
    file, log = tmp_path / "memory.duckdb", tmp_path / "memory.duckdb.wal"
    await Facts(core).add("User has a cat")
    added = await Facts(core).add("User lives in Zanzibar")
    await core.db.purge()
    assert b"Zanzibar" in file.read_bytes()
    await Facts(core).forget(added.subject_id)
    assert not log.exists() or b"Zanzibar" not in log.read_bytes()
    core.db.close()
    assert b"Zanzibar" not in file.read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith("memory")] == ["memory.duckdb"]
    identity = {"embedder": core.embedder.id, "embedder_hash": core.embedder.file_hash}
    again = Database.open(file, **identity, dimension=core.embedder.dimension)
    reopened = Facts(replace(core, db=again))
    assert [fact.statement for fact in await reopened.list()] == ["User has a cat"]
    await reopened.add("User has a dog")
    assert len(await reopened.list("which pets?")) == 2
    again.close()
