"""Search by meaning and by words together: the one place that ranks rows.

The score of a text is its cosine to the question plus a weight times the share of the question that its words answer. Both
are absolute, so a score means the same in a store of ten rows and of a million: what is unlike everything finds nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from assistant.memory.ports import Vector, Vectors
from assistant.memory.records import Hit
from assistant.memory.store import directory, scale, vectors, words
from assistant.memory.store.corpus import Connection, Corpus
from assistant.memory.store.terms import date_terms, speaker_term, term_counts

__all__ = [
    "Corpus",
    "Entry",
    "Query",
    "add",
    "create",
    "drop",
    "find",
    "missing",
    "rank",
    "remove",
    "replace",
    "set_active",
    "similar",
    "tidy",
]

_WORDS_WEIGHT = 1.4
"""What all the words of a question are worth against a cosine of 1. Flat from 1.1 to 1.7."""
_SPEAKER = 0.1
"""What a turn gains when it was said by the person asked about."""
_WORDS_AS_EVIDENCE = 0.5
"""How far words count when it is decided whether a text has to do with the question at all: any text shares some by chance."""
_MARGIN = {Corpus.EPISODES: 0.4, Corpus.FACTS: 1.0, Corpus.JUDGMENTS: 0.4}
"""Standard deviations beyond chance that the best hit must show. Facts are short and begin alike, so anything is a little like them."""
_ODD = 1.0
"""Further ones for each tenfold of texts beyond ten, where the question has no word that any of them holds."""
_OTHERS = 2.0
"""Standard deviations beyond the mean of unrelated texts that every further hit must show."""
_WORD_CANDIDATES = 200
"""Texts whose words fit best that are compared by meaning too, beyond those that meaning itself finds."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A text to be found. `vectors` has shape (parts, dimension), unit norm each.

    Texts of one `conversation` (0: none) are neighbours in the order of their ids. `speaker` names who said it, in
    transcripts of people.
    """

    id: int
    text: str
    vectors: Vectors
    conversation: int = 0
    said: datetime | None = None
    active: bool = True
    domain: str = ""
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """What to find. `inactive` includes archived or ended rows; `after` and `before` bound `said` (the end is open)."""

    text: str
    vector: Vector
    limit: int = 10
    inactive: bool = False
    conversation: int | None = None
    after: datetime | None = None
    before: datetime | None = None
    exclude: frozenset[int] = frozenset()
    domain: str = ""
    speaker: str = ""

    def condition(self) -> tuple[str, list[object]]:
        """The filters as a condition on a table of vectors, and the values for its marks."""
        asked: dict[str, object | None] = {
            "conversation = ?": self.conversation,
            "said >= ?": _naive(self.after),
            "said < ?": _naive(self.before),
            "domain = ?": self.domain or None,
            "id NOT IN (SELECT unnest(?::BIGINT[]))": sorted(self.exclude) or None,
        }
        kept = {clause: value for clause, value in asked.items() if value is not None}
        return " AND ".join(["TRUE" if self.inactive else "active", *kept]), list(kept.values())


# Keeping ----------------------------------------------------------------------------------------------------------------


def create(con: Connection, dimension: int) -> None:
    """The vector and word tables of every corpus."""
    for corpus in Corpus:
        vectors.create(con, corpus, dimension)
        words.create(con, corpus)
    scale.create(con)


def drop(con: Connection) -> None:
    for table in (*(corpus.vectors for corpus in Corpus), *(corpus.words for corpus in Corpus), scale.TABLE):
        con.execute(f"DROP TABLE IF EXISTS {table}")


def add(con: Connection, corpus: Corpus, entries: Sequence[Entry]) -> None:
    """Make `entries` findable, none of which is yet. Those without vectors are left out, and so stay `missing`."""
    entries = [entry for entry in entries if len(entry.vectors)]
    if not entries:
        return
    documents = [words.Document(entry.id, _counts(corpus, entry)) for entry in entries]
    sizes = [len(entry.vectors) for entry in entries]
    columns = {
        "id": np.array([entry.id for entry in entries], np.int64),
        "conversation": np.array([entry.conversation for entry in entries], np.int64),
        "said": np.array([_naive(entry.said) for entry in entries], "datetime64[us]"),
        "domain": np.array([entry.domain for entry in entries], object),
        "active": np.array([entry.active for entry in entries], bool),
        "length": np.array([document.counts.total() for document in documents], np.int32),
    }
    rows = {name: np.repeat(column, sizes) for name, column in columns.items()}
    rows["part"] = np.concatenate([np.arange(size, dtype=np.int32) for size in sizes])
    vectors.add(con, corpus, rows, np.concatenate([entry.vectors for entry in entries]))
    words.add(con, corpus, documents)


def replace(con: Connection, corpus: Corpus, entries: Sequence[Entry]) -> None:
    """Make `entries` findable as they are now, whether or not texts of these ids were before."""
    remove(con, corpus, [entry.id for entry in entries])
    add(con, corpus, entries)


def remove(con: Connection, corpus: Corpus, ids: Iterable[int]) -> None:
    """Take texts out. Ids that are not there are fine."""
    gone = vectors.remove(con, corpus, list(ids))
    if gone:
        words.remove(con, corpus, gone)


def set_active(con: Connection, corpus: Corpus, ids: Iterable[int], active: bool) -> None:  # noqa: FBT001
    """Archived and ended rows are inactive: kept, but found only on request."""
    con.execute(
        f"UPDATE {corpus.vectors} SET active = ? WHERE id IN (SELECT unnest(?::BIGINT[]))",
        [active, list(ids)],
    )


def missing(con: Connection, corpus: Corpus, limit: int) -> list[int]:
    """Ids of rows that cannot be found yet, oldest first. Turns still waiting for their answer are none of them."""
    table, key, wanted = corpus.source
    found = con.execute(
        f"SELECT {key} FROM {table} WHERE {wanted} AND {key} NOT IN (SELECT id FROM {corpus.vectors}) ORDER BY {key} LIMIT ?",
        [limit],
    )
    return [row[0] for row in found.fetchall()]


def tidy(con: Connection) -> None:
    """Sort the words again after much was added: searching gets faster, nothing else changes."""
    for corpus in Corpus:
        words.tidy(con, corpus)


# Finding ----------------------------------------------------------------------------------------------------------------


def similar(
    con: Connection, corpus: Corpus, vector: Vector, *, limit: int, inactive: bool = False, domain: str = ""
) -> list[Hit]:
    """The texts nearest in meaning, by the plain cosine of their best part."""
    query = Query("", vector, inactive=inactive, domain=domain)
    rows = vectors.count(con, corpus)
    ids, cosine = vectors.nearest(con, corpus, vector, *query.condition(), rows=rows).by_text()
    best = np.argsort(-cosine, kind="stable")[:limit]
    return [
        Hit(id_, score, {"meaning": score})
        for id_, score in zip(ids[best].tolist(), cosine[best].tolist(), strict=True)
    ]


def find(con: Connection, corpus: Corpus, query: Query) -> list[Hit]:
    """Words and meaning together, best first, a text once. `parts` add up to the score. Nonsense finds nothing."""
    return [hit for hit, supported in rank(con, corpus, query) if supported]


def rank(con: Connection, corpus: Corpus, query: Query) -> list[tuple[Hit, bool]]:
    """The `query.limit` best, each with whether the evidence supports it; those that it does come first."""
    texts = directory.read(con, corpus, *query.condition())
    if not texts.allowed.any():
        return []
    postings = words.look_up(con, corpus, texts, list(term_counts(query.text)))
    worded = _WORDS_WEIGHT * words.score(texts, postings) * texts.allowed
    place, meaning = _meanings(con, corpus, query, texts, worded)
    named = _said_by(con, corpus, query.speaker, texts)[place]
    floor = _floor(corpus, int(texts.allowed.sum()), postings.unknown)
    supported = _supported(meaning + _WORDS_AS_EVIDENCE * worded[place], floor)
    score = meaning + worded[place] + named
    best = np.lexsort((-score, ~supported))[: query.limit]
    return [
        (
            Hit(
                int(texts.ids[place[i]]),
                float(score[i]),
                {"meaning": float(meaning[i]), "words": float(worded[place[i]])}
                | ({"speaker": _SPEAKER} if named[i] else {}),
            ),
            bool(supported[i]),
        )
        for i in best
    ]


def _meanings(
    con: Connection, corpus: Corpus, query: Query, texts: directory.Directory, worded: NDArray[np.float32]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The candidates: places of the texts that are near in meaning or best in words, with the similarity of each."""
    further = texts.ids[_highest(worded, _WORD_CANDIDATES)].tolist()
    rows = len(texts.ids)
    near = vectors.nearest(con, corpus, query.vector, *query.condition(), rows=rows, further=further)
    ids, cosine = near.by_text()
    return texts.places(ids)[0], scale.read(con).similarity(cosine)


