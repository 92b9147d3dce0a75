"""Things told in two steps, put together again.

"Changed suppliers, everything comes from Halm now", "left the old bank, I'm with Nord now": the first step names the matter,
the second what holds; apart, the first would end a fact and the second would know of none. "I row on Mondays, so don't plan
calls then": the order means nothing without the reason.
"""

from __future__ import annotations

import re

from assistant.memory.extraction.announcements import state_of
from assistant.memory.extraction.keys import owner_of
from assistant.memory.heads import language

__all__ = ["GONE", "MADE_ROOM", "join_steps"]

_ORDER_ON_IT = re.compile(
    r"^(?:please |pls |so |and )*(?:(?:don['’]?t|do not|never|always|only) )?(?:plan|book|schedule|put|keep|work|suggest|count|send|call|make|use|expect|offer|respect|leave|fill)\b"
    r".{0,40}\b(?:then|there|that day|those days?|around (?:it|that|this)|that time|before that|after that|under that|within that|that|for it)\b(?: only| free)?\W*$",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    r"\b(?:now|instead|these days|nowadays|from now on|currently|new|switched|swapped|changed)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"^(?:the (?!old\b|new\b)[a-z]+\s+(?=\w+ (?:my|our)\b))?(?:(?:we|i|they|my|our|the|big|so|well|ok|news|good news|two things|update)(?:[\s,:]+|(?=['’]ve\b))){0,3}(?:(?:have|['’]ve|just|finally|also)\s+)*"
    r"(?:(?:changed|switched|swapped|replaced|cut|raised|got new|moved(?! to\b| in with\b)|renovated|redid|refitted|upgraded|updated|rebuilt)\s+[\w' -]{3,40}|[\w' -]{3,40}\s+(?:changed|changes|is changing|has changed|switched|moved|is different|went up|went down))\W*$",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"^(?:(?:we|i|also|so|have|['’]ve|just|finally)\s+)*moved (?:out|house|flats?|offices?|again)\W*$",
    re.IGNORECASE,
)
_MOVED_TO = re.compile(
    r"\b(?:moved|migrated|ported|converted|transferred|rewrote|gone over|went over)\b.*\b(?:over )?(?:to|in) \w",
    re.IGNORECASE,
)
_HAS_NEW = re.compile(
    r"^(?:(?:my|our|the)\s+)?[\w'’-]+(?:\s+[\w'’-]+)?\s+(?:has|have|got)\s+(?:got\s+|found\s+)?(?:an?\s+)?new\s+[a-z-]+\W*$",
    re.IGNORECASE,
)
"""That there is another one; which, the clause after it tells."""
_SOMEBODY_DID = re.compile(
    r"^(?!We\b|They\b|He\b|She\b|It\b|My\b|Our\b|The\b)[A-Z][^\W\d_]+ (?:has |just )?\w+"
)
_OVER = re.compile(
    r"\b(?:quit|gave up|given up|stopped|scrapped|dropped|ditched|cancell?ed|got rid of|sold|no more|no longer|any ?more|(?:is|are|was|were|['’]s) (?:over|off|gone|dead|history))\b",
    re.IGNORECASE,
)
_COMMENT = re.compile(
    r"^(?:it|that|he|she|they|nobody|no one|too|no more \w+)\b(?!.*\b(?:\d|[A-Z][a-z]+|my|our|i|we)\b)"
)
"""What somebody thinks of the thing that is over: no fact of its own."""
GONE = re.compile(r"^[\w .+#-]{2,30} (?:is|are) (?:history|gone|out|dead|over|no more)\b", re.IGNORECASE)
MADE_ROOM = (
    r"(?!(?:i|we|you|he|she|it|they)\b)(?:the |our |my )?[\w.-]+(?: (?!has\b|is\b)[\w.-]+)?(?: has| is|['’]s)? (?:left|quit|retired|moved (?:out|on|away)|gone|leaving|moving (?:out|on|away|to [A-Z]\w+)|retiring|resigning|off(?: to [\w ]{2,25}| sick| ill)?|ill|poorly|going (?:back|home|away)|on (?:sabbatical|(?:maternity |parental |sick )?leave)|went (?:back|home|away)|resigned|stopped working|passed away)"
    r"(?: (?:us|me|for [A-Z]\w+|last \w+|this \w+|in \w+|to \w+))?"
)
"""Who left, for the one named beside to follow: "Torvald moved out, my flatmate is Signe now"."""
_MADE_ROOM = re.compile(rf"^{MADE_ROOM}\W*$", re.IGNORECASE)
_ALONE = re.compile(
    r"\b(?:just|only) (?:me|us|the (?:two|three) of us)\b|\b(?:alone|solo|single-handed)\b|\b(?:no ?(?:one|body)|none)\b|\bno [a-z]+ (?:for|at|in|here|now|left)\b|\b(?:by|on) (?:my|our)(?:self|selves| own)\b|\bdo it (?:all )?myself\b",
    re.IGNORECASE,
)
"""Nobody takes the place of the one who left, who must be told of, then."""
_NEWS = re.compile(
    r"^[A-Z][^\W\d_]+(?:['’]s|\s+(?:is|has|had|went|got|goes|wants|needs|found|took))\b(?!.*(?:\d|\b(?:my|our)\b))"
)
_TAKES_THE_ROLE = re.compile(r"^(?:my|our|the)\s+[a-z' -]+\s+is\s+[A-Z].*\bnow\b")
"""Who is in a role now; what else is told of the one before is why: "Ida has a baby coming, our cook is Ben now"."""
_TAKEN_OUT = re.compile(
    r"^(?:(?:i|we)(?:['’]ve| have)?\s+)?(?:(?:just|finally)\s+)?(?:traded|swapped|crashed|returned|upgraded|changed|took|ripped|threw|tore|chucked|binned|scrapped|dumped|sold|gave away|got rid of|replaced|retired)\s+(?:the|my|our)\s+(?:old\s+)?(?P<thing>[\w-]+(?:\s+(?!out\b|away\b|down\b|in\b)[\w-]+)?)(?:\s+(?:out|away|down|in))?\W*$",
    re.IGNORECASE,
)
_INSTALLED = re.compile(
    r"^(?!.*\b(?:day|shame|pity|pain|mess|relief|time|problem)\b)it(?:['’]s| is)\s+(?P<what>(?:an?|the)\s+[^,;]{2,40}?)\s+(?:now|instead)\W*$",
    re.IGNORECASE,
)
"""What stands in the place of a thing that was taken out: "it's a diesel heater now"."""
_BROKEN = re.compile(
    r"^(?:(?:the|my|our)\s+)?(?:old\s+)?(?P<thing>(?!(?:i|we|he|she|they|it)\b)[a-z-]+(?:\s+(?!has\b|just\b|finally\b|was\b|got\b|is\b)[a-z-]+)?)\s+(?:(?:has|just|finally)\s+)*(?:died|broke(?: down)?|packed (?:up|in)|gave out|conked out|is dead|blew up|(?:was|got) (?:stolen|nicked|written off))(?: on (?:me|us))?\W*$",
    re.IGNORECASE,
)
_GOT_ANOTHER = re.compile(
    r"^(?:i|we)(?:['’]ve)?\s+(?:(?:now|have|just)\s+)*(?:got|have|bought|ordered|use|drive)\s+(?:myself\s+|ourselves\s+)?(?P<what>(?:an?|the)\s+(?:[a-z]+\s+)?(?-i:[A-Z])[\w-]+(?:\s+(?-i:[A-Z0-9])[\w-]*)*)(?:\s+(?:now|these days|instead|in its place))*(?P<rest>\W*|,.*)$",
    re.IGNORECASE,
)
"""What came in the place of a thing that broke: "boiler died, we've got a Vaillant now"."""
_CHANGED_THEIRS = re.compile(
    r"^(?P<who>i|we|he|she|they|(?:my|our)\s+[\w-]+)(?:['’](?:s|ve)|\s+has|\s+have)?\s+(?:just\s+)?(?:changed|switched|swapped|moved)\s+(?P<thing>[a-z-]+(?:\s+[a-z-]+)?s)\W*$",
    re.IGNORECASE,
)
_OWN = {"i": "my", "we": "our", "he": "his", "she": "her", "they": "their"}
_NEW_ONE = re.compile(r"^(?:the|my|our) new one(?:['’]s| is)\s+(?P<what>.+)$", re.IGNORECASE)
"""The thing that took the place of one named before: "sold the van, the new one's a Transit"."""
_ALTERED = re.compile(
    r"^(?P<matter>(?!(?:i|we|he|she|they|it|something|everything|things|a lot|plans?)\b)(?:(?:my|our|the)\s+)?(?:[\w'’-]+\s+){0,2}?[\w-]+)\s+(?:(?:(?:has|have|got)\s+)?(?:just\s+)?(?:changed|moved|shifted|switched|(?:is|are)\s+different)|(?:has|have|had)\s+to\s+(?:be\s+)?(?:change|move|shift)d?)\W*$",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"^(?P<who>(?:(?:my|our|the)\s+)?[\w'’ -]{2,40}?)\s+(?P<be>is|are)(?:n['’]t|\s+not|\s+no longer)\s+[^,;]{2,50}$",
    re.IGNORECASE,
)
_STANDS = re.compile(r"^(?:it|they)(?:['’]s|['’]re|\s+is|\s+are)(?P<what>\s+.+)$", re.IGNORECASE)
"""What holds after what does not: "the desk isn't in the hall, it's in the attic now"."""
_LEFT = re.compile(
    r"^(?:(?:we|i|have|['’]ve|just|finally|also|and|so)\s+)*(?:don['’]?t (?:use|need|want)|stopped using|stopped with|left|gave up(?: on)?|quit|dropped|ditched|got rid of|cancell?ed|done with|(?:finished|through) with|no longer (?:use|using)|not using)\s+"
    r"(?P<matter>(?:it|that|them)|(?:the|my|our|that|this)\s+(?:(?:old|other|previous|former|last|current|first)\s+)?[a-z' -]{2,30}?)(?:\s+any ?more)?\W*$"
)
_VAGUE = re.compile(
    r"\b(?:old|other|previous|former|last|it|that|them|platform|tool|app|service|provider|programme|program|place|thing|one|company|system|site|firm)\b",
    re.IGNORECASE,
)


def join_steps(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """(words, text) of one sentence's clauses, with the steps that need each other in one."""
    joined: list[tuple[str, str]] = []
    for part in parts:
        one = _in_one(joined[-1], part) if joined else None
        if one is None:
            joined.append(part)
        else:
            joined[-1] = one
    if len(joined) < len(parts):
        return join_steps(joined)
    return [(words, re.sub(r" instead of (?:it|that|them)$", "", text)) for words, text in joined]


def _in_one(before: tuple[str, str], after: tuple[str, str]) -> tuple[str, str] | None:
    """Two clauses as one, where the second cannot do without the first or the other way round."""
    words, text = f"{before[0]}, {after[0]}", f"{before[1]}, {after[1]}"
    if _HOLDS.search(after[1]) and _ended(before[1]):
        return after[0], f"{after[1]} instead of {_ended(before[1])}"
    if (_HOLDS.search(before[1]) or _MOVED_TO.search(before[1])) and _ended(after[1]):
        return before[0], f"{before[1]} instead of {_ended(after[1])}"
    stated = state_of(before, after)
    if stated is not None:
        return stated
    if _SOMEBODY_DID.match(before[1]) and re.match(r"(?:he|she)\b", after[1]):
        return None
    renewed = _renewed(before[1], after[1])
    if renewed:
        return words, renewed
    moved = _MOVED.match(before[1]) or _HAS_NEW.match(before[1])
    if moved or (_HOLDS.search(after[1]) and _CHANGED.match(before[1])):
        return words, text
    if _OVER.search(before[1]) and _COMMENT.match(after[1]) and not _HOLDS.search(after[1]):
        return (words if language.cue("removal", after[1]) else before[0]), before[1]
    if _HOLDS.search(before[1]) and GONE.match(after[1]):
        return before
    if _ORDER_ON_IT.match(after[1]) and not _ORDER_ON_IT.match(before[1]):
        return words, f"{before[1]}, so {after[1]}"
    return _followed(before, after, words)


def _renewed(before: str, after: str) -> str:
    """What holds where a thing was changed or replaced: "the times changed, it's 8 to 11 now" -> "the times are 8 to 11 now", or ""."""
    taken, new_one = _TAKEN_OUT.match(before), _NEW_ONE.match(after)
    if taken is not None and new_one is not None:
        thing, comma, rest = new_one["what"].partition(",")
        lead = "I have" if taken["thing"][0].isupper() else f"my {taken['thing']} is"
        return f"{lead} {thing} now{comma}{rest}"
    broken, another = _BROKEN.match(before), _GOT_ANOTHER.match(after)
    if broken is not None and another is not None and not owner_of(f"my {broken['thing']}"):
        return f"my {broken['thing']} is {another['what']} now{another['rest']}"
    changed, stands = _CHANGED_THEIRS.match(before), _STANDS.match(after)
    if changed is not None and stands is not None and _HOLDS.search(after):
        whose = _OWN.get(changed["who"].lower(), f"{changed['who']}'s")
        return f"{whose} {changed['thing'][:-1]} is{stands['what']}"
    altered, stands = _ALTERED.match(before), _STANDS.match(after)
    if altered is None or stands is None or not _HOLDS.search(after):
        return ""
    return f"{altered['matter']} {'are' if altered['matter'].endswith('s') else 'is'}{stands['what']}"


def _followed(before: tuple[str, str], after: tuple[str, str], words: str) -> tuple[str, str] | None:
    """Somebody or something in the place of another, where only the new one is told of."""
    if _HOLDS.search(after[1]) and _MADE_ROOM.match(before[1]):
        return None if _ALONE.search(after[1]) else (words, after[1])
    if _HOLDS.search(before[1]) and _MADE_ROOM.match(after[1]):
        return before
    if _TAKES_THE_ROLE.match(after[1]) and _NEWS.match(before[1]):
        return words, after[1]
    if _TAKES_THE_ROLE.match(before[1]) and _NEWS.match(after[1]):
        return before
    installed = _INSTALLED.match(after[1])
    if installed is not None and _TAKEN_OUT.match(before[1]):
        return words, f"I have {installed['what']} now"
    denied, stands = _DENIED.match(before[1]), _STANDS.match(after[1])
    if denied is None or stands is None:
        return None
    return words, f"{denied['who']} {denied['be']}{stands['what']}"


def _ended(text: str) -> str:
    """What a clause says was left, where it has no name of its own ("the old tool"), or ""."""
    found = _LEFT.match(text)
    return found["matter"] if found is not None and _VAGUE.search(found["matter"]) else ""
