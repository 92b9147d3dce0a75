"""Every action of the screen in one table: its id, key, title, group and slash command.

Bindings, the help screen, the command palette, slash commands and the user's own keys (`[keys]` in the settings file)
all come from here. An action `area.name` is carried out by the method `do_name(argument)` of the object that the main
screen keeps for `area`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from textual.binding import Binding

FORBIDDEN = {
    "ctrl+i": "terminals send it as tab",
    "ctrl+m": "terminals send it as enter",
    "ctrl+a": "terminal multiplexers use it",
    "ctrl+b": "terminal multiplexers use it",
}
"""Keys that no action may have, and why."""


@dataclass(frozen=True, slots=True)
class Action:
    """`key` may hold several, separated by commas, or be empty; `argument` names what the slash command takes, if anything."""

    id: str
    key: str
    title: str
    group: str
    slash: str = ""
    argument: str = ""
    priority: bool = False
    """True: works even where the focused widget has a use of its own for the key."""

    @property
    def area(self) -> str:
        return self.id.partition(".")[0]

    @property
    def name(self) -> str:
        return self.id.partition(".")[2]


ACTIONS: tuple[Action, ...] = (
    Action("compose.send", "enter", "Send the message", "Writing"),
    Action("compose.newline", "ctrl+j,shift+enter", "Start a new line", "Writing"),
    Action("compose.earlier", "up", "Earlier prompt, on the first line", "Writing"),
    Action("compose.later", "down", "Later prompt, on the last line", "Writing"),
    Action("compose.attach", "", "Attach a text file", "Writing", "attach", "FILE"),
    Action("compose.open_paste", "f9", "Look at the folded text", "Writing", "paste", priority=True),
    Action("compose.focus", "ctrl+l", "Go to the message field", "Writing"),
    Action("chat.stop", "escape", "Stop the answer", "Chat", "stop"),
    Action("chat.again", "ctrl+r", "Try again: a new answer to the same message", "Chat", "again"),
    Action("chat.resume", "ctrl+g", "Continue an answer that was cut", "Chat", "continue"),
    Action("chat.edit", "f4", "Edit a sent message and send it anew", "Chat", "edit", priority=True),
    Action("chat.copy", "f6", "Copy the answer", "Chat", "copy", priority=True),
    Action(
        "chat.copy_code", "f7", "Copy a code block of the answer", "Chat", "code", "NUMBER", priority=True
    ),
    Action("chat.copy_question", "", "Copy the message that was sent", "Chat"),
    Action("chat.previous", "alt+up", "Previous message", "Chat"),
    Action("chat.next", "alt+down", "Next message", "Chat"),
    Action("chat.branch_before", "alt+left", "Earlier version of this turn", "Chat"),
    Action("chat.branch_after", "alt+right", "Later version of this turn", "Chat"),
    Action("chat.page_up", "pageup", "Scroll up", "Chat", priority=True),
    Action("chat.page_down", "pagedown", "Scroll down", "Chat", priority=True),
    Action("chat.newest", "ctrl+end", "Newest message", "Chat", priority=True),
    Action("chat.earlier", "ctrl+home", "Load earlier messages", "Chat", priority=True),
    Action("chat.thinking", "ctrl+t", "Open or fold the thinking", "Chat", "thinking"),
    Action("conversation.new", "ctrl+n", "New conversation", "Conversations", "new"),
    Action(
        "conversation.private", "f8", "New private conversation", "Conversations", "private", priority=True
    ),
    Action("conversation.open", "ctrl+o", "Open or search conversations", "Conversations", "open"),
    Action("conversation.rename", "", "Rename this conversation", "Conversations", "title", "TITLE"),
    Action("conversation.pin", "", "Pin or unpin this conversation", "Conversations", "pin"),
    Action("conversation.archive", "", "Archive this conversation", "Conversations", "archive"),
    Action("conversation.delete", "", "Delete this conversation", "Conversations", "delete"),
    Action("conversation.undelete", "", "Bring back the deleted conversation", "Conversations", "undelete"),
    Action(
        "conversation.export", "", "Export as Markdown or JSON", "Conversations", "export", "[md|json] [FILE]"
    ),
    Action(
        "conversation.instructions",
        "",
        "Instructions for this conversation",
        "Conversations",
        "system",
        "TEXT",
    ),
    Action(
        "conversation.temperature",
        "",
        "Temperature for this conversation",
        "Conversations",
        "temperature",
        "0-2",
    ),
    Action("conversation.model", "", "Model for this conversation", "Conversations", "model", "NAME"),
    Action("memory.toggle", "f2", "Show or hide the memory panels", "Memory", "panels", priority=True),
    Action("app.help", "f1", "Help", "Program", "help", priority=True),
    Action("app.palette", "ctrl+p", "All commands", "Program", priority=True),
    Action("app.notices", "f3", "Read the notices", "Program", "notices", priority=True),
    Action("app.setup", "", "Choose what answers", "Program", "setup"),
    Action("app.reconnect", "", "Connect to the model again", "Program", "reconnect"),
    Action(
        "app.copy_or_quit", "ctrl+c", "Copy the selection, else stop, else quit", "Program", priority=True
    ),
    Action("app.quit", "ctrl+q", "Quit", "Program", "quit", priority=True),
)


def bindings(areas: Iterable[str]) -> list[Binding]:
    """Bindings for the actions of these areas that have a key; each carries its id, so that the user's keymap reaches it."""
    wanted = set(areas)
    return [
        Binding(act.key, f"do('{act.id}')", act.title, show=False, priority=act.priority, id=act.id)
        for act in ACTIONS
        if act.area in wanted and act.key
    ]


def by_slash() -> dict[str, Action]:
    """Slash command -> action."""
    return {act.slash: act for act in ACTIONS if act.slash}


def keys_of(user: Mapping[str, str]) -> dict[str, str]:
    """Action id -> its keys, the user's own choice first."""
    return {act.id: user.get(act.id, act.key) for act in ACTIONS}


def problems(user: Mapping[str, str]) -> list[str]:
    """What is wrong with the user's keys, a sentence each: unknown actions, forbidden keys, one key for two actions."""
    known = {act.id for act in ACTIONS}
    found = [f"There is no action “{name}”; the help screen lists all." for name in user if name not in known]
    owners: dict[str, str] = {}
    for name, keys in keys_of(user).items():
        for key in filter(None, (part.strip() for part in keys.split(","))):
            if key in FORBIDDEN:
                found.append(f"“{key}” cannot be the key of {name}: {FORBIDDEN[key]}.")
            if key in owners:
                found.append(f"“{key}” is the key of both {owners[key]} and {name}.")
            owners.setdefault(key, name)
    return found


def keymap(user: Mapping[str, str]) -> dict[str, str]:
    """The user's keys that can be used: action id -> keys. What cannot is told by `problems`."""
    known = {act.id for act in ACTIONS}
    return {
        name: keys
        for name, keys in user.items()
        if name in known and keys.strip() and not any(part.strip() in FORBIDDEN for part in keys.split(","))
    }


def shown_key(keys: str) -> str:
    """Keys as people write them: "ctrl+j, shift+enter" ; the arrows as words stay readable everywhere."""
    return ", ".join(
        part.strip().replace("pageup", "page up").replace("pagedown", "page down")
        for part in keys.split(",")
        if part.strip()
    )
