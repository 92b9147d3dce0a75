"""Features of a candidate beside stored facts: what of each has a counterpart in the other, whose they are, which cues stand there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from assistant.memory.heads import language
from assistant.memory.heads.features import Floats
from assistant.memory.heads.quantities import same_quantity
from assistant.memory.heads.reading import Reading

_CUES = tuple(language.CUES)
_ALIKE = 0.72
"""Cosine of two words in context from which they count as counterparts."""


def candidate_features(candidate: Reading, clause: str, facts: Sequence[Reading]) -> Floats:
    """What the candidate says by itself, and how near its nearest fact is. Shape (candidate features,)."""
    nearest = max((float(fact.vector @ candidate.vector) for fact in facts), default=0.0)
    overlap = max((_covered(fact.stems, candidate.stems) for fact in facts), default=0.0)
    return np.array(
        [
            *_cues(clause),
            language.asks(clause),
            candidate.negated,
            candidate.words[:1] == ("user",),
            candidate.about_user,
            "i" in candidate.words
            or "my" in candidate.words
            or "we" in candidate.words
            or "our" in candidate.words,
            len(candidate.roles) > 0,
            min(len(candidate.numbers), 3),
            min(len(candidate.names), 3),
            min(len(candidate.words), 30) / 10,
            min(len(candidate.stems), 12) / 6,
            len(facts) > 0,
            min(len(facts), 4) / 4,
            nearest,
            overlap,
        ],
        np.float32,
    )


def pair_features(clause: str, matches: Sequence[Match]) -> Floats:
    """One row a fact: the pair itself, the candidate's cues, and how this fact stands among the others. Shape (len(matches), pair features)."""
    alone = np.stack([_pair(clause, match) for match in matches])
    ranked = np.array([[match.cosine, match.kept, match.soft_kept] for match in matches], np.float32)
    return np.concatenate([alone, _standing(ranked)], axis=1).astype(np.float32)


class Match:
    """What of a fact has a counterpart in the candidate, and the other way round."""

    def __init__(self, candidate: Reading, fact: Reading) -> None:
        self.candidate, self.fact = candidate, fact
        self.cosine = float(candidate.vector @ fact.vector)
        self.kept = _covered(fact.stems, candidate.stems)
        self.known = _covered(candidate.stems, fact.stems)
        grid = candidate.matrix @ fact.matrix.T
        empty = np.zeros(0, np.float32)
        self.of_candidate = grid.max(axis=1) if grid.size else empty
        self.of_fact = grid.max(axis=0) if grid.size else empty
        self.soft_kept = float(self.of_fact.mean()) if grid.size else 0.0

    def delexicalised(self, clause: str) -> list[str]:
        """The clause's words with those of the fact as "=", like ones as "~", its numbers as "#=" and others as "#", new names as "N"."""
        alike = {
            word
            for word, score in zip(self.candidate.tokens, self.of_candidate, strict=False)
            if score >= _ALIKE
        }
        return [self._symbol(word, alike) for word in language.words(clause)]

    def _symbol(self, word: str, alike: set[str]) -> str:
        named = language.numbers(word)
        if named:
            return "#=" if named & self.fact.numbers else "#"
        plain = word.removesuffix("'s")
        root = language.stem(plain)
        if root in self.fact.stems:
            return "="
        if plain in self.candidate.names:
            return "N"
        return "~" if plain in alike else root


def _pair(clause: str, match: Match) -> Floats:
    candidate, fact = match.candidate, match.fact
    return np.array(
        [
            match.cosine,
            match.kept,
            match.known,
            *_soft(match.of_fact),
            *_soft(match.of_candidate),
            *_sets(candidate.numbers, fact.numbers),
            *_sets(candidate.calendar, fact.calendar),
            *_sets(candidate.roles, fact.roles),
            *_names(candidate, fact),
            candidate.about_user,
            fact.about_user,
            candidate.about_user and fact.about_user,
            candidate.negated,
            fact.negated,
            candidate.negated != fact.negated,
            _reversed(candidate, fact),
            *_apart(candidate, fact),
            *_slot(match),
            language.opposed(candidate.words, fact.words),
            len(fact.stems) > 0 and match.kept == 1.0,
            same_quantity(candidate.quantities, fact.quantities),
            _nearness(clause, match, "removal"),
            _nearness(clause, match, "change"),
            *_cues(clause),
            language.asks(clause),
            candidate.words[:1] == ("user",),
            language.cue("past", fact.text),
            language.cue("plan", fact.text),
            min(len(candidate.stems), 12) / 6,
            min(len(fact.stems), 12) / 6,
        ],
        np.float32,
    )


def _cues(clause: str) -> list[float]:
    return [float(language.cue(name, clause)) for name in _CUES]


