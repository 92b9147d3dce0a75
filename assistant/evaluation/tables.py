"""What suites share: reading labelled cases, and confusion tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.memory.records import Episode

_SAID = datetime(2026, 5, 14, 10, tzinfo=UTC)


def read_cases(file: Path) -> list[dict[str, Any]]:
    """The labelled cases of a JSON Lines file, in file order; empty lines are skipped."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def exchange(case: Mapping[str, Any]) -> Episode:
    """The turn of a case, as the deciders read it."""
    return Episode(1, 1, None, case["user"], case["assistant"], _SAID)


def confusion(pairs: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Counts by expected (outer) and got (inner); every label that occurs has a row and a column."""
    counted = Counter(pairs)
    labels = sorted({label for pair in counted for label in pair})
    return {expected: {got: counted[expected, got] for got in labels} for expected in labels}


def missed(figures: Mapping[str, Any], limits: Mapping[str, float]) -> list[dict[str, Any]]:
    """The figures above their limits, in the form of failures."""
    return [
        {"id": name, "expected": f"<= {limit:g}", "got": figures[name]}
        for name, limit in limits.items()
        if figures[name] > limit
    ]
