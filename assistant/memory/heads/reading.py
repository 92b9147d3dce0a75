"""What is read once from a text before it is compared with others: its words, numbers, names, roles, and word vectors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.memory.heads import language
from assistant.memory.heads.features import Floats
from assistant.memory.heads.quantities import Quantity, quantities
from assistant.memory.ports import Embedder, Vector

_PERSONS = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), instead)
    for words, instead in (
        ("i(?:'|’)?m|i am|we(?:'|’)re", "User is"),
        ("i(?:'|’)?ve|we(?:'|’)ve", "User has"),
        ("i(?:'|’)(?:d|ll)", "User will"),
        ("i|we|me|myself", "User"),
        ("my|mine|our", "User's"),
    )
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One text, read. `vector` is the mean direction of its word pieces, `tokens` are its content words, `matrix` their unit vectors in context."""

    text: str
    words: tuple[str, ...]
    stems: tuple[str, ...]
    numbers: frozenset[float]
    quantities: tuple[Quantity, ...]
    calendar: frozenset[str]
    names: frozenset[str]
    roles: frozenset[str]
    negated: bool
    vector: Vector
    tokens: tuple[str, ...]
    matrix: Floats
    """Shape (len(tokens), dimension)."""

    @property
    def about_user(self) -> bool:
        """In the first person, or of the user themself and of none of their people."""
        first = self.words[:1] in {("user",), ("i",), ("i'm",), ("i've",), ("my",), ("im",)}
        return first and not self.roles


def read(texts: Sequence[str], embedder: Embedder) -> list[Reading]:
    """Readings of the texts, in order, by one call of the embedder; the vectors are those of the text told in the third person."""
    told = embedder.token_vectors([in_third_person(text) for text in texts])
    return [_read(text, *pieces) for text, pieces in zip(texts, told, strict=True)]


def in_third_person(text: str) -> str:
    """The text with "User" for I and we: stored facts are told so, and "my dog" lies nearer to "User's dog" then."""
    for words, instead in _PERSONS:
        text = words.sub(instead, text)
    return text


def _read(text: str, pieces: list[str], piece_vectors: NDArray[np.float32]) -> Reading:
    tokens, matrix = _whole_words(pieces, piece_vectors)
    return Reading(
        text=text,
        words=tuple(language.words(text)),
        stems=tuple(language.content(text)),
        numbers=language.numbers(text),
        quantities=quantities(text),
        calendar=language.calendar(text),
        names=language.names(text),
        roles=language.roles(text),
        negated=language.negated(text),
        vector=_unit(piece_vectors.sum(axis=0)),
        tokens=tokens,
        matrix=matrix,
    )


def _whole_words(pieces: list[str], vectors: NDArray[np.float32]) -> tuple[tuple[str, ...], Floats]:
    """Word pieces joined to words (their vectors averaged), words without meaning of their own left out."""
    joined: list[tuple[str, list[int]]] = []
    for position, piece in enumerate(pieces):
        if piece.startswith("##") and joined:
            word, places = joined[-1]
            joined[-1] = (word + piece[2:], [*places, position])
        else:
            joined.append((piece, [position]))
    kept = [(word, places) for word, places in joined if language.meaningful(word)]
    if not kept:
        return (), np.zeros((0, vectors.shape[1]), np.float32)
    matrix = np.stack([vectors[places].mean(axis=0) for _, places in kept])
    return tuple(word for word, _ in kept), _unit(matrix)


def _unit(vectors: Floats) -> Floats:
    """Scaled to unit norm along the last axis; zeros stay zeros."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9), np.float32)
