"""Transcripts from elsewhere into the memory: each turn with its own time, once."""

from __future__ import annotations

from assistant.memory.importing.transcripts import Imported, import_transcripts

__all__ = ["Imported", "import_transcripts"]
