"""What the command palette offers: every action of the table, the user's conversations, the themes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.text import Text
from textual.command import DiscoveryHit, Hit, Hits, Provider

from assistant.text import clean_text, one_line
from assistant.tui.keys import ACTIONS, IN_COMPOSER, most_used_first, shown_key
from assistant.tui.panels import panel_actions

if TYPE_CHECKING:
    from assistant.tui.app import AssistantApp

_UNLISTED = {*IN_COMPOSER, "app.palette"}


class _Commands(Provider):
    """Entries as (text, what it does, note). Texts of the user are shown as they are, never read as markup."""

    @property
    def program(self) -> AssistantApp:
        from assistant.tui.app import AssistantApp

        assert isinstance(self.app, AssistantApp)
        return self.app

    def entries(self) -> AsyncIterator[tuple[str, Callable[[], Any], str]]:
        raise NotImplementedError

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        async for text, does, note in self.entries():
            if (score := matcher.match(text)) > 0:
                # not matcher.highlight: it reads the text as markup
                yield Hit(score, Text(text), does, text=text, help=note or None)


class ActionCommands(_Commands):
    async def discover(self) -> Hits:
        """What is listed before anything is typed: the actions alone."""
        async for text, does, note in self.entries():
            yield DiscoveryHit(Text(text), does, text=text, help=note or None)

    async def entries(self) -> AsyncIterator[tuple[str, Callable[[], Any], str]]:
        for act in most_used_first(ACTIONS):
            if act.id not in _UNLISTED:
                key = shown_key(self.program.keys.get(act.id, ""))
                note = "  ".join(filter(None, (key, f"/{act.slash}" if act.slash else "")))
                yield f"{act.group}: {act.title}", partial(self.program.action_do, act.id), note
        for panel, act in panel_actions():
            note = shown_key(self.program.keys.get(act.id, act.key))
            yield f"{act.group}: {act.title}", partial(self.program.front.action_panel, panel.id), note


class ConversationCommands(_Commands):
    async def entries(self) -> AsyncIterator[tuple[str, Callable[[], Any], str]]:
        main = self.program.front
        if main.memory is None:
            return
        for found in await main.memory.conversations.list():
            title = one_line(clean_text(found.title), 70) or "(no title)"
            yield f"Conversation: {title}", partial(main.desk.show_number, found.id), ""


class ThemeCommands(_Commands):
    async def entries(self) -> AsyncIterator[tuple[str, Callable[[], Any], str]]:
        for name in sorted(self.program.available_themes):
            yield f"Theme: {name}", partial(self.program.action_do, "app.theme", name), ""
