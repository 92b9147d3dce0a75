"""What can be searched: three corpora, the tables behind each, and how rows are put into them in bulk."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import duckdb

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
    con: Connection, table: str, batch: Mapping[str, Any], select: Mapping[str, str] | None = None
) -> None:
    """Append a batch of numpy columns of equal length: ten times cheaper than a list of rows.

    `select` says how each column of the table is made from the batch; without it the names are the same. There is no
    clean-up on failure: a failed statement aborts the transaction, and the temporary view goes with it.
    """
    columns = select or {name: name for name in batch}
    con.register("batch", dict(batch))
    con.execute(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(columns.values())} FROM batch")
    con.unregister("batch")
