"""Every action of the screen in one table: its id, key, title, group and slash command.

Bindings, the help screen, the command palette, slash commands and the user's own keys (`[keys]` in the settings file)
all come from here. An action `area.name` is carried out by the method `do_name(argument)` of the object that the main
screen keeps for `area`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from assistant.tui.actions import Action

FORBIDDEN = {
    "ctrl+i": "terminals send it as tab",
    "ctrl+m": "terminals send it as enter",
    "ctrl+a": "terminal multiplexers use it",
    "ctrl+b": "terminal multiplexers use it",
}
"""Keys that no action may have, and why."""
_KEY = re.compile(r"\w+(\+\w+)*")


def _act(
    id_: str, key: str, title: str, group: str, slash: str = "", argument: str = "", *, priority: bool = False
) -> Action:
    return Action(id_, key, title, group, f"do('{id_}')", slash=slash, argument=argument, priority=priority)


ACTIONS: tuple[Action, ...] = (
    _act("compose.send", "enter", "Send the message", "Writing"),
    _act("compose.newline", "ctrl+j,shift+enter", "Start a new line", "Writing"),
    _act("compose.earlier", "up", "Take up an earlier prompt, on the first line", "Writing"),
    _act("compose.later", "down", "Take up a later prompt, on the last line", "Writing"),
    _act("compose.attach", "", "Attach a text file", "Writing", "attach", "FILE"),
    _act("compose.open_paste", "f9", "Look at the folded text", "Writing", "paste", priority=True),
    _act("compose.focus", "ctrl+l", "Go to the message field", "Writing"),
    _act("chat.stop", "escape", "Stop the answer", "Chat", "stop"),
    _act("chat.again", "ctrl+r", "Try again, for another answer", "Chat", "again"),
    _act("chat.resume", "ctrl+g", "Continue an answer that was cut", "Chat", "continue"),
    _act("chat.edit", "f4", "Edit a sent message and send it anew", "Chat", "edit", priority=True),
    _act("chat.copy", "f6", "Copy the answer", "Chat", "copy", priority=True),
    _act("chat.copy_code", "f7", "Copy a code block of the answer", "Chat", "code", "NUMBER", priority=True),
    _act("chat.copy_question", "", "Copy the message that was sent", "Chat"),
    _act("chat.previous", "alt+up", "Go to the previous message", "Chat"),
    _act("chat.next", "alt+down", "Go to the next message", "Chat"),
    _act("chat.branch_before", "alt+left", "Show the earlier version of this turn", "Chat"),
    _act("chat.branch_after", "alt+right", "Show the later version of this turn", "Chat"),
    _act("chat.page_up", "pageup", "Scroll up", "Chat"),
    _act("chat.page_down", "pagedown", "Scroll down", "Chat"),
    _act("chat.newest", "ctrl+end", "Go to the newest message", "Chat"),
    _act("chat.earlier", "ctrl+home", "Load earlier messages", "Chat"),
    _act("chat.thinking", "ctrl+t", "Open or fold the thinking", "Chat", "thinking"),
    _act("conversation.new", "ctrl+n", "Begin a new conversation", "Conversations", "new"),
    _act(
        "conversation.private",
        "f8",
        "Begin a new private conversation",
        "Conversations",
        "private",
        priority=True,
    ),
    _act("conversation.open", "ctrl+o", "Open or search conversations", "Conversations", "open"),
    _act("conversation.rename", "", "Rename this conversation", "Conversations", "title", "TITLE"),
    _act("conversation.pin", "", "Pin or unpin this conversation", "Conversations", "pin"),
    _act("conversation.archive", "", "Archive this conversation", "Conversations", "archive"),
    _act("conversation.delete", "", "Delete this conversation", "Conversations", "delete"),
    _act("conversation.undelete", "", "Bring back the deleted conversation", "Conversations", "undelete"),
    _act(
        "conversation.export", "", "Export as Markdown or JSON", "Conversations", "export", "[md|json] [FILE]"
    ),
    _act(
        "conversation.instructions",
        "",
        "Write instructions for this conversation",
        "Conversations",
        "system",
        "TEXT",
    ),
    _act(
        "conversation.temperature",
        "",
        "Set the temperature of this conversation",
        "Conversations",
        "temperature",
        "0-2",
    ),
    _act("conversation.model", "", "Choose the model of this conversation", "Conversations", "model", "NAME"),
    _act("memory.focus", "f10", "Go to the memory panels, or back", "Memory", priority=True),
    _act("memory.toggle", "f2", "Show or hide the memory panels", "Memory", "panels", priority=True),
    _act("memory.remember", "", "Remember a sentence", "Memory", "remember", "SENTENCE"),
    _act(
        "memory.judge", "f5", "Keep the advice of an answer as a judgment", "Memory", "judge", priority=True
    ),
    _act("memory.undo", "", "Undo the newest change to the memory", "Memory", "undo"),
    _act("app.help", "f1", "Show every key and command", "Help", "help", priority=True),
    _act("app.tour", "", "Take the tour", "Help", "tour"),
    _act("app.palette", "ctrl+p", "Show all commands", "Program", priority=True),
    _act("app.notices", "f3", "Read the notices", "Program", "notices", priority=True),
    _act("app.settings", "", "Change the settings", "Program", "settings"),
    _act("app.theme", "", "Choose a theme", "Program", "theme"),
    _act("app.setup", "", "Choose what answers", "Program", "setup"),
    _act("app.reconnect", "", "Connect to the model again", "Program", "reconnect"),
    _act("app.copy_or_quit", "ctrl+c", "Copy the selection, else stop, else quit", "Program", priority=True),
    _act("app.suspend", "", "Back to the shell; fg there comes back", "Program", "suspend"),
    _act("app.quit", "ctrl+q", "Quit", "Program", "quit", priority=True),
)


IN_COMPOSER = ("compose.send", "compose.newline", "compose.earlier", "compose.later")
"""Keys that the message field itself reads."""
NOT_ON_SCREEN = frozenset({*IN_COMPOSER, *(act.id for act in ACTIONS if act.id.startswith("app."))})
"""Actions that are bound elsewhere: in the message field, or in the program so that they work on every screen."""


MOST_USED = (
    "conversation.new",
    "conversation.open",
    "app.help",
    "app.settings",
    "app.theme",
)
"""Actions that lists begin with, in this order."""


def most_used_first(actions: Iterable[Action]) -> list[Action]:
    """The actions with those of MOST_USED first, the others in the order they came in."""
    return sorted(actions, key=lambda act: MOST_USED.index(act.id) if act.id in MOST_USED else len(MOST_USED))


def of_areas(*areas: str) -> list[Action]:
    """The actions whose id begins with one of these areas."""
    return [act for act in ACTIONS if act.id.partition(".")[0] in areas]


def all_actions() -> list[Action]:
    """The table and what the memory panels and the screens over them add to it, group by group."""
    from assistant.tui.panels import PANEL_ACTIONS
    from assistant.tui.screens.conversations import ConversationsScreen
    from assistant.tui.screens.correction import CorrectionScreen
    from assistant.tui.screens.record import RECORD_ACTIONS
    from assistant.tui.screens.settings import SettingsScreen
    from assistant.tui.screens.themes import ThemeScreen

    screens = (ConversationsScreen, CorrectionScreen, SettingsScreen, ThemeScreen)
    everything = [
        *ACTIONS,
        *PANEL_ACTIONS,
        *RECORD_ACTIONS,
        *(act for each in screens for act in each.ACTIONS),
    ]
    groups = dict.fromkeys(act.group for act in everything)
    return [act for group in groups for act in everything if act.group == group]


def by_slash() -> dict[str, Action]:
    """Slash command -> action."""
    return {act.slash: act for act in ACTIONS if act.slash}


def keys_of(user: Mapping[str, str]) -> dict[str, str]:
    """Action id -> its keys, for the table above; of other actions those alone that the user chose keys for."""
    return {act.id: act.key for act in ACTIONS} | dict(user)


def problems(user: Mapping[str, str]) -> list[str]:
    """What is wrong with the user's keys, a sentence each: unknown actions, forbidden keys, one key for two actions.

    A key may be used once on the main screen and once in each panel: there it is the panel's while the cursor is in it.
    """
    everything = {act.id: user.get(act.id, act.key) for act in all_actions()}
    found = [
        f"There is no action “{name}”; the help screen lists all." for name in user if name not in everything
    ]
    owners: dict[tuple[str, str], str] = {}
    on_screen = {act.id for act in ACTIONS}
    for name, keys in everything.items():
        place = "" if name in on_screen else name.partition(".")[0]
        for key in filter(None, (part.strip() for part in keys.split(","))):
            if reason := _unusable(key):
                found.append(f"“{key}” cannot be the key of {name}: {reason}.")
            if (place, key) in owners:
                found.append(f"“{key}” is the key of both {owners[place, key]} and {name}.")
            owners.setdefault((place, key), name)
    return found


def keymap(user: Mapping[str, str]) -> dict[str, str]:
    """The user's keys that can be used: action id -> keys. What cannot is told by `problems`."""
    return {
        name: keys
        for name, keys in user.items()
        if keys.strip() and not any(_unusable(part.strip()) for part in keys.split(","))
    }


def _unusable(key: str) -> str:
    """Why a key cannot be had; "" when it can."""
    if key and not _KEY.fullmatch(key):
        return "keys are written like f12 or ctrl+k"
    return FORBIDDEN.get(key, "")


_WRITTEN = {
    "slash": "/",
    "plus": "+",
    "minus": "-",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "escape": "esc",
    "pageup": "page up",
    "pagedown": "page down",
}


def shown_key(keys: str) -> str:
    """Keys as people write them: "ctrl+j, shift+enter", "/"; the arrows as words stay readable everywhere."""
    parts = (part.strip() for part in keys.split(","))
    return ", ".join(_WRITTEN.get(part, part) for part in parts if part)
