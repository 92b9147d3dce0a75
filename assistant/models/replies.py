"""Structured replies: a bounded JSON schema to ask with, and a reader that expects the habits of small models."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from assistant.errors import ModelReplyError
from assistant.memory.ports import Reply
from assistant.text import clean_text, one_line

LONGEST_STRING = 400
"""Characters of a string whose model states no bound of its own: an unbounded one may run on until max_tokens."""
MOST_ITEMS = 16
_ATTEMPTS = 64
_THOUGHTS = re.compile(r"^.*</think(?:ing)?>", re.DOTALL)


def schema_of(reply: type[Reply]) -> dict[str, Any]:
    """The JSON schema of `reply` with every field required, nothing else allowed, every string and list bounded."""
    schema: dict[str, Any] = _bounded(reply.model_json_schema())
    return schema


def read_reply(text: str, reply: type[Reply]) -> Reply:
    """The first JSON value in `text` that fits `reply`.

    Thinking before it, fences and prose around it, and a list around (or in place of) the object are understood. A copy
    of the schema, an object with none of the fields, and over-long values are refused. Raises ModelReplyError.
    """
    problem = "it holds no JSON"
    for value in _values(_THOUGHTS.sub("", text)):
        try:
            return reply.model_validate(_shaped(value, reply))
        except ValidationError as invalid:
            first = invalid.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            problem = f"{place}: {first['msg']}" if place else first["msg"]
        except ValueError as refused:
            problem = str(refused)
    raise ModelReplyError(f"The model's reply does not fit: {one_line(clean_text(problem), 160)}.")


def _values(text: str) -> Iterator[Any]:
    """Every outermost JSON object or list in `text`, in order."""
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    position, attempts = 0, 0
    while attempts < _ATTEMPTS and (opening := re.compile(r"[{\[]").search(text, position)):
        attempts += 1
        try:
            value, position = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            position = opening.start() + 1
        else:
            yield value


def _shaped(value: Any, reply: type[Reply]) -> dict[str, Any]:
    """`value` as the object that `reply` describes. Raises ValueError with a reason where it cannot be meant as one."""
    fields = reply.model_fields
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], dict) and value[0].keys() & fields.keys():
            value = value[0]
        elif len(fields) == 1:
            value = {next(iter(fields)): value}
    if not isinstance(value, dict):
        raise ValueError("a list stands in place of the object")
    if "properties" in value and "properties" not in fields:
        raise ValueError("it repeats the schema")
    if not value.keys() & fields.keys():
        raise ValueError(f"it has none of the fields {', '.join(fields)}")
    _refuse_overlong(value)
    return value


def _refuse_overlong(value: Any) -> None:
    if isinstance(value, str) and len(value) > LONGEST_STRING:
        raise ValueError(f"a text is longer than {LONGEST_STRING} characters")
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _refuse_overlong(inner)


def _bounded(node: Any) -> Any:
    if isinstance(node, list):
        return [_bounded(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {key: _bounded(value) for key, value in node.items() if key not in {"title", "default"}}
    if node.get("type") == "string" and not {"enum", "const", "pattern"} & node.keys():
        made.setdefault("maxLength", LONGEST_STRING)
    if node.get("type") == "array":
        made.setdefault("maxItems", MOST_ITEMS)
    if isinstance(node.get("properties"), dict):
        made["properties"] = {name: _bounded(field) for name, field in node["properties"].items()}
        made["required"] = list(node["properties"])
        made["additionalProperties"] = False
    return made


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
