"""Slash commands that fit what is being typed, shown above the message field."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from assistant.tui.actions import Action
from assistant.tui.keys import by_slash, most_used_first


class Completions(OptionList, can_focus=False):
    """Shown while the text is a slash and the beginning of a command. Up, down, tab and a click choose."""

    _text = ""

    def on_mount(self) -> None:
        self.display = False

    def show_for(self, text: str) -> None:
        """List the commands that begin with `text`; hide when none does or a blank follows. What is listed for it stays."""
        if text == self._text:
            return
        self._text = text
        found = [act for name, act in sorted(by_slash().items()) if text and f"/{name}".startswith(text)]
        self.display = bool(found)
        if not found:
            return
        self.clear_options()
        self.add_options([_option(act) for act in most_used_first(found)])
        self.highlighted = 0

    def move(self, step: int) -> None:
        if step < 0:
            self.action_cursor_up()
        else:
            self.action_cursor_down()

    @property
    def chosen(self) -> str | None:
        """The highlighted command with its slash."""
        if self.highlighted is None:
            return None
        return self.get_option_at_index(self.highlighted).id


def _option(act: Action) -> Option:
    usage = f"/{act.slash} {act.argument}".rstrip()
    return Option(Text.assemble((f"{usage:<28}", "bold"), act.title), id=f"/{act.slash}")
