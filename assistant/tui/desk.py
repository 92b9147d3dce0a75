"""Which conversation is open, and the `conversation.…` actions: new, private, open, rename, pin, archive, delete, export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.config import ModelKind
from assistant.errors import UnknownIdError
from assistant.memory.records import Conversation, Subject
from assistant.text import clean_text, one_line
from assistant.tui.messages import Say

if TYPE_CHECKING:
    from assistant.conversation.turn import Session
    from assistant.tui.screens.conversations import Chosen
    from assistant.tui.screens.main import MainScreen

_TITLE = 120
"""Characters of the longest title."""


class Desk:
    """Opens sessions and hands them to the screen. Without memory (it is still being opened) actions say so."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen

    @property
    def session(self) -> Session | None:
        return self._screen.flow.session

    # Opening ----------------------------------------------------------------------------------------------------------

    async def show(
        self, conversation: Conversation | None = None, *, private: bool = False, at: int | None = None
    ) -> None:
        """Open a conversation (None: a new one), at the turn `at` where one is named."""
        from assistant.conversation.turn import Session

        memory = self._screen.memory
        if memory is None:
            self._say("The memory is still being opened.")
            return
        session = self._screen.flow.under_way(conversation.id) if conversation else None
        if session is None or (at is not None and at not in {turn.id for turn in session.turns}):
            session = Session(
                memory, self._screen.model, self._screen.settings, conversation=conversation, private=private
            )
            await session.load()
        await self._screen.take_session(session, at=at)

    async def show_number(self, number: int, at: int | None = None) -> None:
        """Open a conversation by its id; a turn on another branch brings that branch up."""
        if (memory := self._screen.memory) is None:
            return
        if at is not None and at not in {turn.id for turn in await memory.conversations.branch(number)}:
            await memory.conversations.show_branch(at)
        await self.show(await memory.conversations.get(number), at=at)

    async def do_new(self, _: str = "") -> None:
        await self.show()

    async def do_private(self, _: str = "") -> None:
        await self.show(private=True)
        self._say("A private conversation: nothing of it is remembered, and it is gone when you leave it.")

    async def do_open(self, query: str = "") -> None:
        from assistant.tui.screens.conversations import ConversationsScreen

        if (memory := self._screen.memory) is None:
            self._say("The memory is still being opened.")
            return
        here = self.session.conversation.id if self.session and self.session.conversation else None
        shown = ConversationsScreen(
            memory, self._screen.keys, query, here=here, answering=self._screen.flow.answering_in
        )
        self._screen.app.push_screen(shown, self._chosen)

    async def _chosen(self, chosen: Chosen | None) -> None:
        """Open what was chosen in the list; the open one may have been renamed there, or deleted."""
        if chosen is not None:
            await self.show_number(chosen.conversation, chosen.episode)
            return
        try:
            await self._reread()
        except UnknownIdError:
            await self.show()

    # The conversation that is open ------------------------------------------------------------------------------------

    async def take_title(self) -> None:
        """Show the name that a new conversation was given when its first message was recorded."""
        if self.session is not None and self.session.conversation and not self.session.conversation.title:
            await self._reread()

    async def do_rename(self, title: str = "") -> None:
        conversation = self._open_one()
        if conversation is None or (memory := self._screen.memory) is None:
            return
        title = one_line(clean_text(title), _TITLE)
        if not title:
            self._screen.begin_command("title", conversation.title)
            return
        await memory.conversations.rename(conversation.id, title)
        await self._reread()

    async def do_pin(self, _: str = "") -> None:
        conversation = self._open_one()
        if conversation is None or (memory := self._screen.memory) is None:
            return
        await memory.conversations.pin(conversation.id, not conversation.pinned)
        await self._reread()
        self._say("Unpinned." if conversation.pinned else "Pinned: it stays at the top of the list.")

    async def do_archive(self, _: str = "") -> None:
        conversation = self._open_one()
        if conversation is None or (memory := self._screen.memory) is None:
            return
        await memory.conversations.archive(conversation.id)
        self._say(f"Archived “{conversation.name}”. The list shows archived ones on request.")
        await self.show()

    async def do_delete(self, _: str = "") -> None:
        conversation = self._open_one()
        if conversation is None or (memory := self._screen.memory) is None:
            return
        await memory.conversations.delete(conversation.id)
        self._say(f"Deleted “{conversation.name}”. /undelete brings it back.")
        await self.show()

    async def do_undelete(self, _: str = "") -> None:
        """Bring back the conversation that was deleted last, here, in the list or before the last start."""
        if (memory := self._screen.memory) is None:
            self._say("The memory is still being opened.")
            return
        changes = await memory.journal.list(subject=Subject.CONVERSATION)
        deleted = (each for each in changes if each.action == "conversation.delete" and each.undoable)
        if (entry := next(deleted, None)) is None or entry.subject_id is None:
            self._say("No deleted conversation can be brought back.")
            return
        await memory.undo(entry.id)
        await self.show_number(entry.subject_id)

    # Settings of this conversation alone ------------------------------------------------------------------------------

    async def do_instructions(self, text: str = "") -> None:
        conversation = await self._to_set_up()
        if conversation is None or (memory := self._screen.memory) is None:
            return
        if not text:
            self._screen.begin_command("system", conversation.instructions)
            return
        await memory.conversations.configure(conversation.id, instructions=clean_text(text))
        await self._reread()
        self._say("Instructions kept for this conversation.")

    async def do_temperature(self, text: str = "") -> None:
        conversation = await self._to_set_up()
        if conversation is None or (memory := self._screen.memory) is None:
            return
        try:
            value = float(text)
        except ValueError:
            value = -1
        if not 0 <= value <= 2:
            self._screen.begin_command("temperature")
            self._say("The temperature is a number from 0 (same answer each time) to 2: /temperature 0.7")
            return
        await memory.conversations.configure(conversation.id, temperature=value)
        await self._reread()
        self._say(f"Temperature {value:g} in this conversation.")

    async def do_model(self, name: str = "") -> None:
        """Another model of the same server, for this conversation; "-" goes back to the configured one."""
        conversation = await self._to_set_up()
        if conversation is None or (memory := self._screen.memory) is None:
            return
        if self._screen.settings.model.kind is not ModelKind.SERVER or not name:
            if self._screen.settings.model.kind is ModelKind.SERVER:
                self._screen.begin_command("model")
            self._say(
                "Name a model of the connected server: /model llama3 (or /model - for the usual one). /setup connects another server."
            )
            return
        await memory.conversations.configure(conversation.id, model="" if name == "-" else name)
        await self._reread()
        self._screen.readiness.connect("" if name == "-" else name)

    async def do_export(self, argument: str = "") -> None:
        from assistant.tui.export import export

        if (session := self.session) is None or not session.turns:
            self._say("There is nothing to export yet.")
            return
        path = await export(session, argument)
        self._say(f"Exported to {path}")

    def _open_one(self) -> Conversation | None:
        session = self.session
        if session is None:
            self._say("The memory is still being opened.")
        elif session.private:
            self._say("A private conversation has no title, place in the list or settings of its own.")
        elif session.conversation is None:
            self._say("This conversation has not begun: send a message first.")
        else:
            return session.conversation
        return None

    async def _to_set_up(self) -> Conversation | None:
        """The open conversation, begun where it has not: its settings hold from the first message on."""
        session, memory = self.session, self._screen.memory
        if (
            session is not None
            and memory is not None
            and not session.private
            and session.conversation is None
        ):
            session.conversation = await memory.conversations.create()
        return self._open_one()

    async def _reread(self) -> None:
        """Take the changed conversation record into the session and the header, the turns as they are."""
        session, memory = self.session, self._screen.memory
        if session is not None and session.conversation is not None and memory is not None:
            session.conversation = await memory.conversations.get(session.conversation.id)
            self._screen.show_title()

    def _say(self, text: str) -> None:
        self._screen.post_message(Say(text))
