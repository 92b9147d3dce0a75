"""What the commands share: where things are, an open memory for the length of a call, and printing records."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from assistant.config import Settings, load_settings
from assistant.paths import Folders

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine

Result = TypeVar("Result")


@dataclass
class Situation:
    """The user's folders and, read at first use, their settings."""

    folders: Folders

    @cached_property
    def settings(self) -> Settings:
        return load_settings(self.folders.config_file)


def situation(context: typer.Context) -> Situation:
    found = context.find_object(Situation)
    assert found is not None
    return found


def with_memory(context: typer.Context, work: Callable[[MemoryEngine], Awaitable[Result]]) -> Result:
    """Run `work` on the user's memory, opened for this call and closed after it."""
    from assistant.assembly import open_memory

    where = situation(context)

    async def call() -> Result:
        async with await open_memory(where.settings, where.folders) as memory:
            return await work(memory)

    return asyncio.run(call())


def plain(value: Any) -> Any:
    """A record as JSON-ready data: times as ISO 8601 with zone, enums as their values."""
    from pydantic import TypeAdapter

    return TypeAdapter(type(value)).dump_python(value, mode="json")


def print_records(records: Sequence[Any], line: Callable[[Any], str], *, as_json: bool, nothing: str) -> None:
    """Records as one JSON array, or a line each for people; `nothing` is said on standard error when there are none."""
    if as_json:
        typer.echo(json.dumps([plain(record) for record in records], ensure_ascii=False, indent=2))
        return
    for record in records:
        typer.echo(line(record))
    if not records:
        typer.echo(nothing, err=True)


def print_record(record: Any, lines: Iterable[str], *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(plain(record), ensure_ascii=False, indent=2))
    else:
        typer.echo("\n".join(lines))
