"""The message field: grows with the text, Enter sends, pastes never do, long pastes fold, prompt history on the edges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea

from assistant.text import clean_text
from assistant.tui.keys import IN_COMPOSER
from assistant.tui.widgets.completions import Completions
from assistant.tui.widgets.pastes import Pastes, is_long

_SPACES = {"space", "shift+space"}
_XTERM_SHIFT_ENTER = "shift+\r"
"""xterm's modifyOtherKeys sends shift+enter as ESC[27;2;13~, which gets this name."""
_HINT = "Write a message; / lists commands"


class Composer(TextArea):
    """Posts `Sent` with the whole text, folded pastes unfolded. `prompts` is the history, oldest first, shared with the state file."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "screen.do('chat.page_up')", show=False),
        Binding("pagedown", "screen.do('chat.page_down')", show=False),
        Binding("shift+backspace", "delete_left", show=False),
    ]

    class Sent(Message):
        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(
        self,
        keys: Mapping[str, str],
        prompts: list[str],
        completions: Completions,
        *,
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(
            id=id,
            soft_wrap=True,
            compact=True,
            highlight_cursor_line=False,
            placeholder=_HINT,
            tab_behavior="focus",
        )
        self.cursor_blink = False  # a blinking cursor repaints twice a second, for ever
        self.pastes = Pastes()
        self.prompts = prompts
        self._completions = completions
        self._place: int | None = None
        self._aside = ""
        self._kept: dict[str, Any] = {}
        self._does = {
            key.strip(): name.partition(".")[2] for name in IN_COMPOSER for key in keys[name].split(",")
        } | {_XTERM_SHIFT_ENTER: "newline"}

    # Keys -------------------------------------------------------------------------------------------------------------

    async def _on_key(self, event: events.Key) -> None:
        self._completions.show_for(self.text)  # a key may come before the word of what the last one changed
        if self._completions.display and self._complete(event.key):
            taken = True
        elif event.key in _SPACES and event.character is None:
            taken = bool(self.insert(" "))
        else:
            taken = self._act(self._does.get(event.key, ""))
        if taken:
            event.stop()
        if taken or event.key.startswith("alt+"):  # alt with a letter is a key of the screen, not that letter
            event.prevent_default()
        else:
            await super()._on_key(event)

    def _act(self, name: str) -> bool:
        """Carry out a composer action; False when the key keeps its usual meaning here."""
        match name:
            case "send":
                self.send()
            case "newline":
                self._replace_via_keyboard("\n", *self.selection)
            case "earlier" if self._on_first_line:
                self._step_history(-1)
            case "later" if self._on_last_line and self._place is not None:
                self._step_history(1)
            case _:
                return False
        return True

    def _complete(self, key: str) -> bool:
        match key:
            case "up" | "down":
                self._completions.move(-1 if key == "up" else 1)
            case "tab" | "enter" if self._completions.chosen not in (None, self.text.strip()):
                self.replace_text(f"{self._completions.chosen} ")
            case "escape":
                self._completions.display = False
            case _:
                return False
        return True

    @property
    def _on_first_line(self) -> bool:
        """The first line as wrapped on the screen."""
        return self.wrapped_document.location_to_offset(self.cursor_location).y == 0

    @property
    def _on_last_line(self) -> bool:
        return (
            self.wrapped_document.location_to_offset(self.cursor_location).y
            >= self.wrapped_document.height - 1
        )

    # Text -------------------------------------------------------------------------------------------------------------

    def send(self) -> None:
        """Post the text, if there is any, and clear the field."""
        text = self.pastes.unfold(self.text)
        if not text.strip():
            return
        self.post_message(self.Sent(text))
        self._place = None
        self.pastes = Pastes()
        self.replace_text("")

    def put_back(self, text: str) -> None:
        """Text that was sent but not asked yet returns, before what has been written since."""
        text = self.pastes.fold(text) if is_long(text) else text
        self.replace_text(f"{text}\n\n{self.text}".strip())

    def replace_text(self, text: str) -> None:
        """Put `text` in the field, the cursor at its end."""
        self.load_text(text)
        self.move_cursor(self.document.end)

    async def _on_paste(self, event: events.Paste) -> None:
        """A paste is text, whatever it holds: it never sends, and it arrives once."""
        event.stop()
        event.prevent_default()
        text = clean_text(event.text)
        if text:
            self.add_text(self.pastes.fold(text) if is_long(text) else text)

    def add_text(self, text: str) -> None:
        """Insert at the cursor, over the selection, as if typed."""
        if result := self._replace_via_keyboard(text, *self.selection):
            self.move_cursor(result.end_location)

    def _fit(self) -> None:
        """As high as the text as wrapped, and a fixed number: with `height: auto` every key would lay out the whole screen."""
        self.styles.height = self.wrapped_document.height + self.gutter.height

    def on_resize(self) -> None:
        self.call_next(self._fit)  # the text is wrapped anew after this

    def on_text_area_changed(self) -> None:
        self._fit()
        self._completions.show_for(self.text)

    # History and drafts -----------------------------------------------------------------------------------------------

    def _step_history(self, direction: int) -> None:
        """Show an earlier or later prompt; below the newest comes back what was being written."""
        if self._place is None:
            self._aside = self.text
        place = (len(self.prompts) if self._place is None else self._place) + direction
        if place < 0:
            return
        self._place = place if place < len(self.prompts) else None
        self.replace_text(self._aside if self._place is None else self.prompts[place])

    def begin_editing(self, text: str) -> None:
        """Edit an earlier message; what was being written comes back afterwards."""
        self._kept = self._kept or self.draft
        self.replace_text(text)
        self.border_title = "Editing an earlier message: Enter sends it anew, Esc gives up"
        self.add_class("editing")
        self.focus()

    def end_editing(self) -> None:
        kept, self._kept = self._kept, {}
        self.restore(kept)
        self.border_title = None
        self.remove_class("editing")

    @property
    def draft(self) -> dict[str, Any]:
        """What is being written, as JSON data; while an earlier message is edited, what was written before that."""
        if self._kept:
            return self._kept
        kept = self.pastes.named_in(self.text)
        return {"text": self.text, "pastes": {str(number): text for number, text in kept.items()}}

    def restore(self, draft: Mapping[str, Any]) -> None:
        """Take up a draft; anything of an unexpected shape is left out."""
        texts, text = draft.get("pastes"), draft.get("text")
        kept = texts.items() if isinstance(texts, dict) else ()
        self.pastes = Pastes({int(n): t for n, t in kept if str(n).isdecimal() and isinstance(t, str)})
        self._place = None
        self.replace_text(clean_text(text) if isinstance(text, str) else "")
