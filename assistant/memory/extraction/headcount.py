"""How many people the user is among: "9 of us now", "we're a team of six"."""

from __future__ import annotations

import re

__all__ = ["heads_counted"]

_COUNTED = r"(?P<about>(?:now |only |still |about |around |just |roughly )*)(?P<count>\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty)"
_WE_ARE = r"(?:(?:we|i) (?:are|am)|there(?: are| is|'re|'s))"
_HEADS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:{_WE_ARE} )?{_COUNTED}(?: people)? of us(?= (?:now|here|in|at|on)\b|\W*$|[,.;])",
        rf"^{_WE_ARE} {_COUNTED} (?:people|persons)(?! in the world)",
        rf"^we are {_COUNTED}(?=(?: now| in all| in total)?(?:\W*$|, ))",
    )
)
"""Count the people among whom the user is."""
_GROUP = re.compile(
    r"^we are an? (?P<group>household|family|team|company|firm|band|crew|staff|co-op) of(?= (?:about |around |only |just )?(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))",
    re.IGNORECASE,
)


def heads_counted(text: str) -> str:
    """`text`, with its contractions written out, as a sentence about the group: "we are 9 now" -> "My group is 9 people now"."""
    for heads in _HEADS:
        text = heads.sub(r"My group is \g<about>\g<count> people", text)
    return _GROUP.sub(r"My \g<group> counts", text)
