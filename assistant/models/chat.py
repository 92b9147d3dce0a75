"""A language model behind an OpenAI-compatible server, through the `openai` package.

Everything is streamed, structured replies too: closing a stream frees the server within moments, while a request that
is not streamed keeps it busy after we are gone. `max_tokens` is always sent. One boundary turns every exception into a
ModelError (see trouble.py).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from assistant.errors import ModelError, ModelReplyError
from assistant.memory.ports import Message, Piece, Reply
from assistant.models.address import check_address, is_loopback
from assistant.models.names import chat_first
from assistant.models.replies import read_reply, schema_of
from assistant.models.stream import Reading
from assistant.models.trouble import Asked, explain

if TYPE_CHECKING:
    from openai import AsyncOpenAI

CONNECT_SECONDS = 4.0
READ_SECONDS = 300.0
"""Between two pieces of an answer; the first comes only after a server has loaded the model and read the prompt."""
_NO_KEY = "none"
"""Local servers want no key, but the client refuses to start without one."""
_UNSUPPORTED = re.compile(
    r"unsupported|not support|unrecogni|unknown|unexpected|not permitted|not allowed", re.IGNORECASE
)
_OPTIONAL = ("temperature", "stream_options", "response_format")


class OpenAIChat:
    """A `ChatModel`. Raises ModelError for an impossible address; the server is not contacted before the first call.

    `name` "" means the server's first model, `label` is shown in place of the name, and `own_process` says that the
    server is a child of ours, so that errors can say it too.
    """

    def __init__(
        self,
        base_url: str,
        name: str = "",
        key: str = "",
        *,
        context_tokens: int = 4096,
        max_tokens: int = 2048,
        temperature: float | None = None,
        label: str = "",
        own_process: bool = False,
        read_seconds: float = READ_SECONDS,
    ) -> None:
        self.base_url = check_address(base_url)
        self._name = name
        self._label = label
        self._key = key
        self._context_tokens = context_tokens
        self._max_tokens = max_tokens
        self._temperature = temperature
        self._read_seconds = read_seconds
        self._own_process = own_process
        self._made: AsyncOpenAI | None = None
        self._making = asyncio.Lock()
        self._refused: set[str] = set()
        """Parameters that this server said it does not take; they are left out from then on."""

    @property
    def name(self) -> str:
        return self._label or self._name or "the server's first model"

    @property
    def context_tokens(self) -> int:
        return self._context_tokens

    async def talk(
        self, messages: Sequence[Message], *, temperature: float | None = None, max_tokens: int | None = None
    ) -> AsyncGenerator[Piece, None]:
        """The answer in pieces; the last is an EndPiece. ModelCutError: it broke off after some text. ModelError: none came."""
        limit = max_tokens or self._max_tokens
        warmth = self._temperature if temperature is None else temperature
        options = {} if warmth is None else {"temperature": warmth}
        reading = Reading(self.base_url, limit)
        async with aclosing(self._chunks(messages, limit, options, reading)) as pieces:
            async for piece in pieces:
                yield piece
        yield reading.end()

    async def decide(
        self, messages: Sequence[Message], reply: type[Reply], *, max_tokens: int = 400, seconds: float = 30.0
    ) -> Reply:
        """A reply that fits `reply`, at temperature 0. Raises ModelError when it is late, cut, empty or does not fit."""
        schema = {"name": reply.__name__, "schema": schema_of(reply), "strict": False}
        options = {"temperature": 0, "response_format": {"type": "json_schema", "json_schema": schema}}
        reading = Reading(self.base_url, max_tokens)
        try:
            async with (
                asyncio.timeout(seconds),
                aclosing(self._chunks(messages, max_tokens, options, reading)) as pieces,
            ):
                async for _ in pieces:
                    pass
        except TimeoutError as late:
            raise ModelError(f"The model's decision took longer than {seconds:g} seconds.") from late
        # A thinking model may leave the text empty and put the reply at the end of its thoughts.
        return read_reply(reading.text if reading.text.strip() else reading.thoughts, reply)

    async def list_models(self) -> list[str]:
        """Names of the models that the server offers, those that can chat first. Raises ModelError."""
        client = await self._client()
        try:
            page = await client.models.list(timeout=CONNECT_SECONDS * 2)
            names = chat_first(str(model.id) for model in getattr(page, "data", None) or ())
        except Exception as problem:
            raise explain(problem, self._asked) from problem
        if not names:  # a web page, or JSON of another shape, comes through unparsed
            raise ModelReplyError(
                f"{self.base_url} lists no models.",
                hint="Is the address right (most end in /v1), and is a model loaded there?",
            )
        return names

    async def prepare(self) -> None:
        """Import the client ahead of the first question, off the event loop; the server is not contacted.

        Raises ModelError, as every call does, where the machine's proxy or certificates forbid a client.
        """
        await self._client()

    async def close(self) -> None:
        if self._made is not None:
            await self._made.close()
            self._made = None

    @property
    def _asked(self) -> Asked:
        return Asked(self.base_url, self._name, own_process=self._own_process)

    async def _chunks(
        self, messages: Sequence[Message], max_tokens: int, options: dict[str, Any], reading: Reading
    ) -> AsyncGenerator[Piece, None]:
        """The pieces of one streamed answer. The one boundary: whatever is raised inside leaves as a ModelError."""
        try:
            await self._choose_name()
            stream = await self._create(messages, max_tokens, options)
            try:
                async for chunk in stream:
                    for piece in reading.read(chunk):
                        yield piece
                for piece in reading.rest():
                    yield piece
            finally:
                await stream.close()
        except ModelError:
            raise
        except Exception as problem:
            partial = bool(reading.text or reading.thoughts)
            raise explain(problem, self._asked, partial=partial) from problem

    async def _create(self, messages: Sequence[Message], max_tokens: int, options: dict[str, Any]) -> Any:
        """Open the stream; a parameter that this server does not know is left out and remembered."""
        import openai

        client = await self._client()
        while True:
            request = self._request(messages, max_tokens, options)
            try:
                return await client.chat.completions.create(**request)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as problem:
                refused = _refused_parameter(problem, request)
                if refused is None:
                    raise
                self._refused.add(refused)

    def _request(
        self, messages: Sequence[Message], max_tokens: int, options: dict[str, Any]
    ) -> dict[str, Any]:
        limit = "max_completion_tokens" if "max_tokens" in self._refused else "max_tokens"
        wanted = {"stream_options": {"include_usage": True}, **options}
        return {
            "model": self._name,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "stream": True,
            limit: max_tokens,
            **{name: value for name, value in wanted.items() if name not in self._refused},
        }

    async def _choose_name(self) -> None:
        if not self._name:
            self._name = (await self.list_models())[0]

    async def _client(self) -> AsyncOpenAI:
        """Made off the event loop: importing openai and reading certificates takes about a second."""
        async with self._making:
            if self._made is None:
                try:
                    self._made = await asyncio.to_thread(self._make_client)
                except Exception as problem:
                    raise ModelError(
                        f"No connection to {self.base_url} can be set up: {problem}.",
                        hint="The variables SSL_CERT_FILE and HTTP_PROXY, HTTPS_PROXY, ALL_PROXY of the environment decide this.",
                    ) from problem
        return self._made

    def _make_client(self) -> AsyncOpenAI:
        import httpx  # noqa: F401  # openai looks into it if anything has begun to import it: it must be whole by then
        import openai

        local = is_loopback(self.base_url)
        timeout = openai.Timeout(self._read_seconds, connect=CONNECT_SECONDS)
        # A proxy of the environment must not see what goes to this machine itself.
        transport = openai.DefaultAsyncHttpxClient(trust_env=not local, timeout=timeout)
        return openai.AsyncOpenAI(
            base_url=self.base_url,
            api_key=self._key or _NO_KEY,
            timeout=timeout,
            max_retries=0 if local else 2,
            # A new connection to this machine costs nothing; one left idle may just be closed by the server.
            default_headers={"Connection": "close"} if local else None,
            http_client=transport,
        )


def _refused_parameter(problem: Any, request: dict[str, Any]) -> str | None:
    """The parameter of `request` that the server says it does not take, where we can do without it."""
    said = f"{problem.param or ''} {problem.code or ''} {problem.message}"
    if not _UNSUPPORTED.search(said):
        return None
    known = [name for name in ("max_tokens", *_OPTIONAL) if name in request]
    return next((name for name in known if re.search(rf"\b{name}\b", said)), None)
