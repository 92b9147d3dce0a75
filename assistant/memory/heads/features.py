"""What all heads share: labelled cases, hashed word n-grams, logistic regression as two arrays, reading weights."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.memory.heads.language import stem, words
from assistant.paths import shipped

Floats = NDArray[np.float32]
Weights = dict[str, NDArray[Any]]


def read_cases(name: str) -> list[dict[str, Any]]:
    """The labelled cases of `data/cases/NAME.jsonl`, in file order."""
    lines = shipped("data", "cases", f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def read_weights(name: str) -> Weights:
    """The trained arrays of one head from `data/heads/NAME.npz`, floats as float32."""
    with np.load(shipped("data", "heads", f"{name}.npz")) as stored:
        return {key: _widen(stored[key]) for key in stored.files}


def _widen(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(np.float32) if array.dtype == np.float16 else array


def n_grams(tokens: Sequence[str], longest: int = 3) -> list[str]:
    """Runs of 1 to `longest` tokens, with the start and the end of the text as tokens of their own."""
    framed = ["^", *tokens, "$"]
    return [
        " ".join(framed[start : start + size])
        for size in range(1, longest + 1)
        for start in range(len(framed) - size + 1)
    ]


def buckets(grams: Iterable[str], size: int) -> NDArray[np.int64]:
    """Distinct bucket numbers (0 to size - 1) of the grams, by CRC-32: the same on every machine."""
    return np.unique(np.fromiter((zlib.crc32(gram.encode()) % size for gram in grams), np.int64))


def hashed(text: str, size: int, longest: int = 3) -> Floats:
    """Hashed n-grams of stems, shape (size,), of unit norm."""
    return hashed_tokens([stem(word) for word in words(text)], size, longest)


def hashed_tokens(tokens: Sequence[str], size: int, longest: int = 3) -> Floats:
    """Hashed n-grams of tokens, shape (size,), of unit norm."""
    row = np.zeros(size, np.float32)
    found = buckets(n_grams(tokens, longest), size)
    row[found] = 1.0 / np.sqrt(len(found))
    return row


def logistic(
    rows: Floats, labels: Sequence[bool], *, strength: float, weight: Sequence[float] | None = None
) -> Weights:
    """Fits a logistic regression; `strength` is the inverse of its L2 penalty. Gives `weights` (features,) and `bias` (1,)."""
    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression(C=strength, max_iter=2000).fit(rows, list(labels), sample_weight=weight)
    return {"weights": fitted.coef_[0].astype(np.float16), "bias": fitted.intercept_.astype(np.float32)}


def sigmoid(score: float) -> float:
    """Logistic function, in (0, 1), without overflow."""
    return float(1.0 / (1.0 + np.exp(-np.clip(score, -40.0, 40.0))))
