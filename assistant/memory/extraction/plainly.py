"""Sentences that hide their subject or their value told plainly: "four weeks is what we promise" -> "we promise four weeks".

What is told sideways has the same slot as what is told straight; so it must come out as the same sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from assistant.memory.extraction.news import news_told, records_joined
from assistant.memory.extraction.restarts import CLEFT
from assistant.memory.extraction.slots import RELATIONS
from assistant.memory.extraction.trades import trade_told
from assistant.memory.extraction.verbs import FINITE

__all__ = ["new_values_joined", "plainly"]

_COUNT = r"(?:\d[\d.,:]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|a|an|half an)"
_MONTH = (
    r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|ember|tember|ober)?"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_CHANGED_BY = r"(?:moved|shifted|pushed|postponed|brought|changed|bumped|raised|put|cut|lowered|dropped|increased|reduced|extended|rescheduled|upped|capped|set)"
_WAY = r"(?:\s+(?:back|forward|up|down|out|over|ahead))?"
_MOVED = re.compile(
    rf"^(?:(?:they|we|i|he|she|(?:(?:the|my|our)\s+)?[\w-]+(?:\s+[\w-]+)?)(?:\s+(?:have|has)|['’](?:ve|s))?\s+)?(?:just\s+|now\s+)?(?:{_CHANGED_BY}|(?:(?:i|we)(?:['’](?:m|re)|\s+(?:am|are))\s+)?(?:moving|pushing|shifting|switching|bringing))(?<!brought about){_WAY}\s+(?P<what>(?:the|my|our|his|her)\s+[\w-]+(?:\s+[\w-]+)??){_WAY}"
    rf"(?:\s+(?:to|till|until)|,)\s+(?P<value>(?:from\s+)?(?:{_COUNT}\b|[$€£]|{_WEEKDAY}\b|{_MONTH}\b|(?:the\s+)?(?:early|late|next|\d+(?:st|nd|rd|th)|mornings?|afternoons?|evenings?|nights?|noon|half|quarter)\b)[^,;]*)(?P<rest>.*)$",
    re.IGNORECASE,
)
_AT = (
    (
        "in",
        re.compile(
            rf"^(?:the\s+)?(?:early|late|mornings?|afternoons?|evenings?)\b|^{_MONTH}\b", re.IGNORECASE
        ),
    ),
    (
        "on",
        re.compile(
            rf"^(?:the\s+)?(?:next\s+)?{_WEEKDAY}\b|^(?:the\s+)?\d+(?:st|nd|rd|th)\b|^\d+\s+{_MONTH}\b",
            re.IGNORECASE,
        ),
    ),
    ("at", re.compile(r"^(?:\d+[:.]\d\d|\d+\s?[ap]m|noon|half|quarter)\b", re.IGNORECASE)),
)
_RELOCATED = re.compile(
    rf"^(?:(?:i|we|they)(?:['’]ve|\s+have)?\s+)?(?:(?:just|now|finally|also)\s+)*(?:moved|relocated|transferred|shifted)\s+(?P<what>(?:the|my|our)\s+(?:[\w-]+\s+)?(?:practice|depot|branch|clubhouse|base|kiosk|library|museum|surgery|kennels|stables|showroom|pop-up|practice|studio|shop|office|workshop|business|store|salon|clinic|bakery|company|firm|garage|warehouse|stall|gallery|lab|surgery|school|club|choir|classes|class|lessons|rehearsals|sessions|meetings|group|headquarters|hq))\s+(?:over\s+)?to\s+(?P<where>(?!\d|[$€£]|{_WEEKDAY}\b|{_MONTH}\b|(?:the\s+)?(?:early|late|next|mornings?|afternoons?|evenings?|nights?|noon|half|quarter|end|start|first|last|{_COUNT}(?<!\ba)(?<!\ban))\b|an?\s+(?:new|bigger|better)\s+\w+\W*$)[^,;]+)(?P<rest>.*)$",
    re.IGNORECASE,
)
_IS_WHAT = re.compile(
    r"^(?P<what>[^,;]{2,40}?)\s+(?:is|are)\s+(?:now\s+)?what\s+(?P<who>i|we|they|he|she)\s+(?P<verb>(?:can\s+|now\s+)?[\w'’-]+)(?P<rest>.*)$",
    re.IGNORECASE,
)
_IT_IS_WHO = re.compile(
    rf"^(?P<when>(?:from now on|now|these days|since then|as of \w+),?\s+)?it(?:\s+is|['’]s)\s+(?P<who>[^,;]{{2,40}}?)\s+(?:who|that)\s+(?P<rest>{FINITE}\b.*)$",
    re.IGNORECASE,
)
_IN_WORDS = re.compile(
    r"^(?!.*\b(?:i|we|my|our|you|is|are|this|these)\b)(?:again\s+)?(?P<what>(?:in\s+)?(?:[a-z-]+\s+){0,3}?(?:answers?|replies|words?|sentences?|language|english|text|units|metric|imperial|grams|metres|celsius|litres|kilos|km|prose|paragraphs?)(?:\s+(?:in|and|or|only)\s+[a-z-]+(?:\s+[a-z-]+)?)?)[\s,]+(?:please|pls|plz)\W*$",
    re.IGNORECASE,
)
"""How the user wants to be answered, without a verb."""
_OBJECT_FIRST = re.compile(
    r"^(?P<what>(?:the|my|our)\s+[\w-]+(?:\s+[\w-]+)?)\s+(?P<who>i|we)(?P<have>(?:\s+have|['’]ve)?(?:\s+(?:now|just|finally|already))?)\s+(?P<verb>(?!(?:like|love|want|need|have|got|live|work|use|saw|bought|ordered|made)\b)\w+(?:ed|own|own|ave|old|it)(?:\s+(?:out|away|up|off|down))?)\W*$",
    re.IGNORECASE,
)
_NEW_VALUE = re.compile(
    r"^(?:(?:my|our|the)\s+)?new\s+(?P<slot>(?:[a-z-]+\s+){0,2}?[a-z-]+)(?:\s*[:=–—-]+|\s+is|\s+are)?\s+(?P<value>[$€£]?\d[\d.,:]*\d?\w*(?:\s+(?:an?|per)\s+\w+|\s+(?:kg|km|min\w*|hours?|days?|weeks?|months?|years?|euros?|dollars?|pounds?|people|words|[ap]m)\b)*)(?P<rest>.*)$",
    re.IGNORECASE,
)
_NEW_THEN_VALUE = re.compile(
    r"\b(?P<new>new\s+[a-z-]+(?:\s+[a-z-]+)?)\s*(?:[!:]+|\.{2,}|…)\s+(?=[$€£]?\d)|(?:^|(?<=[.!?\n] ))(?P<thing>new\s+(?:job|role|title|name|address|phone|car|bike|laptop|flat|home|office|school|boss|teacher|coach|doctor|employer|hours|number|email|city|town))\s*[!]+\s+(?!(?:i|i['’]m|we|we['’]re|my|our|he|she|they|it|it['’]s|the)\b)(?=\w)",
    re.IGNORECASE,
)
_TO_WORK = re.compile(
    rf"^(?:(?:it\s+is|it['’]?s|it\s+takes(?:\s+me|\s+us)?)\s+)?(?P<how>(?:(?:only|now|just|about|like|around|roughly|more\s+like)\s+)*){_COUNT}\s*(?:min(?:ute)?s?|h(?:ou)?rs?)\b(?:\s+(?:now|each\s+way|one\s+way|door\s+to\s+door))*\s+(?:to|into|from)\s+(?:work|the\s+office|my\s+(?:job|office)|uni|campus)\b",
    re.IGNORECASE,
)
_IN_YEAR = re.compile(
    r"^(?P<year>(?:first|second|third|fourth|fifth|final|last|1st|2nd|3rd|4th)[\s-]year)\s+(?P<rest>(?:at|of|in|doing|studying|student)\b.*)$",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"^(?P<what>(?!(?:it|that|this|there|he|she|what|who|where|how|let|here|everyone|everybody|nobody|no one|one)['’])(?:(?:my|our|the|an?)\s+)?(?:(?:new|old|small|big|large|first|next|min)\s+)?[\w-]+(?:\s+[\w-]+)?)['’]s\s+"
    r"(?:(?P<has>(?=(?:now\s+|just\s+|finally\s+)?(?:gone|found|sold|lost|bought|given|taken|finished|joined|turned|been|got|become|had|moved|changed|dropped|risen|fallen|started|stopped|retired|left)\b))|(?P<is>(?=[$€£]?\d|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|half|off|out|over|away|due|up|down)\b|(?:getting|going|moving|staying|coming|leaving|working|living|studying|training|expecting|having|looking|taking|doing)\b|(?:an?|the|my|in|on|at|now|not|with|called|from|(?:(?:Mrs?|Ms|Dr|Miss|Prof)\.?\s+)?(?-i:[A-Z])[\w'’-]+(?:\s+(?:now|this (?:season|year|term|week)))?(?:\W*$|,))(?:\b|$|(?<=,)))))",
    re.IGNORECASE,
)
_AT_MOST = re.compile(
    r"^(?:please\s+|pls\s+)?(?P<most>(?:max(?:imum)?|at most|no more than|under|up to)\s+\w+\s+(?:\w+\s+)?(?:words?|sentences?|lines?|paragraphs?|bullets?|points?|options?|suggestions?|questions?|emojis?|examples?)\b.*)$",
    re.IGNORECASE,
)
_CALL_ME = re.compile(
    r"^(?:you can|you may|feel free to|everyone|everybody|people|friends)\s+(?:just\s+)?calls?\s+me\s+(?P<name>[^,;]{2,30})$",
    re.IGNORECASE,
)
_WE_ARE_CALLED = re.compile(r"^we(?:['’]re| are) (?:called|named) (?P<name>(?-i:[A-Z]).+)$", re.IGNORECASE)
_SPELT = re.compile(
    r"^(?:no,?\s+)?(?:it['’]?s|it is)\s+(?P<name>(?-i:[A-Z])[^\W\d_]+(?:\s+(?:with an?\s+\w+(?:\s+and an?\s+\w+)?|not\s+(?-i:[A-Z])\w+|without an?\s+\w+)))\W*$",
    re.IGNORECASE,
)
_DONE_TO_ME = re.compile(
    r"^(?:they|management|(?:the|my|our)\s+(?:boss|clinic|school|uni|office|company|doctor|gp|consultant|dentist|surgery|manager|union|bank)|work)(?:['’]?ve|\s+have|\s+has)?\s+(?:just\s+|now\s+|finally\s+)?(?:(?P<put>put|placed)\s+(?:me|us)\s+(?P<where>(?:on|in)\s+.+)|(?:(?:let|allowed)\s+(?:me|us)\s+(?:to\s+)?(?:switch|move|change|transfer)|(?:moved|switched|transferred|shifted)\s+(?:me|us)(?:\s+over)?(?:\s+from\s+[^,;]{2,30}?)?)\s+(?:on)?to\s+(?P<to>.+)|(?:promoted|bumped)\s+(?:me|us)(?:\s+up)?\s+to\s+(?P<rank>.+))$",
    re.IGNORECASE,
)
_REACHED = re.compile(
    r"^(?:i(?:['’]ve| have)?\s+)?(?:just\s+|finally\s+)?(?:passed|reached|made it to|moved up to|got (?:in)?to|hit|earned|cleared)\b.*?\b(?P<level>(?-i:[ABC][12])|(?:grade|level|stage|kyu|dan)\s+\w+|\w+\s+(?:belt|dan|kyu|grade))\W*$",
    re.IGNORECASE,
)
"""A level that one has passed is the level one is at: "passed the exam: grade 5"."""
_NOW_COUNTS = re.compile(
    r"^(?:(?:i|we)(?:['’]ve|['’]re| have| are)?\s+)?(?:just\s+|now\s+|finally\s+)?(?:(?:hit|reached|crossed|up\s+to|down\s+to|(?:gone|went|grown|grew|risen|shrunk)\s+(?:up\s+|down\s+)?to)\s+(?P<count>\d[\d.,]*k?)\s+(?P<what>[a-z][a-z-]+s)"
    r"|(?:gone|went|grown|grew|risen|shrunk|moved)\s+(?:up\s+|down\s+)?from\s+\d[\d.,]*k?\s+(?P<whats>[a-z][a-z-]+s)\s+to\s+(?P<counts>\d[\d.,]*k?))(?:\s+(?:now|today|this week|yesterday|last night))*\W*(?P<rest>(?:,.*|\s*(?:after|since|this)\b.*)?)$",
    re.IGNORECASE,
)
"""How many there are now: "we hit 300 members", "we went from 30 seats to 44"."""
_KIN = "|".join(sorted(RELATIONS.values(), key=len, reverse=True))
_ME_AND = re.compile(
    rf"^(?:me|i|us)\s+and\s+(?P<other>(?:my|our)\s+(?:(?:[\w-]+\s+){{0,2}}?(?:{_KIN})(?![- ]in[- ]law)|[\w'’-]+)(?:\s+(?-i:[A-Z])[\w'’-]+)?)\s+(?=\w)",
    re.IGNORECASE,
)
_SO_MANY = re.compile(
    rf"^(?:it['’]?s\s+(?!\S+\s+(?:days|weeks|months|years|hours|minutes|degrees|miles|km)\b))?(?:only\s+|just\s+|about\s+)?(?P<count>{_COUNT})\s+(?P<what>(?:[a-z-]+\s+)?(?:[a-z-]{{2,}}[^\Ws]s|people|children|staff)(?:\s+an?\s+(?:day|night|week|month|year))?)\s+(?:now|left|these days|nowadays)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
_UNWANTED = re.compile(
    r"^(?:(?:so|and)\s+)?(?:please|pls|plz)[\s,]+no\s+(?P<more>more\s+)?(?P<what>.+)$|^no\s+(?P<more2>more\s+)?(?P<what2>[^,]{2,60}?),?\s+(?:please|pls|plz)\W*$"
    r"|^no\s+(?P<more4>more\s+)?(?P<what4>[^,]{2,60}\b(?:in|when|of|from)\s+(?:anything\s+|what(?:ever)?\s+|all\s+)?(?:that\s+)?you(?:r)?\s+.*)$"
    r"|^(?:and\s+)?no\s+(?P<more3>more\s+)?(?P<what3>(?:bullets?|bullet points|emojis?|lists?|tables?|markdown|headings?|headers?|bold|italics|exclamation marks|jargon|small talk|disclaimers?|puns|jokes|links|footnotes|preamble|intros?|apologies|flattery|buzzwords)\b.*)$",
    re.IGNORECASE,
)
_PLACES = ("", "2", "3", "4")
"""Of the patterns' groups."""
_ONLY = re.compile(
    rf"^(?!.*\b(?:{FINITE}|i|we|you|my|our|so|because)\b)(?P<what>[a-z][\w&/ -]{{2,40}}?)\s+only\b(?P<rest>(?:,?\s*(?:always|please|pls|from now on|thanks))*)\W*$",
    re.IGNORECASE,
)


