"""Text from outside is shown as text, in every widget that shows any."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from textual.screen import Screen
from textual.widget import Widget

from assistant import setup, tui
from assistant.config import ModelKind, ModelSettings, Settings
from assistant.conversation.events import Answered as AnsweredEvent
from assistant.conversation.events import Failed, Notice, Thinking, Usage
from assistant.memory.engine import MemoryEngine
from assistant.memory.records import AnswerState, Conversation, Episode, JudgmentDraft, Verdict
from assistant.paths import Folders
from assistant.setup import Offer, Way
from assistant.tui.keys import keys_of
from assistant.tui.panels import PANELS
from assistant.tui.screens.conversations import ConversationsScreen, _conversation_row, _hit_row
from assistant.tui.screens.correction import CorrectionScreen
from assistant.tui.screens.fact import FactScreen
from assistant.tui.screens.help import HelpScreen
from assistant.tui.screens.judgment import JudgmentScreen
from assistant.tui.screens.reader import ReaderScreen
from assistant.tui.screens.record import RecordScreen
from assistant.tui.screens.settings import SettingsScreen
from assistant.tui.screens.setup import SetupScreen
from assistant.tui.screens.themes import ThemeScreen
from assistant.tui.screens.tour import TourScreen
from assistant.tui.terminal import TerminalApp
from assistant.tui.widgets.answer import Answer
from assistant.tui.widgets.chat_log import EarlierBar, NewOutputBar, Welcome
from assistant.tui.widgets.completions import Completions
from assistant.tui.widgets.composer import Composer
from assistant.tui.widgets.header import TitleBar
from assistant.tui.widgets.insights_panel import Trend
from assistant.tui.widgets.lines import Lines
from assistant.tui.widgets.memory_panel import MemoryPanel
from assistant.tui.widgets.plain_text import PlainText
from assistant.tui.widgets.status_line import StatusLine
from assistant.tui.widgets.tour_card import TourCard
from assistant.tui.widgets.turn import Turn
from tests.stubs.server import text as reply
from tests.tui.holder import Holder, all_text
from tests.tui.stage import Open

HOSTILE = {
    "markup": "see [/foo] and [b x=1, [red]red[/red] [@click=app.quit]x[/]",
    "open bracket": "[",
    "escapes": "a\x1b[31mred\x1b]0;title\x07b\x1b]52;c;aGk=\x07c\x1bPq\x1b\\d",
    "c1": "a\x9b31mred\x9d0;t\x9cb\x85c",
    "controls": "a\x00b\x07c\x08d\x7fe",
    "bidi": "abc\u202edef\u2066ghi\u2069",
    "zero width": "a\u200bb\u200d\ufeffc" * 50,
    "breaks": "a\u2028b\u2029c\x0bd\x0ce\r\nf\rg",
    "surrogate": "a\ud800b",
    "combining": "e" + "\u0301" * 200,
    "huge line": "x" * 50_000,
    "variables": "$text ${x} $$ %s {0} \\[",
}
FORBIDDEN = [
    chr(code) for code in (*range(32), *range(0x7F, 0xA0), 0x202E, 0x2066, 0x2069) if chr(code) not in "\n\t"
]
NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


def episode(text: str) -> Episode:
    return Episode(
        1, 1, None, text, text, NOW, AnswerState.FAILED, model=text, error=text, tokens=3, seconds=1
    )


@pytest.fixture(params=HOSTILE.values(), ids=HOSTILE.keys())
def text(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def check(screen: str, where: str = "") -> None:
    assert [repr(char) for char in FORBIDDEN if char in screen] == [], where


async def test_turns_show_it(text: str) -> None:
    turn = Turn(text, episode(text))
    app = Holder(turn)
    async with app.run_test(size=(80, 40)) as pilot:
        await turn.follow(Thinking(text))
        await turn.follow(Notice(text))
        await turn.follow(
            AnsweredEvent(replace(episode(text), state=AnswerState.CUT), Usage(text, 1, 1, 1, 1, 10))
        )
        await turn.follow(Failed(text, text, episode(text)))
        turn.show_branch((1, 2), continued=True)
        turn.toggle_thinking()
        await pilot.pause()
        check(all_text(app.screen))


async def test_streamed_answers_and_plain_text_show_it(text: str) -> None:
    answer, plain = Answer(), PlainText()
    app = Holder(answer, plain)
    async with app.run_test(size=(80, 40)) as pilot:
        for start in range(0, len(text), 7):
            answer.add(text[start : start + 7])
        await pilot.pause(0.1)
        answer.finish()
        await pilot.pause()
        check(all_text(app.screen))


async def test_header_and_status_line_show_it(text: str) -> None:
    header, status = TitleBar(), StatusLine(keys_of({}))
    app = Holder(header, status)
    async with app.run_test(size=(80, 10)) as pilot:
        header.conversation, header.model = text, text
        for level in ("info", "warning", "error"):
            status.say(text, level)
        await pilot.pause()
        check(all_text(app.screen))


async def test_the_message_field_takes_it_as_a_paste(text: str) -> None:
    composer = Composer(keys_of({}), [text], Completions())
    app = Holder(composer)
    async with app.run_test(size=(80, 20)) as pilot:
        composer.focus()
        composer.restore({"text": text[:500]})
        await pilot.pause()
        check(all_text(app.screen))


async def test_rows_of_the_conversation_list_show_it(text: str) -> None:
    conversation = Conversation(1, text, NOW, NOW)
    for row in (_conversation_row(conversation, answering=False), _hit_row(episode(text), {1: conversation})):
        check(row.plain)
        assert "\n" not in row.plain


async def test_a_reader_window_shows_it(text: str) -> None:
    app = Holder()
    async with app.run_test(size=(80, 20)) as pilot:
        app.push_screen(ReaderScreen(text[:100], text))
        await pilot.pause()
        check(all_text(app.screen))


POISON = {
    "conversations": ("title", "model", "instructions"),
    "episodes": ("user_text", "answer_text", "model", "error"),
    "facts": ("key", "statement", "value"),
    "judgments": ("trigger_text", "judgment", "reasoning", "domain"),
    "votes": ("correction",),
    "plans": ("question", "reason", "fallback"),
    "recalled": ("reason",),
    "journal": ("summary", "reason", "fallback", "before", "after"),
}
"""Every column of the store that a person's, a model's or an importer's text can get into."""
OWN_WORDS = {Welcome, Trend, EarlierBar, NewOutputBar, TourScreen, TourCard, ThemeScreen, Completions}
"""What shows nothing but the program's own words, numbers, and names that were checked."""
TOGETHER = {
    "short texts": " ".join(text for name, text in HOSTILE.items() if name not in ("huge line", "surrogate")),
    "huge line": HOSTILE["huge line"],
}


