"""How judgments stand in the panel: text, situation, utility as a bar, votes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.memory.records import Judgment, Recalled, Subject, Vote
from assistant.tui.widgets import marks
from assistant.tui.widgets.record_list import Heading, Item
from assistant.tui.widgets.rows import Line, muted, row


def entries(
    used: Sequence[Judgment],
    others: Sequence[Judgment],
    own: Mapping[int, Vote | None],
    fresh: frozenset[int] = frozenset(),
) -> list[Heading | Item]:
    """Those used in this answer with their place in its ranking, then the rest."""
    rows: list[Heading | Item] = []
    if used:
        rows.append(Heading("Used in this answer", "best first"))
        rows += [_item(each, f"{place}.", own.get(each.id)) for place, each in enumerate(used, 1)]
    if others:
        rows.append(Heading("All others" if used else "All", str(len(others))))
        rows += [_item(each, "", None, new=each.id in fresh) for each in others]
    return rows or [Heading("None yet. Advice and lessons in the chat become judgments.")]


def _item(judgment: Judgment, place: str, own: Vote | None, *, new: bool = False) -> Item:
    lead = ((f"{place} ", "bold"),) if place else (("· ", "$text-muted"),)
    indent = len(lead[0][0])
    right = (("new", "bold $text-success"),) if new else ()
    mine = ((f"you: {marks.VERDICTS[own.verdict]}", "bold"),) if own is not None else ()
    lines = [
        Line(((judgment.judgment, ""),), right, lines=3, lead=lead),
        Line(((f"when {judgment.trigger}", "$text-muted"),), mine, lines=2, indent=indent),
        _evidence(judgment, indent),
    ]
    if judgment.correction:
        lines.append(
            Line(
                ((judgment.correction, ""),),
                lines=2,
                indent=indent,
                lead=(("right: ", "bold $text-success"),),
            )
        )
    return Item(f"{Subject.JUDGMENT}:{judgment.id}", row(*lines))


def _evidence(judgment: Judgment, indent: int) -> Line:
    look = (
        "$text-error" if judgment.utility < 0 else "$text-success" if judgment.utility > 0 else "$text-muted"
    )
    left = (
        (marks.utility_bar(judgment.utility), look),
        (f" {judgment.utility:+.2f} {marks.counts(judgment)}", "$text-muted"),
    )
    return Line(left, (("proved wrong", "$text-error"),) if judgment.refuted else (), indent=indent)


def details(judgment: Judgment, votes: Sequence[Vote], used: Recalled | None) -> list[Line | str]:
    """What the strip says about the highlighted judgment."""
    lines: list[Line | str] = []
    if judgment.reasoning:
        lines.append(Line((("because ", "$text-muted"), (judgment.reasoning, "")), lines=3))
    if votes:
        lines.append(muted(f"votes {marks.vote_line(votes)}  trend {marks.trend(votes)}", lines=2))
    if used is not None:
        lines.append(muted(marks.score(used), lines=2))
    if judgment.domain:
        lines.append(muted(f"domain {judgment.domain}"))
    return lines
