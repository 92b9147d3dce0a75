"""What the names that servers list tell about models."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NO_CHAT = re.compile(r"embed|rerank|bge-|minilm|whisper|\btts\b|dall-e|moderation", re.IGNORECASE)


def chat_first(names: Iterable[str]) -> list[str]:
    """`names` in their order, but those that by their name cannot chat (they embed, rerank, speak) at the end."""
    return sorted(names, key=lambda name: bool(_NO_CHAT.search(name)))
