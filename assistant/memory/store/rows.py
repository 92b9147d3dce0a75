"""Whole rows as dictionaries: the few statements that journal, forgetting and the tables share."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import duckdb

Row = dict[str, Any]
Key = tuple[Any, ...]

KEYS: Mapping[str, tuple[str, ...]] = {
    "conversations": ("id",),
    "episodes": ("id",),
    "facts": ("version",),
    "judgments": ("id",),
    "votes": ("judgment", "ballot"),
    "plans": ("id",),
    "recalled": ("episode", "subject", "item"),
    "journal": ("id",),
}
"""The tables whose rows change, with the columns of their primary keys."""


def to_store(moment: datetime) -> datetime:
    """UTC without a zone, as the store keeps times. A naive `moment` is refused: its zone would be a guess."""
    if moment.tzinfo is None:
        raise ValueError("times in the memory carry a zone")
    return moment.astimezone(UTC).replace(tzinfo=None)


def from_store(moment: datetime) -> datetime:
    """A stored time as an aware one in UTC."""
    return moment.replace(tzinfo=UTC)


def maybe_from_store(moment: datetime | None) -> datetime | None:
    return None if moment is None else from_store(moment)


def select(
    con: duckdb.DuckDBPyConnection, sql: str, values: Sequence[Any] | dict[str, Any] = ()
) -> list[Row]:
    """The rows of a query, column by name. `values` stand for `?` in order, or for `$name` by name."""
    done = con.execute(sql, values if isinstance(values, dict) else list(values))
    names = [column[0] for column in done.description or ()]
    return [dict(zip(names, row, strict=True)) for row in done.fetchall()]


def get(con: duckdb.DuckDBPyConnection, table: str, key: Key) -> Row | None:
    """The row with that primary key, or None."""
    found = select(con, f"SELECT * FROM {table} WHERE {_matching(table)}", key)
    return found[0] if found else None


def insert(con: duckdb.DuckDBPyConnection, table: str, row: Mapping[str, Any]) -> Row:
    """Insert and return the whole row, with what the table filled in."""
    marks = ", ".join("?" * len(row))
    return select(
        con, f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks}) RETURNING *", list(row.values())
    )[0]


def update(con: duckdb.DuckDBPyConnection, table: str, key: Key, values: Mapping[str, Any]) -> None:
    """Set columns of the row with that primary key."""
    if values:
        columns = ", ".join(f"{column} = ?" for column in values)
        con.execute(f"UPDATE {table} SET {columns} WHERE {_matching(table)}", [*values.values(), *key])


def delete(con: duckdb.DuckDBPyConnection, table: str, key: Key) -> None:
    con.execute(f"DELETE FROM {table} WHERE {_matching(table)}", list(key))


def key_of(table: str, row: Mapping[str, Any]) -> Key:
    return tuple(row[column] for column in KEYS[table])


def next_id(con: duckdb.DuckDBPyConnection, sequence: str) -> int:
    return int(con.execute(f"SELECT nextval('{sequence}')").fetchall()[0][0])


def plain(row: Mapping[str, Any]) -> Row:
    """The row as JSON holds it: times as ISO text. DuckDB reads them back into TIMESTAMP columns."""
    return {
        column: value.isoformat() if isinstance(value, datetime) else value for column, value in row.items()
    }


def to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _matching(table: str) -> str:
    return " AND ".join(f"{column} = ?" for column in KEYS[table])
