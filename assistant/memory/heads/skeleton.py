"""The grammar of a clause without its topic: small and telling words stay, all else becomes a class of word.

"I run a bakery in Graz" -> i x a x in Name. What makes a clause durable is more often its frame than its subject, and
frames repeat where subjects do not.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"[^\W\d_][\w'’]*|[$€£¥]?\d[\d.,:]*\w*|[?!.,:;()=…]")
_KEPT_WORDS = (
    "i im ive i'm i've i'd i'll me my mine myself we we're we've our us you u your ur he she they it his her their its he's she's it's the a an this that "
    "these those there here am is are was were be been being have has had do does did don't dont doesn't didn't isn't isnt can can't cant could will won't "
    "wont would should must may might not no never always only just also still now already anymore usually every each all any some since from to in on at "
    "of for with by without as than then until till after before under over about into out up off and or but so because if when whenever while what how why "
    "where which who please pls btw ever today tonight tomorrow yesterday week weeks month months year years day days hours last next ago get got go goes "
    "going went want wants need love hate prefer use using used live lives living work works working moved moving switched quit stopped started stop keep "
    "give write make call say tell remember answer new old wife husband partner son daughter kid kids mum mom dad sister brother boss friend mate neighbour "
    "neighbor dog cat allergic named called says said told think thinking feel feeling"
)
_KEPT = frozenset(_KEPT_WORDS.split())


def skeleton(text: str, also: frozenset[str] = frozenset()) -> list[str]:
    """Tokens: kept words (those of `also` too) in lower case, "#" for numbers, "Name" for capitalised words, "xing", "xed", "xs", "x" for others."""
    return [_class_of(found[0], also, inside=found.start() > 0) for found in _TOKEN.finditer(text)]


def _class_of(token: str, also: frozenset[str], *, inside: bool) -> str:
    low = token.lower().replace("’", "'")
    if low in _KEPT or low in also or not token[0].isalnum():
        return "#" if token[0] in "$€£¥" else low
    if token[0].isdigit():
        return "#"
    if inside and token[0].isupper():
        return "Name"
    ending = next((ending for ending in ("ing", "ed", "s") if low.endswith(ending)), "")
    return f"x{ending}"
