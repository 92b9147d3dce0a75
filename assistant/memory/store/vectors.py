"""The vectors of a corpus: one row a vector with what can be filtered on, searched exactly while few, in two stages beyond.

Two stages: order all rows by how many sign bits differ from the question's, keep the first 300, and compare those exactly.
Only those two fifths of the bits count where the question's own components are largest: a sign near zero says little. At
100,000 rows that costs a ninth of the exact scan, and finds the exact ten nearest of real messages (README.md has the
figures). Sign bits are kept in BIGINT columns: bit_count takes them without a cast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.memory.ports import Vector, Vectors
from assistant.memory.store.corpus import Connection, Corpus, insert

EXACT_ROWS = 5_000
"""Up to here the exact scan costs no more than two stages (4 ms)."""
CANDIDATES = 300
"""Rows of the first stage that are compared exactly."""
_MASKED = 0.6
"""Share of the components, the smallest of the question's vector, whose signs are not compared."""
_BITS = 64
"""Bits of a BIGINT."""


@dataclass(frozen=True, slots=True)
class Near:
    """Compared vectors, in no order: the text's id, and the cosine to the question. A text may have several."""

    ids: NDArray[np.int64]
    similarity: NDArray[np.float64]

    def by_text(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Each text once, ids ascending, with the similarity of its best part."""
        ids, place = np.unique(self.ids, return_inverse=True)
        best = np.full(len(ids), -1.0)
        np.maximum.at(best, place, self.similarity)
        return ids, best


def create(con: Connection, corpus: Corpus, dimension: int) -> None:
    """A norm outside 0.98 to 1.02 is refused: a zero vector scores NaN, and NaN sorts first."""
    bits = ", ".join(f"{column} BIGINT NOT NULL" for column in _bit_columns(dimension))
    con.execute(
        f"CREATE TABLE {corpus.vectors} (id BIGINT NOT NULL, part INTEGER NOT NULL, conversation BIGINT NOT NULL, "
        f"said TIMESTAMP, domain VARCHAR NOT NULL, active BOOLEAN NOT NULL, length INTEGER NOT NULL, {bits}, "
        f"vector FLOAT[{dimension}] NOT NULL CHECK (array_inner_product(vector, vector) BETWEEN 0.9604 AND 1.0404))"
    )


def add(
    con: Connection, corpus: Corpus, columns: Mapping[str, NDArray[np.generic]], vectors: Vectors
) -> None:
    """Append rows: `columns` as named in `create`, `vectors` of shape (rows, dimension)."""
    rows = np.empty(len(vectors), object)
    rows[:] = list(vectors.astype(np.float32))
    bits = zip(_bit_columns(vectors.shape[1]), _packed(vectors > 0).T, strict=True)
    insert(con, corpus.vectors, {**columns, **dict(bits), "vector": rows})


def remove(con: Connection, corpus: Corpus, ids: Sequence[int]) -> list[int]:
    """Delete the vectors of these texts; returns which of them there were."""
    gone = con.execute(
        f"DELETE FROM {corpus.vectors} WHERE id IN (SELECT unnest(?::BIGINT[])) RETURNING id", [list(ids)]
    ).fetchall()
    return sorted({row[0] for row in gone})


def count(con: Connection, corpus: Corpus) -> int:
    return int(con.execute(f"SELECT count(*) FROM {corpus.vectors}").fetchall()[0][0])


def nearest(
    con: Connection,
    corpus: Corpus,
    vector: Vector,
    where: str,
    values: Sequence[object],
    *,
    rows: int,
    further: Sequence[int] = (),
) -> Near:
    """Of a corpus of so many `rows`, those that meet the condition `where`: every one while they are few.

    Otherwise the most promising ones, and those of the texts `further`.
    """
    if rows <= EXACT_ROWS:
        return compare(con, corpus, vector, where, values)
    difference, marks = _bit_difference(vector)
    promising = f"SELECT rowid FROM {corpus.vectors} WHERE {where} ORDER BY {difference} LIMIT {CANDIDATES}"
    named = f"SELECT rowid FROM {corpus.vectors} WHERE id IN (SELECT unnest(?::BIGINT[]))"
    candidates = f"({promising}) UNION ALL {named}" if further else promising
    chosen = [*values, *marks, *([list(further)] if further else [])]
    return compare(con, corpus, vector, f"rowid IN ({candidates})", chosen)


def scan(con: Connection, corpus: Corpus, vector: Vector, limit: int) -> Near:
    """The `limit` nearest by exact comparison with every vector: what two stages are measured against."""
    return compare(con, corpus, vector, f"TRUE ORDER BY similarity DESC LIMIT {limit}")


def compare(
    con: Connection, corpus: Corpus, vector: Vector, where: str, values: Sequence[object] = ()
) -> Near:
    """The exact cosine of every vector that meets the condition `where`."""
    found = con.execute(
        f"SELECT id, array_inner_product(vector, ?::FLOAT[{len(vector)}]) AS similarity "
        f"FROM {corpus.vectors} WHERE {where}",
        [vector.tolist(), *values],
    ).fetchnumpy()
    return Near(found["id"], found["similarity"].astype(np.float64))


def _bit_columns(dimension: int) -> list[str]:
    return [f"b{i}" for i in range(-(-dimension // _BITS))]


def _bit_difference(vector: Vector) -> tuple[str, list[int]]:
    """SQL for how many compared sign bits differ from the question's, and the values for its marks."""
    size = np.abs(vector)
    least = int(len(vector) * _MASKED)
    asked, compared = _packed(np.stack([vector > 0, size >= np.partition(size, least)[least]])).tolist()
    terms = [f"bit_count(xor({column}, ?) & ?)" for column in _bit_columns(len(vector))]
    # A sum of counts would be a TINYINT, which ends at 127.
    return "0::SMALLINT + " + " + ".join(terms), [
        value for pair in zip(asked, compared, strict=True) for value in pair
    ]


def _packed(bits: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Bits of shape (n, dimension) as the values of the bit columns, shape (n, columns)."""
    packed = np.zeros((len(bits), len(_bit_columns(bits.shape[1])) * _BITS // 8), np.uint8)
    packed[:, : -(-bits.shape[1] // 8)] = np.packbits(bits, axis=1)
    return packed.view(np.int64)
