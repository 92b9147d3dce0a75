"""Words by which the user says that something was told before: "as I said, …", "again: …", "you'll recall I …", "…, like I told you"."""

from __future__ import annotations

import re

__all__ = ["reminder", "restates"]

_TOLD = (
    r"(?:(?:as|like)(?: i)?(?:['’]ve| have| had|['’]d)?(?: already| just| always| did)? (?:said|say|told|mentioned|explained|stated|noted|wrote|asked)(?: (?:you|u|before|already|earlier|above|last time|previously))*"
    r"|as (?:you|u)(?: already| should)? know|as before|(?:just )?to (?:repeat|reiterate|recap)(?: myself)?|(?:just )?repeating(?: myself)?|i repeat"
    r"|i(?:['’]ve| have)? (?:already |just |did )?(?:told (?:you|u)|said|mentioned)(?: (?:this|that|it))?(?: (?:already|before|earlier|once|last time|yesterday|twice))*|(?:in case you forgot|as a reminder|once (?:more|again)))"
)
_LEAD = r"(?:(?:so|and|but|ok|okay|well|hey|btw|yes|yeah|no|look|sorry|oh|um|ugh|please|pls)[\s,.!]+)*"
_OPENS = re.compile(
    rf"^{_LEAD}(?:{_TOLD}\b|(?:again|reminder|remember)(?=\s*[,:;–—-]| (?:i|my|we|our|the)\b))",
    re.IGNORECASE,
)
_CLOSES = re.compile(
    rf"(?:[,;.–—(-]\s*(?:{_TOLD})|\s+(?:as|like) i(?:['’]ve)? (?:said|mentioned|told (?:you|u)|explained)(?: (?:before|already|earlier))?)\W*$",
    re.IGNORECASE,
)
_OWN = r"(?:i|i['’]?m|i['’]?ve|i['’]d|im|ive|we|we['’](?:re|ve)|my|our|there['’]?s|no|nothing|only|that (?:i|i['’]?m|i['’]?ve|we|my|our)|about)\b"
_REMINDS = re.compile(
    rf"^{_LEAD}(?:(?:you|u)(?:['’]ll| will| should| may| might| do| already)* (?:recall|remember|know)|(?:bear(?:ing)?|keep(?:ing)?|having) in mind|mind(?:ful)?(?! you)|(?:don['’]?t|never|not) forget(?:ting)?|"
    rf"as (?:you|u)(?: already| well| may)? know|(?:like|as) i(?:['’]ve| have)?(?: already)? (?:said|say|told (?:you|u)|mentioned|explained)|i(?:['’]ve| have| did)?(?: already| just)? (?:told (?:you|u)|mentioned|(?:said|say) (?:before|already|earlier)))"
    rf"(?:\s+(?:before|already|earlier|once|twice|last time|last week|the other day))*\s*,?\s+(?=(?:that\s+)?{_OWN})(?:that\s+)?(?:about\s+[\w'’ -]{{2,30}},\s+)?",
    re.IGNORECASE,
)
"""Words to the listener before what they are to keep in mind, which is the user's own."""
_ALSO_REPEATS = re.compile(
    rf"^{_LEAD}(?:again|as (?:i|you) (?:said|told you|know|mentioned)|like i (?:said|told you)|as always|as ever|you know|reminder|once more|still)\b:?",
    re.IGNORECASE,
)


def reminder(sentence: str) -> tuple[str, str]:
    """The words with which `sentence` says that it repeats what is known, or ""; and `sentence` without them where they are no part of what it tells."""
    found = _REMINDS.match(sentence)
    if found is not None:
        return found[0].strip(" ,"), sentence[found.end() :]
    closes = _CLOSES.search(sentence)
    if closes is not None and closes.start() > 0:
        return closes[0].strip(" ,.;–—(-"), sentence[: closes.start()]
    repeats = _ALSO_REPEATS.match(sentence)
    return (repeats[0] if repeats is not None else ""), sentence


def restates(words: str) -> bool:
    """Do `words`, a sentence or a clause with its opening, say that they repeat something?"""
    told = words.strip()
    return any(pattern.match(told) for pattern in (_OPENS, _REMINDS)) or _CLOSES.search(words) is not None
