"""What a candidate does to the facts that are known: adds, changes, ends, or repeats; decided on the device."""

from __future__ import annotations

from assistant.memory.routing.router import Neighbour, OnDeviceRouter

__all__ = ["Neighbour", "OnDeviceRouter"]
