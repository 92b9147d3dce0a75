"""How an embedder's cosines are read: every model has its own idea of "unlike".

Unrelated texts of MiniLM have a cosine of 0.06, give or take 0.07; other models put them at 0.7 and little spread. The mean
and spread of unrelated pairs, measured by memory/calibration.py, map any model onto MiniLM's scale, in which all weights
and thresholds are stated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.memory.store.corpus import Connection

TABLE = "search_scale"


@dataclass(frozen=True, slots=True)
class Scale:
    """Mean and standard deviation of the cosine of unrelated texts."""

    mean: float
    spread: float

    def similarity(self, cosine: NDArray[np.float64]) -> NDArray[np.float64]:
        """The cosine that MiniLM would give to texts as much alike; 1 at most."""
        return np.minimum(MINILM.mean + (cosine - self.mean) * (MINILM.spread / self.spread), 1.0)


MINILM = Scale(0.056, 0.069)
"""Of the model that ships with the program, as memory/calibration.py measures it."""
_MINILM_HASH = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"


def create(con: Connection) -> None:
    con.execute(f"CREATE TABLE {TABLE} (mean DOUBLE NOT NULL, spread DOUBLE NOT NULL CHECK (spread > 0))")


def read(con: Connection) -> Scale:
    """The scale of the store's embedder: MiniLM's until another is measured."""
    found = con.execute(f"SELECT mean, spread FROM {TABLE}").fetchall()
    return Scale(*found[0]) if found else MINILM


def write(con: Connection, scale: Scale) -> None:
    con.execute(f"DELETE FROM {TABLE}")
    con.execute(f"INSERT INTO {TABLE} VALUES (?, ?)", [scale.mean, scale.spread])


def is_known(con: Connection, embedder_hash: str) -> bool:
    """Whether the scale was measured, or needs no measuring."""
    return embedder_hash == _MINILM_HASH or bool(con.execute(f"SELECT 1 FROM {TABLE}").fetchall())
