from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from assistant.errors import (
    FileError,
    MemoryInputError,
    StoreError,
    StoreLockedError,
)
from assistant.memory.store import backup, opening
from tests.unit.stores import add_conversation, flip_a_bit, mode, open_store, titles


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
