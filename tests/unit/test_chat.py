"""The openai client against a real socket: every way in which servers misbehave is a sentence, and nothing runs on."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from itertools import pairwise
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from assistant.errors import ModelCutError, ModelError, ModelReplyError, ModelUnreachableError
from assistant.memory.ports import EndPiece, Message, TextPiece, ThoughtPiece
from assistant.models.address import check_address
from assistant.models.chat import OpenAIChat
from assistant.models.replies import read_reply
from assistant.models.stream import ThoughtSplitter
from tests.stubs.server import (
    CUT,
    DONE,
    HELD,
    KEEP_ALIVE,
    StubServer,
    chunk,
    error,
    event,
    page,
    stream,
    text,
)

QUESTION = [Message("user", "Good morning")]


class Platform(BaseModel):
    name: str
    monthly_limit: Annotated[int, Field(ge=0, le=1000)]


@pytest.fixture
async def model(server: StubServer) -> AsyncIterator[OpenAIChat]:
    made = OpenAIChat(server.base_url, "stub-model")
    yield made
    await made.close()


async def collect(model: OpenAIChat, **options: float) -> tuple[str, str, EndPiece]:
    """The whole answer: text, thoughts, end."""
    answer, thoughts, end = "", "", None
    async for piece in model.talk(QUESTION, **options):
        assert end is None, "nothing may follow the end"
        match piece:
            case TextPiece(more):
                answer += more
            case ThoughtPiece(more):
                thoughts += more
            case EndPiece():
                end = piece
    assert end is not None
    return answer, thoughts, end


async def failing(model: OpenAIChat) -> tuple[str, ModelError]:
    """The partial answer, and the error that ended it."""
    answer = ""
    try:
        async for piece in model.talk(QUESTION):
            answer += piece.text if isinstance(piece, TextPiece) else ""
    except ModelError as problem:
        return answer, problem
    pytest.fail("no error was raised")


# Answers ------------------------------------------------------------------------------------------------------------


async def test_an_answer_arrives_in_pieces_with_its_usage(server: StubServer, model: OpenAIChat) -> None:
    server.will(text("Hello ", "world", "."))
    pieces = [piece async for piece in model.talk(QUESTION)]
    assert pieces == [TextPiece("Hello "), TextPiece("world"), TextPiece("."), EndPiece(12, 3, "")]


async def test_the_first_piece_is_there_before_the_last_is_sent(
    server: StubServer, model: OpenAIChat
) -> None:
    server.will(stream(chunk({"content": "early"}), 5.0, chunk({"content": "late"}), DONE))
    async with aclosing(model.talk(QUESTION)) as pieces:
        assert await asyncio.wait_for(anext(pieces), 4) == TextPiece("early")


async def test_what_is_sent_streams_and_always_limits_the_answer(
    server: StubServer, model: OpenAIChat
) -> None:
    await collect(model, temperature=0.3)
    (request,) = server.chats
    assert request.body == {
        "model": "stub-model",
        "messages": [{"role": "user", "content": "Good morning"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 2048,
        "temperature": 0.3,
    }


async def test_without_a_temperature_the_servers_own_default_stays(
    server: StubServer, model: OpenAIChat
) -> None:
    await collect(model)
    assert "temperature" not in server.chats[0].body


async def test_keep_alives_empty_choices_and_null_contents_are_passed_over(
    server: StubServer, model: OpenAIChat
) -> None:
    empty = event({"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": []})
    server.will(
        stream(
            KEEP_ALIVE,
            empty,
            chunk({"content": None}),
            KEEP_ALIVE,
            chunk({"content": "ok"}),
            chunk(finish="stop"),
            DONE,
        )
    )
    answer, _, end = await collect(model)
    assert (answer, end.answer_tokens, end.cut) == ("ok", 1, "")


async def test_reasoning_content_becomes_thoughts(server: StubServer, model: OpenAIChat) -> None:
    server.will(text("42", thoughts="let me see"))
    assert (await collect(model))[:2] == ("42", "let me see")


@pytest.mark.parametrize("width", [1, 2, 3, 5, 100])
async def test_think_tags_split_over_chunks_become_thoughts(
    server: StubServer, model: OpenAIChat, width: int
) -> None:
    whole = "\n<think>is a < b? yes</think>\n\nAnswer: <think> is a tag"
    server.will(text(*(whole[start : start + width] for start in range(0, len(whole), width))))
    assert (await collect(model))[:2] == ("Answer: <think> is a tag", "is a < b? yes")


@given(
    st.lists(
        st.sampled_from(["<think>", "</think>", "<", "th", "ink>", "</", " ", "\n", "word"]), max_size=12
    ),
    st.data(),
)
def test_how_an_answer_is_cut_into_chunks_never_changes_it(parts: list[str], data: st.DataObject) -> None:
    whole = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    chunks = [whole[start:end] for start, end in pairwise([0, *cuts, len(whole)])]
    assert split(chunks) == split([whole])


def split(chunks: list[str]) -> tuple[str, str]:
    """Text and thoughts of an answer that arrives in these chunks."""
    splitter = ThoughtSplitter()
    pieces = [piece for each in chunks for piece in splitter.feed(each)] + splitter.finish()
    text = "".join(piece.text for piece in pieces if isinstance(piece, TextPiece))
    return text, "".join(piece.text for piece in pieces if isinstance(piece, ThoughtPiece))


async def test_an_answer_that_only_looks_like_a_tag_is_kept_whole(
    server: StubServer, model: OpenAIChat
) -> None:
    server.will(text("<th", "ird> of it"), text("<thi"))
    assert (await collect(model))[0] == "<third> of it"
    assert (await collect(model))[0] == "<thi"


async def test_a_full_answer_says_that_it_reached_its_limit(server: StubServer, model: OpenAIChat) -> None:
    server.will(text("and so on", finish="length"))
    assert "limit of 99 tokens" in (await collect(model, max_tokens=99))[2].cut


async def test_a_stream_without_an_end_says_that_it_may_be_cut(server: StubServer, model: OpenAIChat) -> None:
    server.will(stream(chunk({"content": "half an ans"}), CUT, chunked=False))
    answer, _, end = await collect(model)
    assert answer == "half an ans"
    assert "may be cut" in end.cut


async def test_without_a_name_the_servers_first_model_answers(server: StubServer) -> None:
    server.models = ["first", "second"]
    model = OpenAIChat(server.base_url)
    await collect(model)
    await model.close()
    assert server.chats[0].body["model"] == model.name == "first"


# Errors -------------------------------------------------------------------------------------------------------------


async def test_a_web_page_in_place_of_an_answer_is_told_apart(server: StubServer, model: OpenAIChat) -> None:
    server.will(page("<!doctype html><html>Welcome</html>"))
    _, problem = await failing(model)
    assert isinstance(problem, ModelReplyError)
    assert "/v1" in str(problem)


async def test_a_connection_cut_in_mid_answer_keeps_what_arrived(
    server: StubServer, model: OpenAIChat
) -> None:
    server.will(stream(chunk({"content": "half"}), 0.05, CUT))
    answer, problem = await failing(model)
    assert answer == "half"
    assert isinstance(problem, ModelCutError)
    assert server.base_url in problem.message


async def test_a_connection_to_this_machine_is_used_once_so_that_the_server_never_closes_it_under_a_question(
    server: StubServer, model: OpenAIChat
) -> None:
    await collect(model)
    assert server.chats[0].headers["connection"] == "close"


async def test_a_connection_closed_before_any_answer_is_a_sentence(
    server: StubServer, model: OpenAIChat
) -> None:
    server.will(stream(CUT))
    _, problem = await failing(model)
    assert f"{server.base_url} closed the connection without an answer" in str(problem)


@pytest.mark.parametrize("before", [[], [chunk({"content": "half"})]])
async def test_an_error_event_in_the_stream_is_reported(
    server: StubServer, model: OpenAIChat, before: list[bytes]
) -> None:
    server.will(stream(*before, event({"error": {"message": "GPU on \x1b[31mfire"}})))
    _, problem = await failing(model)
    assert "GPU on fire" in problem.message
    assert isinstance(problem, ModelCutError if before else ModelReplyError)


async def test_an_error_event_that_is_a_bare_text_is_reported_too(
    server: StubServer, model: OpenAIChat
) -> None:
    server.will(stream(event({"error": "Model was unloaded"})))
    assert "Model was unloaded" in (await failing(model))[1].message


async def test_malformed_json_in_the_stream_is_a_sentence(server: StubServer, model: OpenAIChat) -> None:
    server.will(stream(event("{not json")), stream(chunk({"content": "half"}), event("{not json")))
    assert isinstance((await failing(model))[1], ModelReplyError)
    answer, problem = await failing(model)
    assert answer == "half"
    assert isinstance(problem, ModelCutError)


async def test_an_empty_answer_is_an_error_and_so_is_one_that_only_thinks(
    server: StubServer, model: OpenAIChat
) -> None:
    server.will(text(), text(thoughts="hmm", finish="length"))
    assert "empty answer" in (await failing(model))[1].message
    assert "only thought" in (await failing(model))[1].message


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (error(401, "Incorrect key"), "asks for a key.*--key-env"),
        (error(403, "no"), "asks for a key"),
        (error(404, "The model `stub-model` does not exist", code="model_not_found"), "no model named stub-model.*models list"),
        (error(429, "slow down"), "takes no more questions now: slow down"),
        (error(500, "cuda died"), r"failed \(500\): cuda died"),
        (error(503, "Loading model", code=503), "still loading its model"),
        (error(400, "bad role"), r"refused the question \(400\): bad role"),
        (
            error(400, "too big", code=400, type="exceed_context_size_error", n_prompt_tokens=5012, n_ctx=4096),
            "too long for stub-model: 5012 tokens, and it reads 4096.*model.context_tokens to 4096",
        ),
        (error(400, "This model's maximum context length is 4096 tokens"), "too long for stub-model"),
        (page("<h1>Bad gateway</h1>", status=502), r"failed \(502\)"),
    ],
)  # fmt: skip
async def test_each_refusal_is_a_sentence_with_what_to_try(
    server: StubServer, model: OpenAIChat, reply: object, words: str
) -> None:
    server.will(reply)
    _, problem = await failing(model)
    assert re.search(words, str(problem))
    assert len(server.chats) == 1, "a server on this machine is asked once"


async def test_a_wrong_path_hints_at_the_missing_v1(server: StubServer) -> None:
    model = OpenAIChat(server.address, "stub-model")
    _, problem = await failing(model)
    await model.close()
    assert f"{server.address}/v1" in problem.hint


async def test_nothing_listening_is_told_at_once_with_the_address() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        model = OpenAIChat(url, "m")
        await model.prepare()
        started = time.perf_counter()
        _, problem = await failing(model)
    await model.close()
    assert isinstance(problem, ModelUnreachableError)
    assert f"Nothing answers at {url}" in problem.message
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SSL_CERT_FILE", "/no/such/certificates"),
        ("HTTPS_PROXY", "nonsense://proxy"),
    ],
)
async def test_an_environment_that_forbids_every_connection_is_told_as_such(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    model = OpenAIChat("https://models.example/v1", "m")
    for _ in range(2):  # the second attempt fails in the same way, with nothing half made in between
        with pytest.raises(ModelError, match=r"No connection to https://models\.example/v1") as raised:
            await model.prepare()
        assert name in raised.value.hint
    with pytest.raises(ModelError, match="No connection"):
        await model.list_models()
    await model.close()


_CLIENT_BESIDE_A_SLOW_IMPORT = """
import asyncio, builtins, sys, threading, time
import openai
from assistant.models.chat import OpenAIChat

