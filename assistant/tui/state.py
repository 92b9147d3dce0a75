"""What the screen remembers between starts: drafts, prompt history, panel layout. JSON, written only when something changed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

_PROMPTS = 200


class ScreenState:
    """`drafts`: conversation id as text ("new" for one not begun) -> the composer's state. `layout` belongs to the panels."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.drafts: dict[str, dict[str, Any]] = {}
        self.prompts: list[str] = []
        self.layout: dict[str, Any] = {}
        self._load()
        self._written = self._as_json()

    def _load(self) -> None:
        try:
            stored = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError):
            return  # none yet, or unreadable: the screen starts fresh, the memory is elsewhere
        if not isinstance(stored, dict):
            return
        drafts, prompts, layout = (stored.get(name) for name in ("drafts", "prompts", "layout"))
        if isinstance(drafts, dict):
            self.drafts = {str(name): value for name, value in drafts.items() if isinstance(value, dict)}
        if isinstance(prompts, list):
            self.prompts = [text for text in prompts if isinstance(text, str)]
        if isinstance(layout, dict):
            self.layout = layout

    def _as_json(self) -> str:
        return json.dumps(
            {"drafts": self.drafts, "prompts": self.prompts, "layout": self.layout}, ensure_ascii=False
        )

    def add_prompt(self, text: str) -> None:
        """Put `text` last in the prompt history; a repeated one moves there."""
        self.prompts = [*(kept for kept in self.prompts if kept != text), text][-_PROMPTS:]

    def keep_draft(self, conversation: str, draft: dict[str, Any]) -> None:
        """Keep the draft of a conversation; an empty one is forgotten."""
        if draft.get("text"):
            self.drafts[conversation] = draft
        else:
            self.drafts.pop(conversation, None)

    def save(self) -> bool:
        """Write the file (mode 0600) if anything changed since it was read or written. True when it was written."""
        now = self._as_json()
        if now == self._written:
            return False
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = self.path.with_suffix(".new")
        with os.fdopen(
            os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
        ) as file:
            file.write(now)
        fresh.replace(self.path)
        self._written = now
        return True