def _floor(corpus: Corpus, texts: int, unknown: float) -> float:
    """The evidence that the best of so many unrelated texts reaches by chance, and a margin.

    It is the expected maximum of `texts` draws from a normal distribution (Cramér 1946), and so grows with the store: what
    is a match among ten turns is chance among a hundred thousand. The larger the store, the odder is a question of which it
    knows no word: `unknown` is the share of those.
    """
    odd = _ODD * unknown**2 * np.log10(max(texts / 10, 1))
    deviations = np.sqrt(2 * np.log(max(texts, 2))) + _MARGIN[corpus] + odd
    return float(scale.MINILM.mean + deviations * scale.MINILM.spread)


def _supported(evidence: NDArray[np.float64], floor: float) -> NDArray[np.bool_]:
    """Whether each evidence suffices: none does, unless the best reaches the floor."""
    other = scale.MINILM.mean + _OTHERS * scale.MINILM.spread
    return evidence >= (other if evidence.max(initial=-1.0) >= floor else np.inf)


def _said_by(
    con: Connection, corpus: Corpus, speaker: str, texts: directory.Directory
) -> NDArray[np.float64]:
    boost = np.zeros(len(texts.ids))
    if speaker:
        boost[words.look_up(con, corpus, texts, [speaker_term(speaker)]).place] = _SPEAKER
    return boost


def _highest(scores: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    """The places of the `count` highest scores above 0, in no order."""
    places = np.flatnonzero(scores > 0)
    if len(places) > count:
        places = places[np.argpartition(-scores[places], count)[:count]]
    return places


def _counts(corpus: Corpus, entry: Entry) -> Counter[int]:
    """The terms of a text; of a turn also its date, and who spoke."""
    counts = term_counts(entry.text)
    if corpus is Corpus.EPISODES and entry.said is not None:
        counts.update(date_terms(entry.said))
    if entry.speaker:
        counts[speaker_term(entry.speaker)] = 1
    return counts


def _naive(moment: datetime | None) -> datetime | None:
    """UTC without a zone, as the store keeps times."""
    return None if moment is None else moment.astimezone(UTC).replace(tzinfo=None)
