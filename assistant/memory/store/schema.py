"""The shape of the store: making it, bringing an older one up to date, and the meta row that says what it holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from assistant.errors import EmbedderMismatchError
from assistant.memory.store import faults, search

SCHEMA = Path(__file__).with_name("schema.sql")
MIGRATIONS = Path(__file__).with_name("migrations")


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Which embedder made a store's vectors: name, sha256 of its weights, length of a vector."""

    name: str
    file_hash: str
    dimension: int


def newest_version(migrations: Path = MIGRATIONS) -> int:
    """The version that schema.sql describes: 1, or the number of the newest migration."""
    return max(_steps(migrations), default=1)


def prepare(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    embedder: EmbedderIdentity,
    *,
    reembed: bool = False,
    migrations: Path = MIGRATIONS,
) -> None:
    """Make the schema in an empty store, or migrate an older one; then compare the embedder. In the caller's transaction.

    `reembed` drops the vectors of another embedder instead of refusing; what has no vectors is indexed again later, so an
    interruption costs nothing. Raises StoreError for a foreign or newer file, EmbedderMismatchError without `reembed`.
    """
    tables = {name for (name,) in con.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    if not tables:
        _create(con, embedder, newest_version(migrations))
    elif "meta" not in tables or "journal" not in tables:
        raise faults.foreign(path)
    _migrate(con, path, migrations)
    _check_embedder(con, embedder, reembed=reembed)


def _create(con: duckdb.DuckDBPyConnection, embedder: EmbedderIdentity, version: int) -> None:
    con.execute(SCHEMA.read_text("utf-8"))
    search.create(con, embedder.dimension)
    con.execute(
        "INSERT INTO meta (schema_version, embedder, embedder_hash, dimension, created) VALUES (?, ?, ?, ?, ?)",
        [
            version,
            embedder.name,
            embedder.file_hash,
            embedder.dimension,
            datetime.now(UTC).replace(tzinfo=None),
        ],
    )


def _migrate(con: duckdb.DuckDBPyConnection, path: Path, migrations: Path) -> None:
    (version,) = con.execute("SELECT schema_version FROM meta").fetchall()[0]
    if version > newest_version(migrations):
        raise faults.newer(path)
    for number, script in sorted(_steps(migrations).items()):
        if number > version:
            con.execute(script.read_text("utf-8"))
            con.execute("UPDATE meta SET schema_version = ?", [number])


def _steps(migrations: Path) -> dict[int, Path]:
    """`0002_name.sql` brings version 1 to version 2."""
    return {int(script.name.split("_")[0]): script for script in migrations.glob("[0-9]*_*.sql")}


def _check_embedder(con: duckdb.DuckDBPyConnection, embedder: EmbedderIdentity, *, reembed: bool) -> None:
    row = con.execute("SELECT embedder, embedder_hash, dimension FROM meta").fetchall()[0]
    held = EmbedderIdentity(*row)
    if held == embedder:
        return
    if not reembed:
        raise EmbedderMismatchError(
            f"The memory was indexed with the embedding model {held.name} ({held.dimension} dimensions); "
            f"{embedder.name} ({embedder.dimension} dimensions) is in use now"
            + (", from another file." if held.name == embedder.name else "."),
            hint="Set memory.embedding back, or index the memory again with `assistant memory reindex`.",
        )
    search.drop(con)
    search.create(con, embedder.dimension)
    con.execute(
        "UPDATE meta SET embedder = ?, embedder_hash = ?, dimension = ?",
        [embedder.name, embedder.file_hash, embedder.dimension],
    )
