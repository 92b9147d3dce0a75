"""`assistant memory judgments`: how to act, and whether that proved right."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assistant.commands.memory import lines
from assistant.commands.memory.parameters import Id, Json, Limit, Query
from assistant.commands.memory.taking_back import forget_command, undo_command
from assistant.commands.shared import print_record, print_records, with_memory
from assistant.memory.judging.exporting import Format
from assistant.memory.records import JudgmentDraft, Subject, Verdict
from assistant.text import plural

app = typer.Typer(help="How to act, and whether that proved right.", no_args_is_help=True)


@app.command("list")
def list_(
    context: typer.Context,
    query: Query = None,
    domain: Annotated[str, typer.Option(help="Only this domain.")] = "",
    limit: Limit = 200,
    as_json: Json = False,
) -> None:
    """The judgments; with a query ranked for that situation, proved ones first."""
    found = with_memory(context, lambda memory: memory.judgments.list(query, domain=domain, limit=limit))
    print_records(found, lines.judgment_line, as_json=as_json, nothing="No judgments.")


@app.command("show")
def show(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """A judgment with its votes."""
    judgment = with_memory(context, lambda memory: memory.judgments.get(number))
    print_record(judgment, lines.judgment_lines(judgment), as_json=as_json)


@app.command("add")
def add(
    context: typer.Context,
    trigger: Annotated[str, typer.Argument(help="The kind of situation.")],
    judgment: Annotated[str, typer.Argument(help="What to do in it.")],
    reasoning: Annotated[str, typer.Option(help="Why.")] = "",
    domain: Annotated[str, typer.Option(help="The field: cooking, ops, …")] = "",
    as_json: Json = False,
) -> None:
    """Add a judgment by hand."""
    draft = JudgmentDraft(trigger, judgment, reasoning, domain)
    lines.print_entry(with_memory(context, lambda memory: memory.judgments.add(draft)), as_json=as_json)


@app.command("verify")
def verify(
    context: typer.Context,
    number: Id,
    verdict: Annotated[Verdict, typer.Argument(help="adopted: it proved right; corrected: it proved wrong.")],
    correction: Annotated[str, typer.Option(help="The right answer, where it proved wrong.")] = "",
    episode: Annotated[int | None, typer.Option(help="The turn it was used in: one vote a turn.")] = None,
    as_json: Json = False,
) -> None:
    """Say whether a judgment proved right; it ranks accordingly next time."""
    judged = with_memory(
        context, lambda memory: memory.verify(number, verdict, episode=episode, correction=correction)
    )
    print_record(judged, lines.judgment_lines(judged), as_json=as_json)


@app.command("export")
def export(
    context: typer.Context,
    target: Annotated[
        Path, typer.Argument(help="A file of JSON Lines; an interrupted export goes on in it.")
    ],
    form: Annotated[Format, typer.Option("--format", help="What a line is.")] = Format.TRIPLES,
) -> None:
    """Write verified judgments as training data."""
    written = with_memory(context, lambda memory: memory.judgments.export(target, form))
    typer.echo(f"{plural(written, 'line')} written to {target}.")


forget_command(app, Subject.JUDGMENT)
undo_command(app, Subject.JUDGMENT)
