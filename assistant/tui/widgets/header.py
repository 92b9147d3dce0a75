"""The line at the top: which conversation, which model and what it is doing, how much of its context is used."""

from __future__ import annotations

from enum import StrEnum

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.reactive import reactive
from textual.widgets import Static

from assistant.memory.records import NEW_CONVERSATION
from assistant.text import clean_text, one_line


class Phase(StrEnum):
    """What the screen is waiting for, in the words that the header shows."""

    OPENING = "opening memory…"
    LOADING = "loading model…"
    READY = "ready"
    ANSWERING = "answering…"


class TitleBar(Horizontal):
    """Reactive: set what changed. `context` is the share used, 0 to 1."""

    conversation: reactive[str] = reactive("")
    model: reactive[str] = reactive("")
    phase: reactive[Phase] = reactive(Phase.OPENING)
    private: reactive[bool] = reactive(False)
    context: reactive[float] = reactive(0.0)

    def compose(self) -> ComposeResult:
        yield Static(markup=False, id="title")
        yield Static(markup=False, id="context")
        yield Static(markup=False, id="model")

    def on_mount(self) -> None:
        self._show()

    def watch_conversation(self) -> None:
        self._show()

    watch_model = watch_phase = watch_private = watch_context = watch_conversation

    def _show(self) -> None:
        if not self.children:
            return
        self.set_class(self.private, "private")
        title = one_line(clean_text(self.conversation), 80) or NEW_CONVERSATION
        self.query_one("#title", Static).update(
            Text(f"PRIVATE, nothing is remembered · {title}" if self.private else title)
        )
        self.query_one("#context", Static).update(Text(f"context {self.context:.0%}" if self.context else ""))
        self.query_one("#model", Static).update(Text(self.model_words()))

    def model_words(self) -> str:
        """Model and state: "llama3 · ready", "memory only · ready", "SmolLM2 135M (tiny) · answering…"."""
        name = one_line(clean_text(self.model), 40)
        if not name:
            name = "" if self.phase in (Phase.OPENING, Phase.LOADING) else "memory only"
        return f"{name} · {self.phase}" if name else str(self.phase)
