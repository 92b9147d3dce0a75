"""The memory counted: what one turn drew on and left behind, and the whole of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Trace:
    """What a turn drew on and left behind, as counts."""

    facts: int = 0
    judgments: int = 0
    episodes: int = 0
    """Recalled, and in its prompt."""
    learned: int = 0
    """Facts that it added, changed or ended; what was taken back does not count."""
    noted: int = 0
    """Judgments that were read from it."""


@dataclass(frozen=True, slots=True)
class Growth:
    """How many records of a kind there are, and how many came lately, by the quarter of an hour (UTC) in which they did."""

    total: int = 0
    recent: Mapping[datetime, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Insights:
    """The memory in figures, over all of its records: current facts, and what is not archived."""

    facts: Growth
    judgments: Growth
    episodes: Growth
    plans: int = 0
    with_episodes: int = 0
    """Plans that wanted past turns."""
    marked_wrong: int = 0
    right_votes: int = 0
    wrong_votes: int = 0
    proved_right: int = 0
    """Judgments with more votes for them than against."""
    proved_wrong: int = 0
