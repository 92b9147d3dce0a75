"""A scriptable stand-in for an OpenAI-compatible server: a real socket on loopback, byte by byte under the test's control.

    async with StubServer() as server:
        server.will(text("Hello ", "world"))
        ...                                     # talk to server.base_url
        assert server.requests[0].body["stream"] is True

A test of an answer under way holds it there: `text("Hello ", HELD, "world")`, later `server.go_on.set()`.
Replies are used up in order; after the last one every chat gets `text("Hello from the stub.")`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self

CUT = object()
"""A part of a reply at which the server drops the connection."""
HELD = object()
"""A part of a reply at which the server waits for `go_on`; no test of an answer under way races with its end."""


@dataclass
class Reply:
    """`parts`: bytes are sent, numbers are seconds to wait, HELD waits for `go_on`, CUT drops the connection."""

    parts: Sequence[bytes | float | object]
    status: int = 200
    content_type: str = "text/event-stream"
    chunked: bool = True


@dataclass
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    disconnected: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the client went away before the reply was whole."""
    answered: asyncio.Event = field(default_factory=asyncio.Event)


def event(payload: object) -> bytes:
    """One server-sent event; `payload` as JSON, or as it is when it is a string."""
    data = payload if isinstance(payload, str) else json.dumps(payload)
    return f"data: {data}\n\n".encode()


def chunk(delta: dict[str, Any] | None = None, *, finish: str | None = None, **extra: Any) -> bytes:
    choice = {"index": 0, "delta": delta or {}, "finish_reason": finish}
    return event(
        {
            "id": "c",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "stub",
            "choices": [choice],
            **extra,
        }
    )


def usage(prompt: int, answer: int) -> bytes:
    counts = {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}
    return event(
        {
            "id": "c",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "stub",
            "choices": [],
            "usage": counts,
        }
    )


DONE = event("[DONE]")
KEEP_ALIVE = b": keep-alive\n\n"


def stream(*parts: bytes | float | object, chunked: bool = True) -> Reply:
    """An event stream of hand-made parts."""
    return Reply(parts, chunked=chunked)


def text(*deltas: str | object, delay: float = 0.0, finish: str = "stop", thoughts: str = "") -> Reply:
    """A well-formed streamed answer; `delay` seconds before each delta, `thoughts` first as reasoning_content."""
    parts: list[bytes | float | object] = [chunk({"role": "assistant", "content": None})]
    if thoughts:
        parts.append(chunk({"reasoning_content": thoughts}))
    for delta in deltas:
        parts += [delay, chunk({"content": delta}) if isinstance(delta, str) else delta]
    return Reply([*parts, chunk(finish=finish), usage(12, len(deltas)), DONE])


def page(body: str, *, status: int = 200, content_type: str = "text/html") -> Reply:
    return Reply([body.encode()], status=status, content_type=content_type, chunked=False)


def error(status: int, message: str, **fields: Any) -> Reply:
    """An error as OpenAI-compatible servers word it: {"error": {"message": …, …}}."""
    return page(
        json.dumps({"error": {"message": message, **fields}}), status=status, content_type="application/json"
    )


class StubServer:
    """`models` is what /v1/models lists. `prefix` is where the interface lives; everything else is a 404."""

    def __init__(
        self, *, models: Sequence[str] = ("stub-model",), prefix: str = "/v1", port: int = 0
    ) -> None:
        self.models = list(models)
        self.prefix = prefix
        self.requests: list[Request] = []
        self.asked = asyncio.Event()
        """Set when the first chat request has arrived."""
        self.go_on = asyncio.Event()
        self._replies: list[Reply] = []
        self._port = port
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def base_url(self) -> str:
        return self.address + self.prefix

    @property
    def chats(self) -> list[Request]:
        return [request for request in self.requests if request.method == "POST"]

    def will(self, *replies: Reply) -> None:
        """Script the next chat replies."""
        self._replies += replies

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await _read(reader)
            self.requests.append(request)
            if request.method == "POST":
                self.asked.set()
            await _Sender(reader, writer, request, self.go_on).send(self._choose(request))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client went away
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    def _choose(self, request: Request) -> Reply:
        if request.path == f"{self.prefix}/models":
            listed = {"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]}
            return page(json.dumps(listed), content_type="application/json")
        if request.path == f"{self.prefix}/chat/completions":
            return self._replies.pop(0) if self._replies else text("Hello from the stub.")
        return page("<html><body>404 page not found</body></html>", status=404)


class _Sender:
    """Sends one reply and watches meanwhile whether the client goes away."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        request: Request,
        go_on: asyncio.Event,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._request = request
        self._go_on = go_on

    async def send(self, reply: Reply) -> None:
        sending = asyncio.create_task(self._send(reply))
        leaving = asyncio.create_task(self._reader.read(1))
        await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not sending.done():
            self._request.disconnected.set()
        for task in (sending, leaving):
            task.cancel()
        await asyncio.gather(sending, leaving, return_exceptions=True)
        self._request.answered.set()

    async def _send(self, reply: Reply) -> None:
        framing = "Transfer-Encoding: chunked\r\n" if reply.chunked else ""
        head = f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}\r\nContent-Type: {reply.content_type}\r\n"
        self._writer.write(f"{head}{framing}Connection: close\r\n\r\n".encode())
        for part in reply.parts:
            if part is CUT:
                self._writer.transport.abort() if reply.chunked else self._writer.close()
                return
            if part is HELD:
                await self._go_on.wait()
            elif isinstance(part, bytes):
                self._writer.write(b"%x\r\n%b\r\n" % (len(part), part) if reply.chunked else part)
                await self._writer.drain()
            elif isinstance(part, int | float):
                await asyncio.sleep(part)
        if reply.chunked:
            self._writer.write(b"0\r\n\r\n")
        await self._writer.drain()


async def _read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip().split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(method, path.partition("?")[0], headers, json.loads(body) if body else {})
