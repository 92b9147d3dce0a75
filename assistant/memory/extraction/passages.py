"""Which parts of a message are the user's own words: quotations, pasted text, code, logs and transcripts are cut out."""

from __future__ import annotations

import re

from assistant.memory.extraction.noise import noise_lines

__all__ = ["CUT", "own_words"]

CUT = "“…”"
"""What stands where a passage was cut out."""

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE_CODE = re.compile(r"`[^`\n]{1,200}`")
_MARKUP = re.compile(
    r"<(/?)([A-Za-z|][\w|:-]{0,30})[^<>\n]{0,200}>|\[/?(?:INST|SYS|sys|inst|/?[a-z]+ ?=)[^\]\n]{0,100}\]|\[/?(?:b|i|u|bold|red|link|url|img)\b[^\]\n]{0,100}\]"
)
_LONE_TAG = re.compile(r"^\s*</?[A-Za-z|][\w|:-]{0,30}[^<>\n]{0,100}>\s*$")
"""A line that is nothing but a tag: what stands under it, up to a blank line, belongs to a document."""
_ESCAPED_BREAK = re.compile(r"\\[rn](?=\W|[A-Z]|$)")
_ELEMENT = re.compile(r"<([A-Za-z][\w-]{0,20})\b[^<>\n]{0,200}>.*?</\1>", re.DOTALL)
_QUOTES = (
    re.compile(r"(?<![\w\"])\"(?=\S)([^\"]{1,4000}?)\"(?!\w)", re.DOTALL),
    re.compile(r"“([^”]{1,4000})”", re.DOTALL),
    re.compile(r"„([^“”]{1,4000})[“”]", re.DOTALL),
    re.compile(r"«([^»]{1,4000})»", re.DOTALL),
    re.compile(r"(?<![\w'])'(?=\S)((?:[^'\n]|'(?=\w)){1,2000}?)'(?!\w)"),
    re.compile(r"‘((?:[^’]|’(?=\w)){1,2000})’(?!\w)"),
)
_KEPT_QUOTE_WORDS = 3
"""Quotations this short are names or terms the user speaks about, not somebody's sentence."""

_TEXT_TASK = re.compile(
    r"\b(?:translat\w*|proof ?-?read\w*|summari[sz]e|sum up|tl;?dr|rewrite|re-?word|rephrase|paraphrase|polish|tidy|shorten|improve|edit|"
    r"correct|fix|grammar|typos?|spell(?:ing|[- ]?check\w*)?|commas?|punctuat\w*|(?:example|sample) sentence|the sentence (?:was|is)|type this|reply to|respond to|answer this|review|check this|look at this|read this|"
    r"classify|caption|transcri\w+|analy[sz]e|critique|make (?:this|it) (?:sound|less|more)|what does (?:this|it) mean|decode|"
    r"explain this|convert this|turn this|format this|clean (?:this )?up|is this (?:ok|clear|rude|polite|fine)|how does this (?:sound|read)|"
    r"msg from|message from|email from|mail from|letter from|note from|text from|from the group chat|posted?|wrote|writes|says|said|"
    r"(?:starts?|begins?|ends?|opens?) (?:with|like this)|the (?:ad|bio|cv|resume|review|listing|email|letter|post|text|prompt|template|script|article|abstract|lyrics?) (?:is|reads|goes|says))\b",
    re.IGNORECASE,
)
_REQUEST_ON_IT = re.compile(
    r"^(?:(?:ok|so|please|pls|hey|hi|now|quick|and|can|could|would|will|you|u|just|help me)[\s,]+)*(?:count|how|what|which|is|are|does|do|find|spot|mark|underline|highlight|list|pick|extract|rate|score|grade|judge|sort|tag|label|change|put|make|"
    r"turn|give|expand|simplify|continue|finish|complete|read|check|look|explain|tell|split|reverse|parse|punctuate|capitali[sz]e|say|guess)\b.*\b(?:this|these|(?:the )?following|sentences?|text|lines?|paragraph|message|words?|below|here|passage|excerpt|quote)\b[^,;]*$",
    re.IGNORECASE,
)
"""Asks for something to be done with the text after the colon."""
_ASKS_ON_TEXT = re.compile(
    r"^\s*(?:(?:hi|hey|ok|so|please|pls|quick one|can you|could you|would you)[\s,:]+)*(?:(?:is|are|does|do|would|check|fix|correct|improve|rate|proof ?-?read|translate|rewrite|rephrase|reword|shorten)\b[^.?!\n:]{0,30}\b(?:this|these|the following|my)\s+(?:\w+\s+)?(?:sentences?|text|paragraph|lines?|phrase|wording|grammar|translation)\b[^.?!\n:]{0,40}[.?!]+\s+(?=\S)"
    r"|(?:rewrite|rephrase|reword|translate|paraphrase|shorten|proof ?-?read|correct|punctuate|conjugate)\b[^.?!\n:]{0,40}\s[-–—]+\s(?=\S))",
    re.IGNORECASE,
)
_COMMISSION = re.compile(
    r"\b(?:write|draft|compose|create|make|need|invent|come up with|give me|do me|help me with|working on)\b.{0,40}?\b(?:toast|speech|eulogy|poem|bio|profile|advert|ad|obituary|story|haiku|limerick|song|caption|slogan|listing|blurb|tweet|headline|character|scene|script|sketch|scenario|vows|tribute|reference|testimonial|recommendation|post)\b",
    re.IGNORECASE,
)
_TASK_AFTER = re.compile(
    r"^(?:(?:please|pls|now|and|can you|could you)\s+)*(?:translate|reword|rephrase|rewrite|summari[sz]e|shorten|proof ?-?read|paraphrase|simplify|explain|turn|make|put|edit|fix|polish|format)\b(?:\s+\S+){0,6}$",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:i|i['’]?m|i['’]?ve|me|my|mine|we|us|our)\b", re.IGNORECASE)
