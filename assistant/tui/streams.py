"""Answers under way: each goes on whether its conversation is on the screen or not, and is shown again when it is opened."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, cast

from assistant.conversation.events import Answered, Delta, Failed, Thinking, TurnEvent

if TYPE_CHECKING:
    from assistant.conversation.turn import Session
    from assistant.memory.ports import ChatModel
    from assistant.tui.widgets.turn import Turn


@dataclass(slots=True)
class Stream:
    session: Session
    turn: Turn
    """Where it is shown; another widget each time its conversation is opened."""
    model: ChatModel | None
    """Who is answering; the session may be given another one meanwhile."""
    heard: list[TurnEvent] = field(default_factory=list)
    """Every event so far, in order."""
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def answering(self) -> bool:
        """Whether more of the answer may come; what the turn taught may follow after that."""
        return not any(isinstance(event, Answered | Failed) for event in self.heard[-3:])

    async def move_to(self, turn: Turn) -> None:
        """Show in `turn` all that was heard, also what comes meanwhile; from then on events go there."""
        shown = 0
        while shown < len(self.heard):
            fresh, shown = self.heard[shown:], len(self.heard)
            for event in _joined(fresh):
                await turn.follow(event)
        self.turn = turn


def _joined(heard: Iterable[TurnEvent]) -> Iterator[TurnEvent]:
    """The events, with text that came in pieces joined."""
    for kind, events in groupby(heard, key=type):
        if kind is Delta or kind is Thinking:
            yield kind("".join(cast("Delta | Thinking", event).text for event in events))
        else:
            yield from events
