"""Whom he, she, they and it mean, as far as the same message tells."""

from __future__ import annotations

import re

from assistant.memory.extraction.slots import RELATIONS
from assistant.memory.extraction.verbs import FINITE
from assistant.memory.heads import language

__all__ = ["named", "untimed"]

_WORDS = "|".join(sorted((words for words in RELATIONS.values()), key=len, reverse=True))
_KIN = re.compile(
    rf"\b(?i:my|our|the|(?:have|got|adopted) (?:an?|two|three|four|five|\d))\s+(?P<phrase>(?:[\w'-]+\s+){{0,2}}?(?i:{_WORDS}))\b(?:['’]s (?:called|named)|\s+is (?:called|named)|\s+(?:called|named)|\s*[,(])?(?:\s*(?P<name>[A-Z][\w'’-]+))?",
)
_NAMED_FIRST = re.compile(
    rf"\b(?P<name>[A-Z][\w'’-]+)\s*[,(]\s*(?:my|our)\s+(?P<phrase>(?:[\w-]+\s+){{0,2}}?(?:{_WORDS}))\b"
)
_AT_WORK = re.compile(
    r"\b(?i:my|our|(?:have|['’]ve|got|hired) (?:an?|the))\s+(?P<phrase>(?:[\w-]+\s+)?[\w-]+(?:er|or|ist|ian|ant|mate|our|ice|gue|ach))(?:\s+(?:is )?(?:called|named)|\s+is|\s*,)?\s+(?P<name>[A-Z][^\W\d_]+)\b"
)
"""Somebody known by what they do, and by name: "our gardener is Moira"."""
_THING = re.compile(
    r"\b(?:my|our|(?:(?:i|we) )?(?:got|bought|ordered) (?=an?\b)(?:an?)|(?:i|we) (?:run|own|have|opened|bought|rent|manage|drive|play|use|write|make|build|(?:am|are) (?:writing|building|making|opening)) an?|(?:i['’]m|we['’]re) (?:writing|building|making|running|opening) an?)\s+(?P<phrase>(?:(?!(?:in|on|at|for|with|from|about|an?|the|my|our|me|us|you|please|ate|called|named|near|by|of|and|that|which|where|is|are|was|were|has|have|had|will|won|can|stays?|keeps?|looks?|feels?|needs?|makes?|just|still|got|gets?|went|goes|broke|died|runs?|takes?|comes?|costs?|starts?|opens?|smells?|sounds?|turns?|turned|does|doesn|did|didn|isn)\b)[\w-]+ ?){1,3})",
    re.IGNORECASE,
)
_PERSON = re.compile(rf"(?:[\w-]+\s+)?(?:{_WORDS})", re.IGNORECASE)
_PLURAL = re.compile(r"s$|children|twins|parents|people", re.IGNORECASE)
_COUNTED = re.compile(
    r"\s+(?:is\s+)?(?:(?:now|only|about|around|just|up to|more like)\s+)*[$€£]?\d[\d.,]*\w*\W*(?:now\W*)?$",
    re.IGNORECASE,
)
"""What follows "it is" is a bare figure: it stands for something that was told in figures."""
_BIRTHDAY = re.compile(r"\b(?:my|our) birthday (?:was|is)\b(?!.*\d)", re.IGNORECASE)
"""What is counted after it is the user's years."""
_DOES = re.compile(
    rf"^(?P<name>(?!(?:Who|What|Which|How|Why|Where|When|The|This|That|There|These|Those|Everyone|Everybody|Nobody|Someone|Somebody|Things|They)\b)[A-Z][^\W\d_]{{2,}})\s+(?!are\b|were\b|have\b|do\b){FINITE}\b"
)
"""Somebody the user speaks of by name: "Anneke moved"."""
_DONE_BY = re.compile(r"\bby\s+(?P<name>[A-Z][^\W\d_]{2,})\b(?!\s+(?:is|has|and)\b)")
"""Who does what is told of a thing: "orders are handled by Bettina"."""
_OF_NOTHING = re.compile(
    r"^it(?:['’]?s| is| was)\s+(?:(?:so|very|too|really|bloody|freezing|getting|still|just|only)\s+)*(?:cold|hot|warm|dark|wet|dry|windy|rainy|raining|snowing|pouring|freezing|boiling|late|early|time|me|us|dead|quiet|funny|true|mad|crazy|how|why|what|because)\b",
    re.IGNORECASE,
)
"""The weather, the hour, the user: "it" stands for nothing that was told."""
_ENDED_IT = re.compile(
    r"^(?P<verb>(?:(?:i|we)(?:['’]ve| have)?\s+)?(?:(?:just|finally|also|already)\s+)?(?:stopped|quit|dropped|cancell?ed|sold|binned|gave up|ditched|finished|left|closed|scrapped|returned|deleted))\s+(?:it|that|them)\b",
    re.IGNORECASE,
)
_MATTER = re.compile(
    r"\b(?:forget|drop|ignore|scrap|remember|about)(?:\s+about)?\s+(?:the|my|our|that|those)\s+(?P<matter>[\w-]+(?:\s+[\w-]+)??)(?:\s+(?:thing|things|stuff|idea|plan|business|one))?\W*$",
    re.IGNORECASE,
)
_FIRM = re.compile(
    r"\b(?i:called|named|from|with|at|through|via)\s+(?P<name>[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+)*)\W*$"
)
"""Those whom the user deals with: "the flour comes from Dewael"."""
_ITS = re.compile(
    r"^its(?= (?:an?|the|my|our|only|just|now|in|on|at|called|not|non|so|too|very|really|always|been|[$€£]?\d)\b)",
    re.IGNORECASE,
)
"""Typed without its apostrophe."""
_TIMED = re.compile(
    r"^(?:(?:since|after|before|on|in|at|from|every|during)\s+(?:(?:the|each|every|most)\s+)?[\w-]+(?:\s+(?!(?:he|she|his|her)\b)[\w-]+)?|now|nowadays|these days|at the moment),?\s+(?=(?:he|she|his|her)\b(?!\s+(?:own|first|last)\b))",
    re.IGNORECASE,
)
"""When something is so, told before who it is of: "on Mondays his brother comes"."""
_HES = re.compile(r"^(he|she)s(?= )", re.IGNORECASE)
_LEARNING = re.compile(
    r"(?P<learning>(?:i['’]?m|i am)(?: still| just| slowly)? (?:learning|studying))(?: it)?\W*", re.IGNORECASE
)
_IN_LANGUAGE = re.compile(
    r"\b(?:in|speak|spoken|some|my) (?P<language>[A-Z][a-z]+(?:ish|ese|sh|an|ic|ch|ek|ew|i))\b"
)
_PRONOUN = re.compile(
    r"^(?P<pronoun>he|she|they|it|his|her|their|its)(?P<joint>['’](?:s|re|ve|d|ll))?\b", re.IGNORECASE
)
_THINGS = frozenset(("it", "its"))
_POSSESSIVE = frozenset(("his", "her", "their", "its"))
_HAVING = re.compile(
    r"\s+(?:got|been|had|gone|started|moved|become|taken|left(?![- ](?:hand|foot|eye|ear))|lost|changed|switched|stopped|joined|quit|dropped|grown|turned|passed|finished|bought|made|given|put|outgrown)\b"
)
_JOINTS = {"'s": " is", "'re": " are", "'ve": " have", "'d": " would", "'ll": " will"}


