from __future__ import annotations

import pytest

from assistant.errors import MemoryInputError, UnknownIdError
from assistant.memory.collections.conversations import Conversations
from assistant.memory.collections.episodes import Episodes
from assistant.memory.collections.facts import Facts
from assistant.memory.collections.journal import Journal
from assistant.memory.core import Core
from assistant.memory.records import Episode


@pytest.fixture
def conversations(core: Core) -> Conversations:
    return Conversations(core)


async def say(core: Core, text: str, conversation: int, parent: int | None = None) -> Episode:
    asked = await Episodes(core).record(text, conversation=conversation, parent=parent)
    return await Episodes(core).finish(asked.id, f"About {text}: yes.")


def ids(found: list) -> list[int]:
    return [each.id for each in found]


async def test_turns_line_up_in_the_shown_branch_and_are_counted(core, conversations) -> None:
    made = await conversations.create()
    turns = [await say(core, text, made.id) for text in ("one", "two", "three")]
    assert await conversations.branch(made.id) == turns
    held = await conversations.get(made.id)
    assert (held.turns, held.head) == (3, turns[-1].id)


async def test_an_untitled_conversation_is_named_after_its_first_message(core, conversations) -> None:
    made = await conversations.create()
    await say(core, "How do I\nglaze a bowl?", made.id)
    await say(core, "And a mug?", made.id)
    assert (await conversations.get(made.id)).title == "Glaze a bowl"
    named = await conversations.create("Kiln")
    await say(core, "How hot?", named.id)
    assert (await conversations.get(named.id)).title == "Kiln"


async def test_an_edited_turn_is_a_sibling_and_both_branches_can_be_shown(core, conversations) -> None:
    made = await conversations.create()
    first = await say(core, "first", made.id)
    second = await say(core, "second", made.id)
    third = await say(core, "third", made.id)
    edited = await say(core, "second, edited", made.id, parent=first.id)

    assert await conversations.branch(made.id) == [first, edited]
    assert await conversations.siblings(edited.id) == [second, edited]
    await conversations.show_branch(second.id)
    assert await conversations.branch(made.id) == [first, second, third]
    await conversations.show_branch(first.id)
    assert await conversations.branch(made.id) == [first, edited]


async def test_the_first_turn_has_siblings_too(core, conversations) -> None:
    made = await conversations.create()
    first = await say(core, "first", made.id)
    other = await say(core, "first, edited", made.id, parent=0)
    assert other.parent is None
    assert await conversations.siblings(first.id) == [first, other]
    assert await conversations.branch(made.id) == [other]
    elsewhere = await conversations.create()
    await say(core, "another first", elsewhere.id)
    assert await conversations.siblings(first.id) == [first, other]


async def test_a_turn_cannot_follow_one_of_another_conversation(core, conversations) -> None:
    here, there = await conversations.create(), await conversations.create()
    turn = await say(core, "here", here.id)
    with pytest.raises(MemoryInputError, match="another conversation"):
        await say(core, "there", there.id, parent=turn.id)
    with pytest.raises(UnknownIdError):
        await say(core, "nowhere", 99)


async def test_the_list_has_pinned_first_then_the_newest_and_hides_archived(
    core, conversations, clock
) -> None:
    made = []
    for title in ("oldest", "middle", "newest"):
        made.append(await conversations.create(title))
        clock.step(minutes=1)
    await conversations.pin(made[0].id)
    assert [each.title for each in await conversations.list()] == ["oldest", "newest", "middle"]
    await conversations.archive(made[2].id)
    assert [each.title for each in await conversations.list()] == ["oldest", "middle"]
    assert [each.title for each in await conversations.list(archived=True)] == ["oldest", "newest", "middle"]
    await Journal(core).undo()
    assert [each.title for each in await conversations.list()] == ["oldest", "newest", "middle"]


async def test_a_new_turn_moves_a_conversation_up(core, conversations, clock) -> None:
    first, _ = await conversations.create("first"), await conversations.create("second")
    clock.step(minutes=1)
    await say(core, "hello again", first.id)
    assert [each.title for each in await conversations.list()] == ["first", "second"]


async def test_conversations_are_found_by_title_and_by_the_meaning_of_their_turns(
    core, conversations
) -> None:
    pots, trip = await conversations.create("Studio"), await conversations.create("Summer")
    await say(core, "Which glaze is safe for dinner plates?", pots.id)
    await say(core, "We want to take the night train to Vienna.", trip.id)
    assert ids(await conversations.list("STUD")) == [pots.id]
    assert ids(await conversations.list("taking a train overnight"))[:1] == [trip.id]
    assert await conversations.list("qzxv wqpt zzkj") == []


async def test_settings_of_a_conversation_stay_until_taken_back(conversations) -> None:
    made = await conversations.create()
    await conversations.configure(made.id, model="llama3", temperature=0.2)
    held = await conversations.configure(made.id, instructions="Be brief.")
    assert (held.model, held.temperature, held.instructions) == ("llama3", 0.2, "Be brief.")
    held = await conversations.configure(made.id, model="", temperature=-1)
    assert (held.model, held.temperature, held.instructions) == ("", None, "Be brief.")
    assert (await conversations.rename(made.id, " a\nname ")).title == "a name"


async def test_deleting_takes_the_turns_out_of_the_search_and_undo_brings_all_back(
    core, conversations
) -> None:
    made = await conversations.create("Trip")
    turn = await say(core, "We want to take the night train to Vienna.", made.id)
    await Facts(core).add("User likes night trains", episode=turn.id)
    entry = await conversations.delete(made.id)
    assert await conversations.list() == []
    assert await Episodes(core).search("night train") == []
    assert len(await Facts(core).list()) == 1
    with pytest.raises(UnknownIdError):
        await conversations.branch(made.id)

    await Journal(core).undo(entry.id)
    assert await conversations.branch(made.id) == [turn]
    assert [found.item for found in await Episodes(core).search("night train")] == [turn]


async def test_what_is_not_there_is_an_unknown_id(conversations) -> None:
    calls = (
        conversations.get,
        conversations.branch,
        conversations.siblings,
        conversations.show_branch,
        conversations.pin,
        conversations.archive,
        conversations.delete,
        conversations.configure,
    )
    for call in calls:
        with pytest.raises(UnknownIdError):
            await call(99)
