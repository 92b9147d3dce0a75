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

if TYPE_CHECKING:
    from assistant.evaluation.runner import Context

SHORT, MIDDLE, LONG = 3, 10, 250
"""Turns, of two messages each, of the conversations that are opened."""
TOKENS, RATE = 1_200, 60
LARGE, LINE = 300_000, 200_000
"""Characters of the largest answer, and of the longest line that is pasted."""
IDLE_SECONDS = 10
_ROUNDS, _KEYS = 5, 20
_BEAT = 0.01
"""Seconds between two looks at whether the event loop is late."""
LIMITS = {
    "key_500_over_5": 1.5,
    "streaming_lag_p95_ms": 50,
    "tokens_dropped": 0,
    "answers_that_differ": 0,
    "key_during_large_answer_ms": 200,
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
        found.update(await large_answer(stage))
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


async def large_answer(stage: Stage) -> dict[str, Any]:
    """Keys while `LARGE` characters arrive at once, and right after them. The slowest of those typed meanwhile."""
    stage.model.pieces, stage.model.rate = large_pieces(LARGE), 0
    await stage.ask("Everything, please.")
    during = [await stage.echo("k")]
    while stage.main.flow.running is not None:
        during.append(await stage.echo("k"))
    after = await stage.echo("k")
    await stage.settle()
    later = [await stage.echo("k") for _ in range(_ROUNDS)]
    turn = stage.main.log_view.turns[-1]
    stage.main.composer.replace_text("")
    return {
        "keys_during_large_answer": len(during),
        "key_during_large_answer_ms": _ms(max(during)),
        "key_after_large_answer_ms": _ms(max(after, *later)),
        "large_answer_whole": turn.answer == "".join(stage.model.pieces),
    }


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


def large_pieces(size: int, piece: int = 1_000) -> list[str]:
    """`size` characters of Markdown, in pieces."""
    text = (ANSWER * (size // len(ANSWER) + 1))[:size]
    return [text[start : start + piece] for start in range(0, size, piece)]


def _p95(values: Sequence[float]) -> float:
    return quantiles(values, n=20)[-1]


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)
