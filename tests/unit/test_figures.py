"""What README says of the decisions on the device holds on cases that no head was trained on, with a margin for noise."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from assistant.config import Settings
from assistant.evaluation.runner import Context, default_cases
from assistant.memory.ports import Embedder
from assistant.paths import Folders


@pytest.mark.parametrize(
    ("suite", "at_least", "at_most"),
    [
        ("planning", {"accuracy": 0.92}, {"false_facts_only": 12}),
        ("extraction", {"f1": 0.86, "empty_turns_right": 0.94}, {"never_leaks": 0}),
        ("routing", {"accuracy": 0.82}, {"wrong_deletes": 0.02}),
        ("reflection", {"gate_accuracy": 0.93, "judgment_hits": 0.86, "trigger_hits": 0.9}, {}),
        ("conversations", {"passed": 5, "checks_right": 0.82}, {}),
    ],
)
async def test_the_figures_of_a_suite_hold(
    suite: str,
    at_least: dict[str, float],
    at_most: dict[str, float],
    tmp_path: Path,
    embedder: Embedder,
    folders: Folders,
) -> None:
    context = Context(default_cases(suite), embedder, "on-device", tmp_path, Settings(), folders)
    figures = await import_module(f"assistant.evaluation.{suite}").run(context)
    assert {name: figures[name] for name, limit in at_least.items() if figures[name] < limit} == {}
    assert {name: figures[name] for name, limit in at_most.items() if figures[name] > limit} == {}
