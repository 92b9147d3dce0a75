"""What every memory panel is: a header, a body, a strip at its foot; fed by the memory and by the events of a turn."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input

from assistant.conversation.events import TurnEvent
from assistant.errors import AssistantError
from assistant.memory.records import JournalEntry, Recall
from assistant.tui.actions import Action, key_of
from assistant.tui.messages import MemoryChanged
from assistant.tui.widgets.detail_strip import DetailStrip, StripButton
from assistant.tui.widgets.panel_header import PanelHeader
from assistant.tui.widgets.record_list import RecordList
from assistant.tui.widgets.search_box import SearchBox

if TYPE_CHECKING:
    from assistant.conversation.turn import Session
    from assistant.memory.engine import MemoryEngine


MOST_RECORDS = 1000
"""Records that a panel lists; search reaches the others."""
_OTHER_ROWS = 7
"""Header, search box, three rows of the list, line and buttons of the strip."""


async def kept_recall(memory: MemoryEngine, episode: int | None) -> Recall | None:
    """What was recalled for an earlier answer; None for none, and for a private one (its id is negative)."""
    return await memory.plans.recall_of(episode) if episode is not None and episode > 0 else None


class MemoryPanel(Vertical):
    """Base of the panels. A subclass fills `body`, shows records in `reload`, and describes the highlighted row in `describe`."""

    TITLE: ClassVar[str] = ""
    ACTIONS: ClassVar[tuple[Action, ...]] = ()
    BUTTONS: ClassVar[tuple[StripButton, ...]] = ()
    BINDINGS: ClassVar[list[BindingType]] = []

    last_change: reactive[JournalEntry | None] = reactive(None)
    """What was last changed here, for undo."""

    DEFAULT_CSS = """
    MemoryPanel { height: 1fr; min-height: 6; }
    MemoryPanel:focus-within {
        & DetailStrip #detail { display: block; }
        & > PanelHeader { background: $primary; color: auto 95%; text-style: bold; }
        &:ansi > PanelHeader { background: ansi_default; color: ansi_default; text-style: bold reverse; }
        &:nocolor > PanelHeader { background: $foreground; color: $background; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.memory: MemoryEngine | None = None
        self.keys: Mapping[str, str] = {}
        """The keys in force, by action id."""
        self._stale = False

    # What a subclass gives -------------------------------------------------------------------------------------------

    def body(self) -> Sequence[Widget]:
        """The widgets between header and strip."""
        return [RecordList()]

    async def reload(self) -> None:
        """Read what is shown from the memory and show it. Called with a memory only."""

    def describe(self, item_id: str | None) -> None:
        """Show in the strip what is known about the highlighted row."""

    # What the panel area calls ---------------------------------------------------------------------------------------

    async def attach(self, memory: MemoryEngine, session: Session | None) -> None:
        """Show this memory and this conversation from now on."""
        self.memory, self.last_change = memory, None
        self.strip.say("")
        turns = session.turns if session is not None else []
        await self.show_answer(turns[-1].id if turns else None)

    async def show_answer(self, episode: int | None) -> None:  # noqa: ARG002 - for the subclasses
        """Show what belongs to the answer of this turn, where the panel shows such things. None: there is none yet."""
        await self.refresh_records()

    async def follow(self, event: TurnEvent) -> None:
        """Show what happened in a turn. Called for each event in order; must be quick."""

    async def refresh_records(self) -> None:
        """Reload now, or when the panel is next seen."""
        self._stale = True
        if self.memory is not None and self.is_on_screen:
            self._stale = False
            await self.guarded(self.reload())

    # Shared by the subclasses ----------------------------------------------------------------------------------------

    @property
    def header(self) -> PanelHeader:
        return self.query_one(PanelHeader)

    @property
    def records(self) -> RecordList:
        return self.query_one(RecordList)

    @property
    def strip(self) -> DetailStrip:
        return self.query_one(DetailStrip)

    @property
    def is_on_screen(self) -> bool:
        return self.is_attached and all(
            each.display for each in self.ancestors_with_self if isinstance(each, Widget)
        )

    def now(self) -> datetime:
        return self.memory.core.clock() if self.memory is not None else datetime.now(UTC)

    async def guarded(self, work: Awaitable[object]) -> bool:
        """Wait for `work`; an error becomes a sentence in the strip. True when it went well."""
        try:
            await work
        except AssistantError as problem:
            self.strip.say(str(problem), problem=True)
            return False
        return True

    async def change(self, work: Awaitable[JournalEntry]) -> JournalEntry | None:
        """Make a change to the memory, say what was done, and let all panels know."""
        try:
            entry = await work
        except AssistantError as problem:
            self.strip.say(str(problem), problem=True)
            return None
        self.changed(entry)
        return entry

    def changed(self, entry: JournalEntry | None) -> None:
        """Say what was done (also what a screen opened from here did), and let all panels know."""
        if entry is not None:
            self.last_change = entry
            self.strip.say(f"{entry.summary} · u takes it back" if entry.undoable else entry.summary)
            self.post_message(MemoryChanged(entry.subject, entry.summary))

    async def action_undo(self) -> None:
        """Take back the last change made in this panel; again brings it back."""
        if self.memory is None:
            return
        if self.last_change is None:
            self.strip.say("Nothing was changed here yet. The Journal panel can undo anything else.")
            return
        await self.change(self.memory.journal.undo(self.last_change.id))

    def watch_last_change(self, entry: JournalEntry | None) -> None:
        """The undo button is there when there is something to undo."""
        if self.is_mounted:
            self.strip.offer("undo", entry is not None)

    def compose(self) -> ComposeResult:
        yield PanelHeader(self.TITLE)
        yield from self.body()
        yield DetailStrip(self.BUTTONS, {each.action: key_of(each, self.keys) for each in self.ACTIONS})

    def on_key(self, event: events.Key) -> None:
        """Say so when a key does nothing here; where something is typed, each key does."""
        if not event.is_printable or isinstance(self.screen.focused, Input):
            return
        if not any(each in self.screen.active_bindings for each in event.aliases):
            self.strip.say(f"“{event.character}” does nothing in this panel; the help lists its keys.")

    async def on_show(self) -> None:
        if self._stale:
            await self.refresh_records()

    def on_resize(self, event: events.Resize) -> None:
        """In a low panel the list keeps its rows and the buttons theirs; the strip's words give way."""
        self.strip.limit(event.size.height - _OTHER_ROWS)

    def on_option_list_option_highlighted(self, event: RecordList.OptionHighlighted) -> None:
        event.stop()
        self.describe(event.option_id)

    async def on_detail_strip_pressed(self, event: DetailStrip.Pressed) -> None:
        event.stop()
        await self.run_action(event.do)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the search box goes to what was found."""
        event.stop()
        self.records.focus()

    def on_search_box_left(self, event: SearchBox.Left) -> None:
        event.stop()
        self.records.focus()
