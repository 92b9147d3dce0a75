"""What can be searched: three corpora, the tables behind each, and how rows are put into them in bulk."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

_FEW = 64
"""Rows up to which binding values costs less than, or as little as, scanning arrays."""

Connection = duckdb.DuckDBPyConnection


class Corpus(StrEnum):
    EPISODES = "episode"
    FACTS = "fact"
    """Ids are those of fact versions: ended versions stay searchable."""
    JUDGMENTS = "judgment"

    @property
    def vectors(self) -> str:
        """Table with a row for each vector: what is filtered and compared by meaning."""
        return f"{self.value}_vectors"

    @property
    def words(self) -> str:
        """Table with a row for each word of a text."""
        return f"{self.value}_words"

    @property
    def source(self) -> tuple[str, str, str]:
        """The table that holds the texts, its key, and which of its rows are to be found."""
        return {
            Corpus.EPISODES: ("episodes", "id", "state != 'open'"),
            Corpus.FACTS: ("facts", "version", "TRUE"),
            Corpus.JUDGMENTS: ("judgments", "id", "TRUE"),
        }[self]


def insert(
    con: Connection, table: str, batch: Mapping[str, NDArray[Any]], select: Mapping[str, str] | None = None
) -> None:
    """Append rows given as columns of equal length. `select` says how each column of the table is made from those of the batch.

    A few rows are bound as values (1.5 ms for a turn with its words); many are scanned where they lie, which has a price to
    start with and then costs a tenth. There is no clean-up on failure: a failed statement aborts the transaction, and the
    temporary view goes with it.
    """
    columns = select or {name: name for name in batch}
    into = f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(columns.values())} FROM"
    rows = len(next(iter(batch.values())))
    if rows <= _FEW:
        mark = "?" if rows == 1 else "unnest(?)"
        values = ", ".join(f"{mark} AS {name}" for name in batch)
        plain = [_plain(column) for column in batch.values()]
        con.execute(f"{into} (SELECT {values})", [column[0] for column in plain] if rows == 1 else plain)
    else:
        con.register("batch", dict(batch))
        con.execute(f"{into} batch")
        con.unregister("batch")


def _plain(column: NDArray[Any]) -> list[Any]:
    return [value.tolist() if isinstance(value, np.ndarray) else value for value in column.tolist()]
