"""Who or what fills a role, told plainly: "we've got a new bookkeeper, Ilse" -> "our bookkeeper is Ilse now".

Whoever fills it next is told of in other words; only the role by its name shows that both are about one slot.
"""

from __future__ import annotations

import re

__all__ = ["WORKER", "opinion", "roles_told"]

WORKER = r"(?![a-z-]*(?:daughter|sister|brother|mother|father|parent|toddler|retriever|terrier|rottweiler)\b|printer\b|computer\b|order\b|number\b|chapter\b|letter\b|paper\b|character\b|server\b|router\b|trailer\b|winter\b|summer\b|water\b|counter\b|mirror\b|newsletter\b|folder\b|charger\b|mower\b|boiler\b|freezer\b|cooker\b|toaster\b|scooter\b|prescription\b)(?:[a-z-]{2,}(?:er|or|ist|ian|ant|ent|mate|eur|man|woman|ess|ard)|mate|partner|buddy|boss|captain|president|referee|umpire|goalie|coach|chef|cook|nurse|vet|gp|landlady|landlord|accountant|assistant|intern|nanny|au pair|dean|judge|guide|aide|carer|sous|dentist|agent|lead|sponsor|priest|vicar|rabbi|imam|secretary|apprentice|trainee|therapist|physio)"
_ROLE = rf"(?P<role>(?:(?:[a-z-]+\s+){{0,2}}?{WORKER}|(?:head|director|chair|manager)(?:\s+of\s+[a-z-]+)?)(?:\s+(?:for|of)\s+(?:the\s+)?[a-z-]+)?)"
_TITLE = r"(?:(?:Mrs?|Ms|Miss|Dr|Prof|Herr|Frau|Sir|Madame|Monsieur|Signora?|Señora?|Sra?|Father|Sister|Pan|Pani)\b\.?\s+)?"
_NAME = rf"(?P<name>(?-i:{_TITLE}[A-Z][^\W\d_]+(?:[ '’-][A-Z][^\W\d_]+){{0,2}})|(?:mrs?|ms|miss|dr|prof)\.?\s+[^\W\d_]{{3,}})"
_WHEN = r"(?P<when>(?:\s+(?:in|on|at|for)\s+(?:the\s+)?[a-z]+days?|\s+(?:in|at)\s+(?:the\s+)?(?:mornings?|evenings?|afternoons?|nights?|weekends?)|\s+at\s+(?:work|school|home))?)"
_BEGAN = r"(?:\s+(?:as of|since|from|starting)\s+(?:the\s+)?(?:this\s+|last\s+|next\s+)?[a-z]+)?"
"""Since when: whoever has been in a role for so short a time is new in it."""
_IS_NAMED = r"(?:(?:it['’]?s|it is|he['’]?s|she['’]?s)(?:\s+(?:called|named))?|(?:his|her|their) name(?:['’]s| is)|(?:is\s+)?(?:called|named)|is)"
_HAVING = r"(?:(?:(?:the\s+)?[\w-]+\s+(?:sent|gave|assigned|found|brought)(?:\s+(?:me|us))?|(?:i|we|there)(?:['’](?:ve|s)|\s+have|\s+has|\s+is)?)\s+)?(?:(?:just|now|also|finally)\s+)*(?:got|hired|found|taken on|took on|employ(?:ed)?|been (?:given|assigned))?\s*"
_NEW = re.compile(
    rf"^(?P<lead>(?:(?:so|and|oh|ok|well|hey|hi|update|news)[\s,:!]+)*){_HAVING}(?:(?:an?|our|my|the)\s+)?(?:brand[ -])?new\s+{_ROLE}{_WHEN}(?:\s+(?:too|also|as well|now|here))*(?P<began>{_BEGAN})(?:\s*[,:;–—-]+\s*|['’]s\s+|\s+)(?:{_IS_NAMED}\s+)?{_NAME}(?:\s+who\s+(?:comes|does it|helps|visits)(?:\s+now)?)?(?P<rest>\W*$|\s*[,.;(–—-].*$|\s+(?:and|since|from|so|who|now|(?:he|she)(?:['’]s|\s+is))\b.*$)",
    re.IGNORECASE,
)
_HAS_ONE = re.compile(
    rf"^(?P<lead>(?:(?:i|we)(?:['’]ve)?\s+)?(?:also\s+)?(?:(?<=['’]ve\s)|(?:have|got)(?:\s+got)?\s+)(?:also\s+)?)an?\s+{_ROLE}\s*[,(]\s*{_NAME}\s*\)?\s*(?:,\s*)?(?P<when>(?:(?:in|on|at|for)\s+(?:the\s+)?[a-z]+)?)(?P<rest>\W*$|,.*$)",
    re.IGNORECASE,
)
_IS_MY = re.compile(
    rf"^(?P<lead>(?:(?:so|and|but|now)\s+)*){_NAME}(?:['’]s|\s+is)\s+(?P<now>now\s+)?(?:my|our)\s+(?:new\s+)?{_ROLE}{_WHEN}(?P<rest>\s+(?:now|these days|from now on))?(?P<began>{_BEGAN})\W*$",
    re.IGNORECASE,
)
_DOES_FOR_ME = re.compile(
    rf"^(?P<lead>(?:(?:so|and|but|now)\s+)*){_NAME}\s+(?P<does>teaches|coaches|supervises|manages|tutors|trains|mentors|edits|cleans)\s+(?:for\s+)?(?:me|us)\s+(?P<now>now|these days|from now on)\W*$",
    re.IGNORECASE,
)
_WHO_DOES = {
    "teaches": "teacher",
    "coaches": "coach",
    "supervises": "supervisor",
    "manages": "manager",
    "tutors": "tutor",
    "trains": "trainer",
    "mentors": "mentor",
    "edits": "editor",
    "cleans": "cleaner",
}
_AS_OWN = re.compile(
    r"^(?P<lead>(?:(?:so|and|but|ok|well|btw|for \w+)[\s,]+)*)(?:i|we|(?:my|our)\s+(?:team|company|shop|office|firm|school|clinic|club|choir|band))(?:['’](?:ve|re|m))?\s+(?:(?:now|still|just|currently|mostly|mainly|always)\s+)*(?:uses?|using|ha(?:ve|s)|runs?)\s+(?P<tool>(?-i:[A-Z0-9])[\w.+#-]*(?:\s+(?-i:[A-Z0-9])[\w.+#-]*){0,2})(?P<now>\s+(?:now|these days))?\s+as\s+(?:my|our|its|their|the|an?)\s+(?P<role>(?:(?!(?:i|we|it|is|are)\b)[a-z-]+\s+){0,2}?[a-z-]+)(?P<now2>\s+(?:now|these days))?(?P<rest>\W*$|[,.;].*$|\s+(?:and|but)\s.*$)",
    re.IGNORECASE,
)
_NAMED_SO = re.compile(
    rf"^(?:my|our)\s+{_ROLE}(?:['’]s\s+name(?:\s+is|['’]s)?|\s+name)\s+{_NAME}\W*$",
    re.IGNORECASE,
)
_JUDGED = (
    "adorable amazing annoying awesome awful bossy boring bonkers brilliant brutal charming cheeky cool crazy cute decent delightful difficult dreadful excellent fab fabulous fantastic "
    "fierce fun funny gorgeous great grumpy hilarious horrible impossible incredible insane intense kind lovely magic marvellous mean nice nuts nasty patient perfect relentless ruthless "
    "scary sharp stern strict stunning super superb sweet terrible terrific terrifying tough unbearable useless wicked wild wise wonderful"
)
_FIGURE = "angel blast champ darling delight devil diamond dream fox gem genius godsend hoot joy laugh legend lifesaver machine monster nightmare pain peach riot saint shark softie star sweetheart treasure tyrant wizard"
_VERY = r"(?:(?:so|such|really|very|absolutely|a bit|quite|pretty|too|just|totally|simply|always|honestly|also|an?|the|total|real|true|absolute|bit of)\s+)*"
_HIM = r"(?:him|her)"
_OPINION = re.compile(
    rf"^(?:and\s+|but\s+)?(?:(?:(?:he|she)s|(?:he|she|they|(?-i:[A-Z])\w+)(?:['’]s|['’]re|\s+is|\s+are))\s+{_VERY}(?:(?:{'|'.join(_JUDGED.split())}|{'|'.join(_FIGURE.split())})\b(?!\s+(?:at|about)\s+(?!it|this|that)\w)(?:\s+(?:and|but|to|with|at|as)\b.*)?|(?:the\s+)?(?:best|worst|greatest|nicest|sweetest|loveliest)\b.*)"
    rf"|(?:i|we)\s+(?:(?:really|just|also|do|kind of|secretly|still|absolutely|can['’]?t help but)\s+)*(?:love|adore|like|hate|miss|trust|admire|fear|worship|can['’]?t stand)\s+{_HIM}(?:\s+(?:for it|anyway|to bits|too|all the same|so much|dearly))?"
    r"|(?:he|she)\s+(?:(?:really|just|also|always)\s+)*(?:scares|terrifies|annoys|amuses|drives|cracks|gets|makes)\s+(?:me|us)(?:\s+(?:up|mad|crazy|nuts|laugh|smile|on my nerves|.{0,12}up the wall))?)\W*$",
    re.IGNORECASE,
)


