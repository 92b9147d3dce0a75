"""`assistant ask`: one turn for scripts, through the same stream of events as the screen."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.commands.message import read_message
from assistant.commands.report import Report, without_markup
from assistant.commands.shared import Situation, situation
from assistant.conversation.events import Answered, Delta, Failed, TurnEvent
from assistant.errors import UsageError

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine
    from assistant.memory.records import Conversation

app = typer.Typer(add_completion=False)


class Format(StrEnum):
    PLAIN = "plain"
    MARKDOWN = "markdown"
    JSON = "json"


@app.command("ask")
def ask(
    context: typer.Context,
    text: Annotated[
        str | None,
        typer.Argument(
            help="The message. What is piped in is added below it, as a block of code; without it, or with -, what is piped in is the message."
        ),
    ] = None,
    output: Annotated[
        Format | None, typer.Option("--format", "-f", help="How to print the answer; default: markdown.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    conversation: Annotated[int | None, typer.Option(help="Go on in this conversation.")] = None,
    go_on: Annotated[bool, typer.Option("--continue", help="Go on in the newest conversation.")] = False,
    private: Annotated[bool, typer.Option("--private", help="Keep nothing of this turn.")] = False,
    no_stdin: Annotated[
        bool,
        typer.Option(
            "--no-stdin",
            help="Leave standard input alone: for a loop such as `while read line`, whose input it is.",
        ),
    ] = False,
) -> None:
    """Ask once and print the answer; exit code 0, or 4 when the model failed (what arrived is printed and kept)."""
    if as_json and output not in (None, Format.JSON):
        raise UsageError(f"--json and --format {output} contradict each other.", hint="Give one of them.")
    if conversation is not None and go_on:
        raise UsageError("--conversation and --continue contradict each other.", hint="Give one of them.")
    message = read_message(text, stdin=not no_stdin)
    shown = Format.JSON if as_json else output or Format.MARKDOWN
    report = asyncio.run(
        _turn(situation(context), message, shown, conversation, go_on=go_on, private=private)
    )
    if shown is Format.JSON:
        typer.echo(json.dumps(report.as_data(), ensure_ascii=False, indent=2))
    elif shown is Format.PLAIN:
        typer.echo(without_markup(report.answer))
    for line in report.notices:
        typer.echo(f"assistant: {line}", err=True)
    if report.exit_code:
        raise typer.Exit(report.exit_code)


async def _turn(
    where: Situation, message: str, shown: Format, conversation: int | None, *, go_on: bool, private: bool
) -> Report:
    from assistant.assembly import open_memory
    from assistant.conversation.turn import Session
    from assistant.models.choice import open_model

    report = Report()
    async with (
        open_model(where.settings, where.folders) as model,
        await open_memory(where.settings, where.folders, model) as memory,
    ):
        report.notices += memory.core.db.notices
        await memory.catch_up()
        opened = await _opened(memory, conversation, go_on=go_on)
        session = Session(memory, model, where.settings, conversation=opened, private=private)
        await session.load()
        # Closed before the memory is, whatever ends it: what arrived of the answer is kept.
        async with aclosing(session.ask(message)) as events:
            async for event in events:
                report.take(event)
                if shown is Format.MARKDOWN:
                    _print(event, report)
    return report


async def _opened(memory: MemoryEngine, conversation: int | None, *, go_on: bool) -> Conversation | None:
    if conversation is not None:
        return await memory.conversations.get(conversation)
    return await memory.conversations.newest() if go_on else None


def _print(event: TurnEvent, report: Report) -> None:
    """The answer as it comes, and a line's end after it."""
    if isinstance(event, Delta):
        typer.echo(event.text, nl=False)
    elif isinstance(event, Answered | Failed) and report.answer:
        typer.echo()
