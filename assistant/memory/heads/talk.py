"""Turns of phrase that tell a question about this user's earlier talk from other questions: who spoke, when, and what is asked for."""

from __future__ import annotations

import re

import numpy as np

from assistant.memory.heads.features import Floats

_TALK = (
    r"(?:sa(?:id|y|ying)|t(?:old|ell|elling)|mention(?:ed|ing)?|recommend(?:ed)?|suggest(?:ed)?|advis(?:e|ed)|ask(?:ed|ing)?|discuss(?:ed)?|talk(?:ed|ing)?|"
    r"chat(?:ted)?|agree(?:d|ing)?|decided?|settled?|land(?:ed)?|promised?|warn(?:ed)?|explain(?:ed)?|described?|list(?:ed)?|wr(?:ote|ite|itten)|pasted?|"
    r"sen[dt]|sh(?:ow|are)(?:ed|n|d)?|g[ai]ven?|made|ma[dk]e up|draft(?:ed)?|plan(?:ned)?|work(?:ed)? (?:on|out|through)|br(?:ing|ought) up|complain(?:ed|ing)?|"
    r"calculated?|call(?:ed)?|phrased?|put|proposed?|argued?|end(?:ed)? up|stop(?:ped)?|le(?:ft|ave) off|got|get to|c[ao]me up|raised?|claim(?:ed)?|"
    r"report(?:ed)?|pick(?:ed)?|cho(?:se|ose)|start(?:ed)?|began|begun|named?|tried|try)"
)
_BOTH = r"(?:i|you|u|we|ya)"
_PHRASES = tuple(
    re.compile(phrase, re.IGNORECASE)
    for phrase in (
        # who spoke: the two of us …
        rf"\b(?:did|had|have|has|hadn't|haven't|didn't) {_BOTH}\b(?:\W+\w+){{0,2}}?\W+{_TALK}\b",
        rf"\b(?:you|u|we|you've|you'd|we've|we'd)(?: \w+)?(?: \w+)? {_TALK}\b",
        rf"\b(?:i|i've|i'd)(?: \w+)? {_TALK}\b",
        r"\b(?:i|i've|i'd)(?: \w+)? (?:told|asked|gave|sent|showed|wrote)(?: to)? (?:you|u)\b",
        r"\b(?:you|u) (?:told|gave|asked|advised|warned|showed|promised|sent|owe|wrote|made|set) (?:me|us)\b",
        r"^(?:did|have|had|has|was|were|hadn't|haven't|didn't) (?:i|we|you|u)\b",
        r"\b(?:when|how often|how many times|how long ago|since when)\b.*\b(?:did|have|was|were|do) (?:i|we|you|u)\b",
        r"\b(?:the|that|those) (?:\w+ ){1,3}(?:you|we|i) \w+",
        r"\b(?:don't|can't|do you|do i|last thing i) (?:recall|remember)\b",
        # … or somebody else
        rf"\b(?:my|the|a|his|her|our|their) \w+ (?:\w+ )?{_TALK}\b",
        rf"\b(?:he|she|they|it|people|historians|scientists|everyone|who) (?:\w+ )?{_TALK}\b",
        rf"\bdid (?!i\b|you\b|we\b|u\b)\w+(?: \w+)? {_TALK}\b",
        # when
        (r"\b(?:last (?:time|week|month|night|session|chat|year|spring|summer|winter|autumn|\w+day)|yesterday|the other (?:day|night|week)|earlier|a while (?:ago|back)|"
         r"ages ago|back (?:in|when|then)|(?:days|weeks|months|hours|minutes) ago|this morning|before (?:the|my|lunch)|previously|originally|at (?:one|some) point)\b"),
        r"\b(?:first|ever|already|exactly|exact|original|so far|since)\b",
        r"\b(?:again|once more|one more time)\b",
        # what is asked for
        r"\b(?:remind|recap|resume|continue|carry on|pick up|go on|back to|where were we|catch me up|left off|scroll)\b",
        (r"^(?:write|draft|compose|prepare|translate|summari[sz]e|rewrite|suggest|explain|convert|fix|give|make|tell|list|help|plan|please|can you|could you|"
         r"how (?:do|to|can|should)|is|are|should|does)\b"),
        r"^(?:what's|whats|what is|what are|where's|where is|when's|when is|who's|who is|how (?:much|old|tall|many|long) (?:is|are|do|am))\b",
        (r"\b(?:story|chapter|draft|plan|list|letter|poem|recipe|game|quiz|outline|table|code|session|conversation|chat|talk|transcript|history|message|answer|"
         r"version|workout|campaign)\b"),
        r"\b(?:my|from now on|always|note|remember) (?:\w+ )?(?:new|that)\b",
        r"\b(?:from now on|going forward|every chat|keep in mind|note that)\b",
        # whose matter, and how many sentences
        r"\bmy\b", r"\b(?:our|we)\b", r"\b(?:you|u)\b", r"\bi\b", r"\?", r"\?.+\?",
    )
)  # fmt: skip
_QUOTED = re.compile(r"[\"“][^\"”]{4,}[\"”]|(?<=[:\s])'[^']{8,}'")


def unquoted(text: str) -> str:
    """The text with each quotation emptied: what others wrote is not what was said here."""
    return _QUOTED.sub(' "" ', text.replace("’", "'"))


def turns_of_phrase(question: str) -> Floats:
    """Which phrases stand outside quotations, whether there is a quotation, and the length in hundreds of characters (2 at most)."""
    own = unquoted(question)
    found = [float(phrase.search(own) is not None) for phrase in _PHRASES]
    return np.array([*found, own != question, min(len(question), 200) / 100], np.float32)
