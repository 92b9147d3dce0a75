"""Secrets out, before anything becomes a fact, a judgment or a line of the journal.

Shapes of keys and tokens are those of detect-secrets, used in memory; card numbers are told by the Luhn checksum
(Luhn 1954), bank accounts by the IBAN checksum (ISO 13616, modulo 97); the rest by what people say around a secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from assistant.memory.spoken_secrets import spoken

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
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
_BEARER = re.compile(r"\b(?:bearer|basic)\s+((?=[\w~+/.=-]*[\d=])[\w~+/.=-]{8,})", re.IGNORECASE)
_PREFIXED = re.compile(
    r"(?<![\w-])(?:sk|pk|rk|ghx|gh[opsur]|glpat|xox[abprs]|AKIA|ASIA|AIza|hf|npm|pypi|shpat|dop_v1|SG|key|tok(?:en)?|whsec|sq0\w{3}|EAAC|ya29)[-_.]?(?=[\w.-]*\d)[\w.-]{10,}"
)
_DIGITS = re.compile(r"(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])")
_CARD_CUE = re.compile(r"\b(?:card|visa|mastercard|amex|debit|credit)\b", re.IGNORECASE)
_OTHER_NUMBER = re.compile(
    r"\b(?:order|tracking|parcel|shipment|isbn|ean|imei|barcode|serial|invoice|case|ticket|reference|ref|meter|application)\b",
    re.IGNORECASE,
)
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
_WORD_OF_PHRASE = (  # not one of the small words that every sentence has
    r"(?!(?:the|and|for|are|was|were|from|have|has|had|his|her|its|our|their|because|but|how|who|why|not|into|been)\b)[a-z]{3,8}"
)
_SEED_RUN = re.compile(rf"\b{_WORD_OF_PHRASE}(?:(?:,? +|\n)(?:\d{{1,2}}[.)] ?)?{_WORD_OF_PHRASE}){{11,23}}\b")
_LONG_TOKEN = re.compile(r"(?<![\w/.@-])(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{24,}(?![\w/])")
_REST_OF_KEY = re.compile(r"(?:[\w+/=~-]|[.](?=\w))*")
"""What a detector's pattern leaves of a key that is longer."""
_UUID = re.compile(r"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"[\da-f]{32,128}", re.IGNORECASE)
_DIGEST_CUE = re.compile(
    r"\b(?:commit|hash|sha-?\d*|md5|checksum|digest|revision|rev|build|fingerprint|etag)\b", re.IGNORECASE
)
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


def _cards(text: str) -> Spans:
    """Numbers with a card's checksum that are not called another number, and such as are called a card's."""
    for found in _DIGITS.finditer(text):
        before = text[max(0, found.start() - 40) : found.start()]
        length = sum(sign.isdigit() for sign in found[0])
        if found[0][0] not in "23456":  # no issuer's number begins otherwise
            continue
        if _CARD_CUE.search(before):
            called = length in (15, 16) or _luhn(found[0])
        else:
            called = _luhn(found[0]) and not _OTHER_NUMBER.search(before)
        if called:
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
    """Runs of 12 to 24 short words near a mention of a recovery phrase, without the small words that every sentence has."""
    if _SEED_CUE.search(text):
        for found in _SEED_RUN.finditer(text):
            yield found.span()


def _tokens(text: str) -> Spans:
    """Long runs that mix letters and digits like no word, path or date does; not the checksums and names of versions."""
    for found in _LONG_TOKEN.finditer(text):
        switches = len(re.findall(r"(?<=\d)[A-Za-z]|(?<=[A-Za-z])\d", found[0]))
        before = text[max(0, found.start() - 30) : found.start()]
        digest = _UUID.fullmatch(found[0]) or (_HEX.fullmatch(found[0]) and _DIGEST_CUE.search(before))
        if switches >= 4 and not digest:
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
                yield found.start(), _REST_OF_KEY.match(text, found.end()).end()  # type: ignore[union-attr]  # it matches "" too


_FINDERS: tuple[tuple[str, Callable[[str], Spans]], ...] = (
    ("private key", _whole(_PRIVATE_KEY)),
    ("recovery phrase", _seeds),
    ("bank account", _accounts),
    ("card number", _cards),
    ("login", _whole(_URL_LOGIN)),
    ("key", _known),
    ("key", _whole(_BEARER, 1)),
    ("key", _whole(_PREFIXED)),
    ("password", spoken),
    ("personal number", _whole(_SSN, 1)),
    ("key", _tokens),
)
