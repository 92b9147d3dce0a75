"""What the keys say beside the routing head: facts of one slot replace each other, facts without a word in common do not repeat each other.

The head reads sentences; the key tells which slot they fill. Only candidates and facts that have keys are judged here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from assistant.memory.extraction.slots import MANY, RELATIONS, SLOTS
from assistant.memory.heads import language
from assistant.memory.heads.routing import Options
from assistant.memory.records import Candidate, Fact
from assistant.memory.routing.arguments import hands_over, of_another_part
from assistant.memory.routing.endings import ends_only, renews, without_successor
from assistant.memory.routing.novelty import difference, has_new_holder, values
from assistant.memory.routing.values import PART, SlotValue, akin, as_told, exchanged, successors

__all__ = [
    "bears_out",
    "one_slot",
    "tells_no_value",
    "tells_nothing_alone",
    "weighed_by_end",
    "weighed_by_repeat",
    "weighed_by_slot",
    "weighed_by_succession",
]

_HELD_BACK = 0.1
"""Share of a probability that stays where the keys speak against it."""
_CHANGING_WORDS = (
    "moved moves moving changed switched started stopped left lost gone new old raised cut found find took take got gave give went "
    "sold sell closed stop quit dropped cancelled ended bumped pushed shifted extended went do doing make today week month"
)
_CHANGING = frozenset(language.stem(word) for word in _CHANGING_WORDS.split())
"""Two facts that share only such a word share nothing."""
_ANYTHING = frozenset(
    map(language.stem, ("plans", "things", "stuff", "everything", "news", "story", "situation"))
)
"""What can change without its being said what it is."""
_MUCH_THE_SAME = 0.45
"""Cosine from which two texts are about one matter without a word in common."""
_ONE_MATTER = 0.65
"""Cosine from which a value that differs tells more of two texts than their keys do, which were read from the words alone."""
_TOLD_BEFORE = 0.33
"""Cosine from which a fact may be what the user says was told before."""
_SINGLE = frozenset(slot for slot, _ in SLOTS) - MANY
_GENERAL = frozenset(RELATIONS) | {"likes", "dislikes", "user", "thing", "new", "old", "fact"}
"""Parts of keys that two facts may share without being about the same matter."""
_HOLDS = re.compile(
    r"\b(?:now|instead|these days|nowadays|from now on|new|changed|switched|moved|became|gone|since)\b",
    re.IGNORECASE,
)


_LEFT = re.compile(r"\b(?:out of|away from|(?:moved|move) from|no longer in) (?P<old>[A-Z][\w'’-]+)")
_INSTEAD_OF = re.compile(
    r"\b(?:instead of|rather than|in place of) (?:the |my |our )?(?P<old>[\w'’-]+)", re.IGNORECASE
)
_OVER = re.compile(
    r"^(?:the|our|my|user's) (?:[\w-]+ ){1,3}(?:has|have|is|are|was|were|got) (?:been )?"
    r"(?:scrapped|cancell?ed|axed|abolished|discontinued|called off|dropped|history|over|off|no more|finished)\W*$",
    re.IGNORECASE,
)
_CHANGED_ONLY = re.compile(
    r"^(?:(?:the |user's )?[\w'’-]+(?: [a-z]+)?|(?:the )?user) (?:has |have |just )*(?:switched|changed|swapped|transferred)(?: (?:the user|them|him|her|things))?"
    r"(?: (?:over|across|around|about|again|then))*(?: (?:in|on|since|last|this|at) (?:the )?(?:\w+ )?[\w]+)?\W*$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|that|this|them)\W*$", re.IGNORECASE)


def tells_nothing_alone(statement: str) -> bool:
    """Only that somebody did something to "it", that something changed, or that it is over: "Landlord raised it", "Plans changed"."""
    if _OVER.search(statement) or tells_no_value(statement):
        return True
    said = set(language.content(statement)) - {language.stem(word) for word in language.ROLES}
    if _PRONOUN.search(statement):
        return said <= _CHANGING
    return said <= _CHANGING | _ANYTHING and bool(said & _ANYTHING)


def bears_out(candidate: Candidate, fact: Fact, similarity: float) -> bool:
    """Whether a known fact may lend weight to a faint candidate: one slot, a word, a name or a part of the key in common, or much the same meaning."""
    return one_slot(candidate, fact) or _akin(candidate, fact) or similarity >= _MUCH_THE_SAME


def tells_no_value(statement: str) -> bool:
    """Only that a change was made, and neither of what nor to what: "The clinic switched the user over"."""
    return _CHANGED_ONLY.match(statement) is not None


def weighed_by_slot(
    options: Options, candidate: Candidate, facts: Sequence[Fact], similarities: Sequence[float]
) -> Options:
    """`options` (probabilities, sum 1) with the weight moved to where the keys of candidate and facts point."""
    if not candidate.key or not facts:
        return options
    add, nothing = options.add, options.nothing * _HELD_BACK
    same, changed, ended = options.same.copy(), options.changed.copy(), options.ended.copy()
    add += options.nothing - nothing
    clause = candidate.clause or candidate.statement
    elsewhere = [place for place, fact in enumerate(facts) if not one_slot(candidate, fact)]
    for place, fact in enumerate(facts):
        if one_slot(candidate, fact) and not ends_only(clause):
            changed[place] += _moved(ended, place) + (
                _moved(same, place) if _unlike(candidate, fact) else 0.0
            )
            if _HOLDS.search(clause):
                changed[place] += add * (1 - _HELD_BACK) + sum(_moved(changed, other) for other in elsewhere)
                add *= _HELD_BACK
        elif _succession(candidate, fact):
            continue  # values that stand for one another tell more than keys, which were read from the words alone
        elif ends_only(clause) and (one_slot(candidate, fact) or _matter(candidate) & _matter(fact)):
            ended[place] += _moved(same, place) + _moved(changed, place) + add * (1 - _HELD_BACK)
            add *= _HELD_BACK
        elif _speaks_against(candidate, fact, similarities[place]):
            changed[place] *= _HELD_BACK
            same[place] *= _HELD_BACK
        elif not _akin(candidate, fact):
            add += _moved(same, place)
            if similarities[place] < _MUCH_THE_SAME and _shared(candidate, fact):
                add += _moved(changed, place)
    kept = float(add + nothing + same.sum() + changed.sum()) or 1.0
    rest = (1 - float(ended.sum())) / kept  # what speaks against a change says nothing of an end
    return Options(float(add) * rest, float(nothing) * rest, same * rest, changed * rest, ended)


def _speaks_against(candidate: Candidate, fact: Fact, similarity: float) -> bool:
    """Whether the keys say that the two fill different slots."""
    if _apart(candidate, fact) or fact.key == "name":  # one's own name is not changed in passing
        return True
    holds = _HOLDS.search(candidate.clause or candidate.statement) is not None
    return _other_slot(candidate, fact) and not holds and not _another_value(candidate, fact, similarity)


def weighed_by_succession(options: Options, candidate: Candidate, facts: Sequence[Fact]) -> Options:
    """`options` with what they give to "add" and "same" moved to the one fact whose value is said to be another now.

    Only where the candidate says nothing else: "Deliveries moved to Thursday" after "the mill delivers on Tuesday".
    """
    changes = language.cue("change", f"{candidate.clause} {candidate.statement}")
    found = [
        place
        for place, fact in enumerate(facts)
        if _named_as_old(candidate, fact)
        or (changes and (_says_no_more(candidate, fact) or hands_over(candidate.statement, fact.statement)))
    ]
    if len(found) != 1:
        return options
    same, changed = options.same.copy(), options.changed.copy()
    elsewhere = sum(_moved(changed, place) for place in range(len(facts)) if place != found[0])
    changed[found[0]] += _moved(same, found[0]) + elsewhere + options.add * (1 - _HELD_BACK)
    return Options(options.add * _HELD_BACK, options.nothing, same, changed, options.ended)


def weighed_by_repeat(
    options: Options, candidate: Candidate, facts: Sequence[Fact], similarities: Sequence[float]
) -> Options:
    """`options` for what the user says was told before: what lies nearest is repeated by it, unless a value differs."""
    near = [place for place, similarity in enumerate(similarities) if similarity >= _TOLD_BEFORE]
    if not near:
        return options
    same, changed = options.same.copy(), options.changed.copy()
    for place in near:
        if not difference(candidate.statement, facts[place].statement):
            same[place] += _moved(changed, place)
    nearest = max(near, key=lambda place: (float(same[place] + changed[place]), similarities[place]))
    same[nearest] += options.add + options.nothing
    return Options(0.0, 0.0, same, changed, options.ended)


def weighed_by_end(options: Options, clause: str, facts: Sequence[Fact]) -> Options:
    """`options` with what they give to the fact found as changed or repeated moved to its end, where the words only end it, and from its end where they tell what holds now."""
    if not facts:
        return options
    same, changed, ended = options.same.copy(), options.changed.copy(), options.ended.copy()
    found = int((same + changed + ended).argmax())
    if renews(clause, facts[found]):
        changed[found] += _moved(ended, found)
    elif without_successor(clause, facts[found]):
        ended[found] += _moved(changed, found) + _moved(same, found)
    return Options(options.add, options.nothing, same, changed, ended)


Pairs = Sequence[tuple[SlotValue, SlotValue]]


def _succession(candidate: Candidate, fact: Fact) -> Pairs:
    """The values of the candidate with those of the fact in whose place they come, where both are of one matter."""
    said = as_told(candidate.statement, candidate.clause or candidate.statement)
    pairs = successors(said, fact.statement)
    mine = _besides(said, [new for new, _ in pairs])
    return pairs if akin(mine, _besides(fact.statement, [old for _, old in pairs])) else ()


def _says_no_more(candidate: Candidate, fact: Fact) -> bool:
    """It has values that come in the place of the fact's, and says nothing beside them that the fact does not hold."""
    news = [new for new, _ in _succession(candidate, fact)]
    parts = [part for part in PART.split(candidate.statement) if any(new.text in part for new in news)]
    held = language.content(fact.statement)
    return bool(parts) and all(akin({stem}, held) for part in parts for stem in _besides(part, news))


