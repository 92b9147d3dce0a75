"""A conversation as a document: Markdown to read, JSON to work with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from assistant.memory.records import AnswerState, Conversation, Episode


def as_markdown(turns: Sequence[Episode], conversation: Conversation | None = None) -> str:
    """The shown branch, oldest turn first; what was cut or failed is marked so."""
    title = conversation.title if conversation and conversation.title else "Conversation"
    return "\n\n".join([f"# {title}", *(_turn(turn) for turn in turns)]) + "\n"


def as_json(turns: Sequence[Episode], conversation: Conversation | None = None) -> str:
    """{"title", "turns": [{"said", "user", "assistant", "model", "state", …}]}, times in UTC, ISO 8601."""
    title = conversation.title if conversation else ""
    return (
        json.dumps({"title": title, "turns": [_record(turn) for turn in turns]}, ensure_ascii=False, indent=2)
        + "\n"
    )


def _turn(turn: Episode) -> str:
    when = f"{turn.said.astimezone():%d %B %Y, %H:%M}"
    answer = turn.assistant.strip() or "(no answer)"
    mark = {AnswerState.CUT: "\n\n*(cut here)*", AnswerState.FAILED: f"\n\n*(failed: {turn.error})*"}.get(
        turn.state, ""
    )
    model = f" ({turn.model})" if turn.model else ""
    return f"## You, {when}\n\n{turn.user.strip()}\n\n## Assistant{model}\n\n{answer}{mark}"


def _record(turn: Episode) -> dict[str, Any]:
    return {
        "id": turn.id,
        "said": turn.said.isoformat(),
        "user": turn.user,
        "assistant": turn.assistant,
        "model": turn.model,
        "state": turn.state.value,
        "error": turn.error,
        "tokens": turn.tokens,
        "seconds": round(turn.seconds, 3),
    }