def roles_told(sentence: str) -> str:
    """`sentence` with a new holder of a role, or a tool in its role, as "my <role> is <name>"; as it is where it says neither."""
    told = _NEW.match(sentence)
    if told is not None:
        return f"{told['lead']}my {told['role']}{told['when']} is {told['name']} now{told['began']}{_then(told['rest'])}"
    told = _HAS_ONE.match(sentence)
    if told is not None:
        when = f" {told['when']}" if told["when"] else ""
        return f"my {told['role']}{when} is {told['name']}{told['rest']}"
    told = _NAMED_SO.match(sentence)
    if told is not None:
        return f"my {told['role']} is {told['name']}"
    told = _IS_MY.match(sentence)
    if told is not None:
        fresh = told["now"] or told["began"] or "new" in sentence.split()
        now = f" now{told['began']}" if fresh else told["rest"] or ""
        return f"{told['lead']}my {told['role']}{told['when']} is {told['name']}{now}"
    told = _DOES_FOR_ME.match(sentence)
    if told is not None:
        return f"{told['lead']}my {_WHO_DOES[told['does'].lower()]} is {told['name']} {told['now']}"
    told = _AS_OWN.match(sentence)
    if told is not None:
        now = told["now"] or told["now2"] or ""
        return f"{told['lead']}my {told['role']} is {told['tool']}{now}{told['rest']}"
    return sentence


def _then(rest: str) -> str:
    """What follows the name, with a comma before somebody's "he is …"."""
    return f",{rest}" if re.match(r"\s+(?:he|she)\b", rest, re.IGNORECASE) else rest


def opinion(words: str) -> bool:
    """Is this only what the user thinks of somebody ("he's brutal", "I adore her")? It passes, and the next holder of the role has it not."""
    return _OPINION.match(words) is not None
