"""News of a new value told as the value: "the essay has a new deadline, friday" -> "the essay's deadline is friday now"."""

from __future__ import annotations

import re
from collections.abc import Callable

from assistant.memory.extraction.slots import RELATIONS
from assistant.memory.extraction.verbs import FINITE, tells

__all__ = ["news_told", "records_joined"]

_OWN = r"(?:(?:my|our|the|his|her|their)\s+)"
_NOUN = r"(?!(?:it|that|this|there|he|she|they|i|we|you|who|what|everything|something|nothing)\b)(?!(?:is|are|was|were|has|have|had|does|do|did|can|will|would|could|should)\b)[a-z][\w-]*"
_AMOUNT = r"[$€£]?\d(?:[\d.,:]*\d)?\w*"
_VALUE = r"(?:(?:an?|the|on|at|from)\s+)?(?:(?-i:[A-Z])|[$€£]?\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day)[^,;]{0,40}?"
"""A name, an amount or a day."""
_HAS_NEW = re.compile(
    rf"^(?P<what>{_OWN}?(?:[\w'’-]+\s+){{0,2}}?[\w'’-]+)\s+(?:has|have|has got|have got|got|gets)\s+(?:an?\s+)?new\s+(?P<slot>[a-z-]+(?:\s+[a-z-]+)?)\s*(?:[,:–—-]+|\s+which is|\s+called)\s+(?P<value>[^,;]{{2,40}}?)\s*(?:now)?\W*$",
    re.IGNORECASE,
)
_HAS_CHANGED = re.compile(
    rf"^(?P<what>{_OWN}?(?:{_NOUN}\s+){{0,2}}?{_NOUN})\s+(?:has\s+|have\s+)?(?:just\s+)?(?:changed\s*,\s*(?P<value>{_VALUE})\s+(?:now|these days|from now on)|(?:changed|moved)\s*[:–—-]+\s*(?P<values>\d[\d:.]*(?:(?:,| and|, and) \d[\d:.]*)+|{_VALUE}))(?P<rest>\W*$|,.*$)",
    re.IGNORECASE,
)
_RISEN = re.compile(
    rf"^(?P<what>{_OWN}?{_NOUN}(?:\s+(?:for|of|per|in|at|on|to)\s+(?:an?|the|my|our)\s+{_NOUN}|\s+{_NOUN}){{0,2}}?)(?:['’]s|\s+(?:has|have))?\s+(?:just\s+)?(?:went|gone|goes|crept|rose|risen|climbed|jumped|fell|fallen|dropped|came|come)(?:\s+(?:up|down))?(?:\s+(?:with it|too|as well|again|a bit|in [a-z]+|last [a-z]+|this [a-z]+))?(?:\s+to|\s*,)\s+(?P<value>{_AMOUNT}(?:\s+(?:an?|per|each)\s+[a-z]+|\s+(?!now\b)[a-z]+)?)(?:\s+now)?(?P<rest>\W*$|\s*,.*$)",
    re.IGNORECASE,
)
_HAD_NOW = re.compile(
    rf"^{_OWN}?(?P<slot>(?:{_NOUN}\s+)?{_NOUN})\s+(?:that\s+)?(?:i|we)(?:['’]ve| have)?(?:\s+(?:got|have|use|used|drive|ride|wear|see|go to|deal with|work with))?\s+(?:now|these days)\s+(?:is|are)\s+(?P<value>.+)$",
    re.IGNORECASE,
)
_GOT_NEW = re.compile(
    r"^(?:(?:i|we)(?:['’]ve| have)?\s+)?(?:(?:just|finally|also)\s+)*(?:(?:had|got)\s+an?\s+(?:brand[ -])?new\s+(?P<fitted>[a-z-]+(?:\s+[a-z-]+)?)\s+(?:fitted|installed|put in|delivered)|(?:got|bought|have|ordered)\s+(?:myself\s+|ourselves\s+)?(?:an?\s+)?(?:brand[ -])?new\s+(?P<slot>[a-z-]+(?:\s+[a-z-]+)?))\s*[,:–—-]+\s*(?:it['’]?s\s+)?(?P<value>(?:an?\s+|the\s+)?(?-i:[A-Z0-9])[^,;]{1,30}?)(?:\s+now)?(?P<rest>\W*$|,.*$)",
    re.IGNORECASE,
)
_SERVES = re.compile(
    r"^it['’]?s\s+(?P<tool>(?-i:[A-Z])[\w.+#-]*(?:\s+(?-i:[A-Z])[\w.+#-]*)?)\s+for\s+(?P<what>(?:all\s+)?(?:my|our|the)\s+[a-z' -]{3,30}?)\s+(?P<now>now|these days|from now on)\W*$",
    re.IGNORECASE,
)
_LEVEL = re.compile(
    r"^(?:i['’]?m|i am)\s+(?:now\s+|finally\s+)?(?:an?\s+)?(?P<level>(?-i:[ABC][12]))(?:\s+(?:now|level|na))*\W*$",
    re.IGNORECASE,
)
_ENDED_TOPIC = re.compile(
    r"^(?P<what>(?:the|my|our)\s+[^,;]{2,40}?),\s+(?:(?:i|we)(?:['’]ve|\s+have)?\s+)?(?:(?:just|finally|have)\s+)*(?P<ended>sacked|binned|dropped|quit|scrapped|cancell?ed|stopped|ditched|gave|given|sold|packed|knocked|jacked|called|chucked|axed)\s+(?:it|that|them)(?P<way>\s+(?:off|up|in|away|on the head))?\W*$",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"^(?P<name>(?-i:[A-Z][^\W\d_]{2,}))s\s+(?=(?:gone|been|given|taken|become)\b)", re.IGNORECASE
)
"""Typed without its apostrophe: "Pias gone"."""
_NEAR = "wife husband partner daughter son mother father sister brother grandmother grandfather aunt uncle niece nephew grandson granddaughter flatmate landlord boss nanny dog cat"
_KIN = "|".join(RELATIONS[one] for one in _NEAR.split())
_ONES_OWN = re.compile(
    rf"^(?P<who>(?:(?:eldest|youngest|older|younger|middle)\s+)?(?:{_KIN}))(?=(?:\s+(?-i:[A-Z])[\w'’-]+)?(?:['’]s)?\s+(?:{FINITE}|in|an?|the|(?:and|&)\s+(?:i|me|we))\b)",
    re.IGNORECASE,
)
_RECORD = re.compile(
    rf"(?P<did>[^.!?\n]*?(?P<value>{_AMOUNT}(?:\s?(?:kg|km|k|min|minutes|seconds|metres|m|points|words))?)(?!\d)[^.!?\n]*)[.!]+\s+(?:(?:a|my|that['’]?s (?:a|my))\s+)?new\s+(?P<slot>(?:[a-z]+\s+)?(?:pb|pr|personal best|best|record|max|high|high score))\s*[.!]+(?=\s|$)",
    re.IGNORECASE,
)


