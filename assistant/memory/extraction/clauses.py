"""A message split into clauses, each small enough to state one thing, each with the subject it takes over from the one before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.memory.extraction.announcements import state_of
from assistant.memory.extraction.changes import join_steps
from assistant.memory.extraction.passages import own_words
from assistant.memory.extraction.plainly import new_values_joined, plainly
from assistant.memory.extraction.referents import named, untimed
from assistant.memory.extraction.restarts import restarts_apart
from assistant.memory.extraction.restating import reminder
from assistant.memory.extraction.roles import roles_told
from assistant.memory.extraction.sentences import sentences
from assistant.memory.extraction.verbs import opens_sentence, tells

__all__ = ["Clause", "split_clauses"]

_LIMIT = 60
"""More clauses than this are a document, not a message; the rest is left alone."""
_SUBJECT = r"(?:i(?:['’]?(?:m|ve|d|ll))?|im|ive|we(?:['’](?:re|ve|d|ll))?|weve|my|our|mine|he(?:['’]?s)?|she(?:['’]?s)?|they(?:['’](?:re|ve))?|it(?:['’]s)?|its|there(?:['’]s)?|you|u|ur|that(?:['’]s)?|this)"
_ORDER = r"(?:please|pls|plz|don['’]?t|dont|do not|never|always|only|just|stop|keep|use|give|tell|call|write|make|remember|note|assume|skip|avoid|answer|reply|ignore|plan|put|help)"
_ASK = r"(?:(?:can|could|would|will|should|shall|do|does|did)(?!n?['’]t)|(?:is|are|am|was|were)(?= (?:\d+|it|there|this|that|the|my|our|a|an|he|she|they|i|we|you)\b)|what|whats|what['’]s|how|hows|how['’]s|why|where|wheres|when|which|who|whos|any|got any|need|want|wanna|looking for|ideas|thoughts|suggest|recommend|draft|worth)"
_JOIN = r"(?:and|but|so|because|bc|cos|coz|cuz|since|as|though|although|however|plus|also|while|whereas|then|anyway|anyways|anyhow|btw|except|or|yet|which means|meaning|tho|&)"
_VERB_PHRASE = r"(?:is|are|was|were|has|have|['’]s|comes?|goes|runs?|works?|costs?|starts?|lives?|picks?|collects?|pays?|gets?|went|takes?|moved|does|do|don['’]?t|can|can['’]?t)"
_OTHER_SUBJECT = rf"(?:the|everything|all|everyone|everybody|nobody|no ?one|both|customers|clients|people|prices|only)(?:\s+[\w'’-]+){{0,3}}?(?:\s+|(?=['’])){_VERB_PHRASE}"
_ENDING = r"(?:gave up|given up|left|stopped|quit|dropped|cancell?ed|ditched|sold|scrapped|closed|got rid|(?:done|finished|through) with|no more|no longer|not .{1,30} any ?more)"
_SINCE_THEN = r"since\s+(?:i|we|he|she|they|it)\s+(?:was|were|turned|started|got|had|left|moved|could|can)\b"
_SPLIT = re.compile(
    rf"(?:\s*[,:]\s*|\s+)(?!(?:while|as)\s+(?:it|they|he|she)\b|so\s+(?:you|u)\s+know\b|since\s+this\s+(?!is\b|was\b|has\b|will\b|one\b)|{_SINCE_THEN})(?={_JOIN}\s+(?:{_JOIN}\s+)?(?:now\s+)?(?:{_SUBJECT}|{_ORDER}|{_ASK})\b)"
    rf"|\s*,\s*(?!(?:my|our)\b[^,]{{1,30}},)(?=(?:{_SUBJECT}|{_ORDER}|{_ASK}|{_ENDING})\b)"
    rf"|\s*,\s*(?:and |but |so )?(?=(?:{_OTHER_SUBJECT}|[\w+#-]+ (?:is|are) (?:history|gone|out|dead|over|no more))\b)",
    re.IGNORECASE,
)
_LEADING_JOIN = re.compile(
    rf"^(?:(?!as (?:an?|the|my|our|some\w*|for|of|from|long|soon|far|well)\b){_JOIN}[\s,]+)+(?=\S)",
    re.IGNORECASE,
)
_SINCE_A_TIME = re.compile(
    r"(?:and |but )?since (?:the|my|our|last|this|early|late|\d+|yesterday|then|[A-Z][a-z]+)\b", re.IGNORECASE
)
_SINCE_A_DAY = re.compile(
    r"since (?:(?:last|this) \w+|yesterday|then|(?:19|20)\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|june|july|august|(?:sept|nov|dec)ember|october),?\s+(?!is\b|was\b|has\b|are\b)",
    re.IGNORECASE,
)
_VERBS = (
    "work|live|have|run|use|own|play|study|teach|drive|love|hate|prefer|like|need|am|got|speak|drink|eat|cook|train|volunteer|commute|"
    "rent|sell|make|write|code|design|manage|lead|take|wear|sleep|travel|hold|pay|earn|save|want|do|can|can't|cant|don't|dont|never|"
    "always|only|just|moved|started|quit|stopped|switched|bought|sold|left|joined|became|retired|was|grew|keep|go|get|suffer|avoid|still|usually|mostly|recently|also"
)
_SHARED = re.compile(rf"(?:\s*,)?\s+(?:and|but|&)\s+(?=(?:{_VERBS})\b)", re.IGNORECASE)
_ALSO_DONE = re.compile(
    r"^(?:and|&)\s+(?P<done>(?:use|write|make|keep|avoid|skip|help|plan|put|call|only|always|never|give|stop|just)\b(?!.*\b(?:please|pls|plz|you|me|with me|for me|your)\b).*)$",
    re.IGNORECASE,
)
"""Reads like an order, but goes on with what the speaker does: "I have diabetes and use a pump"."""
_OPENS_FIRST = re.compile(
    r"^(?:\W|(?:hey|hi|hello|ok|okay|so|well|oh|also|btw|and|fyi|yeah|yes|no|honestly|actually)\b)*(i|i['’]m|im|i['’]ve|ive|we|we['’]re|we['’]ve)\b",
    re.IGNORECASE,
)
_PARTNER = re.compile(
    r"(?:^|[,.] )(?:(?:hey|hi|so|ok|well|btw) )?(?:(?i:my|our) [\w'’-]+(?: [\w'’-]+)?|[A-Z][\w'’-]+|(?i:wife|husband|mum|dad|mom))$"
)
_CONDITION = re.compile(
    r"^(?:(?:so|and|but)\s+)?(?:if|when|whenever|while|because|bc|after|before|until|unless|although|though|as|whatever|wherever)\b",
    re.IGNORECASE,
)
_PREDICATE = re.compile(r"(?:is|are|was|were|has)\b", re.IGNORECASE)
_ALSO_OF_ANOTHER = re.compile(
    r"(?:and|but)\s+(?:never|always|only|just)\s+\w+[^\Ws]s\b(?!['’])", re.IGNORECASE
)
"""Goes on with what somebody else does: "my mate benches 180" + "and never shuts up"."""
_RATHER = re.compile(r"(?:never|not|only)\s+(?:an?\s+|the\s+)?[\w-]+(?:\s+[\w-]+)?\W*$", re.IGNORECASE)
"""Says of what was named what is meant by it: "in grams", "never cups"."""
_ALSO_OWN = re.compile(r"(?:and|or|&)\s+(?:my|our)\b", re.IGNORECASE)
_NEW_SUBJECT = re.compile(r",\s+(?=[\w$€£])|\s+(?=(?:and|but|so|because|since|cos|bc)\s+\w)", re.IGNORECASE)
"""Where a clause with a subject of its own may begin; whether one does, its words tell."""
_WHEN_ONLY = re.compile(
    r"(?:(?:and|but|so|except|even|only|especially|unless)\s+)*(?:when|whenever|if|unless|until|although|though)\s+(?:(?!,)[\w'’ -]){3,60}\W*$",
    re.IGNORECASE,
)
"""Says when something else is so, and nothing by itself."""
_SO_ASKS = re.compile(
    r"(?:so|and|but)\s+(?:is|are|was|can|could|should|would|will|do|does|did|any\w*|something|someone|some)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"^(?:hey,? )?just so (?:you|u) know,?\s+(?:that\s+)?(?=\w)|,\s+(?:remember|btw|by the way|as (?:you|u) (?:know|may know|remember)|you know|as i said|mind you|of course|by now|i think|i guess|i suppose|if you must know)\s*,\s+(?=\w)|,?\s+(?:btw|by the way|tbh|fyi|lol|haha|mind you|you know)(?=,)|,\s*(?:badly|poorly|terribly|not (?:very |all that )?well|clumsily)(?=,)(?:,(?=\s+(?:on|in|at|every|with|for|since)\b))?",
    re.IGNORECASE,
)
"""Words to the listener in the middle of a sentence."""
_ME_FOR_MY = re.compile(
    r"^me(?= (?!and\b)[a-z-]+(?: [a-z-]+)? (?:is|are|was|were|has|had|won['’]?t|can['’]?t|does|says|hurts?|trembles?)\b)|(?<=\b(?:in|on|of) )me(?= (?:left|right|own|old|bad|good|new|poor)\b)|\bme(?= (?:mam|mum|dad|missus|wife|lad|nan)\b)|(?<=\bmind )me(?= [a-z])",
    re.IGNORECASE,
)
_AND_I = re.compile(r"(?:and|&) (?:i|we|me)\b", re.IGNORECASE)
_BARE_SUBJECT = re.compile(
    rf"(?:{_JOIN}\s+)*(?:i|me|us|we|you|he|she|they|it|my \w+|our \w+)(?:\s+(?:also|really|still|just|only|always|never))*",
    re.IGNORECASE,
)
"""All there is before "also do": no clause of its own."""
_KNOWN_BEFORE = re.compile(
    r"(?:he|she|his|her)\b|it(?:['’]?s| is) (?:called|named|on|in|at|by|near|from|made|open|closed|based)\b|i(?:['’]m| am)\b.*\b(?:learning|studying)\W*$",
    re.IGNORECASE,
)
"""What may be told of in the message before: somebody, or what is called so."""
_SOME_ONE = re.compile(r"\b(?:an?|some(?:one|body)?|another|this)\s+[a-z]", re.IGNORECASE)
_SOMEBODY = re.compile(r"\b(?:he|she|him|her|his|hers)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
_OF_ONE = (re.compile(r"(?:he|his)\b", re.IGNORECASE), re.compile(r"(?:she|her)\b", re.IGNORECASE))
_FOR_SOME_TIME = 2
"""Clauses about somebody by pronoun after which the pronoun keeps meaning them, whoever else is named."""
_SUBJECT_OF = {"i": "I", "w": "we"}


@dataclass(frozen=True, slots=True)
class Clause:
    """`text` is what the gate and the statement are made from; `words` are the user's own."""

    words: str
    text: str
    sentence: str
    """The whole sentence it stands in."""
    asked: bool
    """The sentence ends in a question mark and this is its last clause."""
    first: bool
    """First clause of its sentence."""


