"""Time in a question: "last week", "in March", "since 5 May 2024", "before I moved" -> when the turns asked for were said.

A cheap pattern decides whether there is anything to read; only then dateparser is imported. It reads the phrase as a date
with a period (day, week, month, year) from the past, in the user's zone; the result is in UTC.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dateparser.date import DateDataParser

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_COUNT = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|a few|few)"
_UNIT = r"(?:day|week|month|year)s?"
_PHRASE = (
    rf"\d{{4}}-\d\d(?:-\d\d)?|{_DAY} (?:of )?{_MONTH}\b(?:,? \d{{4}})?|{_MONTH} {_DAY}\b(?:,? \d{{4}})?"
    rf"|{_MONTH},? (?:19|20)\d\d|(?:19|20)\d\d|{_MONTH}\b"
    rf"|the day before yesterday|yesterday|today|tonight|last night|this (?:morning|afternoon|evening)"
    rf"|(?:last|this) (?:week(?:end)?|month|year|{_WEEKDAY})|{_WEEKDAY}"
    rf"|(?:the )?(?:last|past) {_COUNT} {_UNIT}|{_COUNT} {_UNIT} ago"
)
_LEADS = r"in|on|from|during|since|before|after|until|till|by|of|back in"
_TIME = re.compile(rf"\b(?:(?P<lead>{_LEADS}) )?(?P<phrase>{_PHRASE})\b", re.IGNORECASE)
# A bare month, year or weekday is a time only after a preposition: "may I", "march on", "2023 euros".
_BARE = re.compile(rf"(?:{_MONTH}|{_WEEKDAY}|(?:19|20)\d\d)", re.IGNORECASE)
_EVENT = re.compile(
    r"\b(?P<lead>before|after|since|until|till|when) (?P<event>(?:i|we|my|our|the) [^?.,;!]{3,60})",
    re.IGNORECASE,
)
_LATEST = re.compile(
    r"\b(?:where (?:did )?we (?:left|leave) off|(?:last|previous) (?:time|conversation|chat|session)|just (?:said|told))\b",
    re.IGNORECASE,
)
_ROLLING = re.compile(rf"(?:the )?(?:last|past) ({_COUNT}) ({_UNIT})", re.IGNORECASE)
_NUMBERS = {
    **dict.fromkeys(("a", "an", "one"), 1),
    **dict.fromkeys(("two", "a couple of"), 2),
    **dict.fromkeys(("three", "a few", "few"), 3),
    **{
        word: number
        for number, word in enumerate(("four", "five", "six", "seven", "eight", "nine", "ten"), 4)
    },
}
_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}


class Side(StrEnum):
    """Where the turns asked for lie, seen from an event."""

    BEFORE = "before"
    AFTER = "after"
    AT = "when"


@dataclass(frozen=True, slots=True)
class Times:
    """When the turns asked for were said: `after` <= said < `before`, UTC, None where open; both None: the latest there are.

    `phrase` stands in the question. `event` is set where the bound is something that happened ("I moved"), to be looked
    up: then `side` says on which side of it.
    """

    phrase: str
    after: datetime | None = None
    before: datetime | None = None
    event: str = ""
    side: Side = Side.AT


def times_in(question: str, now: datetime, zone: tzinfo | None = None) -> Times | None:
    """What `question` says about time, or None. `now` is aware; `zone` is the user's (None: this machine's)."""
    found = next((match for match in _TIME.finditer(question) if _is_time(match)), None)
    if found:
        local = now.astimezone(zone).replace(tzinfo=None)
        span = _span(found["phrase"].lower(), local)
        if span:
            return _bounded(found.group(), (found["lead"] or "").lower(), span, zone)
    if event := _EVENT.search(question):
        lead = event["lead"].lower()
        side = Side.AT if lead == "when" else Side.AFTER if lead in ("after", "since") else Side.BEFORE
        return Times(event.group(), event=event["event"], side=side)
    latest = _LATEST.search(question)
    return Times(latest.group()) if latest else None


def _is_time(match: re.Match[str]) -> bool:
    return bool(match["lead"]) or not _BARE.fullmatch(match["phrase"])


def _bounded(phrase: str, lead: str, span: tuple[datetime, datetime], zone: tzinfo | None) -> Times:
    start, end = (_utc(moment, zone) for moment in span)
    if lead in ("before", "until", "till", "by"):
        return Times(phrase, before=start)
    if lead == "since":
        return Times(phrase, after=start)
    if lead == "after":
        return Times(phrase, after=end)
    return Times(phrase, start, end)


def _utc(local: datetime, zone: tzinfo | None) -> datetime:
    """A naive `local` time as UTC; without a zone, by this machine's rules for that date (summer time included)."""
    return (local.replace(tzinfo=zone) if zone else local).astimezone(UTC)


def _span(phrase: str, now: datetime) -> tuple[datetime, datetime] | None:
    """First moment and first moment after what `phrase` names, local. People count loosely: "ago" reaches half a period further."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if phrase.endswith("weekend"):
        saturday = midnight - timedelta(
            days=(now.weekday() + 2) % 7 + (7 if now.weekday() > 4 and "last" in phrase else 0)
        )
        return saturday, saturday + timedelta(days=2)
    if rolling := _ROLLING.fullmatch(phrase):
        days = _DAYS[rolling[2].rstrip("s")] * _number(rolling[1])
        return midnight - timedelta(days=days), midnight + timedelta(days=1)
    if phrase.startswith(("this morning", "this afternoon", "this evening", "tonight")):
        phrase = "today"
    read = _parser(now).get_date_data(_plain(phrase))
    if read.date_obj is None:
        return None
    start, end = _period(read.date_obj, read.period)
    slack = (end - start) / 2 if phrase.endswith("ago") else timedelta()
    return start - slack, end + slack


def _period(moment: datetime, period: str) -> tuple[datetime, datetime]:
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if period == "week":
        monday = day - timedelta(days=day.weekday())
        return monday, monday + timedelta(days=7)
    if period == "month":
        first = day.replace(day=1)
        return first, (first + timedelta(days=32)).replace(day=1)
    if period == "year":
        first = day.replace(month=1, day=1)
        return first, first.replace(year=first.year + 1)
    return day, day + timedelta(days=1)


def _plain(phrase: str) -> str:
    """Words for numbers as dateparser knows them."""
    return re.sub(r"\b(?:a couple of|a few)\b", lambda found: str(_NUMBERS[found.group()]), phrase)


def _number(text: str) -> int:
    return _NUMBERS.get(text) or int(text)


def _parser(now: datetime) -> DateDataParser:
    from dateparser.date import DateDataParser

    settings = {
        "RELATIVE_BASE": now,
        "PREFER_DATES_FROM": "past",
        "PREFER_DAY_OF_MONTH": "first",
        "PREFER_MONTH_OF_YEAR": "first",
    }
    return DateDataParser(languages=["en"], settings=settings)
