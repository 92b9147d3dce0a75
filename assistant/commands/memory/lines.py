"""Records of the memory as lines for people."""

from __future__ import annotations

from assistant.commands.shared import print_record
from assistant.memory.records import Conversation, Episode, Fact, JournalEntry, Judgment, Plan
from assistant.text import one_line, plural


def fact_line(fact: Fact) -> str:
    pin = "pinned: " if fact.pinned else ""
    over = f"  (until {fact.valid_to.astimezone():%d %b %Y})" if fact.valid_to else ""
    return f"{fact.id:>5}  {pin}{fact.statement}  [{fact.key}]{over}"


def version_line(fact: Fact) -> str:
    end = f"{fact.valid_to.astimezone():%d %b %Y}" if fact.valid_to else "now"
    source = f", turn {fact.episode}" if fact.episode else ""
    return f"{fact.valid_from.astimezone():%d %b %Y} – {end}: {fact.statement}  [{fact.key} = {fact.value}] ({fact.confidence}{source})"


def episode_line(episode: Episode) -> str:
    said = f"{episode.said.astimezone():%d %b %Y %H:%M}"
    return f"{episode.id:>5}  {said}  {one_line(episode.user, 100)}  (conversation {episode.conversation})"


def conversation_line(conversation: Conversation) -> str:
    marks = ("pinned: " if conversation.pinned else "") + ("archived: " if conversation.archived else "")
    talked = f"{conversation.updated.astimezone():%d %b %Y %H:%M}"
    title = one_line(conversation.name, 100)
    return f"{conversation.id:>5}  {talked}  {marks}{title}  ({plural(conversation.turns, 'turn')})"


def judgment_line(judgment: Judgment) -> str:
    mark = "✗ refuted" if judgment.refuted else f"✓ {judgment.adopted}" if judgment.adopted else "unproved"
    return f"{judgment.id:>5}  {mark:9}  {one_line(judgment.trigger, 60)} → {one_line(judgment.judgment, 80)}"


def judgment_lines(judgment: Judgment) -> list[str]:
    return [
        f"When:       {judgment.trigger}",
        f"Then:       {judgment.judgment}",
        f"Because:    {judgment.reasoning or '—'}",
        f"Domain:     {judgment.domain or '—'}",
        f"Votes:      ✓ {judgment.adopted}  ✗ {judgment.corrected}  utility {judgment.utility:+.2f}",
        *([f"Right:      {judgment.correction}"] if judgment.correction else []),
    ]


def plan_line(plan: Plan) -> str:
    what = "facts + episodes" if plan.needs_episodes else "facts only"
    wrong = "  (marked wrong)" if plan.marked_wrong else ""
    return f"{plan.id or 0:>5}  {what:16}  {plan.decision.decider} {plan.decision.confidence:.2f}  {one_line(plan.question, 80)}{wrong}"


def entry_line(entry: JournalEntry) -> str:
    undone = "  (undone)" if entry.undone_by else ""
    return f"{entry.id:>5}  {entry.happened.astimezone():%d %b %H:%M}  {entry.action:16}  {one_line(entry.summary, 100)}{undone}"


def print_entry(entry: JournalEntry, *, as_json: bool) -> None:
    print_record(entry, [entry_line(entry)], as_json=as_json)