def split_clauses(message: str, earlier: Sequence[Clause] = ()) -> list[Clause]:
    """Clauses of the user's own words, in order. `message` is cleaned text with secrets masked.

    `earlier` are the clauses of the user's message before, which may tell whom a "she" means.
    """
    clauses: list[Clause] = []
    for sentence in sentences(new_values_joined(own_words(message))):
        clauses.extend(_clauses_of(sentence))
        if len(clauses) >= _LIMIT:
            break
    return _pronouns_named(_led_up_to(clauses[:_LIMIT]), earlier)


def _led_up_to(clauses: Sequence[Clause]) -> list[Clause]:
    """What one sentence announces and the next one tells ("They moved me over. I teach year 6 now") as one clause."""
    joined: list[Clause] = []
    for clause in clauses:
        before = joined[-1] if joined and clause.first and not clause.asked else None
        told = (
            (before.words.rstrip(" .!…"), before.text.rstrip(" .!…"))
            if before is not None and not before.asked
            else None
        )
        one = state_of(told, (clause.words, clause.text)) if told is not None else None
        if one is None:
            joined.append(clause)
        else:
            joined[-1] = replace(joined[-1], words=one[0], text=one[1])
    return joined


def _pronouns_named(clauses: list[Clause], earlier: Sequence[Clause]) -> list[Clause]:
    """Each clause's text with its opening pronoun named from the clauses before it, a person's from the message before too."""
    known: list[Clause] = []
    for clause in clauses:
        before = [told.text for told in known]
        text = named(clause.text, before)
        reaches = _KNOWN_BEFORE.match(untimed(text)) and not _NAME.search(" ".join(before))
        if text == clause.text and reaches and not _of_a_stranger(known):
            text = named(text, _spoken_of(text, earlier))
        known.append(replace(clause, text=text))
    return known