_SPEAKER = re.compile(
    r"^\s*(?:[#*>\[<|-]{0,4}\s*)?(?:(?:system|assistant|user|human|ai|bot|developer|inst)(?: (?:prompt|message|note))?|from|to|subject|re|fwd?)[\]|>*]{0,3}\s*:",
    re.IGNORECASE,
)
_CHAT_LINE = re.compile(
    r"^\s*@\w[\w.-]{0,30}\s*:|^\s*(?:\[[^\]]{1,20}\]\s*)?[A-Z][\w.'-]{1,20}(?: [A-Z][\w.'-]{1,20})?:\s+\S"
)
_LOG_LINE = re.compile(
    r"^\s*(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* +\d+ \d\d:\d\d|"
    r"\d{1,3}(?:\.\d{1,3}){3} |\$ |# \w+ -|>>> |PS [A-Z]:|\w[\w.-]*@[\w.-]+[:~ ][^\n]*[$#] |traceback |file \"|at \w[\w.$]*\(|\w+(?:error|exception|warning)\b ?:|"
    r"(?:error|warn(?:ing)?|info|debug|fatal|trace)\b[ :\]]|caused by:|\w+\[\d+\]:|[\d.]+[KMG]\s+/|/dev/|npm (?:err|warn)|curl |[a-z][\w.-]*: (?:\(\d+\)|error|fatal|cannot|command not found|permission denied|no such file)|GET |POST |HTTP/)",
    re.IGNORECASE,
)
_CODE_LINE = re.compile(
    r"^\s*(?:[a-z_][\w.]* ?=\s?\S|def |class \w+[(:]|import \w|from \w+ import|const |let \w+ ?=|var \w+ ?=|function ?\w*\(|return\b.*;|select\b.+\bfrom\b|insert into|update \w+ set|"
    r"create table|drop table|#include|public |private |using \w+;|for ?\(|while ?\(|if ?\(|\}|\{|</?\w+[^>]*>|//|/\*|--\s|\w+\(.*\);?\s*$|fetch\()"
    r"|\b(?:DROP TABLE|DELETE FROM|INSERT INTO|UNION SELECT|OR 1=1)\b|[{}]\s*$|\);\s*$|=>|\{\{|\}\}|<%|%>|\$\{|::",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^\s*(?:#{1,6}\s|={3,}|-{3,}|\*{3,}|<\|)")
_INJECTION = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|all)\b.{0,30}\b(?:instructions?|prompts?|rules?|messages?|context)\b"
    r"|\b(?:new|updated|real) (?:system )?(?:instructions?|prompt)\b|\bsystem (?:prompt|message|override)\b|\byou are now\b|\bdeveloper mode\b|\bjailbreak\b"
    r"|\bbegin (?:prompt|instructions?)\b|\bend of (?:prompt|document|context|user)\b",
    re.IGNORECASE,
)


_LETTER = re.compile(
    r"(?:^|\n|[.:!?]\s+)[ \t]*(?i:dear)[ \t]+(?!diary\b|me\b|god\b|lord\b|all you\b)(?:[^\s,]+[ \t]+){0,3}[^\s,]+,.*",
    re.DOTALL,
)
"""A letter from its salutation on: who signs it is not told until the end, if at all."""


