"""The words index: one row for each term of a text, scored with BM25 (Robertson and Zaragoza 2009).

A turn is scored together with its neighbours: people say "he" and "that trip" and mean what stood before. Terms of the
two turns on either side count a half and a quarter, which is worth ten points of recall on long conversations.

The table is kept sorted by term, so that DuckDB reads only the row groups that hold a question's terms: 3 ms at 100,000
turns (4.4 million rows) against 18 unsorted. New rows are appended and found at once; `tidy` sorts them in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.memory.store.corpus import Connection, Corpus, insert
from assistant.memory.store.directory import Directory

SATURATION = 0.9
"""k1: how soon the repetition of a term stops counting."""
_LENGTH = 0.5
"""b: how much a long text is held back."""
_NEIGHBOURS = {1: 0.5, 2: 0.25}
"""What a term counts for the turns at this distance before and after the one it stands in."""
_MOST_TERMS = 64
"""Terms of a question that are looked up; the first of a pasted page say what it is about."""


@dataclass(frozen=True, slots=True)
class Document:
    id: int
    counts: Counter[int]
    """Occurrences of each term."""


@dataclass(frozen=True, slots=True)
class Postings:
    """Occurrences of a question's terms: parallel arrays of place (see Directory), number of the term, and count."""

    place: NDArray[np.intp]
    term: NDArray[np.intp]
    count: NDArray[np.float64]
    asked: int
    """How many terms were asked for."""

    @property
    def unknown(self) -> float:
        """Share of the terms asked for that no text holds."""
        return 1 - len(np.unique(self.term)) / self.asked if self.asked else 0.0


def create(con: Connection, corpus: Corpus) -> None:
    con.execute(f"CREATE TABLE {corpus.words} (term UINTEGER, id BIGINT, count USMALLINT)")


def add(con: Connection, corpus: Corpus, documents: Sequence[Document]) -> None:
    sizes = [len(document.counts) for document in documents]
    if sum(sizes):
        counts = np.concatenate([np.fromiter(d.counts.values(), np.int64, len(d.counts)) for d in documents])
        batch = {
            "term": np.concatenate([np.fromiter(d.counts, np.uint32, len(d.counts)) for d in documents]),
            "id": np.repeat(np.array([d.id for d in documents], np.int64), sizes),
            "count": np.minimum(counts, 65_535).astype(np.uint16),
        }
        insert(con, corpus.words, batch)


def remove(con: Connection, corpus: Corpus, ids: Sequence[int]) -> None:
    con.execute(f"DELETE FROM {corpus.words} WHERE id IN (SELECT unnest(?::BIGINT[]))", [list(ids)])


def tidy(con: Connection, corpus: Corpus) -> None:
    """Sort the table by term again: 0.5 s of CPU for 100,000 turns."""
    con.execute(f"CREATE OR REPLACE TABLE {corpus.words} AS SELECT * FROM {corpus.words} ORDER BY term, id")


def look_up(con: Connection, corpus: Corpus, directory: Directory, terms: Sequence[int]) -> Postings:
    """Where `terms` occur."""
    wanted = list(dict.fromkeys(terms))[:_MOST_TERMS]
    found = con.execute(
        f"SELECT term, id, count FROM {corpus.words} WHERE term IN (SELECT unnest(?::UINTEGER[]))", [wanted]
    ).fetchnumpy()
    place, known = directory.places(found["id"])
    number = np.searchsorted(np.sort(wanted), found["term"])
    return Postings(place[known], number[known], found["count"][known].astype(np.float64), len(wanted))


def score(directory: Directory, postings: Postings) -> NDArray[np.float32]:
    """How much of the question each text's words answer, 0 to 1: its BM25 over the highest that any text could reach."""
    scores = np.zeros(len(directory.ids), np.float32)
    if not len(postings.place):
        return scores
    weight = _weights(len(scores), np.bincount(postings.term, minlength=postings.asked))
    neighbours = {
        distance: directory.together(distance).astype(np.float32) * np.float32(share)
        for distance, share in _NEIGHBOURS.items()
    }
    length = _with_neighbours(directory.length, neighbours)
    held_back = SATURATION * (1 - _LENGTH + _LENGTH * length / length.mean())
    for term in range(postings.asked):
        own = postings.term == term
        found = np.bincount(postings.place[own], postings.count[own], minlength=len(scores))
        count = _with_neighbours(found.astype(np.float32), neighbours)
        scores += weight[term] * count / (count + held_back)
    return np.asarray(scores / weight.sum(), np.float32)


def _weights(texts: int, frequency: NDArray[np.intp]) -> NDArray[np.float32]:
    """Inverse document frequency; a term that no text holds weighs most, so that asking for it lowers every share."""
    return np.log1p((texts - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)


def _with_neighbours(
    amount: NDArray[np.float32], neighbours: Mapping[int, NDArray[np.float32]]
) -> NDArray[np.float32]:
    """The amount of each text and what those before and after lend it: by distance, the share between each two texts."""
    total = amount.copy()
    for distance, share in neighbours.items():
        total[distance:] += share * amount[:-distance]
        total[:-distance] += share * amount[distance:]
    return total
