"""`python -m assistant` and the `assistant` command: the screen, or what the command line says."""

from __future__ import annotations

import sys

from assistant.errors import INTERRUPTED, AssistantError
from assistant.paths import user_folders

_SCREEN = {(): False, ("--continue",): True, ("-c",): True}
"""The usual starts of the screen, and whether they go on. They skip the command line, whose parser takes longer than a frame."""


def main() -> None:
    """Run the program; an error of ours ends as its sentence on standard error and its exit code."""
    try:
        sys.exit(_run(tuple(sys.argv[1:])))
    except AssistantError as problem:
        sys.stderr.write(f"assistant: {problem}\n")
        sys.exit(problem.exit_code)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception as fault:  # noqa: BLE001  # the last boundary: a fault of ours is a sentence and a file
        from assistant.faults import write_down

        sys.stderr.write(f"{write_down(fault, user_folders())}\n")
        sys.exit(1)


def _run(arguments: tuple[str, ...]) -> int:
    if arguments in _SCREEN:
        from assistant.commands.screen import show

        return show(user_folders(), go_on=_SCREEN[arguments])
    from assistant.cli import app

    app()
    return 0


if __name__ == "__main__":
    main()
