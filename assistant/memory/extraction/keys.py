"""Key, value and kind of a fact: the same slot gets the same snake_case key however it is worded."""

from __future__ import annotations

import re
import unicodedata

from assistant.memory.records import FactKind

__all__ = ["RELATIONS", "key_of", "kind_of", "owner_of", "value_of"]

RELATIONS = {
    "wife": "wife|missus|missis",
    "husband": "husband|hubby",
    "partner": "partner|girlfriend|boyfriend|fianc[eé]e?|spouse|other half|gf|bf",
    "daughter": "daughter",
    "son": "son",
    "child": "child|kid|baby|toddler|little one|youngest|eldest|oldest",
    "children": "kids|children|boys|girls|twins|sons|daughters|teenagers",
    "mother": "mother|mum|mom|mama|mam",
    "father": "father|dad|papa",
    "parents": "parents|folks",
    "sister": "sister|sis",
    "brother": "brother|bro",
    "grandmother": "grandmother|grandma|gran|nan|nana|granny",
    "grandfather": "grandfather|grandad|granddad|grandpa",
    "mother_in_law": "mother[- ]in[- ]law|mil",
    "father_in_law": "father[- ]in[- ]law",
    "sister_in_law": "sister[- ]in[- ]law",
    "brother_in_law": "brother[- ]in[- ]law",
    "in_laws": "in[- ]laws",
    "stepson": "step-?son",
    "stepdaughter": "step-?daughter",
    "stepmother": "step-?m(?:um|om|other)",
    "stepfather": "step-?(?:dad|father)",
    "aunt": "aunt|auntie",
    "uncle": "uncle",
    "cousin": "cousin",
    "niece": "niece",
    "nephew": "nephew",
    "grandson": "grandson",
    "granddaughter": "granddaughter",
    "grandchildren": "grandkids|grandchildren",
    "flatmate": "flatmate|roommate|housemate",
    "boss": "boss|manager|supervisor|line manager",
    "landlord": "landlord|landlady",
    "friend": "best friend|bestie",
    "dog": "dog|puppy|pup|greyhound|labrador|spaniel|terrier|collie|poodle|husky|dachshund|beagle|retriever|whippet",
    "cat": "cat|kitten",
    "horse": "horse|mare|pony|gelding",
    "parrot": "parrot|budgie|cockatiel",
    "rabbit": "rabbit|bunny",
    "tortoise": "tortoise|turtle",
    "doctor": "gp|doctor|physio|therapist|cardiologist",
    "cleaner": "cleaner",
    "nanny": "nanny|au pair|babysitter|childminder",
    "team": "team",
    "company": "company|firm|startup",
}
_OWNER = re.compile(
    r"\b(?:my|our|the|user's|i have an?|we have an?|i've an?|got an?)\s+(?:[\w'-]+\s+){0,3}?(?:"
    + "|".join(
        f"(?P<{name}>{words})"
        for name, words in sorted(RELATIONS.items(), key=lambda item: -max(map(len, item[1].split("|"))))
    )
    + r")(?:['’]s)?\b",
    re.IGNORECASE,
)
_MONEY = r"(?:[$€£¥₹]|\b(?:usd|eur|gbp|euros?|dollars?|pounds?|quid|bucks|kronor|kr|sek|nok|dkk|chf|yen|rupees?|zloty|pln|a month|per month|/mo|monthly|a week|a year|\d+k)\b|\b\d[\d,. ]*\d\b)"
_SLOTS: tuple[tuple[str, str], ...] = (
    (
        "name",
        r"\bmy (?:full |first |real )?name(?:'s| is)|\bcall me\b|\bi(?:'m| am) called\b|\bgo by\b|\bto be called\b|\bname's\b",
    ),
    ("surname", r"\bsurname|last name|maiden name"),
    ("pronouns", r"\bpronouns?\b|\b(?:she/her|he/him|they/them)\b"),
    ("birthday", r"\bbirthday|\bborn on\b|\bb-?day\b"),
    ("birthplace", r"\bborn in\b|\bgrew up in\b|\braised in\b|\bi(?:'m| am) (?:originally )?from\b"),
    ("anniversary", r"\banniversary\b"),
    ("due_date", r"\bdue (?:on |in |date|\d)|\bexpecting (?:a|our|my)\b|\bpregnant\b"),
    ("height", r"\b\d'\d|\bcm tall\b|\bmy height\b|\bfeet tall\b"),
    ("weight", r"\bi weigh\b|\bmy weight\b"),
    ("size", r"\b(?:shoe|dress|shirt|clothes|clothing|trouser|waist) size\b|\bsize \d+"),
    ("rent", r"\brent(?:'s)?\b(?! ?out).{0,40}\d|\brent (?:is|went|goes)|\bpay .{0,15}rent\b"),
    ("mortgage", r"\bmortgage\b"),
    ("day_rate", r"\b(?:day|daily) rate\b"),
    ("hourly_rate", r"\b(?:hourly|hour) rate\b|\bcharge .{0,20}(?:an?|per) hour\b|/hr\b"),
    (
        "rate",
        r"\b\d+ ?\w* (?:a|an|per) (?:lesson|session|class|piece|bottle|night)\b|\b\d+ ?\w* (?:a|an|per) (?:lesson|session|class|piece|bottle|night)\b|\bmy (?:rate|rates|fee|fees|price|prices)\b|\bi charge\b",
    ),
    ("salary", r"\bsalary\b|\bi (?:earn|make) .{0,12}\d|\btake home\b|\bincome\b|\bwages?\b"),
    ("savings", r"\bsavings\b|\bsaved up\b|\bnest egg\b"),
    ("debt", r"\bdebts?\b|\bloans?\b|\bowe\b"),
    (
        "budget",
        rf"\bbudget\b|\bceiling\b|\bspending (?:cap|limit)\b|\b(?:cap|limit|max(?:imum)?|at most|no more than|under|below|up to|over)\b.{{0,25}}{_MONEY}|\bspend\b.{{0,25}}\d",
    ),
    (
        "employees",
        r"\b\d+ (?:people|employees|staff|of us|engineers|developers|devs)\b|\bheadcount\b|\bteam of\b|\bemployees\b",
    ),
    (
        "age",
        r"\bis (?:only |just |now |about )?\d{1,2}(?= ?(?:$|[,.!]| and\b| years| yrs| yo\b))|\b(?:i(?:'m| am)|am|aged?|turned|turning|she's|he's) (?:only |just |now |about )?\d{1,2}(?: ?(?:y(?:ea)?rs?|yo|y/o|years old))?(?![\d:%./,-]| ?(?:people|percent|months?|weeks?|days?|hours?|min|km|kg|employees|of us))|\b\d{1,2} ?(?:yo|y/o|yrs? old|years? old)\b",
    ),
    (
        "employer",
        r"\bi(?:'m| am)? (?:\w+ )?(?:work(?:ing|ed)?|employed) (?:at|for|with)\b|\bmy employer\b|\bi joined\b|\bstart(?:ed|ing)? at\b|\bnew job at\b|\bmy (?:new )?(?:job|company) is\b",
    ),
    (
        "occupation",
        r"\bi(?:'m| am) (?:an? |the )?(?:\w+[ -]){0,3}(?:nurse|teacher|doctor|engineer|developer|dev|designer|lawyer|accountant|bookkeeper|writer|copywriter|translator|student|chef|baker|plumber|electrician|carpenter|driver|farmer|artist|photographer|architect|consultant|manager|director|founder|freelancer?|librarian|pharmacist|dentist|vet|musician|gardener|mechanic|analyst|scientist|researcher|editor|journalist|barista|cook|hairdresser|therapist|physio(?:therapist)?|midwife|paramedic|firefighter|postman|programmer|tutor|lecturer|professor|retired|joiner|potter|florist|solicitor|surveyor|tailor|butcher|pilot|welder|roofer|producer|illustrator|conductor|weaver|beekeeper|luthier|apprentice)\b|\bwork as\b|\bmy job\b|\bfor a living\b|\bi teach\b|\bjob title\b|\bpromoted\b|\bself.employed\b",
    ),
    (
        "business",
        r"\bi (?:run|own|opened|have|manage) (?:an? |the )?(?:\w+ ){0,4}(?:shop|store|business|bakery|caf[eé]|restaurant|company|agency|studio|salon|farm|practice|startup|brewery|hotel|b&b|guesthouse|gallery|stall|garage)\b|\bmy (?:shop|store|business|bakery|caf[eé]|restaurant|agency|studio|salon)\b",
    ),
    ("airport", r"\bairport\b|\bfl(?:y|ies|ying) (?:out of|from)\b"),
    ("miles_programme", r"\bcollects? .{0,25}miles\b|\bfrequent.fl(?:y|i)er\b"),
    ("insurance", r"\binsur(?:ance|ed|er)\b"),
    ("bedtime", r"\bbed ?time\b"),
    ("pickup_time", r"\bpick.?up\b.{0,20}\d"),
    ("nursery", r"\b(?:nursery|nurseries|kindergarten|daycare|kita|childcare)\b"),
    ("school", r"\bschool\b"),
    (
        "doctor",
        r"\b(?:p(?:a)?ediatrician|gp|doctor|cardiologist|dentist)(?:'s)? (?:is|now|called|named)\b|\bdr\.? [A-Z]",
    ),
    ("vet", r"\bvet(?:'s)? (?:is|now|called)\b"),
    ("team_lead", r"\bteam lead\b"),
    ("manager", r"\b(?:manager|boss|supervisor)\b"),
    ("accountant", r"\baccountant\b"),
    ("landlord", r"\blandlord(?:'s)? (?:is|called|named)\b"),
    ("cloud_region", r"\b(?:eu|us|ap|sa|ca|me|af)-[a-z]+-\d\b|\bregion\b"),
    (
        "field_of_study",
        r"\bi stud(?:y|ied)\b|\bstudying\b|\b\w+ student\b|\bdegree\b|\bmajor\b|\bphd\b|\bthesis\b",
    ),
    ("stove", r"\b(?:stove|hob|induction|oven|cooktop)\b|\bcook(?:s|ing)? (?:on|with) (?:gas|a)\b"),
    ("next_trip", r"\bnext (?:big )?trip\b|\bbig trip\b"),
    ("opening_hours", r"\bopening hours\b|\bwe(?:'re| are)? (?:open|close)[sd]?\b"),
    (
        "residence",
        r"\b(?:live|living|lives|based|moved|moving|relocat\w+|reside|settled|home is|stay(?:ing)?) (?:\w+ ){0,3}?(?:in|to|at|near|on|back)\b|\bi(?:'m| am) in (?:[A-Z]|the [A-Z])|\bmy (?:city|town|address|hometown|flat|apartment)\b|\b(?:landlocked|narrowboat)\b",
    ),
    ("timezone", r"\btime ?zone\b|\b(?:CET|GMT|UTC|EST|PST|CEST|BST|IST)\b"),
    ("commute", r"\bcommut\w+\b"),
    (
        "working_hours",
        r"\b(?:work(?:ing)? (?:hours|days|nights|shifts|part.time|full.time)|night shifts?|shifts?|office hours|four.day week|4.day week|days? in (?:the )?office|work from home|wfh|remote(?:ly)?)\b",
    ),
    ("allergy", r"\ballerg\w*|\banaphyla\w*|\bepi-?pen"),
    ("intolerance", r"\bintoleran\w*|\bc(?:o)?eliac\b|\bcan't (?:have|eat|digest|tolerate)\b"),
    (
        "diet",
        r"\b(?:vegan|vegetarian|veggie|pescatarian|keto|halal|kosher|gluten.free|dairy.free|low.carb|paleo|plant.based)\b|\b(?:don't|doesn't|never|no longer|no more|avoid|can't) eat\b|\bdiet\b|\bno (?:meat|pork|gluten|dairy|sugar|caffeine|alcohol|beef|fish|seeds|salt)\b",
    ),
    (
        "alcohol",
        r"\b(?:alcohol|sober|teetotal|booze)\b|\b(?:don't|doesn't|never|stopped|quit) drink(?:ing)?\b",
    ),
    ("smoking", r"\bsmok(?:e|er|ing)\b|\bvap(?:e|ing)\b"),
    (
        "medication",
        r"\b(?:medication|meds|insulin|statins?|sumatriptan|ssri|inhaler|pills?|tablets?|mg\b|on (?:blood thinners|metformin|sertraline))",
    ),
    (
        "health",
        r"\b(?:diabet\w+|asthma\w*|migraines?|epilep\w+|arthritis|adhd|autis\w+|dyslex\w+|tinnitus|hypertension|blood pressure|depress\w+|anxiety|ibs|crohn\w*|cancer|chemo|hernia\w*|sciatica|colou?r.?blind|deaf|hearing loss|wheelchair|pacemaker|eczema|psoriasis|rosacea|thyroid|pcos|long covid|cfs|lupus|ms|bad (?:back|knee|hip|shoulder)|diagnosed)\b",
    ),
    ("handedness", r"\b(?:left|right).handed\b|\blefty\b"),
    (
        "religion",
        r"\b(?:muslim|christian|catholic|jewish|hindu|buddhist|sikh|orthodox|presbyterian|atheist|quaker|mormon|jehovah\w*|jw|church|ramadan|pagan)\b",
    ),
    (
        "nationality",
        r"\b(?:citizen|passport|nationality|citizenship)\b|\bi(?:'m| am) (?:an? )?(?:dutch|german|french|british|english|scottish|welsh|irish|american|canadian|australian|indian|chinese|japanese|polish|spanish|italian|greek|turkish|brazilian|mexican|nigerian|kenyan|swedish|norwegian|danish|finnish|portuguese|ukrainian|russian|korean)\b",
    ),
    ("native_language", r"\b(?:native|first|mother) (?:language|tongue)\b"),
    (
        "languages",
        r"\bspeak(?:s|ing)? (?!to|with|up)[A-Z]\w+|\bfluent in\b|\b(?:second|third|fourth|2nd|3rd|4th) language\b|\bbilingual\b",
    ),
    (
        "learning_language",
        r"\blearning (?:[A-Z]\w+|welsh|spanish|french|german|italian|japanese|korean|chinese|portuguese|polish|dutch)\b",
    ),
    ("marital_status", r"\b(?:married|divorced|widow(?:ed|er)?|single|engaged|separated|getting married)\b"),
    (
        "children",
        r"\b(?:no|two|three|four|five|one|2|3|4|5) (?:kids|children|sons|daughters|girls|boys|teenagers)\b|\bchildfree\b|\b(?:kids|children)\b",
    ),
    ("units", r"\b(?:metric|imperial|celsius|fahrenheit|kilomet\w+|kilos?|pounds and|feet|miles|stone)\b"),
    (
        "currency",
        r"\b(?:in|use) (?:swedish |us |australian |canadian )?(?:euros?|dollars?|pounds|kron\w+|yen|sek|usd|eur|gbp|chf)\b",
    ),
    ("date_format", r"\b(?:dd/mm|mm/dd|yyyy|24.?h(?:our)?|12.?h(?:our)?|am/pm)\b|\bdate format\b"),
    ("spelling", r"\b(?:british|american|uk|us) (?:english|spelling)\b"),
    (
        "reply_language",
        r"\b(?:answer|reply|respond|write|speak|talk)\w* .{0,12}\bin (?:english|german|french|spanish|portuguese|italian|dutch|polish|welsh|japanese|[A-Z]\w+ish|[A-Z]\w+ese)\b",
    ),
    (
        "answer_length",
        r"\b(?:short|brief|concise|long(?:er)?|sentences?|words max|paragraphs?|to the point|tl;?dr|one.?liner|verbose|bullets?|bullet points?|wall of text|too long)\b",
    ),
    (
        "tone",
        r"\b(?:tone|formal|informal|casual|blunt|direct|polite|friendly|sarcas\w+|swear|cushion|flatter\w*|praise|sugarcoat|great question|compliment\w*)\b",
    ),
    ("emojis", r"\bemojis?\b"),
    ("exclamation_marks", r"\bexclamation\b"),
    ("invoicing_tool", r"\binvoic\w+\b"),
    ("wholesaler", r"\bwholesaler\w*\b|\bsupplier\w*\b"),
    ("phone", r"\b(?:iphone|pixel|android|galaxy|smartphone|my phone)\b"),
    ("computer", r"\b(?:laptop|macbook|thinkpad|chromebook|desktop|pc|mac mini|imac|surface)\b"),
    ("operating_system", r"\b(?:linux|ubuntu|debian|arch|fedora|windows|macos|nixos)\b"),
    ("editor", r"\b(?:vim|neovim|nvim|emacs|vs ?code|vscode|pycharm|intellij|sublime|helix|zed)\b"),
    ("database", r"\b(?:postgres\w*|mysql|sqlite|mongo\w*|mariadb|oracle|duckdb|redis|cockroach\w*)\b"),
    (
        "programming_language",
        r"\b(?:python|rust|golang|go|java|kotlin|typescript|javascript|ruby|php|c\+\+|c#|elixir|haskell|scala|swift)\b",
    ),
    ("cloud", r"\b(?:aws|azure|gcp|hetzner|digitalocean|heroku|fly\.io|vercel|netlify)\b"),
    ("shop_platform", r"\b(?:shopify|etsy|woocommerce|squarespace|wix|bigcommerce|ebay|amazon)\b"),
    ("accounting_tool", r"\b(?:xero|quickbooks|freshbooks|sage|datev|lexware)\b"),
    ("issue_tracker", r"\b(?:jira|linear|trello|asana|monday\.com|clickup|basecamp)\b"),
    ("notes_app", r"\b(?:notion|obsidian|evernote|onenote|logseq|roam|apple notes)\b"),
    ("messenger", r"\b(?:whatsapp|signal|telegram|discord|slack|teams)\b"),
    ("bank", r"\b(?:monzo|revolut|n26|my bank|barclays|hsbc|chase|santander|ing)\b"),
    ("car", r"\b(?:car|drive an?|van|tesla|toyota|ford|volvo|skoda|corolla|golf|yaris|prius|camper)\b"),
    ("bike", r"\b(?:bike|bicycle|cargo bike|ebike|e-bike)\b"),
    (
        "instrument",
        r"\b(?:play|playing) (?:the |a )?(?:\w+ )?(?:piano|guitar|violin|cello|bass|drums|flute|trumpet|saxophone|sax|clarinet|ukulele|banjo|harp|organ)\b",
    ),
    ("gym", r"\b(?:gym|crossfit|pilates|yoga|personal trainer)\b"),
    ("running", r"\b(?:marathon|runner|running|parkrun|5k|10k)\b"),
    ("deadline", r"\b(?:deadline|due (?:on|by)|submission|hand in)\b"),
    ("wedding", r"\bwedding\b"),
    ("favourite", r"\bfavou?rite\b"),
)
_COMPILED = tuple((slot, re.compile(pattern, re.IGNORECASE)) for slot, pattern in _SLOTS)
_MANY = frozenset(
    (
        "allergy",
        "intolerance",
        "diet",
        "health",
        "medication",
        "favourite",
        "languages",
        "working_hours",
        "rate",
    )
)
"""Slots that hold several facts at a time: the thing itself is part of the key."""
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
_ORDERED = re.compile(r"\bwants? (?:the assistant|to be called|[\w ]+ kept)\b", re.IGNORECASE)
_RULE = re.compile(r"\b(?:always|never|as a rule|every time|house rule|no more|from now on)\b", re.IGNORECASE)
_DATED = re.compile(
    r"\b(?:in|since|on|from|until) (?:the week of )?(?:\d{1,2} )?(?:\w+ )?(?:19|20)\d\d\b|\b\d{4}-\d\d-\d\d\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:[$€£¥₹]\s?)?\d(?:[\d,.: ]*\d)?(?:\s?(?:k|m|%|€|£|\$|kg|km|cm|mm|kwp|kw|mg|am|pm))?\b", re.IGNORECASE
)
_NUMERIC = frozenset(
    "age rent mortgage day_rate hourly_rate rate salary savings budget employees height weight size".split()
)
_STOP = frozenset(
    "user user's users the a an is are was has have had does do did to of in on at for from with by and or but not no never always their them they it its this that these those be been being "
    "will would can can't could should wants want assistant as so very really just only also still now already any some all more most than then there here who which what when where how "
    "about into onto over under after before out up down off he she his her him one two three get gets got go goes went make makes made use uses used doesn't isn't don't won't i my me we our "
    "kept keep new old big small little good bad lot lots bit kind sort thing things stuff currently recently usually mostly sometimes often year years month months week weeks day days please live lives work works eat eats drink drinks careful".split()
)


def owner_of(text: str) -> str:
    """Whose fact it is as a prefix: "daughter", "dog", … or "" for the user's own."""
    found = _OWNER.search(text)
    return found.lastgroup or "" if found is not None else ""


def key_of(statement: str, clause: str) -> str:
    """A stable snake_case key, at most 60 characters: owner, slot, and for slots that hold several facts, the thing."""
    text = clause.replace("’", "'")
    owner = owner_of(text) or owner_of(statement.replace("User's", "my"))
    slot, pattern = next((pair for pair in _COMPILED if pair[1].search(text)), ("", None))
    if slot and pattern is not None and slot not in _MANY:
        words = [slot]
    else:
        lead = slot or _attitude(text)
        rest = (pattern or _ATTITUDES.get(lead) or _NOTHING).sub(" ", statement)
        words = [lead, *_content(rest, skip=owner)[: 1 if lead else 2]]
    if owner and slot != "children" and not slot.startswith(owner):
        words.insert(0, owner)
    return _snake("_".join(word for word in dict.fromkeys(words) if word)) or "fact"


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
    return (predicate if predicate != statement else re.sub(r"^User(?:'s)?\s+", "", statement))[:200]


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
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:60].strip("_")
