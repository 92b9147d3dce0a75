"""What is added to a sentence after a comma, as a sentence of its own: "I'm a nurse" + "three nights a week"."""

from __future__ import annotations

import re
from collections.abc import Callable

from assistant.memory.extraction.slots import RELATIONS, SLOTS
from assistant.memory.extraction.subjects import Head
from assistant.memory.extraction.verbs import FINITE, tells

__all__ = ["BARE_AGE", "COUNT", "owned", "told_alone"]

COUNT = r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|a hundred)"
_ABOUT = r"(?:(?:about|around|roughly|approx|some|up to|only|just|usually|mostly|at least|maybe|now|currently)\s+)*"
_PER = r"(?:\s*/\s*|\s+(?:a|an|per|each|every|in the|times a)\s+)(?:day|night|week|month|year|fortnight|season|term)"
_TIMES = r"(?:\s*(?:x|times|weekends?|days?|hours?|hrs?|nights?|evenings?|mornings?|sessions?|shifts?|lessons?|runs?|afternoons?))?"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_KIN = "|".join(RELATIONS.values())
_MONEY = r"(?:[$€£¥₹]\s?\d[\d.,]*k?|\d[\d.,]*k?\s?(?:€|£|\$|euros?|eur|dollars?|usd|pounds?|gbp|quid|kr|kronor|pln|zloty|chf|rupees?|yen)\b)"

BARE_AGE = re.compile(
    r"^(?:aged?\s+)?(?P<age>(?:(?:nearly|almost|about|around)\s+)?\d{1,2})(?:\s*(?:y(?:ea)?rs?[\s-]old|yo|y/o|yrs?))?$",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"^(?:(?:currently|now|originally|recently|happily|still|both)\s+)?(?:living|based|working|studying|reading|doing|training|married|divorced|retired|single|widowed|engaged|born|expecting|renting|teaching|learning|commuting|caring|"
    r"allergic to|diabetic|vegan|vegetarian|coeliac|celiac|left-handed|pregnant|self[- ]employed|freelance|freelancing|from\s+(?!\d)|in\s+(?:the\s+)?(?:\w+\s+)?(?:year|grade|form|class|reception|kindergarten|nursery)\b|on\s+(?:the\s+)?(?:\w+\s+){0,2}(?:shifts?|team|board|leave|benefits)\b|(?!(?:includ|start|beg|end|mean|count|go|com|giv|mak|dur|cost|sav)\w*ing\b)[a-z]{3,}ing\s+(?:about\s+|around\s+|over\s+)?\d+\s+[a-z])",
    re.IGNORECASE,
)
_OFTEN = re.compile(
    rf"^{_ABOUT}(?:(?:{COUNT}{_TIMES}|once|twice){_PER}\b|(?:daily|weekly|monthly|nightly|fortnightly)\b|every\s+\w+|{_WEEKDAY}\b|weekdays\b|weekends\b|(?:mornings|evenings|afternoons|nights)\b|(?:from\s+)?\d{{1,2}}(?::\d\d)?\s*(?:to|-|–)\s*\d{{1,2}}\b)(?!.*\b(?:{FINITE})\b)",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf"^{_ABOUT}{COUNT}\s+(?:[\w-]+\s+){{0,2}}?[a-z-]{{3,}}{_PER}$", re.IGNORECASE)
_PRICE = re.compile(
    rf"^{_ABOUT}(?:{_MONEY}|\d[\d.,]*(?={_PER}))(?:{_PER})?(?:\s+(?:each|net|gross|all in|including \w+|before tax|cold|warm))?$",
    re.IGNORECASE,
)
_TAKES = re.compile(
    rf"^{_ABOUT}{COUNT}\s*(?:min(?:ute)?s?|h(?:ou)?rs?)(?:\s+(?:each|one)\s+way)?(?:\s+(?:by|on|in)\s+(?:the\s+|my\s+|an?\s+)?\w+)?$",
    re.IGNORECASE,
)
_LASTS = re.compile(
    rf"^(?P<long>{_ABOUT}{COUNT}\s+(?:days|weeks|months|nights|years))(?:\s+(?P<when>(?:in|from|starting|over)\s+[\w ]+))?$",
    re.IGNORECASE,
)
_UNDERTAKING = re.compile(
    r"\b(?:trip|holiday|vacation|visit|course|leave|contract|internship|project|lease|tour|stay|placement|sabbatical)\b",
    re.IGNORECASE,
)
_DID = re.compile(
    r"^(?:just |then |also |recently |finally )?(?:got|took|moved|bought|started|retired|joined|left|quit|sold|switched|became|adopted|hired|signed|opened|finished|gave up|went|lost|swapped|changed|dropped|picked up|signed up|live (?=in|on|at|near|with)|work (?=in|at|as|for|from)|study|teach|volunteer (?=at|for))\s*\S",
    re.IGNORECASE,
)
_TRADE = re.compile(
    r"^(?:an?\s+|the\s+)?(?:(?!of\b|in\b|at\b|with\b|for\b|and\b)[\w-]+\s+){0,3}?(?:nurse|chef|cook|dev|vet|pilot|student|clerk|mechanic|accountant|assistant|consultant|analyst|architect|scientist|therapist|pharmacist|journalist|librarian|translator|professor|solicitor|lawyer|welder|joiner|tutor|founder|owner|"
    r"manager|director|teacher|engineer|developer|designer|driver|farmer|baker|butcher|plumber|carpenter|electrician|gardener|writer|editor|researcher|lecturer|courier|barista|waiter|waitress|carer|cleaner|porter|roofer|painter|potter|florist|photographer|musician|paramedic|midwife|firefighter|postman|programmer|hairdresser|tailor|apprentice|trainee|intern)\b(?!['’])(?!\s+(?:is|are|was|has|said|says)\b)",
    re.IGNORECASE,
)
_WITH_NUMBERS = re.compile(
    rf"^{_ABOUT}{COUNT}\s+(?!(?:days|weeks|months|years|hours|minutes|mins|miles|km|euros|dollars|pounds|times|degrees)\b)(?:[\w-]+\s+)?[a-z-]{{2,}}s$",
    re.IGNORECASE,
)
_RUNS = re.compile(
    r"\b(?:work|works|working|run|runs|running|own|owns|manage|manages|managing|lead|leads|leading|teach|teaches|teaching|sell|sells|selling|keep|keeps|keeping|publish|publishes|host|hosts)$",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:there|it|them|that|this|one)\b", re.IGNORECASE)
