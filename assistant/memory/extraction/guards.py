"""Clauses that hold no fact of the user's however they are worded: questions, hypotheticals, play, masked secrets."""

from __future__ import annotations

import re

from assistant.memory.extraction.clauses import Clause
from assistant.memory.extraction.roles import opinion

__all__ = ["of_others", "refused", "unreal"]

_ASKS = re.compile(
    r"^(?:(?:hey|hi|hello|ok|okay|so|and|but|well|anyway|anyhow|random|quick(?: one| q)?|also|now|btw|\d[.)]|pls|please|serious(?:ly)?)[\s,:]+)*(?:what(?:['’]?s)?|how(?:['’]?s)?|why|where(?:['’]?s)?|when(?: is| do| does| did| should| was| were| will| can| are)|which|who(?:['’]?s)?|whose|"
    r"can (?:you|u|i|we|a|the|my|it|he|she|they|this|that|people|someone|anyone|[a-z]{2,}[^s\W]s)|could (?:you|u|i|we)|would (?:you|u|it|a)|will (?:you|it)|should (?:i|we)|shall|do (?!not\b|n['’]t|no\b|it\b|this\b|that\b|so\b|the\b|my\b|your\b|an?\b|some\b|more\b|less\b|only\b|all\b|everything\b|anything\b|keep\b|use\b|tell\b|remember\b|always\b|never\b|the same\b)\w+|does|did (?:you|we|i)|is\b|isn['’]?t|"
    r"are\b(?! no)|aren['’]?t|don['’]?t (?:you|u|we|they)|am i|have (?:you|i)|has|was(?! (?:diagnosed|born|raised|told|brought|made|let|given|laid|promoted|hired|an?)\b(?!.*\?))|were|any (?:ideas?|tips?|thoughts|recs?|suggestions?|chance)|got any|ideas for|thoughts on|anything (?:i|we|you) (?:can|could|should))\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:hypothetical(?:ly)?|suppose|supposing|imagine|let['’]?s say|say (?:i|we|someone|you) (?:had|was|were|wanted|earned?|made|moved)|what if|pretend|if (?:i|we)(?: ever)? (?:were|was|had|moved|lived|got|won|quit|became|earned|made|took|bought|married|went|left)|"
    r"(?:i|we)['’]?d (?:have to|love to|be) .{0,40}\bif\b|i wish|wish i|in a perfect world|in another life|would i (?:be|have)|if (?:a|some)(?:one|body)|thought experiment|just playing with numbers|for the sake of argument)\b",
    re.IGNORECASE,
)
_SUPPOSITION = re.compile(
    r"^(?:(?:ok|okay|so|and|but|well|hey|hi|hmm|now|just)[\s,]+)*(?:hypothetical(?:ly)?|suppose|supposing|imagine|what if|let['’]?s (?:say|pretend|assume)|say i (?:told|said)|assuming|pretend|in (?:my|a) dream|in another life|in a parallel universe|if (?=.*\b(?:would|were|had)\b|.*['’]d\b))\b",
    re.IGNORECASE,
)
"""Opens a sentence that is all supposition, whatever its clauses say."""
_PLAY = re.compile(
    r"\b(?:pretend (?:you|to be|it|i|we|that)|role ?-?play|imagine (?:that )?(?:you['’]?re|you are|youre|u r|i['’]?m|i am|we['’]?re|we are)\b|act (?:as|like)|you are (?:a|an|my) (?:\w+ )?(?:wizard|pirate|pharmacist|detective|knight|king|queen|dragon|interviewer|landlord|officer|vampire|robot)|"
    r"(?:^|[.!?] )(?:(?:ok|so|now|today|please|pls)[\s,]+)*(?:you|u) (?:be|get to be) (?:the|an?|my)\b|let['’]?s (?:do|play|act|run|try|practi[sc]e) (?:an? |out |the )?(?:\w+ )?(?:scene|scenario|role|skit|sketch|mock|interview|dialogue)\b|you play|i play (?:an?|the) [^.!?\n]{1,40}[,.;!] ?(?:and )?(?:you|u)(?:['’](?:re|ll)| are| will| be| play)\b|i['’]?ll be the|you['’]?ll be the|in character|improv|as if (?:you|i) (?:were|was)|speaking as|my character|our characters?|persona|"
    r"write (?:a|an|me a|me an) (?:\w+ ){0,3}(?:story|poem|haiku|limerick|song|monologue|dialogue|scene|sketch)|compose|(?:strange|weird|funny|odd|crazy|craziest|strangest|weirdest) dream|i (?:had a dream|dreamt|dreamed)|in my dream)\b"
    r"|\b(?:i['’]ll|i will|let me) be .{1,40}[.,;!] ?(?:and )?you(?:['’]ll| will)? (?:be|play)\b|\bin (?:this|the|our) (?:scenario|sketch|skit)\b|\b(?:simulate|mock) (?:an?|the|my|this) (?:job )?(?:interview|call|trial)\b"
    r"|^(?:(?:ok|so|now|today|please|pls)[\s,]+)*play (?:an?|the|my) (?!game|song|tune|trick|round|playlist|part|video|record)\w+(?: \w+){0,3}\s*[.,:;!]"
    r"|^(?:(?:ok|so|now|today)[\s,]+)*(?:you are|you['’]re|ur|youre|be) (?-i:[A-Z])\w+,? (?:an?|the|my|our)\b"
    r"|^you\s*:.*\bme\s*:|^(?:(?:ok|so|now|today)[\s,]+)*(?:you are|you['’]re|ur|youre) (?:now )?(?:an?|my|the) .{2,60}\b(?:i am|i['’]m|im|i['’]ve|and i)\b",
    re.IGNORECASE | re.MULTILINE,
)
_ASIDE = re.compile(
    r"^(?:(?:so|and|please|pls|just|ok)\s+)*(?:(?:keep|bear) (?:that|this|it) in mind|(?:please |just )?(?:note|remember|forget|drop|ignore|strike|scratch|delete|disregard) (?:that|this|it|about it|that one)(?!:?\s+(?:i|i['’]?m|i['’]?ve|we|we['’]re|my|our|the|she|he|they|there)\b)|"
    r"forget about (?:it|that)|never ?mind|as (?:i|you) (?:know|said|told you|mentioned)|you (?:know|see)|that['’]?s (?:it|all|that|my rule)|just so you know|no worries|thank(?:s| you)|question is)\b[^,]{0,40}$|^(?:i|we) (?:do|did|am|have|will|would|can)(?:,.*)?\W*$",
    re.IGNORECASE,
)
_TROUBLE = re.compile(r"\b[A-Z]\w*(?:Error|Exception)\b\s*:|\bexit code \d|\bstack ?trace\b")
_FICTION = re.compile(
    r"\b(?:in|on) (?:the|my|this|our|that|an?) (?:(?:video|board|computer|card|short) )?(?:game|story|textbook|homework|exercise|worksheet|riddle|novel|film|movie|sim|dream|scenario|sketch|script|scene|episode|fairy ?tale|comic)\b(?! (?:club|group|shop|industry|business|night|team|studio))"
    r"|\b(?:book|story|plot|novel|film|movie|song|game|character|sketch) ideas?\s*[:–—-]|\b(?:main|lead|title|supporting) characters?\b|\b(?:film|movie|book|novel|series|show|podcast)['’]s (?:main|hero|heroine|author|plot|ending|first|last|director|lead|villain|title|narrator|cast)\b|\b(?:watch(?:ed|ing)|read|reading|saw|seen|heard|listen(?:ed|ing) to|finished)\b.{0,25}\b(?:film|movie|book|novel|series|show|documentary|podcast|article|episode|story|play|memoir|biography)\b.{0,20}\b(?:about|where|in which|of a|who)\b"
    r"|\bin (?:minecraft|skyrim|the sims|stardew\w*|fortnite|zelda|animal crossing|d&d|dnd|monopoly|catan)\b|\bin (?:chapter|act|scene|episode) (?:one|two|three|four|five|\d+|[ivx]+)\b"
    r"|\bmy (?:half-?elf|elf|orc|paladin|wizard|avatar|sims?|villager|protagonist|narrator|heroine|d&d|dnd)\b|\b(?:it['’]s|this is) (?:all )?fiction\b|\b(?:for|about) (?:an?|my|the|our|this) (?:character|story|novel|screenplay|sketch)\b|\basking for (?:a friend|nobody)\b",
    re.IGNORECASE,
)
"""Tells of a made-up world somewhere in the sentence."""
_REPORTED = re.compile(
    r"\b(?:tests?|quiz(?:zes)?|apps?|horoscopes?|fortune cookie|algorithm|spotify|netflix|tarot|cards|stars|website|internet|chatbot|siri|alexa|google)\b(?: \w+){0,2}? (?:says?|said|thinks?|claims?|reckons?|tells? me|told me|insists?)\b"
    r"|,\s*(?:wrote|writes|said|says|cried|whispered|whispers|replied|asked|shouted|muttered|goes|went)\s+(?:the|an?|he|she|page|(?-i:[A-Z])\w+)\b"
    r"|^the (?:user|human|assistant|customer|model)\b"
    r"|^according to (?:the|an?|this|some|my (?:horoscope|app|stars))\b",
    re.IGNORECASE,
)
"""What a thing says of somebody, or a crowd, or a figure in a text, or a prompt of its user."""
_PUT_IN_MOUTH = re.compile(
    r"^(?:you|u|you['’]ve)(?: \w+)? (?:said|told me|claimed|wrote|thought|think|mentioned|assumed?|keep (?:saying|calling|writing|telling))\b|^(?:and )?that (?:i|my|we|our)\b"
    r"|[\"“'][^\"”]*\b(?:i|me|we)\b[^\"”]*[\"”'](?!\w)",
    re.IGNORECASE,
)
"""What the assistant is said to have said, and short quotations in the first person."""
_ADDRESSED = re.compile(
    r"^as an? \b(?!.*\b(?:i|my|we)\b).*\byou(?:['’]ll|['’]d| will| would)\b|^oh,? (?:great|joy|wonderful|brilliant|lovely|fantastic|goody)\b",
    re.IGNORECASE,
)
"""Sentences that speak to a public ("As a busy mum, you'll love …"), and mock joy."""
_IRONY = re.compile(
    r"\bi(?:['’]m| am|m) (?:basically |actually |obviously )?(?:the )?(?:queen|king|pope|emperor|president|prince|princess|tooth fairy|easter bunny|santa|batman|superman|spider-?man|napoleon|god|jesus|cleopatra|"
    r"james bond|walrus|lorax|chosen one)\b|\bmy name is (?:inigo|bond)\b",
    re.IGNORECASE,
)
_OF_SELF = re.compile(
    r"\b(?:i|i['’]?m|i['’]?ve|me|my|mine|we|we['’]?re|we['’]?ve|us|our|ours)\b", re.IGNORECASE
)
_OTHERS = re.compile(
    r"^(?:my|a|our|some|this|that|one|another|the)\s+(?!best\b|oldest\b)(?:\w+\s+)?(?:mate|friend|friend of mine|colleague|co-?worker|neighbou?r|buddy|pal|classmate|acquaintance|guy|bloke|woman|man|customer|client)(?:['’]s\s+[\w-]+)?(?:\s+(?:next to|opposite|behind|above|below|near|beside) (?:me|us))?(?:\s+at (?:work|the \w+))?\s+(?!(?:is\s+)?(?:called|named)\b|is (?-i:[A-Z])|next\b|opposite\b|at\b)(?-i:[a-z])(?!.*\b(?:i|me|us|my|our|we)\b)|^(?:the\s+)?(?:average|typical|ordinary)\s+(?:person|human|man|woman|family|adult|child|household)\b|^(?:most|many|some)\s+people\b",
    re.IGNORECASE,
)
_STRANGER = re.compile(
    r"^(?:(?:the|an?|some|one|this|that|another)\s+)?(?:(?!my\b|our\b)[a-z]+\s+)?(?:(?:couple|bride|groom|customer|client|lady|guy|girl|boy|fella|bloke|woman|man|family|tourist|passenger|guest|patient|buyer|punter|stranger|someone|somebody|visitor|caller|parent|mother|father)(?:\s+(?:at|from|in|on|next to)\s+(?:the\s+)?[\w-]+)?|(?:my\s+)?(?:mum|mom|dad)(?=.*\b(?:her|his)\s+(?:daughter|son|kids?|child|baby|little|dog|cat)\b))"
    r"\s+(?:just\s+|has\s+|is\s+)?(?:wants?|wanted|asks?|asked|asking|calls?|called|rang|phoned|emailed|texted|wrote|came|turned up|showed up|walked in|complain\w*|request\w*|insist\w*|wondered|begged|tried)\b(?!\s+(?:him|her|it)self\b)",
    re.IGNORECASE,
)
"""Somebody met at work, who wants something this once."""
_TAG = re.compile(
    r"\b(?:right|ok|okay|yeah|yes|innit|eh|thanks|remember|please|got it|deal)\s*\?+\W*$", re.IGNORECASE
)
_DENIED = re.compile(
    r"^(?:no,? )?not (?:on |at |in |the )?(?:(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)?|[$€£]?\d[\w.:,]*|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\W*$",
    re.IGNORECASE,
)
"""A value that is not it, and nothing more: what it is stands in another clause."""
_ONE_OFF = re.compile(
    r"^(?:(?:please|pls|plz|now|ok|so|can you|could you|just|help me)[\s,]+)*(?!.*\b(?:always|never|every\w*|each|all|any\w*|whenever|when|if|from now on|in future|as a rule|by default)\b)"
    r"(?:reply|respond|write|answer|draft|compose|email|e-mail|text|message|phone|ring|apologi[sz]e|send)\b(?:\s+(?:something|back|a \w+|an \w+))?\s+(?:(?:to|for|about)\s+)?(?:an?|this|that|one of|some(?:one|body)|(?:to|for)\s+(?:the|my|our))\s+(?!point\b|way\b|question\b|style\b|tone\b|voice\b|formal|casual|friendly|few\b|couple\b|single\b|list\b)\w",
    re.IGNORECASE,
)
"""Something to be written once, to somebody or other."""
_THIS_ONCE = re.compile(
    r"^(?:(?:please|pls|now|then|ok|so|and|can you|could you)[\s,]+)*(?:split|divide|multiply|add up|work out|calculate|convert|sort|rank)\s+(?:up\s+)?(?:this|these|those|that|[$€£]?\d)"
    r"|^(?:now|then|ok|so)[\s,]+(?:please\s+)?(?:plan|list|make|give|show|tell|write)\s+(?:me\s+|us\s+)?(?:my|our|an?|the|this)\b(?!.*\b(?:always|every|whenever|from now on)\b)"
    r"|^(?:(?:so|and|but)\s+)?(?:i|we)(?:['’]?ve|\s+have)?\s+(?:got to|gotta|have to|need to|must)\s+(?!.*\b(?:every|each|always|daily|a day|once|twice)\b)(?:go and\s+)?\w+\s+(?:this|these|that|those)\b",
    re.IGNORECASE,
)
"""A task of the moment, the assistant's or the user's."""
_SECRET = re.compile(r"\[[a-z ]+ hidden\]")