def _of_a_stranger(before: Sequence[Clause]) -> bool:
    """Has this message spoken of somebody or something else just now, so that a pronoun need not reach back?"""
    spoken = " ".join(clause.text for clause in before)
    another = any(clause.asked for clause in before) or _SOME_ONE.search(spoken)
    return bool(another) and not _SOMEBODY.search(spoken)


def _spoken_of(text: str, earlier: Sequence[Clause]) -> list[str]:
    """Clauses that may tell who is meant: those about the one whom the talk has been of, where it has been of one for some time."""
    sex = next((words for words in _OF_ONE if words.match(untimed(text))), None)
    told = [clause.text for clause in earlier if sex is not None and sex.match(clause.words)]
    return told if len(told) >= _FOR_SOME_TIME else [clause.text for clause in earlier]


def _clauses_of(sentence: str) -> list[Clause]:
    again, told = reminder(_ME_FOR_MY.sub("my", sentence))
    plain = roles_told(re.sub(r" +(?=[ ,])", "", _ASIDE.sub(" ", told)))
    parts = [part.strip(" ,:") for part in _outside_brackets(_SPLIT, plain)]
    asked = sentence.rstrip(" )\"'").endswith("?")
    parts = _run_on_apart(_new_subjects_apart(_subjects_whole(parts, asked=asked)))
    spoken = [said for part in parts if re.search(r"\w", part) for said in _shared_subject(part)]
    stated = join_steps([(words, plainly(roles_told(_without_join(text)))) for words, text in spoken])
    if again:
        stated = [
            (words if words in again or words.startswith(again) else f"{again} {words}", text)
            for words, text in stated
        ]
    return [
        Clause(words, text, sentence, asked and number == len(stated) - 1, first=number == 0)
        for number, (words, text) in enumerate(stated)
    ]