_FEMALE = re.compile(
    r"\b(?:wife|missus|girlfriend|gf|daughter|mother|mum|mom|mama|sister|grandmother|grandma|gran|nan|nana|granny|aunt|auntie|niece|granddaughter|stepdaughter|stepmum|landlady|mare)\b",
    re.IGNORECASE,
)
_MALE = re.compile(
    r"\b(?:husband|hubby|boyfriend|bf|son|father|dad|papa|brother|bro|grandfather|grandad|granddad|grandpa|uncle|nephew|grandson|stepson|stepdad|landlord|gelding)\b",
    re.IGNORECASE,
)
_NEITHER = re.compile(r"(?!)")
_OTHER_SEX = {"he": _FEMALE, "his": _FEMALE, "she": _MALE, "her": _MALE, "they": _NEITHER, "their": _NEITHER}
"""Words for those whom the pronoun cannot mean."""


def named(text: str, before: list[str]) -> str:
    """`text` with a pronoun at its start replaced by what it stands for: "she's 9" -> "my daughter Ines is 9". As it is when `before` does not tell."""
    text = _HES.sub("\\1's", _ITS.sub("it's", text))
    timed = _TIMED.match(text)
    if timed is not None:
        rest = text[timed.end() :]
        told = named(rest, before)
        return text if told == rest else _with_time(told, timed[0])
    opened = _PRONOUN.match(text)
    if _OF_NOTHING.match(text):
        return text
    if opened is None:
        return _learnt(_ended_named(text, before[-1] if before else ""), before)
    pronoun = opened["pronoun"].lower()
    counted = pronoun in _THINGS and _COUNTED.match(text[opened.end() :])
    if counted and any(_BIRTHDAY.search(earlier) for earlier in before[-1:]):
        return re.sub(r"^it(?:['’]s|\s+is)", "I am", text, flags=re.IGNORECASE)
    if counted:
        before = [earlier for earlier in before if _holds_a_figure(earlier)]
    for earlier in reversed(before):
        found = _thing(earlier) if pronoun in _THINGS else _person(earlier, pronoun)
        if found:
            rest = text[opened.end() :]
            return f"{found}{_joint(opened['joint'] or '', rest)}{_possessive(pronoun)}{rest}"
    return text


