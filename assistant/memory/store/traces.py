"""What turns drew on and left behind, counted for many turns at once."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from assistant.memory.figures import Trace
from assistant.memory.store import rows

_COUNTED = """
WITH turns AS (SELECT unnest(?::BIGINT[]) AS episode),
counted AS (
    SELECT episode, CASE subject WHEN 'fact' THEN 'facts' WHEN 'judgment' THEN 'judgments' ELSE 'episodes' END AS name
    FROM recalled WHERE fits
    UNION ALL
    SELECT episode, CASE action WHEN 'judgment.add' THEN 'noted' ELSE 'learned' END
    FROM journal
    WHERE action IN ('fact.add', 'fact.update', 'fact.end', 'judgment.add') AND decider <> 'user' AND undone_by IS NULL
)
SELECT episode, name, count(*)::INTEGER AS count FROM counted SEMI JOIN turns USING (episode) GROUP BY ALL
"""


def of_episodes(con: duckdb.DuckDBPyConnection, episodes: Sequence[int]) -> dict[int, Trace]:
    """By turn; those that neither recalled nor taught anything are left out."""
    counts: dict[int, dict[str, int]] = {}
    for row in rows.select(con, _COUNTED, [list(episodes)]):
        counts.setdefault(row["episode"], {})[row["name"]] = row["count"]
    return {episode: Trace(**each) for episode, each in counts.items()}
