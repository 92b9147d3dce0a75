"""The turns of a conversation, the newest at the bottom. Only some are mounted; earlier ones come on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.css.query import NoMatches
from textual.dom import NoScreen
from textual.message import Message
from textual.widgets import Static

from assistant.memory.records import Episode
from assistant.tui.widgets.answer import Answer
from assistant.tui.widgets.turn import Turn

_WELCOME = """\
Hello. Write a message below and press Enter.

What you tell about yourself is remembered, on this machine alone. The panels show what is known, what was looked up for \
an answer and what was learned from it; there you can correct it, and say whether advice proved right.

New here? [@click=app.do('app.tour')]/tour[/] shows you around in two minutes, on a demo.
"""


class Welcome(Static):
    """Shown until the first message."""


class EarlierBar(Static):
    """Stands above the oldest mounted turn while there are earlier ones."""

    async def on_click(self) -> None:
        await self.screen.query_one(ChatLog).load_earlier()


class NewOutputBar(Static):
    """Stands at the lower edge while something new is out of sight below."""

    def on_click(self) -> None:
        self.screen.query_one(ChatLog).to_newest()


class ChatLog(VerticalScroll, can_focus=False):
    """`mounted` is how many messages (two a turn) stay on the screen."""

    class Loaded(Message):
        """Earlier turns are on the screen now."""

    def __init__(self, *, mounted: int, keys: Mapping[str, str], id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._most = max(2, mounted // 2)
        self._keys = keys
        self._earlier: list[Episode] = []

    def compose(self) -> ComposeResult:
        yield Welcome(_WELCOME, id="welcome")
        yield EarlierBar(markup=False, id="earlier")

    def on_mount(self) -> None:
        self.query_one("#earlier").display = False
        self.anchor()

    # Filling it -------------------------------------------------------------------------------------------------------

    async def show(self, episodes: Sequence[Episode], *, at: int | None = None) -> None:
        """Show a conversation from its end, or with the turn `at` (an episode id) in sight."""
        with self.app.batch_update():  # one layout of the whole, rather than one after each answer
            await self._fill(episodes, at)
        self.query_one(Welcome).display = not episodes
        self._show_earlier()
        self.to_newest()
        if at is not None:
            self.call_after_refresh(self.go_to, at)

    async def _fill(self, episodes: Sequence[Episode], at: int | None) -> None:
        await self.remove_children(self.turns)
        first = len(episodes) - self._enough(episodes)
        if at is not None:
            place = next((i for i, episode in enumerate(episodes) if episode.id == at), first)
            first = min(first, max(0, place - 1))
        self._earlier = list(episodes[:first])
        await self.mount_all([self._turn(episode) for episode in episodes[first:]])

    def _enough(self, episodes: Sequence[Episode]) -> int:
        """How many turns at the end fill about two screens: what is mounted when a conversation is opened."""
        width, rows = max(self.size.width, 20), 2 * self.size.height
        for count, episode in enumerate(reversed(episodes), 1):
            said = f"{episode.user}\n{episode.assistant}"
            rows -= 3 + said.count("\n") + len(said) // width
            if count == self._most or (rows <= 0 and count > 1):
                return count
        return len(episodes)

    async def begin(self, question: str) -> Turn:
        """A new turn at the bottom, which comes into sight."""
        turn = Turn(question, keys=self._keys)
        await self.mount(turn)
        self.query_one(Welcome).display = False
        await self._drop_oldest()
        self.to_newest()
        return turn

    async def cut_from(self, turn: Turn) -> None:
        """Take away `turn` and what follows: another version of it comes next."""
        turns = self.turns
        await self.remove_children(turns[turns.index(turn) :])

    async def load_earlier(self) -> bool:
        """Mount the turns before the first one, without moving what is being read. False when there are none."""
        if not self._earlier:
            return False
        self._earlier, batch = self._earlier[: -self._most], self._earlier[-self._most :]
        from_end = self.virtual_size.height - self.scroll_y
        self.release_anchor()
        await self.mount_all([self._turn(episode) for episode in batch], after="#earlier")
        self._show_earlier()
        self.post_message(self.Loaded())
        self.call_after_refresh(self._keep_place, from_end)
        return True

    def _keep_place(self, from_end: float) -> None:
        self.scroll_to(y=self.virtual_size.height - from_end, animate=False)

    def _turn(self, episode: Episode) -> Turn:
        return Turn(episode.user, episode, keys=self._keys)

    async def _drop_oldest(self) -> None:
        """Keep the number of mounted turns bounded; called where the view moves to the end anyway."""
        turns = self.turns
        gone = [turn for turn in turns[: max(0, len(turns) - self._most)] if turn.episode is not None]
        self._earlier += [turn.episode for turn in gone if turn.episode is not None]
        await self.remove_children(gone)
        self._show_earlier()

    def _show_earlier(self) -> None:
        bar = self.query_one("#earlier", EarlierBar)
        bar.display = bool(self._earlier)
        key = self._keys.get("chat.earlier", "").partition(",")[0]
        bar.update(f"▲ {len(self._earlier):,} earlier: {key} or click loads them")

    # Finding one's way ------------------------------------------------------------------------------------------------

    @property
    def turns(self) -> list[Turn]:
        return [child for child in self.children if isinstance(child, Turn)]

    @property
    def at_end(self) -> bool:
        """Whether the newest line is in sight. While all fits, an anchored log stands on its lower edge, at a negative scroll_y."""
        return self.scroll_y < 0 or self.scroll_y >= self.max_scroll_y - 1

    @property
    def chosen(self) -> Turn | None:
        """The turn that has the focus, else the last one."""
        turns = self.turns
        focused = self.screen.focused
        for turn in turns:
            if focused is not None and turn in focused.ancestors_with_self:
                return turn
        return turns[-1] if turns else None

    def find(self, episode: int) -> Turn | None:
        return next((turn for turn in self.turns if turn.episode and turn.episode.id == episode), None)

    def go_to(self, episode: int) -> None:
        if turn := self.find(episode):
            turn.focus()
            self.scroll_to_widget(turn, top=True, animate=False)

    async def step(self, direction: int) -> bool:
        """Move the focus one turn up (-1) or down (+1). False at the lower end, where the composer follows."""
        turns = self.turns
        focused = self.screen.focused
        place = turns.index(focused) if isinstance(focused, Turn) and focused in turns else len(turns)
        place += direction
        if place < 0:
            return await self.load_earlier()
        if place >= len(turns):
            return False
        turns[place].focus(scroll_visible=False)
        self.scroll_to_widget(turns[place], top=True, animate=False)
        return True

    def to_newest(self) -> None:
        self.scroll_end(animate=False)
        self._mark_new(below=False)

    # "New output below" -----------------------------------------------------------------------------------------------

    def on_answer_grew(self, _: Answer.Grew) -> None:
        self.call_after_refresh(self._look_below)

    def _look_below(self) -> None:
        self._mark_new(below=not self.at_end)

    def watch_scroll_y(self, old: float, new: float) -> None:
        super().watch_scroll_y(old, new)
        if self.is_mounted and self.at_end:
            self._mark_new(below=False)

    def _mark_new(self, *, below: bool) -> None:
        try:
            self.screen.query_one("#new-output", NewOutputBar).display = below
        except (NoMatches, NoScreen):
            return  # the screen is being taken down
