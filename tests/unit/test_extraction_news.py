"""What is announced, and what holds since: one statement with the new value, whatever led up to it."""

from __future__ import annotations

import pytest

from assistant.memory.extraction.clauses import split_clauses
from assistant.memory.extraction.facets import facets
from assistant.memory.extraction.guards import of_others, refused
from assistant.memory.extraction.leaning import comments
from assistant.memory.extraction.statements import statement_of


def told(message: str, before: str = "") -> list[str]:
    return [clause.text for clause in split_clauses(message, split_clauses(before))]


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("my essay has a new deadline, friday noon", "my essay's deadline is friday noon now"),
        ("vet's changed, Orla Dunne now", "vet is Orla Dunne now"),
        ("visits have changed, wednesday now", "visits are wednesday now"),
        ("feeding times moved: 6, 10 and 4", "feeding times are 6, 10 and 4 now"),
        ("we're called Paper Mice", "our group is called Paper Mice"),
        ("date had to move, it's 4 October now", "date is 4 October now"),
        ("price for a shave went up to 18", "price for a shave is 18 now"),
        ("the dentist we have now is Dr Lund", "my dentist is Dr Lund now"),
        ("boat I've got now is a Wayfarer, less rot", "my boat is a Wayfarer now, less rot"),
        ("Had a new boiler fitted, a Viessmann", "my boiler is a Viessmann now"),
        ("got a new lorry, Iveco Daily", "my lorry is Iveco Daily now"),
        ("it's Rye Lane for all our fish now", "I use Rye Lane for all our fish now"),
        ("I'm C1 now", "I am at C1 level now"),
        ("the keto thing, binned it off", "I binned off the keto thing"),
        ("Swam 1:58 on Friday!!! new PB!!!", "my PB is 1:58 now"),
        ("husband runs the till", "my husband runs the till"),
    ],
)
def test_news_is_told_as_the_value_that_holds(said: str, holds: str) -> None:
    assert told(said) == [holds]


@pytest.mark.parametrize(
    "said",
    [
        "my sister has a new baby, she is thrilled",
        "I changed the tyres, which took ages",
        "my dog is a husky",
        "husbands are welcome at our club",
        "I got a new job, so no time",
        "our street has a new tree, everybody loves it",
        "booking has changed, people book over Calendo now",
        "my artist name is Low Water",
        "we have twins, Ada and Bo, born in May",
    ],
)
def test_where_no_value_is_told_nothing_is_made_of_it(said: str) -> None:
    assert told(said)[0] == said.partition(", ")[0] or told(said) == [said]


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("Petra switched, she teaches maths now", "Petra teaches maths now"),
        ("the school moved me over so I teach year 6 now", "I teach year 6 now"),
        ("my cousin set me up so my bookings live in Square now", "my bookings live in Square now"),
        ("they moved me, I'm goalkeeper now", "I'm goalkeeper now"),
        ("Halm takes the eggs now, we changed over in May", "Halm takes the eggs now"),
        ("redid the lot, so Night Garden is a Bevy game now", "Night Garden is a Bevy game now"),
        ("they gave me a Volvo, this is what I drive now", "I drive a Volvo now"),
        ("my aunt lent me a cello and I practise on it now", "I practise on a cello now"),
        ("hired two more cooks so I have 6 cooks", "I have 6 cooks"),
        ("bought in some ewes, we're at 90 ewes now", "we're at 90 ewes now"),
        ("we lost the lease so our stall is in Rye Lane now", "our stall is in Rye Lane now"),
        ("the council needs the hall so we sing in the mill now", "we sing in the mill now"),
        ("not fencing any more, dropped out", "not fencing any more"),
        ("I've changed trains, I travel on the 7:15 now", "I've changed trains, I travel on the 7:15 now"),
        (
            "the choir has a new home, we sing at the mill now",
            "the choir has a new home, we sing at the mill now",
        ),
        (
            "ported all the scripts over to Rust, done with the old language",
            "ported all the scripts over to Rust instead of the old language",
        ),
    ],
)
def test_what_leads_up_to_a_state_is_no_fact_beside_it(said: str, holds: str) -> None:
    assert told(said) == [holds]


