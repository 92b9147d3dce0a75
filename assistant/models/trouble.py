"""Whatever goes wrong between us and a model server becomes one sentence: which address, what happened, what to try."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from assistant.errors import ModelCutError, ModelError, ModelReplyError, ModelUnreachableError
from assistant.models.address import is_loopback, with_v1
from assistant.text import clean_text, one_line

_TOO_LONG = re.compile(
    r"exceed_context|context[ _]length|context[ _]size|context window|maximum context|too many tokens",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, for the sentence: the server's address, the model's name, whether the server is a child of ours."""

    base_url: str
    model: str = ""
    own_process: bool = False


def explain(problem: Exception, asked: Asked, *, partial: bool = False) -> ModelError:
    """The error to raise in place of `problem`. `partial`: some of the answer had arrived."""
    import openai

    if isinstance(problem, openai.APIStatusError):
        return _refused(problem, asked)
    if partial:
        return ModelCutError(
            f"The answer from {asked.base_url} broke off: {_said(problem)}.",
            hint="What arrived is kept; ask again.",
        )
    if isinstance(problem, openai.APIConnectionError):
        return _unreachable(problem, asked)
    if isinstance(problem, openai.APIError):
        return _too_long(problem, asked) or ModelReplyError(
            f"The server {asked.base_url} reported an error: {_said(problem)}."
        )
    if isinstance(problem, json.JSONDecodeError):
        return ModelReplyError(
            f"{asked.base_url} sent something that is no answer of an OpenAI-compatible server.",
            hint=_address_hint(asked.base_url),
        )
    return ModelError(f"The model at {asked.base_url} could not be used: {_said(problem)}.")


def _unreachable(problem: Exception, asked: Asked) -> ModelError:
    base_url = asked.base_url
    causes = list(_causes(problem))
    names = {type(cause).__name__ for cause in causes}
    if "ReadTimeout" in names:
        return ModelUnreachableError(
            f"{base_url} took the question but has sent nothing for a long time.",
            hint="Is it still loading the model? Try again, or choose a smaller one.",
        )
    if asked.own_process:
        return ModelUnreachableError(
            f"The embedded model {asked.model} is no longer running.",
            hint="Start the program again; `assistant doctor` tests the model. A smaller one needs less memory.",
        )
    if names & {"RemoteProtocolError", "ReadError"}:
        return ModelReplyError(
            f"{base_url} closed the connection without an answer.",
            hint="Look at the server's own log, then try again.",
        )
    reason = next((f" ({_said(cause)})" for cause in reversed(causes) if isinstance(cause, OSError)), "")
    hint = (
        "Start the server there. `assistant setup` chooses another."
        if is_loopback(base_url)
        else "Is the address right, and is this machine online? `assistant setup` chooses another."
    )
    return ModelUnreachableError(f"Nothing answers at {base_url}{reason}.", hint=hint)


def _refused(problem: Any, asked: Asked) -> ModelError:
    """A status of 400 and above."""
    status: int = problem.status_code
    if status in {401, 403}:
        return ModelError(
            f"{asked.base_url} asks for a key, or refuses the one it got.",
            hint="An environment variable can hold the key. `assistant setup --key-env NAME` names one.",
        )
    if status == 404:
        return _not_found(problem, asked)
    if status == 429:
        return ModelError(
            f"{asked.base_url} takes no more questions now: {_said(problem)}.",
            hint="Wait a little, then try again.",
        )
    if status == 503 and "load" in _said(problem).casefold():
        return ModelUnreachableError(
            f"{asked.base_url} is still loading its model.", hint="Try again in a moment."
        )
    if status >= 500:
        return ModelReplyError(
            f"The server {asked.base_url} failed ({status}): {_said(problem)}.",
            hint="Try again, or look at its log.",
        )
    return _too_long(problem, asked) or ModelReplyError(
        f"{asked.base_url} refused the question ({status}): {_said(problem)}."
    )


def _not_found(problem: Any, asked: Asked) -> ModelError:
    said = _said(problem)
    if asked.model and (problem.code == "model_not_found" or asked.model in said):
        return ModelError(
            f"{asked.base_url} has no model named {asked.model}.",
            hint="`assistant models list` shows what it has; `assistant models use NAME` chooses.",
        )
    return ModelReplyError(
        f"{asked.base_url} has no chat at that address (404).", hint=_address_hint(asked.base_url)
    )


def _too_long(problem: Any, asked: Asked) -> ModelError | None:
    """The error for a prompt that does not fit the model's context, with the sizes where the server told them."""
    body = problem.body if isinstance(problem.body, dict) else {}
    if not _TOO_LONG.search(f"{problem.code or ''} {problem.type or ''} {_said(problem)}"):
        return None
    used, size = body.get("n_prompt_tokens"), body.get("n_ctx")
    sizes = f": {used} tokens, and it reads {size} at most" if used and size else ""
    advice = (
        f"Set model.context_tokens to {size}"
        if size
        else "Set model.context_tokens to the server's own limit"
    )
    return ModelReplyError(
        f"The question with its context is too long for {asked.model or 'the model'}{sizes}.",
        hint=f"{advice}, or give the server more context.",
    )


def _address_hint(base_url: str) -> str:
    longer = with_v1(base_url)
    return f"Is the address right? Most servers want {longer}." if longer else "Is the address right?"


def _causes(problem: BaseException | None) -> Iterator[BaseException]:
    """`problem`, what caused it, and so on; an exception group counts with its first member."""
    while problem is not None:
        yield problem
        grouped = problem.exceptions[0] if isinstance(problem, BaseExceptionGroup) else None
        problem = grouped or problem.__cause__ or problem.__context__


def _said(problem: BaseException) -> str:
    """The problem's own words on one line, from untrusted text, without its end stop."""
    body = getattr(problem, "body", None)
    words = body.get("message") if isinstance(body, dict) else body
    text = words if isinstance(words, str) and words else str(problem) or type(problem).__name__
    return one_line(clean_text(text), 200).rstrip(".")
