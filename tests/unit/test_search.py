from __future__ import annotations

import random
import string
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.memory import calibration
from assistant.memory.core import Core
from assistant.memory.ports import Embedder, Vectors
from assistant.memory.store import scale, search, vectors
from assistant.memory.store.schema import SCHEMA
from assistant.memory.store.search import Corpus, Entry, Query
from assistant.memory.windows import episode_windows
from assistant.text import estimate_tokens

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
TURNS = [
    "I want to sell mugs online, where should I start?",
    "the boiler broke again, no hot water since friday",
    "my sister Mara moved to Oslo last spring",
    "we should use postgres for the orders service",
    "my knee hurts after running ten kilometres",
    "how do I make sourdough starter",
    "the budget for the trip is 1200 euros all in",
    "I am thinking of quitting the gym, it costs 45 a month",
]


@pytest.fixture
def con(embedder: Embedder) -> Iterator[duckdb.DuckDBPyConnection]:
    con = duckdb.connect()
    con.execute(SCHEMA.read_text("utf-8"))
    search.create(con, embedder.dimension)
    yield con
    con.close()


@pytest.fixture
def talk(con: duckdb.DuckDBPyConnection, embedder: Embedder) -> duckdb.DuckDBPyConnection:
    """TURNS as episodes 1 to 8, each a conversation of its own, a day apart."""
    made = embedder.embed(TURNS)
    search.add(
        con,
        Corpus.EPISODES,
        [Entry(i + 1, text, made[i : i + 1], i + 1, NOW + timedelta(days=i)) for i, text in enumerate(TURNS)],
    )
    return con


def ids(
    con: duckdb.DuckDBPyConnection,
    embedder: Embedder,
    text: str,
    corpus: Corpus = Corpus.EPISODES,
    **filters: object,
) -> list[int]:
    query = Query(text, embedder.embed([text])[0], **filters)  # type: ignore[arg-type]
    return [hit.id for hit in search.find(con, corpus, query)]


def entry(embedder: Embedder, id_: int, text: str, **more: object) -> Entry:
    return Entry(id_, text, embedder.embed([text]), **more)  # type: ignore[arg-type]


def random_units(count: int, dimension: int = 384, seed: int = 0) -> Vectors:
    made = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def test_found_by_meaning_without_a_common_word(talk: duckdb.DuckDBPyConnection, embedder: Embedder) -> None:
    assert ids(talk, embedder, "what was your advice about my leg injury")[0] == 5


def test_found_by_a_word_that_the_embedder_does_not_know(
    talk: duckdb.DuckDBPyConnection, embedder: Embedder
) -> None:
    search.add(talk, Corpus.EPISODES, [entry(embedder, 99, "order AX-99120-Q went out on tuesday, all fine")])
    assert ids(talk, embedder, "AX-99120-Q")[0] == 99


def test_the_parts_of_a_score_add_up_to_it(talk: duckdb.DuckDBPyConnection, embedder: Embedder) -> None:
    text = "when did the boiler break"
    for hit in search.find(talk, Corpus.EPISODES, Query(text, embedder.embed([text])[0])):
        assert sum(hit.parts.values()) == pytest.approx(hit.score)


def test_nonsense_finds_nothing(talk: duckdb.DuckDBPyConnection, embedder: Embedder) -> None:
    rng = random.Random(7)
    nonsense = ["".join(rng.choices(string.ascii_lowercase + " ", k=24)) for _ in range(100)]
    assert sum(bool(ids(talk, embedder, text)) for text in nonsense) <= 5


def test_an_empty_store_finds_nothing(con: duckdb.DuckDBPyConnection, embedder: Embedder) -> None:
    assert ids(con, embedder, "anything") == []
    assert search.similar(con, Corpus.FACTS, embedder.embed(["anything"])[0], limit=3) == []


