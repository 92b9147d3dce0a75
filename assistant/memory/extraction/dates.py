"""Relative dates made absolute from the turn's own time: "next Tuesday" said on 14 May 2026 is 19 May 2026, whenever it is read."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

__all__ = ["absolute", "since"]

_COUNT = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,3}|a couple of|a few)"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_RELATIVE = re.compile(
    rf"\b(?P<phrase>(?:the day (?:after|before) )?(?:today|tonight|tomorrow|yesterday)|last night|(?:next|this|last|this coming|this past) (?:{_WEEKDAY}|week|month|year)|"
    rf"in {_COUNT} (?:days?|weeks?|months?|years?)(?!['’ ]* (?:time )?old)|{_COUNT} (?:days?|weeks?|months?|years?) ago)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\b(?:days?|weeks?|months?|years?) ago$|^in \S", re.IGNORECASE)
"""Spans of time stay beside the date they led to: "in two years" may have been a round number."""
_WEEKDAYS = re.compile(rf"\b{_WEEKDAY}$")
_NOT_A_DATE = re.compile(
    r"\b(?:every|each|the|my|his|her|their|our|the very|its|until|per|than)\s*$", re.IGNORECASE
)
_PREPOSITION = re.compile(
    r"\b(?:on|from|until|till|since|by|for|before|after|of|starting|to)\s*$", re.IGNORECASE
)
_SINCE = re.compile(
    r"\b(?:since|as of|from|starting|in)\s+(?:(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+)?(?P<year>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def absolute(text: str, said: datetime) -> str:
    """`text` with its relative dates replaced by the dates they meant when it was said (local time of the machine)."""
    local = said.astimezone()
    pieces: list[str] = []
    start = 0
    for found in _RELATIVE.finditer(text):
        before = text[: found.start()]
        named = "" if _NOT_A_DATE.search(before) else _named(found["phrase"].lower(), local)
        if not named:
            continue
        if _PREPOSITION.search(before):
            named = named.split(" ", 1)[1]
        if _COUNTED.search(found["phrase"]):
            named += f" (“{found['phrase']}”)"
        pieces += [text[start : found.start()], named]
        start = found.end()
    return "".join([*pieces, text[start:]])


def since(statement: str, said: datetime) -> datetime | None:
    """When the statement says it became true, if it names a year (and month) that is past; UTC."""
    found = _SINCE.search(statement)
    if found is None:
        return None
    month = _MONTHS.index(found["month"].lower()) + 1 if found["month"] else 1
    began = datetime(int(found["year"]), month, 1, tzinfo=UTC)
    return began if began <= said else None


def _named(phrase: str, local: datetime) -> str:
    """ "on 19 May 2026", "in the week of 18 May 2026", "in June 2026", "in 2027"; "" when it cannot be told."""
    meant = _parsed(phrase, local)
    if meant is None:
        return ""
    if "year" in phrase:
        return f"in {meant.year}"
    if "month" in phrase:
        return f"in {meant:%B %Y}"
    if phrase.endswith(" week"):
        return f"in the week of {_day(meant - timedelta(days=meant.weekday()))}"
    exact = _WEEKDAYS.search(phrase)
    return f"on {meant:%A} {_day(meant)}" if exact else f"on {_day(meant)}"


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _parsed(phrase: str, local: datetime) -> date | None:
    import dateparser

    shifts = {"the day after ": 1, "the day before ": -1}
    shift = next((days for lead, days in shifts.items() if phrase.startswith(lead)), 0)
    plain = re.sub(r"^(?:the day (?:after|before) )", "", phrase)
    plain = (
        plain.replace("tonight", "today")
        .replace("last night", "yesterday")
        .replace("this coming", "next")
        .replace("this past", "last")
    )
    plain = (
        re.sub(r"^this (?=week|month|year)", "in 0 ", plain).replace("a couple of", "2").replace("a few", "3")
    )
    plain = re.sub(r"^this ", "", plain)
    settings = {"RELATIVE_BASE": local.replace(tzinfo=None), "PREFER_DATES_FROM": "future"}
    found = dateparser.parse(plain, languages=["en"], settings=settings)
    return None if found is None else found.date() + timedelta(days=shift)
