"""Secrets out, before anything becomes a fact, a judgment or a line of the journal.

Shapes of keys and tokens are those of detect-secrets, used in memory; card numbers are told by the Luhn checksum
(Luhn 1954), bank accounts by the IBAN checksum (ISO 13616, modulo 97); the rest is what people say around a secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

__all__ = ["Masked", "mask", "mask_turn"]

_DETECTORS = (
    "artifactory.ArtifactoryDetector",
    "aws.AWSKeyDetector",
    "azure_storage_key.AzureStorageKeyDetector",
    "basic_auth.BasicAuthDetector",
    "cloudant.CloudantDetector",
    "discord.DiscordBotTokenDetector",
    "github_token.GitHubTokenDetector",
    "gitlab_token.GitLabTokenDetector",
    "jwt.JwtTokenDetector",
    "mailchimp.MailchimpDetector",
    "npm.NpmDetector",
    "openai.OpenAIDetector",
    "pypi_token.PypiTokenDetector",
    "sendgrid.SendGridDetector",
    "slack.SlackDetector",
    "square_oauth.SquareOAuthDetector",
    "stripe.StripeDetector",
    "telegram_token.TelegramBotTokenDetector",
    "twilio.TwilioKeyDetector",
)
_NAMED = r"(?:pass ?(?:word|code|phrase)|passwd|pwd|pass|pw|pin(?: ?(?:code|number))?|cvv2?|cvc|security code|secret|token|(?:api|access|secret|auth|private|licen[cs]e)[ _-]?key|otp|one.time code|(?:door|gate|alarm|safe|lock(?:er|box)?|entry|keypad|access|verification|2fa|unlock) (?:code|combination)|combination)"
_SPOKEN = re.compile(
    rf"\b(?P<name>{_NAMED})\b(?:s\b)?(?P<between>(?: (?:to|for|of|on|at|in) (?:(?:the|my|our|his|her|their|this|that) )?[\w'’ -]{{1,40}}?)?"
    r"\s*(?:\"|')?\s*(?::=|=>|[:=]|\b(?:is|was|are|will be)\b(?: (?:now|still|just|actually|currently))?|['’]s\b)\s*)"
    r"(?P<value>\"[^\"\n]{3,80}\"|'[^'\n]{3,80}'|`[^`\n]{3,80}`|“[^”\n]{3,80}”|‘[^’\n]{3,80}’|[^\s,;]{3,120})",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"\b(?P<name>passcode|pin(?: code| number)?|cvv2?|cvc|otp|(?:door|gate|alarm|safe|entry|verification|security) code)\s+(?P<value>\d{3,10})\b",
    re.IGNORECASE,
)
_PLAIN_WORDS_WORDS = (
    "the a an my our in on at not no too very so weak strong long short wrong right safe secure same different required needed missing "
    "invalid expired gone lost stolen unknown empty correct incorrect hard easy better worse what where how why when that this it one "
    "stored saved written kept always never changed reset protected hashed encrypted encoded important dead blocked managed and or but "
    "only just now still being working broken fine ok okay good bad old new forgotten public private limited used being called set up "
    "about for from with without something someone everything nothing dangerous annoying ridiculous"
)
_PLAIN_WORDS = frozenset(_PLAIN_WORDS_WORDS.split())
_WIFI = re.compile(
    r"\b(?:wi-?fi|wlan|hotspot|network|router|netflix|spotify|login|account)\b[^.!?\n]{0,30}?(?:\bis\b|\bpw\b|[:=])\s*(?P<value>['\"“‘`][^\s'\"”’`]{4,60}['\"”’`]|(?=\S*\d)(?=\S*[A-Za-z])(?=\S*[^\w\s.,]|\S{8})[^\s,;]{6,60})",
    re.IGNORECASE,
)
_LOGIN = re.compile(
    r"\b(?:log-?ins?|creds|credentials|user(?:name)?|account|access|password|ssh|ftp|db)\b[^.!?\n]{0,25}?(?:\bis\b|\bare\b|[:=])\s*[\w.@+-]{2,60}\s*(?:/|\||:|\band\b)\s*(?:pass\w*\s*[:=]?\s*|pw\s*[:=]?\s*)?"
    r"(?P<value>(?=\S*[\d!@#$%^&*-])[^\s,;]{6,80})",
    re.IGNORECASE,
)
_SOME_KEY = re.compile(
    r"\b(?:key|code|token|id|licen[cs]e|serial|hash)\b[^.!?\n]{0,20}?(?:\bis\b|[:=])\s*[\"'`]?(?P<value>(?=\S*\d)(?=\S*[A-Za-z])(?=\S*[-_]|\S{12})[\w.+/=-]{8,120})",
    re.IGNORECASE,
)
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
_BEARER = re.compile(r"\b(?:bearer|basic)\s+([\w~+/.=-]{8,})", re.IGNORECASE)
_PREFIXED = re.compile(
    r"(?<![\w-])(?:sk|pk|rk|ghx|gh[opsur]|glpat|xox[abprs]|AKIA|ASIA|AIza|hf|npm|pypi|shpat|dop_v1|SG|key|tok(?:en)?|whsec|sq0\w{3}|EAAC|ya29)[-_.]?(?=[\w.-]*\d)[\w.-]{10,}"
)
_DIGITS = re.compile(r"(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])")
_CARD_CUE = re.compile(r"\b(?:card|visa|mastercard|amex|debit|credit)\b", re.IGNORECASE)
_EXPIRY = re.compile(
    r"(?<=\[card number hidden\])\W{0,3}(?:exp(?:iry|ires|iration)?\W{0,3})?\d{2}\s?/\s?\d{2,4}",
    re.IGNORECASE,
)
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b", re.IGNORECASE)
_SSN = re.compile(
    r"(?:\b(?:ssn|social security(?: (?:number|no\.?|#))?)\W{0,3}(?:is\s+)?)(\d{3}[- ]?\d{2}[- ]?\d{4})\b",
    re.IGNORECASE,
)
_SEED_CUE = re.compile(
    r"\b(?:seed|recovery|backup|mnemonic|secret)(?: (?:phrase|words?))|\bmnemonic\b|\bseed\b", re.IGNORECASE
)
_SEED_RUN = re.compile(r"\b[a-z]{3,8}(?:(?:,? +|\n)(?:\d{1,2}[.)] ?)?[a-z]{3,8}){11,23}\b")
_LONG_TOKEN = re.compile(r"(?<![\w/.@-])(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{24,}(?![\w/])")
_SHORTEST_REPEATED = 4
"""Characters from which a secret is looked for in the rest of its turn."""
_URL_LOGIN = re.compile(r"(?<=://)[^\s:/@]+:[^\s/@]+(?=@)")


@dataclass(frozen=True, slots=True)
class Masked:
    """`text` with every secret replaced by "[kind hidden]"; `kinds` names what was found, each once, in order."""

    text: str
    kinds: tuple[str, ...]


def mask(text: str) -> Masked:
    """Replace secrets in `text`. Never raises; text without a secret comes back unchanged."""
    masked, hidden = _hidden(text)
    return Masked(masked, _kinds(hidden))


def mask_turn(user: str, answer: str) -> tuple[Masked, Masked]:
    """Both sides of a turn; what one of them gives away by its words is hidden where the other only repeats it."""
    (user, said), (answer, answered) = _hidden(user), _hidden(answer)
    for kind, value in sorted({*said, *answered}, key=lambda hidden: -len(hidden[1])):
        if len(value) >= _SHORTEST_REPEATED:
            again = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
            user, answer = (again.sub(f"[{kind} hidden]", text) for text in (user, answer))
    return Masked(user, _kinds(said)), Masked(answer, _kinds(answered))


Hidden = list[tuple[str, str]]
"""Kind and text of each secret that was replaced."""


def _hidden(text: str) -> tuple[str, Hidden]:
    hidden: Hidden = []
    for kind, find in _FINDERS:
        for start, end in _apart(find(text)):
            hidden.append((kind, text[start:end].strip("\"'`“”‘’")))
            text = f"{text[:start]}[{kind} hidden]{text[end:]}"
    return _EXPIRY.sub("", text), hidden


def _kinds(hidden: Hidden) -> tuple[str, ...]:
    return tuple(dict.fromkeys(kind for kind, _ in hidden))


def _apart(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans last to first, overlapping ones joined."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined[::-1]


Spans = Iterator[tuple[int, int]]


def _whole(pattern: re.Pattern[str], group: int = 0) -> Callable[[str], Spans]:
    return lambda text: (found.span(group) for found in pattern.finditer(text))


def _spoken(text: str) -> Spans:
    for found in (match for pattern in _SAID for match in pattern.finditer(text)):
        value = found["value"]
        bare = value.strip("\"'`“”‘’")
        if "hidden]" in value or bare.startswith("[") or not _looks_secret(bare.rstrip(".!?)")):
            continue
        start, end = found.span("value")
        yield start, end - (len(value) - len(value.rstrip(".!?)")) if value == bare else 0)


_SAID = (_SPOKEN, _BARE, _WIFI, _LOGIN, _SOME_KEY)


def _looks_secret(value: str) -> bool:
    """A word after "password is" is a secret unless it is plain speech about passwords."""
    words = value.split()
    return bool(words) and words[0].lower().strip(".,!?") not in _PLAIN_WORDS


def _cards(text: str) -> Spans:
    """Numbers with a card's checksum, and card-like numbers that are called a card."""
    for found in _DIGITS.finditer(text):
        if _luhn(found[0]) or _CARD_CUE.search(text[max(0, found.start() - 40) : found.start()]):
            yield found.span()


