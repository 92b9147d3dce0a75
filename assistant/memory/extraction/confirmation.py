"""A short "yes" to what the assistant asked: "So you live in Graz?" - "yes". The user's word makes it a fact of theirs."""

from __future__ import annotations

import re

__all__ = ["confirmed"]

_YES = re.compile(
    r"^\W*(?:yes|yep|yeah|yup|yea|correct|right|exactly|indeed|true|sure(?: do| am)?|absolutely|of course|that['’]?s (?:right|correct|it)|i (?:do|am|have|did)|we (?:do|are|have))\b(?P<rest>[^?]*)$",
    re.IGNORECASE,
)
_REST_WORDS = 3
"""More words than this after the "yes" are a statement of their own, read by the gate."""
_TAIL = re.compile(
    r"[\s,]*\b(?:right|correct|yes|no|isn['’]t it|don['’]t you|aren['’]t you|haven['’]t you|is that right|or not)\W*$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:so|and|then|ah|oh|ok|okay|got it|just to (?:check|confirm|be sure)|to confirm|do i (?:understand|get it) (?:right|correctly)(?: that)?|am i right that|if i understand(?: correctly)?)[\s,:;–—-]+)+",
    re.IGNORECASE,
)
_INVERTED = (
    (re.compile(r"^do you (?:still |also )?", re.IGNORECASE), "I "),
    (re.compile(r"^are you ", re.IGNORECASE), "I am "),
    (re.compile(r"^have you ", re.IGNORECASE), "I have "),
    (re.compile(r"^did you ", re.IGNORECASE), ""),
    (re.compile(r"^(?:is|are|does|has) your ", re.IGNORECASE), ""),
)
_SWAPPED = (
    (re.compile(r"\byou['’]re\b|\byou are\b", re.IGNORECASE), "I am"),
    (re.compile(r"\byou['’]ve\b|\byou have\b", re.IGNORECASE), "I have"),
    (re.compile(r"\byour\b", re.IGNORECASE), "my"),
    (re.compile(r"\byou\b", re.IGNORECASE), "I"),
)
_ABOUT_USER = re.compile(r"^(?:you|your)\b", re.IGNORECASE)


def confirmed(user: str, asked: str) -> str:
    """What the user confirmed, in the first person ("I live in Graz"), or "".

    `asked` is the assistant's message before; only its last sentence counts, and only where it can be said without guessing.
    """
    answer = _YES.match(user.strip())
    if answer is None or len(answer["rest"].split()) > _REST_WORDS:
        return ""
    question = re.split(r"(?<=[.!?])\s+|\n+", asked.strip())[-1]
    if not question.endswith("?"):
        return ""
    stated = _LEAD.sub("", _TAIL.sub("", question.rstrip("? "))).strip(" ,")
    for pattern, opening in _INVERTED:
        if pattern.match(stated):
            return _swapped(f"{opening}{pattern.sub('', stated)}") if opening else ""
    return _swapped(stated) if _ABOUT_USER.match(stated) else ""


def _swapped(text: str) -> str:
    for pattern, own in _SWAPPED:
        text = pattern.sub(own, text)
    return text