def test_the_only_right_turn_is_not_hidden_by_the_gate(
    con: duckdb.DuckDBPyConnection, embedder: Embedder
) -> None:
    search.add(con, Corpus.EPISODES, [entry(embedder, 1, "what's a good beginner tarantula")])
    assert ids(con, embedder, "when did I ask about spiders") == [1]


def test_archived_turns_are_found_on_request_only(
    talk: duckdb.DuckDBPyConnection, embedder: Embedder
) -> None:
    search.set_active(talk, Corpus.EPISODES, [2], False)
    assert 2 not in ids(talk, embedder, "the boiler")
    assert ids(talk, embedder, "the boiler", inactive=True)[0] == 2
    search.set_active(talk, Corpus.EPISODES, [2], True)
    assert ids(talk, embedder, "the boiler")[0] == 2


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"conversation": 2}, True),
        ({"conversation": 3}, False),
        ({"after": NOW + timedelta(days=1)}, True),
        ({"after": NOW + timedelta(days=1, seconds=1)}, False),
        ({"before": NOW + timedelta(days=1)}, False),
        ({"before": NOW + timedelta(days=1, seconds=1)}, True),
        ({"exclude": frozenset({2})}, False),
        ({"exclude": frozenset({3})}, True),
    ],
)
def test_filters(
    talk: duckdb.DuckDBPyConnection, embedder: Embedder, filters: dict[str, object], found: bool
) -> None:
    assert (2 in ids(talk, embedder, "the boiler broke", **filters)) is found


def test_a_time_in_another_zone_filters_by_the_moment(
    talk: duckdb.DuckDBPyConnection, embedder: Embedder
) -> None:
    from zoneinfo import ZoneInfo

    moment = (NOW + timedelta(days=1)).astimezone(ZoneInfo("Asia/Tokyo"))
    assert 2 in ids(talk, embedder, "the boiler broke", after=moment)


def test_a_domain_narrows_judgments(con: duckdb.DuckDBPyConnection, embedder: Embedder) -> None:
    search.add(con, Corpus.JUDGMENTS, [entry(embedder, 1, "dough stays stiff", domain="cooking")])
    assert ids(con, embedder, "stiff dough", Corpus.JUDGMENTS, domain="cooking") == [1]
    assert ids(con, embedder, "stiff dough", Corpus.JUDGMENTS, domain="ops") == []


def test_a_long_turn_is_found_by_any_window_and_comes_once(
    con: duckdb.DuckDBPyConnection, embedder: Embedder
) -> None:
    answer = (
        "Cricket is played on a field. " * 80
        + "The password of the attic Wi-Fi is written inside the clock. "
    )
    windows = episode_windows("tell me things", answer)
    assert len(windows) > 2
    search.add(con, Corpus.EPISODES, [Entry(1, answer, embedder.embed(windows), 1, NOW)])
    assert ids(con, embedder, "how do I get on the wireless network upstairs") == [1]


def test_a_replaced_text_is_found_as_it_reads_now(
    talk: duckdb.DuckDBPyConnection, embedder: Embedder
) -> None:
    search.replace(talk, Corpus.EPISODES, [entry(embedder, 2, "we adopted a greyhound called Pilot")])
    assert 2 not in ids(talk, embedder, "boiler hot water")
    assert ids(talk, embedder, "which greyhound did we adopt") == [2]


def test_removed_turns_are_gone_from_words_and_vectors(
    talk: duckdb.DuckDBPyConnection, embedder: Embedder
) -> None:
    search.remove(talk, Corpus.EPISODES, [2, 12345])
    assert 2 not in ids(talk, embedder, "boiler hot water friday", inactive=True)
    for table in ("episode_vectors", "episode_words"):
        assert talk.execute(f"SELECT count(*) FROM {table} WHERE id = 2").fetchall() == [(0,)]


