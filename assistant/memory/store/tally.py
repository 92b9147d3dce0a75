"""A count kept beside the file while it is open: some damage to the log makes DuckDB drop the rest of it without a word.

The count (turns and journal entries, as committed last) is compared when a log was replayed, that is after a crash.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import duckdb


def place(path: Path) -> Path:
    return path.with_name(path.name + ".count")


def keep(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Note the present count. A missing note only means that nothing can be compared, so a failure is not raised."""
    with suppress(OSError, duckdb.Error):
        handle = os.open(place(path), os.O_WRONLY | os.O_CREAT, 0o600)
        with os.fdopen(handle, "wb", buffering=0) as file:
            # Of one width and written over: emptying the file first costs 0.1 ms.
            file.write(b"%020d" % _count(con))


def lost(con: duckdb.DuckDBPyConnection, path: Path) -> int:
    """How many turns and journal entries that were committed are not there any more; 0 when nothing was noted."""
    try:
        noted = int(place(path).read_text("ascii"))
    except (OSError, ValueError):
        return 0
    return max(0, noted - _count(con))


def drop(path: Path) -> None:
    """Closed in order, the file needs no count."""
    with suppress(OSError):
        place(path).unlink(missing_ok=True)


def _count(con: duckdb.DuckDBPyConnection) -> int:
    found = con.execute("SELECT (SELECT count(*) FROM journal) + (SELECT count(*) FROM episodes)").fetchall()
    return int(found[0][0])
