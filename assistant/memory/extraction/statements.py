"""A clause in the user's words -> a short statement in the third person: "I run a shop" -> "User runs a shop"."""

from __future__ import annotations

import re

from assistant.memory.extraction.changes import MADE_ROOM
from assistant.memory.extraction.headcount import heads_counted
from assistant.memory.extraction.orders import NOUN_FIRST, lowered, wish
from assistant.memory.extraction.verbs import tells

__all__ = ["sentence_of", "statement_of", "trimmed"]

_FILLER = re.compile(
    r"^(?:(?:as|like) (?:i|you)(?: already| just)? (?:said|told you|know|mentioned)(?: (?:before|already|earlier|once|twice))*|"
    r"(?:(?:he+y+a?|hi+(?:ya)?|hello+|howdy|g'day|good (?:morning|afternoon|evening)|(?:morning|evening|alright)(?=\s*[,.!]))(?: (?:there|all|again|everyone))?|hoi|ok(?:ay)?|yo|so|well|oh|ah|um+|er|like|yeah|yep|nope|nah|look|listen|right|also|and|but|btw|by the way|fyi|ftr|for the record|(?:as |like )?i(?:'ve)?(?: already| just| did)? (?:told you|said|mentioned)(?: (?:this|it|that))?(?: (?:before|already|earlier|once|twice))*(?=\s*[,:;–—-])|"
    r"for context|for reference|context|quick one|quick note|just so you know|just fyi|note|heads up|honestly|tbh|actually|basically|anyway|anyways|seriously|"
    r"sorry|lol|haha|random|first of all|to repeat(?: myself)?|once more|again|in case (?:it|that) (?:matters|helps)|since you ask|"
    r"you know|i mean|i guess|i think|i reckon|thing is|the thing is|turns out|apparently|good news|bad news|update|small update|correction|no wait|wait|no(?=[,.!]| (?:i|im|we|it|that|my)\b)|yes|"
    r"remember(?: that)?|remember this|please (?:note|remember)(?: that)?|(?:just )?(?:note|keep in mind|bear in mind|know)(?: that)?|important|psa|reminder(?: that)?)\b[\s,:.!–—-]*)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:[\s,]*\b(?:lol|haha+|btw|by the way|tbh|fyi|just so you know|pls|please|thanks|thx|ok\??|right\??|you know|though|tho|anyway|(?<!call me )(?<!\bmy )(?<!\bour )(?<!\ba )(?<!best )(?<!old )(?<!crew )(?<!lab )(?<!team )(?<!school )(?<!house )(?<!flat )(?<!work )(?<!running )(?<!training )ma(?:te|n)|xd|(?:so )?(?:please )?(?:forget (?:about )?(?:it|that|that one)|strike that(?: one)?|drop that|scratch that|keep that in mind)|for good measure)\b)+[\s.!?)]*$|[\s.,;:!?–—-]+$",
    re.IGNORECASE,
)
_CONTRACTIONS = (
    (r"\b(?:i['’]?m|im)\b", "I am"),
    (r"\b(?:i['’]ve|ive)\b", "I have"),
    (r"\bi['’]d (?=been\b)", "I had "),
    (r"\bi['’]d\b", "I would"),
    (r"\bi['’]ll\b", "I will"),
    (r"\bwe['’]re\b", "we are"),
    (r"\b(?:we['’]ve|weve)\b", "we have"),
    (r"\bwe['’]d\b", "we would"),
    (r"\bwe['’]ll\b", "we will"),
    (r"\bdont\b", "don't"),
    (r"\b(?:cant|cannot)\b", "can't"),
    (r"\bwont\b", "won't"),
    (r"\bdoesnt\b", "doesn't"),
    (r"\bisnt\b", "isn't"),
    (r"\bdidnt\b", "didn't"),
    (r"\bu\b", "you"),
    (r"\bur\b", "your"),
)
_CONTRACTED = tuple((re.compile(pattern, re.IGNORECASE), full) for pattern, full in _CONTRACTIONS)
_MODAL_WORDS = "can can't could couldn't will won't would wouldn't shall should shouldn't must mustn't may might had hadn't did didn't used ought was wasn't"
_MODAL = frozenset(_MODAL_WORDS.split())
_ADVERBS_WORDS = (
    "always usually really just only also never still mostly often sometimes now already currently recently generally normally rarely hardly strictly absolutely "
    "actually basically simply mainly both all even kinda sorta definitely finally quite literally personally then ever not"
)
_ADVERBS = frozenset(_ADVERBS_WORDS.split())
_IRREGULAR_PAST_WORDS = (
    "was were had did went got made took came saw gave found told became left felt kept began brought bought thought taught caught sought fought wrote drove rode rose "
    "spoke broke chose froze stole woke wore tore swore grew knew threw flew drew blew ate drank sang rang ran swam sat stood understood lost won met led fed bred sold "
    "held built sent spent lent bent meant dealt slept swept wept crept paid said laid fell forgot forgave hid bit lit shot stuck struck swung hung dug spun heard "
    "quit put cut set let hurt shut hit rebuilt redid rewrote reset done gone cost split spread learnt burnt dreamt spelt spoilt"
)
_IRREGULAR_PAST = frozenset(_IRREGULAR_PAST_WORDS.split())
_ALSO_PRESENT = frozenset(("put", "cut", "set", "cost", "hurt", "read"))
_SPECIAL = {
    "am": "is",
    "are": "is",
    "'re": "is",
    "have": "has",
    "haven't": "hasn't",
    "do": "does",
    "don't": "doesn't",
    "aren't": "isn't",
    "were": "was",
    "weren't": "wasn't",
    "go": "goes",
    "be": "is",
}
_FIRST = re.compile(
    r"\b(?:i|we)\b(?P<adverbs>(?:\s+(?:no longer|" + "|".join(sorted(_ADVERBS)) + r"))*)\s+(?P<verb>[a-z']+)",
    re.IGNORECASE,
)
_SUBJECT = "\x01"
"""Stands for the user as the subject of a verb while a statement is built; cleaned text holds no such character."""
_TOGETHER = re.compile(
    r"^(?P<others>(?:(?:my|our) [^,.;]{1,40}?|(?-i:[A-Z])[\w'-]+) (?:and|&)) (?:i|me)(?P<adverbs>(?: (?:both|also|never|always|still))*) (?P<verb>(?!am\b|was\b)[a-z']+)",
    re.IGNORECASE,
)
"""Subjects in the plural: "my sister and I share a car", "Kasia and me are moving"."""
_INVERTED = re.compile(r"\b(?P<verb>am|are|do|have|can|will|was|were|did)\s+(?:i|we)\b", re.IGNORECASE)
_OWN = (
    (re.compile(r"\b(?:my|our)\b", re.IGNORECASE), "user's"),
    (re.compile(r"(?<!\bthe )(?<!\ba )(?<!\bcoal )(?<!\bgold )\b(?:mine|ours)\b", re.IGNORECASE), "user's"),
    (re.compile(r"\b(?:myself|ourselves)\b", re.IGNORECASE), "themselves"),
    (re.compile(r"\b(?P<how>both|all|each|neither|none) of us\b", re.IGNORECASE), r"\g<how> of them"),
    (re.compile(r"\bof us\b", re.IGNORECASE), "of user's group"),
    (re.compile(r"\b(?:me|us)\b", re.IGNORECASE), "user"),
    (re.compile(r"\b(?:i|we)\b", re.IGNORECASE), "user"),
    (re.compile(r"\byour\b", re.IGNORECASE), "the assistant's"),
    (re.compile(r"\byou\b", re.IGNORECASE), "the assistant"),
)
_YOU_DO = re.compile(
    r"\byou (?P<verb>are|were|have|do|don't|write|say|give|use|suggest|make|review|send|answer|explain|recommend|plan|list|draft|quote|find|reply|show|help|mention|add|call|book|tell|start|end|think|want|know)\b",
    re.IGNORECASE,
)
_COUNTRY = re.compile(r"\bUS\b")
_REPLACED = (
    (
        re.compile(
            r"\b(?P<verb>(?:is|are|was|were|am|costs?|pays?)(?: (?:on|in|at|to|for))?|on|in|at|to|for)(?<!\bi am) [^,.;]{1,30}?[,.;]? ?(?:no,? wait|wait,? no|sorry(?! (?:for|about|if|that|but|i|my|to)\b)|i mean|scratch that|make that|correction|or rather|oops)[\s,:.-]+(?:(?:i meant|i mean|it's|its|it is|they're|make that) )?(?=[\w$€£¥])",
            re.IGNORECASE,
        ),
        r"\g<verb> ",
    ),
    (
        re.compile(
            r"\b(?P<verb>switched|moved|changed|went|gone|migrated|swapped|converted|upgraded|downgraded|transferred)(?P<over> over)? from [^,.;]{2,40}? to (?=\S)",
            re.IGNORECASE,
        ),
        r"\g<verb> to ",
    ),
    (
        re.compile(
            r"\b(?:swapped|traded|exchanged|replaced|substituted) (?!out\b|places)[^,.;]{2,40}? (?:for|with|by) (?=\S)",
            re.IGNORECASE,
        ),
        "switched to ",
    ),
    (
        re.compile(
            r"\b(?i:left|dropped|ditched|quit) [^,.;]{2,40}? for (?=(?:an?|the|my|our) |[A-Z])(?!a (?:while|bit|week|month|year)|the (?:day|week|time|summer|winter))"
        ),
        "switched to ",
    ),
)
"""Two values in one clause, the second of which holds."""
_INSTEAD = re.compile(
    r",? (?:instead of|rather than|in place of) (?!(?:the|my|our) (?:old|other|previous|former|last|current|first)\b)[^,.;]{1,40}$|,? not [\w:.,'-]+(?: [\w'-]+)?(?: any ?more| any longer)?$",
    re.IGNORECASE,
)
_LEAVING = re.compile(
    rf"^{MADE_ROOM},\s*(?:and |so |but )?|,\s*(?:and |as |since |because )?{MADE_ROOM}\W*$", re.IGNORECASE
)
_SENTENCE_WORDS = 3
"""Fewer words than these say nothing: "I'm not religious now" loses no "not religious now"."""
_NOW = re.compile(
    r"\b(?:now|these days|nowadays|from now on|currently|since|switched|changed|moved|new)\b", re.IGNORECASE
)
_STATE_LEAD = re.compile(
    r"^(?:allergic|intolerant|based|born|married|divorced|single|widowed|retired|vegan|vegetarian|pregnant|diabetic|left-handed|type (?:1|2|one|two)\b|moored|berthed|anchored|stationed|posted|enrolled|insured|colou?r ?blind|dyslexic|deaf|blind|unemployed|self.employed|"
    r"engaged|sober|gluten.free|lactose|coeliac|celiac|autistic|currently|originally|officially|ex[- ]\w+|half-\w+|half (?-i:[A-Z])\w+|still|living|working|studying|renting|looking|thinking|training|trying|switching|moving|"
    r"about to|on (?:a|the)|(?:on|off) (?!(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|my\b|our\b|your\b|\d|second\b|top\b|purpose\b|behalf\b|that\b|this\b|which\b|to\b|time\b)[a-z]+\b(?!.*\b(?:is|are|was|were|can|should|do|does)\b)|in (?:a|my|the)|from (?!now|here|then|today|next|the|this|\d|\w+day\b|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\b)|at|not a|never been)\b",
    re.IGNORECASE,
)
_NOW_IS = re.compile(
    r"^now (?!(?:i|we|my|our|the|that|it|he|she|they|this|there|you)\b)[\w-]+\b", re.IGNORECASE
)
_NAMED_DOING = re.compile(
    r"^\w+ing\b(?:\s+[\w'’-]+){0,3}?\s+(?:is|are|was|were|has|have|starts?|costs?|moved|got|goes)\b",
    re.IGNORECASE,
)
"""Something done is spoken of, not who does it: "training is on Mondays"."""
_DOING = re.compile(
    r"^(?:doing|paying|charging|earning|getting|going|running|taking|using|making|teaching|driving|eating|drinking|seeing|dating|saving|spending|selling|learning|playing|wearing|having|hosting|expecting|caring|sleeping|commuting)\b"
    r"(?!.*\b(?:is|are|was|were|helps?|makes|sounds?|feels?|seems?)\b)",
    re.IGNORECASE,
)
_BUSY = re.compile(
    r"^(?!(?:any|every|some|no)thing\b|morning|evening|building|wedding|during|according|regarding|including|being|ceiling|meeting|training|housing|clothing|pricing|shipping|parking|heating|anything)[a-z]{3,}ing\b(?!.*\b(?:is|are|was|were|isn't|aren't|helps?|makes|sounds?|feels?|seems?|has|have|costs?|starts?|goes|got|moved|went|can|will)\b)",
    re.IGNORECASE,
)
_HAS_SUBJECT = re.compile(
    r"^(?:i|we|my|our|mine|user|he|she|they|it|his|her|their|there|that|this|these|those)\b", re.IGNORECASE
)
_SUBJECT_LATER = re.compile(
    r"^(?:in|on|at|from|since|by|for|during|after|before|as of|with|until|till|now that|once)\b(?:(?!\b(?:that|which|who|where)\b)[^,;]){2,40}?,?\s+(?:i|we|he|she|they|it(?:['’]s| is)|there|(?:my|our)\s+[\w-]+\s+(?:is|are|has|was|\w+s))\b",
    re.IGNORECASE,
)
"""A time or a place stands before the subject: "in the mornings I have my tablet"."""
_VERB_LEAD = re.compile(
    r"^(?!\w+ (?:too|so|very|really) (?:high|low|expensive|dear|cheap)\b)(?:can't|cannot|don't|didn't|haven't|couldn't|won't|never(?! (?:an?|the)\b)|have|live|work|love|hate|prefer|need|want|drive|play|run|own|speak|study|teach|drink|eat|wear|sleep|commute|rent|earn|pay|spend|"
    r"had|used to|would|hardly|rarely|usually|mostly|always had)\b",
    re.IGNORECASE,
)
_PAST_LEAD = re.compile(
    r"^(?:was (?=an? |diagnosed|born|raised|told|brought|made|let|given|laid|promoted|hired)|been|got|gone|given|done|moved|switched|quit|stopped|started|left(?! (?:hip|knee|hand|foot|arm|leg|ear|eye|side|shoulder|ankle|wrist|achilles|thumb|elbow)s?\b)|sold|bought|cancelled|canceled|dropped|scrapped|gave|joined|changed|finished|retired|lost|broke|adopted|deleted|closed|ditched|took|made|found|found out|decided|split|broke|signed|picked|passed|swapped|replaced|upgraded|renewed|booked|\w+ed (?:the|my|our|all|both|everything|an?|it|to|from|on|in|down|out|up|off|away|back))\b",
    re.IGNORECASE,
)


