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
_SPOKEN = (
    r"(?:sa(?:id|y)|t(?:old|ell)|mention(?:ed)?|recommend(?:ed)?|suggest(?:ed)?|ask(?:ed)?|discuss(?:ed)?|talk(?:ed)?|spoken?|agree(?:d)?|decided?|settled?|"
    r"promised?|warn(?:ed)?|explain(?:ed)?|described?|list(?:ed)?|wr(?:ote|ite|itten)|g[ai]ven?|made|bring|brought|complain(?:ed)?|proposed?|covered?|report(?:ed)?|"
    r"reject(?:ed)?|plan(?:ned)?|raised?|thank(?:ed)?|check(?:ed)?|met|put|name(?:d)?|call(?:ed)?|answer(?:ed)?|turn(?:ed)?|come|came)"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_ASKING = r"\b(?:what|which|wich|wat|who|whose|whom|when|where|why|how|hw)\b"
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
        # how the sentence is built
        (r"^(?:(?:so|ok|okay|and|but|well|hey|hi|finally|today|update|btw|just so you know)[,:]? )*(?:i|we|they|he|she|mum|mom|dad|my \w+|our \w+|the \w+)"
         r"(?:'ve|'d|'s)? (?:\w+ed|got|said|told|went|had|took|made|found|bought|broke|left|moved|gave|lost|won|met|saw|did|came|put|was|were)\b"),
        _ASKING,
        rf"^\W*(?:\w+\W+){{0,3}}{_ASKING}",
        r"^(?:the|that|those|these|our|your|all the|my) (?:[\w'-]+ ){0,5}[\w'-]+[.?!]*$",
        r"^(?:the|that|those|our|your|all the|my) [\w' -]+(?:,| -) ",
        r"\n|^\W*\[|^from:|^(?:warn|error|info)\b|traceback|\d\d:\d\d:\d\d",
        # what the assistant did
        (r"\b(?:you|u)(?: (?:once|also|just|already|never|always|even|first|then|had|have))? "
         r"(?:\w+ed|had|knew|were|was|gave|made|wrote|sent|found|kept|took|drew|drafted|put|weren't|hadn't|didn't|used to)\b"),
        r"\b(?:you'd|you've|you had|u had)\b",
        (r"\byour (?:\w+ )?(?:first|second|last|original|earlier|previous|old|other|advice|answer|suggestion|idea|tip|trick|warning|estimate|number|figure|reasons?|"
         r"plan|prediction|version|opinion|list|recipe|words)\b"),
        r"\b(?:weren't|wasn't|didn't|didnt|hadn't|hadnt|haven't|isn't|wasnt) (?:it |this |that )?(?:you|u|i|we|there|this|that)\b",
        # the two of us as such
        (r"\bour (?:\w+ )?(?:chats?|talks?|conversations?|discussions?|sessions?|exchange|lessons?|notes|plan|list|story|draft|game|dialogue|call)\b"),
        r"\b(?:between us|in here|with you|to you|from you)\b",
        (r"\b(?:find|search|look up|dig (?:up|out)|pull up|bring (?:up|back)|scroll|extract|restore|read back|resend|send .*again|paste .*again|show me .*again|"
         r"give me back|get back)\b"),
        (r"\b(?:list|everything|all|every|each|timeline|quotes?|which|any|one) (?:of )?(?:the |my |your |our )?(?:\w+ )?(?:i|you|u|we)(?:'ve|'d)? "
         r"(?:\w+ed|said|told|made|gave|wrote|sent|had)\b"),
        rf"\b(?:have|had|has|did|haven't|hadn't|didn't|do) (?:{_BOTH}|you and i)(?: (?:ever|already|once|really|just|also|actually|both|even|never|not))* {_SPOKEN}\b",
        rf"\b(?:i|we) (?:never|once|already|also|only|first|just|had|have|always|must've|must have) {_SPOKEN}\b.*(?:\?|,)",
        (r"\b(?:i'm (?:pretty |quite |fairly )?sure|i (?:think|believe|thought|feel like|swear|could swear|recall|remember)|don't (?:recall|remember)|am i right) "
         r"(?:that )?(?:i|we|you|u|me|agreeing|telling|asking|writing|saying)\b"),
        # how it ended, how it compares
        (r"\b(?:in the end|outcome|verdict|conclusion|final (?:answer|version|decision|one)|end(?:ed)? up|turned out|tipped|won|winner|ruled out|came out|"
         r"convinced me|landed on|narrowed)\b"),
        (r"\b(?:than (?:when|before|in|the (?:one|last|first)|last|my (?:last|first)|i|what)|compared (?:to|with)|compare|different from|same as|"
         r"changed (?:since|from|between)|contradict\w*|the opposite|that's not (?:what|how)|since (?:we|i|you|the first))\b"),
        (rf"\b(?:like|as|same|way|match|format|structure|tone)\b.*\b(?:last|{_DAY}(?:'s)?|you did|we did|before|for my|the one|"
         rf"in (?:{_MONTH}|spring|summer|autumn|winter))\b"),
        # going on
        (r"\b(?:ready for|next (?:word|part|level|move|chapter|question|round|one|clause|lesson)|part (?:two|three|2|3)|level \d|your (?:move|turn)|on with|"
         r"we were (?:at|on)|was next|where (?:were|had|did) (?:we|i|you)|stopped (?:at|after)|got (?:to|as far as)|so far|left to|remaining|unfinished|"
         r"still (?:open|missing|waiting)|loose ends|covered|finished|half(?:way)?|second half|the rest|back at it)\b"),
        r"\b(?:i'm back|back again|here again|me again|reporting back|update:?|tried|worked|helped|it broke|done with)\b",
        # others, and the world
        r"\b(?:did|do|have) (?:you|u) (?:know|hear|heard|think|believe)\b(?! (?:already|still))",
        (r"\b(?:people|humans?|humanity|ancestors|scientists|historians|species|world|century|war|treaty|empire|king|president|novel|film|book|podcast|song|company|"
         r"minister|court|law)\b"),
        r"\b(?:1[0-9]\d\d|20[01]\d)\b",
        (r"\b(?:says?|claims?|goes|keeps? (?:saying|asking)|swears|insists|wrote|writes|texted|told (?:me|us|him|her|them|everyone)|advised (?:me|us)|"
         r"recommended (?:me|us|a)|suggested (?:me|that|a)|promised (?:me|us|him|her))\b"),
        r"\b(?:he|she|they|him|her|them|his|their)\b",
        # another task
        (r"\b(?:translate|word for|in (?:german|french|spanish|english|dutch|italian|portuguese|polish|swedish|russian|japanese)|spelling|grammar|synonyms?|rhymes?|"
         r"conjugate|passive|past (?:tense|perfect|participle)|difference between|mean(?:s|ing)?|sounds? better|stiff|reword|shorten|correct (?:my|this)|fix my)\b"),
        (r"\b(?:pretend|imagine|suppose|let's say|act as|role ?play|if (?:i|you|we|he|she|they|someone)(?:'d|'ve)?|would(?:'ve| have)|should(?:'ve| have)|as if)\b"),
        (r"\b(?:how (?:do|to|can|should|would|does)|should i|can (?:i|they|he|she)|is it (?:ok|normal|rude|possible|true|legal)|best way|tips|ideas|advice|"
         r"what (?:else|should|can|do) (?:i|we|works|helps)|what now|thoughts|your call|what would you)\b"),
        (r"\b(?:whenever|each time|every time|next time|from today|in future|never|when (?:i|you|we) (?:say|answer|talk|ask|write|do)|don't|stop|remember:|note for|"
         r"call me)\b"),
        (r"^(?:no|nope|not|ok|okay|now|and|too|more|less|same|once more|once again|but|hmm|why|wait|yes|sure|good|great|again|shorter|longer|swap|add|make it|"
         r"continue|go on|carry on|rewrite|next)\b"),
        (r"\b(?:this|it|the (?:last|first|second|third) (?:one|two|line|part|bit|sentence|paragraph|point|half)|point (?:one|two|three|\d)|that (?:bit|part|one))\b"),
        r"\b(?:forget it|never mind|scrap|ignore|correction|typo|oops|my mistake|i meant|take back|strike|wrong chat|misread)\b",
        # what is so now
        r"^(?:\w+[,:]? )?(?:what|who|where|when|which|how)(?:'s|s| is| are| am| do| does| was| were)? (?:\w+ )?(?:my|i)\b",
        r"\b(?:what|who|where|when) (?:was|were) my\b",
        r"\b(?:do|am|is|are) (?:i|my|we) \w+|\bhave (?:i|we) (?:got|any|a|an|the)\b",
        (r"\b(?:your notes|on file|you have it|you've got|down as|down for|saved|know about me|according to|profile|stored|on me|these days|right now|at the moment|"
         r"currently|at present|nowadays)\b"),
        r"\b(?:told you (?:ages|a|last|before|that)|mentioned (?:it|him|her|that)|gave it to you)\b",
        r"\b(?:can|will|do|could) you (?:remember|keep|store|learn|log|forget|see|record|save|look at (?:old|earlier|past))\b",
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
