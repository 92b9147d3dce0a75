"""A modal screen for one record of the memory: its fields, its history, the message it came from, and what can be done."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Select, Static, TextArea

from assistant.errors import AssistantError
from assistant.memory.records import Episode, JournalEntry
from assistant.tui.actions import FORM_KEYS, Action, bindings
from assistant.tui.messages import ShowEpisode
from assistant.tui.widgets import marks
from assistant.tui.widgets.rows import Line, Row, row

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine

RECORD_ACTIONS: tuple[Action, ...] = (
    Action("record.save", "ctrl+s", "Save the record", "Record"),
    Action("record.source", "ctrl+o", "Go to the message it came from", "Record", priority=True),
    Action("record.undo", "ctrl+z", "Take back the last change", "Record"),
    Action("record.close", "escape", "Close without saving", "Record"),
)


class RecordScreen(ModalScreen[JournalEntry | None]):
    """Base of the record screens. Ends with the last journal entry it caused, or None."""

    CSS_PATH = "record.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]  # noqa: RUF012  # declared so by textual
    ACTIONS: ClassVar[tuple[Action, ...]] = RECORD_ACTIONS
    BINDINGS: ClassVar[list[BindingType]] = [*FORM_KEYS, *bindings(RECORD_ACTIONS)]

    def __init__(self, memory: MemoryEngine, heading: str) -> None:
        super().__init__()
        self.heading = heading
        self.memory = memory
        self.last_change: JournalEntry | None = None
        self._unedited: list[object] = []
        self._warned = False
        self._source: Episode | None = None

    # What a subclass gives -------------------------------------------------------------------------------------------

    def fields(self) -> Sequence[Widget]:
        """Label and input widgets."""
        raise NotImplementedError

    def buttons(self) -> Sequence[Button]:
        """Buttons besides save and close; the id of each is "do-" and the name of its action."""
        return []

    @property
    def source(self) -> int | None:
        """The episode it came from."""
        return None

    async def reload(self) -> None:
        """Show state and history as they stand now."""

    async def save(self) -> JournalEntry | None:
        """Write what the fields hold; None when nothing differs."""
        raise NotImplementedError

    # The screen ------------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        with Vertical(id="record"):
            yield Static(
                row(Line(((self.heading, "bold"),), (("Esc closes", "$text-muted"),))),
                id="record-title",
                markup=False,
            )
            with VerticalScroll(id="record-body", can_focus=False):
                yield from self.fields()
                yield Static(id="record-state", markup=False)
                yield Label("History", id="history-label", classes="record-heading", markup=False)
                yield Static(id="record-history", markup=False)
                yield Label("Where it comes from", id="source-label", classes="record-heading", markup=False)
                yield Static(id="record-source", markup=False)
            yield Static(id="record-said", markup=False)
            with Horizontal(id="record-buttons"):
                yield Button("Save", id="do-save", variant="primary", compact=True)
                yield from self.buttons()
                yield Button("Go to message", id="do-source", compact=True)
                yield Button("Close", id="do-close", compact=True)

    async def on_mount(self) -> None:
        self._unedited = self._written()
        await self._guarded(self._load())
        self.call_after_refresh(self.query_one("#record-body", VerticalScroll).scroll_home, animate=False)

    async def _load(self) -> None:
        await self._show_source()
        await self.reload()

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        await self.run_action((event.button.id or "").removeprefix("do-").replace("-", "_"))

    async def action_save(self) -> None:
        try:
            entry = await self.save()
        except AssistantError as problem:
            self.say(str(problem), problem=True)
            return
        self.dismiss(entry or self.last_change)

    async def action_undo(self) -> None:
        if self.last_change is None:
            self.say("Nothing was changed here yet.")
        else:
            await self.change(self.memory.journal.undo(self.last_change.id))

    def action_source(self) -> None:
        if self._source is not None:
            self.app.screen_stack[-2].post_message(ShowEpisode(self._source.conversation, self._source.id))
            self.dismiss(self.last_change)

    def action_close(self) -> None:
        """Close; where something was typed, only the second time."""
        if self._written() != self._unedited and not self._warned:
            self._warned = True
            self.say("Not saved yet: ctrl+s saves, Esc again closes without saving.", problem=True)
        else:
            self.dismiss(self.last_change)

    async def change(self, work: Awaitable[JournalEntry]) -> bool:
        """Make a change at once, say so, and show what it did."""
        try:
            entry = await work
        except AssistantError as problem:
            self.say(str(problem), problem=True)
            return False
        self.last_change = entry
        self.say(f"{entry.summary} · ctrl+z takes it back")
        await self._guarded(self.reload())
        return True

    def say(self, text: str, *, problem: bool = False) -> None:
        look = "$text-error" if problem else "$text-muted"
        said = row(Line((("! " if problem else "» ", look), (text, look)), lines=3))
        self.query_one("#record-said", Static).update(said)

    def show_state(self, state: Row, history: Sequence[Line]) -> None:
        self.query_one("#record-state", Static).update(state)
        self.query_one("#record-history", Static).update(row(*history))
        for name in ("#history-label", "#record-history"):
            self.query_one(name).display = bool(history)

    def _written(self) -> list[object]:
        """What the fields hold."""
        boxes: list[object] = [box.value for box in self.query(Input)]
        boxes += [box.text for box in self.query(TextArea)]
        return boxes + [box.value for box in self.query(Select)]

    async def _show_source(self) -> None:
        if self.source is not None:
            self._source = await self.memory.episodes.get(self.source)
        found = self._source
        for name in ("#source-label", "#record-source"):
            self.query_one(name).display = found is not None
        self.query_one("#do-source", Button).disabled = found is None
        if found is not None:
            self.query_one("#record-source", Static).update(
                row(
                    Line(((marks.full_time(found.said), "$text-muted"),)),
                    Line((("you ", "$text-muted"), (found.user, "")), lines=4),
                    Line((("answer ", "$text-muted"), (found.assistant, "$text-muted")), lines=3),
                )
            )

    async def _guarded(self, work: Awaitable[None]) -> None:
        try:
            await work
        except AssistantError as problem:
            self.say(str(problem), problem=True)
