from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.memory.judging.utility import (
    Contender,
    Form,
    Tally,
    rank,
    rank_plainly,
    tally,
    vote_weight,
    wilson,
)
from assistant.memory.records import Verdict, Vote

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
counts = st.integers(0, 500)
cosines = st.floats(-1, 1)
contenders = st.lists(
    st.builds(
        Contender, id=st.integers(), situation=st.integers(1, 4), trigger=cosines, judgment=cosines, utility=st.floats(-1, 1)
    ),
    min_size=1,
    max_size=12,
    unique_by=lambda each: each.id,
)  # fmt: skip


def judged(number: int, situation: int, relevance: float, utility: float = 0.0) -> Contender:
    return Contender(number, situation, relevance, relevance, utility)


def order(*field: Contender, weight: float = 0.5) -> list[int]:
    return [one.contender.id for one in rank(field, weight)]


def votes(verdict: Verdict, *ages: int) -> list[Vote]:
    return [Vote(1, str(age), verdict, NOW - timedelta(days=age)) for age in ages]


# Forms ----------------------------------------------------------------------------------------------------------------


def test_wilson_bound_agrees_with_the_formula_worked_by_hand() -> None:
    assert wilson(5, 5) == pytest.approx(1 / (1 + 1.44**2 / 5))
    assert wilson(3, 5) == pytest.approx(0.3038, abs=1e-4)
    assert wilson(0, 0) == 0.0


def test_each_form_of_five_adopted_and_none_corrected() -> None:
    proved = Tally(5, 0)
    assert proved.utility(Form.RATIO) == 1.0
    assert proved.utility(Form.WILSON) == pytest.approx(0.7069, abs=1e-3)
    assert proved.utility() == proved.utility(Form.WILSON)


def test_only_the_signed_form_tells_refuted_from_unverified() -> None:
    assert Tally(0, 5).utility(Form.RATIO) == Tally().utility(Form.RATIO) == 0.0
    assert Tally(0, 5).utility(Form.WILSON) == Tally().utility(Form.WILSON) == 0.0
    assert Tally(0, 5).utility() < Tally().utility() == 0.0


@given(adopted=counts, corrected=counts)
def test_utility_is_bounded_and_signed_utility_is_antisymmetric(adopted: int, corrected: int) -> None:
    assert 0 <= Tally(adopted, corrected).utility(Form.RATIO) <= 1
    assert 0 <= Tally(adopted, corrected).utility(Form.WILSON) < 1
    assert -1 < Tally(adopted, corrected).utility() < 1
    assert Tally(adopted, corrected).utility() == pytest.approx(-Tally(corrected, adopted).utility())


@given(adopted=counts, corrected=counts, form=st.sampled_from(Form))
def test_another_adopted_vote_never_lowers_utility_and_another_corrected_one_never_raises_it(
    adopted: int, corrected: int, form: Form
) -> None:
    now = Tally(adopted, corrected).utility(form)
    assert Tally(adopted + 1, corrected).utility(form) >= now - 1e-12
    assert Tally(adopted, corrected + 1).utility(form) <= now + 1e-12


def test_more_votes_of_the_same_share_give_more_certainty() -> None:
    assert 0 < Tally(3, 1).utility() < Tally(30, 10).utility() < 1


# Ageing ---------------------------------------------------------------------------------------------------------------


def test_a_vote_counts_half_after_its_half_life() -> None:
    assert vote_weight(30, 30) == 0.5
    assert vote_weight(30, 0) == 1.0
    assert vote_weight(-5, 30) == 1.0


def test_a_fresh_correction_outweighs_an_old_adoption_once_votes_age() -> None:
    cast = votes(Verdict.ADOPTED, 200) + votes(Verdict.CORRECTED, 1)
    assert tally(cast, NOW).utility() == pytest.approx(0)
    assert tally(cast, NOW, half_life_days=30).utility() < 0


@given(age=st.floats(0, 10_000), older=st.floats(0, 10_000), half_life=st.floats(0.1, 1000))
def test_an_older_vote_never_counts_more(age: float, older: float, half_life: float) -> None:
    assert 0 <= vote_weight(age + older, half_life) <= vote_weight(age, half_life) <= 1


# Ranking --------------------------------------------------------------------------------------------------------------


def test_within_a_situation_evidence_decides_however_near_the_wording() -> None:
    proved, near = judged(1, 1, 0.3, 0.4), judged(2, 1, 0.9, 0.1)
    assert order(near, proved) == [1, 2]
    assert rank([near, proved], 0.5)[0].relevance == pytest.approx(0.9)


def test_between_equals_wording_gives_no_advantage_and_the_older_comes_first() -> None:
    assert order(judged(2, 1, 0.9), judged(1, 1, 0.3)) == [1, 2]


def test_relevance_is_seven_tenths_trigger_and_three_tenths_judgment() -> None:
    assert Contender(1, 1, 1.0, 0.0, 0.0).relevance == pytest.approx(0.7)


def test_the_score_is_relevance_times_one_plus_alpha_utility() -> None:
    alone = judged(1, 1, 0.6, -0.4)
    assert rank([alone], 0.5)[0].score == pytest.approx(0.6 * (1 - 0.5 * 0.4))
    assert rank_plainly([alone], 0.5)[0].score == pytest.approx(0.6 * (1 - 0.5 * 0.4))


def test_a_refuted_answer_is_passed_by_a_proved_one_but_not_by_an_unverified_near_miss() -> None:
    refuted, near_miss, proved = judged(1, 1, 0.6, -0.7), judged(2, 2, 0.55), judged(3, 3, 0.5, 0.7)
    assert order(refuted, near_miss) == [1, 2]
    assert order(refuted, near_miss, proved)[0] == 3


def test_when_all_alternatives_were_refuted_the_situation_keeps_its_place() -> None:
    field = judged(1, 1, 0.6, -0.3), judged(2, 1, 0.6, -0.7), judged(3, 2, 0.5, 0.3)
    assert order(*field)[0] == 1


def test_the_plain_form_lets_every_judgment_stand_by_itself() -> None:
    near, proved = judged(1, 1, 0.9), judged(2, 1, 0.3, 0.9)
    assert [one.contender.id for one in rank_plainly([proved, near], 0.5)] == [1, 2]


@given(field=contenders, weight=st.floats(0, 1))
def test_ranking_keeps_every_judgment_once_and_shares_relevance_within_a_situation(
    field: list[Contender], weight: float
) -> None:
    placed = rank(field, weight)
    assert sorted(one.contender.id for one in placed) == sorted(each.id for each in field)
    for one in placed:
        own = [each.relevance for each in field if each.situation == one.contender.situation]
        assert one.relevance == max(own)


@given(field=contenders, weight=st.floats(0, 1))
def test_no_utility_lifts_an_unrelated_judgment_over_a_related_one(
    field: list[Contender], weight: float
) -> None:
    placed = rank(field, weight)
    for place, earlier in enumerate(placed):
        for later in placed[place + 1 :]:
            assert earlier.relevance >= 0.5 * later.relevance or later.relevance <= 0


@given(field=contenders)
def test_without_weight_situations_come_by_relevance_alone(field: list[Contender]) -> None:
    relevances = [one.relevance for one in rank(field, 0.0)]
    assert relevances == sorted(relevances, reverse=True)
