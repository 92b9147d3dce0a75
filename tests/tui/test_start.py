"""Starting, being ready, being narrow, being in trouble, leaving."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual import events
from textual.widgets import Input

from assistant.config import ModelKind, ModelSettings, ScreenSettings, Settings, load_settings
from assistant.errors import ModelError, StoreLockedError
from assistant.memory.ports import ChatModel
from assistant.memory.records import AnswerState
from assistant.paths import Folders
from assistant.tui.app import AssistantApp
from assistant.tui.screens.setup import SetupScreen
from tests.stubs.server import HELD, text
from tests.tui.holder import feed, until
from tests.tui.stage import Open, Stage

FIRST_PAINT = """
import asyncio, sys
from contextlib import asynccontextmanager
from pathlib import Path
import assistant.__main__, assistant.commands.screen
from assistant.config import ModelKind, ModelSettings, Settings
from assistant.paths import user_folders
from assistant.tui.app import AssistantApp

async def never():
    await asyncio.Event().wait()

@asynccontextmanager
async def no_model(settings):
    yield None

async def main():
    settings = Settings(model=ModelSettings(kind=ModelKind.MEMORY_ONLY))
    app = AssistantApp(settings, user_folders(Path(sys.argv[1])), open_memory=never, open_model=no_model)
    app._start = lambda: app.exit()
    async with app.run_test():
        heavy = {"openai", "fastembed", "onnxruntime", "numpy", "duckdb", "keyring", "httpx", "dateparser", "sklearn", "pydantic", "typer", "markdown_it"}
        print(sorted(heavy & set(sys.modules)))

