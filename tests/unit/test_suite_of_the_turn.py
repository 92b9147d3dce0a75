"""The suite turn runs whole turns and tells what their decisions cost; how fast anything is, it alone measures."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.config import Settings
from assistant.evaluation import turn
from assistant.evaluation.runner import SUITES, Context, default_cases
from assistant.paths import Folders


async def test_every_decision_of_a_turn_is_counted_beside_the_known_facts(
    tmp_path: Path, embedder, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "FACTS", 5)
    monkeypatch.setattr(turn, "TURNS", 4)
    assert "turn" in SUITES
    report = await turn.run(
        Context(default_cases("turn"), embedder, "on-device", tmp_path, Settings(), folders)
    )
    assert (report["n"], report["facts"]) == (4, 5)
    assert set(report["by_decision_ms"]) == {"planning", "extraction", "routing", "reflection"}
    assert 0 < report["decisions_ms"] <= report["decisions_ms_p90"]
    assert report["with_searches_and_writes_ms"] > 0
