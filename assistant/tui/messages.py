"""What the panels ask of the screen that holds them."""

from __future__ import annotations

from textual.message import Message

from assistant.memory.records import Subject


class ShowEpisode(Message):
    """The user wants to see a turn where it was said: open its conversation and scroll to it."""

    def __init__(self, conversation: int, episode: int) -> None:
        super().__init__()
        self.conversation = conversation
        self.episode = episode


class MemoryChanged(Message):
    """The memory was changed by hand. The panel area refreshes its panels; it bubbles on for whoever else shows memory."""

    def __init__(self, subject: Subject, text: str) -> None:
        super().__init__()
        self.subject = subject
        self.text = text
        """What was done, in words."""
