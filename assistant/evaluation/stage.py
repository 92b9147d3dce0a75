"""The whole program on a measured terminal, over a memory that has been filled: what a suite of the screen works with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import process_time, thread_time
from typing import TYPE_CHECKING

import numpy as np
from textual import events
from textual.pilot import Pilot

from assistant.config import ModelKind, ModelSettings, ScreenSettings, Settings
from assistant.evaluation.scripted import Scripted
from assistant.evaluation.terminal import SIZE, MeasuredTerminal, terminal_of
from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import ChatModel, Embedder
from assistant.memory.store import imports
from assistant.paths import user_folders
from assistant.tui.app import AssistantApp

if TYPE_CHECKING:
    from assistant.evaluation.runner import Context
    from assistant.tui.screens.main import MainScreen
    from assistant.tui.widgets.turn import Turn

ANSWER = """\
Three things matter for tomatoes on a balcony: **sun**, *even* water and a pot that is large enough.

1. Give each plant 20 litres of soil, not less.
2. Water in the morning, at the foot, never over the leaves.
3. Feed every second week from the first flower on.

The table shows what a week asks for:

| week | litres | feed |
|---|---|---|
| cool | 7 | no |
| warm | 14 | every second |
| hot | 25 | yes |

If you want to be reminded, this does it:

```python
def due(day: int, hot: bool) -> bool:
    \"\"\"Is it a day for water?\"\"\"
    return hot or day % 2 == 0
```

Pinch out the side shoots, and tie the stem to a stick. Most of what goes wrong is too much water in a pot that does not drain.
"""
"""An answer of middling length, with most kinds of Markdown."""
_BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


async def fill(store: Path, embedder: Embedder, *, turns: int) -> None:
    """Append to `store` one more conversation, of so many turns."""
    store.parent.mkdir(parents=True, exist_ok=True)
    vector = embedder.embed([f"How do I grow tomatoes?\n{ANSWER}"])
    async with await MemoryEngine.open(store, embedder) as memory:
        source = str(turns)
        made = [
            imports.NewTurn(
                f"{source}/{number}", source, f"{turns} turns", f"Question {number}: how do I grow tomatoes?", ANSWER,
                _BEGAN + timedelta(minutes=number), "scripted", np.asarray(vector),
            )
            for number in range(turns)
        ]  # fmt: skip
        await memory.core.db.write(lambda con: imports.add(con, made, learned=_BEGAN))


@dataclass(frozen=True, slots=True)
class Stage:
    app: AssistantApp
    terminal: MeasuredTerminal
    model: Scripted

    @property
    def main(self) -> MainScreen:
        return self.app.main

    async def echo(self, character: str) -> float:
        """Type a character; CPU seconds of the event loop's thread until it has been painted."""
        field, before = self.main.composer, self.main.composer.text
        started = thread_time()
        painted = self.terminal.painted(lambda _: field.text != before, thread_time)
        self.terminal.process_message(events.Key(character, character))
        return await painted - started

    def paste(self, text: str) -> None:
        self.terminal.process_message(events.Paste(text))

    async def open(self, title: str) -> float:
        """Open the conversation of that title; CPU seconds, of all threads, until the screen is still."""
        assert self.main.memory is not None
        (found,) = [each for each in await self.main.memory.conversations.list() if each.title == title]
        started = process_time()
        await self.main.desk.show_number(found.id)
        await self.terminal.still()
        return process_time() - started

    async def ask(self, question: str) -> None:
        """Send a question, and return once its answer has begun to run."""
        self.paste(question)
        self.terminal.process_message(events.Key("enter", "\r"))
        await _until(lambda: self.main.flow.running is not None, every=0.0)

    async def answered(self) -> Turn:
        """The turn whose answer runs, once it is over."""
        turn = self.main.flow.running
        assert turn is not None
        await _until(lambda: self.main.flow.running is not turn)
        return turn

    async def settle(self, *groups: str) -> None:
        """Return when the workers of these groups, of turns unless named, have ended and the screen is still."""
        ended = groups or ("turn",)
        await _until(lambda: all(each.is_finished for each in self.main.workers if each.group in ended))
        await self.terminal.still()


async def _until(holds: Callable[[], bool], every: float = 0.05) -> None:
    while not holds():  # noqa: ASYNC110  # what is waited for is the program's, which tells nobody
        await asyncio.sleep(every)


async def _play(stage: Stage, play: Callable[[Stage], Awaitable[None]]) -> None:
    await _until(lambda: stage.main.flow.session is not None)
    await stage.terminal.still()
    await play(stage)


async def perform(context: Context, play: Callable[[Stage], Awaitable[None]]) -> None:
    """Start the program over the memory in the context's folder, `play`, quit. Raises AssistantError where it ends by itself."""
    folders = user_folders(context.tmp / "home")
    model = Scripted([])
    settings = replace(context.settings, model=ModelSettings(kind=ModelKind.SERVER), screen=ScreenSettings())

    @asynccontextmanager
    async def scripted(_: Settings) -> AsyncIterator[ChatModel | None]:
        yield model

    async def memory() -> MemoryEngine:
        return await MemoryEngine.open(folders.store, context.embedder, settings=settings.memory)

    app = AssistantApp(settings, folders, open_memory=memory, open_model=scripted)
    app.driver_class = MeasuredTerminal

    async def watch(pilot: Pilot[object]) -> None:
        stage = Stage(app, terminal_of(pilot.app), model)
        await stage.terminal.before_it_stops(_play(stage, play))
        await app.do_quit()

    await app.run_async(size=SIZE, auto_pilot=watch)