@pytest.mark.parametrize(
    "said",
    [
        "I'm vegan, so we cook at home now",
        "my son started school, so I work mornings now",
        "I moved to Bray, so my gym is Ironworks now",
        "we adopted a hound called Bo, so we have 3 dogs now",
    ],
)
def test_a_reason_that_is_itself_a_fact_stays(said: str) -> None:
    assert len(told(said)) == 2


def test_a_name_told_behind_goes_to_who_bears_it() -> None:
    assert told("husband runs the till, Tomas is his name") == ["my husband Tomas runs the till"]
    assert told("our cleaner comes on Mondays, her name's Ivy") == ["my cleaner Ivy comes on Mondays"]
    assert told("I run the till, Tomas is his name")[0] == "I run the till"


@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("Enzo's gone to sea so it's just me now", "Enzo"),
        ("Nadias gone to uni so nobody helps me now", "Nadia"),
    ],
)
def test_who_left_is_told_where_nobody_follows(said: str, who: str) -> None:
    assert told(said)[0].startswith(f"{who} has gone to ")


def test_who_left_is_why_another_is_there() -> None:
    assert told("Enzo's gone to sea, our cook is Ben now") == ["our cook is Ben now"]


@pytest.mark.parametrize(
    ("before", "said", "last"),
    [
        ("", "Orders are handled by Bettina now, she's our cellist", "Bettina is our cellist"),
        ("my cat Miso is old", "do hens dream? he's running in his sleep", "he's running in his sleep"),
        ("Who won the cup in 1990?", "a girl beat me. she cheered", "she cheered"),
        ("", "I miss my mum's soup, its so cold here", "it's so cold here"),
        ("my cat Miso is old", "he's 14", "my cat Miso is 14"),
        (
            "my aunt Ida is 80",
            "since the fall she walks with a stick",
            "my aunt Ida walks with a stick since the fall",
        ),
        ("I care for my brother", "on Mondays his nurse comes", "my brother's nurse comes on Mondays"),
        ("my son Abel fences", "he won! he's captain now", "my son Abel is captain now"),
    ],
)
def test_a_pronoun_means_nobody_rather_than_another(before: str, said: str, last: str) -> None:
    assert told(said, before)[-1] == last


@pytest.mark.parametrize(
    "said",
    [
        "Bride wants a fountain of chocolate",
        "customer wants the hedge gone by noon",
        "lady asked for blue bread",
        "some guy on the ferry wanted my seat",
        "mum wants to bring her son, 7 years old",
    ],
)
def test_who_was_met_at_work_is_none_of_the_users_people(said: str) -> None:
    assert of_others(told(said)[0])


@pytest.mark.parametrize(
    "said",
    [
        "my mum wants to be called every Sunday",
        "customers pay by card",
        "my crew mate is Femi",
        "our family wants no gifts",
        "the woman I rent from is Mrs Holt",
    ],
)
def test_the_users_own_people_are_theirs(said: str) -> None:
    assert not of_others(said)


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("also have a kiln, quite old", "User has a kiln, quite old"),
        ("moored at Goole at present", "User is moored at Goole at present"),
        ("type 1 diabetic since 2010", "User is type 1 diabetic since 2010"),
        ("ported all the scripts to Rust", "User ported all the scripts to Rust"),
        ("I rebuilt the shed", "User rebuilt the shed"),
    ],
)
def test_what_has_no_subject_is_told_of_the_user(said: str, statement: str) -> None:
    assert statement_of(split_clauses(said)[0].text) == statement


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("right ive switched labs, my new supervisor is Ida", "my supervisor is Ida now"),
        ("consultant changed it, the drops are at 9 and 5 now", "the drops are at 9 and 5 now"),
        ("they moved the exams, they start on 16 june", "the exams start on 16 june now"),
        ("they gave me a new van, it's a Ducato, very roomy", "my van is a Ducato now, very roomy"),
        ("one more came on monday, so it's 3 hens I've got now", "I've got 3 hens now"),
        ("I raised two lambs, so now I have 9 lambs in total", "now I have 9 lambs in total"),
        ("Sold the lot, I do Z gauge now", "I do Z gauge now"),
        ("pay went up with it, 12.50 an hour now", "pay is 12.50 an hour now"),
        ("it's peas I grow for the show now", "I grow peas for the show now"),
        ("football has stopped and there's nothing else instead", "football has stopped"),
        (
            "club's found a new home, we meet at the tennis pavilion",
            "club has found a new home, we meet at the tennis pavilion",
        ),
        (
            "switched mills, everything comes from Ardley now",
            "switched mills, everything comes from Ardley now",
        ),
    ],
)
def test_the_slot_is_named_once_and_with_its_new_value(said: str, holds: str) -> None:
    assert told(said) == [holds]