def _named_as_old(candidate: Candidate, fact: Fact) -> bool:
    """The user names what the fact holds as what something else came in the place of."""
    clause = candidate.clause or candidate.statement
    if exchanged(clause, fact.statement) or has_new_holder(clause, fact.statement):
        return True
    left = _LEFT.search(clause)
    if left and left["old"].lower() in language.names(fact.statement):
        return bool(language.names(clause) - language.names(fact.statement))
    old = _INSTEAD_OF.search(clause)
    if old is None or not set(language.words(old["old"])) & values(fact.statement):
        return False
    rest = set(language.content(clause)) - set(language.content(old["old"])) - _CHANGING
    return bool(rest & set(language.content(fact.statement)))


def _besides(text: str, values: Sequence[SlotValue]) -> set[str]:
    """Content words of a text without the values and the words of change."""
    return set(language.content(text)).difference(
        _CHANGING, *(language.content(value.text) for value in values)
    )


def _moved(weights: np.ndarray[tuple[int], np.dtype[np.float32]], place: int) -> float:
    """Take most of the weight at `place` away and return it."""
    taken = float(weights[place]) * (1 - _HELD_BACK)
    weights[place] -= taken
    return taken


def one_slot(one: Candidate | Fact, other: Candidate | Fact) -> bool:
    """Same key, of a slot that holds one fact at a time, and no two parts of one doing: "lives in Bath", "recipes live in a book"."""
    same = one.key == other.key and _single(one.key)
    return same and not of_another_part(one.statement, other.statement)


