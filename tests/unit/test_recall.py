from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from assistant.config import MemorySettings
from assistant.memory.collections.conversations import Conversations
from assistant.memory.collections.episodes import Episodes
from assistant.memory.collections.facts import Facts
from assistant.memory.core import Core
from assistant.memory.recall import MATCHES, recall_episodes, recall_facts
from assistant.memory.records import Episode, Fact, FactKind, Recalled
from tests.unit.conftest import SteppedClock


async def facts_for(core: Core, question: str) -> tuple[Recalled, ...]:
    return await recall_facts(core, question, (await core.embed([question]))[0])


async def turns_for(core: Core, question: str, **more: object) -> tuple[Recalled, ...]:
    vector = (await core.embed([question]))[0]
    return await recall_episodes(core, question, vector, await recall_facts(core, question, vector), **more)  # type: ignore[arg-type]


def statements(recalled: tuple[Recalled, ...]) -> list[str]:
    return [one.item.statement for one in recalled if isinstance(one.item, Fact)]


def asked(recalled: tuple[Recalled, ...]) -> list[str]:
    return [one.item.user for one in recalled if isinstance(one.item, Episode)]


async def say(core: Core, user: str, answer: str = "Noted.", said: datetime | None = None) -> Episode:
    conversation = (await Conversations(core).create()).id
    episodes = Episodes(core)
    turn = await episodes.record(user, conversation=conversation, said=said)
    return await episodes.finish(turn.id, answer)


async def know(core: Core, *facts: str) -> None:
    for statement in facts:
        await Facts(core).add(statement, key=statement.split()[-1].lower())


def with_budget(core: Core, **tokens: int) -> Core:
    core.settings = MemorySettings(**tokens)  # type: ignore[arg-type]
    return core


async def test_the_fact_asked_for_comes_first_with_its_reason(core: Core) -> None:
    await know(core, "User runs a ceramics shop", "User lives in Leith", "User is allergic to peanuts")
    best = (await facts_for(core, "where do I live?"))[0]
    assert isinstance(best.item, Fact)
    assert best.item.statement == "User lives in Leith"
    assert best.reason == MATCHES
    assert best.score == pytest.approx(sum(best.parts.values()))


async def test_a_fact_worded_unlike_the_question_comes_along_while_there_is_room(core: Core) -> None:
    await know(core, "User runs a ceramics shop on Shopify", "User lives in Leith")
    assert "User runs a ceramics shop on Shopify" in statements(
        await facts_for(core, "what platform am I on?")
    )


async def test_facts_fill_the_budget_and_say_what_was_left_out(core: Core) -> None:
    await know(core, *(f"User once owned a boat with the name Number{i}" for i in range(20)))
    recalled = await facts_for(with_budget(core, fact_tokens=60), "which boats did I own?")
    assert sum(one.tokens for one in recalled if one.fits) <= 60
    assert {one.fits for one in recalled} == {True, False}


async def test_standing_wishes_and_pinned_facts_always_come_along(core: Core) -> None:
    await know(core, *(f"User likes the colour number {i}" for i in range(80)))
    facts = Facts(core)
    await facts.add("User wants answers in French", key="language", kind=FactKind.PROCEDURAL)
    entry = await facts.add("User has a cat named Olive", key="cat")
    assert entry.subject_id is not None
    await facts.pin(entry.subject_id)
    recalled = await facts_for(with_budget(core, fact_tokens=120), "which colour do I like?")
    fitting = [one.item.statement for one in recalled if one.fits and isinstance(one.item, Fact)]
    assert {"User wants answers in French", "User has a cat named Olive"} <= set(fitting)


async def test_many_standing_wishes_do_not_crowd_out_the_answer(core: Core) -> None:
    facts = Facts(core)
    await facts.add("User lives in Leith", key="home")
    for i in range(12):
        await facts.add(
            f"User wants rule number {i} to be followed", key=f"rule_{i}", kind=FactKind.PROCEDURAL
        )
    recalled = await facts_for(with_budget(core, fact_tokens=50), "where do I live?")
    assert "User lives in Leith" in [
        one.item.statement for one in recalled if one.fits and isinstance(one.item, Fact)
    ]


async def test_only_current_facts_are_recalled_unless_the_past_is_asked_for(
    core: Core, clock: SteppedClock
) -> None:
    facts = Facts(core)
    entry = await facts.add("User lives in Leith", key="home")
    clock.step(days=30)
    assert entry.subject_id is not None
    await facts.edit(entry.subject_id, statement="User lives in Portobello")
    assert statements(await facts_for(core, "where do I live?")) == ["User lives in Portobello"]
    past = await facts_for(core, "where did I live before?")
    assert set(statements(past)) == {"User lives in Leith", "User lives in Portobello"}
    assert [one.reason for one in past if one.item.valid_to] == [f"{MATCHES}, true until 31 March 2026"]  # type: ignore[union-attr]


async def test_a_fact_that_had_ended_by_the_time_asked_for_stays_out(core: Core, clock: SteppedClock) -> None:
    facts = Facts(core)
    entry = await facts.add("User lives in Leith", key="home")
    clock.step(days=30)
    assert entry.subject_id is not None
    await facts.edit(entry.subject_id, statement="User lives in Portobello")
    clock.step(days=300)
    assert "User lives in Leith" in statements(await facts_for(core, "where did I live in March?"))
    assert "User lives in Leith" not in statements(await facts_for(core, "where did I live in July?"))


