"""Trains the on-device heads again from the labelled cases: `python -m assistant.memory.heads.train [NAME …]`.

Reads data/cases/*.jsonl, writes data/heads/NAME.npz for each head (all of them without a name). Needs the development
group (scikit-learn). Seeds are fixed, so the same cases and library versions give the same weights.

A head is a module here with `NAME` and `train(embedder) -> dict of arrays`; a new one only needs its name in `HEADS`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import numpy as np

from assistant.memory.ports import Embedder
from assistant.paths import shipped

HEADS = ("planning", "routing", "gate", "situation", "reflection")


def train(names: Sequence[str], embedder: Embedder) -> list[Path]:
    """Trains the heads named and writes their weights; returns the files. Raises KeyError for an unknown name."""
    unknown = [name for name in names if name not in HEADS]
    if unknown:
        raise KeyError(f"No such head: {', '.join(unknown)}. There are: {', '.join(HEADS)}.")
    return [_train_one(name, embedder) for name in names or HEADS]


def _train_one(name: str, embedder: Embedder) -> Path:
    weights = import_module(f"assistant.memory.heads.{name}").train(embedder)
    target = shipped("data", "heads", f"{name}.npz")
    target.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(target, **weights)
    return target


def main() -> None:
    from assistant.models.embedding import (
        FastEmbedder,
    )  # the only place where the memory makes its own embedder

    with tempfile.TemporaryDirectory() as cache:
        for file in train(sys.argv[1:], FastEmbedder(cache=Path(cache))):
            sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    main()