def _without_join(text: str) -> str:
    """ "but I live in Wick" without "but"; the "since" of "since the fall he walks with a stick" is no joint."""
    plain = _LEADING_JOIN.sub("", text)
    timed = _SINCE_A_DAY.match(text) or (_SINCE_A_TIME.match(text) and not opens_sentence(plain))
    return text if timed else plain


def _subjects_whole(parts: list[str], *, asked: bool) -> list[str]:
    """ "my wife" + "and I run a bar" is one clause with two subjects, "I" + "also do yoga" one with one, as "my hero, Bram" + "is a rider"."""
    whole: list[str] = []
    for part in parts:
        if whole and (_WHEN_ONLY.match(whole[-1]) or _WHEN_ONLY.match(part)):
            whole[-1] = f"{whole[-1]}, {part}"
        elif whole and _goes_on(whole[-1], part, asked=asked):
            whole[-1] = f"{whole[-1]}{',' * bool(_RATHER.match(part))} {part}"
        else:
            whole.append(part)
    return whole


def _goes_on(before: str, part: str, *, asked: bool) -> bool:
    """Is `part` no clause of its own but the other half of `before`?"""
    partner = _PARTNER.search(before) and _AND_I.match(part)
    predicate = not asked and _PREDICATE.match(part) and not tells(before)
    of_another = _ALSO_OF_ANOTHER.match(part) and not _OPENS_FIRST.match(before)
    rather = _RATHER.match(part) and not tells(part)
    listed = _ALSO_OWN.match(part) and not tells(part) and tells(before)
    return bool(partner or predicate or of_another or rather or listed or _BARE_SUBJECT.fullmatch(before))


def _new_subjects_apart(parts: list[str]) -> list[str]:
    """ "I charge 75, bookings come in by mail" and "petrol went up so a wash is 85 now" as two clauses each."""
    apart: list[str] = []
    for part in parts:
        start = 0
        for found in _NEW_SUBJECT.finditer(part):
            before, rest = part[start : found.start()], part[found.end() :]
            asks = rest.rstrip().endswith("?") and _SO_ASKS.match(rest)
            if _is_whole(before) and (asks or opens_sentence(_LEADING_JOIN.sub("", rest))):
                apart.append(before)
                start = found.end()
        apart.append(part[start:])
    return apart


def _is_whole(text: str) -> bool:
    """A sentence that needs nothing more, outside brackets."""
    told = tells(text) or opens_sentence(text)
    return told and text.count("(") == text.count(")") and not _CONDITION.match(text)


def _run_on_apart(parts: list[str]) -> list[str]:
    """Clauses without a comma between them cut apart, and "and use a pump" given the subject of the clause before."""
    apart: list[str] = []
    for part in parts:
        speaker = _OPENS_FIRST.match(apart[-1]) if apart else None
        also = _ALSO_DONE.match(part)
        if speaker is not None and also is not None:
            apart.append(f"{_SUBJECT_OF[speaker[1][0].lower()]} {also['done']}")
        else:
            apart.extend(restarts_apart(part))
    return apart


def _shared_subject(part: str) -> list[tuple[str, str]]:
    """ "I live in Graz and work nights" states two things of one subject."""
    opened = _OPENS_FIRST.match(part)
    if opened is None:
        return [(part, part)]
    subject = _SUBJECT_OF[opened[1][0].lower()]
    head, *rest = _outside_brackets(_SHARED, part)
    return [(head, head), *((piece, f"{subject} {piece}") for piece in rest)]


def _outside_brackets(pattern: re.Pattern[str], text: str) -> list[str]:
    """Like `pattern.split`, but never inside parentheses."""
    pieces: list[str] = []
    start = 0
    for found in pattern.finditer(text):
        before = text[: found.start()]
        if before.count("(") > before.count(")"):
            continue
        pieces.append(text[start : found.start()])
        start = found.end()
    return [*pieces, text[start:]]
