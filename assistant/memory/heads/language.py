"""Words the heads look at: numbers, names, negations, kin and other roles, cues of change, end, addition and repeat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+(?:[.,:]\d+)*|[?!]")
_COUNTING = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_NUMBER_WORDS = {word: float(value) for value, word in enumerate(_COUNTING.split())} | {
    "thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "seventy": 70.0, "eighty": 80.0, "ninety": 90.0,
    "hundred": 100.0, "dozen": 12.0, "once": 1.0, "twice": 2.0, "thrice": 3.0, "twin": 2.0, "twins": 2.0, "triplets": 3.0,
    "first": 1.0, "second": 2.0, "third": 3.0, "fourth": 4.0, "fifth": 5.0, "sixth": 6.0, "seventh": 7.0,
    "eighth": 8.0, "ninth": 9.0, "tenth": 10.0, "noon": 12.0, "midnight": 24.0, "both": 2.0, "couple": 2.0,
}  # fmt: skip
_TENS = "|".join(word for word, value in _NUMBER_WORDS.items() if value % 10 == 0 and 20 <= value < 100)
_ONES = "|".join(_COUNTING.split()[1:])
_SPELLED = re.compile(
    rf"\b(?P<hundreds>a|{_ONES})[ -]hundred and (?P<rest>(?:{_TENS})(?:[ -](?:{_ONES}))?|{_ONES})\b"
    rf"|\b(?P<tens>{_TENS})[ -](?P<ones>{_ONES})\b"
    rf"|\b(?P<count>{_ONES}|{_TENS})[ -](?P<scale>hundred|dozen|k|thousand|grand|million)\b"
    rf"|\b(?P<halved>{_ONES}|\d+) and a half (?P<of>k|thousand|grand|million)\b",
    re.IGNORECASE,
)
"""Numbers of several words."""
_SCALES = {
    "k": 1e3,
    "thousand": 1e3,
    "grand": 1e3,
    "m": 1e6,
    "mio": 1e6,
    "million": 1e6,
    "bn": 1e9,
    "billion": 1e9,
}
_DIGITS = re.compile(
    r"(?<![\w.])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.:]\d+)*)\s?(k|thousand|grand|m|mio|million|bn|billion|am|pm|st|nd|rd|th|h)?(?![\w])",
    re.IGNORECASE,
)
_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_MONTHS = "january february march april may june july august september october november december"
_CALENDAR = {name: name for name in f"{_DAYS} {_MONTHS}".split()} | {
    short: name for name in f"{_DAYS} {_MONTHS}".split() if name not in {"may", "march"} for short in (name[:3], name + "s")
} | {"mondays": "monday", "tues": "tuesday", "thurs": "thursday", "thur": "thursday", "sept": "september"}  # fmt: skip
_CALENDAR = {
    word: name for word, name in _CALENDAR.items() if word not in {"sun", "sat", "mar", "wed", "mon"}
}

ROLES = {
    word: role
    for role, words in {
        "mother": "mother mum mom mama mam mummy", "father": "father dad papa daddy", "parents": "parents folks",
        "sister": "sister sis sisters", "brother": "brother bro brothers", "wife": "wife", "husband": "husband hubby",
        "partner": "partner boyfriend girlfriend spouse fiance fiancee", "son": "son sons", "daughter": "daughter daughters",
        "kids": "kid kids child children", "baby": "baby newborn", "toddler": "toddler",
        "grandmother": "grandmother gran grandma granny nan nana oma", "grandfather": "grandfather grandpa grandad granddad opa",
        "aunt": "aunt auntie", "uncle": "uncle", "cousin": "cousin cousins", "niece": "niece", "nephew": "nephew",
        "twin": "twin", "stepfather": "stepfather stepdad", "stepmother": "stepmother stepmum stepmom", "ex": "ex",
        "flatmate": "flatmate roommate housemate flatmates roommates", "friend": "friend mate friends", "boss": "boss manager",
        "colleague": "colleague coworker colleagues", "neighbour": "neighbour neighbor neighbours neighbors",
        "landlord": "landlord landlady", "therapist": "therapist", "doctor": "gp doctor doc", "dentist": "dentist",
        "assistant": "intern assistant", "client": "client customer", "dog": "dog puppy", "cat": "cat kitten",
        "inlaws": "inlaws", "grandson": "grandson", "granddaughter": "granddaughter", "godson": "godson",
    }.items()
    for word in words.split()
}  # fmt: skip
_FUNCTION_WORDS = (
    "a an the and or but so of to in on at for with by from as is are was were be been being am do does did have has had having i me my "
    "mine myself we us our ours you your he him his she her hers it its they them their this that these those there here user user's users "
    "not no n't just really very quite pretty actually now then too also well still already about around roughly more less than if "
    "when what which who how why where would will can could should shall may might must get got gets getting go goes going went im ive "
    "i'm i've i'd i'll it's that's we're we've we'd he's she's they're don't doesn't didn't isn't aren't wasn't won't can't cannot "
    "yeah yes ok okay oh btw fyi lol haha hmm um uh please pls thanks up down out off over into per each every some any all"
)
_FUNCTION = frozenset(_FUNCTION_WORDS.split())
_OPPOSED = tuple(
    frozenset(words.split())
    for words in (
        "staging production prod dev test backup analytics", "upstairs downstairs attic basement", "ios android", "left right",
        "morning afternoon evening night breakfast lunch dinner bed noon", "kitchen bathroom bedroom hallway attic garage living nursery balcony",
        "summer winter spring autumn fall", "first second third fourth", "work personal private home", "front back rear", "outbound return inbound",
        "opens closes open close opening closing", "arrives leaves departs lands arrival departure", "buy sell", "eldest youngest oldest middle",
        "v1 v2 v3", "old new previous former next", "weekdays weekends", "electricity gas water broadband internet heating phone",
        "hour day week month year", "daily weekly monthly yearly", "height weight age", "novel thesis play comic story",
        "instagram tiktok youtube facebook podcast newsletter", "hotel airbnb flight train bus ferry car", "students seniors members employees contractors interns",
        "statistics calculus chemistry physics history maths", "breakfast lunch dinner supper", "mortgage savings pension loan rent salary",
        "phone laptop tablet desktop", "work works volunteer volunteers study studies studied teach teaches live lives own owns rent rents", "labels jars lids flour clay beans",
    )
)  # fmt: skip
ALTERNATIVES = frozenset().union(*_OPPOSED)
"""Words that tell one thing from another of its kind."""
NEGATIONS = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|nothing|nobody|cannot|cant|dont|doesnt|didnt|isnt|arent|wont|wasnt|ain't|"
    r"can't|hate[sd]?|dislikes?|avoids?|allergic|refuses?)\b|n't\b",
    re.IGNORECASE,
)
_CUES = {
    "removal": r"no longer|no more|any ?more|any longer|not any|(?:is|are|was|were|it['’]s) (?:off|out)|['’]s (?:off(?! (?:to|sick|work|on))|out(?! of))|f(?:ell|all|allen|alling) apart|nicked|(?:had|have) enough of|fed up with|decided against|stop(?:ped|s|ping)?|quit(?:s|ting)?|gave (?:up|away|it|them|back)|give up|giving up|given up|"
    r"sold|sell(?:ing)? off|got rid|get rid|rid of|cancel(?:l?ed|l?ing|s)?|call(?:ed)? off|end(?:ed|s)?|over and done|it's over|is over|are over|"
    r"finished|done with|through with|drop(?:ped|s|ping)?|scrap(?:ped)?|ditch(?:ed|ing)?|dump(?:ed)?|closed|shut|shut down|wound (?:up|down)|"
    r"broke up|split up|separated|divorced?|died|passed away|dead|gone|lost|left|leaving|resigned|retired|fired|laid off|let go|"
    r"remove[d]?|delet(?:e|ed)|forget|erase|strike|scratch|disregard|ignore|withdr(?:ew|awn|aw)|expired|lapsed?|lifted|abolished|repealed|"
    r"paid off|cleared|healed|cured|recovered|outgr(?:ew|own)|grew out|used to|unsubscribed?|uninstall(?:ed)?|deactivated|disbanded|dissolved|"
    r"demolished|torn down|(?:took|taken) (?:\w+ ){0,4}(?:out|down|off)|taken down|threw|thrown|binned|chucked|rehomed|returned|donated|stolen|broke|"
    r"never mind|nevermind|discontinued|phased out|retire|turned off|switched off|pull(?:ed|ing) (?:the|my|our|out)|(?:packed|jacked) (?:\w+ ){0,3}in|hung up|let (?:\w+ ){1,5}(?:go|lapse|run out)|put (?:\w+ ){0,2}down|"
    r"(?:do|does)(?:n't|n’t|nt| not) have an?y?|ha(?:ve|s) no|there(?:'s|’s| is| are) no|moved out|walked out|stepped down|sacked|axed|killed|history|went bust|fell through|called it a day|"
    r"gave notice|hand(?:ed|ing) (?:\w+ ){0,4}(?:back|over|in|on)|not renew|not doing|isn't happening|without|free of|none left|off the|ran out|run (?:out|its course)|folded|stood down|stepped back|parted (?:ways|company)|(?:backed|bowed|opted|walked|pulled) (?:out|away)|broken off|over with|"
    r"went (?:away|back|under)|turned down|fizzled out|for good|after all|called .{1,20} (?:off|quits)|withdrawn|taken offline|came off|out of the|paid the last|won't be|not going|turned out not|wrong about|not true|made (?:that|it) up",
    "change": r"now|nowadays|these days|instead|moved|moving|switched|switching|changed?|swapped|became|become|turned|went (?:up|down|from|to)|"
    r"from now on|from here on|going forward|as of|since|anymore|rather than|replaced|upgraded|downgraded|bumped|raised|lowered|increased|"
    r"dropped to|cut to|grew|down to|up to|closer to|more like|was|were|used to|slipped|pushed|postponed|rescheduled|promoted|new|current(?:ly)?|lately|"
    r"not .{1,30} but|it's .{1,20} not|and not|no longer",
    "correction": r"actually|correction|i meant|meant|mistake|wrong|typo|misspoke|turns out|sorry|in fact|scratch that|wait|misread|mixed up|i said|rather",
    "addition": r"also|too|another|as well|second|plus|additional(?:ly)?|other|extra|on top|besides|in addition|both|else",
    "repeat": r"still|as i said|like i (?:said|told)|remember|again|already|as (?:you know|mentioned|always|ever|before)|same|you know|told you|hasn't changed|"
    r"not changed|unchanged|obviously|of course|as i|yep|yes|remains?|reminder|once more|stays?|"
    r"no change|i (?:think |already |did )?(?:said|told|mentioned)|as per usual|as usual|like always|ever",
    "past": r"was|were|used to|previous(?:ly)?|former(?:ly)?|ago|last (?:year|month|week|summer|winter)|back (?:then|when)|in (?:19|20)\d\d|old|ex",
    "plan": r"will|plan(?:s|ning)?|going to|gonna|might|maybe|thinking|thinking of|want(?:s)?|hope|hoping|wish|consider(?:ing)?|if|would|could",
    "request": r"can you|could you|please|pls|help|write|give me|show me|tell me|how do|how to|what|suggest|recommend|make me|explain|draft|fix|translate",
    "chat": r"lol|haha|thanks|thx|thank you|cheers|good morning|good night|hello|hi|hey|great|nice|cool|ok|okay|perfect|awesome|ugh|wow|hmm",
}  # fmt: skip
CUES = {name: re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE) for name, pattern in _CUES.items()}
_QUESTION = re.compile(
    r"^(?:so |and |but |ok |hey |hi |um |well )*(?:who|what|what's|whats|when|where|which|why|how|is|are|am|do|does|did|can|could|should|would|will|"
    r"shall|have|has|any|isn't|aren't|don't|doesn't)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Snowball stem of one lower-case word."""
    return str(_stemmer().stem_word(word))


