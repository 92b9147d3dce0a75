"""The stand-in server beside a test that is not asynchronous: it runs on a loop in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.stubs.server import Reply, StubServer


@contextmanager
def serving(*replies: Reply) -> Iterator[StubServer]:
    """A running server that gives these replies to the next chats."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="stub-server")
    thread.start()
    server = StubServer()
    server.will(*replies)
    try:
        asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result()
        yield server
        asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
