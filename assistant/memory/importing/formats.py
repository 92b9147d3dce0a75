"""The formats that transcripts come in, told apart by their own keys.

- JSON Lines: a turn a line, `{"user", "assistant", "said", "conversation", "title", "model"}` (only `user` is needed); or a
  message a line, `{"role", "content", …}`; or a conversation a line, `{"messages": [{"role", "content"}], …}`.
- The export files of ChatGPT, Claude and Open WebUI: `conversations.json`, or the archive it came in.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.errors import FileError, MemoryInputError
from assistant.memory.importing.transcript import Line, Transcript, moment, turns_of

Record = Mapping[str, Any]


def read(path: Path) -> list[Transcript]:
    """The conversations in `path`, without empty ones. Raises MemoryInputError with a sentence."""
    try:
        text = _text(path)
        modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError as problem:
        raise FileError.of(problem, path, "read") from problem
    except (UnicodeDecodeError, zipfile.BadZipFile, KeyError) as problem:
        raise MemoryInputError(
            f"{path} is no transcript.", hint="It must be text in UTF-8, or the zip file of an export."
        ) from problem
    try:
        found = [_transcript(group, path.stem, modified) for group in _conversations(_records(text, path))]
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise MemoryInputError(
            f"{path} is in no format that is known here.",
            hint="JSON Lines, or the export files of ChatGPT, Claude and Open WebUI, can be imported.",
        ) from problem
    return [transcript for transcript in found if transcript.turns]


def _text(path: Path) -> str:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return archive.read("conversations.json").decode("utf-8-sig")
    return path.read_text("utf-8-sig")


def _records(text: str, path: Path) -> list[Record]:
    """The objects of a JSON array or of JSON Lines. Raises MemoryInputError with the number of a line that is neither."""
    try:
        whole = json.loads(text)
        return whole if isinstance(whole, list) else [whole]
    except ValueError:
        pass
    records = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError as problem:
                raise MemoryInputError(f"Line {number} of {path} is not JSON.") from problem
    return records


def _conversations(records: Iterable[Record]) -> Iterator[Sequence[Record]]:
    """A whole conversation as a sequence of one record; the lines of one that is spread over several, gathered by its name."""
    gathered: dict[str, list[Record]] = {}
    for record in records:
        if any(key in record for key in ("mapping", "chat_messages", "chat", "messages")):
            yield [record]
        else:
            gathered.setdefault(str(record.get("conversation", "")), []).append(record)
    yield from gathered.values()


def _transcript(records: Sequence[Record], name: str, modified: datetime) -> Transcript:
    """`name` stands for the conversation where it has no id or name of its own."""
    first = records[0]
    begun = moment(first.get("create_time") or first.get("created_at") or first.get("created")) or modified
    if "mapping" in first:
        source, title, lines = (
            f"chatgpt:{first.get('conversation_id') or first['id']}",
            first.get("title"),
            _chatgpt(first),
        )
    elif "chat_messages" in first:
        source, title, lines = f"claude:{first['uuid']}", first.get("name"), _claude(first)
    elif "chat" in first:
        title = first.get("title") or first["chat"].get("title")
        source, lines = f"open-webui:{first['id']}", _open_webui(first["chat"])
    elif "messages" in first:
        source, title = f"messages:{first.get('id') or first.get('title') or name}", first.get("title")
        lines = [line for message in first["messages"] for line in _lines(message)]
    else:
        source, title = f"lines:{first.get('conversation') or name}", first.get("title")
        lines = [line for record in records for line in _lines(record)]
    spoken = (line for line in lines if line.role in ("user", "assistant"))
    return Transcript(source, str(title or ""), turns_of(spoken, begun))


def _lines(record: Record) -> Iterator[Line]:
    """A turn or a message, as plain JSON Lines have them."""
    said = next(
        (at for key in ("said", "time", "timestamp", "created_at") if (at := moment(record.get(key)))), None
    )
    model = str(record.get("model") or "")
    if "role" in record:
        yield Line(record["role"], _words(record["content"]), said, model)
    else:
        yield Line("user", record["user"], said, model)
        yield Line("assistant", record.get("assistant") or "", None, model)


def _chatgpt(conversation: Record) -> list[Line]:
    """The branch that ends at the current node; earlier versions of edited messages are left out."""
    nodes = conversation["mapping"]
    branch: list[Line] = []
    at = conversation.get("current_node") or next(
        (id_ for id_, node in nodes.items() if not node.get("children")), None
    )
    while at:
        message = nodes[at].get("message")
        if message and message["content"].get("content_type") in ("text", "multimodal_text"):
            model = (message.get("metadata") or {}).get("model_slug") or ""
            words = _words(message["content"].get("parts") or [])
            branch.append(Line(message["author"]["role"], words, moment(message.get("create_time")), model))
        at = nodes[at].get("parent")
    return branch[::-1]


def _claude(conversation: Record) -> list[Line]:
    return [
        Line(
            {"human": "user"}.get(message["sender"], message["sender"]),
            message.get("text") or _words(message.get("content") or []),
            moment(message.get("created_at")),
        )
        for message in conversation["chat_messages"]
    ]


def _open_webui(chat: Record) -> list[Line]:
    """The branch that ends at the current message; without a tree, the list of messages."""
    history = chat.get("history") or {}
    nodes, at = history.get("messages") or {}, history.get("currentId")
    branch: list[Record] = []
    while at:
        branch.append(nodes[at])
        at = nodes[at].get("parentId")
    return [
        Line(
            message["role"],
            _words(message["content"]),
            moment(message.get("timestamp")),
            message.get("model") or "",
        )
        for message in branch[::-1] or chat.get("messages") or []
    ]


def _words(content: Any) -> str:
    """The text of a message that is a string, or a list of strings and of parts of which some are text."""
    if isinstance(content, str):
        return content
    parts = (part if isinstance(part, str) else part.get("text") or "" for part in content)
    return "\n".join(part for part in parts if part)