_ENTERED = re.compile(
    r"^\s*(?P<slot>(?:my |our )?[a-z][a-z -]{1,24}?) ?= ?(?P<value>(?!True|False|None|Null|NaN)[A-Z][^\W\d_]+(?: [A-Z][^\W\d_]+)*)\W*$"
)
"""A message that is one entry as people scribble it, "cohost = Zeki": a slot of plain words and a name."""


def own_words(text: str) -> str:
    """`text` with every passage that is not the user's own speech replaced by `CUT`. Lines stay lines."""
    text = _ENTERED.sub(r"\g<slot> is \g<value>", _ESCAPED_BREAK.sub("\n", text))
    for pattern in (_FENCE, _ELEMENT):
        text = pattern.sub(f"\n{CUT}\n", text)
    text = _INLINE_CODE.sub(lambda found: found[0] if _short(found[0]) else CUT, text)
    for pattern in _QUOTES:
        text = pattern.sub(_kept_quote, text)
    text = _LETTER.sub(f"\n{CUT}", text)
    return _drop_commissioned(_drop_worked_on(_drop_pasted(_drop_after_request(_drop_lines(text)))))


def _short(passage: str) -> bool:
    return len(passage.split()) <= _KEPT_QUOTE_WORDS and len(passage) <= 40


def _kept_quote(found: re.Match[str]) -> str:
    return found[0] if _short(found[1]) and "\n" not in found[1] else CUT


def _drop_lines(text: str) -> str:
    """Log, code, mail header, markup and chat lines, and all that follows an instruction to a model, are not speech."""
    lines = text.split("\n")
    chat = sum(bool(_CHAT_LINE.match(line)) for line in lines) >= 2
    noise = noise_lines(lines)
    kept: list[str] = []
    announced = False
    for number, line in enumerate(lines):
        if _INJECTION.search(line) or (number and _HEADING.match(line) and len(lines) > 2):
            kept.append(CUT)
            break
        speaker = _SPEAKER.match(line) is not None
        tagged = _LONE_TAG.match(line) is not None
        announced = tagged or (speaker and line.rstrip().endswith(":")) or (announced and bool(line.strip()))
        said = chat and _CHAT_LINE.match(line) and (number or not line.rstrip().endswith(":"))
        kept.append(CUT if number in noise or announced or speaker or said or _foreign(line) else line)
    return "\n".join(kept)


def _foreign(line: str) -> bool:
    """Does the line alone show that nobody speaks in it?"""
    return line.lstrip().startswith(">") or any(
        kind(line) for kind in (_LOG_LINE.match, _CODE_LINE.search, _MARKUP.search)
    )


def _drop_worked_on(text: str) -> str:
    """What stands before "Explain simply" or "reword as a tweet", in nobody's name, is the text to work on."""
    *before, last = re.split(r"(?<=[.!?])\s+", text.strip())
    material = " ".join(before)
    if not material or not _TASK_AFTER.match(last.rstrip(" .!?")) or _OWN.search(material):
        return text
    return f"{CUT}\n{last}"


def _drop_commissioned(text: str) -> str:
    """After "write a toast for a wedding" sentences that speak of nobody of the user's are what it is to be about."""
    if not _COMMISSION.search(text):
        return text
    kept: list[str] = []
    commissioned = False
    for sentence in re.split(r"(?<=[.!?])[ \t]+", text):
        own = _OWN.search(re.sub(r"\b(?:me|us)\b", "", sentence, flags=re.IGNORECASE))
        kept.append(f"\n{CUT}\n" if commissioned and not own else sentence)
        commissioned = bool(_COMMISSION.search(sentence) and not own) or (commissioned and not own)
    return " ".join(kept)


def _drop_after_request(text: str) -> str:
    """What follows "is this sentence ok?" or "rewrite in the past tense - " on the line is the text that is asked about."""
    found = _ASKS_ON_TEXT.match(text)
    if found is None:
        return text
    rest = text[found.end() :].partition("\n")
    return f"{found[0]}\n{CUT}\n{rest[2]}"


def _drop_pasted(text: str) -> str:
    """What follows "Translate this:" up to the next blank line, or to the end where it starts on a line of its own."""
    for found in re.finditer(r":[ \t]*(\n*)(?=\S)", text):
        opening = text[: found.start()]
        before = re.split(r"[.!?\n]", opening)[-1]
        asked = _TEXT_TASK.search(before) or _REQUEST_ON_IT.match(before.strip())
        if not asked or len(text) - found.end() < 12:
            continue
        blank = text.find("\n\n", found.end())
        rest = text[blank:] if blank >= 0 and not found[1] else ""
        return f"{opening}:\n{CUT}{rest}"
    return text