def _luhn(number: str) -> bool:
    digits = [int(digit) for digit in number if digit.isdigit()][::-1]
    doubled = (digit * 2 - 9 * (digit > 4) for digit in digits[1::2])
    return len(set(digits)) > 1 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _accounts(text: str) -> Spans:
    return (found.span() for found in _IBAN.finditer(text) if _iban(found[0].replace(" ", "").upper()))


def _iban(account: str) -> bool:
    rearranged = account[4:] + account[:4]
    return 15 <= len(account) <= 34 and int("".join(str(int(sign, 36)) for sign in rearranged)) % 97 == 1


def _seeds(text: str) -> Spans:
    cue = _SEED_CUE.search(text)
    if cue is None:
        return
    for found in _SEED_RUN.finditer(text, cue.end()):
        yield found.span()


def _tokens(text: str) -> Spans:
    """Long runs that mix letters and digits like no word, path or date does."""
    for found in _LONG_TOKEN.finditer(text):
        switches = len(re.findall(r"(?<=\d)[A-Za-z]|(?<=[A-Za-z])\d", found[0]))
        if switches >= 4:
            yield found.span()


@cache
def _shapes() -> tuple[re.Pattern[str], ...]:
    """The patterns of detect-secrets' detectors; loaded at first use, since the package is slow to import."""
    from importlib import import_module

    patterns: list[re.Pattern[str]] = []
    for path in _DETECTORS:
        module, name = path.split(".")
        detector: Any = getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
        patterns.extend(detector.denylist)
    return tuple(patterns)


def _known(text: str) -> Spans:
    for pattern in _shapes():
        for found in pattern.finditer(text):
            if found[0].strip():
                yield found.span()


_FINDERS: tuple[tuple[str, Callable[[str], Spans]], ...] = (
    ("private key", _whole(_PRIVATE_KEY)),
    ("recovery phrase", _seeds),
    ("bank account", _accounts),
    ("card number", _cards),
    ("login", _whole(_URL_LOGIN)),
    ("key", _known),
    ("key", _whole(_BEARER, 1)),
    ("key", _whole(_PREFIXED)),
    ("password", _spoken),
    ("personal number", _whole(_SSN, 1)),
    ("key", _tokens),
)
