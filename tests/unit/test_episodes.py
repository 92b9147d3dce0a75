from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.errors import EmbedderError, MemoryInputError, UnknownIdError
from assistant.memory.collections.conversations import Conversations
from assistant.memory.collections.episodes import Episodes
from assistant.memory.collections.journal import Journal
from assistant.memory.core import Core
from assistant.memory.records import AnswerState, Episode
from assistant.memory.store import episodes as store
from assistant.memory.store.database import Database
from assistant.text import clean_text


@pytest.fixture
def episodes(core: Core) -> Episodes:
    return Episodes(core)


@pytest.fixture
async def conversation(core: Core) -> int:
    return (await Conversations(core).create()).id


async def say(episodes: Episodes, text: str, conversation: int, answer: str = "Noted.") -> Episode:
    asked = await episodes.record(text, conversation=conversation)
    return await episodes.finish(asked.id, answer)


async def test_a_turn_is_kept_verbatim_with_times_and_model(episodes, conversation, clock) -> None:
    said = clock.now - timedelta(days=3)
    asked = await episodes.record(
        "  Two  spaces,\n\ta tab ", conversation=conversation, said=said, model="llama3"
    )
    assert (asked.state, asked.assistant, asked.said) == (AnswerState.OPEN, "", said)
    clock.step(seconds=9)
    await episodes.finish(asked.id, "An *answer*.\n", tokens=7, seconds=1.5)
    kept = await episodes.get(asked.id)
    assert (kept.user, kept.assistant) == ("  Two  spaces,\n\ta tab ", "An *answer*.\n")
    assert (kept.state, kept.answered, kept.model) == (AnswerState.COMPLETE, clock.now, "llama3")
    assert (kept.tokens, kept.seconds) == (7, 1.5)


async def test_a_cut_answer_is_kept_with_what_went_wrong(episodes, conversation) -> None:
    asked = await episodes.record("Tell me all", conversation=conversation)
    kept = await episodes.finish(asked.id, "All is", state=AnswerState.CUT, error="The answer broke off.")
    assert (kept.assistant, kept.state, kept.error) == ("All is", AnswerState.CUT, "The answer broke off.")


async def test_pending_turns_are_those_not_learned_from_also_open_ones(episodes, conversation) -> None:
    first = await say(episodes, "first", conversation)
    left_open = await episodes.record("typed before the crash", conversation=conversation)
    assert [each.id for each in await episodes.pending()] == [first.id, left_open.id]
    await episodes.mark_learned(first.id)
    assert [each.user for each in await episodes.pending()] == ["typed before the crash"]


async def test_learning_is_claimed_once(core, episodes, conversation, clock) -> None:
    turn = await say(episodes, "first", conversation)
    claim = lambda con: store.mark_learned(con, turn.id, clock.now)  # noqa: E731
    assert [await core.db.write(claim), await core.db.write(claim)] == [True, False]


