"""Facts: what is true, as the memory holds it; what this turn changed; and every way to put it right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Input

from assistant.conversation.events import Learned, Planned, TurnEvent
from assistant.memory.records import Fact, JournalEntry, Subject
from assistant.tui.actions import Action, bindings
from assistant.tui.widgets import marks
from assistant.tui.widgets.detail_strip import StripButton
from assistant.tui.widgets.memory_panel import MOST_RECORDS, MemoryPanel
from assistant.tui.widgets.record_list import Heading, Item, RecordList
from assistant.tui.widgets.rows import Line, muted, row
from assistant.tui.widgets.search_box import SearchBox

_STATES = {"fact.add": "new", "fact.update": "changed", "fact.end": "ended", "fact.noop": "said again"}
"""What a turn did to a fact, by the action in the journal."""


class FactsPanel(MemoryPanel):
    TITLE = "Facts"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("facts.search", "slash", "Search facts", "Facts"),
        Action("facts.add", "a", "Add a fact", "Facts"),
        Action("facts.edit", "e", "Edit the fact", "Facts"),
        Action("facts.pin", "p", "Pin or unpin the fact", "Facts"),
        Action("facts.forget", "d,delete", "Forget the fact, every copy of it", "Facts"),
        Action("facts.undo", "u", "Take back the last change", "Facts"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]
    BUTTONS = (
        StripButton("add", "add"),
        StripButton("edit", "edit"),
        StripButton("pin", "pin"),
        StripButton("forget", "forget", "wrong"),
        StripButton("undo", "undo", away=True),
    )

    def __init__(self) -> None:
        super().__init__()
        self._facts: list[Fact] = []
        self._changes: dict[int, JournalEntry] = {}

    def body(self) -> Sequence[Widget]:
        return [SearchBox("Search facts  /"), RecordList()]

    async def follow(self, event: TurnEvent) -> None:
        match event:
            case Planned():
                self._changes = {}
                self._show()
            case Learned(changes=changes, masked=masked):
                self._changes = {
                    each.subject_id: each
                    for each in changes
                    if each.subject_id is not None and each.action in _STATES
                }
                if masked:
                    self.strip.say(f"Hidden before storing: {', '.join(masked)}.")
                await self.refresh_records()

    async def reload(self) -> None:
        if self.memory is not None:
            self._facts = await self.memory.facts.list(self._query or None, limit=MOST_RECORDS)
        self._show()

    async def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        await self.refresh_records()

    def on_option_list_option_selected(self, event: RecordList.OptionSelected) -> None:
        event.stop()
        self.action_edit()

    def action_search(self) -> None:
        self.query_one(SearchBox).focus()

    def action_add(self) -> None:
        from assistant.tui.screens.fact import FactScreen

        if self.memory is not None:
            self.app.push_screen(FactScreen(self.memory, None), self.changed)

    def action_edit(self) -> None:
        from assistant.tui.screens.fact import FactScreen

        fact = self.chosen
        if self.memory is not None and fact is not None:
            self.app.push_screen(FactScreen(self.memory, fact), self.changed)

    async def action_pin(self) -> None:
        fact = self.chosen
        if self.memory is not None and fact is not None:
            await self.change(self.memory.facts.pin(fact.id, not fact.pinned))

    async def action_forget(self) -> None:
        fact = self.chosen
        if self.memory is not None and fact is not None:
            await self.change(self.memory.facts.forget(fact.id))

    @property
    def chosen(self) -> Fact | None:
        """The highlighted fact."""
        return self._fact(self.records.current)

    def describe(self, item_id: str | None) -> None:
        fact = self._fact(item_id)
        for do in ("edit", "pin", "forget"):
            self.strip.allow(do, fact is not None)
        if fact is None:
            self.strip.show()
            return
        self.strip.show(
            Line(((fact.statement, ""),), lines=4),
            muted(f"{fact.key} = {fact.value}" if fact.key else "no key", lines=2),
            muted(
                f"{marks.CONFIDENCES[fact.confidence]}, since {marks.local_time(fact.valid_from, self.now())}"
                + (" · pinned" if fact.pinned else "")
            ),
        )

    @property
    def _query(self) -> str:
        return self.query_one(SearchBox).value.strip()

    def _fact(self, item_id: str | None) -> Fact | None:
        number = marks.record_id(item_id, Subject.FACT)
        return next((each for each in self._facts if each.id == number), None)

    def _show(self) -> None:
        changed = sum(each.action != "fact.noop" for each in self._changes.values())
        self.header.note(f"{len(self._facts)}" + (f" · {changed} changed" if changed else ""))
        self.records.show(entries(self._facts, self._changes, searching=bool(self._query)))
        self.describe(self.records.current)


def entries(
    facts: Sequence[Fact], changes: Mapping[int, JournalEntry], *, searching: bool = False
) -> list[Heading | Item]:
    """Search results as found; otherwise what this turn changed, pinned ones, then by kind."""
    if searching:
        return [_item(each, changes.get(each.id)) for each in facts] or [Heading("Nothing matches")]
    rows: list[Heading | Item] = []
    changed = {fact for fact, entry in changes.items() if entry.action != "fact.noop"}
    rest = [each for each in facts if each.id not in changed]
    groups = [("Changed by this turn", [each for each in facts if each.id in changed])]
    groups.append(("Pinned", [each for each in rest if each.pinned]))
    for kind, title in marks.KINDS.items():
        groups.append((title, [each for each in rest if each.kind is kind and not each.pinned]))
    shown = {each.id for each in facts}
    ended = [entry for fact, entry in changes.items() if fact not in shown and fact in changed]
    for title, members in groups:
        if members:
            rows.append(Heading(title, str(len(members))))
            rows.extend(_item(each, changes.get(each.id)) for each in members)
        if title == groups[0][0] and ended:
            rows.append(Heading("No longer true", str(len(ended))))
            rows.extend(_ended(each) for each in ended)
    return rows or [Heading("Nothing is known yet. Press a to add a fact.")]


def _item(fact: Fact, change: JournalEntry | None) -> Item:
    changed = change is not None and change.action != "fact.noop"
    state = _STATES[change.action] if change is not None else "pinned" if fact.pinned else ""
    right = ((state, "bold $text-success" if changed else "$text-muted"),) if state else ()
    lines = [Line(((fact.statement, "bold" if changed else ""),), right, lines=3)]
    if change is not None and changed:
        if change.before:
            lines.append(
                Line((("was ", "$text-muted"), (change.before, "$text-muted strike")), lines=2, indent=2)
            )
        if change.action != "fact.add":
            lines.append(muted(change.decision.reason, lines=2, indent=2))
    return Item(f"{Subject.FACT}:{fact.id}", row(*lines))


def _ended(entry: JournalEntry) -> Item:
    return Item(
        f"ended:{entry.id}",
        row(
            Line(
                ((entry.before or entry.summary, "$text-muted strike"),),
                (("ended", "$text-warning"),),
                lines=2,
            ),
            muted(entry.decision.reason, lines=2, indent=2),
        ),
    )
