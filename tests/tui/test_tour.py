"""The tour: it leads through the demo by doing and by pressing on, touches nothing of the user's, and leads back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.config import ModelKind
from assistant.demo import demo_app
from assistant.paths import Folders
from assistant.tui.keys import all_actions, keys_of
from assistant.tui.screens.help import HelpScreen
from assistant.tui.screens.setup import SetupScreen
from assistant.tui.screens.tour import TourScreen
from assistant.tui.tour import STEPS, with_keys
from assistant.tui.widgets.tour_card import TourCard
from tests.tui.holder import all_text, until
from tests.tui.stage import Open, Stage

MEMORY_ONLY = ModelKind.MEMORY_ONLY


async def begun(stage: Stage) -> TourScreen:
    """The tour is on the screen and its demo is ready."""
    await stage.until(lambda: isinstance(stage.app.screen, TourScreen))
    tour = stage.app.screen
    assert isinstance(tour, TourScreen)
    await stage.until(lambda: tour.flow.session is not None)
    return tour


async def at(stage: Stage, step: str) -> None:
    await stage.until(lambda: f"· {step}\n" in re.sub(r" +\n", "\n", stage.text))


async def test_each_step_is_left_by_doing_what_it_says(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY, size=(140, 44)) as stage:
        await stage.type("/tour ")
        tour = await begun(stage)
        await at(stage, "Ask")
        await stage.pilot.press("enter")
        await at(stage, "The plan")
        assert "refund at once" in stage.text
        await stage.pilot.press("f10", "1")
        await at(stage, "Facts")
        await stage.pilot.press("2")
        await stage.until(lambda: tour.query_one("#panel-facts").has_focus_within)
        await stage.pilot.press("enter")
        await stage.until(lambda: "kept under 200 a month" in stage.text and "Esc closes" in stage.text)
        await stage.pilot.press("escape")
        await at(stage, "Judgments")
        await stage.pilot.press("3")
        await stage.until(lambda: tour.query_one("#panel-judgments").has_focus_within)
        await stage.pilot.press("r")
        await at(stage, "Journal")
        await stage.pilot.press("5")
        await stage.until(lambda: tour.query_one("#panel-journal").has_focus_within)
        await stage.until(lambda: "judgment voted on" in stage.text)
        await stage.pilot.press("u")
        await at(stage, "Private")
        await stage.pilot.press("f8")
        await at(stage, "Commands")
        await stage.pilot.press("ctrl+p")
        await stage.until(lambda: stage.app.screen is not tour)
        await stage.pilot.press("escape")
        await at(stage, "That is all")
        await stage.pilot.press("enter")
        await stage.until(lambda: stage.app.screen is stage.main)


async def test_the_user_is_back_where_he_was_and_nothing_of_his_was_touched(
    opened: Open, folders: Folders
) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await stage.talk("I live in Leith.")
        await stage.until(
            lambda: "User lives in Leith" in stage.text
        )  # what was said is learned after the answer
        stage.main.composer.add_text("half a thought")
        facts, journal = await stage.memory.facts.list(), await stage.memory.journal.list()
        await stage.app.action_do("app.tour")
        tour = await begun(stage)
        await stage.pilot.press("enter")
        await at(stage, "The plan")
        tour.composer.add_text("/remember I prefer the demo")
        await stage.pilot.press("enter")
        await stage.until(lambda: "Remembered:" in stage.text)
        tour.composer.add_text("/theme ")
        await stage.pilot.press("enter")
        await stage.until(lambda: "nothing of your own is changed" in stage.text)
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.app.screen is stage.main)
        assert stage.main.composer.text == "half a thought"
        assert stage.main.composer.has_focus
        assert [turn.question for turn in stage.turns] == ["I live in Leith."]
        assert await stage.memory.facts.list() == facts
        assert await stage.memory.journal.list() == journal
        assert len(await stage.memory.conversations.list()) == 1
    assert not folders.config_file.exists()
    kept = folders.screen_state.read_text()
    assert "customer" not in kept
    assert "prefer the demo" not in kept


async def test_an_answer_under_way_goes_on_behind_the_tour(opened: Open) -> None:
    async with opened() as stage:
        await stage.type("a question")
        await stage.app.action_do("app.tour")
        await begun(stage)
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.app.screen is stage.main)
        await stage.until(lambda: stage.turns and stage.turns[-1].answer and stage.main.flow.running is None)


async def test_the_arrows_and_the_buttons_go_on_and_back_and_going_on_asks_the_question(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY, size=(140, 44)) as stage:
        await stage.app.action_do("app.tour")
        tour = await begun(stage)
        await stage.pilot.click("#tour-next")
        await at(stage, "The plan")
        assert tour.log_view.turns[-1].answer
        await stage.pilot.press("right")
        await at(stage, "Facts")
        await stage.pilot.press("left")
        await at(stage, "The plan")
        tour.composer.add_text("ab")
        await stage.pilot.press("left", "right", "left")
        await at(stage, "The plan")
        await stage.pilot.click("#tour-leave")
        await stage.until(lambda: stage.app.screen is stage.main)


async def test_the_demo_s_folder_is_gone_after_the_tour(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        await stage.app.action_do("app.tour")
        tour = await begun(stage)
        folder = Path(tour._folder.name)
        assert folder.exists()
        await stage.pilot.press("escape")
        await stage.until(lambda: not folder.exists())


async def test_the_tour_begins_from_help_the_palette_and_the_setup_and_returns_there(opened: Open) -> None:
    async with opened(kind=ModelKind.UNSET) as stage:
        await stage.until(lambda: isinstance(stage.app.screen, SetupScreen) and "Memory only" in stage.text)
        await stage.pilot.press("t")
        await begun(stage)
        await stage.pilot.press("escape")
        await stage.until(lambda: isinstance(stage.app.screen, SetupScreen))
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.app.screen is stage.main)
        assert "/tour shows you around" in stage.text
        await stage.pilot.press("f1")
        await stage.until(lambda: isinstance(stage.app.screen, HelpScreen))
        await stage.pilot.press("t")
        await begun(stage)
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.app.screen is stage.main)
        await stage.pilot.press("ctrl+p", *"take tour")
        await stage.until(lambda: "Help: Take the tour" in stage.text)
        await stage.pilot.press("enter")
        await begun(stage)


async def test_the_demo_command_begins_with_the_tour_and_stays_open_to_look_around(tmp_path: Path) -> None:
    app = demo_app(tmp_path / "demo", tmp_path / "cache", tour=True)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, TourScreen) and app.front.flow.session is not None)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main and len(app.main.log_view.turns) == 4)
        assert "ceramics" in all_text(app.screen)
        await app.do_quit()


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.title)
def test_each_step_names_keys_that_there_are(step) -> None:
    named = re.findall(r"\{([^}]*)\}", step.text)
    assert set(named) <= {action.id for action in all_actions()}
    words = with_keys(step.text, keys_of({}))
    assert "{" not in words
    assert "  " not in words
    assert "F12 4" in with_keys("{app.help} {panels.episodes}", keys_of({"app.help": "f12"}))


async def test_the_card_fits_a_narrow_terminal(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY, size=(60, 24)) as stage:
        await stage.app.action_do("app.tour")
        tour = await begun(stage)
        for place in range(len(STEPS)):
            tour._show(place)
            await stage.pilot.pause()
            card = tour.query_one(TourCard)
            assert card.outer_size.height <= 8
            assert "leave the tour" in stage.text


async def test_a_click_on_its_name_begins_the_tour_in_the_chat_and_in_the_help(opened: Open) -> None:
    async with opened(kind=MEMORY_ONLY) as stage:
        line = next(y for y, text in enumerate(stage.text.split("\n")) if "/tour shows" in text)
        await stage.pilot.click(offset=(stage.text.split("\n")[line].index("/tour") + 1, line))
        await begun(stage)
        await stage.pilot.press("escape")
        await stage.until(lambda: stage.app.screen is stage.main)
        await stage.pilot.press("f1")
        await stage.until(lambda: "t takes the tour" in stage.text)
        line = next(y for y, text in enumerate(stage.text.split("\n")) if "t takes the tour" in text)
        await stage.pilot.click(offset=(stage.text.split("\n")[line].index("takes"), line))
        await begun(stage)
