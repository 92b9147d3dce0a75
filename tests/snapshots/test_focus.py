"""Where the cursor is can be seen in every theme, and Tab goes through a form as one reads it."""

from __future__ import annotations

import pytest
from rich.color import Color as RichColor
from rich.style import Style
from textual.color import Color
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

from tests.snapshots.conftest import InTheme
from tests.snapshots.screens import TABLE, show
from tests.tui.holder import until
from tests.unit.test_contrast import contrast

THEMES = (
    "assistant-dark",
    "assistant-light",
    "harbour-night",
    "morning-garden",
    "ansi-dark",
    "no-colour",
)
LEAST = 1.2
"""How much a shade must differ to be seen beside the other."""
Cell = tuple[str, Style]


def cells(widget: Widget) -> list[Cell]:
    """What is drawn of the widget and, for one in a panel, of that panel."""
    shown = next((each for each in widget.ancestors if "MemoryPanel" in each._css_type_names), widget)
    assert isinstance(shown, Widget)
    region = shown.region.intersection(widget.screen.region)
    strips = widget.screen._compositor.render_strips()[region.y : region.bottom]
    return [
        (char, part.style or Style())
        for strip in strips
        for part in strip.crop(region.x, region.right)
        for char in part.text
    ]


def differs(one: Cell, other: Cell) -> bool:
    """Whether one sees a difference between two cells, by more than a hue."""
    (first, a), (second, b) = one, other
    if first != second or (a.bold, a.reverse, a.underline) != (b.bold, b.reverse, b.underline):
        return True
    return shade(a.bgcolor, b.bgcolor) or (first != " " and shade(a.color, b.color))


def shade(one: RichColor | None, other: RichColor | None) -> bool:
    if one == other or one is None or other is None:
        return one != other
    if one.triplet is None or other.triplet is None:
        return one != other
    return contrast(Color(*one.triplet), Color(*other.triplet)) >= LEAST


def one_of_a_kind(chain: list[Widget]) -> list[Widget]:
    return list({(type(each), each.parent and type(each.parent)): each for each in chain}.values())


@pytest.mark.parametrize("theme", THEMES)
async def test_focus_is_seen(in_theme: InTheme, theme: str) -> None:
    app = in_theme(theme)
    unseen = []
    async with app.run_test(size=(140, 60)) as pilot:
        app.animation_level = "none"  # what is gone to is in sight at once
        await until(pilot, lambda: app.main.flow.session is not None)
        app.main.toggle_panels()
        for screen in TABLE:
            front = await show(app, pilot, screen)
            chain = front.focus_chain
            for widget in one_of_a_kind(chain) if len(chain) > 1 else []:
                front.set_focus(widget)
                await pilot.pause()
                await pilot.pause()
                focused = cells(widget)
                front.set_focus(next(other for other in chain if other is not widget), scroll_visible=False)
                await pilot.pause()
                await pilot.pause()
                if not any(map(differs, focused, cells(widget))):
                    unseen.append(f"{screen.__name__}: {type(widget).__name__}#{widget.id}")
            if front is not app.main:
                app.pop_screen()
        await app.do_quit()
    assert unseen == []


@pytest.mark.parametrize(
    "screen", [each for each in TABLE if issubclass(each, ModalScreen)], ids=lambda each: each.__name__
)
async def test_tab_goes_through_a_form_as_one_reads_it(
    in_theme: InTheme, screen: type[Screen[object]]
) -> None:
    app = in_theme("assistant-dark")
    async with app.run_test(size=(100, 250)) as pilot:
        front = await show(app, pilot, screen)
        places = [(each.region.y, each.region.x) for each in front.focus_chain]
        await app.do_quit()
    assert places == sorted(places)
