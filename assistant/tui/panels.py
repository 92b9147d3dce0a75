"""The memory panels as data, and the area beside the chat that holds them: hidden, moved and resized as the user likes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import ItemGrid, Vertical
from textual.css.query import NoMatches
from textual.events import Resize
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Static

from assistant.conversation.events import Delta, Recalled, Thinking, TurnEvent
from assistant.tui.actions import Action, bindings, key_of
from assistant.tui.layout import NARROWEST, WIDEST, WIDTH, Layout
from assistant.tui.messages import MemoryChanged
from assistant.tui.state import ScreenState
from assistant.tui.widgets.episodes_panel import EpisodesPanel
from assistant.tui.widgets.facts_panel import FactsPanel
from assistant.tui.widgets.insights_panel import InsightsPanel
from assistant.tui.widgets.journal_panel import JournalPanel
from assistant.tui.widgets.judgments_panel import JudgmentsPanel
from assistant.tui.widgets.memory_panel import MemoryPanel
from assistant.tui.widgets.panel_header import PanelHeader
from assistant.tui.widgets.plan_panel import PlanPanel
from assistant.tui.widgets.record_list import RecordList

if TYPE_CHECKING:
    from assistant.conversation.turn import Session
    from assistant.memory.engine import MemoryEngine

SMALLEST = 6
"""Rows of the smallest panel."""
_LOW = 24
"""Rows below which one panel is shown at a time."""


@dataclass(frozen=True, slots=True)
class Panel:
    id: str
    title: str
    factory: type[MemoryPanel]
    shown: bool = True
    height: int = 10
    """Relative to the others."""
    when_recalled: bool = False
    """Appears by itself for an answer that episodes were recalled for, unless the user decided otherwise."""


PANELS: tuple[Panel, ...] = (
    Panel("plan", "Plan", PlanPanel, height=13),
    Panel("facts", "Facts", FactsPanel, height=12),
    Panel("judgments", "Judgments", JudgmentsPanel, height=12),
    Panel("episodes", "Episodes", EpisodesPanel, shown=False, when_recalled=True),
    Panel("journal", "Journal", JournalPanel, shown=False),
    Panel("insights", "Insights", InsightsPanel, shown=False),
)


def panel_actions() -> list[tuple[Panel, Action]]:
    """For each panel the action that goes to it: its number, where no text is written, or alt and its number.

    Terminals without the kitty protocol turn alt and a digit into other characters; there f10 leads to the numbers.
    """
    return [
        (
            panel,
            Action(
                f"panels.{panel.id}",
                f"{number},alt+{number}",
                f"Go to {panel.title}",
                "Panels",
                f"go('{panel.id}')",
            ),
        )
        for number, panel in enumerate(PANELS, 1)
    ]


class PanelArea(Vertical):
    """Holds the panels. `attach` gives them a memory and a conversation, `follow` each event of a turn."""

    ACTIONS: ClassVar[tuple[Action, ...]] = (
        *(action for _, action in panel_actions()),
        Action("panels.leave", "escape", "Back to the message field", "Panels"),
        Action("panels.hide", "ctrl+w", "Hide this panel", "Panels"),
        Action("panels.up", "shift+up", "Move this panel up", "Panels", "move(-1)"),
        Action("panels.down", "shift+down", "Move this panel down", "Panels", "move(1)"),
        Action("panels.taller", "plus", "Make this panel taller", "Panels", "grow(2)"),
        Action("panels.shorter", "minus", "Make this panel shorter", "Panels", "grow(-2)"),
        Action("panels.wider", "less_than_sign", "Make the panels wider", "Panels", "widen(4)"),
        Action("panels.narrower", "greater_than_sign", "Make the panels narrower", "Panels", "widen(-4)"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    DEFAULT_CSS = """
    PanelArea {
        width: 44;
        border-left: solid $foreground 20%;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        & > #more { height: auto; grid-gutter: 0; padding: 0 1; dock: bottom; background: $background; }
        & > #more Button {
            min-width: 0; width: 1fr; color: $text-muted; background: transparent; text-style: none; content-align: left middle;
            &:hover, &:focus { color: $foreground; background: $foreground 12%; text-style: none; }
            &:nocolor:focus { text-style: reverse; }
        }
        & > #others { height: 1; padding: 0 1; dock: bottom; background: $background; color: $text-muted; }
    }
    """

    class Left(Message):
        """The user goes back to the message field."""

    def __init__(self, state: ScreenState | None = None, keys: Mapping[str, str] | None = None) -> None:
        """`keys` are those in force, by action id."""
        super().__init__(id="panels")
        self._state = state
        self._keys = keys or {}
        self._one_at_a_time = False
        self.layout_now = Layout.read(
            state.get("panels") if state is not None else None, [each.id for each in PANELS]
        )
        self._recalled_episodes = False
        self.newest = "judgments"
        """The panel that was gone to last: where the thumbs are, at first."""

    # What the main screen calls --------------------------------------------------------------------------------------

    async def attach(self, memory: MemoryEngine, session: Session | None) -> None:
        """Show this memory and this conversation from now on."""
        await self._each(lambda panel: panel.attach(memory, session))

    async def follow(self, event: TurnEvent) -> None:
        """Show an event of the running turn."""
        if isinstance(event, Delta | Thinking):
            return
        if isinstance(event, Recalled) and bool(event.recall.episodes) != self._recalled_episodes:
            self._recalled_episodes = not self._recalled_episodes
            self._arrange()
        await self._each(lambda panel: panel.follow(event))

    async def show_answer(self, episode: int) -> None:
        """Show what an earlier answer was made of, so that its plan and its judgments can be verified."""
        if all(panel.memory is not None for panel in self.panels):
            await self._each(lambda panel: panel.show_answer(episode))

    async def refresh_records(self) -> None:
        """Read again what the memory holds; panels that are not seen do so when they are."""
        await self._each(lambda panel: panel.refresh_records())

    async def _each(self, work: Callable[[MemoryPanel], Awaitable[None]]) -> None:
        """One panel after the other, unless the screen is taken away meanwhile: a panel's own widgets go before it."""
        for panel in self.panels:
            try:
                await work(panel)
            except NoMatches:
                if self.screen.display:
                    raise

    def go(self, name: str) -> None:
        """Show a panel and put the cursor in it, at once: a key that was typed right after is for the panel."""
        self.newest = name
        if self._one_at_a_time:
            self._arrange()
        else:
            self._set_shown(name, shown=True)
        if self.screen.is_current:
            self._focus(self._panel(name))
        else:
            self.call_after_refresh(self._focus, self._panel(name))

    async def do_in(self, name: str, action: str) -> None:
        """Go to a panel and carry out one of its actions, for its highlighted row."""
        self.go(name)
        await self._panel(name).refresh_records()
        await self._panel(name).run_action(action)

    @property
    def panels(self) -> list[MemoryPanel]:
        return list(self.query(MemoryPanel))

    # Actions ---------------------------------------------------------------------------------------------------------

    def action_go(self, name: str) -> None:
        self.go(name)

    def action_leave(self) -> None:
        self.post_message(self.Left())

    def action_hide(self) -> None:
        name = self._focused
        if self._one_at_a_time:
            self.action_leave()
        elif name is not None:
            self._set_shown(name, shown=False)

    def action_move(self, step: int) -> None:
        """Swap the focused panel with the next shown one above (-1) or below (1)."""
        name, shown = self._focused, self._seen
        if name is None or not 0 <= shown.index(name) + step < len(shown):
            return
        order, other = self.layout_now.order, shown[shown.index(name) + step]
        first, second = order.index(name), order.index(other)
        order[first], order[second] = order[second], order[first]
        self._arrange()
        self._save()

    def action_grow(self, rows: int) -> None:
        name = self._focused
        if name is not None:
            self._resize(name, rows)

    def action_widen(self, columns: int) -> None:
        self.layout_now.width = min(max(self.layout_now.width + columns, NARROWEST), WIDEST)
        self.styles.width = self.layout_now.width
        self._save()

    # Layout ----------------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        for panel in PANELS:
            made = panel.factory()
            made.id = f"panel-{panel.id}"
            made.keys = self._keys
            yield made
        with ItemGrid(id="more", min_column_width=11):
            for panel in PANELS:
                yield Button(f"+ {panel.title}", id=f"show-{panel.id}", compact=True)
        yield Static(self._way_on(), id="others", markup=False)

    def on_mount(self) -> None:
        if self.layout_now.width != WIDTH:
            self.styles.width = self.layout_now.width
        self._arrange()

    def on_resize(self, event: Resize) -> None:
        if (event.size.height < _LOW) != self._one_at_a_time:
            self._one_at_a_time = not self._one_at_a_time
            self.newest = self._focused or self.newest
            self._arrange()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.go((event.button.id or "").removeprefix("show-"))

    async def on_memory_changed(self, _event: MemoryChanged) -> None:
        await self.refresh_records()

    def on_panel_header_closed(self, event: PanelHeader.Closed) -> None:
        event.stop()
        self._set_shown(_name(event.panel), shown=False)

    def on_panel_header_dragged(self, event: PanelHeader.Dragged) -> None:
        """The edge between a panel and the shown one above it follows the mouse."""
        event.stop()
        shown = self._seen
        place = shown.index(_name(event.panel))
        if place > 0:
            self._resize(shown[place - 1], event.rows, shown[place])

    def _arrange(self) -> None:
        """Bring order, visibility and heights of the panels in line with the layout."""
        for each in PANELS:
            panel = self._panel(each.id)
            panel.display = self._is_seen(each.id)
            panel.styles.height = f"{self.layout_now.heights.get(each.id, each.height)}fr"
            self.query_one(f"#show-{each.id}", Button).display = not panel.display
        place = {f"panel-{name}": number for number, name in enumerate(self.layout_now.order)}
        self.sort_children(key=lambda child: place.get(child.id or "", len(place)))
        hidden = not all(self._is_shown(name) for name in self.layout_now.order)
        self.query_one("#more").display = hidden and not self._one_at_a_time
        self.query_one("#others").display = self._one_at_a_time

    def _way_on(self) -> str:
        """What stands below a panel that is shown alone: "1-6 other panels · esc back to the chat"."""
        first, *_, last = (key_of(action, self._keys) for _, action in panel_actions())
        leave = next(each for each in self.ACTIONS if each.id == "panels.leave")
        back = key_of(leave, self._keys).replace("escape", "esc")
        return f"{first}-{last} other panels · {back} back to the chat"

    def _resize(self, name: str, rows: int, other: str | None = None) -> None:
        """Give a panel `rows` more rows, taken from `other` (default: the next shown one)."""
        shown = self._seen
        if len(shown) < 2:
            return
        other = other or shown[(shown.index(name) + 1) % len(shown)]
        heights = {each: self._panel(each).outer_size.height for each in shown}
        if min(heights[name] + rows, heights[other] - rows) < SMALLEST:
            return
        heights[name] += rows
        heights[other] -= rows
        self.layout_now.heights.update(heights)
        self._arrange()
        self._save()

    def _is_shown(self, name: str) -> bool:
        panel = next(each for each in PANELS if each.id == name)
        return self.layout_now.shown.get(
            name, panel.shown or (panel.when_recalled and self._recalled_episodes)
        )

    def _is_seen(self, name: str) -> bool:
        return name == self.newest if self._one_at_a_time else self._is_shown(name)

    @property
    def _seen(self) -> list[str]:
        return [each for each in self.layout_now.order if self._is_seen(each)]

    def _set_shown(self, name: str, *, shown: bool) -> None:
        if self._is_shown(name) != shown:
            self.layout_now.shown[name] = shown
            self._arrange()
            self._save()

    def _save(self) -> None:
        if self._state is not None:
            self._state.put("panels", self.layout_now.written())

    @property
    def _focused(self) -> str | None:
        return next((_name(panel) for panel in self.panels if panel.has_focus_within), None)

    def _panel(self, name: str) -> MemoryPanel:
        return self.query_one(f"#panel-{name}", MemoryPanel)

    def _focus(self, panel: MemoryPanel) -> None:
        for target in (*panel.query(RecordList), *panel.query("VerticalScroll")):
            self.screen.set_focus(target)
            return


def _name(panel: Widget) -> str:
    return (panel.id or "").removeprefix("panel-")


PANEL_ACTIONS: tuple[Action, ...] = (
    *PanelArea.ACTIONS,
    *RecordList.ACTIONS,
    *(action for panel in PANELS for action in panel.factory.ACTIONS),
)
"""Every action of the panels, for help and for the user's own keys."""
