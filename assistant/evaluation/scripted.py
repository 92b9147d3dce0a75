"""A language model that says what it is told to, as fast or as slowly as it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from time import perf_counter

from assistant.errors import ModelReplyError
from assistant.memory.ports import EndPiece, Message, Piece, Reply, TextPiece


class Scripted:
    """A `ChatModel`. Set `pieces`, and `rate` in pieces a second (0: at once); `sent` counts those that were taken."""

    name = "scripted"
    context_tokens = 32_768

    def __init__(self, pieces: Sequence[str], rate: float = 0.0) -> None:
        self.pieces, self.rate, self.sent = pieces, rate, 0

    async def talk(
        self, messages: Sequence[Message], *, temperature: float | None = None, max_tokens: int | None = None
    ) -> AsyncGenerator[Piece, None]:
        started = perf_counter()
        for number, piece in enumerate(self.pieces):
            due = started + number / self.rate if self.rate else 0.0
            await asyncio.sleep(max(due - perf_counter(), 0.0))
            self.sent += 1
            yield TextPiece(piece)
        yield EndPiece(answer_tokens=len(self.pieces))

    async def decide(
        self, messages: Sequence[Message], reply: type[Reply], *, max_tokens: int = 400, seconds: float = 30.0
    ) -> Reply:
        raise ModelReplyError("The script decides nothing.")
