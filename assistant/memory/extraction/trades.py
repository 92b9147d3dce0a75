"""Who somebody is, told without a verb: "paramedic here", "bookbinder, 20 years in the trade", "hi, lone web designer"."""

from __future__ import annotations

import re

from assistant.memory.extraction.orders import lowered
from assistant.memory.extraction.roles import WORKER

__all__ = ["GREETING", "trade_told"]

GREETING = r"(?:(?:he+y+a?|hi+ya|hi+|hello+|hola|yo|howdy|g['’]day|ahoy|good (?:morning|afternoon|evening|day)|(?:morning|evening|afternoon|alright|ok|so|well)(?=\s*[,.!–—-]))(?: (?:there|all|again|everyone|folks))?[\s,.!–—-]+)"
_TOO = r"paramedic|mechanic|medic|midwife|cop|dev|clerk|architect|analyst|smith|blacksmith|shepherd|poet|barista|dj|undergrad|postdoc|mum|mom|dad|grandad|grandma|granny|widow|newlywed|expat|introvert|nerd|sparky|brickie"
_NO_TRADE = r"(?!(?:weather|danger|power|user|winner|ever|never|over|under|after|corner|answer|dinner|supper|offer|matter|other|another|rather|later|earlier|better|door|floor|moment|apartment|department|restaurant|plant|event|present|content|cement|minister|master of|doctor,? (?:i|my)|manager)\b)"
_NO_PART = r"(?!(?:no|not|my|our|your|the|his|her|their|new|any|some|another|best|worst|good|dear|little|clever|bloody|need|got|want|hire[ds]?|looking|find|found|for|with|to|from|as|is|are|was|it['’]?s|that['’]?s|every|each|same|one|from|about|what|how|why|who|thanks?|thank|because|and|or|but|met|saw|of)\b)"
_WHO = rf"(?:an?\s+)?(?P<who>(?:{_NO_PART}[^\W\d][\w+#./-]*\s+){{0,3}}?{_NO_PART}{_NO_TRADE}(?:{WORKER}|{_TOO})(?:\s+of\s+(?:one|two|three|four|five|\d))?)"
_HERE = re.compile(rf"^{GREETING}*{_WHO}\s+here(?P<rest>\W*$|\s*,.*$)", re.IGNORECASE)
_BY_TRADE = re.compile(
    rf"^{GREETING}*{_WHO}(?P<rest>\s*,\s*(?:self[- ]employed|freelance|retired|semi[- ]retired|part[- ]time|full[- ]time|by trade|(?:for\s+)?(?:over\s+|nearly\s+|about\s+)?(?:\d+|[a-z]+)\s+years?\b|(?:based|living|working|born)\b|\d{{2}}(?=\W*$|,)|(?:an?\s+)?(?:[\w-]+\s+){{0,2}}?(?:{WORKER}|{_TOO})\W*$|(?:from|in|near|outside|round|around|out of)\s+(?-i:[A-Z])\w+).*)$",
    re.IGNORECASE,
)
_GREETS_AS = re.compile(rf"^{GREETING}+(?=(?:an?\s+)?[\w-]+\s+[a-z]){_WHO}(?P<rest>)\W*$", re.IGNORECASE)
"""Two words at least: "hi teacher" speaks to one."""
_NO_NAME = r"(?!(?:Rain|Snow|Cold|Hot|Warm|Sunny|Windy|Foggy|Dark|Quiet|Busy|Weather|Winter|Summer|Spring|Autumn|Nothing|Nobody|Everyone|Everything|All|Same|New|Lots|Plenty|More|First|Still|Back|Anyone|Someone|Something|People|Storm|Chaos|Fun|News|Question|Help|Right|Over|Up|Down|Out|Good|Great|Not|Also|Only|Just|From|In|It|Is|Who|What|My|Our|The)\b)"
_NAMED = re.compile(
    rf"^(?i:{GREETING})*{_NO_NAME}(?P<name>[A-Z][^\W\d_]+(?:[ -][A-Z][^\W\d_]+)?) here(?: again)?(?P<rest>\W*$|\s*,.*$)"
)
_VOWEL = re.compile(r"[aeio]|un(?!i)|f(?=-)", re.IGNORECASE)


def trade_told(text: str) -> str:
    """ "joiner here, 12 doors a week" -> "I am a joiner, 12 doors a week"; `text` as it is where it does not say what the speaker is."""
    named = _NAMED.match(text)
    if named is not None and not _HERE.match(text):
        return f"I'm {named['name']}{named['rest']}"
    found = _HERE.match(text) or _BY_TRADE.match(text) or _GREETS_AS.match(text)
    if found is None:
        return text
    who = lowered(found["who"])
    return f"I am {'an' if _VOWEL.match(who) else 'a'} {who}{found['rest']}"
