"""Insights: how the memory grew over the last weeks, how plans went, and whether judgments prove right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Sparkline, Static

from assistant.conversation.events import Learned, Reflected, TurnEvent
from assistant.memory.figures import Growth, Insights
from assistant.tui.actions import Action, bindings
from assistant.tui.widgets import marks
from assistant.tui.widgets.memory_panel import MemoryPanel
from assistant.tui.widgets.rows import Line, Row, muted, row

DAYS = 28


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
        known = await self.memory.insights(since=self.now() - timedelta(days=DAYS + 1))
        self._trend("facts", "Facts", known.facts)
        self._trend("judgments", "Judgments", known.judgments)
        self._trend("episodes", "Episodes", known.episodes)
        self.query_one("#shares", Static).update(shares(known))
        self.header.note(f"last {DAYS} days")

    def _trend(self, name: str, title: str, growth: Growth) -> None:
        days = per_day(growth.recent, self.now())
        self.query_one(f"#{name}", Trend).show(title, f"{growth.total:,} · {sum(days):,} new", days)


def per_day(recent: Mapping[datetime, int], now: datetime, days: int = DAYS) -> list[int]:
    """How many fall on each of the last `days` local days, oldest first, today last."""
    today = now.astimezone().date()
    counted: Counter[date] = Counter()
    for when, count in recent.items():
        counted[when.astimezone().date()] += count
    return [counted[today - timedelta(days=ago)] for ago in range(days - 1, -1, -1)]


def shares(known: Insights) -> Row:
    """Bars: what plans needed and how many were wrong, what the votes said, how judgments stand by them."""
    votes = known.right_votes + known.wrong_votes
    judgments = known.judgments.total
    return row(
        _heading("Plans", known.plans),
        _share("facts only", known.plans - known.with_episodes, known.plans),
        _share("with episodes", known.with_episodes, known.plans),
        _share("marked wrong", known.marked_wrong, known.plans),
        "",
        _heading("Votes", votes),
        _share("✓ right", known.right_votes, votes),
        _share("✗ wrong", known.wrong_votes, votes),
        "",
        _heading("Judgments", judgments),
        _share("proved right", known.proved_right, judgments),
        _share("proved wrong", known.proved_wrong, judgments),
    )


def _heading(title: str, count: int) -> Line:
    return Line(((title, "bold"),), ((f"{count:,}", "$text-muted"),))


def _share(label: str, part: int, whole: int, cells: int = 10) -> Line:
    if not whole:
        return muted(f"{label:<13} none yet")
    full = round(cells * part / whole)
    bar = "█" * full + "·" * (cells - full)
    return Line(((f"{label:<13} ", "$text-muted"), (bar, "$primary")), ((marks.percent(part / whole), ""),))
