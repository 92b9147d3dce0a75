"""What the assistant is told to do, always or in some situation, as a wish of the user's."""

from __future__ import annotations

import re

__all__ = ["NOUN_FIRST", "lowered", "wish"]

NOUN_FIRST = r"(?:[\w']+-\w|(?:(?!(?:what|how|where|who|which|why|when|if|whether)\b)\w+\s+){1,2}?(?:(?:now|still|only|just|also)\s+)?(?:is|are|isn't|aren't|was|were|has|costs?|starts?|went|goes|got|moved|changed|ended|rose|fell|gave|paid|pays|offered|lets|gives|sent)\b|name:|\w+\s+(?:per|of|for|due|on)\s+(?:\w+\s+){1,3}?(?:is|are|was|has|costs?|moved|changed|went|gone)\b|\w+\s+(?:per|of|for)\s+[^,;]{2,30}['’]s\s+(?:gone|been|now|\d))"
"""A word that could give an order names a thing here: "call-outs are 75", "work is in Lund", "leave got extended"."""
_ORDER = re.compile(
    r"^(?:(?:please|pls|plz|kindly|just|from now on|going forward|in future|in general|for the future|so)[\s,]+)*"
    r"(?P<order>(?:(?:don't|do not|never|always|only|stop|no longer|no more|quit)\s+)?(?!have\W*$|do\s+(?:\w+days?|nights?|mornings?|evenings?|weekends?|shifts?)\b|have\s+(?:an?|\d+|one|two|three|four|five|no|some|had|been|my|our)\b)(?!"
    + NOUN_FIRST
    + r")(?:use|give|tell|call|write|make|assume|skip|avoid|answer|reply|respond|keep|stop|ignore|plan|put|help|"
    r"include|add|suggest|recommend|send|say|speak|talk|address|format|show|start|end|begin|explain|be|ask|remind|check|correct|leave|treat|schedule|book|count|mark|round|quote|cite|translate|"
    r"default|stick|go|limit|prefer|mention|refer|repeat|spell|list|do|convert|drop|lead|wrap|bring|push|remove|cut|swap|switch|let|flag|work|set|name|hold|base|take|bother|cook|pick|stay|sign|"
    r"offer|have|propose|praise|flatter|apologi[sz]e|summari[sz]e|draft|pretend|lecture|sugarcoat|sound|shorten|split|number|phrase|bold|order|price|calculate|text|message|mail|email|phone|trust|feed|buy|eat|expect|provide|return|prepend|append|print)\b.*)$",
    re.IGNORECASE | re.DOTALL,
)
_NEGATED = re.compile(r"^(?:don't|do not)\s+", re.IGNORECASE)
_SITUATION = re.compile(
    r"^(?:for (?:all|any\w*|every\w*|my|our)|with (?:all|any\w*|my|our)|in (?:all|any|my|our|every)|when|whenever|every time|each time|if)\b",
    re.IGNORECASE,
)
_ORDER_MAY_BEGIN = re.compile(
    r",\s+|(?<=\w)(?<!\bi)(?<!\byou)(?<!\bwe)(?<!\bto)(?<!\bthe)(?<!\ba)(?<!\ban)(?<!\bmy)(?<!\bour)(?<!\byour)(?<!\bcan)(?<!\bwill)(?<!\bfor)(?<!\bin)(?<!\bof)(?<!\bthey)(?<!\bhe)(?<!\bshe)(?<!\bany)(?<!\bevery)(?<!\bnot)\s+",
    re.IGNORECASE,
)
_SITUATION_LENGTH = 70
"""Characters within which the order must begin."""


def wish(text: str) -> str:
    """ "Use grams" and "for recipes use grams" as what the user wants, in the first person; "" where nothing is ordered."""
    order = _ORDER.match(text)
    return _wanted(order["order"]) if order is not None else _wish_for_when(text)


def _wanted(order: str) -> str:
    kept = re.match(
        r"^keep (?P<what>.+?) (?P<how>(?:under|below|above|over|within|to|at|short|simple|brief|in|out|off|away|free|generic|clean|casual|formal)\b.*)$",
        order,
        re.IGNORECASE,
    )
    if kept is not None:
        return f"I want {kept['what']} kept {kept['how']}"
    called = re.match(r"^call me (?P<name>.+)$", order, re.IGNORECASE)
    if called is not None:
        return f"I want to be called {called['name']}"
    if _NEGATED.match(order):
        return f"I want the assistant not to {_NEGATED.sub('', order)}"
    adverb = re.match(r"^(?P<adverb>never|always|only)\s+(?P<rest>.+)$", order, re.IGNORECASE | re.DOTALL)
    if adverb is not None:
        return f"I want the assistant to {adverb['adverb'].lower()} {adverb['rest']}"
    return f"I want the assistant to {lowered(order)}"


def _wish_for_when(text: str) -> str:
    """ "whenever I paste a recipe just use grams" -> "I want the assistant to use grams whenever I paste a recipe", or ""."""
    if not _SITUATION.match(text):
        return ""
    for found in _ORDER_MAY_BEGIN.finditer(text[:_SITUATION_LENGTH]):
        order = _ORDER.match(text[found.end() :])
        if order is not None:
            situation = f"{text[: found.start()][:1].lower()}{text[1 : found.start()]}".rstrip(" ,")
            return f"{_wanted(order['order'].rstrip(' .!'))} {situation}"
    return ""


def lowered(text: str) -> str:
    """Small first letter, but for a word in capitals."""
    return text if text[:2].isupper() else f"{text[:1].lower()}{text[1:]}"
