"""Does the screen stay quick: typing, streaming, opening, idling? The whole program on a terminal that shows nothing.

CPU rather than clock, since other programs share the machine: of the event loop's thread where somebody waits for a key, of all
threads elsewhere. What is compared takes turns in one run. The first frame is measured by the suite startup.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from itertools import cycle, islice
from statistics import median, quantiles
from time import perf_counter, process_time, thread_time
from typing import TYPE_CHECKING, Any

from assistant.evaluation.stage import ANSWER, Stage, fill, perform
from assistant.evaluation.tables import missed
from assistant.paths import user_folders
from assistant.tui.widgets.answer import Answer
from assistant.tui.widgets.plain_text import pieces

if TYPE_CHECKING:
    from assistant.evaluation.runner import Context

SHORT, MIDDLE, LONG = 3, 10, 250
"""Turns, of two messages each, of the conversations that are opened."""
TOKENS, RATE = 1_200, 60
LARGE, LINE = 300_000, 200_000
"""Characters of the largest answer, and of the longest line that is pasted."""
IDLE_SECONDS = 10
_ROUNDS, _KEYS = 5, 20
_KEY_EVERY = 0.05
"""Seconds between two keys while something is drawn."""
_BEAT = 0.01
"""Seconds between two looks at whether the event loop is late."""
LIMITS = {
    "key_500_over_5": 1.5,
    "streaming_lag_p95_ms": 50,
    "tokens_dropped": 0,
    "answers_that_differ": 0,
    "key_during_large_answer_ms": 200,
    "large_answer_drawn_s": 10,
    "large_answers_that_differ": 0,
    "key_after_large_answer_ms": 200,
    "key_after_long_line_ms": 200,
    "open_500_ms": 500,
    "idle_frames": 0,
    "idle_cpu_share": 0.01,
}


async def run(context: Context) -> dict[str, Any]:
    """Every figure of the screen's requirements, and as failures those that miss their limits."""
    store = user_folders(context.tmp / "home").store
    for turns in (SHORT, MIDDLE, LONG):
        await fill(store, context.embedder, turns=turns)
    found: dict[str, Any] = {"n": _ROUNDS * _KEYS}

    async def play(stage: Stage) -> None:
        found.update(await typing(stage))
        found.update(await streaming(stage))
        found.update(await pasting(stage))
        found.update(await large_answers(stage))
        found.update(await idling(stage))

    await perform(context, play)
    return found | {"failures": missed(found, LIMITS)}


async def typing(stage: Stage) -> dict[str, float]:
    """Opening, and keys to their echo, in a short and a long conversation by turns. Milliseconds."""
    keys: dict[int, list[float]] = {SHORT: [], LONG: []}
    opened: dict[int, list[float]] = {SHORT: [], LONG: []}
    for _ in range(_ROUNDS):
        for turns, spent in keys.items():
            opened[turns].append(await stage.open(f"{turns} turns"))
            spent += [await stage.echo(letter) for letter in islice(cycle("abcdefgh "), _KEYS)]
            stage.main.composer.replace_text("")
    few, many = median(keys[SHORT]), median(keys[LONG])
    return {
        "key_5_ms": _ms(few),
        "key_500_ms": _ms(many),
        "key_500_over_5": round(many / few, 2),
        "open_5_ms": _ms(median(opened[SHORT])),
        "open_500_ms": _ms(median(opened[LONG])),
    }


async def streaming(stage: Stage) -> dict[str, Any]:
    """An answer of `TOKENS` at `RATE` a second below twenty messages: how late the event loop is, and what arrives."""
    await stage.open(f"{MIDDLE} turns")
    stage.model.pieces, stage.model.rate = tokens(TOKENS), RATE
    already, used = stage.model.sent, process_time()
    await stage.ask("Please tell me all of it.")
    beats = asyncio.ensure_future(_beats(stage))
    turn = await stage.answered()
    used = process_time() - used
    worked, late = zip(*await beats, strict=True)
    await stage.settle()
    source = "".join(stage.model.pieces)
    return {
        "streaming_lag_p95_ms": _ms(_p95(worked)),
        "streaming_lag_worst_ms": _ms(max(worked)),
        "streaming_lag_p95_by_the_clock_ms": _ms(_p95(late)),
        "streaming_cpu_share": round(used / (TOKENS / RATE), 3),
        "tokens_dropped": TOKENS - (stage.model.sent - already) + abs(len(source) - len(turn.answer)),
        "answers_that_differ": int(turn.answer != source or turn.query_one(Answer).source != source),
    }


