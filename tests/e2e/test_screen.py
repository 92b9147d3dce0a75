"""The screen in a real pseudo-terminal, as a person uses it: keys as bytes, a real embedded model, a restart."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assistant.memory import MemoryEngine
from assistant.memory.records import JudgmentDraft, Recall
from assistant.models.embedding import FastEmbedder
from assistant.paths import Folders
from tests.e2e.conftest import Start
from tests.e2e.terminal import ENTER, Terminal

CTRL_N, CTRL_O, CTRL_Q, F10 = "\x0e", "\x0f", "\x11", "\x1b[21~"


def quit_and_wait(terminal: Terminal) -> None:
    terminal.type(CTRL_Q)
    assert terminal.wait_for_end() == 0


async def recall_of(folders: Folders, embedder: FastEmbedder, question: str) -> Recall:
    """What was recalled for `question`, as the store kept it."""
    async with await MemoryEngine.open(folders.store, embedder) as memory:
        (turn,) = [turn for turn in await memory.episodes.list() if turn.user == question]
        recall = await memory.plans.recall_of(turn.id)
    assert recall is not None
    return recall


@pytest.mark.model
def test_two_turns_are_learned_two_are_recalled_and_all_is_there_after_a_restart(
    start: Start, folders: Folders, embedder: FastEmbedder, small_model: Path
) -> None:
    server = {
        "ASSISTANT_MODEL__KIND": "embedded",
        "ASSISTANT_MODEL__FILE": str(small_model),
        "ASSISTANT_MODEL__MAX_TOKENS": "24",
    }
    terminal = start(**server)
    terminal.wait_for("ready")
    terminal.say("I run a small ceramics shop on Shopify.")
    terminal.wait_for("User runs a small ceramics shop", "learned 1 fact")
    terminal.say("Keep any tooling under 200 a month, that is my ceiling.")
    terminal.wait_until(lambda shown: shown.count("learned 1 fact") == 2, "the second fact")
    terminal.wait_for("tooling kept under")

    current = "What platform am I on, and what is my budget?"
    terminal.say(current)
    terminal.wait_for("FACTS ONLY", "recalled 2 facts")
    terminal.wait_until(lambda shown: "answering" not in shown, "the end of the answer")
    past = "What exactly did I say when I mentioned the budget?"
    terminal.type(CTRL_N)
    terminal.wait_for("New conversation")
    terminal.say(past)
    terminal.wait_for("FACTS + EPISODES", "2 facts, ")
    terminal.wait_until(lambda shown: "answering" not in shown, "the end of the answer")
    quit_and_wait(terminal)

    facts = {
        item.item.statement for item in asyncio.run(recall_of(folders, embedder, current)).facts if item.fits
    }  # type: ignore[union-attr]
    assert any("Shopify" in fact for fact in facts)
    assert any("200 a month" in fact for fact in facts)
    episodes = asyncio.run(recall_of(folders, embedder, past)).episodes
    assert any("that is my ceiling" in item.item.user for item in episodes if item.fits)  # type: ignore[union-attr]

    again = start("--continue", **server)
    again.wait_for("User runs a small ceramics shop", "tooling kept under", "ready", past)
    again.type(CTRL_O)
    again.wait_for("Small ceramics shop on Shopify")
    quit_and_wait(again)


@pytest.mark.model
def test_the_prompt_that_the_embedded_model_gets_holds_facts_and_the_turn_itself(
    folders: Folders, small_model: Path
) -> None:
    def ask(text: str) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "-m", "assistant", "ask", "--json", text],
            env={
                **os.environ,
                "ASSISTANT_HOME": str(folders.data.parent),
                "ASSISTANT_MODEL__KIND": "embedded",
                "ASSISTANT_MODEL__FILE": str(small_model),
                "ASSISTANT_MODEL__MAX_TOKENS": "16",
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        )
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    ask("I run a small ceramics shop on Shopify.")
    ask("Keep any tooling under 200 a month, that is my ceiling.")
    current = ask("What platform am I on, and what is my budget?")
    told = current["prompt"][0]["content"]
    assert "Shopify" in told
    assert "200 a month" in told
    assert "Past turns" not in told
    assert current["answer"]
    past = ask("What exactly did I say when I mentioned the budget?")
    assert "Keep any tooling under 200 a month, that is my ceiling" in past["prompt"][0]["content"]


async def two_judgments(folders: Folders, embedder: FastEmbedder) -> None:
    async with await MemoryEngine.open(folders.store, embedder) as memory:
        for advice in ("Add more water at once", "Give it another half hour of rest"):
            await memory.judgments.add(
                JudgmentDraft("User's bread dough stays stiff during its rise", advice)
            )


def test_a_thumb_on_a_judgment_changes_its_place(
    start: Start, folders: Folders, embedder: FastEmbedder
) -> None:
    asyncio.run(two_judgments(folders, embedder))
    terminal = start()
    terminal.wait_for("ready")
    terminal.say("My bread dough stays stiff while it rises, what now?")
    shown = terminal.wait_for("1. ", "2. ")
    first = (
        "Add more water"
        if shown.index("Add more water at") < shown.index("Give it another")
        else "Give it another"
    )
    terminal.type(F10)
    terminal.wait_for("from relevance")
    terminal.type("w")
    terminal.wait_for("What would have been right")
    terminal.type(ENTER)
    terminal.wait_for("✗1")
    quit_and_wait(terminal)

    again = start()
    again.wait_for("ready")
    again.type(CTRL_N)
    again.say("My bread dough stays stiff while it rises, what now?")
    shown = again.wait_for("1. ", "2. ", "✗1")
    second = (
        "Add more water"
        if shown.index("Add more water at") < shown.index("Give it another")
        else "Give it another"
    )
    assert first != second
    quit_and_wait(again)


def test_the_first_start_offers_what_can_answer_each_by_one_key_and_keeps_the_choice(
    start: Start, folders: Folders
) -> None:
    terminal = start(ASSISTANT_MODEL__KIND="unset")
    terminal.wait_for("What should answer?", "Memory only")
    terminal.type("3")
    terminal.wait_until(lambda shown: "What should answer?" not in shown, "the setup's end")
    quit_and_wait(terminal)
    assert 'kind = "memory-only"' in folders.config_file.read_text("utf-8")
