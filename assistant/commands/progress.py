"""Progress on standard error, for terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from assistant.models.catalogue import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import ProgressColumn


@contextmanager
def fetching(what: str) -> Iterator[Progress]:
    """Within it, call the yielded function with the bytes here and the bytes expected."""
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn

    with _bar(TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn()) as bar:
        task = bar.add_task(what, total=None, visible=False)

        def show(here: int, expected: int) -> None:
            bar.update(task, completed=here, total=expected, visible=True)

        yield show


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """Within it, call the yielded function with how many are done."""
    from rich.progress import MofNCompleteColumn, SpinnerColumn, TextColumn

    with _bar(SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn()) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done: bar.update(task, completed=done)


def _bar(*columns: ProgressColumn) -> Bar:
    """On standard error, and gone afterwards; nothing at all, not even an empty line, where that is no terminal."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    return Bar(*columns, console=console, transient=True, disable=not console.is_terminal)