def new_values_joined(text: str) -> str:
    """ "new goal!! 1:50" as one sentence: the mark stands for a colon."""
    return _NEW_THEN_VALUE.sub(lambda found: f"{found['new'] or found['thing']}: ", records_joined(text))


def plainly(text: str) -> str:
    """`text`, a clause, with its subject first and its value in a sentence of its own; as it is where it says so already."""
    for pattern, told in _TOLD:
        found = pattern.match(text)
        if found is not None:
            return news_told(told(found))
    spoken = trade_told(text)
    return news_told(text) if spoken == text else spoken


def _when(value: str) -> str:
    return next((f"{word} {value}" for word, pattern in _AT if pattern.match(value)), value)


def _now(text: str) -> str:
    if re.search(r"\bnow\b", text, re.IGNORECASE):
        return text
    return re.sub(r"(?=,(?!\d)|$)", " now", text.rstrip(" .!"), count=1)


def _be(what: str) -> str:
    return "are" if re.search(r"[^s]s$", what) else "is"


def _new_value(found: re.Match[str]) -> str:
    """What comes after the value stays, but for a comment on it ("feels doable")."""
    rest = found["rest"].rstrip(" !")
    comment = re.match(rf"\W*{FINITE}\b", rest, re.IGNORECASE)
    return _now(f"my {found['slot']} {_be(found['slot'])} {found['value']}{'' if comment else rest}")


