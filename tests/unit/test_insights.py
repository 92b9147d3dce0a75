"""The memory in figures: counted over all records, however many there are."""

from __future__ import annotations

from datetime import timedelta

from assistant.memory.engine import MemoryEngine
from assistant.memory.figures import Growth
from assistant.memory.ports import utc_now
from assistant.memory.records import JudgmentDraft, Verdict

MANY = 2_500


async def test_every_record_is_counted_and_the_newest_by_their_time(tmp_path, embedder) -> None:
    now = utc_now().replace(minute=20, second=3)
    async with await MemoryEngine.open(tmp_path / "memory.duckdb", embedder, clock=lambda: now) as memory:
        insert = (
            "INSERT INTO episodes (conversation, user_text, said, state)"
            f" SELECT 1, 'x', ?::TIMESTAMP - INTERVAL (i) MINUTE, 'complete' FROM range({MANY}) AS r(i)"
        )
        await memory.core.db.write(lambda con: con.execute(insert, [now.replace(tzinfo=None)]))
        known = await memory.insights(since=now - timedelta(minutes=10))
    assert known.episodes.total == MANY
    assert known.episodes.recent == {
        now.replace(minute=15, second=0, microsecond=0): 6,
        now.replace(minute=0, second=0, microsecond=0): 5,
    }


async def test_shares_follow_plans_and_votes_and_what_is_gone_is_not_counted(tmp_path, embedder) -> None:
    async with await MemoryEngine.open(tmp_path / "memory.duckdb", embedder) as memory:
        assert (await memory.insights(since=utc_now())).facts == Growth()
        first = (await memory.facts.add("User lives in Leith")).subject_id
        await memory.facts.add("User has a cat")
        await memory.facts.edit(first, statement="User lives in Portobello")
        good, bad, untried = [
            (await memory.judgments.add(JudgmentDraft(f"situation {name}", f"do {name}"))).subject_id
            for name in ("alpha", "beta", "gamma")
        ]
        for text in ("Where do I live?", "What exactly did I say yesterday?"):
            turn = await memory.record(text, "An answer.")
            await memory.verify(good, Verdict.ADOPTED, episode=turn.id)
            await memory.note_recall(turn.id, await memory.recall(text))
        await memory.verify(bad, Verdict.CORRECTED, episode=turn.id)
        await memory.verify(untried, Verdict.ADOPTED, episode=turn.id)
        await memory.judgments.forget(untried)
        plan = (await memory.plans.list())[0]
        await memory.plans.mark_wrong(plan.id)
        known = await memory.insights(since=utc_now() - timedelta(days=1))
    assert (known.facts.total, known.judgments.total, known.episodes.total) == (2, 2, 2)
    assert (known.plans, known.with_episodes, known.marked_wrong) == (2, 1, 1)
    assert (known.right_votes, known.wrong_votes) == (2, 1)
    assert (known.proved_right, known.proved_wrong) == (1, 1)
