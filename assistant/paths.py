"""Where things are: config, data, cache and log folders of the user, and the files that ship with the program."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

APP = "assistant"


@dataclass(frozen=True, slots=True)
class Folders:
    """The user's folders. Nothing is created until something is written."""

    config: Path
    data: Path
    cache: Path
    logs: Path

    @property
    def config_file(self) -> Path:
        return self.config / "config.toml"

    @property
    def themes(self) -> Path:
        """The user's own theme files."""
        return self.config / "themes"

    @property
    def store(self) -> Path:
        return self.data / "memory.duckdb"

    @property
    def models(self) -> Path:
        """Model files fetched on request."""
        return self.data / "models"

    @property
    def screen_state(self) -> Path:
        """Drafts, panel layout, prompt history: what the screen remembers between starts."""
        return self.data / "screen.json"


def user_folders(home: Path | None = None) -> Folders:
    """The platform's usual folders, or those under `home` (`ASSISTANT_HOME`, or `--home`)."""
    root = home or (Path(os.environ["ASSISTANT_HOME"]) if os.environ.get("ASSISTANT_HOME") else None)
    if root is not None:
        root = root.expanduser().absolute()
        return Folders(root / "config", root / "data", root / "cache", root / "logs")
    dirs = platformdirs.PlatformDirs(APP, appauthor=False)
    return Folders(dirs.user_config_path, dirs.user_data_path, dirs.user_cache_path, dirs.user_log_path)


def shipped(*parts: str) -> Path:
    """A file or folder that ships with the program, in a wheel or in a checkout: `shipped("data", "tokenizer")`."""
    package = Path(__file__).resolve().parent
    installed = package / "_shipped"
    return (installed if installed.is_dir() else package.parent).joinpath(*parts)
