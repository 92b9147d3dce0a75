"""The suites planning, routing and conversations: what they count, from a handful of cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.config import Settings
from assistant.evaluation import conversations, planning, routing
from assistant.evaluation.runner import Context, default_cases
from assistant.evaluation.tables import confusion, read_cases
from assistant.paths import Folders, shipped


@pytest.fixture
def context(tmp_path: Path, embedder, folders: Folders):
    def made(*cases: dict[str, object]) -> Context:
        file = tmp_path / "cases.jsonl"
        file.write_text("\n".join(json.dumps(case) for case in cases) + "\n\n", encoding="utf-8")
        return Context(file, embedder, "on-device", tmp_path, Settings(), folders)

    return made


async def test_planning_counts_each_kind_of_mistake(context) -> None:
    report = await planning.run(
        context(
            {"id": "p-1", "question": "what did you suggest for my roof last week?", "needs_episodes": True},
            {"id": "p-2", "question": "how do I boil rice", "needs_episodes": False},
            {"id": "p-3", "question": "how do I fry an egg", "needs_episodes": True},
        )
    )
    assert (report["n"], report["false_facts_only"], report["false_episodes"]) == (3, 1, 0)
    assert report["accuracy"] == pytest.approx(2 / 3)
    assert report["failures"] == [{"id": "p-3", "expected": True, "got": False}]
    assert report["confusion"]["facts + episodes"] == {"facts + episodes": 1, "facts only": 1}


async def test_routing_wants_operation_and_target(context) -> None:
    stored = [
        {"id": "fact_1", "text": "The firm has 40 employees"},
        {"id": "fact_2", "text": "User owns a kayak"},
    ]
    report = await routing.run(
        context(
            {
                "id": "r-1",
                "existing": stored,
                "candidate": "we're 64 employees now",
                "operation": "UPDATE",
                "target": "fact_1",
            },
            {
                "id": "r-2",
                "existing": stored,
                "candidate": "sold the kayak, no more paddling",
                "operation": "DELETE",
                "target": "fact_1",
            },
        )
    )
    assert (report["n"], report["accuracy"], report["wrong_deletes"]) == (2, 0.5, 0.5)
    assert report["by_operation"] == {"DELETE": 0.0, "UPDATE": 1.0}
    assert report["failures"] == [{"id": "r-2", "expected": "DELETE fact_1", "got": "DELETE fact_2"}]


def test_confusion_has_a_row_and_a_column_for_each_label() -> None:
    assert confusion([("a", "b"), ("a", "b"), ("c", "c")]) == {
        "a": {"a": 0, "b": 2, "c": 0},
        "b": {"a": 0, "b": 0, "c": 0},
        "c": {"a": 0, "b": 0, "c": 1},
    }


def test_cases_are_read_past_empty_lines(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text('{"id": "a"}\n\n{"id": "b"}\n', encoding="utf-8")
    assert [case["id"] for case in read_cases(file)] == ["a", "b"]


@pytest.mark.parametrize("suite", ["planning", "routing", "extraction"])
def test_a_suite_reads_cases_that_no_head_was_trained_on(suite: str) -> None:
    def texts(file: Path) -> set[str]:
        return {
            str(case.get("question") or case.get("candidate") or case["user"]).lower()
            for case in read_cases(file)
        }

    held_out = default_cases(suite)
    assert held_out.parent.name == "held-out"
    assert not texts(held_out) & texts(shipped("data", "cases", f"{suite}.jsonl"))


async def test_conversations_name_each_check_that_fails(context) -> None:
    turns = [
        {"user": "I live in Oban.", "assistant": "Noted."},
        {"user": "My cat is Mog.", "assistant": "Noted."},
    ]
    report = await conversations.run(
        context(
            {
                "id": "c-1",
                "turns": turns,
                "current": [{"any_of": ["oban"]}, {"any_of": ["wick"]}],
                "stale": ["oban"],
                "absent": ["dog"],
                "max_facts": 1,
            }
        )
    )
    assert (report["n"], report["passed"]) == (1, 0)
    assert report["checks_right"] == pytest.approx(1 - 3 / 5)
    assert report["failed_by_check"] == {"current": 1, "stale": 1, "absent": 0, "max_facts": 1}
