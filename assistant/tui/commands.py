"""What the command palette offers: every action of the table, and the user's conversations, facts and judgments, models and themes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from rich.text import Text
from textual.command import DiscoveryHit, Hit, Hits, Provider

from assistant.text import clean_text, one_line
from assistant.tui.keys import ACTIONS, IN_COMPOSER, most_used_first, shown_key
from assistant.tui.panels import PANELS, panel_actions

if TYPE_CHECKING:
    from assistant.tui.app import AssistantApp

_UNLISTED = {*IN_COMPOSER, "app.palette"}
_MOST = 20
"""Entries of a kind that are shown."""
_READ = 5_000
"""The newest records of a kind that can be found by their words."""
_LEAST = 0.01
"""Score of an entry that holds all words typed, in another order."""
_LETTERS = 70

Entries = AsyncIterator[tuple[str, Callable[[], Any], str]]
"""(text, what it does, note)."""


class _Commands(Provider):
    """Entries named "area: Verb object". Texts of the user are shown as they are, never read as markup."""

    @property
    def program(self) -> AssistantApp:
        from assistant.tui.app import AssistantApp

        assert isinstance(self.app, AssistantApp)
        return self.app

    def entries(self) -> Entries:
        raise NotImplementedError

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        async for text, does, note in self.entries():
            if (score := matcher.match(text)) > 0:
                # not matcher.highlight: it reads the text as markup
                yield Hit(score, Text(text), does, text=text, help=_unread(note))


class ActionCommands(_Commands):
    async def discover(self) -> Hits:
        """What is listed before anything is typed: the actions alone."""
        async for text, does, note in self.entries():
            yield DiscoveryHit(Text(text), does, text=text, help=_unread(note))

    async def entries(self) -> Entries:
        for act in most_used_first(ACTIONS):
            if act.id not in _UNLISTED:
                key = shown_key(self.program.keys.get(act.id, ""))
                note = "  ".join(filter(None, (key, f"/{act.slash}" if act.slash else "")))
                yield f"{act.group}: {act.title}", partial(self.program.action_do, act.id), note
        for panel, act in panel_actions():
            note = shown_key(self.program.keys.get(act.id, act.key))
            yield f"{act.group}: {act.title}", partial(self.program.front.action_panel, panel.id), note


class _RecordCommands(_Commands):
    """What the user has, which may be much: read once when the palette opens, and shown as far as all words typed occur in it.

    Each letter cancels the search of the one before, and would take with it a reading that `startup` waits for.
    """

    async def startup(self) -> None:
        self._reading = asyncio.create_task(self._read())

    async def shutdown(self) -> None:
        self._reading.cancel()

    async def _read(self) -> list[tuple[str, str, Callable[[], Any], str]]:
        return [(text.casefold(), text, does, note) async for text, does, note in self.entries()]

    async def search(self, query: str) -> Hits:
        words, matcher = query.casefold().split(), self.matcher(query)
        known = await asyncio.shield(self._reading)
        found = (entry for entry in known if all(word in entry[0] for word in words))
        for _, text, does, note in islice(found, _MOST):
            yield Hit(matcher.match(text) or _LEAST, Text(text), does, text=text, help=_unread(note))


class PanelCommands(_RecordCommands):
    """What can be done in a memory panel, with its highlighted row; the panel comes into sight first."""

    async def entries(self) -> Entries:
        for panel in PANELS:
            for act in panel.factory.ACTIONS:
                does = partial(self.program.front.do_in_panel, panel.id, act.action)
                yield f"{act.group}: {act.title}", does, shown_key(self.program.keys.get(act.id, act.key))


class ConversationCommands(_RecordCommands):
    async def entries(self) -> Entries:
        main = self.program.front
        for found in await main.memory.conversations.list() if main.memory else ():
            yield (
                f"Conversation: Open {_named(found.name)}",
                partial(main.desk.show_number, found.id),
                "",
            )


class FactCommands(_RecordCommands):
    async def entries(self) -> Entries:
        main = self.program.front
        for fact in await main.memory.facts.list(limit=_READ) if main.memory else ():
            opens = partial(main.action_do, "memory.open_fact", str(fact.id))
            yield f"Fact: Open {_named(fact.statement)}", opens, ""


class JudgmentCommands(_RecordCommands):
    async def entries(self) -> Entries:
        main = self.program.front
        for each in await main.memory.judgments.list(limit=_READ) if main.memory else ():
            opens = partial(main.action_do, "memory.open_judgment", str(each.id))
            yield f"Judgment: Open {_named(each.judgment)}", opens, f"when {_named(each.trigger)}"


class ModelCommands(_RecordCommands):
    """The models of the connected server, for the conversation that is open."""

    async def entries(self) -> Entries:
        for name in await self.program.front.readiness.models():
            chooses = partial(self.program.action_do, "conversation.model", name)
            yield f"Model: Use {_named(name)} in this conversation", chooses, ""


class ThemeCommands(_RecordCommands):
    async def entries(self) -> Entries:
        for name in sorted(self.program.available_themes):
            yield f"Theme: Use {name}", partial(self.program.action_do, "app.theme", name), ""


def _unread(note: str) -> str | None:
    """A note for the palette, which reads it as markup, so that it is shown as it stands."""
    return note.replace("[", "\\[") or None


def _named(text: str) -> str:
    return one_line(clean_text(text), _LETTERS)


PROVIDERS: tuple[type[Provider], ...] = (
    ActionCommands,
    PanelCommands,
    ConversationCommands,
    FactCommands,
    JudgmentCommands,
    ModelCommands,
    ThemeCommands,
)
