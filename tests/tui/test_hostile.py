"""Text from outside is shown as text, in every widget that shows any."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from assistant.conversation.events import Answered as AnsweredEvent
from assistant.conversation.events import Failed, Notice, Thinking, Usage
from assistant.memory.records import AnswerState, Conversation, Episode
from assistant.tui.keys import keys_of
from assistant.tui.screens.conversations import _conversation_row, _hit_row
from assistant.tui.screens.reader import ReaderScreen
from assistant.tui.widgets.answer import Answer
from assistant.tui.widgets.completions import Completions
from assistant.tui.widgets.composer import Composer
from assistant.tui.widgets.header import TitleBar
from assistant.tui.widgets.plain_text import PlainText
from assistant.tui.widgets.status_line import StatusLine
from assistant.tui.widgets.turn import Turn
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


def check(screen: str) -> None:
    assert [repr(char) for char in FORBIDDEN if char in screen] == []


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
    for row in (_conversation_row(conversation), _hit_row(episode(text), {1: conversation})):
        check(row.plain)
        assert "\n" not in row.plain


async def test_a_reader_window_shows_it(text: str) -> None:
    app = Holder()
    async with app.run_test(size=(80, 20)) as pilot:
        app.push_screen(ReaderScreen(text[:100], text))
        await pilot.pause()
        check(all_text(app.screen))


@pytest.mark.parametrize("name", ["markup", "escapes", "bidi", "breaks"])
async def test_it_goes_through_the_whole_program(opened: Open, name: str) -> None:
    from tests.stubs.server import text as reply

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