@pytest.mark.parametrize("said", ["it's Dr Lund till we move", "it's Ada when I row"])
def test_what_stands_before_a_joint_is_no_object_brought_forward(said: str) -> None:
    assert told(said)[0].startswith("it's ")


def test_what_is_less_of_now_is_no_tool() -> None:
    assert facets("my boat is a Wayfarer now, less rust") == ["my boat is a Wayfarer now"]


@pytest.mark.parametrize(
    ("said", "once"),
    [
        ("split 900 by three for me", True),
        ("Now plan my week around two swims", True),
        ("I've got to move this wardrobe upstairs", True),
        ("anything I can do about moss", True),
        ("I must take this pill every morning", False),
        ("I have to avoid salt", False),
        ("do everything in metres for me", False),
        ("convert every recipe to grams", False),
    ],
)
def test_a_task_of_the_moment_does_not_last(said: str, once: bool) -> None:
    assert refused(split_clauses(said)[0]) == once


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("my dog is a whippet, almost 9", ["my dog is a whippet", "my dog is almost 9"]),
        ("I coach a swim club, 31 kids", ["I coach a swim club, 31 kids"]),
        ("I'm the cook for a crew, 14 of us", ["I'm the cook for a crew", "we are 14 of us"]),
    ],
)
def test_what_is_counted_belongs_to_whom_it_counts(said: str, parts: list[str]) -> None:
    assert facets(said) == parts


def test_an_order_that_follows_from_a_fact_is_more_than_a_comment() -> None:
    clause = split_clauses("I keep notes in Joplin so give me plain text whenever it's a list")[1]
    assert not comments(clause)


def test_what_a_command_line_tool_says_is_nobodys() -> None:
    assert told("curl: (7) Failed to connect to host") == []


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        (
            "the surgery swapped my pills, I'm on ramipril now",
            "the surgery swapped my pills, I'm on ramipril now",
        ),
        ("my sister-in-law took over the books, she does them now", "my sister-in-law does the books now"),
        ("Jonah does the deliveries now, he took over from Mick", "Jonah does the deliveries now"),
        ("our teacher's off sick so Mr Lowe takes us now", "Mr Lowe takes us now"),
        ("they've bumped me up to team leader", "I was promoted to team leader"),
        ("since Monday my boss is Carla", "since Monday my boss is Carla"),
        ("we moved the meeting, it's at ten", "the meeting is at ten now"),
        ("the menu changes, we do only pies now", "the menu changes, we do only pies now"),
        ("bought two more, it's 16 horses now", "we have 16 horses now"),
    ],
)
def test_who_and_what_took_over_is_told_once(said: str, holds: str) -> None:
    assert told(said) == [holds]


def test_what_one_is_no_longer_is_told_of_oneself() -> None:
    assert statement_of("no longer at Brandt") == "User is no longer at Brandt"


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("They moved me over. I teach year 6 now", "I teach year 6 now"),
        ("They gave me a Volvo! This is what I drive now", "I drive a Volvo now"),
        ("Petra switched! She teaches maths now", "Petra teaches maths now"),
        ("They moved the exams. They start on 16 june", "the exams start on 16 june now"),
    ],
)
def test_what_leads_up_may_be_a_sentence_of_its_own(said: str, holds: str) -> None:
    assert told(said) == [holds]


def test_two_facts_in_two_sentences_stay_two() -> None:
    assert len(told("I'm vegan. I live in Bray now")) == 2
    assert len(told("They moved me over? I teach year 6 now")) == 2


def test_what_others_decide_of_the_user_is_so_of_the_user() -> None:
    assert told("my doctor switched me from Zoloft to Lexapro") == ["I switched to Lexapro"]
    assert statement_of("half the team is in Pune") == "Half the team is in Pune"