def statement_of(text: str) -> str:
    """Third person, one line, without fillers."""
    plain = heads_counted(_written_out(_renewed(trimmed(text.replace("’", "'")))))
    return _finish(wish(plain) or _with_subject(plain))


def sentence_of(text: str) -> str:
    """`text` in its own person, with its contractions written out and a subject, where it can be given one."""
    return _with_subject(_written_out(trimmed(text.replace("’", "'"))))


def _written_out(text: str) -> str:
    for pattern, full in _CONTRACTED:
        text = pattern.sub(full, text)
    return text


def trimmed(text: str) -> str:
    """`text` without the small words that only open or close a turn."""
    shorter = _TAIL.sub("", _FILLER.sub("", text.strip(" ,;:-–—")))
    shorter = _TAIL.sub("", shorter)
    return shorter or text.strip()


def _renewed(text: str) -> str:
    """`text` without the value that is over: "swapped X for Y" says that it is Y now; what was before is the history's to tell."""
    if _NOW.search(text):
        shorter = _LEAVING.sub("", _INSTEAD.sub("", text))
        text = shorter if len(shorter.split()) >= _SENTENCE_WORDS else text
    for pattern, what_holds in _REPLACED:
        text = pattern.sub(what_holds, text)
    return text


def _with_subject(text: str) -> str:
    """Give a clause without a subject the user as its subject, where that reads as a sentence."""
    if _HAS_SUBJECT.match(text) or _SUBJECT_LATER.match(text):
        return text
    plain = lowered(text)
    if (
        (_STATE_LEAD.match(text) and not _NAMED_DOING.match(text))
        or _DOING.match(text)
        or _BUSY.match(text)
        or (_NOW_IS.match(text) and not tells(text))
    ):
        return f"I am {plain}"
    if re.match(r"(?:been|gone|become)\b", text, re.IGNORECASE):
        return f"I have {plain}"
    only = re.match(r"(?:only|just|mostly|mainly) (?!me\b|us\b)", text, re.IGNORECASE)
    if only is not None and (_PAST_LEAD.match(text[only.end() :]) or _VERB_LEAD.match(text[only.end() :])):
        return f"I {plain}"
    if (_PAST_LEAD.match(text) or _VERB_LEAD.match(text)) and not re.match(NOUN_FIRST, text, re.IGNORECASE):
        return f"I {plain}"
    if re.match(r"no longer (?:at|in|with|on|an?|the)\b", text, re.IGNORECASE):
        return f"I am {plain}"
    if re.match(r"no\b(?! (?:more|longer)\b)", text, re.IGNORECASE) and not re.search(
        r"\b(?:is|are|was|has|have)\b", text
    ):
        return f"I have {plain}"
    return text