def _covered(part: Sequence[str], whole: Sequence[str]) -> float:
    """Share of the stems of `part` that stand in `whole`, 0 to 1."""
    return sum(stem in whole for stem in part) / len(part) if part else 0.0


def _soft(best: Floats) -> list[float]:
    """Mean, the two lowest, the first and the last of the best matches of a text's words, and how many have none."""
    if not best.size:
        return [0.0] * 6
    lowest = np.sort(best)[:2]
    return [
        float(best.mean()), float(lowest[0]), float(lowest[-1]), float(best[0]), float(best[-1]),
        float((best < _ALIKE).sum()) / 4,
    ]  # fmt: skip


def _sets(said: frozenset[float] | frozenset[str], stored: frozenset[float] | frozenset[str]) -> list[float]:
    """Whether the two name the same things, only the one does, only the other, and whether both do without one in common."""
    shared, new, missing = said & stored, said - stored, stored - said
    return [
        float(bool(shared)),
        float(bool(new)),
        float(bool(missing)),
        float(bool(said and stored and not shared)),
    ]


def _names(candidate: Reading, fact: Reading) -> list[float]:
    """Names are matched against all words of the other text: many people type without capitals."""
    missing = {name for name in fact.names if not _named(name, candidate)}
    new = {name for name in candidate.names if not _named(name, fact)}
    return [
        float(bool(fact.names)), float(bool(fact.names - missing)), float(bool(missing)), float(bool(new)),
        float(bool(new and missing)),
    ]  # fmt: skip


def _apart(candidate: Reading, fact: Reading) -> list[float]:
    """How many numbers, dates and names only the one holds, and the least of both: a value that changes is one of each, another thing beside two."""
    said, stored = (
        {
            *one.numbers,
            *one.calendar,
            *one.names,
            *(word for word in one.words if word in language.ALTERNATIVES),
        }
        for one in (candidate, fact)
    )
    new = {item for item in said - stored if not (isinstance(item, str) and _named(item, fact))}
    missing = {item for item in stored - said if not (isinstance(item, str) and _named(item, candidate))}
    return [min(len(new), 3) / 2, min(len(missing), 3) / 2, min(len(new), len(missing), 3) / 2]


def _named(name: str, text: Reading) -> bool:
    return any(word.removesuffix("'s") == name for word in text.words)


def _slot(match: Match) -> list[float]:
    """How much of the fact's slot (all but its value) and of its value (numbers, names, dates, the last word) has a counterpart."""
    fact = match.fact
    named = {
        word for word in fact.tokens if word in fact.names or word in fact.calendar or language.numbers(word)
    }
    is_value = np.array(
        [word in named for word in fact.tokens] if named else [False] * (len(fact.tokens) - 1) + [True],
        np.bool_,
    )
    if not len(fact.tokens) or not match.of_fact.size:
        return [0.0] * 4
    slot, value = match.of_fact[~is_value], match.of_fact[is_value]
    return [
        float(slot.mean()) if slot.size else 1.0,
        float(slot.min()) if slot.size else 1.0,
        float(value.mean()) if value.size else 1.0,
        float(value.min()) if value.size else 1.0,
    ]


def _reversed(candidate: Reading, fact: Reading) -> float:
    """1 when the words both share stand in another order in each."""
    shared = [stem for stem in dict.fromkeys(fact.stems) if stem in candidate.stems]
    places = [candidate.stems.index(stem) for stem in shared]
    return float(any(after < before for before, after in pairwise(places)))


def _nearness(clause: str, match: Match, cue: str) -> float:
    """How near a cue stands to a word of the fact in the clause: 1 beside it, 0 when six or more words away or absent."""
    held = [place for place, stem in enumerate(_stems(clause)) if stem in match.fact.stems]
    gap = min((abs(one - other) for one in _cue_places(clause, cue) for other in held), default=6)
    return max(0.0, 1 - gap / 6)


@lru_cache(maxsize=256)
def _cue_places(clause: str, cue: str) -> tuple[int, ...]:
    """Before which words of the clause, counted from 0, a cue begins."""
    return tuple(clause[: found.start()].count(" ") for found in language.CUES[cue].finditer(clause))


@lru_cache(maxsize=256)
def _stems(clause: str) -> tuple[str, ...]:
    """The stem of each word, of whatever kind it is."""
    plain = (word.strip(".,!?;:()\"'").removesuffix("'s") for word in clause.lower().split())
    return tuple(language.stem(word) for word in plain)


def _standing(ranked: Floats) -> Floats:
    """For each column: how far above the best of the other facts this one is, and how far below the best of all."""
    others = np.full_like(ranked, 0.0)
    for row in range(len(ranked)):
        rest = np.delete(ranked, row, axis=0)
        others[row] = rest.max(axis=0) if len(rest) else 0.0
    return np.concatenate([ranked - others, (ranked >= ranked.max(axis=0)).astype(np.float32)], axis=1)
