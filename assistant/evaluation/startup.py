"""How long until there is something to see, and until the first answer? Each start in a fresh process, on a memory that exists.

The bare program with the same widgets takes turns with ours; CPU is what the process itself reports. Medians of the runs.
As after an installation, all code is compiled: a start of each that is not counted sees to that.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING, Any

from assistant.errors import AssistantError
from assistant.evaluation.stage import fill
from assistant.evaluation.tables import missed
from assistant.paths import user_folders

if TYPE_CHECKING:
    from assistant.evaluation.runner import Context

RUNS = 7
HEAVY = frozenset(
    {
        "dateparser", "detect_secrets", "duckdb", "fastembed", "httpx", "huggingface_hub", "keyring", "markdown_it",
        "numpy", "onnxruntime", "openai", "pydantic", "sklearn", "tokenizers", "typer", "xllamacpp",
    }
)  # fmt: skip
"""Packages that have no business before the first frame."""
LIMITS = {"first_frame_cpu_over_bare": 1.3, "imported_too_early": 0}


async def run(context: Context) -> dict[str, Any]:
    """Seconds of clock and CPU for each, their ratio, and which heavy packages the first frame waited for."""
    home = context.tmp / "home"
    await fill(user_folders(home).store, context.embedder, turns=100)
    for which in ("bare", "assistant"):  # fills the caches of the disk, of the embedder and of compiled code
        await start(which, home)
    runs: dict[str, list[dict[str, Any]]] = {"bare": [], "assistant": []}
    for _ in range(RUNS):
        for which, readings in runs.items():
            readings.append(await start(which, home))
    return figures(runs["bare"], runs["assistant"])


async def start(which: str, home: Path) -> dict[str, Any]:
    """One start in a process of its own; "seconds" of each reading count from before it was made. Raises AssistantError."""
    unwanted = {"NO_COLOR", "PYTHONDONTWRITEBYTECODE"}
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    environment |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    environment["PYTHONPYCACHEPREFIX"] = str(home / "cache" / "compiled")
    command = [sys.executable, "-m", "assistant.evaluation.first_frame", which, str(home)]
    began = monotonic()
    child = await asyncio.create_subprocess_exec(
        *command,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, complaint = await child.communicate()
    if child.returncode:
        raise AssistantError(
            f"The start of {which} failed: {complaint.decode(errors='replace').strip()[-500:]}"
        )
    readings: dict[str, Any] = json.loads(said)
    for reading in readings.values():
        reading["seconds"] = reading.pop("clock") - began
    return readings


def figures(bare: Sequence[dict[str, Any]], ours: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The report from the readings of all runs."""
    early = sorted({name for run in ours for name in HEAVY.intersection(run["first_frame"]["packages"])})
    seen = _medians(ours, "first_frame")
    ground = _medians(bare, "first_frame")
    found = {
        "n": len(ours),
        "first_frame": seen,
        "first_frame_bare": ground,
        "first_frame_cpu_over_bare": round(seen["cpu_seconds"] / ground["cpu_seconds"], 3),
        "first_answer": _medians(ours, "first_answer"),
        "imported_too_early": early,
    }
    return found | {"failures": missed(found | {"imported_too_early": len(early)}, LIMITS)}


def _medians(runs: Sequence[dict[str, Any]], which: str) -> dict[str, float]:
    return {
        "seconds": round(median(run[which]["seconds"] for run in runs), 3),
        "cpu_seconds": round(median(run[which]["cpu"] for run in runs), 3),
    }
