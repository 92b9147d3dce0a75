"""Where the sentences of a message end."""

from __future__ import annotations

import re

from assistant.memory.extraction.passages import CUT
from assistant.memory.extraction.verbs import tells

__all__ = ["sentences"]

_LONGEST = 400
"""Characters; what is longer is no clause anybody spoke."""
_ABBREVIATIONS_WORDS = "e.g i.e mr mrs ms dr prof st vs approx no etc jr sr dept inc ltd co fig min max tel ca cf nr pm am a.m p.m dott dra sra sig mme mlle"
_ABBREVIATIONS = frozenset(_ABBREVIATIONS_WORDS.split())
_END = re.compile(
    r"(?<=[.!?…])[\"')\]]*\s+|\s*\n+\s*|;\s+|\s+(?:[-–—]+|\*|•)\s+|(?<=\S)\.{2,}\s*|(?<=[!?])(?=[A-Za-z])|\)\s+(?=(?:i|we|my|our)\b)|(?:\s+[:;=]['’-]?[)(DPp3|/]+|(?<=\w)[:;]-?[)(]+)(?=\s|$)\s*"
)
_AFTERTHOUGHT = re.compile(
    r"(?:until|till?|from|since|for|by|at|on|in|with|near|to) \S[^?:\n]{1,50}$", re.IGNORECASE
)
_EXCLAIMED = re.compile(
    r"^\W*(?:(?:finally|i|we|my|our|just|have|i['’]ve|we['’]ve)\s+)*(?:got|new|passed|promoted|bought|adopted|changed|switched|joined|moved|hired|accepted)\b[^.!?,]{0,25}!+$",
    re.IGNORECASE,
)
_NAMING = re.compile(
    r"(?!(?:any|ideas?|thoughts?|please|pls|what|how|why|where|when|which|who|is|are|can|could|should|do|does|so|thanks?|thank|give|write|make|tell|help|suggest|need|cheers|hi|hello|lol|omg)\b)[\w'’-]+(?:\s+[\w'’-]+){0,4}(?:,.*|\W*)$",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """`text` cut where sentences end; those that nobody spoke (longer than any sentence) are left out."""
    pieces: list[str] = []
    start = 0
    for found in _END.finditer(text):
        piece = text[start : found.start()]
        last = piece.rstrip(".").rsplit(None, 1)[-1:] or [""]
        if piece.endswith(".") and _abbreviated(last[0]) and "\n" not in found[0]:
            continue
        pieces.append(piece)
        start = found.end()
    pieces.append(text[start:])
    return [
        piece.strip()
        for piece in _afterthoughts_joined(pieces)
        if re.search(r"\w", piece.replace(CUT, "")) and len(piece) <= _LONGEST
    ]


def _afterthoughts_joined(pieces: list[str]) -> list[str]:
    """ "leave is extended!!" + "til the end of May" as one sentence: what opens with a preposition and has no verb belongs to what was said."""
    joined: list[str] = []
    for piece in pieces:
        if (
            joined
            and _AFTERTHOUGHT.match(piece)
            and not tells(piece)
            and tells(joined[-1])
            and not joined[-1].rstrip().endswith("?")
        ):
            joined[-1] = f"{joined[-1].rstrip(' .!…')} {piece}"
        elif joined and _EXCLAIMED.match(joined[-1]) and _names_it(piece):
            joined[-1] = f"{joined[-1].rstrip(' .!…')}: {piece}"
        else:
            joined.append(piece)
    return joined


def _names_it(piece: str) -> bool:
    """Is it a name for what was just exclaimed, and no sentence: "got a puppy!!" + "border terrier, six weeks"?"""
    return _NAMING.match(piece) is not None and not tells(piece.partition(",")[0])


def _abbreviated(word: str) -> bool:
    """Does the full stop after `word` (itself without it) belong to the word: "approx.", the "T." of a name?"""
    return word.lower().strip("(") in _ABBREVIATIONS or re.fullmatch(r"[\W]*[A-HJ-Z]", word) is not None
