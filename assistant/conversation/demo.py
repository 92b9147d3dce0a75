"""A demo conversation and the model that plays it: for `assistant demo`, for the tour, and for the README's picture."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assistant.config import ModelKind, Settings
from assistant.conversation.turn import Session
from assistant.errors import ModelReplyError
from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import Embedder, EndPiece, Message, Piece, Reply, TextPiece
from assistant.memory.records import JudgmentDraft, Verdict
from assistant.paths import shipped

_PIECE, _PAUSE = 6, 0.02
"""Characters that come at once, and the seconds between: about the speed of a small model on a laptop."""


@dataclass(frozen=True, slots=True)
class Script:
    judgments: Sequence[dict[str, Any]]
    turns: Sequence[dict[str, str]]

    @classmethod
    def read(cls) -> Script:
        return cls(**json.loads(shipped("data", "demo.json").read_text("utf-8")))

    @property
    def question(self) -> str:
        """The last turn's: what is left for the user to ask."""
        return self.turns[-1]["user"]


class ScriptedModel:
    """Says what the script says to each of its messages, and to any other how to connect a real model."""

    name = "demo"
    context_tokens = 8192

    def __init__(self, script: Script, *, pause: float = _PAUSE) -> None:
        self._answers = {turn["user"]: turn["assistant"] for turn in script.turns}
        self._pause = pause

    async def talk(
        self, messages: Sequence[Message], *, temperature: float | None = None, max_tokens: int | None = None
    ) -> AsyncGenerator[Piece, None]:
        answer = self._answers.get(
            messages[-1].content, "This is the demo. `assistant setup` connects a real model."
        )
        for start in range(0, len(answer), _PIECE):
            await asyncio.sleep(self._pause)
            yield TextPiece(answer[start : start + _PIECE])
        yield EndPiece()

    async def decide(
        self, messages: Sequence[Message], reply: type[Reply], *, max_tokens: int = 400, seconds: float = 30.0
    ) -> Reply:
        raise ModelReplyError("The demo's model decides nothing.")


def demo_settings(own: Settings) -> Settings:
    """`own` settings with the demo's model, which is asked for answers alone."""
    return replace(
        own,
        model=replace(own.model, kind=ModelKind.SERVER, instructions=""),
        memory=replace(own.memory, ask_model=False),
    )


async def open_demo(store: Path, embedder: Embedder, settings: Settings, script: Script) -> MemoryEngine:
    """A new memory in the file `store` in which all of the script but its last turn was said."""
    memory = await MemoryEngine.open(store, embedder, settings=settings.memory)
    await play(memory, script, settings)
    return memory


async def play(memory: MemoryEngine, script: Script, settings: Settings) -> None:
    """Keep the script's judgments, every turn but the last, and the votes, each given on another turn."""
    numbers = [await _keep(memory, written) for written in script.judgments]
    session = Session(memory, ScriptedModel(script, pause=0), settings)
    for turn in script.turns[:-1]:
        async for _ in session.ask(turn["user"]):
            pass
    answers = [turn.id for turn in session.turns]
    for number, written in zip(numbers, script.judgments, strict=True):
        for answer in answers[: written["adopted"]]:
            await memory.verify(number, Verdict.ADOPTED, episode=answer)
        for answer in answers[: written["corrected"]]:
            correction = written.get("correction", "")
            await memory.verify(number, Verdict.CORRECTED, episode=answer, correction=correction)


async def _keep(memory: MemoryEngine, written: dict[str, Any]) -> int:
    draft = JudgmentDraft(written["trigger"], written["judgment"], written["reasoning"], written["domain"])
    number = (await memory.judgments.add(draft)).subject_id
    assert number is not None
    return number
