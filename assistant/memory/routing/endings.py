"""Whether the user's words say that something is over, and whether something comes in its place."""

from __future__ import annotations

import re

from assistant.memory.heads import language
from assistant.memory.records import Fact
from assistant.memory.routing.novelty import values
from assistant.memory.routing.values import akin, successors

__all__ = ["SUCCESSOR", "ends_only", "has_removal_cue", "renews", "without_successor"]

_BY_OTHERS = (
    r"(?:took|taken|taking) (?:\w+ ){1,6}?(?:away|off (?:me|us)|back(?! (?:to|from|in|on|up)\b))|(?:took|taken|taking) away|d(?:id|one|oing) away with|revoked|rescinded|"
    r"withdrew|confiscated|repossessed|(?:cut|struck|taken|took|dropped|removed) (?:[\w'’]+ ){0,6}?from (?:the|my|our|their)|pulled the plug|"
    r"(?:(?:is|are|was|were)(?:n['’]?t| not)|not|stopped) (?:happening|running|going ahead)|flogged|cleared off|knocked .{1,40} on the head|"
    r"sack(?:ed|ing) .{0,20}off|chuck(?:ed|ing) .{0,20}in|call(?:ed|ing) time on|c[ao]me to (?:nothing|an end)|bit(?:ten)? the dust|threw in the towel|thrown in the towel|"
    r"have(?:n['’]?t| not) got an?y? |has(?:n['’]?t| not) got an?y? |shelved|mothballed|canned|wound up|said? goodbye to|(?:wash(?:ed)?|washing) (?:my|our) hands of|turned (?:my|our) backs? on"
)
"""An end told of what somebody else, or nobody named, has done, or by a turn of phrase."""
_NO_END = re.compile(
    r"\b(?:an?|the|my|our|art) history\b|\bhistory (?:of|teachers?|class|lessons?|degree|books?)\b"
    r"|\b(?:don['’]?t|do not|never|won['’]?t|did(?:n['’]?t| not)|not to) (?:ever )?forget\b"
    r"|\bleft[- ]?(?:handed|hander|footed)\b|\bleft (?:hand|foot|ear|eye|knee|hip|leg|arm|side|shoulder|ankle|wrist|lung|breast|thumb|turn|lane|wing|back)s?\b"
    r"|\b(?:in|on|to|with|by|of) (?:the |my |his |her |their )?left\b(?! (?:the|my|our)\b)|\b(?:a|an|as a) (?:\w+ )?retired\b"
    r"|(?:\b(?:is|are|was|were)|['’]s) (?:out|off|over) (?=(?:in|on|at|by|near|behind)\b)",
    re.IGNORECASE,
)
"""Words of an end that tell of none: "a history of salt", "don't forget", "deaf in the left ear", "a retired seamstress"."""
_TAKEN = re.compile(rf"\b(?:{_BY_OTHERS})\b", re.IGNORECASE)

