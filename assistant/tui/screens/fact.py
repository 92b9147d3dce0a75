"""One fact: statement, key, value, kind; how it changed; the message it came from. Without a fact, a new one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from textual.widget import Widget
from textual.widgets import Button, Input, Label, Select, TextArea

from assistant.errors import MemoryInputError
from assistant.memory.records import Fact, FactKind, JournalEntry
from assistant.text import clean_text
from assistant.tui.screens.record import RecordScreen
from assistant.tui.widgets import marks
from assistant.tui.widgets.rows import Line, Row, muted, row

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine


class FactScreen(RecordScreen):
    def __init__(self, memory: MemoryEngine, fact: Fact | None) -> None:
        super().__init__(memory, "New fact" if fact is None else "Fact")
        self.fact = fact

    def fields(self) -> Sequence[Widget]:
        fact = self.fact
        kinds = [(title, kind) for kind, title in marks.KINDS.items()]
        return [
            Label(
                "Statement, in the third person: “User lives in Leith”", classes="record-label", markup=False
            ),
            TextArea(
                clean_text(fact.statement) if fact else "", id="statement", compact=True, tab_behavior="focus"
            ),
            Label("Key, a short name for the slot: “home_city”", classes="record-label", markup=False),
            Input(clean_text(fact.key) if fact else "", id="key", compact=True),
            Label("Value", classes="record-label", markup=False),
            Input(clean_text(fact.value) if fact else "", id="value", compact=True),
            Label("Kind", classes="record-label", markup=False),
            Select(
                kinds,
                value=fact.kind if fact else FactKind.SEMANTIC,
                allow_blank=False,
                id="kind",
                compact=True,
            ),
        ]

    def buttons(self) -> Sequence[Button]:
        if self.fact is None:
            return []
        return [
            Button("Pin", id="do-pin", compact=True),
            Button("Forget", id="do-forget", compact=True),
            Button("Undo", id="do-undo", compact=True),
        ]

    @property
    def source(self) -> int | None:
        return self.fact.episode if self.fact is not None else None

    async def reload(self) -> None:
        if self.fact is None:
            self.show_state(row(), [])
            return
        versions = await self.memory.facts.history(self.fact.id)
        if not versions:
            self.show_state(row(muted("This fact is forgotten.")), [])
            return
        self.fact = versions[-1]
        self.query_one("#do-pin", Button).label = "Unpin" if self.fact.pinned else "Pin"
        self.show_state(state(self.fact), timeline(versions, self.memory.core.clock()))

    async def save(self) -> JournalEntry | None:
        statement = self.query_one("#statement", TextArea).text.strip()
        key, value = (
            self.query_one("#key", Input).value.strip(),
            self.query_one("#value", Input).value.strip(),
        )
        kind = FactKind(str(self.query_one("#kind", Select).value))
        if not statement:
            raise MemoryInputError("A fact needs a statement.", hint="Write one, or close with Esc.")
        if self.fact is None:
            return await self.memory.facts.add(statement, key=key, value=value, kind=kind)
        before = (self.fact.statement, self.fact.key, self.fact.value, self.fact.kind)
        if (statement, key, value, kind) == before:
            return None
        return await self.memory.facts.edit(
            self.fact.id, statement=statement, key=key, value=value, kind=kind
        )

    async def action_pin(self) -> None:
        if self.fact is not None:
            await self.change(self.memory.facts.pin(self.fact.id, not self.fact.pinned))

    async def action_forget(self) -> None:
        if self.fact is not None and await self.change(self.memory.facts.forget(self.fact.id)):
            self.dismiss(self.last_change)


def state(fact: Fact) -> Row:
    """Confidence and dates, in words."""
    since = f"since {marks.full_time(fact.valid_from)}"
    until = f", until {marks.full_time(fact.valid_to)}" if fact.valid_to is not None else ""
    pinned = " · pinned" if fact.pinned else ""
    return row(muted(f"{marks.CONFIDENCES[fact.confidence]} · {since}{until}{pinned}", lines=2))


def timeline(versions: Sequence[Fact], now: datetime) -> list[Line]:
    """Every version, newest first, with the time it held."""
    lines = []
    for fact in reversed(versions):
        start = marks.local_time(fact.valid_from, now)
        end = "now" if fact.valid_to is None else marks.local_time(fact.valid_to, now)
        mark, look = ("●", "") if fact.current else ("○", "$text-muted")
        lines.append(
            Line(
                ((f"{mark} ", "bold"), (fact.statement, look)),
                ((f"{start} – {end}", "$text-muted"),),
                lines=3,
            )
        )
    return lines
