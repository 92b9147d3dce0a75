"""A llama.cpp server of our own: a child process on loopback with a key of its own, gone when we are gone.

The parent writes one line of JSON to the child's standard input (the key so never stands in a process list), the child
answers with one line of JSON: its port, or why it could not start. When its standard input closes, the child ends.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from assistant.errors import ModelChoiceError, ModelError, reason

READY_SECONDS = 180.0
"""A large file on a slow disk takes its time."""
_END_SECONDS = 3.0
_MOST_THREADS = 8


@dataclass(frozen=True, slots=True)
class EmbeddedSettings:
    """What the child is told."""

    file: str
    alias: str
    context_tokens: int
    threads: int
    key: str


@dataclass(frozen=True, slots=True)
class Running:
    """An embedded server that is ready."""

    base_url: str
    key: str
    pid: int


def is_installed() -> bool:
    """Whether the `local` extra is there."""
    return importlib.util.find_spec("xllamacpp") is not None


@asynccontextmanager
async def run_embedded(
    file: Path, *, alias: str, context_tokens: int, log: Path, threads: int | None = None
) -> AsyncIterator[Running]:
    """A server for the GGUF `file`, ready to answer; ended on leaving. llama.cpp's own messages go to `log`. Raises ModelError."""
    told = EmbeddedSettings(
        str(_checked(file)), alias, context_tokens, threads or usable_threads(), secrets.token_urlsafe(32)
    )
    try:
        process = await _start(log)
    except OSError as problem:
        raise ModelError(
            f"The embedded model could not be started: {reason(problem)}.",
            hint=f"Can {log} be written, and is there memory enough?",
        ) from problem
    try:
        port = await _port(process, told, log)
        yield Running(f"http://127.0.0.1:{port}/v1", told.key, process.pid)
    finally:
        await _end(process)


def _checked(file: Path) -> Path:
    if not is_installed():
        raise ModelError(
            "The embedded model needs an extra that is not installed.", hint="pip install 'assistant[local]'"
        )
    if not file.is_file():
        raise ModelChoiceError(
            f"There is no model file {file}.", hint="`assistant models get` fetches the small one."
        )
    return file.absolute()


def usable_threads() -> int:
    """The cores that this process may use, without the second halves of hyper-threaded ones, 8 at most."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable if usable <= 4 else usable // 2, _MOST_THREADS)


async def _start(log: Path) -> asyncio.subprocess.Process:
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as messages:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # nothing in the current folder may pass for a module
            "-m",
            "assistant.models.embedded",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=messages,
            # Idle OpenMP threads that spin make generation 5 to 10 times slower on shared cores.
            env={**os.environ, "OMP_WAIT_POLICY": "passive"},
            start_new_session=True,  # ctrl+c in the terminal is for us, not for the child
        )


async def _port(process: asyncio.subprocess.Process, told: EmbeddedSettings, log: Path) -> int:
    """Tell the child what to serve and wait for its answer."""
    assert process.stdin
    assert process.stdout
    try:
        async with asyncio.timeout(READY_SECONDS):
            process.stdin.write(json.dumps(asdict(told)).encode() + b"\n")
            await process.stdin.drain()
            line = await process.stdout.readline()
    except TimeoutError as late:
        raise ModelError(
            f"The embedded model was not ready after {READY_SECONDS:.0f} seconds.", hint=f"See {log}."
        ) from late
    except ConnectionError:
        line = b""
    answer: dict[str, Any] = json.loads(line) if line else {}
    if "port" not in answer:
        why = answer.get("error", "its process ended")
        with suppress(TimeoutError):  # on its way out it writes its last messages to the log
            await asyncio.wait_for(process.wait(), _END_SECONDS)
        raise ModelError(
            f"The embedded model {Path(told.file).name} could not start: {why}.",
            hint=f"Is it a whole GGUF file, and is there memory enough? Details are in {log}.",
        )
    return int(answer["port"])


async def _end(process: asyncio.subprocess.Process) -> None:
    """SIGTERM, and SIGKILL where that is not enough."""
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), _END_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()


# The child ----------------------------------------------------------------------------------------------------------


def serve() -> None:
    """What the child process does. SIGTERM keeps its default action, which ends even a generation under way at once."""
    parent = _own_stdout()
    answer: dict[str, int | str]
    told = EmbeddedSettings(**json.loads(sys.stdin.readline()))
    try:
        server = _server(told)
        answer = {"port": int(server.listening_address.rpartition(":")[2])}
    except Exception as problem:  # noqa: BLE001 — native code; the parent turns it into a sentence
        answer = {"error": str(problem).rstrip(".") or type(problem).__name__}
    parent.write(json.dumps(answer) + "\n")
    parent.flush()
    if "error" in answer:
        return
    sys.stdin.read()  # ends when the parent closes it, or has died
    os._exit(0)  # the server's destructor would wait for a generation under way


def _own_stdout() -> TextIO:
    """The pipe to the parent for our one line; whatever native code prints goes to standard error instead."""
    parent = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return parent


def _server(told: EmbeddedSettings) -> Any:
    """A llama.cpp server, ready. Its loading holds the interpreter's lock for as long as it takes."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = told.file
    params.model_alias = {told.alias}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = told.context_tokens
    params.n_parallel = 1
    params.cpuparams.n_threads = told.threads
    params.cpuparams_batch.n_threads = told.threads
    params.n_gpu_layers = 0
    params.offline = True
    params.ui = False
    params.endpoint_slots = False
    params.cors_origins = ""  # the default "*" would let any web page ask it
    params.api_keys = [told.key]
    params.cache_ram_mib = 512
    return xllamacpp.Server(params)


if __name__ == "__main__":
    serve()
