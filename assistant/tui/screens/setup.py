"""First start: what should answer? Each offer has a number key; each is tried before it is saved."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, ProgressBar, Static
from textual.widgets.option_list import Option

from assistant.errors import AssistantError
from assistant.paths import Folders
from assistant.text import clean_text

if TYPE_CHECKING:
    from assistant.setup import Offer

_WORDS = (
    "What should answer? The memory works with each of these, and you can change it at any time with /setup."
)
_HINT = "A number key or Enter chooses · Esc later, memory alone answers until then"


class SetupScreen(ModalScreen[str | None]):
    """Dismisses with the sentence that says what answers now, or None when nothing was chosen."""

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Later"),
        *(Binding(str(number), f"choose({number - 1})", show=False) for number in range(1, 10)),
        Binding("j", "move(1)", show=False),
        Binding("k", "move(-1)", show=False),
    ]

    def __init__(self, folders: Folders) -> None:
        super().__init__()
        self._folders = folders
        self._offers: list[Offer] = []
        self._busy = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = "What answers"
            yield Static(_WORDS, markup=False, classes="words")
            yield OptionList(
                Option(Text("Looking at this machine…"), disabled=True), id="offers", markup=False
            )
            yield Input(placeholder="Address, e.g. http://localhost:8080/v1", id="address")
            yield Input(placeholder="Model name (empty: the server's first)", id="model-name")
            yield Input(
                placeholder="Key, if it needs one (kept in the system keyring)", password=True, id="key"
            )
            yield ProgressBar(id="progress", show_eta=False)
            yield Static(markup=False, id="said")
            yield Static(_HINT, markup=False, classes="hint")

    def on_mount(self) -> None:
        for name in ("#address", "#model-name", "#key", "#progress"):
            self.query_one(name).display = False
        self._look()

    @work
    async def _look(self) -> None:
        from assistant.setup import offers

        self._offers = await offers(self._folders)
        rows = self.query_one("#offers", OptionList)
        rows.clear_options()
        rows.add_options([_row(number, offer) for number, offer in enumerate(self._offers, 1)])
        rows.highlighted = next((place for place, offer in enumerate(self._offers) if offer.usable), 0)
        rows.focus()

    # Choosing -----------------------------------------------------------------------------------------------------------

    @on(OptionList.OptionSelected)
    def _selected(self, message: OptionList.OptionSelected) -> None:
        self.action_choose(message.option_index)

    def action_choose(self, place: int) -> None:
        from assistant.setup import Way

        if self._busy or place >= len(self._offers) or not self._offers[place].usable:
            return
        offer = self._offers[place]
        if offer.way is Way.ADDRESS:
            for name in ("#address", "#model-name", "#key"):
                self.query_one(name).display = True
            self.query_one("#address").focus()
        else:
            self._use(offer)

    @on(Input.Submitted)
    def _address_given(self) -> None:
        address, name, key = (
            self.query_one(f"#{field}", Input).value.strip() for field in ("address", "model-name", "key")
        )
        if address and not self._busy:
            self._use_address(address, name, key)

    @work(exclusive=True, group="use")
    async def _use(self, offer: Offer) -> None:
        from assistant.setup import use_offer

        self._begin(f"Trying {offer.title}…")
        try:
            said = await use_offer(self._folders, offer, self._progress)
        except AssistantError as problem:
            self._failed(problem)
        else:
            self.dismiss(said)

    @work(exclusive=True, group="use")
    async def _use_address(self, address: str, name: str, key: str) -> None:
        from assistant.setup import use_server

        self._begin(f"Trying {address}…")
        try:
            said = await use_server(self._folders, address, name, key=key)
        except AssistantError as problem:
            self._failed(problem)
        else:
            self.dismiss(said)

    # What is shown ------------------------------------------------------------------------------------------------------

    def _begin(self, words: str) -> None:
        self._busy = True
        self._say(words)

    def _failed(self, problem: AssistantError) -> None:
        self._busy = False
        self.query_one("#progress").display = False
        self._say(f"✗ {problem} Nothing was changed.")

    def _progress(self, here: int, expected: int) -> None:
        bar = self.query_one("#progress", ProgressBar)
        bar.display = True
        bar.update(total=expected, progress=here)
        self._say(f"Fetching: {here / 1e6:.0f} of {expected / 1e6:.0f} MB")

    def _say(self, words: str) -> None:
        self.query_one("#said", Static).update(Text(clean_text(words)))

    def action_move(self, step: int) -> None:
        rows = self.query_one("#offers", OptionList)
        (rows.action_cursor_down if step > 0 else rows.action_cursor_up)()

    async def action_leave(self) -> None:
        """Back from the address fields, out of a running trial, or out of the setup."""
        if self._busy:
            self.workers.cancel_group(self, "use")
            await asyncio.sleep(0)
            self._busy = False
            self._say("Stopped; nothing was changed.")
        elif self.query_one("#address").display:
            for name in ("#address", "#model-name", "#key"):
                self.query_one(name).display = False
            self.query_one("#offers").focus()
        else:
            self.dismiss(None)


def _row(number: int, offer: Offer) -> Option:
    title = (f"{number}  {clean_text(offer.title)}", "bold")
    return Option(Text.assemble(title, f"\n   {clean_text(offer.note)}"), disabled=not offer.usable)
