"""Faults of the program itself: a trace for a report in the log folder, a sentence for the user."""

from __future__ import annotations

import traceback

from assistant.paths import Folders


def write_down(fault: BaseException, folders: Folders) -> str:
    """Put the trace of `fault`, without secrets, into the log folder; returns what to tell the user, with the trace where that failed."""
    from assistant.memory.redaction import mask

    file = folders.logs / "fault.log"
    trace = mask("".join(traceback.format_exception(fault))).text
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(trace, "utf-8", errors="backslashreplace")
    except OSError:
        return f"assistant: A fault in the program.\n{trace}"
    return f"assistant: A fault in the program. What happened is in {file}."
