"""Search by meaning and by words together: the one place that ranks rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from assistant.memory.ports import Vector, Vectors
from assistant.memory.records import Hit
from assistant.memory.store import vectors, words
from assistant.memory.store.corpus import Connection, Corpus
from assistant.memory.store.terms import date_terms, term_counts

__all__ = [
    "Corpus",
    "Entry",
    "Query",
    "add",
    "create",
    "drop",
    "find",
    "missing",
    "remove",
    "set_active",
    "similar",
]

MEANING_FLOOR = 0.25
"""Cosine below which a text is not about the question."""
WORDS_FLOOR = 0.35
"""Share of the question's weight that a text must hold to count by words alone."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A text to be found. `vectors` has shape (parts, dimension), unit norm each."""

    id: int
    text: str
    vectors: Vectors
    conversation: int = 0
    said: datetime | None = None
    active: bool = True
    domain: str = ""


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

    def condition(self) -> tuple[str, list[object]]:
        """The filters as a condition on a vectors table, and its values."""
        clauses: dict[str, object | None] = {
            "conversation = ?": self.conversation,
            "said >= ?": _naive(self.after),
            "said < ?": _naive(self.before),
            "domain = ?": self.domain or None,
        }
        kept = {clause: value for clause, value in clauses.items() if value is not None}
        texts = [*kept, *([] if self.inactive else ["active"])]
        values = list(kept.values())
        if self.exclude:
            texts.append("id NOT IN (SELECT unnest(?::BIGINT[]))")
            values.append(sorted(self.exclude))
        return "".join(f" AND {text}" for text in texts), values


def create(con: Connection, dimension: int) -> None:
    """The vector and word tables of every corpus."""
    for corpus in Corpus:
        vectors.create(con, corpus, dimension)
        words.create(con, corpus)


def drop(con: Connection) -> None:
    for corpus in Corpus:
        con.execute(f"DROP TABLE IF EXISTS {corpus.vectors}")
        con.execute(f"DROP TABLE IF EXISTS {corpus.words}")


def add(con: Connection, corpus: Corpus, entries: Sequence[Entry]) -> None:
    """Make `entries` findable. An id that is there already is replaced."""
    entries = [entry for entry in entries if len(entry.vectors)]
    if not entries:
        return
    remove(con, corpus, [entry.id for entry in entries])
    sizes = [len(entry.vectors) for entry in entries]
    columns = {
        "id": np.repeat(np.array([entry.id for entry in entries], np.int64), sizes),
        "part": np.concatenate([np.arange(size, dtype=np.int32) for size in sizes]),
        "conversation": np.repeat(np.array([entry.conversation for entry in entries], np.int64), sizes),
        "said": np.repeat(np.array([_naive(entry.said) for entry in entries], "datetime64[us]"), sizes),
        "domain": np.repeat(np.array([entry.domain for entry in entries], object), sizes),
        "active": np.repeat(np.array([entry.active for entry in entries], bool), sizes),
    }
    vectors.add(con, corpus, columns, np.concatenate([entry.vectors for entry in entries]))
    words.add(con, corpus, [_document(entry) for entry in entries])


def remove(con: Connection, corpus: Corpus, ids: Iterable[int]) -> None:
    """Take texts out. Ids that are not there are fine."""
    held = con.execute(
        f"SELECT DISTINCT id FROM {corpus.vectors} WHERE id IN (SELECT unnest(?::BIGINT[]))", [list(ids)]
    ).fetchall()
    if held:
        gone = [row[0] for row in held]
        con.execute(f"DELETE FROM {corpus.vectors} WHERE id IN (SELECT unnest(?::BIGINT[]))", [gone])
        words.remove(con, corpus, gone)


def set_active(con: Connection, corpus: Corpus, ids: Iterable[int], active: bool) -> None:  # noqa: FBT001
    """Archived and ended rows are inactive: kept, but found only on request."""
    con.execute(
        f"UPDATE {corpus.vectors} SET active = ? WHERE id IN (SELECT unnest(?::BIGINT[]))",
        [active, list(ids)],
    )


def missing(con: Connection, corpus: Corpus, limit: int) -> list[int]:
    """Ids of rows that cannot be found yet, oldest first."""
    table, key = corpus.source
    found = con.execute(
        f"SELECT {key} FROM {table} WHERE {key} NOT IN (SELECT id FROM {corpus.vectors}) ORDER BY {key} LIMIT ?",
        [limit],
    )
    return [row[0] for row in found.fetchall()]


def similar(
    con: Connection, corpus: Corpus, vector: Vector, *, limit: int, inactive: bool = False, domain: str = ""
) -> list[Hit]:
    """The texts nearest in meaning, by plain cosine: a text counts by its best part. Judgments show both parts' cosines."""
    filters, values = Query("", vector, inactive=inactive, domain=domain).condition()
    near = vectors.nearest(con, corpus, vector, filters=filters, values=values, limit=4 * limit)
    parts: dict[int, dict[str, float]] = {}
    for id_, part, cosine in zip(near.ids, near.parts, near.similarity, strict=True):
        name = ("trigger", "judgment")[part] if corpus is Corpus.JUDGMENTS else "meaning"
        parts.setdefault(int(id_), {}).setdefault(name, float(cosine))
    return [Hit(id_, max(named.values()), named) for id_, named in list(parts.items())[:limit]]


def find(con: Connection, corpus: Corpus, query: Query) -> list[Hit]:
    """Words and meaning fused, best first, a text once. What neither of them supports is left out: nonsense finds nothing."""
    filters, values = query.condition()
    near = vectors.nearest(con, corpus, query.vector, filters=filters, values=values, limit=1_000_000)
    if not len(near.ids):
        return []
    ids, first = np.unique(near.ids, return_index=True)
    meaning = near.similarity[first]
    scores = words.score(con, corpus, list(term_counts(query.text)), documents=len(ids))
    bm25, share = np.zeros(len(ids)), np.zeros(len(ids))
    kept = np.isin(scores.ids, ids)
    place = np.searchsorted(ids, scores.ids[kept])
    bm25[place], share[place] = scores.bm25[kept], scores.share[kept]
    fused = 0.5 * _standard(meaning) + 0.5 * _standard(bm25)
    allowed = np.flatnonzero((meaning >= MEANING_FLOOR) | (share >= WORDS_FLOOR))
    best = allowed[np.argsort(-fused[allowed], kind="stable")][: query.limit]
    return [
        Hit(int(ids[i]), float(fused[i]), {"meaning": float(meaning[i]), "words": float(share[i])})
        for i in best
    ]


def _standard(values: np.ndarray) -> np.ndarray:
    return (values - values.mean()) / (values.std() or 1.0)


def _document(entry: Entry) -> words.Document:
    counts = term_counts(entry.text)
    if entry.said is not None:
        counts.update(date_terms(entry.said))
    return words.Document(entry.id, counts)


def _naive(moment: datetime | None) -> datetime | None:
    """UTC without a zone, as the store keeps times."""
    return None if moment is None else moment.astimezone(UTC).replace(tzinfo=None)
