"""The embedded server, for real: a child on loopback that answers only us and never outlives us."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from pydantic import BaseModel

from assistant.config import ModelKind, ModelSettings, Settings
from assistant.errors import ModelError
from assistant.memory.ports import EndPiece, Message, TextPiece
from assistant.models import choice, embedded
from assistant.models.chat import OpenAIChat
from assistant.models.choice import open_model
from assistant.models.embedded import Running, run_embedded
from assistant.paths import Folders

HELLO = [Message("user", "Say hello in one short sentence.")]


class City(BaseModel):
    city: str


def answers(base_url: str) -> bool:
    """Whether anything still listens there."""
    try:
        with socket.create_connection(("127.0.0.1", urlsplit(base_url).port or 0), timeout=1):
            return True
    except OSError:
        return False


def serving(model: Path, tmp_path: Path):
    return run_embedded(model, alias="tiny", context_tokens=1024, log=tmp_path / "log" / "model.log")


def chat_with(running: Running) -> OpenAIChat:
    return OpenAIChat(running.base_url, "tiny", running.key, max_tokens=32)


@pytest.mark.model
async def test_it_streams_decides_and_tells_of_a_too_long_question(small_model: Path, tmp_path: Path) -> None:
    async with serving(small_model, tmp_path) as running:
        model = chat_with(running)
        pieces = [piece async for piece in model.talk(HELLO, temperature=0)]
        assert len([piece for piece in pieces if isinstance(piece, TextPiece)]) > 2
        assert isinstance(pieces[-1], EndPiece)
        assert pieces[-1].prompt_tokens > 0
        assert await model.decide([Message("user", "The city is Ghent. Reply in JSON.")], City)
        with pytest.raises(ModelError, match=r"too long for tiny.*1024"):
            [piece async for piece in model.talk([Message("user", "word " * 3000)])]
        await model.close()
    assert not answers(running.base_url)


@pytest.mark.model
async def test_only_the_holder_of_the_key_is_answered_and_no_web_page(
    small_model: Path, tmp_path: Path
) -> None:
    async with (
        serving(small_model, tmp_path) as running,
        httpx.AsyncClient(base_url=running.base_url) as client,
    ):
        stranger = await client.get("/models", headers={"Origin": "http://evil.example"})
        arguments = Path(f"/proc/{running.pid}/cmdline")
        if arguments.exists():
            assert running.key.encode() not in arguments.read_bytes()
        body = {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 4}
        refused = await client.post("/chat/completions", json=body)
    assert not stranger.headers.get("access-control-allow-origin")
    assert refused.status_code == 401


@pytest.mark.model
async def test_closing_an_answer_frees_it_for_the_next_within_moments(
    small_model: Path, tmp_path: Path
) -> None:
    async with serving(small_model, tmp_path) as running:
        model = chat_with(running)
        endless = [Message("user", "Count from one to five thousand in words.")]
        async with aclosing(model.talk(endless, max_tokens=900)) as pieces:
            await anext(pieces)
        started = time.perf_counter()
        async with aclosing(model.talk(HELLO)) as pieces:
            await anext(pieces)
        assert time.perf_counter() - started < 3
        await model.close()


@pytest.mark.model
async def test_it_ends_at_once_in_the_middle_of_an_answer(small_model: Path, tmp_path: Path) -> None:
    async with serving(small_model, tmp_path) as running:
        model = chat_with(running)
        pieces = model.talk([Message("user", "Count to five thousand.")], max_tokens=900)
        await anext(pieces)
        started = time.perf_counter()
    assert time.perf_counter() - started < 2
    assert not answers(running.base_url)
    await pieces.aclose()
    await model.close()


@pytest.mark.model
def test_it_ends_when_its_parent_is_killed(small_model: Path, tmp_path: Path) -> None:
    program = f"""
        import asyncio
        from pathlib import Path
        from assistant.models.embedded import run_embedded
        async def main():
            async with run_embedded(Path({str(small_model)!r}), alias="tiny", context_tokens=512, log=Path({str(tmp_path / "log")!r})) as running:
                print(running.base_url, flush=True)
                await asyncio.sleep(60)
        asyncio.run(main())
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    )
    with parent:
        assert parent.stdout
        child = parent.stdout.readline().strip()
        assert answers(child)
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 5
    while answers(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not answers(child)


@pytest.mark.model
async def test_a_file_that_is_no_model_is_a_sentence_with_the_log(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF but not really")
    with pytest.raises(ModelError, match=r"broken\.gguf could not start.*model\.log"):
        async with serving(broken, tmp_path):
            pass
    assert (tmp_path / "log" / "model.log").read_bytes()


async def test_a_missing_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no model file .*gone\.gguf.*models get"):
        async with serving(tmp_path / "gone.gguf", tmp_path):
            pass


async def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"pip install 'assistant\[local\]'"):
        async with serving(tmp_path / "any.gguf", tmp_path):
            pass


@pytest.mark.model
async def test_the_settings_open_it_under_its_name_and_tell_it_as_tiny(
    small_model: Path, folders: Folders
) -> None:
    link = folders.models / "SmolLM2-135M-Instruct.Q4_1.gguf"
    await asyncio.to_thread(_link, link, small_model)
    settings = Settings(model=ModelSettings(kind=ModelKind.EMBEDDED, context_tokens=100_000))
    async with open_model(settings, folders) as model:
        assert model is not None
        assert model.name == "SmolLM2 135M (tiny)"
        assert model.context_tokens == 8192
        assert [piece async for piece in model.talk(HELLO, max_tokens=8)]


@pytest.mark.model
async def test_a_model_that_was_killed_is_told_as_such(
    small_model: Path, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Running] = []

    @asynccontextmanager
    async def seen(*arguments: Any, **options: Any) -> AsyncIterator[Running]:
        async with run_embedded(*arguments, **options) as running:
            started.append(running)
            yield running

    monkeypatch.setattr(choice, "run_embedded", seen)
    settings = Settings(model=ModelSettings(kind=ModelKind.EMBEDDED, file=str(small_model)))
    async with open_model(settings, folders) as model:
        assert model is not None
        os.kill(started[0].pid, signal.SIGKILL)
        with pytest.raises(ModelError, match=r"no longer running.*Start the program again"):
            [piece async for piece in model.talk(HELLO)]


async def test_a_log_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "is_installed", lambda: True)
    model = tmp_path / "tiny.gguf"
    model.write_bytes(b"GGUF")
    (tmp_path / "log").write_text("a file is in the folder's place")
    with pytest.raises(ModelError, match=r"could not be started: file exists.*log/model\.log"):
        async with serving(model, tmp_path):
            pass


def _link(link: Path, target: Path) -> None:
    link.parent.mkdir(parents=True)
    link.symlink_to(target.absolute())
