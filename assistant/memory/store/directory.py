"""Which texts a corpus has, in which order they were said, and which of them a query allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.memory.store.corpus import Connection, Corpus


@dataclass(frozen=True, slots=True)
class Directory:
    """One element a text, ids ascending. A place is an index into these arrays."""

    ids: NDArray[np.int64]
    conversation: NDArray[np.int64]
    """0: the text stands alone and has no neighbours."""
    length: NDArray[np.float64]
    """Terms of the text."""
    allowed: NDArray[np.bool_]
    order: NDArray[np.intp]
    """The places, conversation after conversation."""

    def places(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """The place of each id, and whether it is there at all (where not, the place means nothing)."""
        places = np.minimum(np.searchsorted(self.ids, ids), max(len(self.ids) - 1, 0))
        return places, self.ids[places] == ids if len(self.ids) else np.zeros(len(ids), bool)

    def neighbours(self, reach: int) -> NDArray[np.intp]:
        """For each place the place `reach` turns later in its conversation (earlier where negative), or -1."""
        found = np.full(len(self.ids), -1)
        here, there = (
            (self.order[:-reach], self.order[reach:])
            if reach > 0
            else (self.order[-reach:], self.order[:reach])
        )
        same = (self.conversation[here] == self.conversation[there]) & (self.conversation[here] > 0)
        found[here[same]] = there[same]
        return found


def read(con: Connection, corpus: Corpus, where: str = "TRUE", values: Sequence[object] = ()) -> Directory:
    """`where` is the condition that makes a text allowed."""
    found = con.execute(
        f"SELECT id, conversation, length, {where} AS allowed FROM {corpus.vectors} WHERE part = 0",
        list(values),
    ).fetchnumpy()
    by_id = np.argsort(found["id"], kind="stable")
    conversation = found["conversation"][by_id]
    return Directory(
        found["id"][by_id],
        conversation,
        found["length"][by_id].astype(np.float64),
        np.ma.filled(found["allowed"], fill_value=False)[by_id],
        np.argsort(conversation, kind="stable"),
    )