_ENDS = re.compile(
    r"\b(?:quit|gave up|given up|gave (?:it|them|that|the \w+) (?:up|back)|retired|resign(?:ed|s)|(?:stepped|stood) down|stepped back|moved out|passed away|died|(?:took|taken) .{1,30} (?:out|down|off)|handed .{1,30} (?:back|over|in)|(?:packed|jacked) .{0,30}in|pulled|binned|axed|let .{1,40} go|"
    r"stopped|scrapped|dropped|ditched|cancell?ed|called (?:it|that|things|everything|.{1,20}) (?:off|quits|a day)|got rid of|sold|left|off the|let .{1,40} (?:lapse|go|expire|run out)|ran out|run its course|no more|lapsed|expired|"
    r"(?:pulled|dropped|backed|bowed|opted|walked|moved) (?:out|away)|parted (?:ways|company)|split up|broke (?:up|off|it off)|broken off|over with|done with|through with|went (?:bust|under|back)|"
    r"given away|gave .{1,30} away|turned down|cleared up|healed|cured|went away|gone for good|for good|paid off|fizzled out|won't .{1,40} after all|not .{1,40} after all|came off|taken (?:down|offline)|withdrawn|"
    r"no longer|(?:not|\w+n['’]?t) .{1,40} any ?(?:more|longer)|no .{1,40} any longer|(?:is|are|was|were|it's|'s) (?:over|off|dead|cancell?ed|history|no more|finished|gone(?! (?:up|down|to|from|over|with|on|vegan|veggie|part|full|freelance|back to)))|fell through|folded|disbanded|closed|shut down|"
    rf"{_BY_OTHERS}|ripped .{{0,20}}out|put .{{1,20}} (?:to sleep|down)|(?:['’]s|is|are) paid(?! \w)|nothing (?:in its place|instead)|not replacing)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\b(?:now|instead|these days)\b|[,;:] (?:and |so |but )?(?:i|we)(?:['’](?:m|ve|re))? ", re.IGNORECASE
)
_REPLACED = re.compile(
    r"\b(?:now|instead|these days|nowadays|got|bought|has|have|replaced|switched|swapped|changed|became|becomes|becoming|joined|start(?:ed|ing|s)?|took up|takes over|took over|moved (?:to|into|in)|new|other|another|only|but|until|except|still|down to|up to)\b"
    r"|\bfor (?!good\b|ever\b|now\b|me\b|us\b|a while\b|the (?:time|best|season)\b)\w+\W*$",
    re.IGNORECASE,
)
"""Something goes on in the place of what has ended, or part of it does."""
SUCCESSOR = re.compile(
    r"\b(?:(?:switch\w*|migrat\w+|convert\w+) (?:\w+ ){0,2}?(?:over )?|(?:gone|went) over )(?:to|onto)\b"
    r"|\b(?:put|moved|switched|transferred|shifted|promoted) (?:me|us|him|her|them) (?:over |up |on)?(?:on|onto|to|into) "
    r"|(?<!nothing )(?<!nobody )\binstead\b(?! of)|\breplaced (?:by|with)\b|\bmoved in with\b|\b(?:put|moved|host\w*) (?:it|them|everything|the lot) (?:over )?(?:on|to|onto|with|at)\b|\bswapp?ed \w+ for\b|\band (?:gave|bought|took up|got an?)\b",
    re.IGNORECASE,
)
"""What takes the place of the old is told in the same breath."""
_ABSENT = re.compile(
    r"^\W*(?:and |so |but )?(?:no (?!need|idea|problem|worries|way|one knows|please)|nobody|nothing|none of|not (?:one|a single))\b",
    re.IGNORECASE,
)
"""It opens with there being none."""
_NONE_OF = re.compile(
    r"^\W*(?:and |so |but )?(?:no(?: more)?|not (?:one|a single)) (?P<what>(?!one\b|need\b|idea\b|more\b)\w+(?: \w+)?)",
    re.IGNORECASE,
)
_WISH = re.compile(r"\b(?:please|pls|wants?|prefers?)\b", re.IGNORECASE)
_HOLDS_NOW = re.compile(
    r"\b(?:(?<!for )now|(?<!nothing )instead|these days|nowadays|replaced|swapped|became|joined|start(?:ed|ing|s)?|took (?:up|on)|takes over|took over|moved (?:to|into|in)|new|bought|got an?|gave|another|until|except|but|still|just|it['’]?s an?|everything goes|use|uses|using)\b",
    re.IGNORECASE,
)
"""Besides the end: something goes on."""
_DROPPED = re.compile(
    r"\b(?:won['’]?t|will not|(?:i['’]m|we['’]re|am|are) not|not going to|decided (?:against|not))\b",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    rf"{language.CUES['plan'].pattern}|\b(?:prepar|train|sav|look|stand|apply|appl|sign)\w* (?:up )?(?:for|to)\b|\b(?:booked|entered)\b",
    re.IGNORECASE,
)
"""A fact that tells of something to come."""
_FORM = re.compile(r"(?:ing|ed|er|s)$")
_TITLE = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof|St)\.")
_PARTS = re.compile(r"[,;:.!?]\s+|\s+(?:and|so|but)\s+")
_NOW_NONE = re.compile(
    r"(?P<none>\b(?:no|nothing|nobody|none|not|without)\b[^,;.:]*?) (?:now|instead|these days)\b|\bnow (?=no(?:thing|body|ne)?\b)",
    re.IGNORECASE,
)
""" "No fixed day now": nothing is said to take the place of the old."""
_NOW = re.compile(r"\b(?:(?<!for )now|these days|nowadays|from now on)\b", re.IGNORECASE)
_UNSURE = re.compile(
    r"\b(?:might|may|maybe|perhaps|if|could|would|should|consider\w*|thinking|thinks?|almost|nearly|asks?|asked|whether|want(?:s|ed)?|wish\w*|plan(?:s|ning)|haven't|hasn't|didn't|never|used to|years? ago|in my (?:teens|twenties|thirties|youth)|as a (?:child|kid|student|teenager)|former(?:ly)?|back (?:then|in))\b|\?\W*$",
    re.IGNORECASE,
)
"""An end that is not certain, or long past."""
_WHEN = re.compile(
    r"\b(?:after|for|in|since|about|nearly|over) (?:the |all |more than |almost )?(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|many|all those) (?:\w+ )?(?:days?|weeks?|months?|years?|seasons?)\b"
    r"|\b(?:last|on|this|since|in|from|as of|end of|by|at) (?:the )?(?:\w+ of )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d|\d+(?:st|nd|rd|th))\b(?: \d{4})?",
    re.IGNORECASE,
)
"""When it ended: no value of what ended."""
_BESIDE = re.compile(
    r"\b(?:at|with|after|before|during|because of|thanks to) (?:the |my |our |his |her |their )?(?:old |new )?[\w'’-]+(?: [A-Z][\w'’-]+)*",
    re.IGNORECASE,
)
"""Where and by whom it came to its end: nobody's successor."""


