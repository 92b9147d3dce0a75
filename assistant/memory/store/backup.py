"""Copies of the store: made while it is in use, put back while it is closed."""

from __future__ import annotations

import shutil
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import duckdb

from assistant.errors import FileError, MemoryInputError, StoreError, StoreLockedError
from assistant.memory.store import faults, opening

_ATTACHED = "backup_target"


def default_target(path: Path, now: datetime) -> Path:
    """Where a backup of the store at `path` goes unless the user names a place: `backups/memory-20260131-120000.duckdb`."""
    return faults.backups_folder(path) / f"{path.stem}-{now:%Y%m%d-%H%M%S}{path.suffix}"


def copy_to(con: duckdb.DuckDBPyConnection, target: Path) -> None:
    """A compact copy of everything committed, at `target`, mode 0600, in the place of an earlier backup but of nothing else.

    Raises MemoryInputError or FileError for a target that cannot be used, duckdb.Error when copying failed.
    """
    target = target.expanduser().absolute()
    if target.exists() and not _holds_memory(target):
        raise MemoryInputError(
            f"{target} is there already and is no earlier backup; it was left untouched.",
            hint="Name another file.",
        )
    _write(con, target)


def fresh_copy(con: duckdb.DuckDBPyConnection, path: Path) -> Path | None:
    """A compact copy beside the store at `path`, ready to take its place; None when there is no room for one."""
    fresh = path.with_name(path.name + ".fresh")
    try:
        _write(con, fresh)
    except (FileError, duckdb.Error):
        return None
    return fresh


def restore(backup: Path, path: Path) -> Path | None:
    """Put `backup` in the place of the store at `path`, which must be closed. The present file is kept; its new name is returned.

    Raises FileError where there is no backup, StoreError when it cannot be read, StoreLockedError when the store is in use.
    """
    _need_readable(backup)
    kept = _set_aside(path) if path.exists() else None
    fresh = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copyfile(backup, fresh)
        fresh.chmod(0o600)
        fresh.replace(path)
    except OSError as problem:
        raise StoreError(f"The memory file {path} cannot be written: {problem.strerror}.") from problem
    return kept


def _write(con: duckdb.DuckDBPyConnection, target: Path) -> None:
    """The copy takes its place only when it is whole. Raises FileError, duckdb.Error."""
    fresh = target.with_name(target.name + ".new")
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _discard(fresh)
        _copy_database(con, fresh)
        fresh.chmod(0o600)
        fresh.replace(target)
    except OSError as problem:
        raise FileError.of(problem, target) from problem
    finally:
        with suppress(OSError):
            _discard(fresh)


def _copy_database(con: duckdb.DuckDBPyConnection, target: Path) -> None:
    (own,) = con.execute("SELECT current_database()").fetchall()[0]
    quoted = str(target).replace("'", "''")
    con.execute(f"ATTACH '{quoted}' AS {_ATTACHED} (STORAGE_VERSION 'v1.5.0')")
    try:
        con.execute(f'COPY FROM DATABASE "{own.replace(chr(34), chr(34) * 2)}" TO {_ATTACHED}')
    finally:
        con.execute(f"DETACH {_ATTACHED}")


def _need_readable(backup: Path) -> None:
    if not backup.is_file():
        raise FileError(f"There is no backup at {backup}.")
    if not _holds_memory(backup):
        raise StoreError(
            f"{backup} cannot be restored: it is damaged or not a backup of Assistant's memory.",
            hint="Try an older backup.",
        )


def _holds_memory(file: Path) -> bool:
    """Whether `file` is a memory that can be read, and that is not open now."""
    try:
        if not opening.is_store(file):
            return False
        con = opening.connect(file, read_only=True)
        try:
            con.execute("SELECT schema_version FROM meta").fetchall()
        finally:
            con.close()
    except (OSError, duckdb.Error):
        return False
    return True


def _set_aside(path: Path) -> Path:
    """Rename the store and its log. Raises StoreLockedError when someone has it open."""
    _need_unlocked(path)
    kept = opening.free_name(path, "replaced")
    path.rename(kept)
    with suppress(FileNotFoundError):
        opening.log_of(path).rename(opening.log_of(kept))
    return kept


def _need_unlocked(path: Path) -> None:
    try:
        opening.connect(path).close()
    except duckdb.Error as problem:
        told = faults.sentence(problem, path)
        if isinstance(told, StoreLockedError):
            raise told from problem  # any other fault is why it is being replaced


def _discard(file: Path) -> None:
    for each in (file, opening.log_of(file)):
        each.unlink(missing_ok=True)
