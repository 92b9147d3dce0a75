"""What one turn's decisions cost: CPU of planning, extraction, routing and reflection beside a store of known facts.

The turn runs through the engine as in the chat. CPU of the whole process is counted, so threads save nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from statistics import median, quantiles
from time import process_time
from typing import TYPE_CHECKING, Any, TypeVar

from assistant.evaluation.tables import missed, read_cases
from assistant.memory.decisions import Decisions, Matter
from assistant.memory.engine import MemoryEngine
from assistant.memory.extraction import Extraction
from assistant.memory.planning import PlanFeedback
from assistant.memory.ports import Vector
from assistant.memory.records import Candidate, Decision, Episode, Route
from assistant.memory.reflection import Reflection
from assistant.memory.routing import Neighbour
from assistant.paths import shipped

if TYPE_CHECKING:
    from assistant.evaluation.runner import Context

FACTS = 1000
TURNS = 100
LIMITS = {"decisions_ms": 40.0}
Made = TypeVar("Made")


async def run(context: Context) -> dict[str, Any]:
    """Milliseconds of CPU a turn: its decisions (median, 90th percentile, median of each), and all of planning, learning and reflecting with searches and writes."""
    file = context.cases if context.cases.is_file() else shipped("data", "cases", "extraction.jsonl")
    turns = read_cases(file)[:TURNS]
    async with await MemoryEngine.open(
        context.tmp / "turn.duckdb", context.embedder, settings=context.settings.memory
    ) as memory:
        for statement in _statements():
            await memory.facts.add(statement)
        known = len(await memory.facts.list(limit=FACTS + 1))
        memory.decisions = counted = _Counted(memory.core.embedder, context.settings.memory)
        measured = [await _turn(memory, counted, case) for case in turns]
    sums = [sum(costs.values()) for costs, _ in measured]
    found = {
        "n": len(turns),
        "facts": known,
        "decisions_ms": round(median(sums), 1),
        "decisions_ms_p90": round(quantiles(sums, n=10)[-1], 1),
        "by_decision_ms": {
            matter.value: round(median(costs[matter] for costs, _ in measured), 1) for matter in Matter
        },
        "with_searches_and_writes_ms": round(median(whole for _, whole in measured), 1),
    }
    return found | {"failures": missed(found, LIMITS)}


def _statements() -> list[str]:
    """Different facts about users: those of the cases that extraction learns from, in the user's words where no others are given."""
    cases = read_cases(shipped("data", "cases", "extraction.jsonl"))
    told = (fact.get("statement") or case["user"] for case in cases for fact in case["facts"])
    return list(dict.fromkeys(told))[:FACTS]


async def _turn(
    memory: MemoryEngine, counted: _Counted, case: dict[str, Any]
) -> tuple[dict[Matter, float], float]:
    """CPU of each decision of one turn, and of all the engine did for them, in milliseconds."""
    episode = await memory.record(case["user"], case["assistant"])
    counted.costs = dict.fromkeys(Matter, 0.0)
    started = process_time()
    await memory.plan(episode.user)
    await memory.learn(episode.id)
    await memory.reflect(episode.id)
    return counted.costs, _since(started)


class _Counted(Decisions):
    """The deciders of the chat, with the CPU that each took."""

    costs: dict[Matter, float]

    async def plan(
        self, question: str, vector: Vector, feedback: Sequence[PlanFeedback] = ()
    ) -> tuple[bool, Decision]:
        return await self._count(Matter.PLANNING, super().plan(question, vector, feedback))

    async def extract(self, episode: Episode, before: Sequence[Episode] = ()) -> Extraction:
        return await self._count(Matter.EXTRACTION, super().extract(episode, before))

    async def route(self, candidate: Candidate, neighbours: Sequence[Neighbour]) -> tuple[Route, ...]:
        return await self._count(Matter.ROUTING, super().route(candidate, neighbours))

    async def reflect(self, episode: Episode) -> Reflection:
        return await self._count(Matter.REFLECTION, super().reflect(episode))

    async def _count(self, matter: Matter, decision: Awaitable[Made]) -> Made:
        started = process_time()
        made = await decision
        self.costs[matter] += _since(started)
        return made


def _since(started: float) -> float:
    return (process_time() - started) * 1000
