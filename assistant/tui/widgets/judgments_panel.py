"""Judgments: those this answer leaned on, how they proved so far, and a thumb for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Input

from assistant.conversation.events import Planned, Recalled, Reflected, TurnEvent
from assistant.errors import UnknownIdError
from assistant.memory.records import Judgment, Recall, Subject, Verdict, Vote
from assistant.memory.records import Recalled as RecalledItem
from assistant.tui.actions import Action, bindings
from assistant.tui.messages import MemoryChanged
from assistant.tui.widgets import marks
from assistant.tui.widgets.detail_strip import StripButton
from assistant.tui.widgets.judgment_rows import details, entries
from assistant.tui.widgets.memory_panel import MOST_RECORDS, MemoryPanel, kept_recall
from assistant.tui.widgets.record_list import RecordList
from assistant.tui.widgets.search_box import SearchBox

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine


class JudgmentsPanel(MemoryPanel):
    TITLE = "Judgments"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("judgments.right", "r", "Say it proved right", "Judgments"),
        Action("judgments.wrong", "w", "Say it proved wrong, and what is right", "Judgments"),
        Action("judgments.history", "e", "Open its history, edit it", "Judgments"),
        Action("judgments.merge", "m", "Merge it with another", "Judgments"),
        Action("judgments.forget", "d,delete", "Forget the judgment and its votes", "Judgments"),
        Action("judgments.search", "slash", "Search judgments", "Judgments"),
        Action("judgments.undo", "u", "Take back the last change", "Judgments"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]
    BUTTONS = (
        StripButton("✓ right", "right", "right"),
        StripButton("✗ wrong", "wrong", "wrong"),
        StripButton("history", "history"),
        StripButton("undo", "undo", away=True),
    )

    DEFAULT_CSS = """
    JudgmentsPanel > SearchBox { display: none; }
    JudgmentsPanel > SearchBox.-open { display: block; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.episode: int | None = None
        self._used: tuple[RecalledItem, ...] = ()
        self._unread = False
        """Whether what the answer leaned on has yet to be read from the memory."""
        self._judgments: list[Judgment] = []
        self._votes: dict[int, list[Vote]] = {}
        self._fresh: frozenset[int] = frozenset()
        self._merging: int | None = None

    def body(self) -> Sequence[Widget]:
        return [SearchBox("Search judgments"), RecordList()]

    async def show_answer(self, episode: int | None) -> None:
        self.episode, self._used, self._unread, self._fresh = episode, (), True, frozenset()
        await super().show_answer(episode)

    async def follow(self, event: TurnEvent) -> None:
        match event:
            case Planned():
                self.episode, self._used, self._unread, self._fresh = None, (), False, frozenset()
                self.strip.say("")
            case Recalled(recall=recall):
                self.episode, self._used = recall.plan.episode, _in_prompt(recall)
                await self.refresh_records()
                if not self.has_focus_within:
                    self.records.action_first()
            case Reflected(judgments=judgments):
                self._fresh = frozenset(each.id for each in judgments)
                await self.refresh_records()

    async def reload(self) -> None:
        assert self.memory is not None
        if self._unread:
            recall = await kept_recall(self.memory, self.episode)
            self._used, self._unread = (_in_prompt(recall) if recall is not None else ()), False
        query = self.query_one(SearchBox).value.strip()
        used = [] if query else await self._current(self.memory, [each.item.id for each in self._used])
        seen = {each.id for each in used}
        others = [
            each
            for each in await self.memory.judgments.list(query or None, limit=MOST_RECORDS)
            if each.id not in seen
        ]
        self._judgments = [*used, *others]
        self._votes = {each.id: await self.memory.judgments.votes(each.id) for each in used}
        own = {number: self._own_vote(number, votes) for number, votes in self._votes.items()}
        self.header.note(f"{len(used)} used of {len(self._judgments)}" if used else f"{len(self._judgments)}")
        self.records.show(entries(used, others, own, self._fresh))
        await self._describe(self.records.current)

    def describe(self, item_id: str | None) -> None:
        self.run_worker(self._describe(item_id), exclusive=True, group="describe")

    # Thumbs ----------------------------------------------------------------------------------------------------------

    async def action_right(self) -> None:
        """✓; once more takes it back."""
        await self._toggle(Verdict.ADOPTED)

    async def action_wrong(self) -> None:
        """✗, after asking what would have been right; once more takes it back."""
        from assistant.tui.screens.correction import CorrectionScreen

        chosen = self.chosen
        if chosen is None or self.memory is None:
            return
        own = self._own_vote(chosen.id, await self.memory.judgments.votes(chosen.id))
        if own is not None and own.verdict is Verdict.CORRECTED:
            await self._toggle(Verdict.CORRECTED)
        else:
            self.app.push_screen(CorrectionScreen(chosen), lambda text: self._corrected(chosen.id, text))

    async def _corrected(self, judgment: int, correction: str | None) -> None:
        if correction is not None:
            await self._vote(judgment, Verdict.CORRECTED, correction)

    async def _toggle(self, verdict: Verdict) -> None:
        chosen = self.chosen
        if chosen is None or self.memory is None:
            return
        own = self._own_vote(chosen.id, await self.memory.judgments.votes(chosen.id))
        if own is not None and own.verdict is verdict:
            if await self.guarded(
                self.memory.judgments.unvote(chosen.id, episode=self._ballot_episode(chosen.id))
            ):
                await self._voted("Your vote is taken back.")
        else:
            await self._vote(chosen.id, verdict)

    async def _vote(self, judgment: int, verdict: Verdict, correction: str = "") -> None:
        assert self.memory is not None
        work = self.memory.verify(
            judgment, verdict, episode=self._ballot_episode(judgment), correction=correction
        )
        if await self.guarded(work):
            await self._voted(f"Counted: {marks.VERDICTS[verdict]}. The same key takes it back.")

    async def _voted(self, text: str) -> None:
        assert self.memory is not None
        newest = await self.memory.journal.list(subject=Subject.JUDGMENT, limit=1)
        self.last_change = newest[0] if newest else None
        self.strip.say(text)
        self.post_message(MemoryChanged(Subject.JUDGMENT, text))

    # Everything else -------------------------------------------------------------------------------------------------

    def action_history(self) -> None:
        from assistant.tui.screens.judgment import JudgmentScreen

        if self.chosen is not None and self.memory is not None:
            self.app.push_screen(JudgmentScreen(self.memory, self.chosen), self.changed)

    async def action_merge(self) -> None:
        """The first press chooses the judgment to merge, the second the one that stays."""
        chosen = self.chosen
        if chosen is None or self.memory is None:
            return
        if self._merging is None:
            self._merging = chosen.id
            self.strip.say("Go to the judgment that should stay and press m; press m here again to leave it.")
        elif self._merging == chosen.id:
            self._merging = None
            self.strip.say("Nothing was merged.")
        else:
            other, self._merging = self._merging, None
            await self.change(self.memory.judgments.merge(chosen.id, [other]))

    async def action_forget(self) -> None:
        if self.chosen is not None and self.memory is not None:
            await self.change(self.memory.judgments.forget(self.chosen.id))

    def action_search(self) -> None:
        box = self.query_one(SearchBox)
        box.add_class("-open")
        box.focus()

    async def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        await self.refresh_records()

    def on_search_box_left(self, event: SearchBox.Left) -> None:
        box = self.query_one(SearchBox)
        box.set_class(bool(box.value), "-open")
        super().on_search_box_left(event)

    def on_option_list_option_selected(self, event: RecordList.OptionSelected) -> None:
        event.stop()
        self.action_history()

    @property
    def chosen(self) -> Judgment | None:
        """The highlighted judgment."""
        number = marks.record_id(self.records.current, Subject.JUDGMENT)
        return next((each for each in self._judgments if each.id == number), None)

    async def _describe(self, item_id: str | None) -> None:
        number = marks.record_id(item_id, Subject.JUDGMENT)
        judgment = next((each for each in self._judgments if each.id == number), None)
        for do in ("right", "wrong", "history"):
            self.strip.allow(do, judgment is not None)
        if judgment is None or self.memory is None:
            self.strip.show()
            return
        votes = await self.memory.judgments.votes(judgment.id)
        used = next((each for each in self._used if each.item.id == judgment.id), None)
        self.strip.show(*details(judgment, votes, used))

    async def _current(self, memory: MemoryEngine, ids: Sequence[int]) -> list[Judgment]:
        """These judgments as they stand now: without those that were forgotten, and what merged ones became part of."""
        found: dict[int, Judgment] = {}
        for number in ids:
            try:
                judgment = await memory.judgments.get(number)
                if judgment.merged_into is not None:
                    judgment = await memory.judgments.get(judgment.merged_into)
            except UnknownIdError:
                continue
            found[judgment.id] = judgment
        return list(found.values())

    def _ballot_episode(self, judgment: int) -> int | None:
        """The answer a vote is on: the one shown, if it leaned on this judgment."""
        return self.episode if any(each.item.id == judgment for each in self._used) else None

    def _own_vote(self, judgment: int, votes: Sequence[Vote]) -> Vote | None:
        from assistant.memory.collections.judgments import ballot_of

        ballot = ballot_of(self._ballot_episode(judgment))
        return next((each for each in votes if each.ballot == ballot), None)


def _in_prompt(recall: Recall) -> tuple[RecalledItem, ...]:
    return tuple(each for each in recall.judgments if each.fits)
