"""Which texts a corpus has, in which order they were said, and which of them a query allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.memory.store.corpus import Connection, Corpus


@dataclass(frozen=True, slots=True)
class Directory:
    """One element a text, conversation after conversation, in each by id. A place is an index into these arrays."""

    ids: NDArray[np.int64]
    conversation: NDArray[np.int64]
    """0: the text stands alone and has no neighbours."""
    length: NDArray[np.float32]
    """Terms of the text."""
    allowed: NDArray[np.bool_]
    by_id: NDArray[np.intp]
    """The places, ids ascending."""

    def places(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """The place of each id, and whether it is there at all (where not, the place means nothing)."""
        if not len(self.ids):
            return np.zeros(len(ids), np.intp), np.zeros(len(ids), bool)
        found = np.searchsorted(self.ids, ids, sorter=self.by_id)
        places = self.by_id[np.minimum(found, len(self.ids) - 1)]
        return places, self.ids[places] == ids

    def together(self, distance: int) -> NDArray[np.bool_]:
        """For each place but the last `distance`: whether the text so many places on belongs to the same conversation."""
        here, there = self.conversation[:-distance], self.conversation[distance:]
        return np.asarray((here == there) & (here > 0), np.bool_)


def read(con: Connection, corpus: Corpus, where: str = "TRUE", values: Sequence[object] = ()) -> Directory:
    """`where` is the condition that makes a text allowed."""
    found = con.execute(
        f"SELECT id, conversation, length, {where} AS allowed FROM {corpus.vectors} WHERE part = 0",
        list(values),
    ).fetchnumpy()
    order = np.lexsort((found["id"], found["conversation"]))
    ids = found["id"][order]
    return Directory(
        ids,
        found["conversation"][order],
        found["length"][order].astype(np.float32),
        np.ma.filled(found["allowed"], fill_value=False)[order],
        np.argsort(ids, kind="stable"),
    )
