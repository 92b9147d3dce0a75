"""A progress bar on standard error, shown only when something is fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from assistant.models.catalogue import Progress


@contextmanager
def fetching(what: str) -> Iterator[Progress]:
    """Within it, call the yielded function with the bytes here and the bytes expected."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, visible=False)

        def show(here: int, expected: int) -> None:
            bar.update(task, completed=here, total=expected, visible=True)

        yield show


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """Within it, call the yielded function with how many are done."""
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done: bar.update(task, completed=done)
