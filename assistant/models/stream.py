"""From the chunks of a streamed answer to pieces: text, thoughts apart from it, and an end that says if it was cut."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from assistant.errors import ModelReplyError
from assistant.memory.ports import EndPiece, Piece, TextPiece, ThoughtPiece

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionChunk

_TAGS = {"<think>": "</think>", "<thinking>": "</thinking>"}


class ThoughtSplitter:
    """Takes `<think>…</think>` at the start of an answer out of the text, also when a tag is split over chunks.

    A tag further on is text: the answer may well be about such tags.
    """

    def __init__(self) -> None:
        self._held = ""
        self._closing = ""
        self._phase = self._begin

    def feed(self, text: str) -> list[Piece]:
        self._held += text
        return self._phase()

    def finish(self) -> list[Piece]:
        """What was held back in case it became a tag."""
        held, self._held = self._held, ""
        return _thoughts(held) if self._phase == self._think else _texts(held)

    def _begin(self) -> list[Piece]:
        start = self._held.lstrip()
        for opening, closing in _TAGS.items():
            if start.startswith(opening):
                self._held, self._closing = start.removeprefix(opening), closing
                return self._enter(self._think)
        undecided = any(opening.startswith(start) for opening in _TAGS)
        return [] if undecided else self._enter(self._answer)

    def _think(self) -> list[Piece]:
        thought, tag, rest = self._held.partition(self._closing)
        if tag:
            self._held = rest
            return [*_thoughts(thought), *self._enter(self._pause)]
        sure = len(self._held) - _overlap(self._held, self._closing)
        thought, self._held = self._held[:sure], self._held[sure:]
        return _thoughts(thought)

    def _pause(self) -> list[Piece]:
        """The blank lines between thought and answer belong to neither."""
        self._held = self._held.lstrip()
        return self._enter(self._answer) if self._held else []

    def _answer(self) -> list[Piece]:
        text, self._held = self._held, ""
        return _texts(text)

    def _enter(self, phase: Callable[[], list[Piece]]) -> list[Piece]:
        self._phase = phase
        return phase()


class Reading:
    """Reads chunks one by one; `end()` tells how it ended."""

    def __init__(self, base_url: str, max_tokens: int) -> None:
        self._base_url = base_url
        self._max_tokens = max_tokens
        self._splitter = ThoughtSplitter()
        self._finish = ""
        self._chunks = 0
        self._deltas = 0
        self._prompt_tokens = 0
        self._answer_tokens = 0
        self.text = ""
        self.thoughts = ""

    def read(self, chunk: ChatCompletionChunk) -> list[Piece]:
        """Guards against `choices: []`, `delta: null` and `content: null`, which servers send between the real ones."""
        self._chunks += 1
        if chunk.usage:
            self._prompt_tokens = chunk.usage.prompt_tokens or 0
            self._answer_tokens = chunk.usage.completion_tokens or 0
        if not chunk.choices:
            return []
        choice = chunk.choices[0]
        self._finish = choice.finish_reason or self._finish
        delta = choice.delta
        thought = getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None)
        text = (delta.content or getattr(delta, "refusal", None)) if delta else None
        self._deltas += bool(thought or text)
        pieces: list[Piece] = _thoughts(thought) if isinstance(thought, str) else []
        return self._keep(pieces + (self._splitter.feed(text) if text else []))

    def rest(self) -> list[Piece]:
        return self._keep(self._splitter.finish())

    def end(self) -> EndPiece:
        """The last piece. Raises ModelReplyError where there was no answer at all."""
        if not self.text.strip():
            raise self._nothing()
        return EndPiece(self._prompt_tokens, self._answer_tokens or self._deltas, self._cut())

    def _keep(self, pieces: list[Piece]) -> list[Piece]:
        for piece in pieces:
            if isinstance(piece, TextPiece):
                self.text += piece.text
            elif isinstance(piece, ThoughtPiece):
                self.thoughts += piece.text
        return pieces

    def _cut(self) -> str:
        if self._finish == "length":
            return f"The answer reached its limit of {self._max_tokens} tokens or filled the model's context."
        if self._finish == "content_filter":
            return "The server's content filter ended the answer."
        return "" if self._finish else "The server never said that the answer was finished; it may be cut."

    def _nothing(self) -> ModelReplyError:
        if not self._chunks:
            return ModelReplyError(
                f"What {self._base_url} answers is nothing of an OpenAI-compatible chat.",
                hint="Is the address right? Most end in /v1.",
            )
        if self.thoughts.strip():
            return ModelReplyError(
                "The model only thought and gave no answer.",
                hint="A higher model.max_tokens gives it room for both.",
            )
        return ModelReplyError("The model gave an empty answer.", hint="Ask again, or choose another model.")


def _texts(text: str) -> list[Piece]:
    return [TextPiece(text)] if text else []


def _thoughts(text: str) -> list[Piece]:
    return [ThoughtPiece(text)] if text else []


def _overlap(text: str, tag: str) -> int:
    """Length of the longest end of `text` with which `tag` begins."""
    return next(
        (size for size in range(min(len(text), len(tag) - 1), 0, -1) if tag.startswith(text[-size:])), 0
    )
