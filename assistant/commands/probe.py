"""`assistant models probe`: which memory decisions the connected model may make."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.commands.shared import Situation, print_records, situation
from assistant.errors import ModelError

if TYPE_CHECKING:
    from assistant.memory.aptitude import Aptitude


def probe(
    context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False
) -> None:
    """Put built-in cases to the model in use; it decides from now on what it is better at than the device."""
    found = asyncio.run(_probe(situation(context)))
    print_records(found, line, as_json=as_json, nothing="Nothing was probed.")


def line(score: Aptitude) -> str:
    """One matter, who was right how often, and who decides it from now on."""
    if not score.asked:
        return f"{score.matter:12} device {score.on_device}/{score.n}: decided on the device, no model can do better"
    asked = "" if score.asked == score.n else f" (of the first {score.asked}; then it could not win any more)"
    who = (
        f"the model decides where the device is less than {score.likely:.0%} sure"
        if score.trusted
        else "decided on the device"
    )
    return (
        f"{score.matter:12} device {score.on_device}/{score.n}, model {score.model}/{score.n}{asked}: {who}"
    )


async def _probe(where: Situation) -> tuple[Aptitude, ...]:
    from assistant.assembly import open_memory
    from assistant.models.choice import open_model

    async with open_model(where.settings, where.folders) as model:
        if model is None:
            raise ModelError("No language model is connected.", hint="`assistant setup` connects one.")
        async with await open_memory(where.settings, where.folders, model) as memory:
            return await memory.probe()
