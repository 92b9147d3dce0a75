"""The `chat.…` actions that only look: copy, jump, scroll, unfold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assistant.tui.clipboard import copy
from assistant.tui.messages import Say
from assistant.tui.widgets.chat_log import ChatLog
from assistant.tui.widgets.composer import Composer

if TYPE_CHECKING:
    from textual.screen import Screen

_FENCE = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<code>.*?)(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)


def code_blocks(markdown: str) -> list[str]:
    """The fenced code blocks of a text, in order, without their fences; one that was cut off counts."""
    return [match["code"].rstrip("\n") for match in _FENCE.finditer(markdown)]


class Reading:
    def __init__(self, screen: Screen[None], log: ChatLog, composer: Composer) -> None:
        self._screen = screen
        self._log = log
        self._composer = composer
        self._copied = (0, 0)
        """Turn (by identity) and number of the code block that was copied last."""

    async def do_copy(self, _: str = "") -> None:
        turn = self._log.chosen
        await self._copy(turn.answer if turn else "", "There is no answer to copy.")

    async def do_copy_question(self, _: str = "") -> None:
        turn = self._log.chosen
        await self._copy(turn.question if turn else "", "There is no message to copy.")

    async def do_copy_code(self, argument: str = "") -> None:
        """Copy the code block of that number; without one the first, and at each repetition the next."""
        turn = self._log.chosen
        blocks = code_blocks(turn.answer) if turn else []
        if not blocks:
            self._say("There is no code block in that answer.")
            return
        before = self._copied[1] if self._copied[0] == id(turn) else 0
        number = int(argument) if argument.isdecimal() else before % len(blocks) + 1
        if not 1 <= number <= len(blocks):
            self._say(f"That answer has {len(blocks)} code blocks.")
            return
        self._copied = (id(turn), number)
        said = await copy(self._screen.app, blocks[number - 1])
        self._say(f"Code block {number} of {len(blocks)}: {said}")

    async def _copy(self, text: str, otherwise: str) -> None:
        self._say(await copy(self._screen.app, text) if text else otherwise)

    async def do_previous(self, _: str = "") -> None:
        await self._log.step(-1)

    async def do_next(self, _: str = "") -> None:
        if not await self._log.step(1):
            self._log.to_newest()
            self._composer.focus()

    def do_page_up(self, _: str = "") -> None:
        self._log.scroll_page_up(animate=False)

    def do_page_down(self, _: str = "") -> None:
        self._log.scroll_page_down(animate=False)

    def do_newest(self, _: str = "") -> None:
        self._log.to_newest()
        self._composer.focus()

    async def do_earlier(self, _: str = "") -> None:
        if not await self._log.load_earlier():
            self._log.scroll_home(animate=False)

    def do_thinking(self, _: str = "") -> None:
        turn = self._log.chosen
        if turn is None or not turn.toggle_thinking():
            self._say("There is no thinking to show for that answer.")

    def _say(self, text: str) -> None:
        self._screen.post_message(Say(text))