@lru_cache(maxsize=1)
def _stemmer():  # type: ignore[no-untyped-def]
    from py_rust_stemmers import SnowballStemmer

    return SnowballStemmer("english")


def words(text: str) -> list[str]:
    """Lower-case words, numbers, and the marks ? and !, in order."""
    return _WORD.findall(text.lower().replace("’", "'"))


def meaningful(word: str) -> bool:
    """Whether a lower-case word carries meaning of its own."""
    return word[:1].isalnum() and len(word) > 1 - word.isdigit() and word not in _FUNCTION


def content(text: str) -> list[str]:
    """Stems of the words that carry meaning, in order; possessive endings dropped."""
    return list(_content(text))


@lru_cache(maxsize=4096)
def _content(text: str) -> tuple[str, ...]:
    plain = (word.removesuffix("'s").strip("?!") for word in words(text) if word not in _FUNCTION)
    return tuple(stem(word) for word in plain if word and word not in _FUNCTION)


@lru_cache(maxsize=4096)
def numbers(text: str) -> frozenset[float]:
    """Values named in digits or words: "58k" and "58,000" are 58000, "8 pm" is 20, "a dozen" is 12, "four hundred" 400; versions and hours keep their parts."""
    text = _SPELLED.sub(_in_digits, text)
    found = {value for match in _DIGITS.finditer(text) for value in _value(match)}
    return frozenset(found | {_NUMBER_WORDS[word] for word in words(text) if word in _NUMBER_WORDS})


