"""Text to the terms of the words index: folded, split, stemmed, stop words left out, and hashed.

Words of scripts that are written without spaces are cut into overlapping pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections import Counter
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py_rust_stemmers import SnowballStemmer

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
# Han, kana, Thai, Lao, Khmer, Burmese: no spaces between words.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_LONGEST = 40
"""Characters of a word that count: what is longer is no word (a key, an encoded file)."""

_FUNCTION_WORDS = """
a about above after again all also am an and any are aren't as at be because been before being below between
both but by can can't cannot could couldn't d did didn't do does doesn't doing don't down during each few for
from further had hadn't has hasn't have haven't having he he'd he'll he's her here hers herself him himself
his how i i'd i'll i'm i've if in into is isn't it it's its itself just let's ll me more most my myself no nor
not now of off on once only or other our ours ourselves out over own re s same shall she she'd she'll she's
should shouldn't so some such t than that that's the their theirs them themselves then there there's these
they they'd they'll they're they've this those through to too under until up us ve very was wasn't we we'd
we'll we're we've were weren't what what's when where which while who whom whose why will with won't would
wouldn't yes you you'd you'll you're you've your yours yourself yourselves
"""
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())


def term_counts(text: str) -> Counter[int]:
    """How often each term stands in `text`. Terms are unsigned 32-bit hashes."""
    return Counter(_hash(term) for term in terms(text))


def date_terms(said: datetime) -> Counter[int]:
    """The terms a date adds to a text: "8 May 2023" is found by day, month and year."""
    return term_counts(f"{said.day} {said:%B} {said.year}")


def speaker_term(name: str) -> int:
    """The term that marks a text as said by `name`; no word of a text can be taken for it."""
    return _hash(f"\0{name.casefold()}")


def terms(text: str) -> list[str]:
    """The terms of `text` in order: stems, and pairs of characters for scripts without spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return [term for word in _WORD.findall(folded) for term in _terms_of(word)]


def _terms_of(word: str) -> list[str]:
    if word in STOP_WORDS:
        return []
    if not word.isascii() and _UNSPACED.search(word):
        return _pairs(word)
    stem = _stem(_POSSESSIVE.sub("", word)[:_LONGEST])
    return [stem] if stem else []


def _pairs(word: str) -> list[str]:
    """Overlapping pairs inside each unspaced run; what stands between the runs is a word of its own."""
    found: list[str] = []
    for run in _UNSPACED.findall(word):
        found += [run[i : i + 2] for i in range(max(1, len(run) - 1))]
    return found + [term for other in _UNSPACED.split(word) if other for term in _terms_of(other)]


@lru_cache(maxsize=1)
def _stemmer() -> SnowballStemmer:
    from py_rust_stemmers import SnowballStemmer

    return SnowballStemmer("english")


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    stem: str = _stemmer().stem_word(word)
    return stem


def _hash(term: str) -> int:
    return zlib.crc32(term.encode("utf-8", "replace"))
