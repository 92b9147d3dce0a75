"""Which words can be the verb of a sentence that somebody else is the subject of: "bookings come in", "a small dog's 85"."""

from __future__ import annotations

import re

__all__ = ["FINITE", "opens_sentence", "tells"]

_BASES = (
    "accept add agree allow answer arrive ask become begin belong break bring build burn buy call care carry charge check chip clean climb close collect come commute cook "
    "cost count cover create cry cut deal deliver depend do drink drive earn eat enjoy expect fall feed feel fetch fill find finish fit fix fly follow get give go grow "
    "handle happen hate have hear help hire hold host hurt include interfere invite join keep kick know last lead learn leave let like live lose love make manage "
    "matter mean meet mind move need occur offer open own pay pick plan play prefer prepare print produce promise provide pull push put rain raise react read rehearse rent repeat "
    "reply report rise run say schedule seem see sell send serve set share ship shut sing sit sleep smell smoke snore speak spend stand start stay stop struggle study suffer supervise swim take teach "
    "tell tend think train travel treat try turn understand use visit wait wake walk want wash watch wear win work worry write"
)
_PAST = (
    "was were had did went got made took came saw gave found told became left felt kept began brought bought taught caught fought wrote drove rose broke chose froze woke wore "
    "grew knew threw flew ate drank sang rang ran swam sat stood lost won met led fed sold held built sent spent paid said fell hid shot hung quit put cut set let hurt shut cost split died "
    "moved closed opened changed started stopped ended passed switched swapped raised bumped dropped retired happened turned joined finished worked lived asked arrived delivered cancelled canceled "
    "expired lapsed helped needed wanted hired agreed decided promised offered shifted extended folded increased decreased doubled halved improved failed kicked threw ported migrated converted rebuilt rewrote redid"
)
_AUXILIARY = (
    r"(?:is|are|was|were|am|has|have|had|does|do|did|can|could|will|would|should|must|(?-i:may)|might|(?:is|are|was|were|has|have|had|does|do|did|ca|could|wo|would|should)n['’]?t"
    r"|cannot|wont|cant|dont|doesnt|isnt|arent|didnt|hasnt)"
)


def _third(base: str) -> str:
    if base in {"have", "do", "go"}:
        return {"have": "has", "do": "does", "go": "goes"}[base]
    if re.search(r"[^aeiou]y$", base):
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{base}s"


_WORDS = sorted({*map(_third, _BASES.split()), *_PAST.split()})
_ADVERBS = r"(?:(?:also|now|just|still|only|always|never|usually|often|finally|already|really|both|all|no longer)\s+)*"
FINITE = rf"{_ADVERBS}(?:{_AUXILIARY}|{'|'.join(_WORDS)})"
"""A verb form that needs no "to" and no "I" before it, and is no noun's plural as often as a verb."""
_PLURAL_FINITE = rf"{_ADVERBS}(?:{'|'.join(_BASES.split())})"
_TELLS = re.compile(
    rf"\b(?:im|ive|weve|its|hes|shes|theyre|{FINITE})\b|['’](?:m|re|s|ve|ll|d)\b|\b(?:i|we|they|you)\s+{_ADVERBS}\w+",
    re.IGNORECASE,
)
_NO_SUBJECT = (
    r"(?:in|on|at|via|with|for|from|to|of|by|as|about|around|near|over|under|until|till|since|after|before|during|through|without|within|like|than|not|or|nor|if|when|whenever|while|because|although|though|unless|"
    r"who|whom|whose|which|that|where|why|how|what|there|here|it|he|she|they|you|i|we|this|(?:is|are|was|were|has|have|do|does|did|can|could|will|would|should)(?:n?['’]?t)?|cannot|won['’]?t|please|pls|just|only|maybe|mostly|mainly|usually|sometimes|often|always|never|also|now|then|currently|(?!everything|nothing|anything|something)\w{2,}ing(?!['’]s|\s+(?:is|are|was)\b)|\w{3,}ly)"
)
_WORD = r"(?:(?!(?:since|until|till|after|before|while|and|or|but|so|who|which|that|where|when|if|to|because|i|we|he|she|they|you|it)\b)[\w'’-]+)"
_OPENS = re.compile(
    rf"(?:the|my|our|his|her|their|an?)\s+(?:{_WORD}\s+){{1,6}}?{FINITE}\b|(?!{_NO_SUBJECT}\b|an?\s+[a-z]+ed\b)(?:{_WORD}\s+){{0,3}}?(?:{_WORD}['’]s(?=\s+(?:\d|[$€£]|an?\b|the\b|in\b|on\b|at\b|not\b|now\b|gone\b|been\b|got\b|\w+ing\b|\w+ed\b|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?-i:[A-Z])[\w'’-]+\s*(?:,|\W*$)))|{_WORD}(?<!['’]s)\s+{FINITE}\b|{_WORD}\s+and\s+{_WORD}\s+(?:are|have|were)\b|(?:[\w'’-]+[^s\W]s|people|kids|children|staff)\s+{_PLURAL_FINITE}\b(?!\s+of\b))",
    re.IGNORECASE,
)


def tells(text: str) -> bool:
    """Is there a verb in `text`, so that it can be a sentence?"""
    return _TELLS.search(text) is not None


def opens_sentence(text: str) -> bool:
    """Does `text` begin with a subject of its own and its verb ("bookings come in …"), a pronoun apart?"""
    return _OPENS.match(text) is not None
