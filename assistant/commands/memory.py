"""`assistant memory`: browse, check and change what is remembered, for people and, with --json, for programs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from assistant.commands.shared import print_record, print_records, situation, with_memory
from assistant.errors import MemoryInputError
from assistant.memory.records import (
    Episode,
    Fact,
    JournalEntry,
    Judgment,
    JudgmentDraft,
    Plan,
    Subject,
    Verdict,
)
from assistant.text import one_line

app = typer.Typer(help="Browse, check and change what is remembered.", no_args_is_help=True)
facts = typer.Typer(help="What is true.", no_args_is_help=True)
episodes = typer.Typer(help="What was said.", no_args_is_help=True)
judgments = typer.Typer(help="How to act, and whether that proved right.", no_args_is_help=True)
plans = typer.Typer(help="Which plan was made for which question.", no_args_is_help=True)
journal = typer.Typer(help="Every change to the memory.", no_args_is_help=True)
for group, name in (
    (facts, "facts"),
    (episodes, "episodes"),
    (judgments, "judgments"),
    (plans, "plans"),
    (journal, "journal"),
):
    app.add_typer(group, name=name)

Id = Annotated[int, typer.Argument(help="Its number, as `list` shows it.")]
Query = Annotated[
    str | None, typer.Argument(help="Find by meaning and words; without it: all, newest first.")
]
Json = Annotated[bool, typer.Option("--json", help="As JSON.")]
Limit = Annotated[int, typer.Option(min=1, max=100_000, help="At most so many.")]


# Facts ----------------------------------------------------------------------------------------------------------------


@facts.command("list")
def facts_list(
    context: typer.Context,
    query: Query = None,
    history: Annotated[bool, typer.Option("--history", help="Also those that are no longer true.")] = False,
    limit: Limit = 200,
    as_json: Json = False,
) -> None:
    """The facts that hold, pinned ones first."""
    found = with_memory(context, lambda memory: memory.facts.list(query, history=history, limit=limit))
    print_records(found, _fact_line, as_json=as_json, nothing="No facts.")


@facts.command("show")
def facts_show(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """A fact with all its versions, oldest first."""
    versions = with_memory(context, lambda memory: memory.facts.history(number))
    print_record(versions, map(_version_line, versions), as_json=as_json)


@facts.command("add")
def facts_add(
    context: typer.Context,
    statement: Annotated[str, typer.Argument(help='What is true: "User lives in Leith".')],
    key: Annotated[
        str, typer.Option(help="What it is about, snake_case; found from the statement unless given.")
    ] = "",
    value: Annotated[str, typer.Option(help="The value alone.")] = "",
    as_json: Json = False,
) -> None:
    """Add a fact by hand."""
    _print_entry(
        with_memory(context, lambda memory: memory.facts.add(statement, key=key, value=value)),
        as_json=as_json,
    )


@facts.command("edit")
def facts_edit(
    context: typer.Context,
    number: Id,
    statement: Annotated[str | None, typer.Option(help="The new statement.")] = None,
    key: Annotated[str | None, typer.Option(help="The new key.")] = None,
    value: Annotated[str | None, typer.Option(help="The new value.")] = None,
    as_json: Json = False,
) -> None:
    """Change a fact; the version before stays in its history."""
    entry = with_memory(
        context, lambda memory: memory.facts.edit(number, statement=statement, key=key, value=value)
    )
    _print_entry(entry, as_json=as_json)


@facts.command("pin")
def facts_pin(
    context: typer.Context,
    number: Id,
    off: Annotated[bool, typer.Option("--off", help="Unpin.")] = False,
    as_json: Json = False,
) -> None:
    """Pin a fact: it always comes along."""
    _print_entry(with_memory(context, lambda memory: memory.facts.pin(number, not off)), as_json=as_json)


# Episodes -------------------------------------------------------------------------------------------------------------


@episodes.command("list")
def episodes_list(
    context: typer.Context,
    query: Query = None,
    conversation: Annotated[int | None, typer.Option(help="Only this conversation.")] = None,
    archived: Annotated[bool, typer.Option("--archived", help="Also archived ones.")] = False,
    limit: Limit = 50,
    as_json: Json = False,
) -> None:
    """Past turns."""
    found = with_memory(
        context,
        lambda memory: memory.episodes.list(query, conversation=conversation, archived=archived, limit=limit),
    )
    print_records(found, _episode_line, as_json=as_json, nothing="No turns.")


@episodes.command("show")
def episodes_show(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """A turn, verbatim."""
    episode = with_memory(context, lambda memory: memory.episodes.get(number))
    print_record(episode, [_episode_line(episode), "", episode.user, "", episode.assistant], as_json=as_json)


@episodes.command("archive")
def episodes_archive(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """Take a turn out of default recall; it stays searchable with --archived."""
    _print_entry(with_memory(context, lambda memory: memory.episodes.archive([number])), as_json=as_json)


@episodes.command("unarchive")
def episodes_unarchive(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """Bring an archived turn back."""
    _print_entry(with_memory(context, lambda memory: memory.episodes.unarchive([number])), as_json=as_json)


# Judgments ------------------------------------------------------------------------------------------------------------


@judgments.command("list")
def judgments_list(
    context: typer.Context,
    query: Query = None,
    domain: Annotated[str, typer.Option(help="Only this domain.")] = "",
    limit: Limit = 200,
    as_json: Json = False,
) -> None:
    """The judgments; with a query ranked for that situation, proved ones first."""
    found = with_memory(context, lambda memory: memory.judgments.list(query, domain=domain, limit=limit))
    print_records(found, _judgment_line, as_json=as_json, nothing="No judgments.")


@judgments.command("show")
def judgments_show(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """A judgment with its votes."""
    judgment = with_memory(context, lambda memory: memory.judgments.get(number))
    print_record(judgment, _judgment_lines(judgment), as_json=as_json)


@judgments.command("add")
def judgments_add(
    context: typer.Context,
    trigger: Annotated[str, typer.Argument(help="The kind of situation.")],
    judgment: Annotated[str, typer.Argument(help="What to do in it.")],
    reasoning: Annotated[str, typer.Option(help="Why.")] = "",
    domain: Annotated[str, typer.Option(help="The field: cooking, ops, …")] = "",
    as_json: Json = False,
) -> None:
    """Add a judgment by hand."""
    draft = JudgmentDraft(trigger, judgment, reasoning, domain)
    _print_entry(with_memory(context, lambda memory: memory.judgments.add(draft)), as_json=as_json)


@judgments.command("verify")
def judgments_verify(
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
    print_record(judged, _judgment_lines(judged), as_json=as_json)


# Plans ----------------------------------------------------------------------------------------------------------------


@plans.command("list")
def plans_list(context: typer.Context, limit: Limit = 50, as_json: Json = False) -> None:
    """The newest plans."""
    found = with_memory(context, lambda memory: memory.plans.list(limit=limit))
    print_records(found, _plan_line, as_json=as_json, nothing="No plans.")


@plans.command("show")
def plans_show(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """A plan."""
    plan = with_memory(context, lambda memory: memory.plans.get(number))
    print_record(plan, [_plan_line(plan)], as_json=as_json)


@plans.command("wrong")
def plans_wrong(context: typer.Context, number: Id, as_json: Json = False) -> None:
    """Mark a plan as wrong: similar questions are planned the other way from now on."""
    _print_entry(with_memory(context, lambda memory: memory.plans.mark_wrong(number)), as_json=as_json)


# Journal, forgetting, undo --------------------------------------------------------------------------------------------


@journal.command("list")
def journal_list(
    context: typer.Context,
    subject: Annotated[Subject | None, typer.Option(help="Only changes to these.")] = None,
    limit: Limit = 50,
    as_json: Json = False,
) -> None:
    """What the memory did, newest first."""
    found = with_memory(context, lambda memory: memory.journal.list(subject=subject, limit=limit))
    print_records(found, _entry_line, as_json=as_json, nothing="Nothing has been changed yet.")


@app.command()
def undo(
    context: typer.Context,
    number: Annotated[
        int | None, typer.Argument(help="The journal entry; without it the newest that can be undone.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Take back a change."""
    _print_entry(with_memory(context, lambda memory: memory.undo(number)), as_json=as_json)


