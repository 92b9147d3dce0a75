"""Key, value and kind of a fact: the same slot gets the same snake_case key however it is worded."""

from __future__ import annotations

import re
import unicodedata

from assistant.memory.extraction.slots import MANY, RELATIONS, SLOTS
from assistant.memory.records import FactKind

__all__ = ["key_of", "kind_of", "owner_of", "value_of"]

_OWNER = re.compile(
    r"\b(?:my|our|the|user's|i have an?|we have an?|i've an?|got an?)\s+(?:[\w'-]+\s+){0,3}?(?:"
    + "|".join(
        f"(?P<{name}>{words})"
        for name, words in sorted(RELATIONS.items(), key=lambda item: -max(map(len, item[1].split("|"))))
    )
    + r")(?:['’]s)?\b",
    re.IGNORECASE,
)
_BUDGET_FOR = re.compile(
    r"(?<!['’])\b(?:(?P<before>[a-z]+) budget|budget (?:for|on) (?:the |my |our |a )?(?P<after>[a-z]+))\b",
    re.IGNORECASE,
)
_PLAIN = frozenset(
    (
        "my",
        "the",
        "our",
        "a",
        "weekly",
        "monthly",
        "yearly",
        "annual",
        "total",
        "overall",
        "new",
        "current",
        "max",
        "whole",
        "zero",
        "no",
        "this",
        "it",
        "tight",
        "small",
        "for",
        "on",
        "is",
        "her",
        "his",
        "their",
        "of",
    )
)
_VERB = re.compile(
    r"^User (?:(?:no longer|also|never|always|usually|only|still|just|has|is|was|had) )*(?:\w+(?:s|ed|ing)|quit|left|let|sold|got|gave|went|put|cut|set|lost|took|made)\b(?= )"
)
"""The verb of a statement, which says less about the matter than its object."""
_SUBJECT = re.compile(
    r"^(?:User's |The |Our |My )?(?P<subject>(?!User\b)[\w' -]{2,40}?)(?:(?:'s)? (?:is|are|was|were|has|have|had|got|get|gets|went|moved|died|closed|opens?|starts?|runs?|goes?|go|ends?|costs?|comes?|passed|will|faces)\b|'s (?:at|on|in|an?|now|the|[A-Z\d])|\s?[:=])"
)
"""What a statement is about where that is not the user: "Rehearsals are on Mondays now"."""
_CALLED = re.compile(
    r"\b(?:my|our|the)\s+(?:[\w'-]+\s+){0,3}?(?P<thing>[a-z-]+)(?:'s)?\s+(?:name\b|(?:is|are|was)?\s*(?:called|named)\b)",
    re.IGNORECASE,
)
_OF_THE_GROUP = frozenset(("children", "employees", "employer"))
"""Slots that say themselves whose they are."""
_IM = re.compile(r"\bim\b", re.IGNORECASE)
_PER_TIME = re.compile(
    r"\b(?:(?P<count>\d[\d.,]*|once|twice|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty)(?:\s*x)?(?:\s+(?P<what>(?!quid\b|euros?\b|dollars?\b|pounds?\b|kr\b|bucks\b)[a-z-]+))?)(?:\s+(?:a|per|each|every)\s+|/)(?P<time>day|night|week|month|year)\b",
    re.IGNORECASE,
)
"""How many of something in how long: a slot of its own whatever it is told beside."""
_DAYS = frozenset(
    ("day", "days", "morning", "mornings", "evening", "evenings", "afternoon", "afternoons", "weekends")
)
_SPENT = re.compile(
    r"[$€£¥₹]|\b(?:budget|ceiling|spend\w*|cap|limit|cost|costs|paid|pay|euros?|dollars?|pounds?|quid|bucks|kronor|zloty|rupees?)\b",
    re.IGNORECASE,
)
_THINGS_NUMBER = re.compile(
    r"(?:(?:my|our|the|an?)\s+)?(?!(?:he|she|it|who)\b)(?-i:[a-z])[\w'-]*(?:\s+[\w'-]+)?\s+is\b",
    re.IGNORECASE,
)
"""The number is that of a thing: "my goal is 85"."""
_PERSONAL_WORDS = "age birthday height weight employer occupation workplace diet religion marital_status nationality handedness name"
_PERSONAL = frozenset(_PERSONAL_WORDS.split())
"""Slots of a person: of somebody who is known by name only they are not the user's."""
_OF_USER = re.compile(r"(?:the )?user\b|(?:.* )?the user\b", re.IGNORECASE)
_WHO_IS = re.compile(r"User's [^,]+? is (?:(?:Mrs?|Ms|Dr|Herr|Frau)\.? )?[A-Z][^\W\d_]+")
_ROLES = frozenset(("doctor", "cleaner", "nanny", "flatmate", "landlord"))
"""Relations that somebody else may be in tomorrow: who it is has the relation for its slot."""
_PAID_WORDS = "rent mortgage salary savings debt budget rate day_rate hourly_rate insurance phone"
_PAID = frozenset(_PAID_WORDS.split())
_NO_LONGER = re.compile(r"\bno longer\b", re.IGNORECASE)
_NOTHING = re.compile(r"(?!)")
_LIKES = re.compile(
    r"\b(?:love|loves|like|likes|enjoy|enjoys|prefer|prefers|into|fan of|obsessed with|adore)\b",
    re.IGNORECASE,
)
_DISLIKES = re.compile(
    r"\b(?:hate|hates|dislike|dislikes|can't stand|loathe|detest|not a fan|don't like|doesn't like|avoid|avoids)\b",
    re.IGNORECASE,
)
_ATTITUDES = {"dislikes": _DISLIKES, "likes": _LIKES}
_ORDERED = re.compile(
    r"\bwants? (?:the assistant|to be called|no|at most|max(?:imum)?|[\w ]+ kept)\b", re.IGNORECASE
)
_RULE = re.compile(r"\b(?:always|never|as a rule|every time|house rule|no more|from now on)\b", re.IGNORECASE)
_DATED = re.compile(
    r"\b(?:in|since|on|from|until) (?:the week of )?(?:\d{1,2} )?(?:\w+ )?(?:19|20)\d\d\b|\b\d{4}-\d\d-\d\d\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:[$€£¥₹]\s?)?\d(?:[\d,.: ]*\d)?(?:\s?(?:k|m|%|€|£|\$|kg|km|cm|mm|kwp|kw|mg|am|pm))?\b", re.IGNORECASE
)
_NUMERIC_WORDS = (
    "age rent mortgage day_rate hourly_rate rate salary savings budget employees height weight size"
)
_NUMERIC = frozenset(_NUMERIC_WORDS.split())
_STOP_WORDS = (
    "user user's users the a an is are was has have had does do did to of in on at for from with by and or but not no never always their them they it its this that these those be been being "
    "will would can can't could should wants want assistant as so very really just only also still now already any some all more most than then there here who which what when where how "
    "about into onto over under after before out up down off he she his her him one two three get gets got go goes went make makes made use uses used doesn't isn't don't won't i my me we our "
    "kept keep new old big small little good bad lot lots bit kind sort thing things stuff currently recently usually mostly sometimes often year years month months week weeks day days please live lives work works eat eats drink drinks careful monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays morning mornings evening evenings afternoon afternoons weekend weekends longer more instead called named"
)
_STOP = frozenset(_STOP_WORDS.split())


