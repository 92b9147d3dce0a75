"""The suites startup and screen compute what they say; how fast anything is, they alone measure."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager

import pytest
from textual.app import App

from assistant.config import ModelKind, ModelSettings, Settings
from assistant.errors import AssistantError
from assistant.evaluation import screen, startup
from assistant.evaluation.bare_app import BareApp
from assistant.evaluation.first_frame import start
from assistant.evaluation.scripted import Scripted
from assistant.evaluation.stage import fill
from assistant.evaluation.tables import missed
from assistant.evaluation.terminal import MeasuredTerminal, terminal_of
from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import EndPiece, TextPiece
from assistant.tui.app import AssistantApp


async def never() -> MemoryEngine:
    await asyncio.Event().wait()
    raise AssertionError


@asynccontextmanager
async def no_model(settings: Settings):
    yield None


async def kinds_of_widgets(app: App) -> Counter:
    """How many widgets of each of Textual's classes a first frame has."""
    async with app.run_test(size=(150, 44)):
        own = [
            [kind for kind in type(w).__mro__ if kind.__module__.startswith("textual.")]
            for w in app.screen.query("*")
        ]
        return Counter(kinds[0].__name__ for kinds in own)


async def test_the_bare_program_has_the_same_widgets_as_ours(folders) -> None:
    ours = AssistantApp(
        Settings(model=ModelSettings(kind=ModelKind.MEMORY_ONLY)),
        folders,
        open_memory=never,
        open_model=no_model,
    )
    assert await kinds_of_widgets(BareApp()) == await kinds_of_widgets(ours)


def test_a_bare_start_tells_when_its_first_frame_was_painted() -> None:
    found = start(BareApp(), ask=False)["first_frame"]
    assert found["cpu"] > 0
    assert "textual" in found["packages"]


async def test_a_frame_is_read_at_the_moment_it_is_painted() -> None:
    class Hello(App):
        pass

    app = Hello()
    app.driver_class = MeasuredTerminal
    seen: list[str] = []

    async def watch(pilot) -> None:
        terminal = terminal_of(app)
        painted = terminal.painted(lambda frame: "hello" in frame, lambda: terminal.frames)
        terminal.write("something else")
        assert not painted.done()
        terminal.write("hello")
        assert await painted == terminal.frames
        seen.append("hello")
        app.exit()

    await app.run_async(size=(80, 24), auto_pilot=watch)
    assert seen == ["hello"]


async def test_a_start_of_the_program_tells_when_its_first_question_was_answered(tmp_path) -> None:
    found = await startup.start("assistant", tmp_path)
    assert found["first_frame"]["seconds"] < found["first_answer"]["seconds"]


def test_a_program_that_ends_by_itself_ends_the_measurement() -> None:
    class Fallen(App):
        def on_mount(self) -> None:
            self.exit()

    with pytest.raises(AssistantError, match="ended in the middle"):
        start(Fallen(), ask=False)


def reading(cpu: float, *packages: str) -> dict:
    return {"seconds": 2 * cpu, "cpu": cpu, "packages": ["textual", *packages]}


def test_startup_compares_medians_and_names_what_was_imported_too_early() -> None:
    bare = [{"first_frame": reading(cpu)} for cpu in (0.2, 0.1, 9.0)]
    ours = [{"first_frame": reading(cpu, "duckdb"), "first_answer": reading(1.0)} for cpu in (0.25, 0.1, 9.0)]
    found = startup.figures(bare, ours)
    assert found["first_frame_cpu_over_bare"] == 1.25
    assert found["imported_too_early"] == ["duckdb"]
    assert [failure["id"] for failure in found["failures"]] == ["imported_too_early"]


def test_only_figures_above_their_limit_are_failures() -> None:
    assert missed({"a": 2.0, "b": 3.0}, {"a": 2, "b": 2}) == [{"id": "b", "expected": "<= 2", "got": 3.0}]


def test_tokens_are_short_and_large_answers_have_the_size_that_was_asked_for() -> None:
    made = screen.tokens(500)
    assert len(made) == 500
    assert max(map(len, made)) < 20
    assert {len(text) for text in screen.shapes(12_345).values()} == {12_345}


async def test_the_scripted_model_says_every_piece_once_and_then_ends() -> None:
    model = Scripted(["a", "b"])
    assert [piece async for piece in model.talk([])] == [
        TextPiece("a"),
        TextPiece("b"),
        EndPiece(answer_tokens=2),
    ]
    assert model.sent == 2


@pytest.mark.parametrize("turns", [1, 5])
async def test_a_filled_store_holds_one_more_conversation_of_so_many_turns(
    tmp_path, embedder, turns: int
) -> None:
    await fill(tmp_path / "memory.duckdb", embedder, turns=turns)
    async with await MemoryEngine.open(tmp_path / "memory.duckdb", embedder) as memory:
        (conversation,) = await memory.conversations.list()
        assert len(await memory.conversations.branch(conversation.id)) == turns