halfway, by_python = threading.Event(), builtins.__import__

def slowly(name, *rest):
    if name == "_api" and rest[0]["__name__"] == "httpx":  # begun, and far from whole
        halfway.set()
        time.sleep(0.5)
    return by_python(name, *rest)

async def client():
    model = OpenAIChat("http://127.0.0.1:9/v1", "m")
    await model.prepare()
    await model.close()

openai.AsyncOpenAI(api_key="none")  # what openai itself imports is there
assert "httpx" not in sys.modules
builtins.__import__ = slowly
threading.Thread(target=slowly, args=["httpx"]).start()
halfway.wait()
asyncio.run(client())
"""


async def test_a_client_is_made_while_another_thread_imports_the_library_below_it() -> None:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _CLIENT_BESIDE_A_SLOW_IMPORT, stderr=asyncio.subprocess.PIPE
    )
    _, complaint = await child.communicate()
    assert child.returncode == 0, complaint.decode()


async def test_a_stalled_server_is_told_as_such(server: StubServer) -> None:
    server.will(stream(30.0, DONE))
    model = OpenAIChat(server.base_url, "m", read_seconds=0.2)
    _, problem = await failing(model)
    await model.close()
    assert "sent nothing for a long time" in problem.message


async def test_an_unknown_machine_is_told_with_its_reason() -> None:
    model = OpenAIChat("http://no-such-machine.invalid/v1", "m")
    _, problem = await failing(model)
    await model.close()
    assert "Nothing answers at http://no-such-machine.invalid/v1" in problem.message


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org/v1",
        "ftp://x/v1",
        "http://",
        "http://h:99999/v1",
        "http://h:port/v1",
        "http://[::1/v1",
    ],
)
def test_an_impossible_address_is_refused_before_anything_is_sent(url: str) -> None:
    with pytest.raises(ModelError, match="http://localhost:11434/v1"):
        OpenAIChat(url, "m")


@pytest.mark.parametrize("url", ["localhost:11434/v1", "127.0.0.1:18080", "[::1]:8080/v1"])
def test_an_address_of_this_machine_needs_no_scheme(url: str) -> None:
    assert check_address(url) == f"http://{url}"


def test_a_key_inside_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(ModelError) as caught:
        OpenAIChat("https://user:sk-12345@host/v1", "m")
    assert "sk-12345" not in str(caught.value)


# What servers do not take -------------------------------------------------------------------------------------------


async def test_a_parameter_that_the_server_does_not_take_is_left_out_from_then_on(
    server: StubServer, model: OpenAIChat
) -> None:
    unsupported = (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'."
    )
    server.will(error(400, unsupported, param="max_tokens", code="unsupported_parameter"))
    server.will(error(400, "Unsupported value: 'temperature' does not support 0.2", param="temperature"))
    await collect(model, temperature=0.2)
    await collect(model, temperature=0.2)
    assert len(server.chats) == 4
    for request in server.chats[2:]:
        assert request.body["max_completion_tokens"] == 2048
        assert not {"max_tokens", "temperature"} & request.body.keys()


# Stopping -----------------------------------------------------------------------------------------------------------


ENDLESS = text("word ", HELD)


async def test_closing_the_iterator_stops_the_server(server: StubServer, model: OpenAIChat) -> None:
    server.will(ENDLESS)
    async with aclosing(model.talk(QUESTION)) as pieces:
        await anext(pieces)
    await asyncio.wait_for(server.chats[0].disconnected.wait(), 2)


async def test_cancelling_the_task_stops_the_server(server: StubServer, model: OpenAIChat) -> None:
    server.will(ENDLESS)
    task = asyncio.create_task(collect(model))
    await server.asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(server.chats[0].disconnected.wait(), 2)


async def test_cancelling_before_the_first_byte_stops_the_server(
    server: StubServer, model: OpenAIChat
) -> None:
    server.will(stream(30.0, DONE))
    task = asyncio.create_task(collect(model))
    await server.asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(server.chats[0].disconnected.wait(), 2)


async def test_a_late_decision_is_an_error_and_stops_the_server(
    server: StubServer, model: OpenAIChat
) -> None:
    await model.prepare()
    server.will(ENDLESS)
    with pytest.raises(ModelError, match=r"longer than 0\.3 seconds"):
        await model.decide(QUESTION, Platform, seconds=0.3)
    await asyncio.wait_for(server.chats[0].disconnected.wait(), 2)


# Decisions ----------------------------------------------------------------------------------------------------------

GOOD = '{"name": "Shopify", "monthly_limit": 200}'


async def test_a_decision_sends_a_bounded_schema_and_streams(server: StubServer, model: OpenAIChat) -> None:
    server.will(text(GOOD))
    assert await model.decide(QUESTION, Platform, max_tokens=50) == Platform(
        name="Shopify", monthly_limit=200
    )
    body = server.chats[0].body
    schema = body["response_format"]["json_schema"]["schema"]
    assert body["response_format"]["type"] == "json_schema"
    assert (body["stream"], body["max_tokens"], body["temperature"]) == (True, 50, 0)
    assert "tools" not in body
    assert schema["properties"]["name"]["maxLength"] > 0
    assert schema["required"] == ["name", "monthly_limit"]
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize(
    "reply",
    [
        text(*GOOD),
        text(f"```json\n{GOOD}\n```"),
        text(f"Sure! Here it is [1]: {GOOD} Hope that helps {{really}}."),
        text(f"<think>maybe {{}} or [2]</think>{GOOD}"),
        text(f"no opening tag {{</think>{GOOD}"),
        text(f"[{GOOD}]"),
        text(thoughts=f"The reply is {GOOD}"),
        text('{"name": "Etsy", "monthly_limit": 5000}', GOOD),
    ],
)
async def test_habits_of_small_models_are_understood(
    server: StubServer, model: OpenAIChat, reply: object
) -> None:
    server.will(reply)
    assert await model.decide(QUESTION, Platform) == Platform(name="Shopify", monthly_limit=200)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot help with that.",
        '{"name": "Shopify", "monthly_lim',
        '{"name": "Shopify", "monthly_limit": 5000}',
        '{"name": "Shopify", "monthly_limit": NaN}',
        f'{{"name": "{"x" * 2000}", "monthly_limit": 1}}',
        '{"type": "object", "properties": {"name": {"type": "string"}}, "name": "x", "monthly_limit": 1}',
        '{"answer": 1}',
        "[" * 5000,
        '["Shopify", 200]',
    ],
)
async def test_a_reply_that_does_not_fit_is_refused(
    server: StubServer, model: OpenAIChat, answer: str
) -> None:
    server.will(text(answer))
    with pytest.raises(ModelReplyError):
        await model.decide(QUESTION, Platform)


@given(st.text(alphabet='{}[]":,<>/ \n0aE-\\', max_size=80))
def test_any_reply_is_read_or_refused(reply: str) -> None:
    with contextlib.suppress(ModelReplyError):
        read_reply(reply, Platform)


async def test_a_server_without_schemas_is_asked_again_without_one(
    server: StubServer, model: OpenAIChat
) -> None:
    server.will(error(400, "'response_format' is not supported"), text(GOOD))
    assert (await model.decide(QUESTION, Platform)).name == "Shopify"
    assert "response_format" not in server.chats[1].body


# Listing ------------------------------------------------------------------------------------------------------------


async def test_models_are_listed(server: StubServer, model: OpenAIChat) -> None:
    server.models = ["qwen2.5:3b", "llama3"]
    assert await model.list_models() == ["qwen2.5:3b", "llama3"]


async def test_a_web_page_lists_no_models() -> None:
    async with StubServer(prefix="/elsewhere") as server:
        model = OpenAIChat(f"{server.address}/v1")
        with pytest.raises(ModelError, match="404"):
            await model.list_models()
        await model.close()


async def test_the_key_goes_to_the_server_and_a_placeholder_where_there_is_none(server: StubServer) -> None:
    for key in ("sk-test", ""):
        model = OpenAIChat(server.base_url, "m", key)
        await model.list_models()
        await model.close()
    assert [request.headers["authorization"] for request in server.requests] == [
        "Bearer sk-test",
        "Bearer none",
    ]


async def test_a_proxy_of_the_environment_does_not_see_local_traffic(
    server: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    model = OpenAIChat(server.base_url, "stub-model")
    assert (await collect(model))[0] == "Hello from the stub."
    await model.close()
