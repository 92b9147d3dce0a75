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


def create(con: Connection) -> None:
    con.execute(f"CREATE TABLE {TABLE} (mean DOUBLE NOT NULL, spread DOUBLE NOT NULL CHECK (spread > 0))")
    con.execute(f"INSERT INTO {TABLE} VALUES (?, ?)", [MINILM.mean, MINILM.spread])


def read(con: Connection) -> Scale:
    return Scale(*con.execute(f"SELECT mean, spread FROM {TABLE}").fetchall()[0])


def write(con: Connection, scale: Scale) -> None:
    con.execute(f"UPDATE {TABLE} SET mean = ?, spread = ?", [scale.mean, scale.spread])
