"""One start of a screen, measured from inside its own process: `python -m assistant.evaluation.first_frame WHICH HOME`.

WHICH is `bare`, a plain Textual program with the same widgets, or `assistant`. Prints one JSON object: when the first frame was
painted (clock, CPU, packages imported by then) and, for the assistant, the first answer to a question that was typed at once.
The question is answered by a script; the client that would ask a server is loaded all the same.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import App
from textual.pilot import Pilot

from assistant.evaluation.terminal import SIZE, MeasuredTerminal, terminal_of

if TYPE_CHECKING:
    from assistant.config import Settings
    from assistant.memory.ports import ChatModel

_HINT = "rite a message"
"""Shows that the message field is painted; the cursor stands on the letter before."""
_QUESTION = "Could you help me with my garden?"
_ANSWER = "Certainly-and-gladly."


def reading() -> dict[str, Any]:
    """Now: the machine's monotonic clock, this process's CPU (both in seconds), and the packages that are imported."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    packages = sorted({name.partition(".")[0] for name in list(sys.modules)})
    return {"clock": monotonic(), "cpu": used.ru_utime + used.ru_stime, "packages": packages}


class _Starting(MeasuredTerminal):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.first_frame = self.painted(lambda frame: _HINT in frame, reading)
        self.first_answer = self.painted(lambda frame: _ANSWER in frame, reading)


def start(app: App[None], *, ask: bool) -> dict[str, Any]:
    """Run `app` until its first frame, or with `ask` until its first answer; a reading of each."""
    found: dict[str, Any] = {}
    app.driver_class = _Starting

    async def watch(pilot: Pilot[object]) -> None:
        terminal = terminal_of(pilot.app)
        assert isinstance(terminal, _Starting)
        found["first_frame"] = await terminal.before_it_stops(terminal.first_frame)
        if ask:
            terminal.process_message(events.Paste(_QUESTION))
            terminal.process_message(events.Key("enter", "\r"))
            found["first_answer"] = await terminal.before_it_stops(terminal.first_answer)
        pilot.app.exit()

    app.run(size=SIZE, auto_pilot=watch)
    return found


def bare() -> App[None]:
    from assistant.evaluation.bare_app import BareApp

    return BareApp()


def assistant(home: Path) -> App[None]:
    """The program as `assistant` builds it, with a server as its model."""
    import assistant.__main__  # noqa: F401  # where a start of the program begins
    from assistant.assembly import open_memory
    from assistant.commands.screen import open_model
    from assistant.config import ModelKind, ModelSettings, load_settings
    from assistant.evaluation.scripted import Scripted
    from assistant.paths import user_folders
    from assistant.tui.app import AssistantApp

    folders = user_folders(home)
    server = ModelSettings(kind=ModelKind.SERVER, base_url="http://127.0.0.1:9/v1")
    settings = replace(load_settings(folders.config_file), model=server)

    @asynccontextmanager
    async def scripted(settings: Settings) -> AsyncIterator[ChatModel | None]:
        async with open_model(settings, folders):
            yield Scripted([_ANSWER])

    return AssistantApp(
        settings, folders, open_memory=lambda: open_memory(settings, folders), open_model=scripted
    )


def main(which: str, home: str) -> None:
    found = start(bare(), ask=False) if which == "bare" else start(assistant(Path(home)), ask=True)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
