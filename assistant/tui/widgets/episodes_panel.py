"""Episodes: past turns that were looked up for the question, or searched by hand, with what was said around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Input

from assistant.conversation.events import Planned, Recalled, TurnEvent
from assistant.memory.records import Episode, Subject
from assistant.memory.records import Recalled as RecalledItem
from assistant.text import plural
from assistant.tui.actions import Action, bindings
from assistant.tui.messages import ShowEpisode
from assistant.tui.widgets import marks
from assistant.tui.widgets.detail_strip import StripButton
from assistant.tui.widgets.memory_panel import MemoryPanel, kept_recall
from assistant.tui.widgets.record_list import Heading, Item, RecordList
from assistant.tui.widgets.rows import Line, muted, row
from assistant.tui.widgets.search_box import SearchBox

_REACH = 2
"""Turns shown before and after a hit."""


class EpisodesPanel(MemoryPanel):
    TITLE = "Episodes"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("episodes.open", "o", "Go to where it was said", "Episodes"),
        Action("episodes.around", "n", "Show or hide the turns around it", "Episodes"),
        Action("episodes.archive", "x", "Archive it: found only when searched for", "Episodes"),
        Action("episodes.forget", "d,delete", "Forget it, and facts known from it alone", "Episodes"),
        Action("episodes.search", "slash", "Search what was said", "Episodes"),
        Action("episodes.undo", "u", "Take back the last change", "Episodes"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]
    BUTTONS = (
        StripButton("open", "open"),
        StripButton("around", "around"),
        StripButton("archive", "archive"),
        StripButton("forget", "forget", "wrong"),
        StripButton("undo", "undo", away=True),
    )

    def __init__(self) -> None:
        super().__init__()
        self._recalled: tuple[RecalledItem, ...] = ()
        self._unread: int | None = None
        """The answer for which it has yet to be read from the memory what was recalled."""
        self._found: tuple[RecalledItem, ...] = ()
        self._around: dict[int, list[Episode]] = {}
        self._titles: dict[int, str] = {}

    def body(self) -> Sequence[Widget]:
        return [SearchBox("Search what was said  /"), RecordList()]

    async def show_answer(self, episode: int | None) -> None:
        self._recalled, self._around, self._unread = (), {}, episode
        await super().show_answer(episode)

    async def follow(self, event: TurnEvent) -> None:
        match event:
            case Planned():
                self._recalled, self._around, self._unread = (), {}, None
            case Recalled(recall=recall):
                self._recalled = recall.episodes
                await self.refresh_records()

    async def reload(self) -> None:
        assert self.memory is not None
        if self._unread is not None:
            recall = await kept_recall(self.memory, self._unread)
            self._recalled, self._unread = (recall.episodes if recall is not None else ()), None
        query = self.query_one(SearchBox).value.strip()
        self._found = tuple(await self.memory.episodes.search(query)) if query else self._recalled
        self._titles = {each.id: each.title for each in await self.memory.conversations.list()}
        number = len(self._found)
        self.header.note(
            plural(number, "hit") if query else f"{number} recalled" if number else "none recalled"
        )
        self.records.show(entries(self._found, self._around, self._titles, self.now()))
        self.describe(self.records.current)

    def describe(self, item_id: str | None) -> None:
        number = marks.record_id(item_id, Subject.EPISODE)
        found = next((each for each in self._found if each.item.id == number), None)
        for do in ("open", "around", "archive", "forget"):
            self.strip.allow(do, self.chosen is not None)
        if found is None:
            self.strip.show()
            return
        self.strip.show(
            Line(((found.reason, ""),), lines=2),
            muted(marks.score(found), lines=2),
        )

    @property
    def chosen(self) -> Episode | None:
        """The highlighted turn, a hit or one around it."""
        kind, _, number = (self.records.current or "").rpartition(":")
        if not kind:
            return None
        shown = [each.item for each in self._found if isinstance(each.item, Episode)]
        shown += [each for around in self._around.values() for each in around]
        return next((each for each in shown if each.id == int(number)), None)

    def action_open(self) -> None:
        if self.chosen is not None:
            self.post_message(ShowEpisode(self.chosen.conversation, self.chosen.id))

    async def action_around(self) -> None:
        number = marks.record_id(self.records.current, Subject.EPISODE)
        if number is None or self.memory is None:
            return
        if self._around.pop(number, None) is None:
            near = await self.memory.episodes.neighbours(number, _REACH)
            self._around[number] = [each for each in near if each.id != number]
        await self.refresh_records()

    async def action_archive(self) -> None:
        chosen = self.chosen
        if chosen is not None and self.memory is not None:
            await self.change(self.memory.episodes.archive([chosen.id]))

    async def action_forget(self) -> None:
        chosen = self.chosen
        if (
            chosen is not None
            and self.memory is not None
            and await self.change(self.memory.episodes.forget(chosen.id))
        ):
            self._recalled = tuple(each for each in self._recalled if each.item.id != chosen.id)
            await self.refresh_records()

    def action_search(self) -> None:
        self.query_one(SearchBox).focus()

    async def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._around = {}
        await self.refresh_records()

    def on_option_list_option_selected(self, event: RecordList.OptionSelected) -> None:
        event.stop()
        self.action_open()


def entries(
    found: Sequence[RecalledItem],
    around: Mapping[int, Sequence[Episode]],
    titles: Mapping[int, str],
    now: datetime,
) -> list[Heading | Item]:
    """Hits, best first, each with the turns before and after it where they are open."""
    rows: list[Heading | Item] = []
    for each in found:
        if not isinstance(each.item, Episode):
            continue
        near = around.get(each.item.id, ())
        rows += [_near(hit, each.item) for hit in near if _before(hit, each.item)]
        rows.append(_hit(each, each.item, titles.get(each.item.conversation, ""), now))
        rows += [_near(hit, each.item) for hit in near if not _before(hit, each.item)]
    return rows or [Heading("No past turn was needed. Search with /")]


def _before(one: Episode, other: Episode) -> bool:
    return (one.said, one.id) < (other.said, other.id)


def _hit(found: RecalledItem, episode: Episode, title: str, now: datetime) -> Item:
    when = marks.local_time(episode.said, now)
    right = marks.strength(found) if found.fits else "left out"
    return Item(
        f"{Subject.EPISODE}:{episode.id}",
        row(
            Line(
                ((when, "bold"), (f" · {title}" if title else "", "$text-muted")), ((right, "$text-muted"),)
            ),
            Line(((episode.user, ""),), lines=3, indent=1, lead=(("you ", "$text-muted"),)),
            muted(f"answered {episode.assistant}", lines=2, indent=5),
        ),
    )


def _near(episode: Episode, hit: Episode) -> Item:
    side = "before" if _before(episode, hit) else "after"
    return Item(
        f"near:{hit.id}:{episode.id}",
        row(Line(((f"{side} ", "$text-muted italic"), (episode.user, "$text-muted")), lines=2, indent=4)),
    )