def records_joined(text: str) -> str:
    """ "ran 3:50! new PB!" as "new PB: 3:50": what was done is the record."""
    return _RECORD.sub(lambda found: f"new {found['slot']}: {found['value']}.", text)


def news_told(text: str) -> str:
    """`text`, a clause, as what holds now; as it is where it tells of nothing new."""
    for pattern, tell in _TELLERS:
        found = pattern.match(text)
        if found is not None:
            return tell(found) or text
    return text


def _own(what: str) -> str:
    return what if re.match(rf"{_OWN}|[A-Z]", what) else f"my {what}"


def _be(what: str) -> str:
    return "are" if re.search(r"[^s]s$", what) else "is"


def _has_new(found: re.Match[str]) -> str:
    """ "" where it is no name or time of the new thing that follows."""
    what, value = found["what"], found["value"]
    if tells(value) or re.match(r"(?:i|we|you|they|he|she|it|who)$", what, re.IGNORECASE):
        return ""
    return f"{what}'s {found['slot']} {_be(found['slot'])} {value} now"


def _got_new(found: re.Match[str]) -> str:
    thing = found["fitted"] or found["slot"]
    return f"my {thing} {_be(thing)} {found['value']} now{found['rest']}"


_TELLERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_HAS_NEW, _has_new),
    (
        _HAS_CHANGED,
        lambda found: (
            f"{found['what']} {_be(found['what'])} {found['value'] or found['values']} now{found['rest']}"
        ),
    ),
    (
        _RISEN,
        lambda found: f"{found['what']} {_be(found['what'].split()[-1])} {found['value']} now{found['rest']}",
    ),
    (
        _HAD_NOW,
        lambda found: (
            f"my {found['slot']} {_be(found['slot'])} {found['value']} now"
            if "," not in found["value"]
            else f"my {found['slot']} {_be(found['slot'])} {found['value'].replace(',', ' now,', 1)}"
        ),
    ),
    (_GOT_NEW, _got_new),
    (_SERVES, lambda found: f"I use {found['tool']} for {found['what']} {found['now']}"),
    (_LEVEL, lambda found: f"I am at {found['level']} level now"),
    (_ENDED_TOPIC, lambda found: f"I {found['ended']}{found['way'] or ''} {found['what']}"),
    (_LEFT, lambda found: f"{found['name']} has {found.string[found.end() :]}"),
    (_ONES_OWN, lambda found: f"my {found['who'].lower()}{found.string[found.end() :]}"),
)
