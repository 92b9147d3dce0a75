"""The open store: one writer thread that owns the writing connection, reader threads with cursors of their own.

Every write is one transaction and every read sees one snapshot. DuckDB's errors leave as sentences (faults.py).
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

import duckdb

from assistant.errors import StoreError
from assistant.memory.store import backup, faults, opening, schema, tally

Connection = duckdb.DuckDBPyConnection
T = TypeVar("T")

_READERS = 2
_LOG_LIMIT = 8 * 2**20
"""Bytes of log after which a checkpoint is made: half of what takes 0.8 s to replay at the next start."""


class Database:
    """The memory file, open. Made with `Database.open`; closed with `close`."""

    def __init__(self, path: Path, con: Connection, notices: list[str]) -> None:
        self.path = path
        self.notices = notices
        """What the user should be told of the opening, as sentences."""
        self._root = con
        self._writer = con.cursor()
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="store-writer")
        self._reading = ThreadPoolExecutor(_READERS, thread_name_prefix="store-reader")
        self._cursors: set[Connection] = set()
        self._idle = threading.Condition()
        self._generation = 0
        self._closed = False
        self._rewrite = False

    @classmethod
    def open(
        cls, path: Path, *, embedder: str, embedder_hash: str, dimension: int, reembed: bool = False
    ) -> Database:
        """Open, create or migrate the store at `path`. Blocking: about 25 ms, longer after a crash.

        `reembed` drops the vectors of another embedder instead of refusing. Raises StoreLockedError (with the holder's
        pid), StoreDamagedError, EmbedderMismatchError, or StoreError, each a sentence.
        """
        identity = schema.EmbedderIdentity(embedder, embedder_hash, dimension)
        prepare = partial(schema.prepare, path=path, embedder=identity, reembed=reembed)
        con, notices = opening.open_file(path, prepare)
        return cls(path, con, notices)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one transaction on the writer thread; any exception rolls it back and is raised here.

        Once called it is carried out, also when the awaiting task is cancelled. Raises StoreError.
        """
        self._need_open()
        return await asyncio.shield(
            asyncio.get_running_loop().run_in_executor(self._writing, self._transact, work)
        )

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on a reader thread, on one snapshot of the store. Cancelling the task stops the query. Raises StoreError."""
        return await self._on_reader(partial(_on_one_snapshot, work=work))

    async def backup(self, target: Path) -> None:
        """A compact copy of everything committed, at `target`, mode 0600, replacing an earlier one. Raises MemoryInputError, FileError, StoreError."""
        await self._on_reader(partial(backup.copy_to, target=target))

    async def purge(self) -> None:
        """What was erased leaves the log now, and the file's free blocks when the store is closed: it is then written anew."""
        self._need_open()
        self._rewrite = True
        await asyncio.get_running_loop().run_in_executor(self._writing, self._checkpoint)

    def close(self) -> None:
        """Finish what is being written, stop what is being read, and let go of the file. Harmless when closed already."""
        if self._closed:
            return
        self._closed = True
        self._writing.shutdown(wait=True)
        self._wait_for_readers()
        self._reading.shutdown(wait=True, cancel_futures=True)
        fresh = backup.fresh_copy(self._root, self.path) if self._rewrite else None
        self._writer.close()
        self._root.close()
        if fresh is not None:
            fresh.replace(self.path)
        if not opening.log_of(self.path).exists():
            tally.drop(self.path)

    # On the writer thread ---------------------------------------------------------------------------------------------

    def _transact(self, work: Callable[[Connection], T]) -> T:
        con = self._writer
        try:
            con.begin()
            result = work(con)
            con.commit()
        except duckdb.Error as problem:
            self._roll_back(problem)
            raise faults.sentence(problem, self.path) from problem
        except BaseException:
            self._roll_back()
            raise
        self._tend_log()
        return result

    def _roll_back(self, problem: duckdb.Error | None = None) -> None:
        if isinstance(problem, duckdb.FatalException):
            self._reopen(self._generation)
            return
        with suppress(duckdb.Error):  # the failure may have ended the transaction already
            self._writer.rollback()

    def _tend_log(self) -> None:
        """Keep the log private, counted, and short by a checkpoint; the commit before it is safe whatever happens here."""
        opening.keep_private(self.path)
        tally.keep(self._writer, self.path)
        log = opening.log_of(self.path)
        with suppress(FileNotFoundError):
            if log.stat().st_size >= _LOG_LIMIT:
                self._checkpoint()

    def _checkpoint(self) -> None:
        try:
            self._writer.execute("CHECKPOINT").fetchall()
        except duckdb.FatalException:
            self._reopen(self._generation)
        except duckdb.Error:
            pass  # a reader is in the way, or the disk is full: a later commit tries again

    def _reopen(self, generation: int) -> None:
        """DuckDB closes itself after a failed checkpoint; nothing committed is lost. Does nothing if it was done already."""
        if generation != self._generation:
            return
        self._wait_for_readers()
        self._writer.close()
        self._root.close()
        try:
            self._root = opening.connect(self.path)
        except duckdb.Error as problem:
            raise faults.sentence(problem, self.path) from problem
        self._writer = self._root.cursor()
        self._generation += 1

    def _need_open(self) -> None:
        if self._closed:
            raise StoreError("The memory is closed.")

    # On reader threads ------------------------------------------------------------------------------------------------

    async def _on_reader(self, work: Callable[[Connection], T]) -> T:
        self._need_open()
        reading = _Reading(self._with_cursor, work)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reading, reading.run)
        except asyncio.CancelledError:
            reading.stop()
            raise

    def _with_cursor(self, work: Callable[[Connection], T]) -> T:
        """`work` with a cursor of its own; once more on a fresh one when DuckDB had closed itself."""
        for last in (False, True):
            generation = self._generation
            try:
                with self._cursor() as con:
                    return work(con)
            except duckdb.FatalException as problem:
                if last:
                    raise faults.sentence(problem, self.path) from problem
            except duckdb.Error as problem:
                raise faults.sentence(problem, self.path) from problem
            self._writing.submit(self._reopen, generation).result()
        raise AssertionError("the second attempt returns or raises")

    @contextmanager
    def _cursor(self) -> Iterator[Connection]:
        with self._idle:
            con = self._root.cursor()
            self._cursors.add(con)
        try:
            yield con
        finally:
            with (
                self._idle
            ):  # closed and gone at once: what waits for readers interrupts those that are there
                con.close()
                self._cursors.discard(con)
                self._idle.notify_all()

    def _wait_for_readers(self) -> None:
        with self._idle:
            for con in self._cursors:
                con.interrupt()
            self._idle.wait_for(lambda: not self._cursors)


class _Reading(Generic[T]):
    """One call on a reader thread that can be stopped from the event loop, before or while it runs."""

    def __init__(
        self, lend: Callable[[Callable[[Connection], T]], T], work: Callable[[Connection], T]
    ) -> None:
        self._lend = lend
        self._work = work
        self._con: Connection | None = None
        self._stopped = False

    def run(self) -> T:
        return self._lend(self._start)

    def stop(self) -> None:
        self._stopped = True
        if self._con is not None:
            with suppress(duckdb.Error):  # it may have ended this very moment
                self._con.interrupt()

    def _start(self, con: Connection) -> T:
        self._con = con
        if self._stopped:
            raise StoreError("The search in the memory was stopped.")
        return self._work(con)


def _on_one_snapshot(con: Connection, work: Callable[[Connection], T]) -> T:
    con.execute("BEGIN TRANSACTION READ ONLY")
    try:
        return work(con)
    finally:
        with suppress(duckdb.Error):  # a failed query has ended it already
            con.rollback()