def test_a_turn_recorded_before_a_kill_is_pending_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "memory.duckdb"
    program = f"""
        import asyncio, os, signal
        from datetime import datetime, UTC
        from pathlib import Path
        from assistant.memory.store import conversations, episodes
        from assistant.memory.store.database import Database
        now = datetime(2026, 3, 1, tzinfo=UTC)
        def record(con):
            home = conversations.create(con, "", now)
            episodes.insert(con, "I run a ceramics shop.", conversation=home.id, parent=None, said=now, now=now)
        async def main():
            store = Database.open(Path({str(path)!r}), embedder="test", embedder_hash="0" * 64, dimension=4)
            await store.write(record)
            os.kill(os.getpid(), signal.SIGKILL)
        asyncio.run(main())
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    db = Database.open(path, embedder="test", embedder_hash="0" * 64, dimension=4)
    with db._cursor() as con:
        assert [each.user for each in store.pending(con)] == ["I run a ceramics shop."]
    db.close()


async def test_turns_are_found_by_meaning_and_by_words_with_their_scores_explained(
    episodes, conversation
) -> None:
    train = await say(episodes, "We want to take the night train to Vienna.", conversation)
    await say(episodes, "Which glaze is safe for dinner plates?", conversation)
    for query in ("taking a train overnight", "vienna"):
        best = (await episodes.search(query))[0]
        assert best.item == train
        assert best.parts
        assert best.reason
    assert await episodes.search("qzxv wqpt zzkj") == []
    assert (await episodes.list("vienna"))[0] == train


async def test_search_keeps_to_a_conversation_and_to_a_span_of_time(
    core, episodes, conversation, clock
) -> None:
    first = await say(episodes, "The night train to Vienna was late.", conversation)
    other = (await Conversations(core).create()).id
    clock.step(days=10)
    second = await say(episodes, "The night train to Vienna was on time.", other)
    found = lambda hits: {hit.item.id for hit in hits}  # noqa: E731
    assert found(await episodes.search("night train to Vienna")) == {first.id, second.id}
    assert found(await episodes.search("night train to Vienna", conversation=other)) == {second.id}
    middle = clock.now - timedelta(days=5)
    assert found(await episodes.search("night train to Vienna", before=middle)) == {first.id}
    assert found(await episodes.search("night train to Vienna", after=middle)) == {second.id}


async def test_a_turn_kept_while_the_embedder_failed_is_found_later(
    core, episodes, conversation, monkeypatch
) -> None:
    def fail(self: object, texts: object) -> None:
        raise EmbedderError("The embedding model failed.")

    with monkeypatch.context() as broken:
        broken.setattr(type(core.embedder), "embed", fail)
        turn = await say(episodes, "We want to take the night train to Vienna.", conversation)
    assert await core.index_missing() == 1
    assert [found.item for found in await episodes.search("night train")] == [turn]


async def test_archived_turns_leave_search_and_list_but_are_there_on_request(
    core, episodes, conversation
) -> None:
    turn = await say(episodes, "We want to take the night train to Vienna.", conversation)
    entry = await episodes.archive([turn.id])
    assert (entry.action, entry.subject_id) == ("episode.archive", turn.id)
    assert await episodes.search("night train") == await episodes.list() == []
    assert len(await episodes.search("night train", archived=True)) == 1
    assert [each.archived for each in await episodes.list(archived=True)] == [True]
    await episodes.unarchive([turn.id])
    assert len(await episodes.search("night train")) == 1
    await Journal(core).undo()
    assert await episodes.search("night train") == []


async def test_archiving_many_is_one_entry_and_one_undo(core, episodes, conversation) -> None:
    turns = [await say(episodes, f"turn {number}", conversation) for number in range(3)]
    entry = await episodes.archive([turn.id for turn in turns])
    assert (entry.summary, entry.subject_id) == ("archived: 3 turns", None)
    await Journal(core).undo()
    assert len(await episodes.list()) == 3
    with pytest.raises(MemoryInputError, match="unarchived already"):
        await episodes.unarchive([turns[0].id])


async def test_neighbours_of_a_turn_are_those_of_its_branch(episodes, conversation) -> None:
    turns = [await say(episodes, f"turn {number}", conversation) for number in range(6)]
    assert await episodes.neighbours(turns[3].id, 1) == turns[2:5]
    assert await episodes.neighbours(turns[0].id) == turns[:3]
    assert await episodes.neighbours(turns[5].id, 0) == turns[5:]
    with pytest.raises(UnknownIdError):
        await episodes.neighbours(99)


async def test_the_list_is_newest_first_and_can_be_kept_to_one_conversation(
    core, episodes, conversation, clock
) -> None:
    first = await say(episodes, "first", conversation)
    clock.step(minutes=1)
    second = await say(episodes, "second", (await Conversations(core).create()).id)
    assert await episodes.list() == [second, first]
    assert await episodes.list(conversation=conversation) == [first]
    assert await episodes.list(limit=1) == [second]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=80))
async def test_clean_text_of_any_kind_comes_back_as_it_was(episodes, conversation, text) -> None:
    turn = await say(episodes, clean_text(text), conversation, answer=clean_text(text[::-1]))
    kept = await episodes.get(turn.id)
    assert (kept.user, kept.assistant) == (clean_text(text), clean_text(text[::-1]))