# The file ------------------------------------------------------------------------------------------------------------


@app.command()
def backup(
    context: typer.Context,
    target: Annotated[
        Path | None, typer.Argument(help="Where to; default: beside the memory, with the date.")
    ] = None,
) -> None:
    """Copy the memory to a file, compactly; it may be in use meanwhile by this program only."""
    from assistant.assembly import store_path
    from assistant.memory.ports import utc_now
    from assistant.memory.store.backup import default_target

    where = situation(context)
    chosen = target or default_target(store_path(where.settings, where.folders), utc_now())
    with_memory(context, lambda memory: memory.core.db.backup(chosen))
    typer.echo(f"The memory is copied to {chosen}.")


@app.command()
def restore(
    context: typer.Context,
    source: Annotated[Path, typer.Argument(help="A backup.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Put a backup in the place of the memory; what was there is kept beside it."""
    from assistant.assembly import store_path
    from assistant.memory.store import backup as backups

    where = situation(context)
    path = store_path(where.settings, where.folders)
    if path.exists() and not yes and not typer.confirm(f"Put {source} in the place of {path}?"):
        raise typer.Exit(1)
    kept = backups.restore(source, path)
    typer.echo(f"{path} is now what {source} holds." + (f" What was there is {kept}." if kept else ""))


@app.command()
def reindex(context: typer.Context) -> None:
    """Make the memory findable with the embedding model of the settings; interrupted, it goes on where it stopped."""
    from assistant.assembly import open_memory
    from assistant.commands.progress import counting

    where = situation(context)

    async def call() -> int:
        async with await open_memory(where.settings, where.folders, reembed=True) as memory:
            with counting("Indexing") as progress:
                return await memory.core.index_missing(progress)

    typer.echo(f"{asyncio.run(call())} texts were indexed.")


def _forget(subject: Subject) -> None:
    def forget(
        context: typer.Context,
        number: Id,
        yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
        as_json: Json = False,
    ) -> None:
        if not yes and not typer.confirm(
            f"Erase {subject} {number} and every copy of it? This cannot be undone later."
        ):
            raise typer.Exit(1)
        _print_entry(with_memory(context, lambda memory: memory.forget(subject, number)), as_json=as_json)

    group = {Subject.FACT: facts, Subject.EPISODE: episodes, Subject.JUDGMENT: judgments}[subject]
    group.command("forget", help=f"Erase this {subject} with every copy and what was derived from it alone.")(
        forget
    )


def _undo_in(group: typer.Typer, subject: Subject) -> None:
    def undo_newest(context: typer.Context, number: Id, as_json: Json = False) -> None:
        entry = with_memory(context, lambda memory: memory.journal.list(subject=subject, limit=100_000))
        newest = next(
            (
                e
                for e in entry
                if e.subject_id == number and e.undoable and e.undone_by is None and e.undoes is None
            ),
            None,
        )
        if newest is None:
            raise MemoryInputError(f"Nothing was done to {subject} {number} that can be undone.")
        _print_entry(with_memory(context, lambda memory: memory.undo(newest.id)), as_json=as_json)

    group.command("undo", help=f"Take back the newest change to this {subject}.")(undo_newest)


for _group, _subject in (
    (facts, Subject.FACT),
    (episodes, Subject.EPISODE),
    (judgments, Subject.JUDGMENT),
    (plans, Subject.PLAN),
):
    _undo_in(_group, _subject)
for _subject in (Subject.FACT, Subject.EPISODE, Subject.JUDGMENT):
    _forget(_subject)


# Lines for people -----------------------------------------------------------------------------------------------------


def _fact_line(fact: Fact) -> str:
    pin = "📌 pinned  " if fact.pinned else ""
    over = f"  (until {fact.valid_to.astimezone():%d %b %Y})" if fact.valid_to else ""
    return f"{fact.id:>5}  {pin}{fact.statement}  [{fact.key}]{over}"


def _version_line(fact: Fact) -> str:
    end = f"{fact.valid_to.astimezone():%d %b %Y}" if fact.valid_to else "now"
    source = f", turn {fact.episode}" if fact.episode else ""
    return f"{fact.valid_from.astimezone():%d %b %Y} – {end}: {fact.statement}  [{fact.key} = {fact.value}] ({fact.confidence}{source})"


def _episode_line(episode: Episode) -> str:
    return f"{episode.id:>5}  {episode.said.astimezone():%d %b %Y %H:%M}  {one_line(episode.user, 100)}"


def _judgment_line(judgment: Judgment) -> str:
    mark = "✗ refuted" if judgment.refuted else f"✓ {judgment.adopted}" if judgment.adopted else "unproved"
    return f"{judgment.id:>5}  {mark:9}  {one_line(judgment.trigger, 60)} → {one_line(judgment.judgment, 80)}"


def _judgment_lines(judgment: Judgment) -> list[str]:
    return [
        f"When:       {judgment.trigger}",
        f"Then:       {judgment.judgment}",
        f"Because:    {judgment.reasoning or '—'}",
        f"Domain:     {judgment.domain or '—'}",
        f"Votes:      ✓ {judgment.adopted}  ✗ {judgment.corrected}  utility {judgment.utility:+.2f}",
        *([f"Right:      {judgment.correction}"] if judgment.correction else []),
    ]


def _plan_line(plan: Plan) -> str:
    what = "facts + episodes" if plan.needs_episodes else "facts only"
    wrong = "  (marked wrong)" if plan.marked_wrong else ""
    return f"{plan.id or 0:>5}  {what:16}  {plan.decision.decider} {plan.decision.confidence:.2f}  {one_line(plan.question, 80)}{wrong}"


def _entry_line(entry: JournalEntry) -> str:
    undone = "  (undone)" if entry.undone_by else ""
    return f"{entry.id:>5}  {entry.happened.astimezone():%d %b %H:%M}  {entry.action:16}  {one_line(entry.summary, 100)}{undone}"


def _print_entry(entry: JournalEntry, *, as_json: bool) -> None:
    print_record(entry, [_entry_line(entry)], as_json=as_json)