def test_the_person_asked_about_is_preferred(con: duckdb.DuckDBPyConnection, embedder: Embedder) -> None:
    search.add(
        con,
        Corpus.EPISODES,
        [
            entry(embedder, 1, "I love hiking", speaker="Ann"),
            entry(embedder, 2, "I love hiking", speaker="Ben"),
        ],
    )
    assert ids(con, embedder, "who loves hiking", speaker="ben")[0] == 2
    assert ids(con, embedder, "who loves hiking", speaker="Ann")[0] == 1


def test_no_boost_brings_in_what_has_no_evidence(con: duckdb.DuckDBPyConnection, embedder: Embedder) -> None:
    search.add(con, Corpus.EPISODES, [entry(embedder, 1, "the boiler broke", speaker="Ann")])
    assert ids(con, embedder, "qzx vlorp", speaker="Ann") == []


def test_text_in_a_script_without_spaces_is_found(con: duckdb.DuckDBPyConnection, embedder: Embedder) -> None:
    search.add(
        con, Corpus.EPISODES, [entry(embedder, 1, "先週京都へ行きました"), entry(embedder, 2, "I like tea")]
    )
    assert ids(con, embedder, "京都")[0] == 1


def test_a_judgment_is_as_similar_as_the_nearer_of_its_parts(
    con: duckdb.DuckDBPyConnection, embedder: Embedder
) -> None:
    both = embedder.embed(["dough stays stiff", "let it rest"])
    search.add(con, Corpus.JUDGMENTS, [Entry(1, "dough stays stiff\nlet it rest", both)])
    for part in both:
        [hit] = search.similar(con, Corpus.JUDGMENTS, part, limit=5)
        assert hit.score == pytest.approx(1.0, abs=1e-5)


def test_a_vector_that_is_not_of_unit_length_is_refused(con: duckdb.DuckDBPyConnection) -> None:
    for bad in (0.0, 2.0, float("nan")):
        with pytest.raises(duckdb.ConstraintException):
            search.add(con, Corpus.FACTS, [Entry(1, "text", np.full((1, 384), bad, np.float32))])


def test_missing_names_rows_without_vectors_but_no_open_turns(
    con: duckdb.DuckDBPyConnection, embedder: Embedder
) -> None:
    for state in ("complete", "open", "cut"):
        con.execute(
            "INSERT INTO episodes (conversation, user_text, said, state) VALUES (1, 'hello', now()::TIMESTAMP, ?)",
            [state],
        )
    assert search.missing(con, Corpus.EPISODES, 10) == [1, 3]
    search.add(con, Corpus.EPISODES, [Entry(1, "hello", embedder.embed(["hello"]))])
    search.add(con, Corpus.EPISODES, [Entry(3, "hello", embedder.embed([]))])
    assert search.missing(con, Corpus.EPISODES, 10) == [3]


def test_two_stages_find_what_the_exact_scan_finds(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "EXACT_ROWS", 0)
    made = random_units(3_000)
    made[1::2] = 0.8 * made[::2] + 0.6 * random_units(1_500, seed=1)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    search.add(con, Corpus.FACTS, [Entry(i + 1, "", made[i : i + 1]) for i in range(len(made))])
    for i in range(0, 200, 10):
        exact = vectors.scan(con, Corpus.FACTS, made[i], 2)
        assert [hit.id for hit in search.similar(con, Corpus.FACTS, made[i], limit=2)] == exact.ids.tolist()


@pytest.mark.parametrize("dimension", [2, 384, 1024])
def test_two_stages_bear_a_vector_opposite_to_the_question(
    dimension: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "EXACT_ROWS", 0)
    con = duckdb.connect()
    search.create(con, dimension)
    [one] = random_units(1, dimension)
    search.add(con, Corpus.FACTS, [Entry(1, "", one[None]), Entry(2, "", -one[None])])
    assert [hit.id for hit in search.similar(con, Corpus.FACTS, one, limit=2)] == [1, 2]


