"""The panel area on a screen over a real memory, and what a test does with it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from textual.pilot import Pilot

from assistant.conversation.events import Answered, Learned, Planned, Recalled, Reflected, Usage
from assistant.memory.engine import MemoryEngine
from assistant.memory.records import Candidate, Decider, Decision, Episode, Operation, Route
from assistant.tui.panels import PanelArea
from assistant.tui.widgets.memory_panel import MemoryPanel
from tests.tui.holder import Holder, shown, until

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


@dataclass
class Desk:
    """The panel area on a screen, over a memory."""

    app: Holder
    area: PanelArea
    pilot: Pilot[object]
    memory: MemoryEngine
    turns: list[Episode] = field(default_factory=list)

    def panel(self, name: str) -> MemoryPanel:
        return self.area.query_one(f"#panel-{name}", MemoryPanel)

    def text(self, name: str) -> str:
        return shown(self.panel(name))

    async def go(self, name: str) -> MemoryPanel:
        panel = self.panel(name)
        if not panel.has_focus_within:
            self.area.go(name)
        await until(self.pilot, lambda: panel.has_focus_within)
        await self.pilot.pause()
        return panel

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def learn(self, statement: str, operation: Operation, target: int | None = None) -> None:
        """The last turn taught a fact, and the panels hear of it."""
        candidate = Candidate(statement, key="team_size", value=statement)
        route = Route(operation, target, Decision(Decider.ON_DEVICE, "the number changed"))
        entry = await self.memory.facts.apply(candidate, route, self.turns[-1])
        await self.area.follow(Learned((entry,)))
        await self.area.follow(Reflected((), (entry,)))
        await self.pilot.pause()

    async def ask(self, question: str, answer: str = "An answer.") -> Episode:
        """One turn, its events followed by the panels."""
        conversation = self.turns[0].conversation if self.turns else None
        episode = await self.memory.record(question, conversation=conversation)
        recall = await self.memory.recall(question, exclude=[episode.id])
        plan = await self.memory.note_recall(episode.id, recall)
        await self.area.follow(Planned(plan))
        await self.area.follow(Recalled(replace(recall, plan=plan)))
        episode = await self.memory.finish(episode.id, answer)
        await self.area.follow(Answered(episode, Usage("memory")))
        self.turns.append(episode)
        await self.pilot.pause()
        return episode
