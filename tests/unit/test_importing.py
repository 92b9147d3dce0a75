from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import EmbedderError, MemoryInputError
from assistant.memory.collections.conversations import Conversations
from assistant.memory.collections.episodes import Episodes
from assistant.memory.core import Core
from assistant.memory.importing import Imported, import_transcripts, transcripts
from assistant.memory.importing.formats import read
from assistant.memory.importing.transcript import Line, Transcript, moment, turns_of
from assistant.memory.ports import Vectors
from assistant.memory.recall import recall_episodes
from assistant.memory.records import Episode, Subject

MAY = datetime(2024, 5, 3, 9, 30, tzinfo=UTC)
SECONDS = MAY.timestamp()


def message(role: str, text: str, seconds: float, **more: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    return {"author": {"role": role}, "content": content, "create_time": seconds, **more}


CHATGPT = [
    {
        "conversation_id": "c1",
        "title": "Boiler",
        "create_time": SECONDS,
        "current_node": "d",
        "mapping": {
            "root": {"message": None, "parent": None, "children": ["s"]},
            "s": {
                "message": message("system", "be nice", SECONDS),
                "parent": "root",
                "children": ["a", "old"],
            },
            "old": {"message": message("user", "an earlier wording", SECONDS), "parent": "s", "children": []},
            "a": {"message": message("user", "the boiler broke", SECONDS), "parent": "s", "children": ["t"]},
            "t": {
                "message": {
                    "author": {"role": "assistant"},
                    "content": {"content_type": "thoughts", "thoughts": []},
                },
                "parent": "a",
                "children": ["d"],
            },
            "d": {
                "message": message(
                    "assistant", "Call your landlord.", SECONDS + 5, metadata={"model_slug": "gpt-x"}
                ),
                "parent": "t",
                "children": [],
            },
        },
    }
]
CLAUDE = [
    {
        "uuid": "u1",
        "name": "Boiler",
        "created_at": "2024-05-03T09:30:00Z",
        "chat_messages": [
            {"sender": "human", "text": "the boiler broke", "created_at": "2024-05-03T09:30:00.000000Z"},
            {
                "sender": "assistant",
                "text": "",
                "content": [
                    {"type": "text", "text": "Call your landlord."},
                    {"type": "tool_use", "name": "x"},
                ],
            },
        ],
    }
]
OPEN_WEBUI = [
    {
        "id": "w1",
        "title": "Boiler",
        "created_at": SECONDS,
        "chat": {
            "history": {
                "currentId": "2",
                "messages": {
                    "1": {
                        "role": "user",
                        "content": "the boiler broke",
                        "timestamp": SECONDS,
                        "parentId": None,
                    },
                    "2": {
                        "role": "assistant",
                        "content": "Call your landlord.",
                        "parentId": "1",
                        "model": "llama",
                    },
                    "3": {"role": "assistant", "content": "Another answer.", "parentId": "1"},
                },
            }
        },
    }
]
LINES = [
    {
        "user": "the boiler broke",
        "assistant": "Call your landlord.",
        "said": "2024-05-03T11:30:00+02:00",
        "title": "Boiler",
    }
]
MESSAGES = [
    {
        "title": "Boiler",
        "created": "2024-05-03T09:30:00",
        "messages": [
            {"role": "system", "content": "be nice"},
            {"role": "user", "content": [{"type": "text", "text": "the boiler broke"}]},
            {"role": "assistant", "content": "Call your landlord."},
        ],
    }
]


def file(tmp_path: Path, content: list[Any], name: str = "export.json", *, lines: bool = False) -> Path:
    path = tmp_path / name
    path.write_text("\n".join(map(json.dumps, content)) if lines else json.dumps(content), "utf-8")
    return path


async def everything(core: Core) -> list[Episode]:
    return sorted(await Episodes(core).list(), key=lambda turn: turn.id)


@pytest.mark.parametrize("content", [CHATGPT, CLAUDE, OPEN_WEBUI, LINES, MESSAGES])
@pytest.mark.parametrize("lines", [False, True])
def test_each_format_is_read_with_its_own_times(tmp_path: Path, content: list[Any], lines: bool) -> None:
    [transcript] = read(file(tmp_path, content, lines=lines))
    [turn] = transcript.turns
    assert (turn.user, turn.assistant, turn.said) == ("the boiler broke", "Call your landlord.", MAY)
    assert transcript.title == "Boiler"


def test_the_archive_an_export_comes_in_is_read(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps(CHATGPT))
    assert read(path)[0].title == "Boiler"


def test_messages_on_lines_of_their_own_are_paired_by_conversation(tmp_path: Path) -> None:
    said = [
        ("a", "user", "one"),
        ("b", "user", "two"),
        ("a", "assistant", "first"),
        ("b", "assistant", "second"),
    ]
    content = [{"conversation": c, "role": role, "content": text} for c, role, text in said]
    found = read(file(tmp_path, content, lines=True))
    assert [(t.turns[0].user, t.turns[0].assistant) for t in found] == [("one", "first"), ("two", "second")]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [('{"user": "x"}\nnot json', "Line 2 of"), ("[1, 2]", "in no format"), ('{"words": 1}', "in no format")],
)
def test_what_cannot_be_read_is_said_in_a_sentence(tmp_path: Path, content: str, sentence: str) -> None:
    path = tmp_path / "export.jsonl"
    path.write_text(content, "utf-8")
    with pytest.raises(MemoryInputError, match=sentence):
        read(path)


