"""The vectors of a corpus: one row a vector, with what can be filtered on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.memory.ports import Vector, Vectors
from assistant.memory.store.corpus import Connection, Corpus, insert

_BITS = 64


@dataclass(frozen=True, slots=True)
class Near:
    """Vectors by falling similarity: id of the text, which of its parts, cosine."""

    ids: NDArray[np.int64]
    parts: NDArray[np.int64]
    similarity: NDArray[np.float64]


def create(con: Connection, corpus: Corpus, dimension: int) -> None:
    """A norm outside 0.98 to 1.02 is refused: a zero vector scores NaN, and NaN sorts first."""
    signs = ", ".join(f"b{i} UBIGINT NOT NULL" for i in range(_columns(dimension)))
    con.execute(
        f"CREATE TABLE {corpus.vectors} (id BIGINT NOT NULL, part INTEGER NOT NULL, conversation BIGINT NOT NULL, "
        f"said TIMESTAMP, domain VARCHAR NOT NULL, active BOOLEAN NOT NULL, {signs}, "
        f"vector FLOAT[{dimension}] NOT NULL CHECK (array_inner_product(vector, vector) BETWEEN 0.9604 AND 1.0404))"
    )


def _columns(dimension: int) -> int:
    return -(-dimension // _BITS)


def signs(vectors: Vectors) -> NDArray[np.uint64]:
    """The sign of each component as one bit, shape (n, dimension / 64 rounded up)."""
    bits = np.packbits(vectors > 0, axis=1)
    padded = np.zeros((len(vectors), _columns(vectors.shape[1]) * 8), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return padded.view(np.uint64)


def add(con: Connection, corpus: Corpus, columns: dict[str, NDArray[np.generic]], vectors: Vectors) -> None:
    rows = np.empty(len(vectors), object)
    rows[:] = list(vectors.astype(np.float32))
    bits = signs(vectors)
    insert(
        con, corpus.vectors, columns | {f"b{i}": bits[:, i] for i in range(bits.shape[1])} | {"vector": rows}
    )


def nearest(
    con: Connection,
    corpus: Corpus,
    vector: Vector,
    *,
    filters: str = "",
    values: Sequence[object] = (),
    limit: int,
) -> Near:
    found = con.execute(
        f"SELECT id, part, array_inner_product(vector, ?::FLOAT[{len(vector)}]) AS similarity FROM {corpus.vectors} "
        f"WHERE TRUE {filters} ORDER BY similarity DESC LIMIT {limit}",
        [vector, *values],
    ).fetchnumpy()
    return Near(found["id"], found["part"], found["similarity"].astype(np.float64))