async def pasting(stage: Stage) -> dict[str, float]:
    """The next key after a very long line was pasted, the paste included."""
    started = thread_time()
    stage.paste("x" * LINE)
    await stage.echo("k")
    spent = thread_time() - started
    stage.main.composer.replace_text("")
    return {"key_after_long_line_ms": _ms(spent)}


async def large_answers(stage: Stage) -> dict[str, Any]:
    """Answers of `LARGE` characters that arrive at once, of several shapes: the slowest key meanwhile and after, and the longest drawing."""
    found = [await _large_answer(stage, text) for text in shapes(LARGE).values()]
    during, after, drawing, whole = zip(*found, strict=True)
    return {
        "large_answers": len(found),
        "key_during_large_answer_ms": _ms(max(during)),
        "key_after_large_answer_ms": _ms(max(after)),
        "large_answer_drawn_s": round(max(drawing), 2),
        "large_answers_that_differ": whole.count(False),
    }


async def _large_answer(stage: Stage, text: str) -> tuple[float, float, float, bool]:
    """Slowest key until all is drawn, slowest after that, CPU seconds from the answer's end until then, whether it is what was said."""
    stage.model.pieces, stage.model.rate = list(pieces(text, 1_000)), 0
    await stage.ask("Everything, please.")
    turn = stage.main.flow.running
    assert turn is not None
    answer = turn.query_one(Answer)
    during = [await stage.echo("k")]
    while stage.main.flow.running is turn:
        during.append(await _typed(stage))
    ended = thread_time()
    while answer.source != text:
        during.append(await _typed(stage))
    drawing = thread_time() - ended
    await stage.settle()
    after = [await stage.echo("k") for _ in range(_ROUNDS)]
    stage.main.composer.replace_text("")
    return max(during), max(after), drawing, turn.answer == text


async def _typed(stage: Stage) -> float:
    """One key, as fast as a good typist comes to it."""
    await asyncio.sleep(_KEY_EVERY)
    return await stage.echo("k")


async def idling(stage: Stage) -> dict[str, float]:
    """Frames painted and CPU used while nobody does anything."""
    await stage.settle("turn", "probe")  # the model is tried once, as soon as nobody asks or writes
    frames, used = stage.terminal.frames, process_time()
    await asyncio.sleep(IDLE_SECONDS)
    return {
        "idle_frames": stage.terminal.frames - frames,
        "idle_cpu_share": round((process_time() - used) / IDLE_SECONDS, 4),
    }


async def _beats(stage: Stage) -> list[tuple[float, float]]:
    """While an answer runs: from beat to beat, CPU seconds that the loop's thread worked, and seconds that the beat was late."""
    found: list[tuple[float, float]] = []
    while stage.main.flow.running is not None:
        worked, began = thread_time(), perf_counter()
        await asyncio.sleep(_BEAT)
        found.append((thread_time() - worked, perf_counter() - began - _BEAT))
    return found


def tokens(count: int) -> list[str]:
    """That many pieces of Markdown, about as long as a model's tokens, each paragraph of them different."""
    pieces: list[str] = []
    number = 0
    while len(pieces) < count:
        number += 1
        pieces += re.findall(r"\s*\w{1,6}|\s*[^\w\s]+|\s+", f"### Part {number}\n\n{ANSWER}\n")
    return pieces[:count]


def shapes(size: int) -> dict[str, str]:
    """Answers of so many characters, each of another kind of Markdown."""
    parts = {
        "everything": ANSWER,
        "paragraphs": "A short paragraph.\n\n",
        "one line": "word ",
        "code": "value = other(1) + 2  # and so on\n",
        "table": "| one | two words | 3 |\n",
        "nested list": "".join(f"{'  ' * depth}- an item\n" for depth in range(8)),
    }
    heads = {"code": "```python\n", "table": "| a | b | c |\n|---|---|---|\n"}
    return {
        name: (heads.get(name, "") + part * (size // len(part) + 1))[:size] for name, part in parts.items()
    }


def _p95(values: Sequence[float]) -> float:
    return quantiles(values, n=20)[-1]


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)
