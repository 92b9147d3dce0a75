"""First start: what should answer? Each offer has a number key; each is tried before it is saved."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, ProgressBar, Static
from textual.widgets.option_list import Option

from assistant.errors import AssistantError
from assistant.paths import Folders
from assistant.text import clean_text
from assistant.tui.actions import FORM_KEYS

if TYPE_CHECKING:
    from assistant.setup import Offer

_WORDS = (
    "What should answer? The memory works with each of these, and you can change it at any time with /setup."
)
_FIELDS = {
    "address": "Address, e.g. http://localhost:8080/v1",
    "model-name": "Model name (empty: the server's first)",
    "key": "Key, if it needs one (kept in the system keyring)",
    "key-env": "or the environment variable that holds the key",
}
"""What is asked about a server, by the id of its field."""
_COMMAND = re.compile(r"[^.?!]*`assistant setup[^`]*`[^.?!]*[.?!]")
"""A sentence that sends one to the setup."""
_FIELDS_HINT = "Tab goes to the next field · Enter tries the server · Esc back"
_HINT = Content.from_markup(
    "A number key or Enter chooses · [@click=app.do('app.tour')]t takes the tour first[/]"
    " · Esc later, memory alone answers until then"
)


class SetupScreen(ModalScreen[str | None]):
    """Dismisses with the sentence that says what answers now, or None when nothing was chosen."""

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Later"),
        *FORM_KEYS,
        Binding("enter", "choose_highlighted", show=False, priority=True),
        *(
            Binding(str(number), f"choose({number - 1})", show=False, priority=True)
            for number in range(1, 10)
        ),
        Binding("t", "app.do('app.tour')", "Take the tour"),
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
            for field, what in _FIELDS.items():
                yield Input(
                    placeholder=what, password=field == "key", id=field, compact=True, classes="field"
                )
            yield ProgressBar(id="progress", show_eta=False)
            yield Static(markup=False, id="said")
            yield Static(markup=False, id="hint", classes="hint")

    def on_mount(self) -> None:
        self._show_fields(shown=False)
        self.query_one("#progress").display = False
        self._look()

    @work
    async def _look(self) -> None:
        from assistant.setup import offers

        self._offers = await offers(self._folders)
        rows = self.query_one("#offers", OptionList)
        rows.clear_options()
        rows.add_options([_row(number, offer) for number, offer in enumerate(self._offers, 1)])
        rows.highlighted = next((place for place, offer in enumerate(self._offers) if offer.usable), 0)
        self.set_focus(rows)

    # Choosing -----------------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's signature
        """While the address is written, digits and Enter are the fields'."""
        return action not in {"choose", "choose_highlighted"} or not self.query_one("#address").display

    @on(OptionList.OptionSelected)
    def _selected(self, message: OptionList.OptionSelected) -> None:
        self.action_choose(message.option_index)

    def action_choose_highlighted(self) -> None:
        self.query_one("#offers", OptionList).action_select()

    def action_choose(self, place: int) -> None:
        from assistant.setup import Way

        if self._busy or place >= len(self._offers) or not self._offers[place].usable:
            return
        offer = self._offers[place]
        if offer.way is Way.ADDRESS:
            self._show_fields(shown=True)
        else:
            self._use(offer)

    def _show_fields(self, *, shown: bool) -> None:
        """Show the fields of an address or the offers, and go there at once: what is typed next must not go astray."""
        for field in _FIELDS:
            self.query_one(f"#{field}").display = shown
        self.query_one("#offers").display = not shown
        self.query_one("#hint", Static).update(_FIELDS_HINT if shown else _HINT)
        self.set_focus(self.query_one("#address" if shown else "#offers"))

    @on(Input.Submitted)
    def _address_given(self) -> None:
        address, name, key, key_env = (self.query_one(f"#{field}", Input).value.strip() for field in _FIELDS)
        if key and key_env:
            self._say("✗ Give the key or the variable that holds it, not both.")
        elif address and not self._busy:
            self._use_address(address, name, key, key_env.removeprefix("$"))

    @on(Input.Changed)
    @on(OptionList.OptionHighlighted)
    def _changed_mind(self) -> None:
        """What was said of an earlier try holds no longer."""
        if not self._busy:
            self._say("")

    @work(exclusive=True, group="use")
    async def _use(self, offer: Offer) -> None:
        from assistant.setup import use_offer

        self._begin(f"Trying {offer.title}…")
        try:
            said = await use_offer(self._folders, offer, self._progress)
        except AssistantError as problem:
            self._failed(problem)
        else:
            self.dismiss(_COMMAND.sub("", said))

    @work(exclusive=True, group="use")
    async def _use_address(self, address: str, name: str, key: str, key_env: str) -> None:
        from assistant.setup import use_server

        self._begin(f"Trying {address}…")
        try:
            said = await use_server(self._folders, address, name, key=key, key_env=key_env)
        except AssistantError as problem:
            self._failed(problem)
        else:
            self.dismiss(_COMMAND.sub("", said))

    # What is shown ------------------------------------------------------------------------------------------------------

    def _begin(self, words: str) -> None:
        self._busy = True
        self._say(words)

    def _failed(self, problem: AssistantError) -> None:
        self._busy = False
        self.query_one("#progress").display = False
        self._say(f"✗ {_COMMAND.sub('', str(problem))} Nothing was changed.")

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
            self._say("")
            self._show_fields(shown=False)
        else:
            self.dismiss(None)


def _row(number: int, offer: Offer) -> Option:
    title = (f"{number}  {clean_text(offer.title)}", "bold")
    return Option(Text.assemble(title, f"\n   {clean_text(offer.note)}"), disabled=not offer.usable)
