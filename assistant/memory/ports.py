"""What the engine needs from outside, as small protocols: something that embeds, and a language model, if any."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, TypeVar

if (
    TYPE_CHECKING
):  # the screen reads records and ports before its first paint; numpy and pydantic would hold it up
    import numpy as np
    from numpy.typing import NDArray
    from pydantic import BaseModel

Vector: TypeAlias = "NDArray[np.float32]"
"""Shape (dimension,), unit norm."""
Vectors: TypeAlias = "NDArray[np.float32]"
"""Shape (n, dimension), unit norm each."""

Reply = TypeVar("Reply", bound="BaseModel")


class Embedder(Protocol):
    """Texts to unit vectors. Blocking and thread-safe; the engine calls it off the event loop."""

    @property
    def id(self) -> str:
        """Name that the store records, e.g. "minilm-int8"."""

    @property
    def file_hash(self) -> str:
        """sha256 of the weights: vectors of different files never mix."""

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimension), in the order given. Empty text gives the vector of a blank, never NaN. Raises EmbedderError."""

    def token_vectors(self, texts: Sequence[str]) -> list[tuple[list[str], NDArray[np.float32]]]:
        """Per text: its word pieces and their contextual unit vectors, shape (pieces, dimension)."""


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class TextPiece:
    text: str


@dataclass(frozen=True, slots=True)
class ThoughtPiece:
    """Text of the model's thinking, shown folded, never stored as the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class EndPiece:
    """The stream ended. `cut` says why the answer may be incomplete ("" when it is not)."""

    prompt_tokens: int = 0
    answer_tokens: int = 0
    cut: str = ""


Piece = TextPiece | ThoughtPiece | EndPiece


class ChatModel(Protocol):
    """A language model. Both calls stream from the server; closing the iterator or cancelling the task stops it there."""

    @property
    def name(self) -> str: ...

    @property
    def context_tokens(self) -> int:
        """How many tokens prompt and answer may take together."""

    def talk(
        self, messages: Sequence[Message], *, temperature: float | None = None, max_tokens: int | None = None
    ) -> AsyncGenerator[Piece, None]:
        """The answer in pieces; the last one is an EndPiece. Raises ModelError with a sentence."""

    async def decide(
        self, messages: Sequence[Message], reply: type[Reply], *, max_tokens: int = 400, seconds: float = 30.0
    ) -> Reply:
        """A reply that fits the schema of `reply`, at temperature 0. Raises ModelError when it is late, cut, empty or does not fit."""


class Clock(Protocol):
    def __call__(self) -> datetime:
        """The time now, aware, in UTC."""


def utc_now() -> datetime:
    return datetime.now(UTC)
