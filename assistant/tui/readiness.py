"""Memory and model as they arrive after the first paint, and when another model is chosen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from assistant.config import ModelKind
from assistant.tui.messages import ModelOpened
from assistant.tui.widgets.header import Phase

if TYPE_CHECKING:
    from assistant.memory.engine import MemoryEngine
    from assistant.memory.ports import ChatModel
    from assistant.tui.screens.main import MainScreen

_QUIET, _LOOK = 3.0, 0.5
"""Seconds of quiet before the probe asks the model anything, and between looks whether it is quiet."""


class Readiness:
    """Opens the first conversation when both are there. `connect` opens a model (see MainScreen); ModelOpened follows."""

    def __init__(self, screen: MainScreen, connect: Callable[[str], None], *, go_on: bool) -> None:
        self.memory: MemoryEngine | None = None
        self.model: ChatModel | None = None
        self._model_known = False
        self._name = ""
        self._screen = screen
        self._connect = connect
        self._go_on = go_on

    @property
    def phase(self) -> Phase:
        if self.memory is None:
            return Phase.OPENING
        if not self._model_known:
            return Phase.LOADING
        return Phase.ANSWERING if self._screen.flow.running else Phase.READY

    async def memory_opened(self, memory: MemoryEngine) -> None:
        self.memory = memory
        if self._model_known:
            await memory.connect(self.model)
        await self._begin()

    async def model_opened(self, opened: ModelOpened) -> None:
        flow, status = self._screen.flow, self._screen.status
        self.model, self._model_known, flow.held = opened.model, True, False
        if opened.problem:
            status.say(f"{opened.problem} Until then memory alone answers.", "error")
        if flow.session is not None:
            flow.session.model = opened.model
        if self.memory is not None:
            await self.memory.connect(opened.model)
        await self._begin()
        flow.pump()

    def connect(self, name: str = "") -> None:
        """Open the model of the settings, or of the same server the one named; messages wait until it is there."""
        self._model_known, self._name, self._screen.flow.held = False, name, True
        self._screen.show_phase()
        self._connect(name)

    def connect_for(self, name: str) -> None:
        """Change the model only where another conversation wants another one."""
        if name != self._name:
            self.connect(name)

    async def models(self) -> list[str]:
        """Names of the models that the connected server has; none where it is not a server, or it does not answer."""
        from assistant.errors import ModelError
        from assistant.models.chat import OpenAIChat

        if self._screen.settings.model.kind is not ModelKind.SERVER or not isinstance(self.model, OpenAIChat):
            return []
        try:
            return await self.model.list_models()
        except ModelError:
            return []

    async def _probe(self, memory: MemoryEngine, model: ChatModel) -> None:
        """Find out once, while nobody waits for an answer, which memory decisions this model makes better than the device."""
        if await memory.aptitudes():
            return
        found = await memory.probe(self._nobody_waits)
        better = ", ".join(score.matter.value for score in found if score.trusted)
        said = (
            f"{model.name} decides from now on: {better}"
            if better
            else f"{model.name} decides none of them better"
        )
        self._screen.status.say(
            f"Memory decisions were tried with the model: {said}. `assistant models probe` repeats it."
        )

    async def _nobody_waits(self) -> None:
        """Returns when the user has neither asked nor begun to write anything for a while."""
        quiet = 0.0
        while quiet < _QUIET:
            await asyncio.sleep(_LOOK)
            busy = self._screen.flow.running is not None or bool(self._screen.composer.text)
            quiet = 0.0 if busy else quiet + _LOOK

    async def _begin(self) -> None:
        self._screen.show_phase()
        if self.memory is not None and self.model is not None and self._screen.settings.memory.ask_model:
            self._screen.run_worker(
                self._probe(self.memory, self.model), group="probe", exclusive=True, exit_on_error=False
            )
        if self.memory is not None and self._model_known and self._screen.flow.session is None:
            await self._screen.desk.show(await self.memory.conversations.newest() if self._go_on else None)
