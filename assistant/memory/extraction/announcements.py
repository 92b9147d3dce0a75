"""A step that only leads up to what holds: "the school moved me over, so I teach year 6 now" -> "I teach year 6 now".

What is announced, why it came about and what it was done with are no facts beside the state that they led to; where they
name what the state leaves open ("they gave me a Volvo, this is what I drive now"), the name goes into it.
"""

from __future__ import annotations

import re

from assistant.memory.extraction.keys import owner_of
from assistant.memory.extraction.slots import RELATIONS
from assistant.memory.extraction.verbs import FINITE, opens_sentence, tells

__all__ = ["state_of"]

_NOW = re.compile(
    r"\b(?:now|nowadays|these days|from now on|from here on|currently|instead)\b", re.IGNORECASE
)
_DONE = r"(?:switched|changed|swapped|transferred|converted|upgraded|migrated|ported|rebuilt|redid|rewrote|(?:moved|shifted|put|set|sorted|signed|promoted|helped|talked|won)(?=\s+(?:me|us|over|across|round|everything|it all|the (?:lot|whole))\b))"
_ALL = r"(?:everything|it all|the lot|the whole (?:thing|lot|place|setup)|things|sides|teams|jobs)"
_WHEN = r"(?:\s+(?:(?:in|last|this|on|since|back in|over the)\s+)?(?:the\s+)?(?:\w+day|week|month|year|spring|summer|autumn|fall|winter|weekend|yesterday|today|recently|again|ages ago|a while (?:back|ago)|(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october))?"
_STEP = re.compile(
    rf"^(?:(?:i|we|they|he|she|(?:the|my|our)\s+[\w-]+(?:\s+[\w-]+)?(?=.*\b(?:me|us)\b)|(?-i:[A-Z])[\w'’-]+|management|work)(?:['’](?:ve|s)|\s+have|\s+has|\s+had)?\s+)?(?:(?:just|finally|also|now)\s+)*{_DONE}(?:\s+(?:me|us))?(?:\s+(?:over|up|across|round|out|back|on|all|{_ALL}))*{_WHEN}\W*$",
    re.IGNORECASE,
)
"""Something was done or changed, and what it is now, other words tell."""
_GATHERED = re.compile(
    r"^(?:(?:one|two|three|\d+|another|a few|some)\s+(?:more\s+)?(?:[a-z]+\s+)?(?:came|joined|arrived|left|died|hatched)\b(?!.*(?-i:[A-Z])).*$)|^(?:(?:i|we)(?:['’]ve|\s+have)?\s+)?(?:(?:just|also|finally)\s+)*(?:hired|bought|took on|taken on|added|got|lost|sold|adopted|welcomed|acquired|made|raised|bred|hatched)\b(?!.*(?-i:[A-Z]))(?!\s+(?:the|my|our|a|an)\b)[\w ]*$",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"^(?:it['’]?s\s+\d+\s+[a-z]+s\s+now\b|(?:we have|there are) \d+ |(?:now\s+)?(?:i|we)(?:['’](?:m|re|ve)|m\b|\s+am|\s+are|\s+have)?(?:\s+(?:now|got|have|at|down to|up to))*\s+(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+\w)",
    re.IGNORECASE,
)
"""How many there are, once some came or went."""
_CLEARED = re.compile(
    r"^(?:(?:i|we)(?:['’]ve|\s+have)?\s+)?(?:had to\s+)?(?:sell|sold|gave away|gave|threw(?: out)?|got rid of|get rid of|binned|ditched|scrapped)\s+(?:the lot|everything|it all|them all|all of (?:it|them)|the (?:big|small|little|old|other|last) ones?)\b(?!.*(?:\d|\b(?-i:[A-Z]))).*$",
    re.IGNORECASE,
)
"""What was there is gone, and no name tells what it was."""
_OF_A_SLOT = re.compile(
    r"^(?:and\s+|but\s+)?(?!(?:i|we|it|they|he|she|you|this|that|there|now|then|all|most|everything|everyone|nothing)\b)[\w'’ -]{2,50}?\s+(?:is|are|costs?)\s",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"^(?:(?:right|so|ok|well)\s+)?(?:(?:i|we|they|(?:the |my |our )?[a-z]+)(?:['’]?ve|['’]s|\s+have|\s+has|\s+is)?\s+)?(?:just\s+)?(?:changed?|switched|swapped|dropped|raised|upped|put up|cut|lowered|adjusted|reviewed)(?:\s+(?:it|them|that|(?:(?:my|our|the)\s+)?[a-z]+s?))?\W*$",
    re.IGNORECASE,
)
"""That something is otherwise; the clause behind it names the thing and what it is now."""
_ANOTHER = re.compile(
    r"\b(?:gave (?:me|us)|got|bought|have|ordered|been given)\s+(?:an?\s+)?(?:brand[ -])?new\s+(?P<thing>[a-z-]+(?:\s+[a-z-]+)?)\W*$",
    re.IGNORECASE,
)
_IT_IS = re.compile(
    r"^it['’]?s\s+(?:called\s+)?(?P<what>(?:an?\s+|the\s+)?(?-i:[A-Z0-9])[^,;]*?)(?:\s+now)?(?P<rest>\W*$|,.*$)",
    re.IGNORECASE,
)
_MOVED_THING = re.compile(
    r"^(?:they|we|i|he|she)(?:['’]ve)?\s+(?:moved|changed|shifted|postponed|delayed|put back|brought forward|rescheduled)\s+(?P<thing>(?:the|my|our)\s+[a-z-]+(?:\s+[a-z-]+)?)\W*$",
    re.IGNORECASE,
)
_THEN = re.compile(
    rf"^(?:it|they)(?P<does>(?:['’](?:s|re)|\s+is|\s+are)(?=\s+(?:at|on|in|from|till|\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day))|\s+{FINITE}\b|\s+(?:start|begin|finish|end|run|open|close|take place)\b)",
    re.IGNORECASE,
)
_TOOK_OVER = re.compile(
    r"^(?P<who>(?:my|our)\s+[\w-]+(?:\s+(?-i:[A-Z])[\w'’-]+)?|(?-i:[A-Z])[\w'’-]+)(?:\s+has|['’]s)?\s+(?:taken|took)\s+over\s+(?P<what>(?:the|my|our)\s+[\w ]+?)(?:\s+from\s+[\w ]+)?\W*$",
    re.IGNORECASE,
)
_DOES_IT = re.compile(
    r"^(?P<does>(?:he|she)\s+\w+)\s+(?:it|them|that|those)(?P<now>\s+now)\W*$", re.IGNORECASE
)
_FROM_ANOTHER = re.compile(
    r"^(?:he|she|they)(?:\s+has|\s+have|['’](?:s|ve))?\s+(?:just\s+)?(?:took|taken)\s+(?:it\s+|that\s+|them\s+)?over(?:\s+from\s+[\w ]+)?\W*$",
    re.IGNORECASE,
)
_NOTHING_ELSE = re.compile(
    r"^(?:and\s+|but\s+)?there(?:['’]?s|\s+is)\s+(?:nothing|nobody|no one|no\s+\w+)(?:\s+(?:else|instead|in its place|to replace \w+))+\W*$",
    re.IGNORECASE,
)
_REASON = re.compile(
    rf"^(?:(?:(?!(?:i|we|my|our|he|she|it|they|there|you|this|that)\b)(?:the\s+|an?\s+)?[a-z][\w'’-]*(?:\s+[a-z][\w'’-]*)?|they)\s+(?:(?!is\b|are\b|has\b|does\b|can\b){FINITE}|pinched|voted|booked|kicked|raised|wanted|vetoed|complained|insisted)\b|(?:i|we)\s+(?:have\s+|['’]ve\s+)?(?:lost|needed|wanted|outgrew|ran out of|couldn['’]t)\b)(?!.*(?:\d|\b(?-i:[A-Z])|\bnow\b))",
    re.IGNORECASE,
)
"""What befell the user or somebody else; nobody of the user's, and no name or number in it."""
_SO = re.compile(r"^(?:and\s+)?so\b", re.IGNORECASE)
_OBJECT = re.compile(
    r"\b(?:gave|got|bought|lent|handed|given|issued|found)\s+(?:(?:me|us|myself|ourselves)\s+)?(?P<what>(?:an?|the)\s+[^,;]{2,40})$",
    re.IGNORECASE,
)
_USES_IT = re.compile(
    r"^(?P<does>(?:i|we|i['’]m|im|we['’]re)\s+.*?)\s(?:it|this|that|this one|that one|them)(?P<rest>\s+(?:now|these days|instead))\W*$",
    re.IGNORECASE,
)
_KIN = "|".join(sorted(RELATIONS.values(), key=len, reverse=True))
_OF_SOMEBODY = re.compile(
    rf"^(?:(?:my|our)\s+)(?P<who>(?:[a-z-]+\s+)?(?:{_KIN}|[a-z-]+(?:er|or|ist|ian|ant|ent|mate)))\s+(?=(?:{FINITE})\b)",
    re.IGNORECASE,
)
_ITS_NAME = re.compile(
    r"^(?:(?P<name>(?-i:[A-Z])[\w'’-]+)(?:\s+is|['’]s)\s+(?:her|his|their|its)\s+name|(?:her|his|their|its)\s+name(?:\s+is|['’]?s)\s+(?P<named>(?-i:[A-Z])[\w'’-]+))\W*$",
    re.IGNORECASE,
)
_JUST_ENDED = re.compile(
    r"^(?:(?:i|we|so|and|just|have|['’]ve)\s+)*(?:dropped out|quit|gave up|given up|packed it in|jacked it in|pulled out|backed out|walked away|called it a day|threw in the towel)\W*$",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\b(?:not|no longer|any ?more|stopped|quit|dropped|gave up|over|done)\b", re.IGNORECASE)

Part = tuple[str, str]
"""A clause as (the user's words, the text that is made of them)."""


def state_of(before: Part, after: Part) -> Part | None:
    """The two clauses as the one that tells what holds, or None where each tells something."""
    words = f"{before[0]}, {after[0]}"
    name = _named_behind(before[1], after[1])
    if name:
        return words, name
    if _NOTHING_ELSE.match(after[1]):
        return before
    if _ENDS.search(before[1]) and _JUST_ENDED.match(after[1]):
        return words, before[1]
    behind = _STEP.match(after[1]) or _FROM_ANOTHER.match(after[1])
    if _NOW.search(before[1]) and behind and _whole(before[1]):
        return before
    if _ANNOUNCED.match(before[1]) and _OF_A_SLOT.match(after[1]):
        return words, after[1]
    new = _renamed(before[1], after[1])
    if new:
        return words, new
    return _led_to(before, after, words) if _NOW.search(after[1]) or _TOTAL.match(after[1]) else None


def _led_to(before: Part, after: Part, words: str) -> Part | None:
    given, used = _OBJECT.search(before[1]), _USES_IT.match(after[1])
    if given is not None and used is not None:
        return words, f"{used['does']} {given['what'].rstrip(' .!')}{used['rest']}"
    gathered = _TOTAL.match(after[1]) and _GATHERED.match(before[1])
    if gathered or _CLEARED.match(before[1]):
        return after
    if _STEP.match(before[1]) and _whole(after[1]):
        return words, _by_name(before[1], after[1])
    reason = _REASON.match(before[1]) and not owner_of(before[1]) and _whole(after[1])
    return after if reason and _SO.match(after[0]) else None


def _whole(text: str) -> bool:
    return tells(text) or opens_sentence(text)


def _renamed(before: str, after: str) -> str:
    """ "they gave me a new van" + "it's a Ducato" -> "my van is a Ducato now", "they moved the exams" + "they start in May", or ""."""
    another, what = _ANOTHER.search(before), _IT_IS.match(after)
    if another is not None and what is not None:
        return f"my {another['thing']} is {what['what']} now{what['rest']}"
    taken, does = _TOOK_OVER.match(before), _DOES_IT.match(after)
    if taken is not None and does is not None:
        return f"{taken['who']} {does['does'].split()[1]} {taken['what']}{does['now']}"
    moved, then = _MOVED_THING.match(before), _THEN.match(after)
    if moved is None or then is None:
        return ""
    time = after[then.start("does") :].rstrip(" .!")
    for joint, be in (("s", " is"), ("re", " are")):
        time = re.sub(rf"^['’]{joint}\b", be, time)
    return f"{moved['thing']}{time} now"


def _by_name(before: str, after: str) -> str:
    """`after` with its "he" or "she" as the one who was named in `before`."""
    name = re.match(r"(?:(?:my|our)\s+[a-z-]+|[A-Z][\w'’-]+)(?=\s)", before)
    if name is None or re.match(r"(?:We|They|He|She|It|The|I)\b", before):
        return after
    return re.sub(r"^(?:he|she)(?=\s)", name[0], after, flags=re.IGNORECASE)


def _named_behind(before: str, after: str) -> str:
    """ "my husband runs the till" + "Tomas is his name" -> "my husband Tomas runs the till", or ""."""
    who, name = _OF_SOMEBODY.match(before), _ITS_NAME.match(after)
    if who is None or name is None:
        return ""
    return f"my {who['who']} {name['name'] or name['named']} {before[who.end() :]}"
