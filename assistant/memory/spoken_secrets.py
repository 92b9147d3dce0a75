"""Passwords, pins and codes, found by what people say around them: "my wifi password is …", "gate code 4471", "bob / …"."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["spoken"]

_PASSWORDS = r"pass ?(?:word|phrase)s?|passwd|pwd|pass|pw|passwor[dt]|kennwort|contraseña|mot de passe|wachtwoord|senha"
_PLACE = r"door|gate|alarm|safe|lock ?(?:er|box)?|entry|keypad|access|garage|verification|activation|2fa|unlock|backup|security"
_CODES = (
    rf"passcode|pin(?: ?(?:code|number))?|cvv2?|cvc|secret(?:[ _-]access)?(?:[ _-]key)?|token|otp|one.time code|combination|"
    rf"(?:api|access|auth|private|licen[cs]e)[ _-]?key|(?:{_PLACE})(?:['’]s)? (?:code|combination)|"
    rf"code (?:for|to|of) (?:the |my |our )?(?:front |back |side )?(?:{_PLACE}|house|flat|building|office|entrance)"
)
_QUOTED = r"\"[^\"\n]{3,80}\"|'[^'\n]{3,80}'|`[^`\n]{3,80}`|“[^”\n]{3,80}”|‘[^’\n]{3,80}’"
_IS = r"\s*[\"']?\s*(?::=|=>|[:=]|(?:\b(?:is|was|are|will be|ist|es|est)\b|['’]s\b)(?: (?:now|still|just|actually|currently))?)\s*"
_OF_WHAT = r"(?: (?:to|for|of|on|at|in) (?:(?:the|my|our|his|her|their|this|that) )?[\w'’ -]{1,40}?)?"
_POINTED_AT = r"\b(?:(?:the|my|our|this|that) (?:\w+ )?one|it|mine|ours|this|that)\b"
"""The secret's name stands before this: "I keep two passwords, the old one is …"."""
_WILD = r"(?=[^\s,;]*[A-Za-z])(?=[^\s,;]*[\d@#$%^&*_])[^\s,;]{5,80}"


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_SAID = (
    _compiled(
        rf"(?<![^\W_])(?:(?P<password>{_PASSWORDS})|{_CODES})\b{_OF_WHAT}{_IS}(?P<value>{_QUOTED}|[^\s,;]{{3,120}})"
    ),
    _compiled(rf"(?<![^\W_])(?:{_CODES})\s+(?P<value>\d{{3,10}})\b"),
    _compiled(
        rf"(?<![^\W_])(?:{_PASSWORDS})\s+(?P<value>{_QUOTED}|(?=[^\s,;]*\d)(?=[^\s,;]*[A-Za-z])[^\s,;]{{6,80}})"
    ),
    _compiled(rf"\b(?:{_PASSWORDS}|pin|passcode)\b from (?P<value>(?=\S*[\d!@#$%^&*])[^\s,;]{{4,80}})(?= to\b)"),
    _compiled(
        rf"\b(?:{_PASSWORDS}|pin|passcode)\b(?: from \S+(?: hidden\])?)? to (?P<value>(?=\S*[\d!@#$%^&*])[^\s,;]{{4,80}})"
    ),
    _compiled(  # the name of a network or an account that is as wild as a password mostly is one
        r"\b(?:wi-?fi|wlan|hotspot|network|router|netflix|spotify|login|account)\b[^.!?\n]{0,30}?(?:\bis\b|\bpw\b|[:=])\s*"
        r"(?P<value>['\"“‘`][^\s'\"”’`]{4,60}['\"”’`]|(?=\S*\d)(?=\S*[A-Za-z])(?=\S*[^\w\s.,]|\S{8})[^\s,;]{6,60})"
    ),
    _compiled(
        r"\b(?:log[- ]?ins?|creds|credentials|user(?:name)?|account|access|password|ssh|ftp|db|wi-?fi|wlan)\b[^.!?\n]{0,25}?"
        r"(?:\bis\b|\bare\b|\bwith\b|\bas\b|[:=])\s*[\w.@+-]{2,60}\s*(?:/|\||:|\band\b)\s*(?:pass\w*\s*[:=]?\s*|pw\s*[:=]?\s*)?"
        r"(?P<value>(?=\S*[\d!@#$%^&*-])[^\s,;]{6,80})"
    ),
    _compiled(
        r"\b(?:key|token|licen[cs]e)\b[^.!?\n]{0,20}?(?:\bis\b|[:=])\s*[\"'`]?"
        r"(?P<value>(?=\S*\d)(?=\S*[A-Za-z])(?=\S*[-_]|\S{12})[\w.+/=-]{8,120})"
    ),
    _compiled(rf"(?<![^\W_])(?:{_PASSWORDS})\b[^!?\n]{{0,60}}?{_POINTED_AT}{_IS}(?P<value>{_QUOTED}|{_WILD})"),
    _compiled(rf"(?<![^\W_])(?:{_CODES})\b[^!?\n]{{0,60}}?{_POINTED_AT}{_IS}(?P<value>{_WILD}|\d{{3,10}})\b"),
)  # fmt: skip
"""Each with the secret as `value`; `password` is set where even a plain word is one."""
_SEVERAL = _compiled(
    r"\b(?:passwords|pass ?phrases|passcodes|pins|pwds)\b[^:\n]{0,40}:\s*(?P<values>[^\s,;]+(?:(?:\s*[,;/]\s*(?:or |and )?|\s+(?:or|and|vs\.?)\s+)[^\s,;]+)+)"
)
"""A list of them, one of which at least looks like one: "which of these passwords is better: …"."""
_BETWEEN = _compiled(r"\s*[,;/]\s*(?:or |and )?|\s+(?:or|and|vs\.?)\s+")
_PLAIN_WORDS = (
    "the a an my our in on at not no too very so weak strong long short wrong right safe secure same different required needed missing "
    "invalid expired gone lost stolen unknown empty correct incorrect hard easy better worse what where how why when that this it one "
    "stored saved written kept always never changed reset protected hashed encrypted encoded important dead blocked managed and or but "
    "only just now still being working broken fine ok okay good bad old new forgotten public private limited used being called set up "
    "about for from with without something someone everything nothing dangerous annoying ridiculous min minimum max at hidden"
)
_PLAIN = frozenset(_PLAIN_WORDS.split())
_PRICE = re.compile(r"[€$£]?\d[\d.,]*[€$£]?(?:/\w+)?")


