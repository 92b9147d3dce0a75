"""A short title for a conversation, from the words of its first message. On the device, in microseconds, no model."""

from __future__ import annotations

import re

from assistant.text import clean_text, one_line

_WORDS, _LETTERS = 6, 48
"""The most words and characters of a title."""
_WHOLE = 8
"""Words of a sentence that is short enough to be left whole."""
_READ = 2_000
"""Characters of a message that are looked at."""
_LOOKED_AT = 4
"""Sentences at the beginning among which a question or request is looked for."""

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCES = re.compile(r"(?<=[.!?。！？])\s+|\n+(?![a-z\n])")
_ADDRESS = re.compile(r"https?://(?:www\.)?([^/\s?#]+)\S*")
_GREETING = re.compile(
    r"^(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|greetings|thanks|thank you|ok|okay|test)\b"
    r"(?:,? (?:there|again|all|everyone|assistant|so much|a lot))*[\s,.!:;–-]*",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"(?:can|could|would|will) you\b|please\b|how (?:do|can|should|would|could|to)\b|help me\b|(?:explain|write|tell|show|give)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"(?:(?:so|well|now|oh|and|but|also|actually|please|pls|quick question)\b[\s,:]*"
    r"|(?:can|could|would|will) you (?:(?:please|kindly|maybe|quickly) )?"
    r"|(?:please )?help (?:me|us) (?:(?:to|with|in|out with) )?"
    r"|(?:tell|show|give) (?:me|us) (?:(?:about|how to|how|what) )?"
    r"|explain (?:(?:to me|to us) )?(?:(?:how|what|why) )?"
    r"|how (?:do|can|should|would|could) (?:i|we|you|one) (?:best )?|how to "
    r"|what(?:'s|’s| is| are) (?:the best way to )?"
    r"|(?:i|we)(?:'d|’d| would) like (?:you )?(?:to )?(?:know )?"
    r"|(?:i|we) (?:want|need|have|run|own)(?: you)?(?: to)?(?: some help with| help with)? "
    r"|(?:i'm|i’m|i am|we are|we're) (?:(?:trying|looking|going|planning|about) (?:to|for|at) )?"
    r"|(?:i|we) (?:was|were|am|are) wondering (?:(?:if|how|whether) )?"
    r"|do you (?:know|have) (?:(?:if|whether|how|what|anything about|any) )?"
    r"|let(?:'s|’s| us) (?:(?:talk about|discuss) )?)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;:(–—]|\s-\s|\b(?:because|but|although|which|while|and (?:i|we|then|it))\b", re.IGNORECASE
)
_ARTICLE = re.compile(r"(?:a|an|the|my|our|some)\s+(?=\S)", re.IGNORECASE)
_LOOSE = re.compile(
    r"an?|the|of|for|and|or|to|in|into|on|at|with|about|from|by|as|but|if|so|than|when|that|which|is|are|was"
    r"|my|our|your|his|her|their|its|i|we|it",
    re.IGNORECASE,
)
"""Words that no title ends with."""


def proposed_title(message: str) -> str:
    """A few words of a message that say what it is about; "" where it only greets."""
    said = _ADDRESS.sub(r"\1", clean_text(message[:_READ]))
    prose = _FENCE.sub("\n", said)
    sentences = _sentences(prose) or _sentences(said.replace("```", "\n"))
    asked = [each for each in sentences if each.endswith(("?", "？")) or _REQUEST.match(each)]
    topics = [topic for each in (*asked, *sentences) if (topic := _topic(each))]
    best = next((topic for topic in topics if " " in topic), topics[0] if topics else "")
    return one_line(best[:1].upper() + best[1:], _LETTERS)


def _sentences(text: str) -> list[str]:
    """The first ones that say something, without a greeting before them."""
    pieces = (_GREETING.sub("", one_line(piece), count=1) for piece in _SENTENCES.split(text))
    return [piece for piece in pieces if any(map(str.isalnum, piece))][:_LOOKED_AT]


def _topic(sentence: str) -> str:
    """A sentence without the words that open it, cut to a few words that can stand alone."""
    rest = sentence
    while (opening := _OPENING.match(rest)) and opening.end() < len(rest):
        rest = rest[opening.end() :]
    words = rest.split()
    if len(words) > _WORDS and (clause := _CLAUSE.search(rest)) and len(rest[: clause.start()].split()) > 1:
        words = rest[: clause.start()].split()
    cut = words if len(words) <= _WHOLE else words[:_WORDS]
    while len(cut) > 1 and len(words) > len(cut) and _LOOSE.fullmatch(cut[-1]):
        cut.pop()
    topic = " ".join(cut).strip("*#>_`\"'“”‘’.,;:!?。！？ ")
    article = _ARTICLE.match(topic)
    return topic[article.end() :] if article and " " in topic[article.end() :] else topic
