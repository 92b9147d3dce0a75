"""DuckDB's errors as sentences for the user. Everything the store raises goes through here."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb

from assistant.errors import StoreDamagedError, StoreError, StoreLockedError

_PID = re.compile(r"PID (\d+)")
_LOG_DAMAGED = re.compile(r"replaying WAL|Corrupt WAL", re.IGNORECASE)
_LOCKED = "Could not set lock"
_DAMAGED = re.compile(r"Corrupt database file|checksum|Could not read enough bytes|Failed to load metadata")
_FULL = re.compile(r"No space left|Disk quota exceeded|File too large", re.IGNORECASE)
_UNWRITABLE = re.compile(r"Permission denied|Read-only file system|read-only mode", re.IGNORECASE)
_FOREIGN = re.compile(r"not a valid DuckDB database file|Is a directory|sqlite_scanner")
_NEWER = re.compile(r"database file with version number|storage version", re.IGNORECASE)

_FREE_SPACE = "Free some space and try again; what was saved before is intact."


def log_is_damaged(problem: duckdb.Error) -> bool:
    """Whether opening failed because the write-ahead log, not the file itself, cannot be read."""
    return bool(_LOG_DAMAGED.search(str(problem)))


def backups_folder(path: Path) -> Path:
    """Where backups of the store at `path` are kept unless the user names another place."""
    return path.parent / "backups"


def newest_backup(path: Path) -> Path | None:
    """The newest backup of the store at `path`, if there is one."""
    found = backups_folder(path).glob(f"{path.stem}*{path.suffix}")
    return max(found, key=lambda file: file.stat().st_mtime, default=None)


def sentence(problem: duckdb.Error, path: Path) -> StoreError:
    """What went wrong with the store at `path`, for a person."""
    told = str(problem)
    if _LOCKED in told:
        return _locked(told, path)
    if _DAMAGED.search(told) or log_is_damaged(problem):
        return _damaged(path)
    if _FULL.search(told):
        return StoreError(f"The disk is full: the change could not be saved in {path}.", hint=_FREE_SPACE)
    if _UNWRITABLE.search(told):
        return unwritable(path)
    if _FOREIGN.search(told):
        return foreign(path)
    if _NEWER.search(told):
        return newer(path)
    if isinstance(problem, duckdb.InterruptException):
        return StoreError("The search in the memory was stopped.")
    return StoreError(f"The memory file {path} could not be used: {told.splitlines()[0].strip()}")


def foreign(path: Path) -> StoreError:
    return StoreError(
        f"{path} is not a memory file of Assistant; it was left untouched.",
        hint="Name another file or move it away.",
    )


def newer(path: Path) -> StoreError:
    return StoreError(
        f"The memory file {path} was written by a newer version of Assistant; it was left untouched.",
        hint="Update Assistant to open it.",
    )


def unwritable(path: Path) -> StoreError:
    return StoreError(
        f"The memory file {path} cannot be written: the folder or the file is read-only.",
        hint="Change its permissions, or name another place with memory.store in the settings.",
    )


def _locked(told: str, path: Path) -> StoreLockedError:
    match = _PID.search(told)
    holder = f"process {match[1]}" if match else "another process"
    return StoreLockedError(
        f"The memory file {path} is in use by {holder}.",
        pid=int(match[1]) if match else None,
        hint="Close the other Assistant first.",
    )


def _damaged(path: Path) -> StoreDamagedError:
    backup = newest_backup(path)
    hint = (
        f"Restore the newest backup with `assistant memory restore {backup}`."
        if backup
        else f"There is no backup in {backups_folder(path)}; keep the file, parts of it may be saved by hand."
    )
    return StoreDamagedError(f"The memory file {path} is damaged and cannot be read.", hint=hint)
