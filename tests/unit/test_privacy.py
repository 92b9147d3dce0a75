"""A secret that is told reaches neither facts, judgments, journal nor logs, and the user hears that it was hidden."""

from __future__ import annotations

import pytest

from assistant.faults import write_down
from assistant.memory import MemoryEngine
from assistant.paths import Folders

SECRETS = [
    ("I run a bakery and my password is Plover!Crumb-71, so there", "Plover!Crumb-71", "password"),
    ("my alarm code is 80613 and I live in Skagen", "80613", "password"),
    (
        "I teach the cello. the key for the shop system is sk-live4Hq82mZx7Lr03bTnW5",
        "sk-live4Hq82mZx7Lr03bTnW5",
        "key",
    ),
    ("I always pay with my card 5425 2334 3010 9903", "5425 2334 3010 9903", "card number"),
    (
        "my landlord wants the rent on GB29 NWBK 6016 1331 9268 19, I rent a loft",
        "GB29 NWBK 6016 1331 9268 19",
        "bank account",
    ),
    (
        "my wallet's seed phrase: ridge lamp otter pencil salad guitar meadow ticket verify copper window zebra",
        "ridge lamp otter pencil salad guitar meadow ticket verify copper window zebra",
        "recovery phrase",
    ),
    ("our shop's database is at mysql://ines:Thimble88@db.shop.local/orders", "Thimble88", "login"),
]


@pytest.mark.parametrize(("message", "secret", "kind"), SECRETS)
async def test_a_secret_is_learned_nowhere_and_its_kind_is_told(
    memory: MemoryEngine, message: str, secret: str, kind: str
) -> None:
    advice = f"Write it down nowhere: last time {secret} leaked because it stood in a mail."
    turn = await memory.record(message, advice)
    learned = await memory.learn(turn.id)
    await memory.reflect(turn.id)
    kept = [await memory.facts.list(history=True), await memory.judgments.list(), await memory.journal.list()]
    assert kind in learned.masked
    assert secret not in str(kept)
    assert secret not in str(learned.changes)


async def test_what_stands_beside_a_secret_is_still_learned(memory: MemoryEngine) -> None:
    turn = await memory.record("I live in Skagen. my wifi password is Plover!Crumb-71", "Noted.")
    await memory.learn(turn.id)
    assert ["Skagen" in fact.statement for fact in await memory.facts.list()] == [True]


@pytest.mark.parametrize("secret", [secret for _, secret, kind in SECRETS if kind in ("key", "login")])
def test_a_fault_is_written_down_without_the_secret_that_it_quotes(folders: Folders, secret: str) -> None:
    message = next(message for message, told, _ in SECRETS if told == secret)
    said = write_down(ValueError(f"cannot read {message}"), folders)
    log = (folders.logs / "fault.log").read_text("utf-8")
    assert secret not in log + said
    assert "ValueError: cannot read" in log
