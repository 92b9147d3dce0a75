"""What the rules forbid of what the routing head might choose: another person, one more of a kind, a value that differs."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from assistant.memory.heads import language
from assistant.memory.heads.features import Floats
from assistant.memory.heads.routing import Options
from assistant.memory.records import Candidate, Fact
from assistant.memory.routing.arguments import of_another_part
from assistant.memory.routing.novelty import difference, other_doing, other_person, other_tie
from assistant.memory.routing.renewal import only_departs
from assistant.memory.routing.values import akin

__all__ = ["bounded", "normal"]

_KEPT = 0.5
"""The gate's probability from which a candidate certainly says something."""
_SEVERAL = 4
"""Content words that are more than another way to say the same."""
_FURTHER = re.compile(
    r"\b(?:a|another|our|my) (?:second|third|fourth|further|other)\b|\banother\b|\btoo\b|\bas well\b|\balso\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\b(?:called|named|names? (?:is|are)|name[’']s)\b", re.IGNORECASE)
_THEIRS = re.compile(
    rf"\bmy (?:\w+ ){{0,2}}(?:{'|'.join(language.ROLES)})\b.*\b(?:his|her|their)\b", re.IGNORECASE
)
"""What somebody of the user's people does with what is their own."""
_ADD, _SAME, _CHANGED, _ENDED = "add", "same", "changed", "ended"
_PARTS = re.compile(r"[,;]\s+(?:and )?|\s+and\s+")
_SPECIFIED = re.compile(
    r"\b(?:the|my|our|user['’]s) (?P<what>[\w ]+?)\b(?: (?:that )?(?:i|we|user)\b[\w'’ ]*?)?(?: is|['’]s| are) (?:called |named |an? |the )?(?P<value>[\w ]+?)\W*$",
    re.IGNORECASE,
)
_OF_A_KIND = re.compile(r"\b(?:an?|some) (?:\w+ ){0,2}?(?P<what>\w+)\W*$", re.IGNORECASE)
_MONEY = r"(?:[$€£] ?\d[\d.,]*k?|\d[\d.,]*k? ?(?:[$€£]|EUR|GBP|USD|CHF|euros?|pounds|dollars|bucks|quid|francs|grand))"
_PURPOSE = re.compile(
    rf"{_MONEY}[^.;]*? (?:for|in|into|on|towards?) (?:the |an? |my |our |user['’]s )?(?P<what>[^,.;]+)",
    re.IGNORECASE,
)
_INSTRUCTS = re.compile(
    r"^\W*(?:(?:and|but|also|so) )?(?:when(?:ever)?|if|(?:each|every|any) time) (?:you|i|we)\b[^?]*, ?[^?]+$",
    re.IGNORECASE,
)
"""What the assistant is to do in one kind of case."""
_FOR_A_LIVING = re.compile(
    r"\b(?:for a living|by (?:trade|profession)|as (?:a|my) (?:job|profession)|professionally)\b",
    re.IGNORECASE,
)
_DOER = re.compile(r"(?:er|or|e)$")


def bounded(options: Options, candidate: Candidate, facts: Sequence[Fact]) -> Options:
    """The options without those that the rules forbid."""
    clause = candidate.clause or candidate.statement
    same, changed, ended = options.same.copy(), options.changed.copy(), options.ended.copy()
    add, nothing = options.add, options.nothing
    judged = candidate.statement != clause and candidate.certainty >= _KEPT and not language.asks(clause)
    if judged or _INSTRUCTS.search(clause):
        add, nothing = add + nothing, 0.0  # the gate of extraction has judged already that it says something
    theirs = language.roles(clause) if _THEIRS.search(clause) else frozenset()
    for place, fact in enumerate(facts):
        if theirs and not theirs & language.roles(fact.statement):
            add, ended[place] = add + ended[place], 0
        weights = {_ADD: add, _SAME: same[place], _CHANGED: changed[place], _ENDED: ended[place]}
        taken, given = _forbidden(candidate, clause, fact)
        weights[given] += sum(weights[option] for option in taken)
        weights |= dict.fromkeys(taken, 0.0)
        add, same[place], changed[place], ended[place] = weights.values()
    if _known_in_parts(clause, facts):
        add, nothing, changed = 0.0, nothing + add + float(changed.sum()), np.zeros_like(changed)
    return normal(add, nothing, same, changed, ended)


