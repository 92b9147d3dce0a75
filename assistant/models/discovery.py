"""Model servers already running on this machine, looked for on their usual ports. Nothing beyond loopback is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.models.names import chat_first

if TYPE_CHECKING:
    import httpx

USUAL_PORTS: Mapping[int, str] = {11434: "Ollama", 1234: "LM Studio", 8080: "llama.cpp", 8000: "vLLM"}
_SECONDS = 0.8
"""For each port; all are asked at once."""


@dataclass(frozen=True, slots=True)
class FoundServer:
    label: str
    base_url: str
    models: tuple[str, ...]
    """As the server lists them, those that can chat first; empty: none is loaded."""


async def find_servers(ports: Mapping[int, str] = USUAL_PORTS) -> list[FoundServer]:
    """The servers that answer as OpenAI-compatible ones do, in the order of `ports` (port -> label). Takes under a second, never raises."""
    import httpx

    async with httpx.AsyncClient(trust_env=False, timeout=_SECONDS) as client:
        asked = [_ask(client, label, f"http://127.0.0.1:{port}/v1") for port, label in ports.items()]
        return [found for found in await asyncio.gather(*asked) if found]


async def _ask(client: httpx.AsyncClient, label: str, base_url: str) -> FoundServer | None:
    try:
        async with asyncio.timeout(_SECONDS):
            reply = await client.get(f"{base_url}/models")
        names = [str(entry["id"]) for entry in reply.raise_for_status().json()["data"]]
    except Exception:  # noqa: BLE001 — whatever else lives on that port, it is no model server
        return None
    return FoundServer(label, base_url, tuple(chat_first(names)))
