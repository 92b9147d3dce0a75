"""Judgments as training data, one JSON object a line: triples, chats for supervised fine-tuning, preference pairs.

Every line carries the judgment's `id`, so that an export that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from assistant.errors import FileError, MemoryInputError
from assistant.memory.records import Judgment, Verdict, Vote
from assistant.text import sentence

Line = dict[str, Any]


class Format(StrEnum):
    TRIPLES = "triples"
    """context, judgment, outcome: of every judgment that was verified."""
    CHAT = "chat"
    """messages: the situation, and what proved right in it: the judgment, or the correction of one that proved wrong."""
    PREFERENCES = "preferences"
    """context, chosen, rejected: from corrections."""


_FIELDS = {Format.TRIPLES: "outcome", Format.CHAT: "messages", Format.PREFERENCES: "chosen"}
"""The field that only a line of this format has."""


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
    advice = [sentence(judgment.judgment), sentence(judgment.reasoning)]
    answer = judgment.correction if judgment.refuted else " ".join(filter(None, advice))
    if not answer or (judgment.utility <= 0 and not judgment.refuted):
        return []
    messages = [{"role": "user", "content": judgment.trigger}, {"role": "assistant", "content": answer}]
    return [{"id": judgment.id, "messages": messages}]


def _corrections(votes: Iterable[Vote]) -> list[str]:
    said = (vote.correction for vote in votes if vote.verdict is Verdict.CORRECTED and vote.correction)
    return list(dict.fromkeys(said))


# The file -------------------------------------------------------------------------------------------------------------


def prepare(path: Path, form: Format) -> int:
    """Cut an interrupted export back to its last whole judgment; returns the id after which to go on, 0 for a new file.

    The last judgment's lines are written again, since some of them may be missing. Raises MemoryInputError when the file
    is something else or an export of another format, FileError when it cannot be written.
    """
    try:
        with path.open("a+b") as file:
            file.seek(0)
            previous, kept = _whole(file, path, form)
            file.truncate(kept)
    except OSError as problem:
        raise FileError.of(problem, path) from problem
    return previous


def _whole(file: Iterable[bytes], path: Path, form: Format) -> tuple[int, int]:
    """(the last judgment but one, 0 for none; the offset in bytes at which the last judgment's lines begin)"""
    previous = last = kept = offset = 0
    for line in file:
        number = _id(line, path, form)
        if number is None:
            break
        if number != last:
            kept, previous, last = offset, last, number
        offset += len(line)
    return previous, kept


def _id(line: bytes, path: Path, form: Format) -> int | None:
    """The judgment a line is of; None for a line that was cut off."""
    if not line.endswith(b"\n"):
        return None
    try:
        found = json.loads(line)
        number = int(found["id"])
    except (ValueError, KeyError, TypeError) as problem:
        raise MemoryInputError(
            f"{path} is not an export of judgments.", hint="Name another file."
        ) from problem
    if _FIELDS[form] not in found:
        raise MemoryInputError(
            f"{path} is an export of another format than {form}; it was left as it is.",
            hint="Name another file.",
        )
    return number


def append(path: Path, written: Iterable[Line]) -> None:
    """Raises FileError."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in written)
    except OSError as problem:
        raise FileError.of(problem, path) from problem
