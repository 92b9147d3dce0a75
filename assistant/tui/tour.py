"""The steps of the tour, as data: what each says, where to look, and what the user does to get on."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.command import CommandPalette

from assistant.tui.keys import all_actions, shown_key
from assistant.tui.screens.fact import FactScreen
from assistant.tui.widgets.journal_panel import JournalPanel
from assistant.tui.widgets.judgments_panel import JudgmentsPanel

if TYPE_CHECKING:
    from assistant.tui.screens.main import MainScreen


@dataclass(frozen=True, slots=True)
class Step:
    """`done` looks at the screen: the step is over when what it returns has changed into something true."""

    title: str
    text: str
    """An action's id in braces stands for its key."""
    look: str
    """Selector of the part of the screen that it is about; "" for none."""
    done: Callable[[MainScreen], object]
    instead: Callable[[MainScreen], None] | None = None
    """Does it for a user who goes on without: later steps build on it."""


def _asked(screen: MainScreen) -> object:
    return screen.flow.running


def _in_plan(screen: MainScreen) -> object:
    return screen.query_one("#panel-plan").has_focus_within


def _fact_opened(screen: MainScreen) -> object:
    return isinstance(screen.app.screen, FactScreen)


def _voted(screen: MainScreen) -> object:
    return screen.query_one(JudgmentsPanel).last_change


def _undone(screen: MainScreen) -> object:
    return screen.query_one(JournalPanel).last_change


def _private(screen: MainScreen) -> object:
    return screen.flow.session is not None and screen.flow.session.private


def _palette_opened(screen: MainScreen) -> object:
    return isinstance(screen.app.screen, CommandPalette)


def _never(_: MainScreen) -> object:
    return None


STEPS: tuple[Step, ...] = (
    Step(
        "Ask",
        "This is a demo with a memory of its own; yours is not touched. A question waits in the message field: "
        "{compose.send} sends it.",
        "#composer",
        _asked,
        instead=lambda screen: screen.composer.send(),
    ),
    Step(
        "The plan",
        "Before it answered, the assistant planned what to look up: known facts, or past conversations too. The Plan panel "
        "says what, why and how sure. {memory.focus} leads to the panels, {panels.plan} to the Plan.",
        "#panel-plan",
        _in_plan,
    ),
    Step(
        "Facts",
        "What is true now. The ceiling was 200 and became 250: press {panels.facts}, go to the ceiling with the arrow keys, "
        "and Enter shows what it was before and which message it came from. Esc closes it.",
        "#panel-facts",
        _fact_opened,
    ),
    Step(
        "Judgments",
        "How to act, and how that proved so far. The answer leaned on one: press {panels.judgments}, then {judgments.right} if "
        "it proved right or {judgments.wrong} if wrong. The next answer follows what proved right.",
        "#panel-judgments",
        _voted,
    ),
    Step(
        "Journal",
        "Everything the memory did, newest first. Press {panels.journal}, then {journal.undo} to take back the highlighted "
        "change: your vote, for instance.",
        "#panel-journal",
        _undone,
    ),
    Step(
        "Private",
        "{conversation.private} begins a private conversation. It may use what is known, and nothing of it is kept; the line "
        "at the top says so.",
        "TitleBar",
        _private,
    ),
    Step(
        "Commands",
        "{app.palette} lists all there is to do, and finds conversations and facts as you type. A / in the message field "
        "lists commands, {app.help} every key.",
        "",
        _palette_opened,
    ),
    Step(
        "That is all",
        "{chat.stop} leads back to where you were, and nothing of this is kept. /tour shows it again.",
        "",
        _never,
    ),
)

_ACTION = re.compile(r"\{([a-z]+\.[a-z_]+)\}")


def with_keys(text: str, keys: Mapping[str, str]) -> str:
    """`text` with the first key of each action that stands in braces, as it is written on keyboards; `keys` are the user's."""
    in_force = {act.id: act.key for act in all_actions()} | dict(keys)

    def key(match: re.Match[str]) -> str:
        first = shown_key(in_force[match[1]].partition(",")[0])
        return first.title() if len(first) > 1 else first

    return _ACTION.sub(key, text)
