"""What a program owes the terminal it runs in: to leave it clean however it ends, and to say in a sentence why."""

from __future__ import annotations

import asyncio
import signal
import sys

from rich.text import Text
from textual.app import App
from textual.driver import Driver

from assistant.faults import write_down
from assistant.paths import Folders

_SIGNALLED = 128
"""What shells add to the number of the signal that ended a program."""


class TerminalApp(App[None], inherit_bindings=False):
    """Ends by `do_quit` when it is told to by a signal; a fault is written down and told."""

    folders: Folders
    _leaving = False

    def get_driver_class(self) -> type[Driver]:
        usual = super().get_driver_class()
        if usual.__name__ != "LinuxDriver":  # a browser, another system
            return usual
        from assistant.tui.terminal_driver import TerminalDriver

        return TerminalDriver

    def on_mount(self) -> None:
        if sys.platform == "win32" or self.is_headless:
            return
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self._signalled, number)

    async def do_quit(self, _: str = "") -> None:
        """Keep what is under way, close what is open, leave."""
        raise NotImplementedError

    def do_suspend(self, _: str = "") -> None:
        """Back to the shell for a while; `fg` there comes back."""
        self.action_suspend_process()

    def _signalled(self, number: int) -> None:
        if not self._leaving:
            self._leaving = True
            self.run_worker(self._leave(_SIGNALLED + number))

    async def _leave(self, code: int) -> None:
        await self.do_quit()
        self.exit(return_code=code)

    def _fatal_error(self) -> None:
        """In the place of Textual's trace with the values of variables, which may be private."""
        fault = sys.exc_info()[1] or self._exception
        assert fault is not None
        self._exit_renderables.append(Text(write_down(fault, self.folders)))
        self._close_messages_no_wait()