def has_removal_cue(clause: str) -> bool:
    """Whether the user's words hold a cue that something is over: without one no fact is removed."""
    clause = _NO_END.sub("", clause)
    return any(found(clause) for found in (language.CUES["removal"].search, _ABSENT.search, _TAKEN.search))


def ends_only(clause: str) -> bool:
    """Whether the user's words say that something is over, and nothing of what takes its place."""
    clause = _as_told(clause)
    return _ENDS.search(clause) is not None and _GOES_ON.search(clause) is None


def without_successor(clause: str, fact: Fact) -> bool:
    """Whether the user's words end `fact` for certain and name nobody and nothing, no number and no date, that takes its place."""
    clause = _as_told(clause)
    parts = _PARTS.split(_TITLE.sub(r"\1", clause))
    names = language.names(clause) - language.names(fact.statement)
    over = next((place for place, part in enumerate(parts) if _ends(part, fact)), None)
    if over is None and not _is_gone(clause, fact):
        return False
    place = over or 0
    if SUCCESSOR.search(clause) or _UNSURE.search(parts[place]) or clause.rstrip().endswith("?"):
        return False
    said = _BESIDE.sub("", _WHEN.sub("", parts[place]))
    named = _new_values(said, fact) or language.roles(said) - language.roles(fact.statement)
    besides = [part for other, part in enumerate(parts) if other != place]
    follows = any(
        _HOLDS_NOW.search(part) or names & {word.removesuffix("'s") for word in language.words(part)}
        for part in besides
    )
    return not (_replaces(parts[place], fact) or named or follows)


def renews(clause: str, fact: Fact) -> bool:
    """Whether a part of the user's words tells what holds now in the place of `fact`: "my commute is by ferry now, no more tram"."""
    held = language.content(fact.statement)
    return any(
        akin(language.content(part), held)
        and bool(set(language.content(part)) - set(held))
        and (_NOW.search(part) or successors(part, fact.statement))
        and not (_ABSENT.search(part) or language.negated(part))
        for part in _PARTS.split(_as_told(clause))
    )


def _as_told(clause: str) -> str:
    """The clause without words that only look like an end, or like something that goes on."""
    return _NOW_NONE.sub(lambda found: found["none"] or "", _NO_END.sub("", clause))


def _new_values(said: str, fact: Fact) -> set[str | float]:
    """Names, numbers and dates that the fact does not hold in any form: "DJing" is no other than "DJ"."""
    held = set(language.words(fact.statement))
    new = values(said) - values(fact.statement)
    return {value for value in new if not (isinstance(value, str) and re.sub(_FORM, "", value) in held)}


def _ends(part: str, fact: Fact) -> bool:
    """It says that something is over, or that nothing will come of a plan that the fact tells."""
    planned = _AHEAD.search(fact.statement) is not None and _DROPPED.search(part) is not None
    return planned or _ENDS.search(part) is not None


def _replaces(part: str, fact: Fact) -> bool:
    """Its words put something in the place of what has ended, other than what the fact holds ("stand for mayor")."""
    held = set(language.words(fact.statement))
    return any(language.words(found[0])[-1] not in held for found in _REPLACED.finditer(part))


def _is_gone(clause: str, fact: Fact) -> bool:
    """There is none of what the fact tells, and what is said besides is of something else: "no band, that's settled"."""
    none, held = _NONE_OF.search(clause), set(language.content(fact.statement))
    if none is None or language.negated(fact.statement) or _WISH.search(f"{clause} {fact.statement}"):
        return False
    others = clause[none.end() :]
    return bool(set(language.content(none["what"])) & held) and not set(language.content(others)) & held
