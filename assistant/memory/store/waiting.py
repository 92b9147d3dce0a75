"""Rows that are stored but cannot be found yet: kept while the embedder failed, brought back by an undo, or re-embedded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from assistant.memory.ports import Vectors
from assistant.memory.store import search
from assistant.memory.store.corpus import Connection, Corpus
from assistant.memory.windows import episode_windows, fact_text

_QUERIES = {
    Corpus.EPISODES: """
        SELECT id, user_text, answer_text, '', conversation, said, NOT archived, '' FROM episodes
        WHERE id IN (SELECT unnest(?::BIGINT[])) AND state != 'open' ORDER BY id""",
    Corpus.FACTS: """
        SELECT version, statement, key, '', 0, valid_from, valid_to IS NULL, '' FROM facts
        WHERE version IN (SELECT unnest(?::BIGINT[])) ORDER BY version""",
    Corpus.JUDGMENTS: """
        SELECT id, trigger_text, judgment,
            concat_ws(chr(10), reasoning, (SELECT string_agg(correction, chr(10)) FROM votes WHERE votes.judgment = judgments.id)),
            0, created, NOT archived, domain FROM judgments
        WHERE id IN (SELECT unnest(?::BIGINT[])) ORDER BY id""",
}


@dataclass(frozen=True, slots=True)
class Waiting:
    """A row to index. `parts` are the texts that get a vector each."""

    corpus: Corpus
    id: int
    parts: list[str]
    text: str
    conversation: int
    said: datetime
    active: bool
    domain: str

    def entry(self, vectors: Vectors) -> search.Entry:
        """The search entry, given the vectors of `parts`, shape (len(parts), dimension)."""
        return search.Entry(
            self.id, self.text, vectors, self.conversation, self.said, self.active, self.domain
        )


def waiting(con: Connection, limit: int) -> list[Waiting]:
    """At most `limit` rows of each corpus that have no vectors, oldest first. Turns still open wait for their answer."""
    found: list[Waiting] = []
    for corpus, query in _QUERIES.items():
        ids = search.missing(con, corpus, limit)
        rows = con.execute(query, [ids]).fetchall() if ids else []
        for id_, first, second, further, conversation, said, active, domain in rows:
            texts = (
                [fact_text(first, second)]
                if corpus is Corpus.FACTS
                else [text for text in (first, second) if text]
            )
            parts = episode_windows(first, second) if corpus is Corpus.EPISODES else texts
            found.append(
                Waiting(
                    corpus,
                    id_,
                    parts,
                    "\n".join([*texts, further]).strip(),
                    conversation,
                    said.replace(tzinfo=UTC),
                    active,
                    domain,
                )
            )
    return found
