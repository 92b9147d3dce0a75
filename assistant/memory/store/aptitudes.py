"""What a probe found of each language model."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from assistant.memory.store.database import Connection


def save(
    con: Connection, model: str, scores: Iterable[tuple[str, int, int, int, int]], now: datetime
) -> None:
    """Replace what is known of `model`; a score is (matter, on-device right, model right, asked, n)."""
    con.execute("DELETE FROM aptitudes WHERE model = ?", [model])
    probed = now.replace(tzinfo=None)
    rows = [[model, *score, probed] for score in scores]
    con.executemany("INSERT INTO aptitudes VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def read(con: Connection, model: str) -> list[tuple[str, int, int, int, int]]:
    """The scores of `model`, as `save` took them; empty when it was never probed."""
    query = "SELECT matter, on_device, model_right, asked, n FROM aptitudes WHERE model = ? ORDER BY matter"
    return con.execute(query, [model]).fetchall()
