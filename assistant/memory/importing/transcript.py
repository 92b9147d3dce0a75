"""What every format is read into: a conversation of turns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256

from assistant.text import clean_text


@dataclass(frozen=True, slots=True)
class Line:
    """One message. `role` is "user" or "assistant"; other roles are dropped before."""

    role: str
    text: str
    said: datetime | None = None
    model: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """A message of the user and what was answered to it."""

    user: str
    assistant: str
    said: datetime
    model: str = ""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A conversation as its source names it. `source` is unique and stays the same when it is exported again."""

    source: str
    title: str
    turns: tuple[Turn, ...]

    def keys(self) -> list[str]:
        """One key a turn: the same for the same turn of the same conversation whenever it is exported. Repeats are counted."""
        seen: dict[Turn, int] = {}
        keys = []
        for turn in self.turns:
            times = seen[turn] = seen.get(turn, 0) + 1
            parts = (self.source, turn.said.isoformat(), turn.user, turn.assistant, str(times))
            keys.append(sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32])
        return keys


def turns_of(lines: Iterable[Line], otherwise: datetime) -> tuple[Turn, ...]:
    """Messages paired into turns; several of one side in a row are one. What the assistant said before any question is left out.

    `otherwise` is when a message was said that tells no time and follows none that does.
    """
    turns: list[Turn] = []
    last = otherwise
    for line in lines:
        text = clean_text(line.text).strip()
        last = line.said or last
        if not text:
            continue
        if line.role == "user" and (not turns or turns[-1].assistant):
            turns.append(Turn(text, "", last, line.model))
        elif line.role == "user":
            turns[-1] = replace(turns[-1], user=f"{turns[-1].user}\n\n{text}")
        elif turns:
            answer = f"{turns[-1].assistant}\n\n{text}".strip()
            turns[-1] = replace(turns[-1], assistant=answer, model=line.model or turns[-1].model)
    return tuple(turns)


def moment(value: object) -> datetime | None:
    """A time as exports write it: seconds or milliseconds since 1970, or ISO text (without a zone: UTC). None: not a time."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
        if isinstance(value, str) and value:
            read = datetime.fromisoformat(value)
            return read.astimezone(UTC) if read.tzinfo else read.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None
