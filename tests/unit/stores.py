"""Stores for the tests of opening, damage, transactions and backups: opened, written to, and crashed."""

from __future__ import annotations

import signal
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

from assistant.memory.store.database import Connection, Database

EMBEDDER = {"embedder": "test", "embedder_hash": "0" * 64, "dimension": 4}


def open_store(path: Path, **changes: object) -> Database:
    return Database.open(path, **{**EMBEDDER, **changes})  # type: ignore[arg-type]


def add_conversation(con: Connection, title: str = "a title") -> None:
    con.execute(
        "INSERT INTO conversations (title, created, updated) VALUES (?, now()::TIMESTAMP, now()::TIMESTAMP)",
        [title],
    )


def titles(con: Connection) -> list[str]:
    return [title for (title,) in con.execute("SELECT title FROM conversations ORDER BY id").fetchall()]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


ADD_TITLE = (
    "INSERT INTO conversations (title, created, updated) VALUES (?, now()::TIMESTAMP, now()::TIMESTAMP)"
)
ADD_TURN = (
    "INSERT INTO episodes (conversation, user_text, said, state) VALUES (1, ?, now()::TIMESTAMP, 'open')"
)


def write_turns_and_crash(path: Path, turns: int) -> None:
    write_and_crash(path, turns, sql=ADD_TURN)


def write_and_crash(path: Path, rows: int, sql: str = ADD_TITLE) -> None:
    """A child process commits `rows` conversations and dies in the middle of another transaction, without closing."""
    program = f"""
        import asyncio, os, signal
        from pathlib import Path
        from assistant.memory.store.database import Database
        async def main():
            store = Database.open(Path({str(path)!r}), embedder="test", embedder_hash="0" * 64, dimension=4)
            sql = {sql!r}
            for number in range({rows}):
                await store.write(lambda con: con.execute(sql, [f"title {{number}}"]).fetchall())
            def die(con):
                con.execute(sql, ["never committed"])
                os.kill(os.getpid(), signal.SIGKILL)
            await store.write(die)
        asyncio.run(main())
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


def flip_a_bit(path: Path, position: int) -> None:
    content = bytearray(path.read_bytes())
    content[position] ^= 1
    path.write_bytes(content)