_RENTED = re.compile(
    r"\b(?:rent(?! out)|renting(?! out)|flat|room|studio|apartment|landlord|landlady|lodging|bedsit)\b",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"^(?:also |only |now |always |usually )*(?!is\b|was\b|has\b|does\b)[a-z]{2,}[^\Ws]s\s+\w", re.IGNORECASE
)
_THING = re.compile(
    r"^(?:an?|our|my)\s+(?:[\w-]+\s+){0,2}?(?P<thing>[\w-]+)(?=\s+(?:about|for|in|on|at|of|with|called|from)\b|\W*$)",
    re.IGNORECASE,
)
_TRAVELS = re.compile(
    r"\bcommute\b|\b(?:driv\w+|cycl\w+|commut\w+|walk\w*|bus|train|tram|bike|ferry|metro|tube)\b.*\b(?:there|work|office|job|in)\b",
    re.IGNORECASE,
)
_GROUP = re.compile(
    rf"^(?:an?\s+)?(?P<group>team|crew|staff|household|family|band|company|firm)\s+of\s+{_ABOUT}{COUNT}$|^\d+ of us$",
    re.IGNORECASE,
)
_STAFF = re.compile(
    rf"^{_ABOUT}{COUNT}\s+(?:people|employees|staff|engineers|developers|devs)$", re.IGNORECASE
)
_TAUGHT = re.compile(
    r"(?:teach|coach|train|conduct|lead|mind)\w*\b.*\b(?:kids|children|boys|girls)\b", re.IGNORECASE
)
_HAS = re.compile(
    rf"^(?P<some>(?:{COUNT}|an?|no)\s+)?(?:(?!of\b)[\w-]+\s+){{0,2}}?(?:{_KIN})(?:e?s)?\b(?!['’])",
    re.IGNORECASE,
)
_WHERE = re.compile(
    r"^(?!(?:in (?:case|fact|general|short|the end|theory)|on (?:top|purpose)|at (?:all|least|most|best|the moment)|from (?:now|there)|with (?:that|it|this))\b)(?:via|through|on|at|with|from|in|near|under|using|over|out of|outside|between)\s+\S",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    rf"^(?P<slot>(?!(?:{COUNT}|{FINITE}|[a-z]+[^s]s(?=\s+[$€£\d])|about|around|line|room|day|page|year|version|level|step|part|number|no|(?:[a-z]+\s+)?type|class|grade|platform|gate|since|until|till|in|on|at|from|for|to|by|aged?|born|plus|minus|size|with|and|or|an?|the|\w+ly|almost)\b)[a-z-]+(?:\s+(?!(?:in|on|at|from|for|to|by|of|with|about)\b)[a-z-]+)?)\s*[:=]?\s+(?P<value>[$€£]?\d[\d.,:]*\w*(?:\s*(?:kg|km|cm|min|hours?|euros?|dollars?|pounds?|%))?(?:{_PER})?)$",
    re.IGNORECASE,
)
_TOOL_SLOTS = "operating_system editor database programming_language cloud shop_platform accounting_tool issue_tracker notes_app messenger"
_TOOLS = tuple(pattern for slot, pattern in SLOTS if slot in _TOOL_SLOTS.split())
_TOOL = re.compile(
    r"^(?!(?:less|more|no|fewer|much)\b)(?:mostly |mainly |usually )?[\w.+#]+(?: [\w.+#]+)?(?: mostly| mainly| usually)?$",
    re.IGNORECASE,
)


def owned(text: str) -> str:
    """Somebody or something that one has, with an article: "husband who travels" -> "a husband who travels"; "" for anything else."""
    found = _HAS.match(text)
    return "" if found is None else text if found["some"] else f"a {text}"


