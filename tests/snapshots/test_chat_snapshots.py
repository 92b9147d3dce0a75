"""How the chat screen looks: dark, light, narrow, in the terminal's own colours, without colour; help and the list.

`pytest tests/snapshots --snapshot-update` accepts a change after looking at it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from assistant.config import ModelKind, ModelSettings, ScreenSettings, Settings
from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import ChatModel
from assistant.memory.records import AnswerState
from assistant.models.embedding import FastEmbedder
from assistant.paths import Folders
from assistant.tui.app import AssistantApp
from tests.tui.desk import NOW
from tests.tui.holder import until

ANSWER = """\
Two things matter for a **first firing**:

1. dry the ware fully
2. go slowly up to *600 °C*

| cone | °C |
|---|---|
| 06 | 1000 |
| 6 | 1220 |

```python
def ramp(start: int, end: int, hours: float) -> float:
    return (end - start) / hours  # degrees an hour
```

> A slow start costs nothing. See https://example.org for [details].
"""

Compare = Callable[..., bool]


@asynccontextmanager
async def no_model(settings: Settings) -> AsyncIterator[ChatModel | None]:
    yield None


@pytest.fixture
def program(folders: Folders, embedder: FastEmbedder) -> Callable[..., AssistantApp]:
    """The program over a memory with two conversations; the panels are hidden, they have snapshots of their own."""

    async def memory() -> MemoryEngine:
        folders.data.mkdir(parents=True, exist_ok=True)
        engine = await MemoryEngine.open(folders.store, embedder, clock=lambda: NOW)
        await fill(engine)
        return engine

    def made(theme: str = "assistant-dark") -> AssistantApp:
        settings = Settings(
            model=ModelSettings(kind=ModelKind.MEMORY_ONLY), screen=ScreenSettings(panels=False, theme=theme)
        )
        return AssistantApp(settings, folders, open_memory=memory, open_model=no_model)

    return made


async def fill(memory: MemoryEngine) -> None:
    """One finished answer, one that was cut, one that failed; and another, pinned conversation."""
    kiln = (await memory.conversations.create("Firing a new kiln")).id
    turns = (
        ("How do I fire a new kiln?", ANSWER, AnswerState.COMPLETE, ""),
        ("And how long\ndoes it cool?", "About a day, and never open it above", AnswerState.CUT, ""),
        ("Which glaze [next]?", "", AnswerState.FAILED, "Nothing answers at http://127.0.0.1:1/v1."),
    )
    for question, answer, state, error in turns:
        turn = await memory.record(question, conversation=kiln)
        await memory.finish(turn.id, answer, state=state, model="llama3", tokens=96, seconds=2.4, error=error)
        await memory.episodes.mark_learned(turn.id)
    other = (await memory.conversations.create("Holiday in May")).id
    turn = await memory.record("Where to?", "Skye.", conversation=other)
    await memory.episodes.mark_learned(turn.id)
    await memory.conversations.pin(other)


def opened(*keys: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    """Open the conversation, then press keys."""

    async def run(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, AssistantApp)
        await until(pilot, lambda: app.main.flow.session is not None)
        await app.main.desk.show_number(1)
        await until(pilot, lambda: len(app.main.log_view.turns) == 3 and app.main.log_view.at_end)
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.3)
        await pilot.pause(0.3)

    return run


@pytest.mark.parametrize("theme", ["assistant-dark", "assistant-light", "ansi-dark"])
def test_chat_in_each_kind_of_theme(
    program: Callable[..., AssistantApp], snap_compare: Compare, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    assert snap_compare(program(theme), terminal_size=(110, 50), run_before=opened())


def test_chat_without_colour(
    program: Callable[..., AssistantApp], snap_compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(program(), terminal_size=(110, 50), run_before=opened("alt+up"))


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("chat", ()),
        ("editing", ("alt+up", "alt+up", "f4")),
        ("commands", ("/", "e")),
        ("list", ("ctrl+o",)),
        ("help", ("f1",)),
    ],
)
def test_screens_on_a_small_terminal(
    program: Callable[..., AssistantApp],
    snap_compare: Compare,
    name: str,
    keys: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    assert snap_compare(program(), terminal_size=(60, 20), run_before=opened(*keys))


def test_a_private_conversation_looks_different(
    program: Callable[..., AssistantApp], snap_compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    assert snap_compare(program(), terminal_size=(80, 24), run_before=opened("f8"))
