"""The memory in figures, counted in the store over all of its records."""

from __future__ import annotations

from datetime import datetime

import duckdb

from assistant.memory.figures import Growth, Insights
from assistant.memory.store import rows

_FACTS = "SELECT learned FROM facts WHERE valid_to IS NULL"
_JUDGMENTS = "SELECT created FROM judgments WHERE NOT archived"
_EPISODES = "SELECT said FROM episodes WHERE NOT archived"
_PLANS = """
SELECT count(*)::INTEGER AS plans, coalesce(sum(needs_episodes::INTEGER), 0)::INTEGER AS with_episodes,
    coalesce(sum(marked_wrong::INTEGER), 0)::INTEGER AS marked_wrong FROM plans
"""
_JUDGED = """
WITH tally AS (
    SELECT judgment, count(*) FILTER (verdict = 'adopted') AS right_votes, count(*) FILTER (verdict = 'corrected') AS wrong_votes
    FROM votes SEMI JOIN (SELECT id FROM judgments WHERE NOT archived) AS kept ON votes.judgment = kept.id GROUP BY judgment
)
SELECT coalesce(sum(right_votes), 0)::INTEGER AS right_votes, coalesce(sum(wrong_votes), 0)::INTEGER AS wrong_votes,
    count(*) FILTER (right_votes > wrong_votes)::INTEGER AS proved_right,
    count(*) FILTER (wrong_votes > right_votes)::INTEGER AS proved_wrong FROM tally
"""


def read(con: duckdb.DuckDBPyConnection, *, since: datetime) -> Insights:
    """All counts; `since` is where the newest ones by the quarter of an hour begin."""
    return Insights(
        _growth(con, _FACTS, since),
        _growth(con, _JUDGMENTS, since),
        _growth(con, _EPISODES, since),
        **rows.select(con, _PLANS)[0],
        **rows.select(con, _JUDGED)[0],
    )


def _growth(con: duckdb.DuckDBPyConnection, times: str, since: datetime) -> Growth:
    """`times` is a query of one column of times."""
    (total,) = con.execute(f"SELECT count(*) FROM ({times})").fetchall()[0]
    recent = con.execute(
        f"SELECT time_bucket(INTERVAL 15 MINUTE, moment) AS quarter, count(*) FROM ({times}) AS all_times(moment)"
        " WHERE moment >= ? GROUP BY quarter",
        [rows.to_store(since)],
    ).fetchall()
    return Growth(total, {rows.from_store(quarter): count for quarter, count in recent})
