from __future__ import annotations

import pytest

from assistant.errors import MemoryInputError, UnknownIdError
from assistant.memory.collections.conversations import Conversations
from assistant.memory.collections.episodes import Episodes
from assistant.memory.collections.facts import Facts
from assistant.memory.collections.journal import Journal
from assistant.memory.collections.judgments import Judgments
from assistant.memory.collections.plans import Plans
from assistant.memory.core import Core
from assistant.memory.figures import Trace
from assistant.memory.records import Decider, Decision, JudgmentDraft, Plan, Recall, Recalled

DECISION = Decision(Decider.ON_DEVICE, "asks what was said", 0.8, 1.5, "the model was late")


@pytest.fixture
def plans(core: Core) -> Plans:
    return Plans(core)


def recall(question: str, *items: Recalled) -> Recall:
    return Recall(Plan(question, needs_episodes=False, decision=DECISION), facts=items)


async def test_a_plan_is_kept_with_its_decision(plans) -> None:
    kept = await plans.record(7, recall("What did I say?"))
    assert kept.id is not None
    assert kept == Plan("What did I say?", False, DECISION, kept.id, episode=7)
    assert await plans.get(kept.id) == kept
    assert await plans.list() == [kept]
    with pytest.raises(UnknownIdError):
        await plans.get(99)


async def test_what_was_recalled_for_an_answer_can_be_looked_at_later(core, plans) -> None:
    facts, judgments, episodes = Facts(core), Judgments(core), Episodes(core)
    fact = await facts.get((await facts.add("User lives in Leith", key="home")).subject_id)
    advice = JudgmentDraft("Production config must change", "Propose it, do not edit it", "Outages")
    judgment = await judgments.get((await judgments.add(advice)).subject_id)
    home = (await Conversations(core).create()).id
    turn = await episodes.finish((await episodes.record("hello", conversation=home)).id, "hi")
    made = Recall(
        Plan("Where do I live?", needs_episodes=True, decision=DECISION),
        facts=(Recalled(fact, 0.9, {"meaning": 0.7, "words": 0.2}, "matches by meaning", 14),),
        judgments=(Recalled(judgment, 0.5, {}, "the same situation", fits=False),),
        episodes=(Recalled(turn, 0.4, {}, "said about it"),),
        milliseconds={"embed": 5.5, "facts": 1.25},
    )
    plan = await plans.record(turn.id, made)
    await facts.edit(fact.id, statement="User lives in Portobello")

    kept = await plans.recall_of(turn.id)

    assert kept is not None
    assert kept.plan == plan
    assert kept.facts[0].item.statement == "User lives in Leith"
    assert (kept.milliseconds, kept.facts[0].tokens) == (made.milliseconds, 14)
    assert (kept.facts[0].score, kept.facts[0].parts) == (0.9, {"meaning": 0.7, "words": 0.2})
    assert (kept.judgments[0].item.id, kept.judgments[0].fits) == (judgment.id, False)
    assert kept.episodes == made.episodes


async def test_what_was_forgotten_since_is_left_out_of_an_earlier_recall(core, plans) -> None:
    facts = Facts(core)
    fact = await facts.get((await facts.add("User lives in Leith")).subject_id)
    await plans.record(7, recall("Where?", Recalled(fact, 0.9, {}, "")))
    await facts.forget(fact.id)
    kept = await plans.recall_of(7)
    assert kept is not None
    assert kept.items == ()
    assert await plans.recall_of(8) is None


async def test_what_turns_drew_on_and_left_behind_is_counted_for_many_at_once(core, plans) -> None:
    facts, episodes, home = Facts(core), Episodes(core), (await Conversations(core).create()).id
    by_device = Decision(Decider.ON_DEVICE, "new")
    first = await episodes.record("I live in Leith.", conversation=home)
    second = await episodes.record("Where do I live?", conversation=home)
    quiet = await episodes.record("Fine.", conversation=home)
    entries = [
        await facts.add(text, episode=first.id, decision=by_device)
        for text in ("User lives in Leith", "User has a cat")
    ]
    await facts.add("User wrote this by hand", episode=first.id)
    await Journal(core).undo(entries[1].id)
    draft = JudgmentDraft("Someone asks where", "Say the town first")
    await Judgments(core).add(draft, episode=second.id, decision=by_device)
    fact = await facts.get(entries[0].subject_id)
    left_out = Recalled(first, 0.1, {}, "", fits=False)
    await plans.record(second.id, recall("Where do I live?", Recalled(fact, 0.9, {}, ""), left_out))
    assert await plans.traces([first.id, second.id, quiet.id]) == {
        first.id: Trace(learned=1),
        second.id: Trace(facts=1, noted=1),
    }
    assert await plans.traces([]) == {}


async def test_recording_again_replaces_what_was_kept(core, plans) -> None:
    facts = Facts(core)
    fact = await facts.get((await facts.add("User lives in Leith")).subject_id)
    for score in (0.1, 0.2):
        await plans.record(7, recall("Where?", Recalled(fact, score, {}, "")))
    kept = await plans.recall_of(7)
    assert kept is not None
    assert [item.score for item in kept.items] == [0.2]


async def test_a_plan_marked_wrong_guides_later_ones_until_undone(core, plans) -> None:
    plan = await plans.record(7, recall("What did I say about the budget?"))
    entry = await plans.mark_wrong(plan.id)
    assert entry.summary == "past turns were needed: What did I say about the budget?"
    (feedback,) = await plans.feedback()
    assert feedback.needs_episodes
    assert feedback.vector @ (await core.embed([plan.question]))[0] > 0.99
    with pytest.raises(MemoryInputError, match="already"):
        await plans.mark_wrong(plan.id)
    await Journal(core).undo(entry.id)
    assert await plans.feedback() == []
    assert not (await plans.get(plan.id)).marked_wrong
