"""Fixtures that fence a test off from the machine: own folders, the real embedder loaded once, no outside configuration."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import platformdirs
import pytest

from assistant.models import catalogue
from assistant.models.embedding import FastEmbedder
from assistant.paths import Folders, user_folders
from tests.stubs.server import StubServer


@pytest.fixture(scope="session")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> FastEmbedder:
    made = FastEmbedder(cache=tmp_path_factory.mktemp("embedding"))
    made.load()
    return made


@pytest.fixture(scope="session")
def small_model() -> Path:
    """The small model's GGUF file: the one that ASSISTANT_TEST_GGUF names, else fetched once, by hash, into the user's cache."""
    named = os.environ.get("ASSISTANT_TEST_GGUF")
    if named:
        return Path(named)
    folder = platformdirs.user_cache_path("assistant-tests")
    return asyncio.run(catalogue.fetch(catalogue.small_model(), folder, lambda here, expected: None))


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return user_folders(tmp_path / "home")


@pytest.fixture
async def server() -> AsyncIterator[StubServer]:
    async with StubServer() as running:
        yield running


@pytest.fixture(autouse=True)
def fenced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No configuration, key or proxy of the machine reaches a test, and every default folder is a temporary one."""
    for name in list(os.environ):
        if name.startswith(("ASSISTANT_", "OPENAI_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ASSISTANT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    return
