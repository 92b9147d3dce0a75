from __future__ import annotations

import json

import pytest

from assistant.memory.heads.situation import differs, views
from assistant.memory.judging.situations import Placement, Sight, place
from assistant.memory.ports import Embedder
from assistant.paths import shipped

WALL = "User paints a wall and the colour peels off plastered parts"


class Shelf:
    """Judgments placed one after the other."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self.sights: list[Sight] = []

    def put(self, trigger: str, judgment: str) -> Placement:
        number = len(self.sights) + 1
        new = Sight(number, 0, trigger, self.embedder.embed(views(trigger, judgment)))
        placement = place(new, self.sights)
        kept = Sight(number, placement.situation or number, trigger, new.vectors)
        self.sights = [self._left(sight, placement) for sight in self.sights] + [kept]
        return placement

    @staticmethod
    def _left(sight: Sight, placement: Placement) -> Sight:
        alone = Sight(sight.id, 100 + sight.id, sight.trigger, sight.vectors)
        return alone if sight.id in placement.leaving else sight


@pytest.fixture
def shelf(embedder: Embedder) -> Shelf:
    return Shelf(embedder)


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ("User paints a wall and the colour peels off wooden parts", "a word swapped"),
        ("User does not paint a wall and the colour peels off plastered parts", "one of them negated"),
    ],
)
def test_a_near_miss_differs_for_certain(other: str, why: str) -> None:
    assert differs(WALL, other) == why
    assert differs(other, WALL) == why


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("User's invoice is 30 days late", "User's invoice is 90 days late", "another number"),
        ("User plans a trip to see Anna", "User plans a trip to see Boris", "another name"),
        ("User must file it by the end of May", "User must file it by the end of October", "another date"),
        ("User hears that Kit manages Bo", "User hears that Bo manages Kit", "the direction reversed"),
        ("User cannot go on under time pressure", "User cannot go on under no time pressure", "one of them negated"),
        ("User may get a lift to the station", "User may give a lift to the station", "the direction reversed"),
    ],
)  # fmt: skip
def test_a_number_name_date_or_direction_makes_another_situation(one: str, other: str, why: str) -> None:
    assert differs(one, other) == why


def test_other_words_for_the_same_thing_are_not_certain_to_differ() -> None:
    assert differs(WALL, "The coat of paint will not hold on the user's plaster") == ""
    assert differs("User waits four months", "User waits 4 months") == ""


def test_the_same_trigger_is_the_same_situation_whatever_its_case_and_spacing(shelf: Shelf) -> None:
    shelf.put("User's bread dough stays stiff", "Rest it")
    assert shelf.put("user's  bread dough stays stiff.", "Add water").situation == 1


def test_a_trigger_told_in_other_words_joins(shelf: Shelf) -> None:
    shelf.put("User's bread dough stays stiff while it rises", "Give the dough another half hour of rest")
    placement = shelf.put(
        "User has a loaf whose dough will not soften while proofing", "Add more water to the dough"
    )
    assert placement.situation == 1
    assert placement.reason == "told in other words"


def test_something_else_never_joins_even_in_an_almost_empty_store(shelf: Shelf) -> None:
    shelf.put("User's bread dough stays stiff while it rises", "Give the dough another half hour of rest")
    assert shelf.put("User negotiates the rent of a flat", "Offer five percent").situation is None


def test_a_near_miss_stays_apart_from_both_tellings(shelf: Shelf) -> None:
    shelf.put(WALL, "Let the plaster dry for four weeks, then prime it")
    shelf.put(WALL, "Paint a second coat over it")
    near = shelf.put("User paints a wall and the colour peels off wooden parts", "Sand it first")
    assert near.situation is None


def test_where_a_near_miss_is_about_as_near_nothing_is_shared(shelf: Shelf) -> None:
    shelf.put("User sends a parcel abroad with signed tracking", "Insure it for its value")
    shelf.put("User sends a parcel abroad with unsigned tracking", "Insure it for half")
    third = "User posts a package to another country and follows it online"
    placement = shelf.put(third, "No insurance is needed")
    assert (placement.situation, placement.reason) == (None, "a near miss is about as near")


def test_over_the_shipped_cases_one_trigger_unites_and_near_misses_are_kept_out(embedder: Embedder) -> None:
    lines = shipped("data", "cases", "judgments.jsonl").read_text("utf-8").splitlines()[:30]
    cases = [json.loads(line) for line in lines]
    shelf = Shelf(embedder)
    for case in cases:
        first = shelf.put(case["trigger"], case["correct"]).situation or len(shelf.sights)
        assert shelf.put(case["trigger"], case["wrong"]).situation == first
        shelf.put(case["near_miss"]["trigger"], case["near_miss"]["judgment"])
    right, near = shelf.sights[0::3], shelf.sights[2::3]
    mixed = [one.trigger for one, other in zip(right, near, strict=True) if one.situation == other.situation]
    assert mixed == []