def test_two_stages_respect_filters(
    talk: duckdb.DuckDBPyConnection, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "EXACT_ROWS", 0)
    monkeypatch.setattr(vectors, "CANDIDATES", 1)
    search.set_active(talk, Corpus.EPISODES, [2], False)
    assert 2 not in ids(talk, embedder, "the boiler broke")
    assert 3 in ids(talk, embedder, "who moved to Norway", conversation=3)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 300), st.integers(0, 2**32 - 1))
def test_sign_bits_of_any_dimension_differ_where_signs_differ(dimension: int, seed: int) -> None:
    one, two = random_units(2, dimension, seed)
    a, b = vectors._packed(np.stack([one > 0, two > 0])).tolist()
    differing = sum(((x ^ y) & (2**64 - 1)).bit_count() for x, y in zip(a, b, strict=True))
    assert differing == int(((one > 0) != (two > 0)).sum())


def test_a_store_of_another_dimension_works(embedder: Embedder) -> None:
    con = duckdb.connect()
    search.create(con, 100)
    made = random_units(3, 100)
    search.add(con, Corpus.FACTS, [Entry(i + 1, "", made[i : i + 1]) for i in range(3)])
    assert search.similar(con, Corpus.FACTS, made[2], limit=1)[0].id == 3


def test_drop_and_create_leave_an_empty_index(talk: duckdb.DuckDBPyConnection, embedder: Embedder) -> None:
    search.drop(talk)
    search.create(talk, embedder.dimension)
    assert ids(talk, embedder, "the boiler broke") == []


def test_the_shipped_embedder_is_on_its_own_scale(embedder: Embedder) -> None:
    measured = calibration.measure(embedder)
    assert measured.mean == pytest.approx(scale.MINILM.mean, abs=0.005)
    assert measured.spread == pytest.approx(scale.MINILM.spread, abs=0.005)


def test_an_embedder_with_another_idea_of_unlike_is_gated_alike(
    talk: duckdb.DuckDBPyConnection, embedder: Embedder
) -> None:
    """As if all its cosines lay between 0.7 and 1."""
    squeezed = scale.Scale(0.7 + 0.3 * scale.MINILM.mean, 0.3 * scale.MINILM.spread)
    cosine = np.array([-0.1, 0.3, 0.9])
    assert squeezed.similarity(0.7 + 0.3 * cosine) == pytest.approx(cosine)
    scale.write(talk, squeezed)
    assert scale.read(talk) == squeezed
    assert ids(talk, embedder, "qzx vlorp") == []


async def test_an_embedder_new_to_the_store_is_calibrated_once(core: Core) -> None:
    class Foreign:
        file_hash = "another"
        calls = 0

        def embed(self, texts: list[str]) -> Vectors:
            self.calls += 1
            return random_units(len(texts), seed=len(texts[0]))

    core.embedder = foreign = Foreign()  # type: ignore[assignment]
    for _ in range(2):
        await core.index_missing()
    assert foreign.calls == 2
    assert await core.db.read(scale.read) != scale.MINILM


@given(st.text(max_size=3_000), st.text(max_size=3_000))
def test_windows_hold_the_words_of_a_turn_and_are_short_enough(user: str, assistant: str) -> None:
    windows = episode_windows(user, assistant)
    assert windows
    assert all(estimate_tokens(window) <= 260 for window in windows)
    if len(windows) < 24:
        assert "".join("".join(windows).split()) == "".join(f"{user}\n{assistant}".split())


def test_a_megabyte_of_text_has_a_bounded_number_of_windows() -> None:
    assert len(episode_windows("x" * 1_000_000, "")) == 24


def test_search_rows_are_written_with_the_transaction(
    con: duckdb.DuckDBPyConnection, embedder: Embedder
) -> None:
    con.execute("BEGIN")
    search.add(con, Corpus.FACTS, [entry(embedder, 1, "User lives in Leith")])
    con.execute("ROLLBACK")
    assert ids(con, embedder, "where do I live", Corpus.FACTS) == []