async def poison(memory: MemoryEngine, text: str) -> None:
    """Put `text` into the store past all that cleans it, as an older version or another program may have left it there."""

    def write(connection: duckdb.DuckDBPyConnection) -> None:
        for table, columns in POISON.items():
            values = ", ".join(f"{column} = $text" for column in columns)
            connection.execute(f"UPDATE {table} SET {values}", {"text": text})

    await memory.core.db.write(write)


def classes_of(kind: type[Widget]) -> set[type[Widget]]:
    """Every class of that kind that the screen's own modules define."""
    modules = [
        importlib.import_module(each.name) for each in pkgutil.walk_packages(tui.__path__, "assistant.tui.")
    ]
    members = {each for module in modules for _, each in inspect.getmembers(module, inspect.isclass)}
    return {
        each for each in members if issubclass(each, kind) and each.__module__.startswith("assistant.tui.")
    }


@pytest.mark.parametrize("name", TOGETHER)
async def test_every_widget_and_every_screen_shows_it(
    opened: Open, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, seen = TOGETHER[name], set[type[Widget]]()

    async def offers(_: object) -> list[Offer]:
        return [Offer(Way.FOUND, text, text), Offer(Way.ADDRESS, text, text, usable=False)]

    monkeypatch.setattr(setup, "offers", offers)
    async with opened(size=(200, 150), keys={"chat.copy": text[:60], text[:60]: "f12"}) as stage:
        main, memory = stage.main, stage.memory

        async def look(screen: Screen[Any] | None = None) -> None:
            """Open a screen, check what is drawn, note whose widgets drew it, and close the screen."""
            if screen is not None:
                await stage.app.push_screen(screen)
            await stage.pilot.pause(0.5)
            check(stage.text, type(stage.app.screen).__name__)
            seen.update(type(each) for each in (stage.app.screen, *stage.app.screen.walk_children()))
            if screen is not None:
                stage.app.pop_screen()

        stage.server.will(reply(text, thoughts=text))
        await stage.type(text[:2000])  # more would not fit the model
        await stage.until(lambda: stage.turns and stage.turns[0].answer and not main.flow.running)
        await look()
        await memory.facts.add("User likes celadon", key="glaze", value="celadon", episode=1)
        await memory.judgments.add(JudgmentDraft("a glaze runs", "Fire lower", "it melts", "kiln"), episode=1)
        await memory.verify(1, Verdict.CORRECTED, episode=1, correction="Fire slower")
        for question in ("Which glaze do I like?", "What did I say when a glaze ran?"):
            await memory.note_recall(1, await memory.recall(question))
        await poison(memory, text)
        await main.desk.show_number(1)
        for panel in PANELS:
            main.panels.go(panel.id)
            await stage.pilot.pause()
        await main.panels.refresh_records()
        await main.panels.show_answer(1)
        await look()
        wanted = Settings(model=ModelSettings(name=text[:3000], key_env=text[:3000]))
        for screen in (
            ConversationsScreen(memory, stage.app.keys, "glaze"),
            FactScreen(memory, await memory.facts.get(1)),
            JudgmentScreen(memory, await memory.judgments.get(1)),
            CorrectionScreen(await memory.judgments.get(1)),
            ReaderScreen(text, text),
            HelpScreen(stage.app.keys),
            SettingsScreen(wanted, Path(text[:200].replace("\0", ""))),
            SetupScreen(stage.app.folders),
        ):
            await look(screen)
        await stage.pilot.press("ctrl+p", *"conversation")
        await look()
    abstract = {Lines, MemoryPanel, RecordScreen, TerminalApp}
    missing = classes_of(Widget) - seen - OWN_WORDS - abstract
    assert {each.__name__ for each in missing} == set()


async def test_names_of_theme_files_and_settings_are_shown_as_text(opened: Open, folders: Folders) -> None:
    folders.themes.mkdir(parents=True)
    (folders.themes / "[red]\x1b]0;x\x07\u202e.toml").write_text('primary = "[/b]\\u001b[31m"')
    (folders.themes / "worse.toml").write_text("primary = 1")
    async with opened(kind=ModelKind.MEMORY_ONLY, size=(200, 30)) as stage:
        await stage.until(lambda: "Theme files that cannot be used: " in stage.text)
        assert "[red]" in stage.text
        assert "worse.toml" in stage.text
        check(stage.text)


async def test_the_name_of_an_attached_file_is_shown_as_text(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "a[b]\x1b[31m\u202e.txt"
    file.write_text("x\n" * 60)
    async with opened(kind=ModelKind.MEMORY_ONLY, size=(200, 30)) as stage:
        await stage.app.action_do("compose.attach", str(file))
        await stage.until(lambda: "[file 1: " in stage.text)
        check(stage.text)
        await stage.app.action_do("compose.attach", f"{file}-missing")
        await stage.until(lambda: "missing" in stage.text)
        check(stage.text)


@pytest.mark.parametrize("name", ["markup", "escapes", "bidi", "breaks"])
async def test_it_goes_through_the_whole_program(opened: Open, name: str) -> None:
    async with opened() as stage:
        stage.server.will(reply(HOSTILE[name], thoughts=HOSTILE[name]))
        await stage.type(HOSTILE[name])
        await stage.until(lambda: stage.turns and stage.turns[0].episode and not stage.main.flow.running)
        await stage.pilot.press("ctrl+p")
        await stage.pilot.press(*"conversation")
        await stage.pilot.pause(0.3)
        check(stage.text)
        await stage.pilot.press("escape", "ctrl+o")
        await stage.until(lambda: stage.app.screen is not stage.main)
        await stage.pilot.pause(0.2)
        check(stage.text)
