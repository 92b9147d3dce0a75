"""What a program owes the terminal it runs in: to leave it clean however it ends, and to say in a sentence why."""

from __future__ import annotations

import asyncio
import signal
import sys

from rich.text import Text
from textual import events, on
from textual.app import App
from textual.driver import Driver
from textual.widgets import Input, TextArea

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

    @on(Driver.SignalResume)
    def _redraw(self) -> None:
        """After a suspension the terminal holds what the shell left on it."""
        self.screen.refresh()

    async def do_quit(self, _: str = "") -> None:
        """Keep what is under way, close what is open, leave."""
        raise NotImplementedError

    async def on_event(self, event: events.Event) -> None:
        """A key that a text field itself has a use for is its next message, behind the letters before it.

        Textual lets such a key climb from the field to the program first, past the letters that were typed after it.
        """
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self.screen._mounted_event.wait()  # noqa: SLF001 - what is typed while a screen is made is for it
        field = self.focused if isinstance(event, events.Key) and not event.is_forwarded else None
        if (
            isinstance(event, events.Key)
            and isinstance(field, Input | TextArea)
            and (action := _own_action(field, event))
        ):
            if not await self._check_bindings(event.key, priority=True):
                field.call_later(self._in_field, field, event, action)
        else:
            await super().on_event(event)

    async def _in_field(self, field: Input | TextArea, event: events.Key, action: str) -> None:
        await field._on_key(event)  # noqa: SLF001 - as Textual would, but from here
        if not event._no_default_action:  # noqa: SLF001
            await self.run_action(action, field)

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


def _own_action(field: Input | TextArea, event: events.Key) -> str:
    """What the field does on that key, if anything."""
    own = () if event.is_printable else field._bindings.key_to_bindings.get(event.key, ())  # noqa: SLF001
    return next((binding.action for binding in own if not binding.priority), "")
