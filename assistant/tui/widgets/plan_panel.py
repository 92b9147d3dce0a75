"""Plan: how the last question was looked up, what came of it, and what did not fit."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from assistant.conversation.events import Planned, Recalled, TurnEvent
from assistant.memory.records import Plan, Recall
from assistant.memory.records import Recalled as RecalledItem
from assistant.text import plural
from assistant.tui.actions import Action, bindings
from assistant.tui.widgets import marks
from assistant.tui.widgets.detail_strip import StripButton
from assistant.tui.widgets.memory_panel import MemoryPanel, kept_recall
from assistant.tui.widgets.record_list import Heading, Item
from assistant.tui.widgets.rows import Line, Row, muted, row

_EMPTY = "Ask something: how it is looked up shows here."


class PlanPanel(MemoryPanel):
    TITLE = "Plan"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("plan.wrong", "w", "Say this plan was wrong", "Plan"),
        Action("plan.undo", "u", "Take back the last change", "Plan"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]
    BUTTONS = (StripButton("✗ this plan was wrong", "wrong", "wrong"), StripButton("undo", "undo", away=True))

    DEFAULT_CSS = """
    PlanPanel DetailStrip Button { column-span: 2; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.recall: Recall | None = None
        self.episode: int | None = None

    async def show_answer(self, episode: int | None) -> None:
        if self.episode != episode or episode is None:
            self.recall, self.episode = None, episode
        await super().show_answer(episode)

    async def follow(self, event: TurnEvent) -> None:
        match event:
            case Planned(plan=plan):
                self.episode = None
                self.strip.say("")
                self._show(Recall(plan))
            case Recalled(recall=recall):
                self.episode = recall.plan.episode
                self._show(recall)

    async def reload(self) -> None:
        assert self.memory is not None
        kept = await kept_recall(self.memory, self.episode)
        self._show(kept or self.recall)

    async def action_wrong(self) -> None:
        """Mark the plan wrong, so that later plans for like questions change."""
        if self.memory is None or self.recall is None:
            return
        if self.recall.plan.marked_wrong:
            self.strip.say("This plan is marked wrong already; u takes it back.")
            return
        if self.recall.plan.id is None:
            self.strip.say("A private conversation keeps nothing, so later plans cannot learn from it.")
        else:
            await self.change(self.memory.plans.mark_wrong(self.recall.plan.id))

    def describe(self, item_id: str | None) -> None:
        found = next((each for each in self._items() if marks.item_id(each) == item_id), None)
        if found is not None:
            self.strip.show(*item_details(found))
        elif self.recall is not None:
            self.strip.show(*step_details(self.recall))
        else:
            self.strip.show()

    def _items(self) -> tuple[RecalledItem, ...]:
        return self.recall.items if self.recall is not None else ()

    def _show(self, recall: Recall | None) -> None:
        self.recall = recall
        self.header.note(marks.milliseconds(_taken(recall)) if recall is not None else "")
        self.strip.allow("wrong", recall is not None and not recall.plan.marked_wrong)
        self.records.show(entries(recall) if recall is not None else [Heading(_EMPTY)])
        self.describe(self.records.current)


def decision_row(recall: Recall) -> Row:
    """What was decided, how sure, why, and by whom."""
    plan, decision = recall.plan, recall.plan.decision
    lines = [
        Line(((words(plan), "bold"),), ((f"{marks.percent(decision.confidence)} sure", "$text-muted"),)),
        Line(((decision.reason, ""),), lines=3),
        muted(f"by {marks.DECIDERS[decision.decider]} in {marks.milliseconds(decision.milliseconds)}"),
        muted(f"for “{plan.question}”", lines=2),
    ]
    if plan.marked_wrong:
        lines.append(
            Line((("✗ marked wrong", "bold $text-error"), (" · later plans learn from it", "$text-muted")))
        )
    return row(*lines)


def step_details(recall: Recall) -> list[Line]:
    """The milliseconds of each step, and why the model's plan was not used, where it was asked."""
    steps = [f"{name} {value:.1f}" for name, value in recall.milliseconds.items()]
    lines = [muted(f"{' · '.join(steps)} ms", lines=3)] if steps else []
    if recall.plan.decision.fallback:
        lines.append(
            Line(
                ((recall.plan.decision.fallback, "$text-warning"),),
                lines=3,
                lead=(("! ", "bold $text-warning"),),
            )
        )
    return lines


def item_details(found: RecalledItem) -> list[Line]:
    """Why it was recalled, the parts of its score, and its share of the prompt."""
    tokens = f"{plural(found.tokens, 'token')} of the prompt"
    return [
        Line(((found.reason, ""),), lines=3),
        muted(marks.score(found), lines=2),
        muted(tokens if found.fits else "Left out: the budget was used up."),
    ]


def _taken(recall: Recall) -> float:
    return sum(recall.milliseconds.values()) or recall.plan.decision.milliseconds


def words(plan: Plan) -> str:
    return "FACTS + EPISODES" if plan.needs_episodes else "FACTS ONLY"


def entries(recall: Recall) -> list[Heading | Item]:
    """The decision, the recalled items under a heading for each kind, then those that were left out."""
    rows: list[Heading | Item] = [Item("plan", decision_row(recall))]
    for title, items in (
        ("Facts", recall.facts),
        ("Judgments", recall.judgments),
        ("Episodes", recall.episodes),
    ):
        inside = [each for each in items if each.fits]
        if inside:
            tokens = sum(each.tokens for each in inside)
            rows.append(Heading(title, plural(tokens, "token") if tokens else ""))
            rows.extend(_item(each) for each in inside)
    left_out = [each for each in recall.items if not each.fits]
    if left_out:
        rows.append(Heading("Left out", "over the budget"))
        rows.extend(_item(each) for each in left_out)
    return rows


def _item(recalled: RecalledItem) -> Item:
    text = "" if recalled.fits else "$text-muted"
    return Item(
        marks.item_id(recalled),
        row(
            Line(((marks.item_text(recalled), text),), lines=2),
            muted(f"{marks.strength(recalled)} · {recalled.reason}", lines=2, indent=2),
        ),
    )