def _with_time(text: str, when: str) -> str:
    """`text`, which tells by name now whom it is of, with the time behind it: "my aunt comes" + "on Mondays "."""
    told = text.rstrip(" .!")
    return f"{told} {when[:1].lower()}{when[1:].strip(' ,')}{text[len(told) :]}"


def untimed(text: str) -> str:
    """`text` from its pronoun on, where it begins with a time."""
    timed = _TIMED.match(text)
    return text if timed is None else text[timed.end() :]


def _learnt(text: str, before: list[str]) -> str:
    """ "I'm learning", said behind "answer in Welsh": the language."""
    told = [found["language"] for earlier in before for found in _IN_LANGUAGE.finditer(earlier)]
    learning = _LEARNING.fullmatch(text)
    return f"{learning['learning']} {told[0]}" if told and learning is not None else text


def _ended_named(text: str, before: str) -> str:
    """ "stopped it in May" after "forget the keto thing" -> "stopped keto in May"."""
    ended, matter = _ENDED_IT.match(text), _MATTER.search(before)
    if ended is None or matter is None:
        return text
    return f"{ended['verb']} {matter['matter']}{text[ended.end() :]}"


def _holds_a_figure(text: str) -> bool:
    return bool(language.numbers(text)) and not language.calendar(text)


def _joint(joint: str, rest: str) -> str:
    """ "'s" as the word it stands for: "she's 9" is, "she's got a cat" has."""
    joint = joint.lower().replace("’", "'")
    return " has" if joint == "'s" and _HAVING.match(rest) else _JOINTS.get(joint, "")


def _possessive(pronoun: str) -> str:
    return "'s" if pronoun in _POSSESSIVE else ""


def _person(text: str, pronoun: str) -> str:
    plural = pronoun in {"they", "their"}
    told = [*_KIN.finditer(text), *_AT_WORK.finditer(text), *_NAMED_FIRST.finditer(text)]
    if not told and plural and (firm := _FIRM.search(text)) is not None:
        return firm["name"]
    if not told and not plural and (one := _DOES.match(text) or _DONE_BY.search(text)) is not None:
        return one["name"]
    for found in sorted(told, key=lambda found: -found.start()):
        phrase = found["phrase"].strip()
        if bool(_PLURAL.search(phrase)) == plural and not _OTHER_SEX[pronoun].search(phrase):
            return f"my {phrase}" + (f" {found['name']}" if found["name"] and not plural else "")
    return ""


def _thing(text: str) -> str:
    phrases = (found["phrase"].strip() for found in _THING.finditer(text))
    return next((f"my {phrase}" for phrase in phrases if not _PERSON.fullmatch(phrase)), "")
