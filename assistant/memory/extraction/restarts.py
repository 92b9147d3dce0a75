"""Where a speaker without commas starts over: "im ana i live in porto my son is four"."""

from __future__ import annotations

import re

__all__ = ["CLEFT", "restarts_apart"]

CLEFT = re.compile(
    r"^(?P<lead>(?:so|and|but)\s+)?it['’]?s\s+(?!(?:so|too|just|only|when|where|why|how|what|because|like|better|good|bad)\b|\w+ing\b)(?P<what>(?:(?!(?:till?|until|since|when|while|because|as|before|after|once|if|what|who|how|where|than|so|and|but|if|whether|think|thought|said|know)\b)[^\s,;]+\s+){1,6}?)(?:that\s+)?(?P<who>i|we)(?P<does>(?:['’]ve)?\s+(?:\w+)\b.*)$",
    re.IGNORECASE,
)
"""The object brought forward: "it's leeks I grow now"."""

_PLEASED = re.compile(
    r"(?:(?<=\bpls)|(?<=\bplz)|(?<=\bplease))\s+(?=(?:i|im|ive|i['’](?:m|ve)|we|my|our|its|it['’]s)\s)",
    re.IGNORECASE,
)
"""After a request comes why: "metric pls i cant do inches"."""
_RUNS_ON = re.compile(
    r"(?<=[\w)])\s+(?:and\s+)?(?=(?:(?:i|im|i['’]m|ive|i['’]ve)\s+(?:am|live|work|have|study|drive|run|teach|own|speak|play|love|hate|like|prefer|moved|come|got|need|use|cook|just|also|do|don['’]?t|can['’]?t|never|always|usually|mostly|\d+|an?|in|on|from|allergic|married|single|vegan|vegetarian|currently|studying|working|living|retired|based|training)\s+\S+"
    r"|(?:my|our)\s+(?:[\w-]+\s+){1,2}?(?:is|are|has|have|lives?|works?|likes?|loves?|hates?|goes|plays?|studies|can['’]?t|doesn['’]?t|don['’]?t)\s+\S)|it['’]?s\s+(?:way|so|much|far|really|too|such)\s+\w)",
    re.IGNORECASE,
)
_TOLD = re.compile(r"\b(?:i|im|i['’]m|ive|i['’]ve|my|its|it['’]s|we|name|me|here)\b\s*\S+", re.IGNORECASE)
_DEPENDENT = re.compile(
    r"^(?:(?:so|and|but)\s+)?(?:if|when|whenever|while|since|because|bc|after|before|until|unless|although|though|as|everything|whatever|wherever|the)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"(?:^|\s)(?:(?:but|and|so|,)\s+(?:every\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)days?|that|which|what|whatever|where|when|whenever|who|whom|how|why|if|because|bc|cos|cause|since|as|than|while|after|before|until|till|unless|though|although|but|or|so|and|think|thinks|know|knows|knew|guess|said|say|says|hope|wish|tell|told|mean|means|believe|feel|sure|realised|realized|means|everything|everyone|anything|all|with|to|for|of|in|on|at|from|is|are|was|were|the|a|an|like|like that|do|does|did|can|could|should|would|will|am|"
    r"(?:the|every|any|each|first|last|only|best|worst|those|these|other|same)(?:\s+[\w'’-]+){1,2})$",
    re.IGNORECASE,
)
"""Ends a clause that is not over: what follows belongs to it."""


def restarts_apart(part: str) -> list[str]:
    """ "im ana i live in porto" as two clauses."""
    if CLEFT.match(part):
        return [part]
    *pieces, last = _PLEASED.split(part)
    start, part = 0, last
    for found in _RUNS_ON.finditer(part):
        before = part[start : found.start()]
        if _TOLD.search(before) and not _GOES_ON.search(before) and not _DEPENDENT.match(before):
            pieces.append(before)
            start = found.end()
    return [*pieces, part[start:]]
