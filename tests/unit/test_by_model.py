"""Memory decisions by a language model: used where it proved better, checked, and never silently dropped."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.commands.probe import line
from assistant.config import MemorySettings
from assistant.memory import MemoryEngine
from assistant.memory.aptitude import Aptitude, read_cases
from assistant.memory.decisions import Decisions, Matter
from assistant.memory.ports import ChatModel
from assistant.memory.records import (
    Candidate,
    Confidence,
    Decider,
    Episode,
    Fact,
    FactKind,
    Operation,
)
from assistant.memory.routing import Neighbour
from assistant.models.embedding import FastEmbedder
from tests.stubs.server import StubServer, page, stream, text

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)


@pytest.fixture
def decisions(embedder: FastEmbedder, model: ChatModel) -> Decisions:
    made = Decisions(embedder, MemorySettings(plan_with_model=True), model)
    made.trust = dict.fromkeys(Matter, 2.0)  # above any certainty: always asked
    return made


def turn(user: str, assistant: str = "Noted.") -> Episode:
    return Episode(1, 1, None, user, assistant, NOW)


def near(*statements: str) -> list[Neighbour]:
    return [
        Neighbour(Fact(n, n, "", text, "", FactKind.SEMANTIC, Confidence.STATED, None, NOW, NOW), 0.6)
        for n, text in enumerate(statements, 1)
    ]


def replies(server: StubServer, *values: object) -> None:
    server.will(*[text(json.dumps(value)) for value in values])


MOVED = Candidate(
    "User lives in Portobello", "home_city", "Portobello", clause="we live in Portobello these days"
)


async def test_the_models_route_is_used_with_its_reason(decisions: Decisions, server: StubServer) -> None:
    replies(server, {"reason": "the home changed", "operation": "UPDATE", "target": "f2"})
    (route,) = await decisions.route(MOVED, near("User has two cats", "User lives in Leith"))
    assert (route.operation, route.target) == (Operation.UPDATE, 2)
    assert (route.decision.decider, route.decision.reason) == (Decider.MODEL, "the home changed")
    schema = server.chats[0].body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["target"]["enum"] == ["f1", "f2", "none"]


@pytest.mark.parametrize(
    "reply",
    [
        {"reason": "?", "operation": "UPDATE", "target": "f9"},
        {"reason": "?", "operation": "UPDATE", "target": "none"},
        {"reason": "?", "operation": "REPLACE", "target": "f1"},
        {"reason": "not said to be over", "operation": "DELETE", "target": "f2"},
        {},
        [],
        "I'm sorry, I can't help with that.",
    ],
)
async def test_a_route_that_cannot_be_right_falls_back_to_the_device_and_is_told(
    decisions: Decisions, server: StubServer, reply: object
) -> None:
    replies(server, reply)
    routes = await decisions.route(MOVED, near("User has two cats", "User lives in Leith"))
    assert all(route.decision.decider is not Decider.MODEL for route in routes)
    assert all(route.decision.fallback.startswith("Decided on the device:") for route in routes)
    assert all(route.operation is not Operation.DELETE for route in routes)


async def test_a_server_error_falls_back_and_is_told(decisions: Decisions, server: StubServer) -> None:
    server.will(page("boom", status=500), page("boom", status=500), page("boom", status=500))
    found = await decisions.extract(turn("I live in Leith."))
    assert [candidate.value for candidate in found.candidates] == ["Leith"]
    assert found.decision.fallback


async def test_a_reply_that_breaks_off_falls_back(decisions: Decisions, server: StubServer) -> None:
    server.will(text('{"facts": [{"statement": "User lives', finish="length"))
    found = await decisions.extract(turn("I live in Leith."))
    assert found.decision.decider is not Decider.MODEL
    assert found.decision.fallback


async def test_what_does_not_stand_in_the_users_words_is_refused(
    decisions: Decisions, server: StubServer
) -> None:
    facts = [
        {
            "statement": "User lives in Leith",
            "key": "Home City",
            "value": "Leith",
            "standing_instruction": False,
        },
        {
            "statement": "User drives a van for a florist",
            "key": "job",
            "value": "florist in Ghent",
            "standing_instruction": False,
        },
    ]
    replies(server, {"facts": facts})
    found = await decisions.extract(turn("I live in Leith."))
    assert [(fact.statement, fact.key) for fact in found.candidates] == [("User lives in Leith", "home_city")]
    assert "not in the user's words" in found.decision.reason


async def test_a_secret_is_masked_before_the_model_reads_it_and_before_it_is_kept(
    decisions: Decisions, server: StubServer
) -> None:
    replies(server, {"facts": []})
    found = await decisions.extract(turn("my password is Tr0ub4dor&3x and I live in Leith"))
    assert "Tr0ub4dor" not in json.dumps(server.chats[0].body)
    assert found.masked


async def test_the_few_shot_prefix_is_the_same_for_every_turn(
    decisions: Decisions, server: StubServer
) -> None:
    replies(server, {"facts": []}, {"facts": []})
    await decisions.extract(turn("I live in Leith."))
    await decisions.extract(turn("I have two cats."))
    first, second = (chat.body["messages"][:-1] for chat in server.chats)
    assert first == second


async def test_a_matter_in_which_the_model_is_not_trusted_is_not_put_to_it(
    decisions: Decisions, server: StubServer
) -> None:
    decisions.trust = {}
    await decisions.extract(turn("I live in Leith."))
    await decisions.route(MOVED, near("User lives in Leith"))
    await decisions.reflect(turn("the grout cracks", "Use silicone there, because two planes move."))
    assert not server.chats


async def test_where_the_device_is_surer_than_the_model_is_likely_to_be_right_it_is_not_asked(
    decisions: Decisions, server: StubServer, embedder: FastEmbedder
) -> None:
    question = "Should I take the flat we looked at?"
    vector = embedder.embed([question])[0]
    sure = (await decisions.asking(None).plan(question, vector))[1].confidence
    decisions.trust = {Matter.PLANNING: sure - 0.01}
    assert (await decisions.plan(question, vector))[1].decider is Decider.ON_DEVICE
    assert not server.chats
    replies(server, {"reason": "known", "needs_transcript": False})
    decisions.trust = {Matter.PLANNING: 1.0}
    decided = (await decisions.plan(question, vector))[1]
    assert (decided.decider, decided.confidence) == (Decider.MODEL, 1.0)


async def test_a_clear_case_is_settled_without_asking(decisions: Decisions, server: StubServer) -> None:
    again = Candidate("User lives in Leith", "home_city", "Leith", clause="I live in Leith")
    (route,) = await decisions.route(again, near("User lives in Leith"))
    assert (route.operation, route.decision.decider) == (Operation.NOOP, Decider.RULE)
    assert not server.chats


def _right(case: dict[str, object]) -> str:
    return json.dumps({"reason": "known", "needs_transcript": case["needs_episodes"]})


async def test_a_model_that_beats_the_device_is_trusted_and_stays_so_after_a_restart(
    tmp_path: Path,
    embedder: FastEmbedder,
    model: ChatModel,
    server: StubServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hard: list[dict[str, object]] = [
        {"matter": "planning", "question": "what is a stochastic matrix", "needs_episodes": True},
        {"matter": "planning", "question": "how do I boil rice", "needs_episodes": True},
    ]
    monkeypatch.setattr("assistant.memory.engine.read_cases", lambda: {Matter.PLANNING: hard})
    server.will(*[text(_right(case)) for case in hard])
    async with await MemoryEngine.open(tmp_path / "memory.duckdb", embedder, model=model) as memory:
        (score,) = await memory.probe()
        assert (score.on_device, score.model, score.trusted) == (0, 2, True)
        assert memory.decisions.trust == {Matter.PLANNING: pytest.approx(0.49, abs=0.01)}
    async with await MemoryEngine.open(tmp_path / "memory.duckdb", embedder, model=model) as memory:
        assert set(memory.decisions.trust) == {Matter.PLANNING}
        await memory.connect(None)
        assert not memory.decisions.trust


async def test_a_hopeless_model_is_asked_only_until_it_cannot_win(
    tmp_path: Path, embedder: FastEmbedder, model: ChatModel, server: StubServer
) -> None:
    server.will(*[stream(b"data: [DONE]\n\n") for _ in range(60)])
    async with await MemoryEngine.open(tmp_path / "memory.duckdb", embedder, model=model) as memory:
        scores = await memory.probe()
    assert not any(score.trusted for score in scores)
    assert all(score.asked < score.n for score in scores)


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (Aptitude(Matter.PLANNING, 13, 14, 14, 14), "model 14/14: the model decides where the device is less than 87% sure"),
        (Aptitude(Matter.ROUTING, 9, 1, 4, 12), "model 1/12 (of the first 4; then it could not win any more): decided on the device"),
        (Aptitude(Matter.EXTRACTION, 12, 0, 0, 12), "device 12/12: decided on the device, no model can do better"),
    ],
)  # fmt: skip
def test_a_score_says_in_words_who_decides(score: Aptitude, said: str) -> None:
    assert line(score).endswith(said)


def test_the_built_in_cases_cover_every_matter() -> None:
    cases: dict[Matter, Sequence[object]] = dict(read_cases())
    assert {matter: len(found) >= 10 for matter, found in cases.items()} == dict.fromkeys(Matter, True)
