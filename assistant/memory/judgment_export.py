"""Judgments as training data, one JSON object a line: triples, chats for supervised fine-tuning, preference pairs.

Every line carries the judgment's `id`, so that an export that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from assistant.errors import MemoryInputError
from assistant.memory.records import Judgment, Verdict, Vote

Line = dict[str, Any]


class Format(StrEnum):
    TRIPLES = "triples"
    """context, judgment, outcome: of every judgment that was verified."""
    CHAT = "chat"
    """messages: the situation, and what proved right in it: the judgment, or the correction of one that proved wrong."""
    PREFERENCES = "preferences"
    """context, chosen, rejected: from corrections."""


def lines(judgment: Judgment, votes: Sequence[Vote], form: Format) -> list[Line]:
    """What one judgment gives; nothing when it was not verified."""
    if not votes:
        return []
    match form:
        case Format.TRIPLES:
            return [_triple(judgment)]
        case Format.CHAT:
            return _chat(judgment)
        case Format.PREFERENCES:
            return [
                {
                    "id": judgment.id,
                    "context": judgment.trigger,
                    "chosen": chosen,
                    "rejected": judgment.judgment,
                }
                for chosen in _corrections(votes)
            ]


def _triple(judgment: Judgment) -> Line:
    return {
        "id": judgment.id,
        "context": judgment.trigger,
        "judgment": judgment.judgment,
        "outcome": "corrected" if judgment.refuted else "adopted",
        "reasoning": judgment.reasoning,
        "domain": judgment.domain,
        "adopted": judgment.adopted,
        "corrected": judgment.corrected,
        "utility": round(judgment.utility, 4),
        "correction": judgment.correction,
    }


def _chat(judgment: Judgment) -> list[Line]:
    answer = judgment.correction if judgment.refuted else f"{judgment.judgment} {judgment.reasoning}".strip()
    if not answer or (judgment.utility <= 0 and not judgment.refuted):
        return []
    messages = [{"role": "user", "content": judgment.trigger}, {"role": "assistant", "content": answer}]
    return [{"id": judgment.id, "messages": messages}]


def _corrections(votes: Iterable[Vote]) -> list[str]:
    said = (vote.correction for vote in votes if vote.verdict is Verdict.CORRECTED and vote.correction)
    return list(dict.fromkeys(said))


# The file -------------------------------------------------------------------------------------------------------------


def prepare(path: Path) -> int:
    """Cut an interrupted export back to its last whole judgment; returns the id after which to go on, 0 for a new file.

    The last judgment's lines are written again, since some of them may be missing. Raises MemoryInputError when the file
    is something else.
    """
    if not path.is_file():
        return 0
    kept = 0
    last = 0
    offset = 0
    with path.open("rb") as file:
        for line in file:
            number = _id(line, path)
            if number is None:
                break
            if number != last:
                kept, previous, last = offset, last, number
            offset += len(line)
    with path.open("r+b") as file:
        file.truncate(kept)
    return previous if last else 0


def _id(line: bytes, path: Path) -> int | None:
    """The judgment a line is of; None for a line that was cut off."""
    if not line.endswith(b"\n"):
        return None
    try:
        return int(json.loads(line)["id"])
    except (ValueError, KeyError, TypeError) as problem:
        raise MemoryInputError(
            f"{path} is not an export of judgments.", hint="Name another file."
        ) from problem


def append(path: Path, written: Iterable[Line]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in written)
