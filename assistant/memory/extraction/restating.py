"""Words by which the user says that something was told before: "as I said, …", "again: …", "…, like I told you"."""

from __future__ import annotations

import re

__all__ = ["restates"]

_TOLD = (
    r"(?:(?:as|like)(?: i)?(?:['’]ve| have| had|['’]d)?(?: already| just| always)? (?:said|told|mentioned|explained|stated|noted|wrote)(?: (?:you|u|before|already|earlier|above|last time|previously))*"
    r"|as (?:you|u)(?: already| should)? know|as before|(?:just )?to (?:repeat|reiterate|recap)(?: myself)?|(?:just )?repeating(?: myself)?|i repeat"
    r"|i(?:['’]ve| have)? (?:already |just |did )?(?:told (?:you|u)|said|mentioned)(?: (?:this|that|it))?(?: (?:already|before|earlier|once|last time|yesterday|twice))*|(?:in case you forgot|as a reminder|once (?:more|again)))"
)
_OPENS = re.compile(
    rf"^(?:(?:so|and|but|ok|okay|well|hey|btw|yes|yeah|no|look|sorry|oh|um|ugh|please|pls)[\s,.!]+)*(?:{_TOLD}\b|(?:again|reminder|remember)(?=\s*[,:;–—-]| (?:i|my|we|our|the)\b))",
    re.IGNORECASE,
)
_CLOSES = re.compile(rf"[,;.–—(-]\s*(?:{_TOLD})\W*$", re.IGNORECASE)


def restates(words: str) -> bool:
    """Do `words`, a sentence or a clause with its opening, say that they repeat something?"""
    return _OPENS.match(words.strip()) is not None or _CLOSES.search(words) is not None