def _in_digits(found: re.Match[str]) -> str:
    if found["hundreds"]:
        (rest,) = numbers(found["rest"])
        return f"{_NUMBER_WORDS.get(found['hundreds'].lower(), 1.0) * 100 + rest:g}"
    if found["tens"]:
        return f"{_NUMBER_WORDS[found['tens'].lower()] + _NUMBER_WORDS[found['ones'].lower()]:g}"
    if found["halved"]:
        (whole,) = numbers(found["halved"])
        return f"{(whole + 0.5) * _SCALES[found['of'].lower()]:.0f}"
    count, scale = _NUMBER_WORDS[found["count"].lower()], found["scale"].lower()
    return f"{count * (_NUMBER_WORDS.get(scale) or _SCALES[scale]):.0f}"


def _value(match: re.Match[str]) -> list[float]:
    digits, suffix = match.group(1).replace(",", ""), (match.group(2) or "").lower()
    if ":" in digits:
        hours, minutes = digits.split(":")[:2]
        return [
            float(hours) + (12 if suffix == "pm" and hours != "12" else 0) + int(minutes.split(".")[0]) / 100
        ]
    if digits.count(".") > 1:
        return [float(part) for part in digits.split(".") if part]
    value = float(digits)
    if suffix == "pm":
        return [value + 12 if value < 12 else value]
    return [value * _SCALES.get(suffix, 1.0)]