def owner_of(text: str) -> str:
    """Whose fact it is as a prefix: "daughter", "dog", … or "" for the user's own."""
    found = _OWNER.search(text)
    return found.lastgroup or "" if found is not None else ""


def key_of(statement: str, clause: str) -> str:
    """A stable snake_case key, at most 60 characters: owner, qualifier, slot ("daughter_school", "tooling_budget", "budget").

    The owner is whose it is, left out for the user's own; the qualifier is what a budget is for or what bears a name
    ("band_name"). A key without it may be the same slot as the one known key that ends in it. The value is no part of the
    key but for slots that hold several facts at a time ("allergy_nuts") and for matters that have no slot.
    """
    text = _IM.sub("I'm", clause.replace("’", "'"))
    owner = owner_of(text) or owner_of(statement.replace("User's", "my"))
    about = _NO_LONGER.sub(" ", text)
    slot, pattern = _by_its_name(about) or _fitting(about, statement, owner)
    often = _PER_TIME.search(about)
    if (
        often is not None
        and not _is_money(slot, about, statement)
        and (slot not in MANY or slot == "working_hours")
    ):
        return _snake(
            "_".join(filter(None, [owner, *_counted(often, statement, owner), "per", often["time"]]))
        )
    if slot in _PERSONAL and not owner and not _OF_USER.match(statement):
        whose = (_matter(statement, owner) or statement.split())[0].lower()
        if whose not in {"name", "it", "it's", "its", "name:"}:
            return _snake(f"{whose}_{slot}")  # somebody or something known by name only
    if not slot and owner in _ROLES and _WHO_IS.match(statement):
        return owner
    if slot == "residence" and not owner and _matter(statement, owner) not in ([], ["home"]):
        slot, pattern = "", None  # a thing that moved: "rehearsals have moved to the gym"
    if slot and pattern is not None and slot not in MANY:
        words = [_qualifier(slot, text, owner), slot]
    else:
        lead = slot or _attitude(text)
        rest = (pattern or _ATTITUDES.get(lead) or _NOTHING).sub(" ", statement)
        content = _content(_VERB.sub("", rest), skip=owner) or _content(_VERB.sub("", statement), skip=owner)
        words = [
            lead,
            *([] if lead else _matter(statement, owner) or content[:2]),
            *(content[:1] if lead else []),
        ]
    if owner and slot not in _OF_THE_GROUP and not slot.startswith(owner):
        words.insert(0, owner)
    return _snake("_".join(word for word in dict.fromkeys(words) if word)) or "fact"


