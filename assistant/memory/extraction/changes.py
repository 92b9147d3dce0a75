"""Changes told in two steps: "changed suppliers, everything comes from Halm now", "left the old bank, I'm with Nord now".

The first step names the matter, the second what holds. Apart, the first would end a fact and the second would know of none.
"""

from __future__ import annotations

import re

__all__ = ["join_changes"]

_HOLDS = re.compile(r"\b(?:now|instead|these days|nowadays|from now on|currently|new)\b", re.IGNORECASE)
_CHANGED = re.compile(
    r"^(?:(?:we|i|they|my|our|the|big|so|well|ok|news|good news|two things|update)[\s,:]+){0,3}(?:(?:have|['’]ve|just|finally|also)\s+)*"
    r"(?:(?:changed|switched|swapped|replaced|got new|moved)\s+[\w' -]{3,40}|[\w' -]{3,40}\s+(?:changed|has changed|switched|moved|is different|went up|went down))\W*$",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"^(?:(?:we|i|have|['’]ve|just|finally|also|and|so)\s+)*(?:stopped using|stopped with|left|gave up(?: on)?|quit|dropped|ditched|got rid of|cancell?ed|done with|no longer (?:use|using)|not using)\s+"
    r"(?P<matter>(?:it|that|them)|(?:the|my|our|that|this)\s+(?:(?:old|other|previous|former|last|current|first)\s+)?[a-z' -]{2,30}?)(?:\s+any ?more)?\W*$"
)
_VAGUE = re.compile(
    r"\b(?:old|other|previous|former|last|it|that|them|platform|tool|app|service|provider|programme|program|place|thing|one|company|system|site|firm)\b",
    re.IGNORECASE,
)


def join_changes(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """(words, text) of one sentence's clauses, with each step that only names the matter folded into the step that tells what holds."""
    joined: list[tuple[str, str]] = []
    for words, text in parts:
        before = joined[-1] if joined else None
        if before is not None and _HOLDS.search(text) and _CHANGED.match(before[1]):
            joined[-1] = (f"{before[0]}, {words}", f"{before[1]}, {text}")
        elif before is not None and _HOLDS.search(text) and _ended(before[1]):
            joined[-1] = (words, f"{text} instead of {_ended(before[1])}")
        elif before is not None and _HOLDS.search(before[1]) and _ended(text):
            joined[-1] = (before[0], f"{before[1]} instead of {_ended(text)}")
        else:
            joined.append((words, text))
    return [(words, re.sub(r" instead of (?:it|that|them)$", "", text)) for words, text in joined]


def _ended(text: str) -> str:
    """What a clause says was left, where it has no name of its own ("the old tool"), or ""."""
    found = _LEFT.match(text)
    return found["matter"] if found is not None and _VAGUE.search(found["matter"]) else ""