def refused(clause: Clause) -> bool:
    """Is this a question, a supposition, a secret, or an aside about the talk itself?"""
    if (
        _SECRET.search(clause.text)
        or _SUPPOSED.search(clause.text)
        or _SUPPOSITION.match(clause.sentence)
        or _TROUBLE.search(clause.text)
        or _IRONY.search(clause.text)
        or _FICTION.search(clause.sentence)
        or _REPORTED.search(clause.sentence)
        or _PUT_IN_MOUTH.search(clause.text)
        or _ADDRESSED.match(clause.sentence)
        or opinion(clause.words)
    ):
        return True
    if clause.asked and not _OF_SELF.search(clause.text) and not _TAG.search(clause.sentence):
        return True
    return bool(
        _ASKS.match(clause.text)
        or _ONE_OFF.match(clause.text)
        or _THIS_ONCE.match(clause.text)
        or _ASIDE.match(clause.text)
        or _DENIED.match(clause.text)
    )


def of_others(text: str) -> bool:
    """Is this the life of somebody who is none of the user's people, the user having no part in it?"""
    return _OTHERS.match(text) is not None or _STRANGER.match(text) is not None


def unreal(message: str) -> bool:
    """Is the whole message role play, fiction or a supposition, so that its "I" is nobody?"""
    return bool(_PLAY.search(message))
