"""The panel area: panels hidden, shown, moved and resized, by key and by mouse, and remembered."""

from __future__ import annotations

import pytest

from assistant.config import ModelKind
from assistant.tui.layout import Layout
from assistant.tui.panels import PANELS, PanelArea
from assistant.tui.state import ScreenState
from tests.tui.desk import Desk
from tests.tui.holder import Holder, feed, until
from tests.tui.stage import Open

IDS = [panel.id for panel in PANELS]


def order(desk: Desk) -> list[str]:
    shown_panels = [panel for panel in desk.area.panels if panel.display]
    return [
        (panel.id or "").removeprefix("panel-")
        for panel in sorted(shown_panels, key=lambda each: each.region.y)
    ]


async def test_panels_are_hidden_shown_moved_and_resized_and_the_layout_is_remembered(memory, tmp_path):
    state = ScreenState(tmp_path / "screen.json")
    app = Holder(PanelArea(state))
    async with app.run_test(size=(60, 60)) as pilot:
        desk = Desk(app, app.query_one(PanelArea), pilot, memory)
        await desk.area.attach(memory, None)
        assert order(desk) == ["plan", "facts", "judgments"]
        assert not state.save()
        await desk.go("facts")
        await desk.press("shift+up")
        assert order(desk) == ["facts", "plan", "judgments"]
        before = desk.panel("facts").size.height
        await desk.press("plus")
        assert desk.panel("facts").size.height == before + 2
        await desk.go("judgments")
        await desk.press("ctrl+w")
        await desk.go("journal")
        await desk.press("less_than_sign")
        assert order(desk) == ["facts", "plan", "journal"]
        assert desk.area.size.width > 44
        assert state.save()
        width = desk.area.outer_size.width
    again = Holder(PanelArea(ScreenState(tmp_path / "screen.json")))
    async with again.run_test(size=(60, 60)) as pilot:
        desk = Desk(again, again.query_one(PanelArea), pilot, memory)
        assert order(desk) == ["facts", "plan", "journal"]
        assert desk.area.outer_size.width == width


async def test_the_mouse_hides_shows_and_resizes_too(desk):
    header = desk.panel("facts").header
    heights = [desk.panel(name).size.height for name in ("plan", "facts")]
    await desk.pilot.mouse_down(header, offset=(3, 0))
    await desk.pilot.hover(header, offset=(3, 2))
    await desk.pilot.mouse_up(header, offset=(3, 0))
    assert [desk.panel(name).size.height for name in ("plan", "facts")] == [heights[0] + 2, heights[1] - 2]
    await desk.pilot.click(header, offset=(header.size.width, 0))
    assert order(desk) == ["plan", "judgments"]
    await desk.pilot.click("#show-facts")
    await until(desk.pilot, lambda: order(desk) == ["plan", "facts", "judgments"])


@pytest.mark.parametrize("value", [None, 7, [], {"order": "x", "shown": 3, "heights": [], "width": "wide"}])
def test_a_layout_that_makes_no_sense_is_the_default(value):
    assert Layout.read(value, IDS) == Layout(IDS)


def test_a_layout_with_unknown_and_missing_panels_keeps_what_it_can():
    layout = Layout.read(
        {"order": ["journal", "gone", "plan", "plan"], "shown": {"gone": True, "plan": False}, "width": 9},
        IDS,
    )
    assert layout.order[:2] == ["journal", "plan"]
    assert sorted(layout.order) == sorted(panel.id for panel in PANELS)
    assert layout.shown == {"plan": False}
    assert layout.width == 28


@pytest.mark.parametrize("width", [28, 36, 44, 60])
async def test_every_panel_fits_any_width(memory, width):
    app = Holder(PanelArea())
    async with app.run_test(size=(width, 60)) as pilot:
        desk = Desk(app, app.query_one(PanelArea), pilot, memory)
        desk.area.styles.width = width
        await desk.area.attach(memory, None)
        await desk.ask("I run a small ceramics shop on Shopify and what did I say before about it?")
        for panel in PANELS:
            await desk.go(panel.id)
            widgets = [
                each for each in desk.panel(panel.id).query("*") if each.region and each.id != "control"
            ]
            assert all(each.region.right <= width for each in widgets if type(each).__name__ != "Button"), (
                panel.id
            )


@pytest.mark.parametrize("size", [(140, 44), (60, 20)])
async def test_a_digit_that_is_typed_right_after_the_key_to_the_panels_goes_to_them(
    opened: Open, size: tuple[int, int]
) -> None:
    async with opened(kind=ModelKind.MEMORY_ONLY, size=size) as stage:
        await stage.talk("I live in Leith.")
        await feed(stage.pilot, "\x1b[21~1")
        await stage.until(lambda: stage.main.query_one("#panel-plan").has_focus_within)
        assert stage.main.composer.text == ""
