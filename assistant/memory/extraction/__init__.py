"""A turn -> candidate facts, read from the user's words alone and decided on the device."""

from __future__ import annotations

from assistant.memory.extraction.extractor import Extraction, OnDeviceExtractor

__all__ = ["Extraction", "OnDeviceExtractor"]
