"""The `memory.…` actions of the chat: show the panels, remember a sentence, keep advice as a judgment, undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.memory.records import JudgmentDraft
from assistant.text import clean_text, one_line
from assistant.tui.messages import Say

if TYPE_CHECKING:
    from assistant.tui.screens.main import MainScreen

_TRIGGER, _JUDGMENT = 300, 600
"""Characters that are taken over from a message; the window that opens lets the user put it better."""


class Keeping:
    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen

    def do_focus(self, _: str = "") -> None:
        self._screen.focus_panels()

    def do_toggle(self, _: str = "") -> None:
        self._screen.toggle_panels()

    async def do_remember(self, text: str = "") -> None:
        """Add a fact by hand."""
        if (memory := self._screen.memory) is None or not text.strip():
            self._screen.begin_command("remember")
            self._say("Say what to remember: /remember I prefer short answers")
            return
        entry = await memory.facts.add(clean_text(text))
        await self._changed(f"Remembered: {entry.summary}")

    async def do_judge(self, _: str = "") -> None:
        """Keep the advice of an answer as a judgment, and open it so that it can be put in better words."""
        turn, memory = self._screen.log_view.chosen, self._screen.memory
        session = self._screen.flow.session
        if turn is None or turn.episode is None or not turn.answer or memory is None:
            self._say("There is no answer to keep as a judgment.")
            return
        if session is not None and session.private:
            self._say("Nothing of a private conversation is kept.")
            return
        draft = JudgmentDraft(one_line(turn.question, _TRIGGER), one_line(turn.answer, _JUDGMENT))
        entry = await memory.judgments.add(draft, episode=turn.episode.id)
        await self._changed(f"Kept as a judgment: {entry.summary}")
        if entry.subject_id is not None:
            await self.do_open_judgment(str(entry.subject_id))

    async def do_open_fact(self, number: str) -> None:
        from assistant.tui.screens.fact import FactScreen

        if (memory := self._screen.memory) is not None:
            self._screen.app.push_screen(
                FactScreen(memory, await memory.facts.get(int(number))), self._edited
            )

    async def do_open_judgment(self, number: str) -> None:
        from assistant.tui.screens.judgment import JudgmentScreen

        if (memory := self._screen.memory) is not None:
            judgment = await memory.judgments.get(int(number))
            self._screen.app.push_screen(JudgmentScreen(memory, judgment), self._edited)

    async def do_undo(self, _: str = "") -> None:
        """Take back the newest change to the memory."""
        if (memory := self._screen.memory) is not None:
            entry = await memory.undo()
            await self._changed(f"Undone: {entry.summary}")

    async def _edited(self, _: object) -> None:
        await self._screen.panels.refresh_records()

    async def _changed(self, words: str) -> None:
        self._say(words)
        await self._screen.panels.refresh_records()

    def _say(self, text: str) -> None:
        self._screen.post_message(Say(text))