async def test_a_turn_is_recalled_by_meaning_and_words(core: Core) -> None:
    await say(core, "the boiler broke again, no hot water", "Call your landlord.")
    await say(core, "what is a good beginner tarantula", "A Chilean rose.")
    assert asked(await turns_for(core, "what did you advise about the boiler?")) == [
        "the boiler broke again, no hot water"
    ]


async def test_nonsense_recalls_no_turn(core: Core) -> None:
    await say(core, "the boiler broke again, no hot water", "Call your landlord.")
    assert await turns_for(core, "qzx vlorp") == ()


async def test_turns_fill_the_budget_best_first(core: Core) -> None:
    for i in range(6):
        await say(core, f"the boiler broke, day {i}", "Call your landlord at once. " * 12)
    recalled = await turns_for(with_budget(core, episode_tokens=250), "what about the boiler?")
    assert [one.fits for one in recalled].count(True) == 2
    assert recalled[0].fits
    scores = [one.score for one in recalled]
    assert scores == sorted(scores, reverse=True)


async def test_a_turn_longer_than_the_budget_still_fits_as_the_excerpt_that_is_shown(core: Core) -> None:
    await say(core, "tell me all about the boiler", "Boilers heat water. " * 2_000)
    [turn] = await turns_for(core, "what did you say about the boiler?")
    assert turn.fits


async def test_the_same_exchange_twice_comes_along_once(core: Core) -> None:
    for _ in range(3):
        await say(core, "how do I bleed a radiator?", "Open the valve slowly.")
    assert len(await turns_for(core, "what did you say about bleeding the radiator?")) == 1


async def test_turns_of_the_time_asked_for_go_first(core: Core, clock: SteppedClock) -> None:
    await say(core, "the boiler makes a noise", said=clock.now - timedelta(days=40))
    await say(core, "the boiler is loud again", said=clock.now - timedelta(days=1))
    first = (await turns_for(core, "what did I say about the boiler yesterday?"))[0]
    assert isinstance(first.item, Episode)
    assert first.item.user == "the boiler is loud again"
    assert first.parts["time"] > 0
    assert "yesterday" in first.reason


async def test_a_question_for_nothing_but_a_time_gets_the_turns_of_that_time(
    core: Core, clock: SteppedClock
) -> None:
    await say(core, "the boiler broke", said=clock.now - timedelta(days=5))
    await say(core, "I quit the gym", said=clock.now - timedelta(days=1))
    assert asked(await turns_for(core, "what did we talk about yesterday?")) == ["I quit the gym"]
    assert asked(await turns_for(core, "where did we leave off?")) == ["I quit the gym", "the boiler broke"]


async def test_an_event_is_dated_by_the_fact_that_tells_of_it(core: Core, clock: SteppedClock) -> None:
    await say(core, "the old stove is acting up", said=clock.now - timedelta(days=60))
    await say(core, "the new stove is acting up", said=clock.now + timedelta(days=60))
    await Facts(core).add("User moved to Leith", key="home")
    before = (await turns_for(core, "what was wrong with the stove before I moved to Leith?"))[0]
    after = (await turns_for(core, "what was wrong with the stove after I moved to Leith?"))[0]
    assert isinstance(before.item, Episode)
    assert isinstance(after.item, Episode)
    assert (before.item.user, after.item.user) == ("the old stove is acting up", "the new stove is acting up")


async def test_the_users_own_name_stands_for_the_user(core: Core) -> None:
    facts = Facts(core)
    await facts.add("User's name is Kit Morrow", key="name", value="Kit Morrow")
    await say(core, "I want to sell mugs online")
    found = (await turns_for(core, "what did Kit want to sell?"))[0]
    plain = (await turns_for(core, "what did I want to sell?"))[0]
    assert found.score == pytest.approx(plain.score)


async def test_the_turn_a_matching_fact_came_from_comes_along(core: Core) -> None:
    turn = await say(core, "we are off to the registry office on Friday!")
    await Facts(core).add("User is getting married", key="marriage", episode=turn.id)
    recalled = await turns_for(core, "when am I getting married?")
    assert "we are off to the registry office on Friday!" in asked(recalled)


async def test_turns_already_in_the_prompt_are_left_out(core: Core) -> None:
    turn = await say(core, "the boiler broke", "Call your landlord.")
    assert await turns_for(core, "what about the boiler?", exclude=frozenset({turn.id})) == ()
    assert await turns_for(core, "what did we talk about today?", exclude=frozenset({turn.id})) == ()


async def test_where_nothing_current_matches_what_ended_comes_along_with_its_end(core: Core) -> None:
    facts = Facts(core)
    entry = await facts.add("User lives in Wick", key="residence")
    await facts.end(entry.subject_id or 0)
    (last,) = await facts_for(core, "Where do I live?")
    assert "true until" in last.reason
    await facts.add("User lives in Ayr", key="residence")
    assert statements(await facts_for(core, "Where do I live?")) == ["User lives in Ayr"]
