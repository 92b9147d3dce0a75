"""Drafts of each conversation and the prompt history, in the screen's state file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assistant.tui.state import ScreenState

if TYPE_CHECKING:
    from assistant.conversation.turn import Session

_PROMPTS = 200
_PRIVATE = "private"


class Drafts:
    """`prompts` is the history, oldest first; nothing of a private conversation is kept."""

    def __init__(self, state: ScreenState) -> None:
        self._state = state
        drafts, prompts = state.get("drafts"), state.get("prompts")
        self._drafts: dict[str, Any] = dict(drafts) if isinstance(drafts, dict) else {}
        self.prompts: list[str] = (
            [text for text in prompts if isinstance(text, str)] if isinstance(prompts, list) else []
        )

    def of(self, session: Session | None) -> dict[str, Any]:
        """The draft of a conversation (None: of the one that is about to begin)."""
        draft = self._drafts.get(_name(session))
        return draft if isinstance(draft, dict) else {}

    def keep(self, session: Session | None, draft: dict[str, Any]) -> None:
        """Keep a draft; an empty one is forgotten."""
        name = _name(session)
        if name == _PRIVATE:
            return
        if draft.get("text"):
            self._drafts[name] = draft
        else:
            self._drafts.pop(name, None)
        self._state.put("drafts", dict(self._drafts) or None)

    def add_prompt(self, text: str) -> None:
        """Put `text` last in the history; a repeated one moves there."""
        self.prompts[:] = [*(kept for kept in self.prompts if kept != text), text][-_PROMPTS:]
        self._state.put("prompts", list(self.prompts))


def _name(session: Session | None) -> str:
    if session is None or (session.conversation is None and not session.private):
        return "new"
    return _PRIVATE if session.private or session.conversation is None else str(session.conversation.id)
