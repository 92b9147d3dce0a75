"""Journal: everything the memory did, newest first; each can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import ClassVar

from textual.binding import BindingType

from assistant.conversation.events import Learned, Reflected, TurnEvent
from assistant.memory.records import JournalEntry
from assistant.text import plural
from assistant.tui.actions import Action, bindings
from assistant.tui.messages import ShowEpisode
from assistant.tui.widgets import marks
from assistant.tui.widgets.detail_strip import StripButton
from assistant.tui.widgets.memory_panel import MemoryPanel
from assistant.tui.widgets.record_list import Heading, Item, RecordList
from assistant.tui.widgets.rows import Line, muted, row


class JournalPanel(MemoryPanel):
    TITLE = "Journal"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("journal.undo", "u", "Take back this change", "Journal"),
        Action("journal.open", "o", "Go to the turn it came from", "Journal"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]
    BUTTONS = (StripButton("undo this", "undo"), StripButton("go to its turn", "open"))

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[JournalEntry] = []

    def watch_last_change(self, entry: JournalEntry | None) -> None:
        """Undo is for the highlighted change here, and always offered."""

    async def follow(self, event: TurnEvent) -> None:
        if isinstance(event, Learned | Reflected) and event.changes:
            await self.refresh_records()

    async def reload(self) -> None:
        assert self.memory is not None
        self._entries = await self.memory.journal.list()
        self.header.note(plural(len(self._entries), "change"))
        self.records.show(entries(self._entries, self.now()))
        self.describe(self.records.current)

    @property
    def chosen(self) -> JournalEntry | None:
        return self._entry(self.records.current)

    def describe(self, item_id: str | None) -> None:
        entry = self._entry(item_id)
        self.strip.allow("undo", entry is not None and can_undo(entry))
        self.strip.allow("open", entry is not None and entry.episode is not None)
        if entry is None:
            self.strip.show()
            return
        decision = entry.decision
        lines = [Line(((decision.reason or entry.action, ""),), lines=3)]
        if entry.before and entry.after:
            lines.append(muted(f"{entry.before} → {entry.after}", lines=3))
        sure = f", {marks.percent(decision.confidence)} sure" if decision.confidence < 1 else ""
        lines.append(
            muted(f"by {marks.DECIDERS[decision.decider]}{sure}, {marks.full_time(entry.happened)}", lines=2)
        )
        if decision.fallback:
            lines.append(Line((("! ", "bold $text-warning"), (decision.fallback, "$text-warning")), lines=2))
        self.strip.show(*lines)

    async def action_undo(self) -> None:
        entry = self.chosen
        if entry is None or self.memory is None:
            return
        if not can_undo(entry):
            self.strip.say(
                "This was taken back already." if entry.undone_by else "This cannot be taken back."
            )
            return
        await self.change(self.memory.journal.undo(entry.id))

    async def action_open(self) -> None:
        entry = self.chosen
        if entry is not None and entry.episode is not None and self.memory is not None:
            await self.guarded(self._open(entry.episode))

    async def _open(self, episode: int) -> None:
        assert self.memory is not None
        found = await self.memory.episodes.get(episode)
        self.post_message(ShowEpisode(found.conversation, found.id))

    def on_option_list_option_selected(self, event: RecordList.OptionSelected) -> None:
        event.stop()

    def _entry(self, item_id: str | None) -> JournalEntry | None:
        number = marks.record_id(item_id, "entry")
        return next((each for each in self._entries if each.id == number), None)


def can_undo(entry: JournalEntry) -> bool:
    return entry.undoable and entry.undone_by is None


def entries(journal: Sequence[JournalEntry], now: datetime) -> list[Heading | Item]:
    """The entries under a heading for each local day."""
    rows: list[Heading | Item] = []
    for day, members in groupby(journal, key=lambda entry: entry.happened.astimezone().date()):
        today = now.astimezone().date()
        rows.append(Heading("Today" if day == today else f"{day:%A} {day.day} {day:%B %Y}"))
        rows.extend(_item(each) for each in members)
    return rows or [Heading("Nothing was changed yet.")]


def _item(entry: JournalEntry) -> Item:
    undone = entry.undone_by is not None
    look = "$text-muted strike" if undone else ""
    return Item(
        f"entry:{entry.id}",
        row(
            Line(
                (
                    (f"{entry.happened.astimezone():%H:%M} ", "$text-muted"),
                    (marks.done(entry), "bold" if not undone else "$text-muted"),
                ),
                (("undone", "$text-warning"),) if undone else (),
            ),
            Line(((entry.summary, look),), lines=2, indent=6),
        ),
    )
