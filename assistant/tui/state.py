"""What the screen remembers between starts (panel layout, drafts, prompt history), as one JSON file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class ScreenState:
    """Values by name. Read once; written only when something changed, by an atomic rename."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._written = _read(path)
        self._values: dict[str, Any] = json.loads(self._written) if self._written else {}

    def get(self, name: str, default: Any = None) -> Any:
        """The value, plain JSON data; check its shape, the file is the user's."""
        return self._values.get(name, default)

    def put(self, name: str, value: Any) -> None:
        """Remember `value` (plain JSON data); None forgets the name. `save` writes it."""
        if value is None:
            self._values.pop(name, None)
        else:
            self._values[name] = value

    def save(self) -> bool:
        """Write the file, mode 0600, if anything differs from what it holds. True when it was written. Raises OSError."""
        text = _dump(self._values)
        if text == self._written or (not self._values and not self._written):
            return False
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix(".new")
        fresh.touch(mode=0o600)
        fresh.write_text(text, "utf-8")
        fresh.replace(self._path)
        self._written = text
        return True


def _dump(values: dict[str, Any]) -> str:
    return json.dumps(values, indent=1, sort_keys=True)


def _read(path: Path) -> str:
    """The file's values in the form they are written in, or "" where there is none that can be used."""
    try:
        values = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return ""
    return _dump(values) if isinstance(values, dict) else ""
