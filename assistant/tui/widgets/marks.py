"""How panels put figures, times and states into words and small marks that need neither colour nor emoji."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from assistant.memory.records import (
    Confidence,
    Decider,
    Episode,
    Fact,
    FactKind,
    JournalEntry,
    Judgment,
    Recalled,
    Verdict,
    Vote,
)

KINDS: Mapping[FactKind, str] = {
    FactKind.SEMANTIC: "True now",
    FactKind.PROCEDURAL: "How you want things done",
    FactKind.EPISODIC: "Tied to a date",
}
CONFIDENCES: Mapping[Confidence, str] = {
    Confidence.STATED: "you said so",
    Confidence.CONFIRMED: "you agreed to it",
    Confidence.INFERRED: "inferred",
    Confidence.EDITED: "written by hand",
}
DECIDERS: Mapping[Decider, str] = {
    Decider.ON_DEVICE: "on-device classifier",
    Decider.RULE: "rule",
    Decider.MODEL: "language model",
    Decider.USER: "you",
}
VERDICTS: Mapping[Verdict, str] = {Verdict.ADOPTED: "✓ right", Verdict.CORRECTED: "✗ wrong"}


_STRENGTHS = ((0.7, "strong"), (0.35, "fair"))
"""From which score on a match is called so."""
_LEVELS = "▁▂▃▄▅▆▇█"


_DONE = {
    "add": "added",
    "update": "changed",
    "edit": "edited",
    "end": "ended",
    "noop": "said again",
    "pin": "pinned",
    "unpin": "unpinned",
    "forget": "forgotten",
    "vote": "voted on",
    "unvote": "vote taken back",
    "merge": "merged",
    "archive": "archived",
    "unarchive": "brought back",
    "delete": "deleted",
    "mark_wrong": "marked wrong",
}


def done(entry: JournalEntry) -> str:
    """What an entry did, in words: "fact changed"."""
    verb = entry.action.rpartition(".")[2]
    return (
        f"{entry.subject} {_DONE.get(verb, verb.replace('_', ' '))}"
        if "." in entry.action
        else "change undone"
    )


def local_time(when: datetime, now: datetime) -> str:
    """`when` as read on the wall: "14:03" today, "Tue 14:03" within the last six days, else "15 Jun" with the year if it is another."""
    here, today = when.astimezone(), now.astimezone()
    if here.date() == today.date():
        return f"{here:%H:%M}"
    if timedelta() <= today.date() - here.date() < timedelta(days=7):
        return f"{here:%a %H:%M}"
    return f"{here.day} {here:%b}" + ("" if here.year == today.year else f" {here.year}")


def full_time(when: datetime) -> str:
    """ "Tue 15 Jun 2026, 14:03", local."""
    here = when.astimezone()
    return f"{here:%a} {here.day} {here:%b %Y, %H:%M}"


def percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


def milliseconds(value: float) -> str:
    return f"{value:.1f} ms" if value < 10 else f"{value:.0f} ms"


def score_parts(parts: Mapping[str, float]) -> str:
    """ "meaning 0.62 · words 0.19"."""
    return " · ".join(f"{name.replace('_', ' ')} {value:.2f}" for name, value in parts.items())


def score(recalled: Recalled) -> str:
    """ "0.81 from meaning 0.62 · words 0.19"."""
    parts = score_parts(recalled.parts)
    return f"{recalled.score:.2f} from {parts}" if parts else f"{recalled.score:.2f}"


def strength(recalled: Recalled) -> str:
    """How near an item is to the question: "strong match", "fair match", "weak match"."""
    word = next((word for least, word in _STRENGTHS if recalled.score >= least), "weak")
    return f"{word} match"


def utility_bar(utility: float, half: int = 4) -> str:
    """A bar from the middle: to the right where it proved right, to the left where it proved wrong; 2·half + 1 cells."""
    cells = round(min(abs(utility), 1.0) * half)
    if utility != 0:
        cells = max(cells, 1)
    left, right = (cells, 0) if utility < 0 else (0, cells)
    return "·" * (half - left) + "█" * left + "│" + "█" * right + "·" * (half - right)


def counts(judgment: Judgment) -> str:
    return f"✓{judgment.adopted} ✗{judgment.corrected}"


def vote_line(votes: Sequence[Vote], newest: int = 12) -> str:
    """The newest votes, oldest first: "✓ ✓ ✗ ✓"."""
    ordered = sorted(votes, key=lambda vote: vote.voted)[-newest:]
    return " ".join("✓" if vote.verdict is Verdict.ADOPTED else "✗" for vote in ordered)


def trend(votes: Sequence[Vote], newest: int = 16) -> str:
    """The utility after each vote, oldest first, from ▁ (-1) to █ (+1)."""
    from assistant.memory.judging.utility import tally

    ordered = sorted(votes, key=lambda vote: vote.voted)
    values = [tally(ordered[: count + 1], vote.voted).utility() for count, vote in enumerate(ordered)]
    return "".join(
        _LEVELS[min(int((value + 1) / 2 * len(_LEVELS)), len(_LEVELS) - 1)] for value in values[-newest:]
    )


def item_text(recalled: Recalled) -> str:
    """What a recalled item says."""
    match recalled.item:
        case Fact(statement=statement):
            return statement
        case Judgment(judgment=judgment):
            return judgment
        case Episode(user=user):
            return user


def item_id(recalled: Recalled) -> str:
    """ "fact:12"."""
    return f"{recalled.subject}:{recalled.item.id}"


def record_id(item_id: str | None, subject: str) -> int | None:
    """The record's id in "fact:12", where the item is of that subject."""
    kind, _, number = (item_id or "").partition(":")
    return int(number) if kind == subject and number.lstrip("-").isdigit() else None
