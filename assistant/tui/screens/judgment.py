"""One judgment: trigger, judgment, reasoning, domain; its votes; the message it came from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from textual.widget import Widget
from textual.widgets import Button, Input, Label, TextArea

from assistant.errors import MemoryInputError, UnknownIdError
from assistant.memory.records import JournalEntry, Judgment, Vote
from assistant.text import clean_text
from assistant.tui.screens.record import RecordScreen
from assistant.tui.widgets import marks
from assistant.tui.widgets.rows import Line, Row, muted, row

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine

_FIELDS = {
    "trigger": "When: the kind of situation",
    "judgment": "Judgment: how to act in it",
    "reasoning": "Because",
}


class JudgmentScreen(RecordScreen):
    def __init__(self, memory: MemoryEngine, judgment: Judgment) -> None:
        super().__init__(memory, "Judgment")
        self.judgment = judgment

    def fields(self) -> Sequence[Widget]:
        widgets: list[Widget] = []
        for name, label in _FIELDS.items():
            widgets.append(Label(label, classes="record-label", markup=False))
            widgets.append(
                TextArea(
                    clean_text(getattr(self.judgment, name)), id=name, compact=True, tab_behavior="focus"
                )
            )
        widgets.append(Label("Domain, one word", classes="record-label", markup=False))
        widgets.append(Input(clean_text(self.judgment.domain), id="domain", compact=True))
        return widgets

    def buttons(self) -> Sequence[Button]:
        return [
            Button("Forget", id="do-forget", compact=True),
            Button("Undo", id="do-undo", compact=True),
        ]

    @property
    def source(self) -> int | None:
        return self.judgment.episode

    async def reload(self) -> None:
        try:
            self.judgment = await self.memory.judgments.get(self.judgment.id)
        except UnknownIdError:
            self.show_state(row(muted("This judgment is forgotten.")), [])
            return
        votes = await self.memory.judgments.votes(self.judgment.id)
        self.show_state(state(self.judgment, votes), timeline(votes, self.memory.core.clock()))

    async def save(self) -> JournalEntry | None:
        written = {name: self.query_one(f"#{name}", TextArea).text.strip() for name in _FIELDS}
        written["domain"] = self.query_one("#domain", Input).value.strip()
        if not written["trigger"] or not written["judgment"]:
            raise MemoryInputError("A judgment needs a situation and what to do in it.")
        changed = {name: text for name, text in written.items() if text != getattr(self.judgment, name)}
        return await self.memory.judgments.edit(self.judgment.id, **changed) if changed else None

    async def action_forget(self) -> None:
        if await self.change(self.memory.judgments.forget(self.judgment.id)):
            self.dismiss(self.last_change)


def state(judgment: Judgment, votes: Sequence[Vote]) -> Row:
    """How it proved so far."""
    bar = marks.utility_bar(judgment.utility, half=8)
    verdict = (
        "proved wrong" if judgment.refuted else "proved right" if judgment.adopted else "not verified yet"
    )
    lines = [
        Line(
            (
                (f"{bar} {judgment.utility:+.2f}", ""),
                (f"  {marks.counts(judgment)}  {verdict}", "$text-muted"),
            )
        ),
        muted(f"since {marks.full_time(judgment.created)}"),
    ]
    if votes:
        lines.append(muted(f"trend {marks.trend(votes)}, oldest first"))
    if judgment.correction:
        lines.append(Line((("right: ", "bold $text-success"), (judgment.correction, "")), lines=4))
    return row(*lines)


def timeline(votes: Sequence[Vote], now: datetime) -> list[Line]:
    """Every vote, newest first, with its correction."""
    return [
        Line(
            ((f"{marks.VERDICTS[vote.verdict]}  ", "bold"), (vote.correction, "")),
            ((marks.local_time(vote.voted, now), "$text-muted"),),
            lines=3,
        )
        for vote in sorted(votes, key=lambda vote: vote.voted, reverse=True)
    ]
