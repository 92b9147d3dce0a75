"""Finding servers on loopback: those that answer rightly are found, everything else is passed over in time."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest

from assistant.models.discovery import USUAL_PORTS, FoundServer, find_servers
from tests.stubs.server import StubServer


@pytest.fixture
async def server() -> AsyncIterator[StubServer]:
    async with StubServer(models=["nomic-embed-text", "qwen2.5:3b"]) as running:
        yield running


def port_of(server: StubServer) -> int:
    port = urlsplit(server.address).port
    assert port
    return port


async def test_a_server_is_found_with_its_chat_models_first(server: StubServer) -> None:
    found = await find_servers({port_of(server): "Ollama"})
    assert found == [FoundServer("Ollama", server.base_url, ("qwen2.5:3b", "nomic-embed-text"))]


async def test_several_are_found_in_the_order_of_the_ports(server: StubServer) -> None:
    async with StubServer(models=[]) as other:
        found = await find_servers({port_of(other): "LM Studio", port_of(server): "vLLM"})
    assert [(each.label, bool(each.models)) for each in found] == [("LM Studio", False), ("vLLM", True)]


async def test_a_web_server_on_a_usual_port_is_no_model_server() -> None:
    async with StubServer(prefix="/another") as web:
        assert await find_servers({port_of(web): "vLLM"}) == []


async def test_a_port_that_accepts_and_stays_silent_costs_less_than_a_second() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        ports = {silent.getsockname()[1]: "silent", closed.getsockname()[1]: "closed"}
        started = time.perf_counter()
        assert await find_servers(ports) == []
    assert time.perf_counter() - started < 1.5


async def test_a_proxy_of_the_environment_is_not_asked(
    server: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert len(await find_servers({port_of(server): "Ollama"})) == 1


def test_the_usual_four_are_looked_for() -> None:
    assert {**USUAL_PORTS} == {11434: "Ollama", 1234: "LM Studio", 8080: "llama.cpp", 8000: "vLLM"}


def test_httpx_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, assistant.models.discovery; assert not {'httpx', 'openai'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