def _by_its_name(text: str) -> tuple[str, re.Pattern[str] | None] | None:
    """The slot of money that is called by its name, whatever else is said beside."""
    named = re.search(r"\b(?P<slot>budget|rent|mortgage|salary)\b(?! due\b)", text, re.IGNORECASE)
    pattern = dict(SLOTS)[named["slot"].lower()] if named is not None else None
    if named is None or pattern is None or not (named["slot"].lower() == "budget" or pattern.search(text)):
        return None
    return named["slot"].lower(), pattern


def _fitting(text: str, statement: str, owner: str) -> tuple[str, re.Pattern[str] | None]:
    """The first slot whose pattern fits; a number of something that is no money is no budget."""
    for slot, pattern in SLOTS:
        counts = slot == "budget" and not _SPENT.search(text) and _is_group_or_count(text, statement, owner)
        aged = slot == "age" and _THINGS_NUMBER.match(text) and not owner
        if pattern.search(text) and not (counts or aged):
            return slot, pattern
    return "", None


def _is_group_or_count(text: str, statement: str, owner: str) -> bool:
    """ "The guest list is up to 110", "I coach the under 9s"."""
    return bool(_matter(statement, owner)) or re.search(r"\b(?:under|over)[ -]\d+s\b", text) is not None


def _is_money(slot: str, text: str, statement: str) -> bool:
    """Is the number paid or earned? "Orders are up to 55 a month" counts orders, whatever "up to" may hint at."""
    counts = (
        slot == "budget"
        and bool(_matter(statement, ""))
        and not re.search(r"\b(?:budget|ceiling|spend|under|below|max)", text)
    )
    return re.search(r"[$€£¥₹]", text) is not None or (slot in _PAID and not counts)


def _counted(often: re.Match[str], statement: str, owner: str) -> list[str]:
    """What is counted: "days" of "four days a week", or what the statement is about where the number stands alone."""
    what = (often["what"] or "").lower()
    matter = _matter(statement, owner) or ["time"]
    return [_singular(what)] if what and (what not in _STOP or what in _DAYS) else matter


def _singular(word: str) -> str:
    return re.sub(r"(?<=[a-z]{2}[^s])s$", "", word)


def _matter(statement: str, owner: str) -> list[str]:
    """What the statement is about, in one or two words and the singular, where it is neither the user nor one of theirs."""
    found = _SUBJECT.match(statement)
    if found is None:
        return []
    words = _content(f"{found['subject'][:1].lower()}{found['subject'][1:]}", skip=owner)
    relations = "|".join(RELATIONS.values()).split("|")
    if any(word in relations for word in re.findall(r"[\w-]+", found["subject"].lower())):
        return []
    return [_singular(word) for word in words[:2] or _called_assistant(found["subject"])]


def _called_assistant(subject: str) -> list[str]:
    """The user's own assistant, a person, and not the one they speak to."""
    return ["assistant"] if subject.lower().endswith("assistant") else []


def _qualifier(slot: str, text: str, owner: str) -> str:
    """What a budget is for ("food budget", "budget for the kitchen") or what is called so ("our band's name"), or ""."""
    if slot == "name" and not owner:
        called = _CALLED.search(text)
        thing = called["thing"].lower() if called is not None else ""
        return "" if thing in _PLAIN or thing == "name" else thing
    found = _BUDGET_FOR.search(text) if slot == "budget" else None
    named = (found["before"] or found["after"] or "").lower() if found is not None else ""
    return "" if named in _PLAIN else named


def value_of(statement: str, key: str) -> str:
    """The part of the statement that changes when the fact does."""
    if key.rsplit("_", 1)[-1] in _NUMERIC or key in _NUMERIC:
        found = _NUMBER.search(statement)
        if found is not None:
            return found[0].strip()
    predicate = re.sub(
        r"^User(?:'s [\w' -]+?)?\s+(?:wants (?:the assistant )?to|is called|is|has|lives in|works (?:at|for|as)|uses|prefers|was|does|no longer)\s+",
        "",
        statement,
    )
    if predicate == statement:
        predicate = re.sub(
            r"^(?:User(?:'s)?\s+|(?!User\b)[\w' -]{2,40}?(?: (?:is|are)|'s|\s?[:=])\s+)", "", statement
        )
    return predicate[:200]


def kind_of(statement: str, clause: str) -> FactKind:
    if _ORDERED.search(statement) or (
        _RULE.search(clause) and re.search(r"\byou\b|\bdon't\b", clause, re.IGNORECASE)
    ):
        return FactKind.PROCEDURAL
    return FactKind.EPISODIC if _DATED.search(statement) else FactKind.SEMANTIC


def _attitude(text: str) -> str:
    return next((name for name, pattern in _ATTITUDES.items() if pattern.search(text)), "")


def _content(statement: str, skip: str) -> list[str]:
    """Words that name the thing, in order: common nouns before names of people and places."""
    words = [word.removesuffix("'s") for word in re.findall(r"[^\W\d_][\w'-]+", statement)]
    kept = [word for word in words if word.lower() not in _STOP and word.lower() not in skip.split("_")]
    return [word.lower() for word in sorted(kept, key=lambda word: word[0].isupper())]


def _snake(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    plain = plain.replace("colour", "color").replace("neighbour", "neighbor")
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:60].strip("_")