@lru_cache(maxsize=4096)
def calendar(text: str) -> frozenset[str]:
    """Weekdays and months named, by their full English names."""
    return frozenset(_CALENDAR[word] for word in words(text) if word in _CALENDAR)


_TITLE = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof|St)\.")
_INSIDE = re.compile(r"(?<![.!?:]\s)(?<!^)\b([^\W\d_]+(?:['’][^\W\d_]+)?)")


@lru_cache(maxsize=4096)
def names(text: str) -> frozenset[str]:
    """Capitalised words that do not open a sentence, lower-cased, without calendar words, "I" and "User"."""
    found = (word for word in _INSIDE.findall(_TITLE.sub(r"\1", text)) if word[0].isupper())
    plain = {name.lower().replace("’", "'").removesuffix("'s") for name in found}
    return frozenset(
        name
        for name in plain
        if name not in _CALENDAR and name not in _FUNCTION and not name.startswith("i'")
    )


@lru_cache(maxsize=4096)
def roles(text: str) -> frozenset[str]:
    """Kin and other roles named, one word a role ("mum" and "mother" are the same)."""
    joined = re.sub(r"-in-?laws?\b", "inlaw", text.lower().replace("’", "'"))
    found = set()
    for word in words(joined):
        plain = word.removesuffix("'s").removesuffix("inlaw")
        if plain in ROLES:
            found.add(ROLES[plain] + (" in law" if "inlaw" in word else ""))
    if {"mother", "father"} <= found:
        found.add("parents")
    return frozenset(found)


def opposed(said: Sequence[str], stored: Sequence[str]) -> bool:
    """Whether the first names one of a set of alternatives ("staging") and the second another ("production") instead."""
    one, other = set(said), set(stored)
    return any((one & group) - other and (other & group) - one for group in _OPPOSED)


@lru_cache(maxsize=4096)
def negated(text: str) -> bool:
    """Whether a negation, or a verb that means one, stands in it."""
    return NEGATIONS.search(text) is not None


@lru_cache(maxsize=4096)
def cue(name: str, text: str) -> bool:
    """Whether a cue of that name ("removal", "change", …) stands in the text."""
    return CUES[name].search(text) is not None


def asks(text: str) -> bool:
    """Whether it is a question: by its end mark or its first word."""
    return text.rstrip().endswith("?") or _QUESTION.match(text.strip()) is not None


def only_asks(text: str) -> bool:
    """Whether every sentence of it is a question with its mark."""
    sentences = [part.strip() for part in re.findall(r"[^.!?\n]+[.!?]*", text) if part.strip(" .!?")]
    return bool(sentences) and all(part.endswith("?") for part in sentences)
