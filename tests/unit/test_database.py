from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import duckdb
import pytest

from assistant.errors import (
    EmbedderMismatchError,
    FileError,
    MemoryInputError,
    StoreDamagedError,
    StoreError,
    StoreLockedError,
)
from assistant.memory.store import backup, opening, schema
from assistant.memory.store.database import Connection, Database

EMBEDDER = {"embedder": "test", "embedder_hash": "0" * 64, "dimension": 4}


def open_store(path: Path, **changes: object) -> Database:
    return Database.open(path, **{**EMBEDDER, **changes})  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "memory.duckdb"


def add_conversation(con: Connection, title: str = "a title") -> None:
    con.execute(
        "INSERT INTO conversations (title, created, updated) VALUES (?, now()::TIMESTAMP, now()::TIMESTAMP)",
        [title],
    )


def titles(con: Connection) -> list[str]:
    return [title for (title,) in con.execute("SELECT title FROM conversations ORDER BY id").fetchall()]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


ADD_TITLE = (
    "INSERT INTO conversations (title, created, updated) VALUES (?, now()::TIMESTAMP, now()::TIMESTAMP)"
)
ADD_TURN = (
    "INSERT INTO episodes (conversation, user_text, said, state) VALUES (1, ?, now()::TIMESTAMP, 'open')"
)


def write_turns_and_crash(path: Path, turns: int) -> None:
    write_and_crash(path, turns, sql=ADD_TURN)


def write_and_crash(path: Path, rows: int, sql: str = ADD_TITLE) -> None:
    """A child process commits `rows` conversations and dies in the middle of another transaction, without closing."""
    program = f"""
        import asyncio, os, signal
        from pathlib import Path
        from assistant.memory.store.database import Database
        async def main():
            store = Database.open(Path({str(path)!r}), embedder="test", embedder_hash="0" * 64, dimension=4)
            sql = {sql!r}
            for number in range({rows}):
                await store.write(lambda con: con.execute(sql, [f"title {{number}}"]).fetchall())
            def die(con):
                con.execute(sql, ["never committed"])
                os.kill(os.getpid(), signal.SIGKILL)
            await store.write(die)
        asyncio.run(main())
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


# Opening --------------------------------------------------------------------------------------------------------------


def test_a_new_store_is_private_to_the_user(path: Path) -> None:
    store = open_store(path)
    assert mode(path) == 0o600
    assert mode(path.parent) == 0o700
    store.close()


async def test_the_log_is_private_after_the_first_commit(path: Path) -> None:
    store = open_store(path)
    await store.write(add_conversation)
    assert mode(opening.log_of(path)) == 0o600
    store.close()


def test_a_folder_that_was_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    open_store(tmp_path / "memory.duckdb").close()
    assert mode(tmp_path) == 0o755


async def test_what_was_written_is_there_after_closing_and_opening_again(path: Path) -> None:
    store = open_store(path)
    await store.write(add_conversation)
    store.close()
    store = open_store(path)
    assert await store.read(titles) == ["a title"]
    assert store.notices == []
    store.close()


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    store = open_store(path)
    assert mode(path) == 0o600
    store.close()


def test_making_a_store_leaves_nothing_else_behind(path: Path) -> None:
    open_store(path).close()
    assert list(path.parent.iterdir()) == [path]


def make_text(path: Path) -> None:
    path.write_text("Dear diary, " * 1000)


def make_short(path: Path) -> None:
    path.write_text("hm")


def make_sqlite(path: Path) -> None:
    with sqlite3.connect(path) as con:
        con.execute("CREATE TABLE notes (text)")
    con.close()


def make_other_duckdb(path: Path) -> None:
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE sales (amount INTEGER)")


@pytest.mark.parametrize("make", [make_text, make_short, make_sqlite, make_other_duckdb])
def test_a_file_that_is_something_else_is_refused_and_left_untouched(tmp_path: Path, make) -> None:
    path = tmp_path / "other.db"
    make(path)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not a memory file"):
        open_store(path)
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_made_is_told_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="cannot be made"):
        open_store(tmp_path / "data" / "memory.duckdb")


def test_a_read_only_folder_is_told_at_the_start(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_store(path).close()
    path.parent.chmod(0o500)
    monkeypatch.setattr(os, "access", lambda *_: False)  # the tests may run as root, who may write anywhere
    with pytest.raises(StoreError, match="read-only"):
        open_store(path)
    path.parent.chmod(0o700)


def test_a_second_process_is_told_who_holds_the_store(path: Path) -> None:
    store = open_store(path)
    program = f"""
        from pathlib import Path
        from assistant.errors import StoreLockedError
        from assistant.memory.store.database import Database
        try:
            Database.open(Path({str(path)!r}), embedder="test", embedder_hash="0" * 64, dimension=4)
        except StoreLockedError as problem:
            print(problem.pid, problem.exit_code)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], check=True, capture_output=True, text=True
    )
    assert done.stdout.split() == [str(os.getpid()), "3"]
    store.close()


# Crashes and damage ---------------------------------------------------------------------------------------------------


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


def flip_a_bit(path: Path, position: int) -> None:
    content = bytearray(path.read_bytes())
    content[position] ^= 1
    path.write_bytes(content)


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


# Transactions and threads ---------------------------------------------------------------------------------------------


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


