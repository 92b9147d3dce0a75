"""What the panels show of a real memory, and what their keys do to it."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace

import pytest
from textual.widgets import Input, Select, Static, TextArea

from assistant.config import ModelKind
from assistant.memory.records import (
    FactKind,
    JudgmentDraft,
    Operation,
)
from assistant.tui.messages import MemoryChanged, ShowEpisode
from assistant.tui.panels import PANELS
from assistant.tui.screens.fact import FactScreen
from assistant.tui.widgets import marks
from assistant.tui.widgets.insights_panel import per_day
from assistant.tui.widgets.memory_panel import MemoryPanel
from assistant.tui.widgets.rows import Row
from assistant.tui.widgets.search_box import SearchBox
from tests.tui.desk import NOW
from tests.tui.holder import feed, shown, until
from tests.tui.stage import Open

SITUATION = "a production configuration has to change"
ODD = "see [/foo] and [b x=1, \x1b[2J\x1b]0;title\x07 \u202eevil"


# Plan ----------------------------------------------------------------------------------------------------------------


async def test_the_plan_says_facts_only_or_facts_and_episodes_why_who_how_sure_and_how_long(desk):
    await desk.ask("Which database should I use for a small shop?")
    text = desk.text("plan")
    assert "FACTS ONLY" in text
    assert "% sure" in text
    assert "on-device classifier in" in text
    await desk.ask("What exactly did I say about the database yesterday?")
    assert "FACTS + EPISODES" in desk.text("plan")
    await desk.go("plan")
    assert "embed" in desk.text("plan")
    assert " ms" in desk.text("plan")


async def test_each_recalled_item_stands_with_its_score_and_the_strip_explains_the_highlighted_one(desk):
    await desk.memory.facts.add("User's tooling budget is 200 a month", key="budget", value="200")
    await desk.ask("What is my budget for tooling?")
    panel = await desk.go("plan")
    panel.records.go_to("fact:1")
    await desk.pilot.pause()
    text = desk.text("plan")
    found = (await desk.memory.plans.recall_of(desk.turns[-1].id)).facts[0]
    assert "User's tooling budget is 200 a month" in text
    assert marks.strength(found) in text
    assert f"{found.score:.2f}" in text
    assert all(name in text for name in found.parts)


async def test_what_did_not_fit_the_budget_is_listed_as_left_out(desk):
    for number in range(60):
        await desk.memory.facts.add(
            f"User's favourite budget tool number {number} costs {number} pounds every month"
        )
    desk.memory.core.settings.__dict__["fact_tokens"] = 60
    await desk.ask("Which budget tools do I like and what do they cost?")
    options = [each.id for each in desk.panel("plan").records.options]
    recall = await desk.memory.plans.recall_of(desk.turns[-1].id)
    left_out = [each for each in recall.facts if not each.fits]
    assert left_out
    assert options.index("heading:Left out") < options.index(f"fact:{left_out[0].item.id}")


async def test_a_plan_is_marked_wrong_by_key_once_and_u_takes_it_back(desk):
    episode = await desk.ask("Which database should I use?")
    await desk.go("plan")
    await desk.press("w")
    plan = (await desk.memory.plans.recall_of(episode.id)).plan
    assert plan.marked_wrong
    assert "marked wrong" in desk.text("plan")
    await desk.press("w")
    assert "marked wrong already" in desk.text("plan")
    await desk.press("u")
    assert not (await desk.memory.plans.get(plan.id)).marked_wrong


async def test_attaching_a_conversation_shows_what_its_last_answer_recalled(desk):
    await desk.memory.facts.add("User's tooling budget is 200 a month")
    await desk.ask("What is my budget for tooling?")
    await desk.area.attach(desk.memory, SimpleNamespace(turns=desk.turns))
    assert "User's tooling budget" in desk.text("plan")
    await desk.area.attach(desk.memory, SimpleNamespace(turns=[]))
    assert "Ask something" in desk.text("plan")


async def test_why_an_item_came_along_is_wrapped_rather_than_cut_and_no_bare_number_stands_in_the_rows(desk):
    await desk.memory.facts.add("User keeps bees")
    await desk.ask("Which database should I use?")
    (found,) = (await desk.memory.plans.recall_of(desk.turns[-1].id)).facts
    said = desk.text("plan")
    assert f"{found.score:.2f}" not in said
    assert found.reason in " ".join(said.replace("▏", "").split())


@pytest.mark.parametrize(
    ("score", "words"),
    [(-0.07, "weak match"), (0.35, "fair match"), (0.7, "strong match"), (1.4, "strong match")],
)
def test_scores_are_put_into_words(score, words):
    assert marks.strength(SimpleNamespace(score=score)) == words


# Every panel ---------------------------------------------------------------------------------------------------------


async def test_the_buttons_of_a_panel_show_its_keys(desk):
    for name, shown_there in {
        "facts": ("a add", "e edit", "p pin", "d forget"),
        "judgments": ("r ✓ right", "w ✗ wrong", "e history"),
        "episodes": ("o open", "n around", "x archive", "d forget"),
        "journal": ("u undo this", "o go to its turn"),
        "plan": ("w ✗ this plan was wrong",),
    }.items():
        await desk.go(name)
        assert all(each in desk.text(name) for each in shown_there), desk.text(name)


async def test_a_key_that_does_nothing_in_a_panel_is_told(desk):
    await desk.go("facts")
    await desk.press("z")
    assert "“z” does nothing in this panel" in desk.text("facts")
    await desk.press("slash", "z")
    assert desk.panel("facts").query_one(SearchBox).value == "z"


async def test_a_digit_goes_to_its_panel_and_never_hides_it(desk):
    await desk.go("facts")
    await desk.press("2", "2")
    assert desk.panel("facts").has_focus_within
    await desk.press("5")
    await until(desk.pilot, lambda: desk.panel("journal").has_focus_within)
    await desk.press("ctrl+w")
    assert not desk.panel("journal").display


async def test_what_an_empty_panel_says_is_wrapped_rather_than_cut(desk):
    assert "Press a to add a fact." in " ".join(desk.text("facts").split())


# Facts ---------------------------------------------------------------------------------------------------------------


async def test_facts_stand_pinned_first_then_by_kind(desk):
    await desk.memory.facts.add("User lives in Leith")
    await desk.memory.facts.add("User wants short answers", kind=FactKind.PROCEDURAL)
    await desk.memory.facts.add("User keeps bees")
    await desk.memory.facts.pin(3)
    await desk.area.refresh_records()
    rows = [each.id for each in desk.panel("facts").records.options]
    assert rows == [
        "heading:Pinned", "fact:3", "heading:True now", "fact:1", "heading:How you want things done", "fact:2",
    ]  # fmt: skip
    assert "pinned" in desk.text("facts")


async def test_a_fact_that_a_turn_changed_is_marked_with_old_and_new_and_the_mark_goes_with_the_next_turn(
    desk,
):
    await desk.ask("We're about 50 people right now.")
    await desk.learn("User's company has about 50 people", Operation.ADD)
    assert "50 people" in desk.text("facts")
    assert "new" in desk.text("facts")
    await desk.ask("We just closed a round, we're closer to 80 employees now.")
    await desk.learn("User's company has about 80 employees", Operation.UPDATE, 1)
    text = desk.text("facts")
    assert "1 · 1 changed" in text
    assert "was User's company has about 50 people" in text
    assert "the number changed" in text
    await desk.ask("Thanks!")
    assert "80 employees" in desk.text("facts")
    assert "changed" not in desk.text("facts")
    assert "50 people" not in desk.text("facts")


async def test_what_a_turn_ended_is_shown_as_ended_and_what_it_repeated_as_said_again(desk):
    await desk.memory.facts.add("User's company has about 50 people")
    await desk.ask("As I said, we are about 50.")
    await desk.learn("User's company has about 50 people", Operation.NOOP, 1)
    assert "said again" in desk.text("facts")
    await desk.ask("We shut the company down.")
    await desk.learn("User has no company any more", Operation.DELETE, 1)
    assert "No longer true" in desk.text("facts")
    assert "ended" in desk.text("facts")


async def test_searching_facts_finds_by_meaning_and_esc_brings_all_back(desk):
    await desk.memory.facts.add("User lives in Leith")
    await desk.memory.facts.add("User's tooling budget is 200 a month")
    await desk.area.refresh_records()
    panel = await desk.go("facts")
    await desk.press("slash", *"budget")
    await until(desk.pilot, lambda: [each.id for each in panel.records.options] == ["fact:2"])
    await desk.press("escape")
    await until(desk.pilot, lambda: panel.records.option_count == 3)
    assert panel.records.has_focus


async def test_pin_forget_and_undo_work_on_the_highlighted_fact(desk):
    await desk.memory.facts.add("User lives in Leith")
    await desk.area.refresh_records()
    await desk.go("facts")
    await desk.press("p")
    assert (await desk.memory.facts.get(1)).pinned
    await desk.press("d")
    assert await desk.memory.facts.list() == []
    assert "Leith" not in "".join(str(each.prompt.plain) for each in desk.panel("facts").records.options)
    await desk.press("u")
    assert [fact.statement for fact in await desk.memory.facts.list()] == ["User lives in Leith"]
    assert desk.app.got(MemoryChanged)


async def test_a_fact_is_added_and_edited_on_its_screen_and_the_panel_follows(desk):
    await desk.go("facts")
    await desk.press("a")
    await until(desk.pilot, lambda: isinstance(desk.app.screen, FactScreen))
    screen = desk.app.screen
    screen.query_one("#statement", TextArea).text = "User lives in Leith"
    screen.query_one("#key", Input).value = "home_city"
    screen.query_one("#kind", Select).value = FactKind.EPISODIC
    await desk.press("ctrl+s")
    fact = (await desk.memory.facts.list())[0]
    assert (fact.statement, fact.key, fact.kind) == ("User lives in Leith", "home_city", FactKind.EPISODIC)
    await until(desk.pilot, lambda: "User lives in Leith" in desk.text("facts"))
    await desk.press("enter")
    await until(desk.pilot, lambda: isinstance(desk.app.screen, FactScreen))
    desk.app.screen.query_one("#statement", TextArea).text = "User lives in Portobello"
    await desk.press("ctrl+s")
    history = await desk.memory.facts.history(fact.id)
    assert [version.statement for version in history] == ["User lives in Leith", "User lives in Portobello"]
    await until(desk.pilot, lambda: "User lives in Portobello" in desk.text("facts"))


async def test_the_fact_screen_shows_history_and_source_and_jumps_to_the_message(desk):
    episode = await desk.ask("I live in Leith.")
    await desk.learn("User lives in Leith", Operation.ADD)
    fact = (await desk.memory.facts.list())[0]
    await desk.memory.facts.edit(fact.id, statement="User lives in Portobello")
    await desk.area.refresh_records()
    await desk.go("facts")
    desk.panel("facts").records.go_to(f"fact:{fact.id}")
    await desk.press("enter")
    await until(desk.pilot, lambda: isinstance(desk.app.screen, FactScreen))
    await until(desk.pilot, lambda: "I live in Leith." in shown(desk.app.screen))
    text = shown(desk.app.screen)
    assert "● User lives in Portobello" in text
    assert f"○ {fact.statement}" in text
    await desk.press("ctrl+o")
    await until(desk.pilot, lambda: desk.app.got(ShowEpisode))
    assert desk.app.got(ShowEpisode)[0].episode == episode.id


async def test_esc_asks_once_before_it_throws_away_what_was_typed(desk):
    await desk.go("facts")
    await desk.press("a")
    await until(desk.pilot, lambda: isinstance(desk.app.screen, FactScreen))
    await desk.press(*"User", "escape")
    assert "Not saved yet" in shown(desk.app.screen)
    await desk.press("escape")
    await until(desk.pilot, lambda: not isinstance(desk.app.screen, FactScreen))
    assert await desk.memory.facts.list() == []


async def test_all_that_was_typed_before_the_key_to_save_is_saved(desk):
    await desk.go("facts")
    await desk.press("a")
    await until(desk.pilot, lambda: isinstance(desk.app.screen, FactScreen))
    await feed(desk.pilot, "User likes tea, and cakes with it\x13")
    await until(desk.pilot, lambda: "User likes" in desk.text("facts"))
    assert (await desk.memory.facts.list())[0].statement == "User likes tea, and cakes with it"


async def test_an_empty_statement_is_refused_with_a_sentence_and_nothing_is_lost(desk):
    await desk.go("facts")
    await desk.press("a")
    await until(desk.pilot, lambda: isinstance(desk.app.screen, FactScreen))
    desk.app.screen.query_one("#key", Input).value = "home_city"
    await desk.press("ctrl+s")
    assert "A fact needs a statement." in shown(desk.app.screen)
    assert desk.app.screen.query_one("#key", Input).value == "home_city"


# Episodes, journal, insights -----------------------------------------------------------------------------------------


async def test_episodes_appear_by_themselves_when_recalled_with_their_neighbours_and_the_way_there(desk):
    for said in (
        "I prefer tea.",
        "Keep any tooling under 200 a month, that is my ceiling.",
        "Where is Leith?",
    ):
        await desk.ask(said)
    assert not desk.panel("episodes").display
    await desk.ask("What exactly did I say when I mentioned my ceiling for tooling?")
    panel = desk.panel("episodes")
    assert panel.display
    await until(desk.pilot, lambda: "that is my ceiling" in desk.text("episodes"))
    await desk.go("episodes")
    panel.records.go_to("episode:2")
    await desk.press("n")
    rows = [each.id for each in panel.records.options]
    assert rows.index("near:2:1") < rows.index("episode:2") < rows.index("near:2:3")
    await desk.press("o")
    assert (desk.app.got(ShowEpisode)[0].conversation, desk.app.got(ShowEpisode)[0].episode) == (1, 2)


async def test_an_archived_episode_leaves_the_search_and_undo_brings_it_back(desk):
    await desk.ask("Keep any tooling under 200 a month, that is my ceiling.")
    panel = await desk.go("episodes")
    await desk.press("slash", *"ceiling", "down")
    await until(desk.pilot, lambda: panel.records.current == "episode:1")
    await desk.press("x")
    assert (await desk.memory.episodes.get(1)).archived
    await desk.press("u")
    assert not (await desk.memory.episodes.get(1)).archived


async def test_the_journal_lists_every_change_newest_first_and_undoes_the_highlighted_one(desk):
    await desk.memory.facts.add("User lives in Leith")
    await desk.memory.facts.add("User keeps bees")
    panel = await desk.go("journal")
    await until(desk.pilot, lambda: panel.records.option_count == 3)
    await desk.pilot.pause()
    assert desk.text("journal").index("keeps bees") < desk.text("journal").index("Leith")
    panel.records.go_to("entry:1")
    await desk.press("u")
    assert [fact.statement for fact in await desk.memory.facts.list()] == ["User keeps bees"]
    await until(desk.pilot, lambda: "undone" in desk.text("journal"))


async def test_a_panel_that_is_hidden_reads_nothing_until_it_is_shown(desk):
    await desk.memory.facts.add("User lives in Leith")
    await desk.area.refresh_records()
    assert desk.panel("journal").records.option_count == 0
    await desk.go("journal")
    await until(desk.pilot, lambda: desk.panel("journal").records.option_count == 2)


async def test_insights_count_what_is_there(desk):
    await desk.memory.facts.add("User lives in Leith")
    await desk.ask("Which database should I use?")
    panel = await desk.go("insights")
    await until(desk.pilot, lambda: "1 · 1 new" in desk.text("insights"))
    shares = panel.query_one("#shares", Static).content
    assert isinstance(shares, Row)
    assert "facts only     ██████████ 100 %" in shares.plain
    assert "proved right  none yet" in shares.plain


def test_per_day_counts_local_days_oldest_first():
    recent = {NOW: 2, NOW - timedelta(hours=2): 1, NOW - timedelta(days=1): 4, NOW - timedelta(days=40): 9}
    assert per_day(recent, NOW, days=3) == [0, 4, 3]


# Untrusted text ------------------------------------------------------------------------------------------------------


async def test_markup_and_terminal_sequences_are_shown_as_text_or_removed_in_every_panel(desk):
    await desk.memory.facts.add(ODD, key=ODD, value=ODD)
    await desk.memory.judgments.add(JudgmentDraft(f"{SITUATION} {ODD}", ODD, ODD, "ops"))
    await desk.area.refresh_records()
    await desk.ask(f"I said {ODD} about the production configuration", ODD)
    await desk.ask(f"What exactly did I say last time about the production configuration? {ODD}", ODD)
    for panel in PANELS:
        if panel.id != "insights":
            await desk.go(panel.id)
            await until(desk.pilot, lambda name=panel.id: "[/foo]" in desk.text(name))
        text = desk.text(panel.id)
        assert "\x1b" not in text
        assert "\u202e" not in text
    await desk.go("facts")
    await desk.press("enter")
    await until(desk.pilot, lambda: isinstance(desk.app.screen, FactScreen))
    await desk.press("escape")
    await desk.go("judgments")
    await desk.press("w")
    await until(desk.pilot, lambda: "[/foo]" in shown(desk.app.screen))


async def test_the_search_box_leaves_the_cursor_of_the_list_alone(desk):
    for name in ("User keeps bees", "User lives in Leith", "User plays chess"):
        await desk.memory.facts.add(name)
    await desk.area.refresh_records()
    panel = await desk.go("facts")
    panel.records.go_to("fact:2")
    await desk.press("slash", "down")
    assert panel.records.current == "fact:2"
    assert not panel.query_one(SearchBox).has_focus


# In the whole program --------------------------------------------------------------------------------------------------


async def test_the_answer_under_the_cursor_is_the_one_the_panels_show(opened: Open):
    async with opened(kind=ModelKind.MEMORY_ONLY) as stage:
        await stage.talk("Which database should I use for a small shop?")
        await stage.talk("What exactly did I say before?")
        plan = stage.main.panels.query_one("#panel-plan", MemoryPanel)
        await stage.until(lambda: "What exactly did I say" in shown(plan))
        await stage.pilot.press("alt+up", "alt+up")
        await stage.until(lambda: "Which database should I use" in shown(plan))
        assert "FACTS ONLY" in shown(plan)
