"""What a conversation leaves in the store: on-device decisions, real store, real embedder."""

from __future__ import annotations

from pathlib import Path

from assistant.memory import MemoryEngine
from assistant.memory.ports import Embedder
from assistant.memory.records import AnswerState, JournalEntry


async def tell(memory: MemoryEngine, *messages: str) -> list[JournalEntry]:
    """Say each message as a turn of its own; returns all that was done to the facts."""
    changes: list[JournalEntry] = []
    for message in messages:
        turn = await memory.record(message, "Noted.")
        changes += (await memory.learn(turn.id)).changes
    return changes


async def known(memory: MemoryEngine) -> str:
    return "\n".join(fact.statement for fact in await memory.facts.list())


UNRELATED = [
    "I run a small ceramics shop on Shopify.",
    "Keep any tooling under 200 a month, that is my ceiling.",
    "I moved to Leith last year.",
    "I have two cats.",
    "My daughter is called Wren.",
    "I'm allergic to walnuts.",
    "We use Xero for our invoices.",
    "I play the cello in an amateur orchestra.",
    "My car is a 2014 Skoda Fabia.",
    "I always want answers in metric units.",
    "My brother Tom works as a plumber in Hull.",
    "I go climbing every Thursday.",
    "I'm learning Portuguese.",
    "Our landlord is Mrs Abernathy.",
    "My doctor is Dr. Osei.",
    "I wake up at 5:30 every day.",
    "My phone is a Pixel 7.",
    "I have a degree in chemistry.",
]


async def test_facts_about_different_matters_never_replace_one_another(memory: MemoryEngine) -> None:
    changes = await tell(memory, *UNRELATED)
    assert {change.action for change in changes} == {"fact.add"}, [
        (change.action, change.before, change.after) for change in changes if change.action != "fact.add"
    ]


async def test_a_head_count_that_grows_is_one_current_fact_with_its_history(memory: MemoryEngine) -> None:
    await tell(
        memory,
        "We're about 50 people right now, growing fast though.",
        "We just closed a round, we're closer to 80 employees now",
    )
    (fact,) = [fact for fact in await memory.facts.list() if "80" in fact.statement]
    assert "50" not in await known(memory)
    assert ["50" in version.statement for version in await memory.facts.history(fact.id)] == [True, False]


async def test_three_facts_that_change_end_as_three_updates_and_a_repeat_as_noop(
    memory: MemoryEngine,
) -> None:
    changes = await tell(
        memory,
        "I live in Leith.",
        "My editor of choice is Vim.",
        "I'm allergic to walnuts.",
        "Our rent is 900 a month.",
        "what's a good name for a boat?",
        "We moved, I live in Portobello now.",
        "I switched my editor to Helix, Vim is history for me.",
        "haha ok thanks",
        "Rent went up, it's 1,050 a month now.",
        "As I said, I'm allergic to walnuts.",
    )
    actions = [change.action for change in changes]
    assert actions.count("fact.update") == 3, [(c.action, c.before, c.after) for c in changes]
    assert "fact.noop" in actions
    held = await known(memory)
    assert all(new in held for new in ("Portobello", "Helix", "1,050"))
    assert not any(old in held for old in ("Leith", "900", "choice is Vim"))
    assert held.count("walnuts") == 1
    assert len(held.splitlines()) == 4


async def test_small_talk_and_tasks_leave_nothing(memory: MemoryEngine) -> None:
    await tell(
        memory,
        "hey! how are you",
        "write me a haiku about rain",
        "what's the capital of Peru?",
        "ugh, what a day",
        "if I were rich I'd live in Rome",
        "translate 'I am a doctor and I live in Lyon' into German",
        "lol ok thanks, that's all",
    )
    assert await known(memory) == ""


async def test_a_turn_is_learned_from_once(memory: MemoryEngine) -> None:
    turn = await memory.record("I live in Leith.", "Noted.")
    first = await memory.learn(turn.id)
    second = await memory.learn(turn.id)
    assert len(first.changes) == 1
    assert second.changes == ()


async def test_a_withdrawn_fact_leaves_the_current_ones_and_stays_in_history(memory: MemoryEngine) -> None:
    await tell(
        memory,
        "I have a gym membership.",
        "I have two cats.",
        "I cancelled my gym membership, no more gym for me.",
    )
    assert "gym membership" not in await known(memory)
    assert "two cats" in await known(memory)
    ended = [fact for fact in await memory.facts.list(history=True) if "gym" in fact.statement]
    assert any(not fact.current for fact in ended)


async def test_a_change_can_be_taken_back_and_brought_again(memory: MemoryEngine) -> None:
    await tell(memory, "I live in Leith.", "We moved, I live in Portobello now.")
    undo = await memory.undo()
    assert "Leith" in await known(memory)
    await memory.undo(undo.id)
    assert "Portobello" in await known(memory)
    assert "Leith" not in await known(memory)


async def test_whom_she_means_may_have_been_named_some_messages_ago(memory: MemoryEngine) -> None:
    first = await memory.record("I have a niece, Ottilie.", "Lovely.")
    second = await memory.record(
        "she goes to Linden school", "Ok.", conversation=first.conversation, parent=first.id
    )
    third = await memory.record(
        "she's allergic to sesame", "Ok.", conversation=second.conversation, parent=second.id
    )
    for turn in (first, second, third):
        await memory.learn(turn.id)
    assert "User's niece Ottilie is allergic to sesame" in await known(memory)


async def test_a_turn_that_is_being_answered_is_not_taken_for_one_that_was_left(
    tmp_path: Path, embedder: Embedder
) -> None:
    async with await MemoryEngine.open(tmp_path / "memory.duckdb", embedder) as memory:
        turn = await memory.record("I live in Leith.")
        assert await memory.catch_up() == 0
        assert (await memory.episodes.get(turn.id)).state is AnswerState.OPEN
    async with await MemoryEngine.open(tmp_path / "memory.duckdb", embedder) as memory:
        assert await memory.catch_up() == 1
        assert (await memory.episodes.get(turn.id)).state is AnswerState.CUT


async def test_the_end_of_one_of_two_things_leaves_the_other_in_the_store(memory: MemoryEngine) -> None:
    await memory.facts.add("User sings in a choir and rows on Sundays")
    await tell(memory, "I quit the choir")
    (fact,) = await memory.facts.list()
    assert fact.statement == "User rows on Sundays"
    assert len(await memory.facts.history(fact.id)) == 2
