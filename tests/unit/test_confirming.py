from __future__ import annotations

from pathlib import Path

from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import Embedder
from assistant.memory.records import Confidence


async def test_a_yes_to_the_assistants_question_is_learned_from_the_turn_before(
    tmp_path: Path, embedder: Embedder
) -> None:
    async with await MemoryEngine.open(tmp_path / "memory.duckdb", embedder) as engine:
        conversation = await engine.conversations.create()
        await engine.record("any bakery tips?", "Plenty. So you live in Graz?", conversation=conversation.id)
        answer = await engine.record("yes", "Then try the one by the river.", conversation=conversation.id)
        await engine.learn(answer.id)
        facts = await engine.facts.list()
    assert [(fact.statement, fact.confidence) for fact in facts] == [
        ("User lives in Graz", Confidence.CONFIRMED)
    ]
