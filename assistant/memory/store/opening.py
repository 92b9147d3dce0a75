"""Getting hold of the file: new or old, private to the user, in a pinned format, and with what can be saved after a crash."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path

import duckdb

from assistant.errors import StoreError
from assistant.memory.store import faults, tally

CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "storage_compatibility_version": "v1.5.0",
    # Handing parts of a statement to further threads costs a tenth of the CPU of a turn and saves no time that is noticed.
    "threads": 1,
    "memory_limit": "1GB",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    # Checkpoints are made between transactions (database.py), so that one that fails is never taken for a failed commit.
    "checkpoint_threshold": "1TB",
}

_MAGIC = b"DUCK"
_MAGIC_OFFSET = 8


def connect(path: Path, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """A connection with the pinned configuration. Raises duckdb.Error as it comes."""
    return duckdb.connect(str(path), read_only=read_only, config=CONFIG)


def log_of(path: Path) -> Path:
    """DuckDB's write-ahead log beside the file."""
    return path.with_name(path.name + ".wal")


def open_file(
    path: Path, prepare: Callable[[duckdb.DuckDBPyConnection], None]
) -> tuple[duckdb.DuckDBPyConnection, list[str]]:
    """Open the store at `path`, made with `prepare` where there is none yet, and what the user should be told about it.

    `prepare` runs in a transaction on every open (schema, migrations, checks). Raises StoreError and its kinds.
    """
    _need_folder(path.parent)
    try:
        if not path.exists() or path.stat().st_size == 0:
            _make(path, prepare)
        _need_store(path)
        replayed = log_of(path).exists()
        con, notices = _connect_past_damage(path)
    except OSError as problem:
        raise faults.unwritable(path) from problem
    except duckdb.Error as problem:
        raise faults.sentence(problem, path) from problem
    try:
        _run(con, prepare)
        if replayed:
            notices += _missing(con, path)
    except BaseException as problem:
        con.close()
        if isinstance(problem, duckdb.Error):
            raise faults.sentence(problem, path) from problem
        raise
    keep_private(path)
    return con, notices


def keep_private(path: Path) -> None:
    """Mode 0600 for the file and its log (which DuckDB makes anew after each checkpoint)."""
    for file in (path, log_of(path)):
        with suppress(OSError):  # not there, or owned by someone else who let us in
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)


def _need_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise StoreError(
            f"The folder {folder} for the memory cannot be made: {problem.strerror}.",
            hint="Name another place with memory.store in the settings.",
        ) from problem
    if not os.access(folder, os.W_OK | os.X_OK):
        raise faults.unwritable(folder)


def _make(path: Path, prepare: Callable[[duckdb.DuckDBPyConnection], None]) -> None:
    """A new store appears whole and private: it is made in a folder of its own and then linked to its place.

    Linking refuses to replace a file that another process put there meanwhile; that one is then used.
    """
    with suppress(FileNotFoundError):
        if path.stat().st_size == 0:
            path.unlink()
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}-") as place:
        fresh = Path(place) / path.name
        con = connect(fresh)
        try:
            _run(con, prepare)
        finally:
            con.close()
        fresh.chmod(0o600)
        with suppress(FileExistsError):
            os.link(fresh, path)


def _run(con: duckdb.DuckDBPyConnection, work: Callable[[duckdb.DuckDBPyConnection], None]) -> None:
    con.begin()
    try:
        work(con)
    except BaseException:
        con.rollback()
        raise
    con.commit()


def is_store(path: Path) -> bool:
    """Whether there is a file of DuckDB's at `path`. Raises OSError."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(_MAGIC_OFFSET + len(_MAGIC))[_MAGIC_OFFSET:] == _MAGIC


def _need_store(path: Path) -> None:
    """Look at the file before DuckDB does: it would try to fetch an extension for some formats."""
    if not is_store(path):
        raise faults.foreign(path)
    if not os.access(path, os.W_OK):
        raise faults.unwritable(path)


def _connect_past_damage(path: Path) -> tuple[duckdb.DuckDBPyConnection, list[str]]:
    try:
        return connect(path), []
    except duckdb.Error as problem:
        if not faults.log_is_damaged(problem):
            raise
    kept = _keep_aside(path)
    log_of(path).unlink()
    tally.drop(path)  # what is missing is told here, and not again
    return connect(path), [
        _told("The memory's log was damaged, so the newest changes could not be read", path, kept)
    ]


def _missing(con: duckdb.DuckDBPyConnection, path: Path) -> list[str]:
    """After a crash: look whether all that was committed is there. The log is copied before a first write cuts it off."""
    lost = tally.lost(con, path)
    tally.drop(path)
    if not lost:
        return []
    kept = _keep_aside(path)
    return [_told(f"A part of the memory's log was damaged: {lost} turns or changes are missing", path, kept)]


def _told(what: str, path: Path, kept: Path) -> str:
    return (
        f"{what}; everything before them is here. "
        f"The file and its damaged log were kept as {kept.name} and {log_of(kept).name} in {path.parent}."
    )


def _keep_aside(path: Path) -> Path:
    """A copy of the file with its log beside it, under a name that is free."""
    kept = free_name(path, "damaged")
    shutil.copy2(path, kept)
    shutil.copy2(log_of(path), log_of(kept))
    keep_private(kept)
    return kept


def free_name(path: Path, why: str) -> Path:
    """A name beside `path` that nothing has yet: `memory.duckdb.damaged-20260131-120000`."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    names = (
        path.with_name(f"{path.name}.{why}-{stamp}{tail}")
        for tail in chain([""], (f"-{n}" for n in count(2)))
    )
    return next(name for name in names if not name.exists() and not log_of(name).exists())