def _forbidden(candidate: Candidate, clause: str, fact: Fact) -> tuple[tuple[str, ...], str]:
    """The options that are forbidden beside this fact, and the one that gets what they had."""
    said, stored = candidate.statement, fact.statement
    if other_person(said, stored):
        return (_SAME, _CHANGED, _ENDED), _ADD
    if _one_more(clause, fact) or only_departs(said, stored):
        return (_CHANGED,), _ADD
    if (
        _of_another_case(clause, fact)
        or _of_another_purpose(clause, candidate, fact)
        or of_another_part(said, stored)
        or other_doing(said, stored)
    ):
        return (_SAME, _CHANGED), _ADD
    if _is_that_trade(said, stored):
        return (_ADD, _CHANGED), _SAME
    if other_tie(said, stored):
        return (_SAME,), _ADD
    if difference(said, stored) or _specifies(said, stored) or _refines(said, stored):
        return (_SAME,), _CHANGED
    if _brings_nothing(said, stored) and not language.cue("change", clause):
        return (_CHANGED,), _SAME
    return (), _ADD


def _known_in_parts(clause: str, facts: Sequence[Fact]) -> bool:
    """Each part of it repeats another fact: "dad's from Wales, mum's from Ghana"."""
    parts = _PARTS.split(clause)
    return len(parts) > 1 and all(any(_holds(fact, part) for fact in facts) for part in parts)


def _holds(fact: Fact, part: str) -> bool:
    """Everything of the part is in the fact, told of the same person."""
    said = set(language.content(part)) - {language.stem(word) for word in language.ROLES}
    known = bool(said) and said <= set(language.content(fact.statement))
    return known and language.roles(part) == language.roles(fact.statement) and not language.negated(part)


def _one_more(clause: str, fact: Fact) -> bool:
    """Another one with a name of its own: "we have a tortoise too, called Duke", beside a cat called Noodle."""
    named = _CALLED.search(clause) and _CALLED.search(fact.statement)
    return bool(named and _FURTHER.search(clause) and language.names(clause) - language.names(fact.statement))


def _of_another_case(clause: str, fact: Fact) -> bool:
    """An instruction for one kind of case, beside one that shares no word with it."""
    shared = set(language.content(clause)) & set(language.content(fact.statement))
    return _INSTRUCTS.search(clause) is not None and not shared


def _of_another_purpose(clause: str, candidate: Candidate, fact: Fact) -> bool:
    """Money for something else: "400 euros for vet bills", beside "900 euros for a new bike"."""
    mine, theirs = _PURPOSE.search(candidate.statement), _PURPOSE.search(fact.statement)
    if mine is None or theirs is None or language.cue("change", clause):
        return False
    texts = (mine["what"], theirs["what"])
    if any(language.numbers(text) or language.calendar(text) for text in texts):
        return False
    said, held = map(language.content, texts)
    return bool(said and held) and not akin(said, held)


def _specifies(said: str, stored: str) -> bool:
    """It says which one of a kind it is that the fact tells of: "my pet is a gecko", after "User has a pet"."""
    named, kind = _SPECIFIED.search(said), _OF_A_KIND.search(stored)
    if named is None or kind is None or kind["what"].lower() not in language.words(named["what"]):
        return False
    return bool(set(language.content(named["value"])) - set(language.content(stored)))


def _refines(said: str, stored: str) -> bool:
    """It tells all that the fact does, and a name or several words more: "a bakery in Southall as a night baker", after "a bakery"."""
    mine, theirs = set(language.content(said)), set(language.content(stored))
    more = mine - theirs
    named = language.names(said) - language.names(stored)
    alike = language.negated(said) == language.negated(stored)
    return bool(theirs) and theirs <= mine and alike and (len(more) >= _SEVERAL or bool(named))


def _is_that_trade(said: str, stored: str) -> bool:
    """A trade told by its verb: "I interpret in court for a living", after "User works as a court interpreter"."""
    if _FOR_A_LIVING.search(said) is None or language.roles(said) != language.roles(stored):
        return False
    does, known = language.content(_FOR_A_LIVING.sub("", said)), language.content(stored)
    roots = [_DOER.sub("", stem) for stem in known]
    return bool(does) and all(akin([_DOER.sub("", stem)], roots) for stem in does)


def _brings_nothing(said: str, stored: str) -> bool:
    """Every word of it stands in the stored fact already: such a text repeats it, and replaces nothing."""
    mine = set(language.content(said))
    return (
        bool(mine)
        and mine <= set(language.content(stored))
        and language.negated(said) == language.negated(stored)
    )


def normal(add: float, nothing: float, same: Floats, changed: Floats, ended: Floats) -> Options:
    """Scaled to sum 1."""
    total = float(add + nothing + same.sum() + changed.sum() + ended.sum()) or 1.0
    return Options(add / total, nothing / total, same / total, changed / total, ended / total)