def _finish(text: str) -> str:
    text = _INVERTED.sub(lambda found: f"{_third(found['verb'])} {_SUBJECT}", text)
    text = _TOGETHER.sub(rf"\g<others> {_SUBJECT}\g<adverbs> \g<verb>", text)
    text = _FIRST.sub(lambda found: f"{_SUBJECT}{found['adverbs']} {_third(found['verb'])}", text)
    text = _YOU_DO.sub(lambda found: f"you {_third(found['verb'])}", text)
    text = _COUNTRY.sub("\0", text)
    for pattern, replacement in _OWN:
        text = pattern.sub(replacement, text)
    text = re.sub(r"\s+", " ", text.replace("\0", "US")).strip(" ,;:-–—")
    text = re.sub(rf"^(?:{_SUBJECT}|user\b)", "User", text).replace(_SUBJECT, "the user")
    own, them = ("their", "them") if re.match(r"User\b(?!')", text) else ("the user's", "the user")
    text = re.sub(r"\buser's\b", own, text)
    text = re.sub(r"(?<!the )\buser\b(?= (?:and|is|has|was|can|will|do|does)\b)", "the user", text)
    text = re.sub(r"(?<!the )\buser\b", them, text)
    return text[:1].upper() + text[1:]


def _third(verb: str) -> str:
    """Third person singular of a verb after I or we; past tense and modals stay."""
    low = verb.lower()
    if low in _SPECIAL:
        return _SPECIAL[low]
    if (
        low in _MODAL
        or (low in _IRREGULAR_PAST and low not in _ALSO_PRESENT)
        or (low.endswith("ed") and low not in {"need", "feed", "breed", "speed", "bleed"})
    ):
        return low
    if low.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{low}es"
    return f"{low[:-1]}ies" if re.search(r"[^aeiou]y$", low) else f"{low}s"