# What the file holds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [{"embedder": "other"}, {"embedder_hash": "1" * 64}, {"dimension": 8}])
def test_vectors_of_another_embedder_are_refused_and_replaced_on_request(
    path: Path, other: dict[str, object]
) -> None:
    open_store(path).close()
    with pytest.raises(EmbedderMismatchError, match="test"):
        open_store(path, **other)
    open_store(path).close()
    open_store(path, **other, reembed=True).close()
    open_store(path, **other).close()


def test_a_store_of_a_newer_version_is_refused(path: Path) -> None:
    open_store(path).close()
    with opening.connect(path) as con:
        con.execute("UPDATE meta SET schema_version = 999")
    with pytest.raises(StoreError, match="newer version"):
        open_store(path)


def test_migrations_run_once_in_the_order_of_their_numbers(path: Path, tmp_path: Path) -> None:
    open_store(path).close()
    scripts = tmp_path / "migrations"
    scripts.mkdir()
    (scripts / "0003_fill.sql").write_text("UPDATE conversations SET mood = 'calm'")
    (scripts / "0002_mood.sql").write_text("ALTER TABLE conversations ADD COLUMN mood VARCHAR DEFAULT ''")
    identity = schema.EmbedderIdentity("test", "0" * 64, 4)
    for _ in range(2):
        con, _notices = opening.open_file(
            path, lambda con: schema.prepare(con, path, identity, migrations=scripts)
        )
        assert con.execute("SELECT schema_version FROM meta").fetchall() == [(3,)]
        con.execute("SELECT mood FROM conversations").fetchall()
        con.close()


def test_a_failing_migration_leaves_the_store_as_it_was(path: Path, tmp_path: Path) -> None:
    open_store(path).close()
    (tmp_path / "0002_bad.sql").write_text(
        "ALTER TABLE conversations ADD COLUMN mood VARCHAR; SELECT nonsense"
    )
    identity = schema.EmbedderIdentity("test", "0" * 64, 4)
    with pytest.raises(StoreError):
        opening.open_file(path, lambda con: schema.prepare(con, path, identity, migrations=tmp_path))
    with opening.connect(path) as con:
        assert con.execute("SELECT schema_version FROM meta").fetchall() == [(1,)]
        assert "mood" not in [row[0] for row in con.execute("DESCRIBE conversations").fetchall()]


# Backups --------------------------------------------------------------------------------------------------------------


async def test_a_backup_made_in_use_restores_everything_and_goes_on_counting(
    path: Path, tmp_path: Path
) -> None:
    target = tmp_path / "else where" / "it's a backup.duckdb"
    store = open_store(path)
    await store.write(lambda con: add_conversation(con, "saved"))
    await store.backup(target)
    await store.write(lambda con: add_conversation(con, "after the backup"))
    store.close()

    kept = backup.restore(target, path)

    assert mode(target) == mode(path) == 0o600
    store = open_store(path)
    assert await store.read(titles) == ["saved"]
    await store.write(lambda con: add_conversation(con, "new"))
    assert await store.read(titles) == ["saved", "new"]
    store.close()
    assert kept is not None
    with opening.connect(kept) as con:
        assert titles(con) == ["saved", "after the backup"]


async def test_a_second_backup_replaces_the_first_and_leaves_nothing_else(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "saved" / "memory.duckdb"
    store = open_store(path)
    await store.backup(target)
    await store.write(add_conversation)
    await store.backup(target)
    store.close()
    assert list(target.parent.iterdir()) == [target]
    with opening.connect(target) as con:
        assert titles(con) == ["a title"]


async def test_a_backup_replaces_nothing_but_an_earlier_backup(path: Path, tmp_path: Path) -> None:
    store = open_store(path)
    notes, other = tmp_path / "notes.md", tmp_path / "other.duckdb"
    notes.write_text("my notes")
    duckdb.connect(str(other)).close()
    for target in (notes, other, path):
        before = target.read_bytes()
        with pytest.raises(MemoryInputError, match="no earlier backup"):
            await store.backup(target)
        assert target.read_bytes() == before
    with pytest.raises(FileError, match="cannot be written"):
        await store.backup(notes / "memory.duckdb")
    store.close()


async def test_a_damaged_store_can_be_replaced_by_its_backup(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "saved.duckdb"
    store = open_store(path)
    await store.write(add_conversation)
    await store.backup(target)
    store.close()
    flip_a_bit(path, 13_000)
    backup.restore(target, path)
    store = open_store(path)
    assert await store.read(titles) == ["a title"]
    store.close()


def test_what_is_no_backup_is_refused_before_anything_is_touched(path: Path, tmp_path: Path) -> None:
    open_store(path).close()
    other = tmp_path / "notes.duckdb"
    other.write_text("notes" * 1000)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="cannot be restored"):
        backup.restore(other, path)
    with pytest.raises(FileError, match="no backup"):
        backup.restore(tmp_path / "nothing.duckdb", path)
    assert path.read_bytes() == before


def test_a_store_in_use_elsewhere_is_not_replaced(path: Path, tmp_path: Path) -> None:
    open_store(path).close()
    saved = tmp_path / "saved.duckdb"
    saved.write_bytes(path.read_bytes())
    program = (
        f"import duckdb, time; con = duckdb.connect({str(path)!r}); print('open', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        with pytest.raises(StoreLockedError) as caught:
            backup.restore(saved, path)
        assert caught.value.pid == holder.pid
    finally:
        holder.kill()
        holder.communicate()


def test_records_are_imported_without_duckdb() -> None:
    program = "import assistant.memory.records, sys; assert 'duckdb' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)
