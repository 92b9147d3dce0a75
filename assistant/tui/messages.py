"""Messages between the parts of the screen. Workers and widgets post them; the main screen's handlers act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from assistant.memory.records import Subject

if TYPE_CHECKING:
    from assistant.conversation.events import TurnEvent
    from assistant.conversation.turn import Session
    from assistant.memory.engine import MemoryEngine
    from assistant.memory.ports import ChatModel
    from assistant.tui.widgets.turn import Turn


class Say(Message):
    """A sentence for the user. It is shown in the status line and kept among the notices; `level`: "info", "warning" or "error"."""

    def __init__(self, text: str, *, level: str = "info") -> None:
        super().__init__()
        self.text = text
        self.level = level


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


class MemoryOpened(Message):
    def __init__(self, memory: MemoryEngine) -> None:
        super().__init__()
        self.memory = memory


class ModelOpened(Message):
    """`model` is None when memory alone answers; `problem` says why, where a model was wanted."""

    def __init__(self, model: ChatModel | None, problem: str = "") -> None:
        super().__init__()
        self.model = model
        self.problem = problem


class Happened(Message):
    """An event of a running turn; `turn` is where it is shown, `session` whose it is."""

    def __init__(self, event: TurnEvent, turn: Turn, session: Session) -> None:
        super().__init__()
        self.event = event
        self.turn = turn
        self.session = session


class Wrote(Message):
    """More text of an answer. It grows until it is handled, so that a fast model cannot flood the screen with messages."""

    def __init__(self, text: str, turn: Turn, session: Session) -> None:
        super().__init__()
        self.turn = turn
        self.session = session
        self._text = text
        self.taken = False

    def grow(self, text: str) -> None:
        self._text += text

    def take(self) -> str:
        self.taken = True
        return self._text


class TurnEnded(Message):
    """The stream of a turn is over, learning included; `problem` is set when it broke in a way no event told."""

    def __init__(self, turn: Turn, session: Session, problem: str = "") -> None:
        super().__init__()
        self.turn = turn
        self.session = session
        self.problem = problem
