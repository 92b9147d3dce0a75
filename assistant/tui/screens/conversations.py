"""The list of conversations: search by words and meaning, open, pin, rename, archive, delete with undo."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from assistant.memory.records import Conversation, Episode, Recalled
from assistant.text import clean_text, one_line
from assistant.tui.actions import Action, bindings, key_of
from assistant.tui.keys import shown_key

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine

_HITS = 30
_LOOK = 0.5
"""Seconds between two looks at which conversations are being answered."""
_GROUP = "List of conversations"
_WORDS = {
    "conversations.pin": "pin",
    "conversations.rename": "rename",
    "conversations.archive": "archive",
    "conversations.delete": "delete",
    "conversations.undo": "undo",
    "conversations.archived": "archived too",
    "conversations.search": "search",
    "conversations.leave": "closes",
}
"""What the line at the foot says of an action's key."""


@dataclass(frozen=True, slots=True)
class Chosen:
    conversation: int
    episode: int | None = None


class ConversationsScreen(ModalScreen[Chosen | None]):
    """Dismisses with what was chosen."""

    CSS_PATH = "dialog.tcss"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("conversations.pin", "p", "Pin or unpin it", _GROUP),
        Action("conversations.rename", "r", "Rename it", _GROUP),
        Action("conversations.archive", "a", "Archive it, or bring it back", _GROUP),
        Action("conversations.delete", "d,delete", "Delete it", _GROUP),
        Action("conversations.undo", "u", "Take back the last deletion or archiving", _GROUP),
        Action("conversations.archived", "A,shift+a", "Show archived ones too", _GROUP),
        Action("conversations.search", "slash", "Search", _GROUP),
        Action("conversations.down", "j", "Next", _GROUP, "move(1)"),
        Action("conversations.up", "k", "The one before", _GROUP, "move(-1)"),
        Action("conversations.leave", "escape", "Close the list", _GROUP),
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    def __init__(
        self,
        memory: MemoryEngine,
        keys: Mapping[str, str],
        query: str = "",
        *,
        here: int | None = None,
        answering: Callable[[], Collection[int]] = frozenset,
    ) -> None:
        """`keys` are those in force, by action id; `here` is the conversation that is open.

        `answering` gives the ids of those that an answer is under way in.
        """
        super().__init__()
        self._memory = memory
        self._keys = keys
        self._query = query
        self._place = f"c{here}"
        self._answering = answering
        self._marked: set[int] = set()
        self._archived = False
        self._shown: dict[str, Conversation] = {}
        self._renaming: Conversation | None = None
        self._undo: list[int] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog wide") as dialog:
            dialog.border_title = "Conversations"
            yield Input(self._query, placeholder="Search titles and everything that was said", id="query")
            yield Input(placeholder="New title", id="title")
            yield OptionList(id="list", markup=False)
            yield Static(self._ways(), classes="hint", id="hint")

    def on_mount(self) -> None:
        self.query_one("#title").display = False
        self.query_one("#query" if self._query else "#list").focus()
        self.fill()
        self.set_interval(_LOOK, self._look)

    # The list -----------------------------------------------------------------------------------------------------------

    @work(exclusive=True, group="fill")
    async def fill(self) -> None:
        """List what fits the query; the cursor stays on its row, wherever that is now."""
        query = self._query.strip() or None
        found = await self._memory.conversations.list(query, archived=self._archived)
        hits: Sequence[Recalled] = await self._memory.episodes.search(query) if query else ()
        titles = {each.id: each for each in found}
        for number in {hit.item.conversation for hit in hits if isinstance(hit.item, Episode)} - set(titles):
            titles[number] = await self._memory.conversations.get(number)
        self._show(found, hits[:_HITS], titles)

    def _look(self) -> None:
        """List them anew once an answer has ended, or begun."""
        if set(self._answering()) != self._marked:
            self.fill()

    def _show(
        self, found: Sequence[Conversation], hits: Sequence[Recalled], titles: Mapping[int, Conversation]
    ) -> None:
        rows = self.query_one("#list", OptionList)
        before = rows.highlighted or 0
        if rows.highlighted is not None:
            self._place = rows.get_option_at_index(before).id or ""
        self._shown = {f"c{each.id}": each for each in found}
        self._marked = set(self._answering())
        options = [
            Option(_conversation_row(each, answering=each.id in self._marked), id=f"c{each.id}")
            for each in found
        ]
        if hits:
            options.append(Option(Text("Said in a conversation", style="bold"), disabled=True))
        options += [
            Option(_hit_row(hit.item, titles), id=f"e{hit.item.conversation}.{hit.item.id}")
            for hit in hits
            if isinstance(hit.item, Episode)
        ]
        rows.clear_options()
        rows.add_options(
            options
            or [Option(Text("Nothing was found." if self._query else "There is none yet."), disabled=True)]
        )
        places = [option.id for option in options]
        place = places.index(self._place) if self._place in places else min(before, len(options) - 1)
        rows.highlighted = place if options else None

    @on(Input.Changed, "#query")
    def _search(self, message: Input.Changed) -> None:
        self._query = message.value
        self.set_timer(0.15, self.fill)

    @on(Input.Submitted, "#query")
    def _to_list(self) -> None:
        self.query_one("#list").focus()

    @on(OptionList.OptionSelected)
    def _open(self, message: OptionList.OptionSelected) -> None:
        conversation, _, episode = (message.option_id or "")[1:].partition(".")
        if conversation:
            self.dismiss(Chosen(int(conversation), int(episode) if episode else None))

    # Actions ------------------------------------------------------------------------------------------------------------

    @property
    def _highlighted(self) -> Conversation | None:
        rows = self.query_one("#list", OptionList)
        if rows.highlighted is None:
            return None
        return self._shown.get(rows.get_option_at_index(rows.highlighted).id or "")

    def action_leave(self) -> None:
        title = self.query_one("#title", Input)
        if title.display:
            title.display = False
            self.query_one("#list").focus()
        else:
            self.dismiss(None)

    def action_search(self) -> None:
        self.query_one("#query").focus()

    def action_move(self, step: int) -> None:
        rows = self.query_one("#list", OptionList)
        (rows.action_cursor_down if step > 0 else rows.action_cursor_up)()

    async def action_pin(self) -> None:
        if chosen := self._highlighted:
            await self._memory.conversations.pin(chosen.id, not chosen.pinned)
            self.fill()

    async def action_archive(self) -> None:
        if chosen := self._highlighted:
            entry = await self._memory.conversations.archive(chosen.id, not chosen.archived)
            self._done(entry.id, f"{'Brought back' if chosen.archived else 'Archived'} “{chosen.name}”.")

    def action_archived(self) -> None:
        self._archived = not self._archived
        self.fill()

    async def action_delete(self) -> None:
        if chosen := self._highlighted:
            entry = await self._memory.conversations.delete(chosen.id)
            self._done(entry.id, f"Deleted “{chosen.name}”.")

    async def action_undo(self) -> None:
        if self._undo:
            await self._memory.undo(self._undo.pop())
            self._hint("Undone.")
            self.fill()

    def action_rename(self) -> None:
        if chosen := self._highlighted:
            self._renaming = chosen
            title = self.query_one("#title", Input)
            title.value, title.display = chosen.title, True
            title.focus()

    @on(Input.Submitted, "#title")
    async def _renamed(self, message: Input.Submitted) -> None:
        title = one_line(clean_text(message.value), 120)
        if self._renaming is not None and title:
            await self._memory.conversations.rename(self._renaming.id, title)
        message.input.display = False
        self.query_one("#list").focus()
        self.fill()

    def _done(self, entry: int, words: str) -> None:
        self._undo.append(entry)
        undo = next(act for act in self.ACTIONS if act.id == "conversations.undo")
        self._hint(f"{words} {shown_key(key_of(undo, self._keys))} takes it back.")
        self.fill()

    def _hint(self, words: str) -> None:
        self.query_one("#hint", Static).update(Content(f"{clean_text(words)}\n") + self._ways())

    def _ways(self) -> Content:
        """The keys, in a line that can be clicked: "Enter opens · p pin · …"."""
        named = [(act, word) for act in self.ACTIONS if (word := _WORDS.get(act.id))]
        ways = [
            Content.from_markup(
                f"[@click=screen.{act.action}]$key $word[/]",
                key=shown_key(key_of(act, self._keys)),
                word=word,
            )
            for act, word in named
        ]
        return Content(" · ").join([Content("Enter opens"), *ways])


def _conversation_row(each: Conversation, *, answering: bool) -> Text:
    marks = ("▲ " if each.pinned else "") + ("(archived) " if each.archived else "")
    title = one_line(clean_text(each.name), 80)
    turns = f"{each.turns} turn{'' if each.turns == 1 else 's'}" + (" · answering…" if answering else "")
    return Text.assemble(
        f"{each.updated.astimezone():%d %b %Y  %H:%M}  ", (marks + title, "bold"), f"  {turns}"
    )


def _hit_row(episode: Episode, titles: Mapping[int, Conversation]) -> Text:
    said = one_line(clean_text(f"{episode.user} → {episode.assistant}"), 140)
    title = one_line(clean_text(titles[episode.conversation].name), 40)
    return Text.assemble(f"{episode.said.astimezone():%d %b %Y  %H:%M}  ", (title, "bold"), f"  {said}")