def _object_last(found: re.Match[str]) -> str:
    return f"{found['who']}{found['have']} {found['verb']} {found['what'][:1].lower()}{found['what'][1:]}"


def _cleft(does: str, what: str) -> str:
    """ "'ve got now" + "two bikes" -> "'ve got two bikes now": the object goes behind its verb."""
    verb = re.match(r"(?:['’]ve)?\s+(?:(?:now|have)\s+)?[\w'’]+", does)
    end = verb.end() if verb is not None else len(does)
    return f"{does[:end]} {what}{does[end:]}"


def _done_to_me(found: re.Match[str]) -> str:
    """What others decide of the user is so of the user: "they put me on nights" -> "I am on nights now"."""
    if found["put"]:
        return _now(f"I am {found['where']}")
    return f"I switched to {found['to']}" if found["to"] else f"I was promoted to {found['rank']}"


def _now_counts(found: re.Match[str]) -> str:
    rest = found["rest"].strip()
    joint = "" if not rest or rest.startswith(",") else " "
    return f"we have {found['count'] or found['counts']} {found['what'] or found['whats']} now{joint}{rest}"


def _unwanted(found: re.Match[str]) -> str:
    more = next((found[f"more{place}"] for place in _PLACES if found[f"more{place}"]), "")
    what = next(found[f"what{place}"] for place in _PLACES if found[f"what{place}"])
    return f"I want no {more}{what.rstrip(' .!')}"


