"""Thumbs: one vote for one answer, changeable, with the right answer where one was given; by key and by button."""

from __future__ import annotations

import pytest
from textual.widgets import TextArea

from assistant.memory.records import (
    JudgmentDraft,
    Verdict,
)
from assistant.tui.screens.correction import CorrectionScreen
from assistant.tui.screens.judgment import JudgmentScreen
from tests.tui.desk import Desk
from tests.tui.holder import shown, until

SITUATION = "a production configuration has to change"
ADVICE = "Propose the change in a pull request"


@pytest.fixture
async def advised(desk) -> Desk:
    """A desk whose last answer leaned on judgment 1; judgment 2 is about something else."""
    await desk.memory.judgments.add(JudgmentDraft(SITUATION, ADVICE, "direct edits caused outages", "ops"))
    await desk.memory.judgments.add(
        JudgmentDraft("a customer asks for a discount", "Offer free shipping first")
    )
    await desk.ask("The production configuration has to change, how do I go about it?")
    await desk.go("judgments")
    desk.panel("judgments").records.go_to("judgment:1")
    await desk.pilot.pause()
    return desk


async def votes(desk: Desk, judgment: int = 1) -> list[tuple[str, Verdict]]:
    return [(vote.ballot, vote.verdict) for vote in await desk.memory.judgments.votes(judgment)]


async def test_judgments_used_in_this_answer_come_first_with_their_place(advised):
    rows = [each.id for each in advised.panel("judgments").records.options]
    assert rows == ["heading:Used in this answer", "judgment:1", "heading:All others", "judgment:2"]
    assert f"1. {ADVICE}" in advised.text("judgments")
    assert "+0.00 ✓0 ✗0" in advised.text("judgments")


async def test_a_thumb_is_one_vote_on_this_answer_and_the_same_key_again_takes_it_back(advised):
    ballot = str(advised.turns[-1].id)
    await advised.press("r")
    assert await votes(advised) == [(ballot, Verdict.ADOPTED)]
    assert "you: ✓ right" in advised.text("judgments")
    assert "✓1 ✗0" in advised.text("judgments")
    await advised.press("r")
    assert await votes(advised) == []


async def test_the_other_thumb_replaces_the_vote_instead_of_adding_one(advised):
    await advised.press("r", "w", "enter")
    assert await votes(advised) == [(str(advised.turns[-1].id), Verdict.CORRECTED)]
    assert "proved wrong" in advised.text("judgments")


async def test_a_thumb_down_asks_for_the_right_answer_and_keeps_it(advised):
    await advised.press("w")
    await until(advised.pilot, lambda: isinstance(advised.app.screen, CorrectionScreen))
    await advised.press(*"ask ops", "enter")
    await until(advised.pilot, lambda: "right: ask ops" in advised.text("judgments"))
    assert (await advised.memory.judgments.get(1)).correction == "ask ops"


async def test_enter_alone_in_the_correction_is_a_thumb_down_without_text(advised):
    await advised.press("w", "enter")
    await until(advised.pilot, lambda: "you: ✗ wrong" in advised.text("judgments"))
    assert [vote.correction for vote in await advised.memory.judgments.votes(1)] == [""]


async def test_esc_in_the_correction_counts_nothing(advised):
    await advised.press("w")
    await until(advised.pilot, lambda: isinstance(advised.app.screen, CorrectionScreen))
    await advised.press(*"never mind", "escape")
    await advised.pilot.pause()
    assert await advised.memory.judgments.votes(1) == []


async def test_the_buttons_of_the_strip_do_what_the_keys_do(advised):
    button = advised.panel("judgments").query_one("#do-right")
    await advised.pilot.click(button)
    await until(advised.pilot, lambda: "you: ✓ right" in advised.text("judgments"))
    await until(advised.pilot, lambda: not button.has_class("-active"))  # a double click counts once
    await advised.pilot.click(button)
    await until(advised.pilot, lambda: "you: ✓ right" not in advised.text("judgments"))
    assert await votes(advised) == []


async def test_an_earlier_answer_can_be_shown_and_voted_on(advised):
    earlier = advised.turns[-1].id
    await advised.ask("Where do I live?")
    assert "Used in this answer" not in advised.text("judgments")
    await advised.area.show_answer(earlier)
    await advised.pilot.pause()
    assert "production configuration" in advised.text("plan")
    advised.panel("judgments").records.go_to("judgment:1")
    await advised.press("r")
    assert await votes(advised) == [(str(earlier), Verdict.ADOPTED)]


async def test_a_key_that_the_user_chose_for_a_thumb_works(advised):
    advised.app.set_keymap({"judgments.right": "y"})
    await advised.press("y")
    assert await votes(advised) == [(str(advised.turns[-1].id), Verdict.ADOPTED)]


async def test_u_takes_a_vote_back_too(advised):
    await advised.press("r", "u")
    assert await votes(advised) == []


async def test_a_judgment_not_used_in_this_answer_is_voted_on_by_hand(advised):
    advised.panel("judgments").records.go_to("judgment:2")
    await advised.press("r")
    assert await votes(advised, 2) == [("hand", Verdict.ADOPTED)]


async def test_merging_keeps_the_second_with_the_evidence_of_both(advised):
    await advised.press("r", "m")
    advised.panel("judgments").records.go_to("judgment:2")
    await advised.press("m")
    await until(
        advised.pilot, lambda: "judgment:1" not in [e.id for e in advised.panel("judgments").records.options]
    )
    kept = await advised.memory.judgments.get(2)
    assert kept.adopted == 1
    assert (await advised.memory.judgments.get(1)).merged_into == 2


async def test_the_judgment_screen_shows_each_vote_and_edits_the_judgment(advised):
    await advised.press("r", "e")
    await until(advised.pilot, lambda: isinstance(advised.app.screen, JudgmentScreen))
    await until(advised.pilot, lambda: "✓ right" in shown(advised.app.screen))
    assert "trend" in shown(advised.app.screen)
    advised.app.screen.query_one("#judgment", TextArea).text = "Ask the ops team"
    await advised.press("ctrl+s")
    await until(advised.pilot, lambda: "Ask the ops team" in advised.text("judgments"))
    assert (await advised.memory.judgments.get(1)).adopted == 1
