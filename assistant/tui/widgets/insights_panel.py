"""Insights: how the memory grew over the last weeks, how plans went, and whether judgments prove right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Sparkline, Static

from assistant.conversation.events import Learned, Reflected, TurnEvent
from assistant.memory.records import Judgment, Plan
from assistant.tui.actions import Action, bindings
from assistant.tui.widgets import marks
from assistant.tui.widgets.memory_panel import MemoryPanel
from assistant.tui.widgets.rows import Line, Row, muted, row

DAYS = 28
_ROWS = 2000
"""Newest records that are counted."""


class Trend(Static):
    """A label with a count, above a sparkline of one value a day."""

    DEFAULT_CSS = """
    Trend { height: auto; margin-bottom: 1; }
    Trend > Sparkline { height: 2; }
    Trend > Sparkline > .sparkline--max-color { color: $primary; }
    Trend > Sparkline > .sparkline--min-color { color: $primary; }
    Trend > Static { height: 1; }
    """

    def compose(self) -> Iterable[Widget]:
        yield Static(markup=False)
        yield Sparkline([0.0])

    def show(self, title: str, note: str, days: Sequence[int]) -> None:
        self.query_one(Static).update(row(Line(((title, "bold"),), ((note, "$text-muted"),))))
        self.query_one(Sparkline).data = [float(each) for each in days]


class InsightsPanel(MemoryPanel):
    TITLE = "Insights"
    ACTIONS: ClassVar[tuple[Action, ...]] = (Action("insights.refresh", "r", "Count again", "Insights"),)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    DEFAULT_CSS = """
    InsightsPanel > VerticalScroll { padding: 0 1; scrollbar-size-vertical: 1; }
    InsightsPanel > VerticalScroll:focus { background: $foreground 5%; }
    InsightsPanel #shares { height: auto; }
    """

    def body(self) -> Sequence[Widget]:
        return [
            VerticalScroll(
                Trend(id="facts"),
                Trend(id="judgments"),
                Trend(id="episodes"),
                Static(id="shares", markup=False),
            )
        ]

    async def follow(self, event: TurnEvent) -> None:
        if isinstance(event, Learned | Reflected):
            await self.refresh_records()

    async def action_refresh(self) -> None:
        await self.refresh_records()

    async def reload(self) -> None:
        assert self.memory is not None
        facts = await self.memory.facts.list(limit=_ROWS)
        judgments = await self.memory.judgments.list(limit=_ROWS)
        episodes = await self.memory.episodes.list(limit=_ROWS)
        plans = await self.memory.plans.list()
        self._trend("facts", "Facts", [each.learned for each in facts])
        self._trend("judgments", "Judgments", [each.created for each in judgments])
        self._trend("episodes", "Episodes", [each.said for each in episodes])
        self.query_one("#shares", Static).update(shares(plans, judgments))
        self.header.note(f"last {DAYS} days")

    def _trend(self, name: str, title: str, times: Sequence[datetime]) -> None:
        days = per_day(times, self.now())
        self.query_one(f"#{name}", Trend).show(title, f"{len(times)} · {sum(days)} new", days)


def per_day(times: Iterable[datetime], now: datetime, days: int = DAYS) -> list[int]:
    """How many fall on each of the last `days` local days, oldest first, today last."""
    today = now.astimezone().date()
    counted = Counter[date](when.astimezone().date() for when in times)
    return [counted[today - timedelta(days=ago)] for ago in range(days - 1, -1, -1)]


def shares(plans: Sequence[Plan], judgments: Sequence[Judgment]) -> Row:
    """Bars: plans that needed facts only, plans marked wrong, votes that said right."""
    facts_only = sum(not each.needs_episodes for each in plans)
    wrong = sum(each.marked_wrong for each in plans)
    right = sum(each.adopted for each in judgments)
    votes = right + sum(each.corrected for each in judgments)
    return row(
        Line((("Plans", "bold"),), ((f"newest {len(plans)}", "$text-muted"),)),
        _share("facts only", facts_only, len(plans)),
        _share("with episodes", len(plans) - facts_only, len(plans)),
        _share("marked wrong", wrong, len(plans)),
        "",
        Line((("Votes", "bold"),), ((str(votes), "$text-muted"),)),
        _share("✓ right", right, votes),
        _share("✗ wrong", votes - right, votes),
    )


def _share(label: str, part: int, whole: int, cells: int = 10) -> Line:
    if not whole:
        return muted(f"{label:<13} none yet")
    full = round(cells * part / whole)
    bar = "█" * full + "·" * (cells - full)
    return Line(((f"{label:<13} ", "$text-muted"), (bar, "$primary")), ((marks.percent(part / whole), ""),))
