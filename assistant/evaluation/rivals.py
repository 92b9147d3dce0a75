"""Vector stores that people would take instead, each behind the same two calls. Those that are not installed are left out."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from assistant.memory.ports import Vector, Vectors

Search = Callable[[Vector, int], list[int]]
"""Row numbers of the nearest vectors, best first."""

_BATCH = 5_000


def installed(vectors: Vectors, folder: Path) -> Iterator[tuple[str, Search]]:
    """The search of every library that can be imported, filled with `vectors`, in files under `folder`."""
    for name, make in (("sqlite-vec", _sqlite_vec), ("lancedb", _lancedb), ("chromadb", _chromadb)):
        with suppress(
            ImportError, AttributeError
        ):  # the latter: a Python built without loadable SQLite extensions
            yield name, make(vectors, folder / f"{name}-{len(vectors)}")


def _sqlite_vec(vectors: Vectors, path: Path) -> Search:
    sqlite_vec = import_module("sqlite_vec")
    con = sqlite3.connect(path)
    con.enable_load_extension(True)
    sqlite_vec.load(con)
    con.execute(f"CREATE VIRTUAL TABLE v USING vec0(vector float[{vectors.shape[1]}] distance_metric=cosine)")
    con.executemany(
        "INSERT INTO v (rowid, vector) VALUES (?, ?)", ((i, v.tobytes()) for i, v in enumerate(vectors))
    )
    con.commit()
    query = "SELECT rowid FROM v WHERE vector MATCH ? AND k = ? ORDER BY distance"
    return lambda vector, limit: [row for (row,) in con.execute(query, (vector.tobytes(), limit))]


def _lancedb(vectors: Vectors, path: Path) -> Search:
    lancedb = import_module("lancedb")
    rows = ({"id": i, "vector": vector} for i, vector in enumerate(vectors))
    table = lancedb.connect(str(path)).create_table("v", data=list(rows))
    return lambda vector, limit: [
        row["id"]
        for row in table.search(vector)
        .distance_type("cosine")
        .limit(limit)
        .select(["id", "_distance"])
        .to_list()
    ]


def _chromadb(vectors: Vectors, path: Path) -> Search:
    chromadb = import_module("chromadb")
    client = chromadb.PersistentClient(str(path), chromadb.Settings(anonymized_telemetry=False))
    table = client.create_collection("turns", metadata={"hnsw:space": "cosine"}, embedding_function=None)
    for start in range(0, len(vectors), _BATCH):
        batch = vectors[start : start + _BATCH]
        table.add(ids=[str(start + i) for i in range(len(batch))], embeddings=batch)
    return lambda vector, limit: [
        int(id_) for id_ in table.query(query_embeddings=vector[None], n_results=limit, include=[])["ids"][0]
    ]