_TOLD: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (
        _RELOCATED,
        lambda found: _now(f"{found['what']} {_be(found['what'])} in {found['where']}") + found["rest"],
    ),
    (
        _MOVED,
        lambda found: _now(f"{found['what']} {_be(found['what'])} {_when(found['value'])}") + found["rest"],
    ),
    (_IS_WHAT, lambda found: f"{found['who']} {found['verb']} {found['what']}{found['rest']}"),
    (_IT_IS_WHO, lambda found: f"{found['when'] or ''}{found['who']} {found['rest']}"),
    (
        CLEFT,
        lambda found: f"{found['lead'] or ''}{found['who']}{_cleft(found['does'], found['what'].strip())}",
    ),
    (_IN_WORDS, lambda found: f"I want {found['what']}"),
    (_OBJECT_FIRST, _object_last),
    (_NEW_VALUE, _new_value),
    (
        _TO_WORK,
        lambda found: (
            f"my commute is {re.sub(r'^(?:it is|it.?s|it takes(?: me| us)?) ', '', found[0], flags=re.IGNORECASE)}{found.string[found.end() :]}"
        ),
    ),
    (_IN_YEAR, lambda found: f"I am in my {found['year']} {found['rest']}"),
    (
        _JOINT,
        lambda found: (
            f"{found['what']} {'has' if found['has'] is not None else 'is'} {found.string[found.end() :]}"
        ),
    ),
    (_DONE_TO_ME, _done_to_me),
    (_REACHED, lambda found: f"I am at {found['level']}{'' if ' ' in found['level'] else ' level'} now"),
    (_NOW_COUNTS, _now_counts),
    (_ME_AND, lambda found: f"{found['other']} and I {found.string[found.end() :]}"),
    (_SO_MANY, lambda found: f"we have {found['count']} {found['what']} now{found['rest']}"),
    (_CALL_ME, lambda found: f"call me {found['name']}"),
    (_WE_ARE_CALLED, lambda found: f"our group is called {found['name']}"),
    (_SPELT, lambda found: f"my name is {found['name']}"),
    (_AT_MOST, lambda found: f"I want {found['most']}"),
    (_UNWANTED, _unwanted),
    (_ONLY, lambda found: f"I want {found['what']} only"),
)