def spoken(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each secret; the marks of the sentence around it are not part of it."""
    yield from _listed(text)
    for found in (match for pattern in _SAID for match in pattern.finditer(text)):
        value = found["value"]
        bare = value.strip("\"'`“”‘’")
        if "hidden]" in value or bare.startswith("["):
            continue
        if _secret(bare.rstrip(".!?)"), named=bool(found.groupdict().get("password"))):
            start, end = found.span("value")
            yield start, end - (len(value) - len(value.rstrip(".!?)")) if value == bare else 0)


def _listed(text: str) -> Iterator[tuple[int, int]]:
    for found in _SEVERAL.finditer(text):
        start, end = found.span("values")
        places = [start, *(place for gap in _BETWEEN.finditer(text, start, end) for place in gap.span()), end]
        items = [
            (begin, begin + len(text[begin:stop].rstrip(".?)")))
            for begin, stop in zip(places[::2], places[1::2], strict=True)
        ]
        if any(re.fullmatch(_WILD, text[begin:stop]) or text[begin:stop].isdigit() for begin, stop in items):
            yield from items


def _secret(value: str, *, named: bool) -> bool:
    """After "password is" a word is a secret unless it is plain speech; after "the code is" it takes a digit or an odd mark."""
    words = value.split()
    if not words or words[0].lower().strip(".,!?") in _PLAIN:
        return False
    return (
        named
        or (re.search(r"\d|[^\w\s.,!?'’-]", value) is not None and _PRICE.fullmatch(value) is None)
        or value.isdigit()
    )