@given(st.lists(st.builds(Line, st.sampled_from(["user", "assistant"]), st.text(max_size=5))))
def test_pairing_keeps_every_word_after_the_first_question(lines: list[Line]) -> None:
    turns = turns_of(lines, MAY)
    assert all(turn.user for turn in turns)
    assert all(turn.assistant for turn in turns[:-1])


@given(st.one_of(st.integers(), st.floats(), st.text(), st.none(), st.booleans(), st.lists(st.integers())))
def test_anything_can_stand_where_a_time_should(value: object) -> None:
    read_ = moment(value)
    assert read_ is None or read_.tzinfo is UTC


def test_milliseconds_are_told_from_seconds() -> None:
    assert moment(SECONDS * 1000) == moment(SECONDS) == MAY


def test_a_turn_said_twice_has_two_keys() -> None:
    turn = turns_of([Line("user", "hi", MAY), Line("assistant", "hello")], MAY)
    assert len(set(Transcript("x", "", turn * 2).keys())) == 2


async def test_an_imported_turn_is_dated_linked_and_found(core: Core, tmp_path: Path) -> None:
    two = [*LINES, {"user": "it works again", "assistant": "Good.", "said": "2024-05-04T09:00:00Z"}]
    assert await import_transcripts(core, file(tmp_path, two)) == Imported(conversations=1, turns=2, known=0)
    first, second = await everything(core)
    assert (first.said, first.parent, second.parent, first.learned) == (MAY, None, first.id, None)
    [conversation] = await Conversations(core).list()
    assert (conversation.title, conversation.head, conversation.created) == ("Boiler", second.id, MAY)
    vector = (await core.embed(["what about the boiler?"]))[0]
    assert (await recall_episodes(core, "what about the boiler?", vector))[0].item == first


async def test_a_second_import_doubles_nothing_and_adds_what_is_new(core: Core, tmp_path: Path) -> None:
    await import_transcripts(core, file(tmp_path, LINES))
    grown = [*LINES, {"user": "it works again", "assistant": "Good.", "said": "2024-05-04T09:00:00Z"}]
    assert await import_transcripts(core, file(tmp_path, LINES)) == Imported(0, 0, 1)
    assert await import_transcripts(core, file(tmp_path, grown)) == Imported(0, 1, 1)
    first, second = await everything(core)
    assert (second.conversation, second.parent) == (first.conversation, first.id)


async def test_an_interrupted_import_goes_on_where_it_stopped(
    core: Core, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "_BATCH", 2)
    path = file(
        tmp_path,
        [{"user": f"message {i}", "assistant": "ok", "conversation": i} for i in range(5)],
        lines=True,
    )
    calls = 0

    class Failing:
        def embed(self, texts: list[str]) -> Vectors:
            nonlocal calls
            calls += 1
            if calls == 2:
                raise EmbedderError("The model is gone.")
            return working.embed(texts)

    working, core.embedder = core.embedder, Failing()  # type: ignore[assignment]
    with pytest.raises(EmbedderError):
        await import_transcripts(core, path)
    core.embedder = working
    seen: list[tuple[int, int]] = []
    done = await import_transcripts(core, path, progress=lambda done, of: seen.append((done, of)))
    assert done == Imported(conversations=3, turns=3, known=2)
    assert seen == [(2, 3), (3, 3)]
    assert [turn.user for turn in await everything(core)] == [f"message {i}" for i in range(5)]


async def test_what_was_forgotten_does_not_come_back(core: Core, tmp_path: Path) -> None:
    await import_transcripts(core, file(tmp_path, LINES))
    [turn] = await everything(core)
    await core.forget(Subject.EPISODE, turn.id)
    assert await import_transcripts(core, file(tmp_path, LINES)) == Imported(0, 0, 1)
    assert await everything(core) == []


async def test_without_learning_the_turns_count_as_learned_from(core: Core, tmp_path: Path) -> None:
    await import_transcripts(core, file(tmp_path, LINES), learn=False)
    assert await Episodes(core).pending() == []