def told_alone(piece: str, head: Head) -> list[str]:
    """`piece`, added to a sentence with that head, in sentences of its own; [] where it belongs to what stands before."""
    for tell in _TELLERS:
        told = tell(piece, head)
        if told is not None:
            return told
    return []


def _aged(piece: str, head: Head) -> list[str] | None:
    age = BARE_AGE.match(piece)
    if age is None:
        return None
    return [f"{head.who} {head.be} {age['age']}"] if head.person and head.copula else []


def _grouped(piece: str, head: Head) -> list[str] | None:
    if _GROUP.match(piece):
        return [f"we are {piece}" if piece.lower().startswith(("a ", *"123456789")) else f"we are a {piece}"]
    told = [f"we have {piece}"] if head.copula or _RUNS.search(head.verb) else []
    return told if _STAFF.match(piece) else None


def _done(piece: str, head: Head) -> list[str] | None:
    did = _DID.match(piece) and not _POINTS.search(piece)
    return [f"{head.who if head.person else 'I'} {piece}"] if did else None


def _state(piece: str, head: Head) -> list[str] | None:
    if not (head.person and _STATE.match(piece)):
        return None
    return [] if piece.startswith("born") and not head.copula else [f"{head.who} {head.be} {piece}"]


def _lasting(piece: str, head: Head) -> list[str] | None:
    """ "11 days in May", added to "I'm planning a trip": how long the trip is, and when."""
    lasting, undertaking = _LASTS.match(piece), _UNDERTAKING.search(f"{head.core} {head.rest}")
    if lasting is None or undertaking is None:
        return None
    told = [f"my {undertaking[0]} is {lasting['long']}"]
    return [*told, f"my {undertaking[0]} is {lasting['when']}"] if lasting["when"] else told


def _priced(piece: str, head: Head) -> list[str] | None:
    """Rent is the user's; another price belongs to the thing, and ends with it."""
    rent = [f"my rent is {piece}"] if _RENTED.search(f"{head.core} {head.rest}") else []
    return rent if _PRICE.match(piece) else None


def _travelled(piece: str, head: Head) -> list[str] | None:
    if not _TAKES.match(piece):
        return None
    return [f"my commute is {piece}"] if _TRAVELS.search(f"{head.core} {head.rest}") else []


def _often(piece: str, head: Head) -> list[str] | None:
    told = [f"{head.core} {piece}"] if head.works else []
    return told if _OFTEN.match(piece) else None


def _counted(piece: str, head: Head) -> list[str] | None:
    found = _HAS.match(piece)
    has = head.person and found is not None and found["some"] and not _TAUGHT.match(f"{head.verb} {piece}")
    return [f"{head.who} {head.have} {piece}"] if has or _COUNTED.match(piece) else None


def _measured(piece: str, head: Head) -> list[str] | None:
    measure = _MEASURE.match(piece)
    return [f"my {measure['slot']} is {measure['value']}"] if measure is not None and head.person else None


def _traded(piece: str, head: Head) -> list[str] | None:
    if not (head.person and head.copula and _TRADE.match(piece)):
        return None
    article = "" if piece.lower().startswith(("a ", "an ", "the ")) else "a "
    return [f"{head.who} {head.be} {article}{piece}"]


def _run_with(piece: str, head: Head) -> list[str] | None:
    """ "1,200 subscribers", added to "I run a newsletter"."""
    runs = head.person and _RUNS.search(head.verb) and _WITH_NUMBERS.match(piece)
    return [f"{head.who} {head.have} {piece}"] if runs else None


def _thing_has(piece: str, head: Head) -> list[str] | None:
    """ "two bays", added to "my garage is in Leith": they are the thing's."""
    has = head.copula and not head.person and head.who.lower().startswith(("my ", "our "))
    return [f"{head.who} {head.have} {piece}"] if has and _WITH_NUMBERS.match(piece) else None


def _thing_does(piece: str, head: Head) -> list[str] | None:
    """ "goes out on Sundays", added to "I run a newsletter": what one has does something."""
    thing = _THING.match(head.rest) if not head.copula and head.have == "have" else None
    return [f"my {thing['thing']} {piece}"] if thing is not None and _DOES.match(piece) else None


def _tool(piece: str, head: Head) -> list[str] | None:
    if _TOOL.match(piece) and not _WHERE.match(piece) and any(tool.search(piece) for tool in _TOOLS):
        return [f"{head.who} {'use' if head.have == 'have' else 'uses'} {piece}"]
    return None


def _placed(piece: str, head: Head) -> list[str] | None:
    if _WHERE.match(piece) and head.works and not head.copula and not tells(piece):
        return [f"{head.core} {piece}"]
    return None


_TELLERS: tuple[Callable[[str, Head], list[str] | None], ...] = (
    _lasting,
    _aged,
    _grouped,
    _done,
    _state,
    _priced,
    _travelled,
    _often,
    _traded,
    _counted,
    _run_with,
    _thing_has,
    _thing_does,
    _measured,
    _tool,
    _placed,
)
"""Each gives the sentences, [] where the piece is of its kind and stays where it stands, and None where it is of another kind."""