def _other_slot(candidate: Candidate, fact: Fact) -> bool:
    """Different keys, one of them at least of a known slot."""
    return candidate.key != fact.key and bool(fact.key) and (_single(candidate.key) or _single(fact.key))


def _apart(candidate: Candidate, fact: Fact) -> bool:
    """Two known slots, and not the same: an airport never takes the place of a passport."""
    mine, theirs = _slot(candidate.key), _slot(fact.key)
    return bool(mine and theirs and mine != theirs)


def _another_value(candidate: Candidate, fact: Fact, similarity: float) -> bool:
    """Nearly the same words, with another number, date or name in them."""
    return similarity >= _ONE_MATTER and bool(difference(candidate.statement, fact.statement))


def _slot(key: str) -> str:
    """The slot of a key, whoever's it is: "nursery" of daughter_nursery; "" where it is none that holds one fact at a time."""
    fitting = [slot for slot in _SINGLE if key == slot or key.endswith(f"_{slot}")]
    return max(fitting, key=len, default="")


def _single(key: str) -> bool:
    return bool(_slot(key))


def _unlike(candidate: Candidate, fact: Fact) -> bool:
    """Each says something that the other does not, and no value that the candidate names is the fact's already."""
    mine, theirs = set(language.content(candidate.statement)), set(language.content(fact.statement))
    said, held = values(candidate.statement), values(fact.statement)
    return bool(mine - theirs) and bool(theirs - mine) and not (said & held and said <= held)


def _akin(candidate: Candidate, fact: Fact) -> bool:
    """A content word or a part of the key in common."""
    return bool(_shared(candidate, fact) - _CHANGING) or bool(_matter(candidate) & _matter(fact))


def _shared(candidate: Candidate, fact: Fact) -> set[str]:
    said = {*language.content(candidate.statement), *language.content(candidate.clause)}
    return said & set(language.content(fact.statement))


def _matter(one: Candidate | Fact) -> set[str]:
    return {language.stem(part) for part in one.key.split("_") if part not in _GENERAL and len(part) > 2}
