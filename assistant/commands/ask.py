"""`assistant ask`: one turn for scripts, through the same stream of events as the screen."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

import typer

from assistant.commands.shared import Situation, plain, situation
from assistant.conversation.events import (
    Answered,
    Delta,
    Failed,
    Learned,
    Notice,
    Planned,
    Recalled,
    Reflected,
    TurnEvent,
)
from assistant.errors import MemoryInputError, ModelError
from assistant.memory.records import Conversation, Episode
from assistant.text import clean_text


class Format(StrEnum):
    PLAIN = "plain"
    MARKDOWN = "markdown"
    JSON = "json"


def ask(
    context: typer.Context,
    text: Annotated[
        str, typer.Argument(help="The message; - reads it from standard input. Piped text is added to it.")
    ],
    output: Annotated[
        Format, typer.Option("--format", "-f", help="How to print the answer.")
    ] = Format.MARKDOWN,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    conversation: Annotated[int | None, typer.Option(help="Go on in this conversation.")] = None,
    go_on: Annotated[bool, typer.Option("--continue", help="Go on in the newest conversation.")] = False,
    private: Annotated[bool, typer.Option("--private", help="Keep nothing of this turn.")] = False,
) -> None:
    """Ask once and print the answer; exit code 0, or 4 when the model failed (what arrived is printed and kept)."""
    message = _message(text)
    where = situation(context)
    shown = Format.JSON if as_json else output
    report = asyncio.run(_turn(where, message, shown, conversation, go_on=go_on, private=private))
    if shown is Format.JSON:
        typer.echo(json.dumps(report.as_data(), ensure_ascii=False, indent=2))
    elif shown is Format.PLAIN:
        typer.echo(_without_markup(report.answer))
    for line in report.notices:
        typer.echo(f"assistant: {line}", err=True)
    if report.failed:
        raise typer.Exit(ModelError.exit_code)


@dataclass
class _Report:
    """What the stream of one turn told."""

    answer: str = ""
    episode: Episode | None = None
    data: dict[str, Any] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    failed: bool = False

    def take(self, event: TurnEvent) -> None:
        match event:
            case Planned(plan):
                self.data["plan"] = plain(plan)
            case Recalled(recall, prompt):
                kinds = {"facts": recall.facts, "judgments": recall.judgments, "episodes": recall.episodes}
                self.data["recalled"] = {
                    kind: [plain(item) for item in items] for kind, items in kinds.items()
                }
                self.data["milliseconds"] = dict(recall.milliseconds)
                self.data["prompt"] = [plain(part) for part in prompt]
            case Delta(text):
                self.answer += text
            case Answered(episode, usage):
                self.episode = episode
                self.data["usage"] = plain(usage)
            case Learned(changes, masked):
                self.data["learned"] = [plain(change) for change in changes]
                if masked:
                    self.notices.append(f"Hidden before anything was remembered: {', '.join(masked)}.")
            case Reflected(judgments, _):
                self.data["judgments"] = [plain(judgment) for judgment in judgments]
            case Notice(text):
                self.notices.append(text)
            case Failed(text, hint, episode):
                self.failed, self.episode = True, episode
                self.notices.append(f"{text} {hint}".strip())

    def as_data(self) -> dict[str, Any]:
        turn = {"conversation": self.episode.conversation, "episode": self.episode.id} if self.episode else {}
        state = self.episode.state.value if self.episode else "failed"
        model = self.episode.model if self.episode else ""
        return {
            "answer": self.answer,
            "state": state,
            "model": model,
            **turn,
            **self.data,
            "notices": self.notices,
        }


async def _turn(
    where: Situation, message: str, shown: Format, conversation: int | None, *, go_on: bool, private: bool
) -> _Report:
    from assistant.assembly import open_memory
    from assistant.conversation.turn import Session
    from assistant.models.choice import open_model

    report = _Report()
    async with (
        open_model(where.settings, where.folders) as model,
        await open_memory(where.settings, where.folders, model) as memory,
    ):
        report.notices += memory.core.db.notices
        await memory.catch_up()
        opened: Conversation | None = None
        if conversation is not None:
            opened = await memory.conversations.get(conversation)
        elif go_on:
            opened = await memory.conversations.newest()
        session = Session(memory, model, where.settings, conversation=opened, private=private)
        await session.load()
        async for event in session.ask(message):
            report.take(event)
            if shown is Format.MARKDOWN and isinstance(event, Delta):
                typer.echo(event.text, nl=False)
            if shown is Format.MARKDOWN and isinstance(event, Answered | Failed) and report.answer:
                typer.echo()
    return report


def _message(text: str) -> str:
    """The argument, standard input for `-`, or both when something is piped in beside it."""
    piped = "" if text != "-" and not _is_piped() else sys.stdin.buffer.read().decode("utf-8", "replace")
    whole = piped if text == "-" else f"{text}\n\n{piped}" if piped.strip() else text
    message = clean_text(whole).strip()
    if not message:
        raise MemoryInputError("There is nothing to ask: the message is empty.")
    return message


def _is_piped() -> bool:
    """Whether standard input is a pipe or a file; a terminal, /dev/null or a closed one is not waited for."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)


def _without_markup(markdown: str) -> str:
    """Markdown read aloud: its text without the marks, code and line breaks as they are."""
    from markdown_it import MarkdownIt

    lines: list[str] = []
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        if token.type == "inline":
            children = token.children or []
            lines.append(
                "".join(
                    "\n" if child.type in ("softbreak", "hardbreak") else child.content for child in children
                )
            )
        elif token.type in ("fence", "code_block"):
            lines.append(token.content.rstrip("\n"))
    return "\n".join(lines)
