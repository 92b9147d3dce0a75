"""Runs one suite in a temporary folder and frames its figures. A suite is a module here with `async def run(context) -> dict`."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

from assistant.config import Settings
from assistant.errors import MemoryInputError
from assistant.memory.aptitude import probe, read_cases, trust_in
from assistant.memory.decisions import Decisions, Matter
from assistant.memory.engine import MemoryEngine
from assistant.memory.ports import ChatModel, Embedder
from assistant.models.choice import open_model
from assistant.models.embedding import FastEmbedder
from assistant.paths import Folders, shipped

SUITES = {
    "planning": "facts only, or facts + episodes?",
    "extraction": "durable facts from one exchange",
    "routing": "what a new fact does to the store",
    "reflection": "does an exchange hold a judgment?",
    "judgments": "is the advice that proved right ranked first?",
    "conversations": "which facts hold at a conversation's end",
    "turn": "CPU of one turn's decisions beside 1,000 facts",
    "hostile": "text that must not leak, break or take over",
    "locomo": "recall of evidence in long conversations",
    "scale": "search and writing by number of turns",
    "million": "the vector search among a million rows",
    "startup": "seconds to the first frame and the first answer",
    "screen": "typing, streaming and idling",
}


@dataclass(frozen=True, slots=True)
class Context:
    """What a suite gets. `cases` is the file to read; `tmp` a folder that is removed afterwards."""

    cases: Path
    embedder: Embedder
    decider: str
    tmp: Path
    settings: Settings
    folders: Folders
    model: ChatModel | None = None
    trust: Mapping[Matter, float] = field(default_factory=dict)
    """What the model may decide, from a probe of it: as in the chat, so that its figures are the chat's with this model."""

    def decisions(self) -> Decisions:
        """The deciders of the chat, with planning put to the model too."""
        settings = replace(self.settings.memory, plan_with_model=True)
        made = Decisions(self.embedder, settings, self.model)
        made.trust = self.trust
        return made

    @asynccontextmanager
    async def memory(self, name: str) -> AsyncIterator[MemoryEngine]:
        """An empty engine with those deciders."""
        path = self.tmp / f"{name}.duckdb"
        settings = self.settings.memory
        async with await MemoryEngine.open(
            path, self.embedder, model=self.model, settings=settings
        ) as memory:
            memory.decisions.trust = self.trust
            yield memory


async def run(
    suite: str, cases: Path | None, decider: str, settings: Settings, folders: Folders
) -> dict[str, Any]:
    """The suite's report: suite, n, decider, embedder, seconds_per_case, its figures, failures. Raises MemoryInputError with a sentence."""
    if suite not in SUITES:
        raise MemoryInputError(f"There is no suite {suite!r}.", hint=f"There are: {', '.join(SUITES)}.")
    if decider not in ("on-device", "model"):
        raise MemoryInputError(f"{decider!r} decides nothing here.", hint="--decider is on-device or model.")
    source = cases or default_cases(suite)
    if cases is not None and not cases.is_file():
        raise MemoryInputError(f"There is no file {cases}.")
    async with AsyncExitStack() as stack:
        tmp = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="assistant-eval-")))
        model = await stack.enter_async_context(open_model(settings, folders)) if decider == "model" else None
        if decider == "model" and model is None:
            raise MemoryInputError("No language model is connected.", hint="`assistant setup` connects one.")
        embedder = FastEmbedder(settings.memory.embedding, cache=folders.cache / "embedding")
        embedder.load()
        started = perf_counter()
        trust = await _probed(suite, embedder, settings, model)
        context = Context(source, embedder, decider, tmp, settings, folders, model, trust)
        figures: dict[str, Any] = await import_module(f"assistant.evaluation.{suite}").run(context)
        seconds = perf_counter() - started
    failures = figures.pop("failures", [])
    n = figures.pop("n", 0)
    return {
        "suite": suite,
        "n": n,
        "decider": decider,
        **({"model_decides": sorted(trust)} if model is not None else {}),
        "embedder": embedder.id,
        "seconds_per_case": round(seconds / n, 4) if n else None,
        **figures,
        "failures": failures,
    }


async def _probed(
    suite: str, embedder: Embedder, settings: Settings, model: ChatModel | None
) -> dict[Matter, float]:
    """What the model may decide in this suite."""
    if model is None:
        return {}
    decisions = Decisions(embedder, settings.memory, model)
    matters = {matter for matter in Matter if matter.value == suite} or set(Matter)
    cases = read_cases()
    return trust_in([await probe(matter, cases[matter], decisions) for matter in Matter if matter in matters])


def default_cases(suite: str) -> Path:
    """The file that ships for the suite: cases that no head was trained on, where there are such."""
    held_out = shipped("data", "cases", "held-out", f"{suite}.jsonl")
    return held_out if held_out.is_file() else shipped("data", "cases", f"{suite}.jsonl")


def table(report: dict[str, Any]) -> str:
    """The report for people: one figure a line, nested figures as rows, then the failures."""
    lines: list[str] = []
    for name, value in report.items():
        if name == "failures":
            continue
        if isinstance(value, dict):
            lines.append(f"{name}:")
            lines += _rows(value)
        else:
            lines.append(f"{name:24} {_figure(value)}")
    failures = report["failures"]
    if failures:
        lines.append(f"{len(failures)} failures:")
        lines += [f"  {f.get('id')}: expected {f.get('expected')!r}, got {f.get('got')!r}" for f in failures]
    return "\n".join(lines)


def _rows(values: dict[str, Any], depth: int = 1) -> list[str]:
    lines: list[str] = []
    for name, value in values.items():
        if isinstance(value, dict) and any(isinstance(inner, dict) for inner in value.values()):
            lines.append(f"{'  ' * depth}{name}:")
            lines += _rows(value, depth + 1)
        elif isinstance(value, dict):
            inner = "  ".join(f"{key} {_figure(figure)}" for key, figure in value.items())
            lines.append(f"{'  ' * depth}{name!s:32} {inner}")
        else:
            lines.append(f"{'  ' * depth}{name!s:32} {_figure(value)}")
    return lines


def _figure(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
