"""How the memory panels and their screens look: dark, light, narrow, in the terminal's own colours, without colour.

`pytest tests/snapshots --snapshot-update` accepts a change after looking at it.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, TextArea

from assistant.conversation.events import Learned, Planned, Recalled
from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import Embedder
from assistant.memory.records import (
    Candidate,
    Decider,
    Decision,
    FactKind,
    JudgmentDraft,
    Operation,
    Plan,
    Recall,
    Route,
    Verdict,
)
from assistant.memory.records import Recalled as Found
from assistant.tui.panels import PanelArea
from assistant.tui.screens.correction import CorrectionScreen
from assistant.tui.screens.fact import FactScreen
from assistant.tui.screens.judgment import JudgmentScreen
from assistant.tui.screens.themes import ThemeScreen
from assistant.tui.themes import load_themes
from tests.tui.desk import NOW

SITUATION = "production configuration has to change"


class Shown(App[None]):
    """The panels alone, over a memory with a little of everything."""

    def __init__(self, store: Path, embedder: Embedder, theme: str = "assistant-dark") -> None:
        super().__init__()
        self._store, self._embedder, self._wanted = store, embedder, theme
        self.area = PanelArea()

    def compose(self) -> ComposeResult:
        yield self.area

    async def on_mount(self) -> None:
        for theme in load_themes(self._store.parent / "none").themes.values():
            self.register_theme(theme)
        self.theme = self._wanted
        self.area.styles.width = "100%"
        self.memory = await MemoryEngine.open(self._store, self._embedder, clock=lambda: NOW)
        await fill(self.area, self.memory)

    async def on_unmount(self) -> None:
        await self.memory.close()


async def fill(area: PanelArea, memory: MemoryEngine) -> None:
    """Facts, judgments with votes and two turns, and the events of a question that recalled them, with fixed scores."""
    moved = await memory.record(
        "We moved the shop to Shopify, Etsy fees were eating us alive.",
        "Good move.",
        said=NOW - timedelta(days=12),
    )
    asked = await memory.record(
        "Keep any tooling under 200 a month, that is my ceiling.",
        "Noted: under 200 a month.",
        conversation=moved.conversation,
        said=NOW,
    )
    await memory.facts.add(
        "User runs a small ceramics shop on Shopify", key="platform", value="Shopify", episode=1
    )
    await memory.facts.add("User's company has about 50 people", key="team_size", value="50", episode=1)
    await memory.facts.add(
        "User wants the command first and no apology",
        key="answer_style",
        value="command first",
        kind=FactKind.PROCEDURAL,
    )
    await memory.facts.pin(1)
    await memory.judgments.add(
        JudgmentDraft(SITUATION, "Propose the change in a pull request", "outages", "ops")
    )
    await memory.judgments.add(JudgmentDraft(SITUATION, "Edit the live file and restart"))
    await memory.judgments.add(JudgmentDraft("a customer asks for a discount", "Offer free shipping first"))
    for ballot in (moved.id, asked.id):
        await memory.verify(1, Verdict.ADOPTED, episode=ballot)
    await memory.verify(
        2, Verdict.CORRECTED, episode=asked.id, correction="Propose it, let someone review it"
    )
    await area.attach(memory, None)
    await tell(area, memory)


async def tell(area: PanelArea, memory: MemoryEngine) -> None:
    plan = Plan(
        "What exactly did I say about my budget?",
        needs_episodes=True,
        decision=Decision(Decider.ON_DEVICE, "The question is about what was said before", 0.93, 2.9),
    )
    facts, judgments = await memory.facts.list(), await memory.judgments.list()
    recall = Recall(
        plan,
        (Found(facts[0], 0.81, {"meaning": 0.62, "words": 0.19}, "near in meaning, shares “shop”", 14),),
        tuple(
            Found(
                judgment,
                0.5 - judgment.id / 10,
                {"relevance": 0.5, "utility": 0.1},
                "a situation like this",
                40,
            )
            for judgment in judgments[:0:-1]
        ),
        (
            Found(
                await memory.episodes.get(2), 0.93, {"meaning": 0.5, "words": 0.43}, "shares “ceiling”", 60
            ),
            Found(await memory.episodes.get(1), 0.4, {"meaning": 0.4}, "next to a hit", 80, fits=False),
        ),
        {"embed": 5.8, "plan": 2.9, "facts": 3.1, "judgments": 2.2, "episodes": 6.4},
    )
    await area.follow(Planned(plan))
    await area.follow(Recalled(recall))
    route = Route(Operation.UPDATE, 2, Decision(Decider.ON_DEVICE, "The number changed from 50 to 80", 0.91))
    changed = Candidate("User's company has about 80 people", "team_size", "80")
    await area.follow(Learned((await memory.facts.apply(changed, route, await memory.episodes.get(2)),)))


def focused(panel: str, *keys: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def prepare(pilot: Pilot[None]) -> None:
        await settled(pilot)
        area = pilot.app.query_one(PanelArea)
        if not area.query_one(f"#panel-{panel}").has_focus_within:
            area.go(panel)
        await settled(pilot)
        await pilot.press(*keys)
        await settled(pilot)

    return prepare


def opened(make: Callable[[MemoryEngine], Awaitable[Screen]]) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def prepare(pilot: Pilot[None]) -> None:
        await settled(pilot)
        assert isinstance(pilot.app, Shown)
        await pilot.app.push_screen(await make(pilot.app.memory))
        for box in [*pilot.app.screen.query(Input), *pilot.app.screen.query(TextArea)]:
            box.cursor_blink = False
        await settled(pilot)

    return prepare


async def settled(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


@pytest.fixture(autouse=True)
def same_zone_everywhere(fenced):
    time.tzset()


@pytest.fixture
def shown(tmp_path, embedder):
    return lambda theme="assistant-dark": Shown(tmp_path / "memory.duckdb", embedder, theme)


@pytest.mark.parametrize(
    "theme", ["assistant-dark", "assistant-light", "harbour-night", "morning-garden", "ansi-dark"]
)
def test_panels_in_each_theme(snap_compare, shown, theme):
    assert snap_compare(shown(theme), terminal_size=(44, 56), run_before=focused("judgments", "j"))


def test_panels_without_colour(snap_compare, shown, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(shown(), terminal_size=(44, 56), run_before=focused("facts", "j"))


def test_panels_in_the_narrowest_area(snap_compare, shown):
    assert snap_compare(shown(), terminal_size=(28, 56), run_before=focused("plan", "j"))


def test_journal_and_insights(snap_compare, shown):
    async def prepare(pilot: Pilot[None]) -> None:
        await settled(pilot)
        for panel in ("plan", "facts", "judgments", "episodes"):
            await focused(panel, "ctrl+w")(pilot)
        await focused("insights")(pilot)
        await focused("journal", "j")(pilot)

    assert snap_compare(shown("assistant-light"), terminal_size=(60, 56), run_before=prepare)


def test_fact_screen(snap_compare, shown):
    async def make(memory: MemoryEngine) -> Screen:
        return FactScreen(memory, await memory.facts.get(2))

    assert snap_compare(shown(), terminal_size=(90, 36), run_before=opened(make))


def test_judgment_screen_on_a_small_terminal(snap_compare, shown):
    async def make(memory: MemoryEngine) -> Screen:
        return JudgmentScreen(memory, await memory.judgments.get(2))

    assert snap_compare(shown("assistant-light"), terminal_size=(80, 24), run_before=opened(make))


def test_correction_screen(snap_compare, shown):
    async def make(memory: MemoryEngine) -> Screen:
        return CorrectionScreen(await memory.judgments.get(1))

    assert snap_compare(shown(), terminal_size=(80, 24), run_before=opened(make))


def test_theme_picker(snap_compare, shown):
    async def make(memory: MemoryEngine) -> Screen:
        return ThemeScreen()

    assert snap_compare(shown(), terminal_size=(80, 36), run_before=opened(make))
