from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.memory.store import directory, vectors, words
from assistant.memory.store.corpus import Corpus
from assistant.memory.store.terms import date_terms, speaker_term, term_counts, terms

TURNS = Corpus.EPISODES


def test_terms_are_stems_without_stop_words_case_or_possessives() -> None:
    assert terms("Robin’s dogs were RUNNING in the park") == terms("robin dog run park")


def test_a_question_of_stop_words_alone_has_no_terms() -> None:
    assert terms("What did you do with it?") == []


def test_numbers_are_terms() -> None:
    assert terms("invoice 4711") != terms("invoice 4712")


def test_scripts_without_spaces_are_found_by_pairs_of_characters() -> None:
    assert set(terms("京都")) <= set(terms("先週京都へ行きました"))
    assert set(terms("桜")) == {"桜"}


def test_mixed_scripts_keep_their_latin_words() -> None:
    assert "docker" in terms("docker の使い方")
    assert "docker" in terms("dockerの使い方")


def test_a_date_is_found_by_day_month_and_year() -> None:
    assert set(term_counts("what happened on 8 May 2023")) >= set(
        date_terms(datetime(2023, 5, 8, tzinfo=UTC))
    )


@given(st.text())
def test_any_text_has_terms_that_fit_the_table(text: str) -> None:
    assert all(0 <= term < 2**32 for term in term_counts(text))


@given(st.text(alphabet=st.characters(categories=["L", "N"]), min_size=1))
def test_no_word_can_pose_as_a_speaker(name: str) -> None:
    assert speaker_term(name) not in term_counts(name)


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    vectors.create(con, TURNS, 4)
    words.create(con, TURNS)
    return con


def put(con: duckdb.DuckDBPyConnection, texts: Sequence[str], conversation: int = 0, start: int = 1) -> None:
    """`texts` as turns numbered from `start`."""
    documents = [words.Document(start + i, term_counts(text)) for i, text in enumerate(texts)]
    rows = {
        "id": np.arange(start, start + len(texts)),
        "part": np.zeros(len(texts), np.int32),
        "conversation": np.full(len(texts), conversation),
        "domain": np.full(len(texts), "", object),
        "active": np.ones(len(texts), bool),
        "length": np.array([document.counts.total() for document in documents]),
    }
    vectors.add(con, TURNS, rows, np.tile(np.array([1, 0, 0, 0], np.float32), (len(texts), 1)))
    words.add(con, TURNS, documents)


def scores(con: duckdb.DuckDBPyConnection, question: str) -> list[float]:
    """Of each turn, in the order of their ids."""
    held = directory.read(con, TURNS)
    found = words.score(held, words.look_up(con, TURNS, held, list(term_counts(question))))
    return found[held.by_id].tolist()


def test_the_text_with_more_of_the_question_scores_higher(con: duckdb.DuckDBPyConnection) -> None:
    put(con, ["the boiler broke", "the boiler broke on friday", "a cake"])
    one, two, none = scores(con, "which friday did the boiler break")
    assert two > one > none == 0


def test_a_rare_word_weighs_more_than_a_common_one(con: duckdb.DuckDBPyConnection) -> None:
    put(con, ["tea", "tea", "tea", "kale"])
    assert scores(con, "kale tea")[3] > scores(con, "kale tea")[0]


def test_a_word_nobody_said_lowers_the_share_of_all(con: duckdb.DuckDBPyConnection) -> None:
    put(con, ["boiler", "cake"])
    assert scores(con, "boiler zeppelin")[0] < scores(con, "boiler")[0]


def test_the_share_stays_between_nothing_and_all(con: duckdb.DuckDBPyConnection) -> None:
    put(con, ["boiler " * 500, "boiler", "cake"])
    assert all(0 <= score <= 1 for score in scores(con, "boiler"))


def test_a_turn_is_found_by_what_stands_around_it_in_its_conversation(con: duckdb.DuckDBPyConnection) -> None:
    put(con, ["shall we name the cat", "olive it is", "fine", "good night"], conversation=7)
    named, answer, near, far = scores(con, "cat")
    assert named > answer > near > far == 0


def test_neighbours_of_another_conversation_lend_nothing(con: duckdb.DuckDBPyConnection) -> None:
    put(con, ["shall we name the cat"], conversation=7)
    put(con, ["olive it is"], conversation=8, start=2)
    assert scores(con, "cat")[1] == 0


def test_conversations_that_alternate_keep_their_own_neighbours(con: duckdb.DuckDBPyConnection) -> None:
    put(con, ["the cat"], conversation=1, start=1)
    put(con, ["a train"], conversation=2, start=2)
    put(con, ["olive it is"], conversation=1, start=3)
    cat, train, olive = scores(con, "cat")
    assert cat > olive > train == 0


def test_texts_that_stand_alone_have_no_neighbours(con: duckdb.DuckDBPyConnection) -> None:
    put(con, ["User has a cat", "User likes tea"])
    assert scores(con, "cat")[1] == 0


def test_removed_texts_are_found_no_more_and_weigh_no_more(con: duckdb.DuckDBPyConnection) -> None:
    put(con, ["boiler", "boiler", "cake"])
    vectors.remove(con, TURNS, [2])
    words.remove(con, TURNS, [2])
    assert len(scores(con, "boiler")) == 2
    assert con.execute("SELECT count(*) FROM episode_words WHERE id = 2").fetchall() == [(0,)]


def test_sorting_the_table_changes_no_score_and_new_rows_are_found_at_once(
    con: duckdb.DuckDBPyConnection,
) -> None:
    put(con, ["the boiler broke", "tea and cake", "boiler again"])
    before = scores(con, "boiler cake")
    words.tidy(con, TURNS)
    assert scores(con, "boiler cake") == pytest.approx(before)
    put(con, ["more tea"], start=9)
    assert scores(con, "tea")[-1] > 0


def test_a_pasted_page_as_question_is_answered(con: duckdb.DuckDBPyConnection) -> None:
    put(con, ["the boiler broke", "cake"])
    assert scores(con, "boiler " + " ".join(f"word{i}" for i in range(5_000)))[0] > 0
