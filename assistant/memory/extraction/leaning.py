"""Clauses that say nothing without the one before: "it's permanent", "I've boycotted them since 2019", "31 years".

Kept on its own such a clause would be a fact about nobody knows what; with the clause it leans on it is that fact's detail.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.memory.extraction.clauses import Clause
from assistant.memory.extraction.guards import of_others, refused
from assistant.memory.extraction.keys import owner_of
from assistant.memory.extraction.verbs import opens_sentence, tells
from assistant.memory.heads import language

__all__ = ["comments", "fragment", "whole"]

_POINTS_BACK = re.compile(
    r"^(?:i['’]?m|i am|we['’]re|we are) (?:allergic|intolerant|addicted|sensitive)\W*$|^(?:please |pls |just |always |never |so |and )*(?:put|use|add|keep|mention|include|apply|write|say) (?:that|this|it)\b|^(?:it|its|they|these|those|this|that)\b|^(?:it|that|they)['’]|"
    r"(?<!/)\b(?:them|it|those|both|either|that one|this one|the same|the new one|the other)\W*$|"
    r"\b(?:(?<!like )\b(?:it|them)(?= (?:for|since|in|at|on|with|to|because|every|all|too|as|away|out|off)\b)|those days|(?:under|over|below|within|before|after|like|than|respect) (?:that|those|it)(?! (?:better|best|more|when|if)\b)|schedule stuff then)\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:am|is|are|was|were|be|been|has|have|had|do|does|did|can|can['’]?t|will|won['’]?t|need|needs|want|wants|use|uses|got|get|go|goes|live|lives|work|works|eat|eats|\w+ed|\w+ing|don['’]?t|doesn['’]?t)\b|['’](?:m|re|s|ve)\b",
    re.IGNORECASE,
)
_SPEAKS_OF_SELF = re.compile(r"^(?:i|we|my|our)\b(?=\s+\S)", re.IGNORECASE)
_OF_USER = re.compile(r"^(?:the )?user\b(?!['’]s? [\w'’-]+(?: [\w'’-]+)?$)", re.IGNORECASE)
_DONE_TO_IT = re.compile(
    r"^(?:they|he|she|user|the user|doc|doctor|(?:user's |the )?(?:boss|landlord|landlady|doctor|bank|school|council|company))\s+(?:(?:has|have|just|now)\s+)*(?!is\b|was\b|has\b)\w+(?:ed|t|s|d|ut|ave|old)\s+(?:it|them|that)\b(?!\s+(?:is|was))(?!.*\b(?-i:[A-Z]))",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"^[\w' -]{2,30}\s*[:=]\s*\S")
_FRAGMENT_WORDS = 3
"""A clause of no more words than this and without a verb only adds to what was said."""
_THEY_DID = re.compile(
    r"^they(?:['’](?:ve|re)| have| just| are)*\s+(?!are\b|were\b)\w+\s+(?:me|us|my|our)\b", re.IGNORECASE
)
"""Who "they" are does not matter: "they put me on the late shift"."""
_COMMENT = re.compile(
    r"^(?!(?:i|we|my|our|he|she|they|it)\b)(?:(?:the|most|all|some|these|those|life|that)\s+)?[a-z'’-]+(?:\s+[a-z-]+)?(?:\s+(?:is|are|was|were|isn['’]t|aren['’]t|get|gets|got|went|tastes?|feels?|looks?|smells?)|(?<=\w)['’]s)\s+"
    r"(?:(?:so|too|just|really|very|a bit|quite|pretty|such|kind of|far|way|getting)\s+)*(?!(?:out|off|on|over|in|up|back)\b)[a-z'’-]+(?:\s+(?:for|to|with) (?:me|us)|\s+enough)?\W*$"
)
_FOLLOWS = re.compile(
    r"(?:and\s+)?(?:so|because|since|cos|coz|bc|as)\s+(?!(?:i|we|my|our|please|pls|give|use|write|make|tell|answer|reply|put|avoid|skip|call|don['’]t|do|never|always|only|stop|keep|no)\b)",
    re.IGNORECASE,
)
_OF_ITS_OWN = re.compile(r"\d|\b(?:now|i|we|my|our|new)\b|(?<!^)(?<!\. )\b(?-i:[A-Z])", re.IGNORECASE)
"""A number, a name or the user themself: what follows from a fact is then a fact too."""
_NOW = re.compile(r"\b(?:now|from now on|these days|instead)\b", re.IGNORECASE)
_REASON = re.compile(
    r"(?:the |my |our |their |his |her )?(?!i\b|we\b)[a-z'’-]+(?: [a-z'’-]+)? (?:was|were|got|had|changed|moved|asked|told|made|wanted|needed|closed|put|kicked|threw|let|gave|cut|shut|booked|broke|decided|insisted|said|raised)\b(?!.*\b(?:to|at|for|from|in|on) [a-z]+day)",
    re.IGNORECASE,
)
"""What somebody else did that something is otherwise now: "the hall was booked"."""
_EMPTY = 0.04
"""Probability below which a clause is a greeting or the like, on which nothing leans."""
_SURE = 0.6
"""Probability from which a leaning clause brings along the one it leans on."""


def whole(clauses: Sequence[Clause], likely: Sequence[float], least: float) -> list[tuple[Clause, float]]:
    """The clauses whose probability (0-1) reaches `least`, in order, each leaning one joined to its antecedent or left out."""
    kept: list[tuple[int, Clause, float]] = []
    for place, clause in enumerate(clauses):
        if likely[place] < least:
            continue
        if place == 0 or not leans(clause):
            kept.append((place, clause, likely[place]))
        elif kept and kept[-1][0] == place - 1:
            kept[-1] = (place, _joined(kept[-1][1], clause), max(kept[-1][2], likely[place]))
        elif likely[place] >= _SURE and not (
            refused(clauses[place - 1]) or of_others(clauses[place - 1].text)
        ):
            empty = likely[place - 1] < _EMPTY
            kept.append((place, clause if empty else _joined(clauses[place - 1], clause), likely[place]))
    if [place for place, _, _ in kept[:2]] == [0, 1] and _POINTS_BACK.search(clauses[0].text.strip()):
        kept = kept[1:]  # "landlord raised it, the rent is 940 now": what "it" is, the next clause says
    return [(clause, certainty) for _, clause, certainty in kept]


def fragment(statement: str) -> bool:
    """Is `statement` no sentence: nobody does anything in it, and it names no slot ("14 days", "local tips"); or only done to "it"?"""
    if _DONE_TO_IT.match(statement):
        return True
    return not (
        _OF_USER.match(statement) or _ENTRY.search(statement) or tells(statement) or opens_sentence(statement)
    )


def comments(clause: Clause) -> bool:
    """Is this only what somebody thinks of a thing that is nobody's ("plain files are safer"), or what follows from the fact before?"""
    if clause.first:
        return False
    text = clause.text
    if _gives_reason(clause):
        return True
    if _FOLLOWS.match(clause.words) and not _OF_ITS_OWN.search(text):
        return True
    return _COMMENT.match(text) is not None and not (language.cue("removal", text) or owner_of(text))


def _gives_reason(clause: Clause) -> bool:
    """ "school changed its hours", said behind "they come on Mondays now": why it is so, and no fact beside it."""
    before = clause.sentence.partition(clause.words)[0]
    told = _NOW.search(before) is not None and _REASON.match(clause.text) is not None
    return told and not _OF_ITS_OWN.search(clause.text[1:])


def leans(clause: Clause) -> bool:
    """Does the clause point back, or is it too little to stand alone?"""
    text = clause.text.strip()
    short = len(text.split()) <= _FRAGMENT_WORDS and not _VERB.search(text)
    if _THEY_DID.match(text):
        return False
    return (short and not _SPEAKS_OF_SELF.match(text)) or _POINTS_BACK.search(text) is not None


def _joined(before: Clause, after: Clause) -> Clause:
    return replace(
        before, words=f"{before.words}, {after.words}", text=f"{before.text.rstrip(' .!,;')}, {after.text}"
    )
