from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import duckdb
import pytest

from assistant.errors import (
    EmbedderMismatchError,
    StoreError,
)
from assistant.memory.store import opening, schema
from tests.unit.stores import add_conversation, mode, open_store, titles


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


def test_records_are_imported_without_duckdb() -> None:
    program = "import assistant.memory.records, sys; assert 'duckdb' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)