asyncio.run(main())
"""


MEMORY_ONLY = Settings(model=ModelSettings(kind=ModelKind.MEMORY_ONLY))


def test_the_first_paint_imports_nothing_heavy(tmp_path: object) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", FIRST_PAINT, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"


@asynccontextmanager
async def no_model(settings: Settings) -> AsyncIterator[ChatModel | None]:
    yield None


async def test_a_store_that_another_process_holds_ends_the_program_with_a_sentence(folders: Folders) -> None:
    async def locked() -> object:
        raise StoreLockedError("Process 4711 holds the memory.", pid=4711, hint="Close it first.")

    app = AssistantApp(MEMORY_ONLY, folders, open_memory=locked, open_model=no_model)
    async with app.run_test() as pilot:
        await until(pilot, lambda: not app.is_running or app.return_code == 3)
    assert app.return_code == 3


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (
            ModelError("The file is no model.", hint="Choose another."),
            "The file is no model. Choose another.",
        ),
        (ValueError("bad magic"), "The model could not be opened: ValueError: bad magic."),
    ],
)
async def test_a_model_that_cannot_be_opened_is_told_and_memory_answers(
    opened: Open, monkeypatch: pytest.MonkeyPatch, problem: Exception, told: str
) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:

        @asynccontextmanager
        async def broken(settings: Settings) -> AsyncIterator[ChatModel | None]:
            raise problem
            yield None

        monkeypatch.setattr(stage.app, "_open_model", broken)
        await stage.type("/reconnect ")
        await stage.until(lambda: told in stage.text)
        turn = await stage.talk("hello")
        assert turn.episode is not None
        assert turn.episode.model == "memory"


async def test_under_100_columns_the_panels_lie_over_the_chat_on_request(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY, size=(60, 20)) as stage:
        assert not stage.main.panels.display
        await stage.pilot.press("f2")
        await stage.until(lambda: stage.main.panels.display and "Judgments" in stage.text)
        await stage.pilot.press("f2")
        await stage.until(lambda: not stage.main.panels.display)
        await stage.pilot.resize_terminal(140, 40)
        await stage.until(lambda: stage.main.panels.display)
        assert stage.main.log_view.region.right <= stage.main.panels.region.x


async def test_on_a_small_terminal_one_panel_is_shown_at_a_time_and_says_the_way_on_and_back(
    opened: Open,
) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY, size=(60, 20)) as stage:
        await stage.talk("I live in Leith.")
        await stage.pilot.press("f10")
        await stage.until(lambda: stage.main.panels.has_focus_within)
        assert [panel.TITLE for panel in stage.main.panels.panels if panel.display] == ["Judgments"]
        assert "1-6 other panels · esc back to the chat" in stage.text
        await stage.pilot.press("1")
        await stage.until(lambda: "FACTS ONLY" in stage.text and "Judgments" not in stage.text)
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.main.composer.has_focus)
        assert not stage.main.panels.display
        await stage.pilot.resize_terminal(140, 50)
        await stage.until(lambda: all(each in stage.text for each in ("Plan", "Facts", "Judgments")))
        assert "other panels" not in stage.text


async def test_escape_leads_from_a_panel_to_the_message_field(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        await stage.pilot.press("f10")
        await stage.until(lambda: stage.main.panels.has_focus_within)
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.main.composer.has_focus)
        assert stage.main.panels.display


async def test_the_opened_memory_leaves_the_cursor_where_the_user_has_led_it(opened: Open) -> None:
    gate = asyncio.Event()
    async with opened(kind=ModelKind.MEMORY_ONLY, gate=gate) as stage:
        await stage.pilot.press("f10")
        await stage.until(lambda: stage.main.panels.has_focus_within)
        gate.set()
        await stage.ready()
        assert stage.main.panels.has_focus_within


async def test_a_panel_is_reached_by_its_key_from_the_message_field(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        await stage.pilot.press("alt+5")
        await stage.until(lambda: "Journal" in stage.text and stage.main.panels.has_focus_within)
        assert stage.main.composer.text == ""


async def test_a_notice_that_is_too_long_takes_the_room_of_the_hints_and_further_lines(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY, size=(60, 20)) as stage:
        assert "f1 help" in stage.text
        said = "Deleted a conversation with a title of some length. /undelete brings it back, last word."
        stage.main.status.say(said, "warning")
        await stage.until(lambda: "last word." in stage.text)
        assert "f1 help" not in stage.text
        stage.main.status.say("Pinned.")
        await stage.until(lambda: "Pinned." in stage.text and "f1 help" in stage.text)


async def test_ctrl_c_copies_a_selection_else_stops_else_asks_to_quit(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(text("word ", HELD))
        stage.main.composer.add_text("copy me")
        stage.main.composer.select_all()
        await stage.pilot.press("ctrl+c")
        await stage.until(lambda: stage.app.clipboard == "copy me")
        await stage.until(lambda: "7 characters" in stage.text)
        await stage.pilot.press("end", "enter")
        await stage.until(lambda: stage.turns and stage.turns[0].answer)
        await stage.pilot.press("ctrl+c")
        await stage.until(lambda: stage.main.flow.running is None)
        await stage.pilot.press("ctrl+c")
        await stage.until(lambda: "Press ctrl+c again to quit." in stage.text)
        await stage.pilot.press("ctrl+c")
        await stage.until(lambda: not stage.app.is_running)


async def test_quitting_during_an_answer_keeps_what_arrived(opened: Open) -> None:
    async with opened() as stage:
        stage.server.will(text("word ", HELD))
        await stage.type("a long one")
        await stage.until(lambda: stage.turns and "word" in stage.turns[0].answer)
        stage.app.simulate_key("ctrl+q")  # press would wait for a screen that is closing
        await stage.until(lambda: not stage.app.is_running)
    async with opened() as stage:
        (kept,) = await stage.memory.episodes.list()
        assert kept.state is AnswerState.CUT
        assert "word" in kept.assistant


async def test_the_first_start_offers_setup_and_one_key_chooses_memory_only(
    opened: Open, folders: Folders
) -> None:
    async with opened(kind=ModelKind.UNSET) as stage:
        await stage.until(lambda: isinstance(stage.app.screen, SetupScreen) and "Memory only" in stage.text)
        number = next(
            line.split("Memory only")[0].split()[-1]
            for line in stage.text.splitlines()
            if "Memory only" in line
        )
        await stage.pilot.press(number)
        await stage.until(lambda: stage.app.screen is stage.main)
        await stage.until(lambda: "replies come from memory alone" in stage.text)
    assert load_settings(folders.config_file).model.kind is ModelKind.MEMORY_ONLY


async def at_another_server(stage: Stage) -> SetupScreen:
    """The setup, with the fields of "Another server" open."""
    await stage.type("/setup ")
    await stage.until(lambda: isinstance(stage.app.screen, SetupScreen) and "Another server" in stage.text)
    setup = stage.app.screen
    assert isinstance(setup, SetupScreen)
    line = next(line for line in stage.text.splitlines() if "Another server" in line)
    await stage.pilot.press(line.split("Another server")[0].split()[-1])
    await stage.until(lambda: setup.query_one("#address").has_focus)
    return setup


async def test_setup_tries_an_address_before_it_saves_it(opened: Open, folders: Folders) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        setup = await at_another_server(stage)
        await stage.pilot.press(*"http://127.0.0.1:1", "enter")
        await stage.until(lambda: "✗ Nothing answers at" in stage.text)
        assert not folders.config_file.exists()
        setup.query_one("#address", Input).value = stage.server.address
        await stage.pilot.press("enter")
        await stage.until(lambda: stage.app.screen is stage.main)
        await stage.until(lambda: "stub-model at" in stage.text)
    assert load_settings(folders.config_file).model.base_url == stage.server.base_url


async def test_in_the_setup_an_address_of_this_machine_needs_no_http(opened: Open, folders: Folders) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        setup = await at_another_server(stage)
        setup.query_one("#address", Input).value = stage.server.address.removeprefix("http://")
        await stage.pilot.press("enter")
        await stage.until(lambda: stage.app.screen is stage.main)
    assert load_settings(folders.config_file).model.base_url == stage.server.base_url


async def test_in_the_setup_an_environment_variable_can_hold_the_key(
    opened: Open, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        setup = await at_another_server(stage)
        setup.query_one("#address", Input).value = stage.server.address
        setup.query_one("#key-env", Input).value = "A_MODELS_KEY"
        await stage.pilot.press("enter")
        await stage.until(lambda: "A_MODELS_KEY" in stage.text and "is not set" in stage.text)
        monkeypatch.setenv("A_MODELS_KEY", "a-key")
        await stage.pilot.press("enter")
        await stage.until(lambda: stage.app.screen is stage.main)
    assert load_settings(folders.config_file).model.key_env == "A_MODELS_KEY"


async def test_an_error_in_the_setup_sends_nobody_to_the_setup_and_goes_with_the_next_edit(
    opened: Open,
) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        await at_another_server(stage)
        await stage.pilot.press(*"127.0.0.1:1", "enter")
        await stage.until(lambda: "Start the server there." in " ".join(stage.text.split()))
        assert "assistant setup" not in " ".join(stage.text.split())
        await stage.pilot.press("2")
        await stage.until(lambda: "Nothing answers at" not in stage.text)


async def test_keys_typed_faster_than_the_focus_moves_land_in_the_right_fields(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        await stage.type("/setup ")
        await stage.until(lambda: "Another server" in stage.text)
        line = next(line for line in stage.text.splitlines() if "Another server" in line)
        await feed(stage.pilot, f"{line.split('Another server')[0].split()[-1]}1a\tb\t\tc\x1b[Zd")
        setup = stage.app.screen
        assert isinstance(setup, SetupScreen)
        fields = ("#address", "#model-name", "#key", "#key-env")
        values = [setup.query_one(name, Input).value for name in fields]
        assert values == ["1a", "b", "d", "c"]


async def test_escape_leaves_the_setup_without_a_choice(opened: Open, folders: Folders) -> None:
    async with opened(kind=ModelKind.UNSET) as stage:
        await stage.until(lambda: isinstance(stage.app.screen, SetupScreen))
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.app.screen is stage.main)
        await stage.talk("hello")
    assert not folders.config_file.exists()


async def test_a_theme_chosen_in_the_palette_is_used_and_kept(opened: Open, folders: Folders) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        stage.app.choose_theme("assistant-light")
        assert stage.app.theme == "assistant-light"
    assert load_settings(folders.config_file).screen.theme == "assistant-light"


@pytest.mark.parametrize("theme", ["assistant-dark", "ansi-dark"])
async def test_without_colour_the_text_is_not_black_on_black(
    opened: Open, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(kind=ModelKind.MEMORY_ONLY, screen=ScreenSettings(theme=theme)) as stage:
        strip = stage.main._compositor.render_strips()[0]
        styles = [piece.style for piece in strip if piece.text.strip()]
        assert styles
        assert all(style.color != style.bgcolor for style in styles if style)
        assert stage.app.theme == "assistant-dark"


async def test_in_a_window_of_any_height_one_sees_what_one_types_whatever_is_said_below(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY, size=(40, 24)) as stage:
        stage.main.status.say("A notice of some length that takes more than one line here. " * 3)
        stage.main.composer.add_text("typed")
        for rows in range(24, 4, -1):
            await stage.pilot.resize_terminal(40, rows)
            await stage.until(lambda rows=rows: stage.app.screen.size.height == rows)
            await stage.until(lambda: stage.main.composer.content_size.height > 0)


async def test_nothing_moves_while_nobody_does_anything(opened: Open) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        await stage.talk("hello")
        painted: list[object] = []
        stage.app._display = lambda *args, **kwargs: painted.append(args)  # type: ignore[method-assign]
        for _ in range(10):
            painted.clear()
            await asyncio.sleep(1.5)
            if not painted:
                break
        assert painted == []


async def test_keys_that_come_before_the_screen_is_made_wait_for_it(folders: Folders) -> None:
    async def never() -> object:
        await asyncio.Event().wait()

    app = AssistantApp(MEMORY_ONLY, folders, open_memory=never, open_model=no_model)
    for key in ("f10", "f2"):
        app.post_message(events.Key(key, None).set_sender(app))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.main.has_class("-panels-hidden"))
