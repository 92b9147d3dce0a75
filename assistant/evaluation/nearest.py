"""The vector search beside the exact scan, a numpy matrix, and other libraries, over the same vectors in one process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from statistics import fmean, median
from time import process_time

import numpy as np

from assistant.evaluation import rivals
from assistant.evaluation.material import Material
from assistant.memory.ports import Vector, Vectors
from assistant.memory.store import vectors
from assistant.memory.store.corpus import Corpus
from assistant.memory.store.database import Connection

_ROUNDS = 30
_NEAREST = 10


def compared(con: Connection, material: Material, made: Vectors, rivals_in: Path | None) -> dict[str, float]:
    """CPU milliseconds (all threads, median) of each, and how many of the exact ten nearest it finds. Row n holds `made[n - 1]`.

    Ours and the exact scan take turns. The others come after them: numpy's threads go on for a while when a product is done.
    """
    ours: dict[str, rivals.Search] = {
        "ours": partial(_ours, con, len(made)),
        "exact": lambda vector, limit: (vectors.scan(con, Corpus.EPISODES, vector, limit).ids - 1).tolist(),
    }
    others: dict[str, rivals.Search] = {
        "numpy": lambda vector, limit: np.argpartition(-(made @ vector), limit)[:limit].tolist()
    }
    if rivals_in is not None:
        others |= dict(rivals.installed(made, rivals_in))
    asked = material.asked[:_ROUNDS]
    found = {**_take_turns(ours, asked), **_take_turns(others, asked)}
    times = {name: median(seconds) * 1000 for name, (seconds, _) in found.items()}
    best = found["exact"][1]
    return {
        **{f"vectors, {name}: ms": round(value, 2) for name, value in times.items()},
        "ours / exact": round(times["ours"] / times["exact"], 3),
        "ours / numpy": round(times["ours"] / times["numpy"], 3),
        **{
            f"recall@10, {name}": round(_shared(best, rows), 4)
            for name, (_, rows) in found.items()
            if name not in ("exact", "numpy")
        },
    }


def _ours(con: Connection, rows: int, vector: Vector, limit: int) -> list[int]:
    """As recall does it, which knows the number of rows."""
    ids, cosine = vectors.nearest(con, Corpus.EPISODES, vector, "active", (), rows=rows).by_text()
    return [int(id_) - 1 for id_ in ids[np.argsort(-cosine)[:limit]]]


def _take_turns(
    methods: Mapping[str, rivals.Search], asked: Vectors
) -> dict[str, tuple[list[float], list[list[int]]]]:
    """For each method the CPU seconds and the rows found, question by question."""
    found: dict[str, tuple[list[float], list[list[int]]]] = {name: ([], []) for name in methods}
    for vector in asked:
        for name, method in methods.items():
            started = process_time()
            rows = method(vector, _NEAREST)
            found[name][0].append(process_time() - started)
            found[name][1].append(rows)
    return found


def _shared(best: list[list[int]], found: list[list[int]]) -> float:
    pairs = zip(best, found, strict=True)
    return fmean(len(set(right).intersection(rows)) / _NEAREST for right, rows in pairs)
