"""Lines that nobody spoke: tables, comma-separated rows, diffs, dumps, mail with its headers, questionnaires."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["noise_lines"]

_TABLE = re.compile(r"^\s*\|.*\||^[^|]*\|[^|]*\|[^|]*(?:\||$)|^\s*\+?[-=+:| ]{5,}\s*$")
_ROW = re.compile(r"^\s*[^\s,;\t][^,;\t]{0,60}(?:[,;\t](?! )[^,;\t]{0,60}){2,}$")
_DIFF = re.compile(
    r"^(?:diff --git|index [0-9a-f]{5,}\b|--- \S|\+\+\+ \S|@@ )|^\s*\S.*\|\s+(?:\d+ ?[+-]*|Bin \d+.*)\s*$|\b\d+ files? changed\b|^\s*(?:create|delete|rename) mode \d{6}\b"
)
_DIFF_BODY = re.compile(r"^[+-](?!\s?\d+\s*$)")
_DUMP = re.compile(
    r"^\s*(?:0x)?[0-9a-f]{4,8}:?\s+(?:[0-9a-f]{2,4}\s+){3,}|^\s*\S{48,}\s*$|\ufffd|(?:\\x[0-9a-f]{2}){2,}|(?:\\u[0-9a-f]{4}){2,}",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"^\s*(?:from|to|cc|bcc|subject|date|sent|reply-to|message-id|received|return-path|mime-version|content-type|x-[\w-]+)\s*:\s*\S",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"^\s*(?:subject|betreff|re|fwd?)\s*:\s*\S", re.IGNORECASE)
_FORM = re.compile(r"^\s*(?:q|a|question|answer)\s*\d*\s*[:.)]\s|\bq: .{0,200}\ba: ", re.IGNORECASE)
_ENTRY = re.compile(r"^\s*[\"'][\w -]+[\"']\s*:\s*\S")
_READABLE = 0.75
"""Share of letters, figures and common marks below which a line of some length is no sentence."""
_COMMON_MARKS = frozenset(" .,:;'’!?-/()&%+£$€")
_SOME_LENGTH = 24


def noise_lines(lines: Sequence[str]) -> set[int]:
    """Places of the lines that are material. Rows and questionnaires need two lines of their kind, a mail reaches to the end."""
    places = {number for number, line in enumerate(lines) if _alone(line)}
    for kind in (_ROW, _FORM):
        alike = {number for number, line in enumerate(lines) if kind.search(line)}
        places |= alike if len(alike) > 1 or kind is _FORM else set()
    if any(_DIFF.search(line) for line in lines):
        places |= {number for number, line in enumerate(lines) if _DIFF_BODY.match(line)}
    return places | _mail(lines)


def _alone(line: str) -> bool:
    return bool(
        _TABLE.search(line) or _DIFF.search(line) or _DUMP.search(line) or _ENTRY.match(line)
    ) or _garbled(line)


def _garbled(line: str) -> bool:
    plain = line.strip()
    readable = sum(letter.isalnum() or letter in _COMMON_MARKS for letter in plain)
    return len(plain) >= _SOME_LENGTH and readable < _READABLE * len(plain)


def _mail(lines: Sequence[str]) -> set[int]:
    """From the first header to the end: whose words follow a mail's headers cannot be told."""
    headers = [number for number, line in enumerate(lines) if _HEADER.match(line)]
    subject = any(_SUBJECT.match(line) for line in lines)
    if len(headers) < 2 and not (headers and subject):
        return set()
    return set(range(headers[0], len(lines)))
