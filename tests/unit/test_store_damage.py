from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import duckdb
import pytest

from assistant.errors import (
    StoreDamagedError,
)
from assistant.memory.store import opening
from assistant.memory.store.database import Connection
from tests.unit.stores import (
    ADD_TITLE,
    add_conversation,
    flip_a_bit,
    mode,
    open_store,
    titles,
    write_and_crash,
    write_turns_and_crash,
)


async def test_a_killed_writer_loses_no_committed_row_and_keeps_no_half_one(path: Path) -> None:
    write_and_crash(path, rows=20)
    store = open_store(path)
    assert await store.read(titles) == [f"title {number}" for number in range(20)]
    assert store.notices == []
    store.close()


async def test_a_damaged_log_is_set_aside_with_a_notice_and_the_rest_is_kept(path: Path) -> None:
    store = open_store(path)
    await store.write(lambda con: add_conversation(con, "before"))
    store.close()
    write_and_crash(path, rows=20)
    log = opening.log_of(path)
    damaged = bytearray(log.read_bytes())
    damaged[damaged.index(b"title 7")] ^= 1
    log.write_bytes(damaged)

    store = open_store(path)

    assert await store.read(titles) == ["before"]
    assert "damaged" in store.notices[0]
    (kept,) = path.parent.glob("memory.duckdb.damaged-*[0-9]")
    assert opening.log_of(kept).read_bytes() == damaged
    assert mode(kept) == mode(opening.log_of(kept)) == 0o600
    store.close()


async def test_a_log_that_ends_early_without_a_word_from_duckdb_is_noticed(path: Path) -> None:
    write_turns_and_crash(path, turns=20)
    log = opening.log_of(path)
    whole = log.read_bytes()
    log.write_bytes(whole[: len(whole) // 2])
    store = open_store(path)
    left = await store.read(lambda con: con.execute("SELECT count(*) FROM episodes").fetchall()[0][0])
    assert 0 < left < 20
    assert f"{20 - left} turns or changes are missing" in store.notices[0]
    store.close()
    again = open_store(path)
    assert again.notices == []
    again.close()


async def test_what_is_committed_after_a_torn_log_survives_the_next_crash(path: Path) -> None:
    write_and_crash(path, rows=3)
    log = opening.log_of(path)
    log.write_bytes(log.read_bytes()[:-10])
    write_and_crash(path, rows=3)
    store = open_store(path)
    assert (await store.read(titles))[-3:] == ["title 0", "title 1", "title 2"]
    assert store.notices == []
    store.close()


async def test_a_torn_log_tail_opens_without_the_torn_transaction(path: Path) -> None:
    write_and_crash(path, rows=20)
    log = opening.log_of(path)
    log.write_bytes(log.read_bytes()[:-10])
    store = open_store(path)
    found = await store.read(titles)
    assert found == [f"title {number}" for number in range(len(found))]
    assert len(found) >= 18
    store.close()


async def test_a_damaged_file_is_told_with_the_newest_backup(path: Path) -> None:
    store = open_store(path)
    saved = path.parent / "backups" / "memory-20260101-000000.duckdb"
    await store.backup(saved)
    store.close()
    flip_a_bit(path, 13_000)
    with pytest.raises(StoreDamagedError, match=re.escape(str(saved))):
        open_store(path)


def test_a_full_disk_is_a_sentence_and_works_again_when_freed(path: Path) -> None:
    program = f"""
        import asyncio, resource
        from pathlib import Path
        from assistant.errors import StoreError
        from assistant.memory.store.database import Database
        async def main():
            store = Database.open(Path({str(path)!r}), embedder="test", embedder_hash="0" * 64, dimension=4)
            sql = "INSERT INTO conversations (title, created, updated) VALUES (?, now()::TIMESTAMP, now()::TIMESTAMP)"
            add = lambda title: store.write(lambda con: con.execute(sql, [title]).fetchall())
            await add("before")
            _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, most))
            try:
                await add("x" * 100_000)
            except StoreError as problem:
                print(problem.message)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            await add("after")
            print(await store.read(lambda con: con.execute("SELECT title FROM conversations ORDER BY id").fetchall()))
            store.close()
        asyncio.run(main())
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], check=False, capture_output=True, text=True
    )
    assert "The disk is full" in done.stdout, done.stderr
    assert "[('before',), ('after',)]" in done.stdout, done.stderr


def test_a_full_disk_at_a_checkpoint_reopens_the_store_and_nothing_committed_is_lost(path: Path) -> None:
    program = f"""
        import asyncio, random, resource
        from pathlib import Path
        from assistant.memory.store.database import Database
        async def main():
            store = Database.open(Path({str(path)!r}), embedder="test", embedder_hash="0" * 64, dimension=4)
            noise = lambda: "".join(random.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=100_000))
            add = lambda title: store.write(lambda con: con.execute({ADD_TITLE!r}, [title]).fetchall())
            count = lambda: store.read(lambda con: con.execute("SELECT count(*) FROM conversations").fetchall()[0][0])
            for _ in range(10):
                await add(noise())
            _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_300_000, most))
            await store.purge()
            print("opened again", store._generation, "holds", await count())
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            await add("after")
            store.close()
        asyncio.run(main())
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], check=False, capture_output=True, text=True
    )
    assert done.stdout == "opened again 1 holds 10\n", done.stderr
    store = open_store(path)
    with store._cursor() as con:
        assert titles(con)[10:] == ["after"]
    store.close()


async def test_a_reader_gets_its_answer_after_the_store_closed_itself(path: Path) -> None:
    store = open_store(path)
    await store.write(add_conversation)
    calls = []

    def fail_at_first(con: Connection) -> list[str]:
        calls.append(con)
        if len(calls) == 1:
            raise duckdb.FatalException("FATAL Error: database has been invalidated")
        return titles(con)

    assert await store.read(fail_at_first) == ["a title"]
    store.close()
