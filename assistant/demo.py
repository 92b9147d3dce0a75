"""A demo conversation that plays in a memory of its own: shown by `assistant demo`, and photographed for the README."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.config import ModelKind, Settings
from assistant.conversation.turn import Session
from assistant.errors import ModelReplyError
from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import ChatModel, EndPiece, Message, Piece, Reply, TextPiece
from assistant.memory.records import JudgmentDraft, Verdict
from assistant.models.embedding import FastEmbedder
from assistant.paths import Folders, shipped, user_folders
from assistant.tui.app import AssistantApp

_PIECE, _PAUSE = 6, 0.02
"""Characters that come at once, and the seconds between: about the speed of a small model on a laptop."""
_SETTLING = 3.0
"""Seconds until the panels show what the last turn taught."""


@dataclass(frozen=True, slots=True)
class Script:
    judgments: Sequence[dict[str, Any]]
    turns: Sequence[dict[str, str]]

    @classmethod
    def read(cls) -> Script:
        return cls(**json.loads(shipped("data", "demo.json").read_text("utf-8")))


class ScriptedModel:
    """Says what the script says to each of its messages, and to any other how to connect a real model."""

    name = "demo"
    context_tokens = 8192

    def __init__(self, script: Script) -> None:
        self._answers = {turn["user"]: turn["assistant"] for turn in script.turns}

    async def talk(
        self, messages: Sequence[Message], *, temperature: float | None = None, max_tokens: int | None = None
    ) -> AsyncGenerator[Piece, None]:
        answer = self._answers.get(
            messages[-1].content, "This is the demo. `assistant setup` connects a real model."
        )
        for start in range(0, len(answer), _PIECE):
            await asyncio.sleep(_PAUSE)
            yield TextPiece(answer[start : start + _PIECE])
        yield EndPiece()

    async def decide(
        self, messages: Sequence[Message], reply: type[Reply], *, max_tokens: int = 400, seconds: float = 30.0
    ) -> Reply:
        raise ModelReplyError("The demo's model decides nothing.")


async def play(memory: MemoryEngine, model: ChatModel, script: Script, settings: Settings) -> None:
    """Keep the script's judgments, every turn but the last, and the votes, each given on another turn."""
    numbers = [await _keep(memory, written) for written in script.judgments]
    session = Session(memory, model, settings)
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


def demo_app(home: Path, cache: Path) -> AssistantApp:
    """The screen on a memory of its own under `home`, after all of the script but its last turn, which waits in the message field."""
    base = Settings()
    settings = base.model_copy(
        update={
            "model": base.model.model_copy(update={"kind": ModelKind.SERVER}),
            "memory": base.memory.model_copy(update={"ask_model": False}),
        }
    )
    folders: Folders = user_folders(home)
    script = Script.read()
    model = ScriptedModel(script)

    async def open_memory() -> MemoryEngine:
        embedder = FastEmbedder(cache=cache)
        memory = await MemoryEngine.open(folders.store, embedder, settings=settings.memory)
        await play(memory, model, script, settings)
        return memory

    @asynccontextmanager
    async def open_model(_: Settings) -> AsyncIterator[ChatModel | None]:
        yield model

    return AssistantApp(settings, folders, open_memory=open_memory, open_model=open_model)


def show(cache: Path) -> int:
    """Play the demo on the screen; nothing of it stays. Returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="assistant-demo-") as home:
        app = demo_app(Path(home), cache)
        app.run()
        return app.return_code or 0


async def photograph(cache: Path, columns: int = 150, rows: int = 44) -> str:
    """The screen after the demo's last turn, as SVG."""
    script = Script.read()
    with tempfile.TemporaryDirectory(prefix="assistant-demo-") as home:
        app = demo_app(Path(home), cache)
        async with app.run_test(size=(columns, rows)) as pilot:
            while (memory := app.main.memory) is None or app.main.model is None:
                await pilot.pause(0.1)
            app.theme = app.settings.screen.theme
            (conversation,) = await memory.conversations.list()
            await app.main.desk.show_number(conversation.id)
            await app.main.flow.send(script.turns[-1]["user"])
            while app.main.flow.running is not None:
                await pilot.pause(0.1)
            await pilot.pause(_SETTLING)
            return app.export_screenshot(title="assistant")
