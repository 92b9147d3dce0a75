from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from assistant.errors import (
    StoreError,
)
from assistant.memory.store import opening
from assistant.memory.store.database import Connection
from tests.unit.stores import add_conversation, open_store, titles


@pytest.mark.parametrize("problem", [ValueError("no"), KeyError("no")])
async def test_any_exception_rolls_the_whole_write_back(path: Path, problem: Exception) -> None:
    store = open_store(path)

    def half(con: Connection) -> None:
        add_conversation(con)
        raise problem

    with pytest.raises(type(problem)):
        await store.write(half)
    assert await store.read(titles) == []
    await store.write(add_conversation)
    assert await store.read(titles) == ["a title"]
    store.close()


async def test_a_failing_statement_is_a_sentence_and_the_next_write_works(path: Path) -> None:
    store = open_store(path)
    with pytest.raises(StoreError, match="could not be used"):
        await store.write(lambda con: con.execute("INSERT INTO meta VALUES (1)"))
    await store.write(add_conversation)
    assert await store.read(titles) == ["a title"]
    store.close()


async def test_a_reader_cannot_write(path: Path) -> None:
    store = open_store(path)
    with pytest.raises(StoreError):
        await store.read(add_conversation)
    assert await store.read(titles) == []
    store.close()


async def test_a_read_sees_one_snapshot_while_a_write_commits(path: Path) -> None:
    store = open_store(path)
    looked, written = threading.Event(), threading.Event()

    def look_twice(con: Connection) -> tuple[list[str], list[str]]:
        first = titles(con)
        looked.set()
        written.wait(10)
        return first, titles(con)

    reading = asyncio.create_task(store.read(look_twice))
    await asyncio.to_thread(looked.wait, 10)
    await store.write(add_conversation)
    written.set()
    assert await reading == ([], [])
    store.close()


async def test_many_writes_and_reads_at_once_lose_nothing(path: Path) -> None:
    store = open_store(path)
    writes = [store.write(lambda con, n=n: add_conversation(con, f"title {n}")) for n in range(40)]
    reads = [store.read(titles) for _ in range(40)]
    await asyncio.gather(*writes, *reads)
    assert await store.read(titles) == [f"title {n}" for n in range(40)]
    store.close()


async def test_cancelling_a_read_stops_the_query(path: Path) -> None:
    store = open_store(path)
    started, ended = threading.Event(), threading.Event()

    def endless(con: Connection) -> None:
        started.set()
        try:
            con.execute(
                "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE (a.range ^ b.range) = 1.5"
            ).fetchall()
        finally:
            ended.set()

    task = asyncio.create_task(store.read(endless))
    await asyncio.to_thread(started.wait, 10)
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(ended.wait, 5)
    assert await store.read(titles) == []
    store.close()


async def test_a_cancelled_write_is_still_carried_out(path: Path) -> None:
    store = open_store(path)
    entered = threading.Event()

    def slow(con: Connection) -> None:
        entered.set()
        add_conversation(con)

    task = asyncio.create_task(store.write(slow))
    await asyncio.to_thread(entered.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await store.write(lambda con: add_conversation(con, "next"))
    assert await store.read(titles) == ["a title", "next"]
    store.close()


async def test_closing_finishes_writes_and_can_be_repeated(path: Path) -> None:
    store = open_store(path)
    await store.write(add_conversation)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        await store.read(titles)
    with pytest.raises(StoreError, match="closed"):
        await store.write(add_conversation)


async def test_a_long_log_is_checkpointed_between_writes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.memory.store.database._LOG_LIMIT", 50_000)
    store = open_store(path)
    for _ in range(4):
        await store.write(lambda con: add_conversation(con, "x" * 30_000))
    log = opening.log_of(path)
    assert not log.exists() or log.stat().st_size < 90_000
    assert len(await store.read(titles)) == 4
    store.close()
