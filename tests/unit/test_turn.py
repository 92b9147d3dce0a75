"""One turn as a stream of events: what is kept, whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from assistant.config import ModelSettings, Settings
from assistant.conversation.events import (
    Answered,
    Delta,
    Failed,
    Learned,
    Notice,
    Planned,
    Recalled,
    Reflected,
    Thinking,
    TurnEvent,
)
from assistant.conversation.turn import Session
from assistant.memory import MemoryEngine
from assistant.memory.records import AnswerState
from assistant.models.chat import OpenAIChat
from tests.stubs.server import CUT, StubServer, chunk, page, stream, text


@pytest.fixture
def session(memory: MemoryEngine, model: OpenAIChat) -> Session:
    return Session(memory, model, Settings())


async def all_of(events: AsyncIterator[TurnEvent]) -> list[TurnEvent]:
    return [event async for event in events]


async def test_a_turn_goes_plan_recall_answer_learn_reflect_in_this_order(
    session: Session, server: StubServer
) -> None:
    server.will(text("Lovely", " shop.", thoughts="hm"))
    events = await all_of(session.ask("I run a small ceramics shop on Shopify."))
    kinds = [type(event) for event in events]
    assert kinds == [Planned, Recalled, Thinking, Delta, Delta, Answered, Learned, Reflected]
    answered = events[5]
    assert isinstance(answered, Answered)
    assert answered.episode.assistant == "Lovely shop."
    assert answered.episode.state is AnswerState.COMPLETE
    assert answered.usage.answer_tokens == 2


async def test_what_one_turn_taught_stands_in_the_prompt_of_the_next(
    session: Session, server: StubServer
) -> None:
    await all_of(session.ask("I run a small ceramics shop on Shopify."))
    await all_of(session.ask("What platform am I on?"))
    told = server.chats[-1].body["messages"][0]["content"]
    assert "Shopify" in told
    assert server.chats[-1].body["messages"][-1]["content"] == "What platform am I on?"


async def test_stopping_keeps_what_arrived_marks_it_cut_and_reaches_the_server(
    session: Session, server: StubServer
) -> None:
    server.will(stream(chunk({"content": "The first"}), 30.0, chunk({"content": " never"})))
    events: list[TurnEvent] = []
    async for event in session.ask("Tell me a long story"):
        events.append(event)
        if isinstance(event, Delta):
            session.stop()
    answered = next(event for event in events if isinstance(event, Answered))
    assert (answered.episode.assistant, answered.episode.state) == ("The first", AnswerState.CUT)
    await asyncio.wait_for(server.chats[0].disconnected.wait(), 5)


async def test_an_answer_is_kept_under_the_name_of_the_model_that_gave_it(
    session: Session, server: StubServer
) -> None:
    server.will(text("One ", "and two."))
    events: list[TurnEvent] = []
    async for event in session.ask("Count"):
        events.append(event)
        if isinstance(event, Delta):
            session.model = None
    answered = next(event for event in events if isinstance(event, Answered))
    assert (answered.episode.model, answered.usage.model) == ("stub-model", "stub-model")
    assert answered.usage.context_tokens > 0


async def test_leaving_in_mid_answer_keeps_what_arrived(
    session: Session, server: StubServer, memory: MemoryEngine
) -> None:
    server.will(stream(chunk({"content": "Half of"}), 30.0))
    events = session.ask("Tell me a long story")
    async for event in events:
        if isinstance(event, Delta):
            break
    await events.aclose()  # type: ignore[attr-defined]
    (kept,) = await memory.episodes.list()
    assert (kept.user, kept.assistant, kept.state) == ("Tell me a long story", "Half of", AnswerState.CUT)


async def test_a_connection_that_breaks_keeps_prompt_and_partial_answer_and_says_why(
    session: Session, server: StubServer, memory: MemoryEngine
) -> None:
    server.will(stream(chunk({"content": "Half of"}), 0.05, CUT))
    events = await all_of(session.ask("I live in Leith. Tell me a story"))
    assert any(isinstance(event, Failed | Notice) for event in events)
    (kept,) = await memory.episodes.list()
    assert kept.assistant == "Half of"
    assert kept.state in (AnswerState.CUT, AnswerState.FAILED)
    assert kept.error


async def test_a_failed_turn_is_still_learned_from(
    session: Session, server: StubServer, memory: MemoryEngine
) -> None:
    server.will(page("<html>not an API</html>"))
    events = await all_of(session.ask("I live in Leith and I am allergic to walnuts."))
    failed = next(event for event in events if isinstance(event, Failed))
    assert failed.episode is not None
    assert failed.episode.user == "I live in Leith and I am allergic to walnuts."
    assert {"Leith", "walnuts"} <= set(" ".join(f.statement for f in await memory.facts.list()).split())


async def test_a_server_that_is_down_is_named_in_the_sentence(memory: MemoryEngine) -> None:
    chat = OpenAIChat("http://127.0.0.1:9/v1", "any", "", context_tokens=4096)
    events = await all_of(Session(memory, chat, Settings()).ask("Hello there"))
    failed = next(event for event in events if isinstance(event, Failed))
    assert "127.0.0.1:9" in failed.text
    assert failed.hint
    await chat.close()


async def test_regenerating_and_editing_keep_the_earlier_version_as_a_branch(
    session: Session, server: StubServer
) -> None:
    server.will(text("One."), text("Two."), text("Three."), text("Four."))
    await all_of(session.ask("First question"))
    await all_of(session.ask("Second question"))
    second = session.turns[-1]
    await all_of(session.regenerate(second.id))
    assert [turn.assistant for turn in session.turns] == ["One.", "Three."]
    versions = await session.siblings(session.turns[-1].id)
    assert [version.assistant for version in versions] == ["Two.", "Three."]
    await all_of(session.edit(session.turns[0].id, "First question, asked better"))
    assert [turn.user for turn in session.turns] == ["First question, asked better"]
    await session.step(session.turns[0].id, -1)
    assert [turn.assistant for turn in session.turns] == ["One.", "Three."]


async def test_going_on_with_a_cut_answer_begins_with_what_was_there(
    session: Session, server: StubServer
) -> None:
    server.will(text("One, two,"), text(" three."))
    await all_of(session.ask("Count to three"))
    await all_of(session.resume(session.turns[-1].id))
    assert session.turns[-1].assistant == "One, two, three."
    assert server.chats[-1].body["messages"][-2] == {"role": "assistant", "content": "One, two,"}


async def test_what_a_terminal_would_obey_never_leaves_the_stream_even_in_pieces(
    session: Session, server: StubServer
) -> None:
    server.will(text("Hello \x1b]52;c;", "c2VjcmV0\x07there", "\x1b[", "2J.\r", "\nBye"))
    events = await all_of(session.ask("Hi"))
    deltas = [event.text for event in events if isinstance(event, Delta)]
    assert "".join(deltas) == session.turns[-1].assistant == "Hello there.\nBye"
    assert not any("\x1b" in delta for delta in deltas)


async def test_a_private_conversation_leaves_nothing_behind(
    memory: MemoryEngine, model: OpenAIChat, server: StubServer
) -> None:
    private = Session(memory, model, Settings(), private=True)
    events = await all_of(private.ask("I live in Leith."))
    await all_of(private.ask("And I have two cats."))
    assert not any(isinstance(event, Learned | Reflected) for event in events)
    assert [turn.user for turn in private.turns] == ["I live in Leith.", "And I have two cats."]
    assert "I live in Leith." in str(server.chats[-1].body["messages"])
    assert not await memory.episodes.list()
    assert not await memory.facts.list()
    assert not await memory.conversations.list()
    assert not await memory.plans.list()
    assert not await memory.journal.list()


async def test_without_a_model_the_answer_comes_from_memory_and_says_so(memory: MemoryEngine) -> None:
    session = Session(memory, None, Settings())
    await all_of(session.ask("I run a small ceramics shop on Shopify."))
    events = await all_of(session.ask("What platform is my shop on?"))
    answer = next(event.text for event in events if isinstance(event, Delta))
    assert "Shopify" in answer
    assert "no language model" in answer


async def test_without_a_model_and_without_a_memory_of_it_the_answer_is_i_do_not_know(
    memory: MemoryEngine,
) -> None:
    events = await all_of(Session(memory, None, Settings()).ask("What is my sister's name?"))
    answer = next(event.text for event in events if isinstance(event, Delta))
    assert answer.startswith("I don't know")


async def test_a_message_longer_than_the_model_reads_is_kept_and_both_sizes_are_said(
    session: Session, server: StubServer, memory: MemoryEngine
) -> None:
    events = await all_of(session.ask("word " * 8000))
    failed = next(event for event in events if isinstance(event, Failed))
    assert "4,096" in failed.text
    assert not server.chats
    assert len((await memory.episodes.list())[0].user) > 30_000


async def test_answer_length_and_temperature_of_the_settings_are_sent(
    memory: MemoryEngine, model: OpenAIChat, server: StubServer
) -> None:
    settings = Settings(model=ModelSettings(temperature=0.2, max_tokens=77))
    await all_of(Session(memory, model, settings).ask("Hello"))
    assert server.chats[0].body["temperature"] == 0.2
    assert 77 in (server.chats[0].body.get("max_tokens"), server.chats[0].body.get("max_completion_tokens"))
