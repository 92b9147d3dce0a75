from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from assistant.errors import EmbedderError, FileError, MemoryInputError, UnknownIdError
from assistant.memory import JudgmentMemory
from assistant.memory.collections.journal import Journal
from assistant.memory.collections.judgments import Judgments
from assistant.memory.core import Core
from assistant.memory.judging.exporting import Format
from assistant.memory.ports import Embedder
from assistant.memory.records import JudgmentDraft, Recalled, Verdict

DOUGH = "User's bread dough is stiff and will not loosen"
REST = JudgmentDraft(DOUGH, "Give it another half hour of rest", "Gluten relaxes by itself.", "cooking")
WATER = JudgmentDraft(DOUGH, "Add more water when the dough is stiff", "It looks dry.", "cooking")
RENT = JudgmentDraft(
    "User's landlord raises the rent", "Offer half of the raise", "He fears an empty month.", "money"
)


@pytest.fixture
def judgments(core: Core) -> Judgments:
    return Judgments(core)


async def stored(judgments: Judgments, *drafts: JudgmentDraft) -> list[int]:
    entries = [await judgments.add(draft) for draft in drafts]
    return [entry.subject_id for entry in entries if entry.subject_id is not None]


async def recall(judgments: Judgments, core: Core, question: str) -> list[Recalled]:
    return await judgments.recall(question, (await core.embed([question]))[0])


# Storing --------------------------------------------------------------------------------------------------------------


async def test_alternatives_share_a_situation_and_other_matters_do_not(judgments: Judgments) -> None:
    await stored(judgments, REST, WATER, RENT)
    situations = {each.judgment: each.situation for each in await judgments.list()}
    assert situations[REST.judgment] == situations[WATER.judgment] != situations[RENT.judgment]


async def test_the_same_judgment_again_is_only_noted(judgments: Judgments) -> None:
    first = await judgments.add(REST)
    again = await judgments.add(replace(REST, judgment="give it another half hour of REST."))
    assert (again.action, again.subject_id, again.undoable) == ("judgment.noop", first.subject_id, False)
    assert await judgments.count() == 1


@pytest.mark.parametrize("draft", [JudgmentDraft("", "Rest it"), JudgmentDraft(DOUGH, " \n ")])
async def test_empty_text_is_refused(judgments: Judgments, draft: JudgmentDraft) -> None:
    with pytest.raises(MemoryInputError, match="needs a"):
        await judgments.add(draft)


async def test_secrets_are_masked_in_every_text(judgments: Judgments) -> None:
    (known,) = await stored(judgments, replace(REST, reasoning="my password is Tr0ub4dor&3x"))
    after = await judgments.verify(known, Verdict.CORRECTED, correction="use sk-live-abcdef1234567890abcd")
    assert "Tr0ub4dor" not in after.reasoning
    assert "sk-live" not in after.correction


async def test_a_judgment_saved_while_the_embedder_fails_is_found_once_it_works(
    judgments: Judgments, core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(texts: object) -> None:
        raise EmbedderError("The embedding model failed.")

    with monkeypatch.context() as broken:
        broken.setattr(type(core.embedder), "embed", lambda self, texts: fail(texts))
        await stored(judgments, REST)
    assert await recall(judgments, core, "my dough is stiff") == []
    await core.index_missing()
    assert [each.item.judgment for each in await recall(judgments, core, "my dough is stiff")] == [
        REST.judgment
    ]  # type: ignore[union-attr]


async def test_an_unknown_id_is_an_error_everywhere(judgments: Judgments) -> None:
    for call in (
        judgments.get(99),
        judgments.verify(99, Verdict.ADOPTED),
        judgments.unvote(99),
        judgments.edit(99, judgment="x"),
        judgments.forget(99),
        judgments.merge(99, [1]),
    ):
        with pytest.raises(UnknownIdError):
            await call


# Recall ---------------------------------------------------------------------------------------------------------------


async def test_a_thumb_changes_which_alternative_comes_first(judgments: Judgments, core: Core) -> None:
    rest, water = await stored(judgments, REST, WATER)
    question = "add more water when the dough is stiff?"
    await judgments.verify(water, Verdict.CORRECTED, episode=1)
    await judgments.verify(rest, Verdict.ADOPTED, episode=1)
    first, second = await recall(judgments, core, question)
    assert (first.item.id, second.item.id) == (rest, water)
    assert first.parts["relevance"] == second.parts["relevance"]
    assert "proved right 1 of 1" in first.reason
    assert "proved wrong 1 of 1" in second.reason


async def test_nonsense_and_other_topics_recall_nothing(judgments: Judgments, core: Core) -> None:
    (rest,) = await stored(judgments, REST)
    for ballot in range(9):
        await judgments.verify(rest, Verdict.ADOPTED, episode=ballot)
    assert await recall(judgments, core, "zxqv blorp") == []
    assert await recall(judgments, core, "who won the football world cup in 1998?") == []


async def test_what_exceeds_the_token_budget_is_marked_as_left_out(judgments: Judgments, core: Core) -> None:
    core.settings = replace(core.settings, judgment_tokens=40)
    await stored(judgments, REST, WATER)
    assert [each.fits for each in await recall(judgments, core, "stiff dough")] == [True, False]


async def test_votes_age_when_the_settings_say_so(judgments: Judgments, core: Core) -> None:
    (rest,) = await stored(judgments, REST)
    fresh = (await judgments.verify(rest, Verdict.ADOPTED)).utility
    now = core.clock()
    core.settings = replace(core.settings, vote_half_life_days=10.0)
    core.clock = lambda: now + timedelta(days=30)
    assert 0 < (await judgments.get(rest)).utility < fresh


# Thumbs ---------------------------------------------------------------------------------------------------------------


async def test_clicking_twice_is_one_vote_and_another_answer_is_another(judgments: Judgments) -> None:
    (rest,) = await stored(judgments, REST)
    for episode in (1, 1, 2, None, None):
        after = await judgments.verify(rest, Verdict.ADOPTED, episode=episode)
    assert (after.adopted, after.corrected) == (3, 0)
    assert [vote.ballot for vote in await judgments.votes(rest)] == ["1", "2", "hand"]


async def test_a_vote_can_be_changed_and_taken_back(judgments: Judgments) -> None:
    (rest,) = await stored(judgments, REST)
    await judgments.verify(rest, Verdict.ADOPTED, episode=1)
    changed = await judgments.verify(rest, Verdict.CORRECTED, episode=1)
    assert (changed.adopted, changed.corrected, changed.refuted) == (0, 1, True)
    assert (await judgments.unvote(rest, episode=1)).utility == 0.0


async def test_a_vote_is_undone_through_the_journal(judgments: Judgments, core: Core) -> None:
    (rest,) = await stored(judgments, REST)
    await judgments.verify(rest, Verdict.ADOPTED, episode=1)
    await judgments.verify(rest, Verdict.CORRECTED, episode=1, correction="Knead it again")
    await Journal(core).undo()
    after = await judgments.get(rest)
    assert (after.adopted, after.corrected, after.correction) == (1, 0, "")


async def test_a_correction_is_carried_and_searched_and_gone_with_its_vote(
    judgments: Judgments, core: Core
) -> None:
    _, water, _ = await stored(judgments, REST, WATER, RENT)
    after = await judgments.verify(water, Verdict.CORRECTED, episode=1, correction="Ask the ombudsman")
    assert after.correction == "Ask the ombudsman"
    assert water in [each.id for each in await judgments.list("ombudsman")]
    await Journal(core).undo()
    assert water not in [each.id for each in await judgments.list("ombudsman")]


# Changing -------------------------------------------------------------------------------------------------------------


async def test_an_edit_keeps_votes_is_found_by_its_new_words_and_can_be_undone(
    judgments: Judgments, core: Core
) -> None:
    (rest,) = await stored(judgments, REST)
    await judgments.verify(rest, Verdict.ADOPTED, episode=1)
    await judgments.edit(rest, reasoning="Enzymes need patience.")
    assert [(each.id, each.adopted) for each in await judgments.list("enzymes")] == [(rest, 1)]
    await Journal(core).undo()
    assert (await judgments.get(rest)).reasoning == REST.reasoning
    assert await judgments.list("enzymes") == []


async def test_another_trigger_moves_an_edited_judgment_to_another_situation(judgments: Judgments) -> None:
    rest, water = await stored(judgments, REST, WATER)
    await judgments.edit(water, trigger="User paints a fence", judgment="Thin the paint a little")
    assert (await judgments.get(rest)).situation != (await judgments.get(water)).situation


async def test_merging_adds_up_the_evidence_and_can_be_undone(judgments: Judgments, core: Core) -> None:
    rest, twin = await stored(judgments, REST, replace(REST, judgment="Let it stand for thirty minutes more"))
    await judgments.verify(rest, Verdict.CORRECTED, episode=1)
    await judgments.verify(twin, Verdict.ADOPTED, episode=1)
    await judgments.verify(twin, Verdict.ADOPTED, episode=2)
    await judgments.merge(rest, [twin])
    merged = await judgments.get(rest)
    assert (merged.adopted, merged.corrected, await judgments.count()) == (2, 0, 1)
    assert (await judgments.get(twin)).merged_into == rest
    await Journal(core).undo()
    assert ((await judgments.get(rest)).corrected, (await judgments.get(twin)).adopted) == (1, 2)


async def test_a_judgment_is_not_merged_with_itself(judgments: Judgments) -> None:
    (rest,) = await stored(judgments, REST)
    with pytest.raises(MemoryInputError, match="itself"):
        await judgments.merge(rest, [rest])


async def test_forgetting_erases_judgment_and_votes_until_it_is_undone(
    judgments: Judgments, core: Core
) -> None:
    (rest,) = await stored(judgments, REST)
    await judgments.verify(rest, Verdict.ADOPTED, episode=1)
    await judgments.forget(rest)
    assert await judgments.votes(rest) == []
    assert await recall(judgments, core, "my dough is stiff") == []
    await Journal(core).undo()
    assert (await judgments.get(rest)).adopted == 1


async def test_undoing_an_addition_puts_back_what_moved_with_it(judgments: Judgments, core: Core) -> None:
    await stored(judgments, REST)
    before = await judgments.list()
    await stored(judgments, WATER)
    await Journal(core).undo()
    assert await judgments.list() == before


# Export ---------------------------------------------------------------------------------------------------------------


async def exported(judgments: Judgments, path: Path, form: Format) -> list[dict[str, object]]:
    await judgments.export(path, form)
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


async def test_each_format_holds_what_was_verified(judgments: Judgments, tmp_path: Path) -> None:
    rest, water, _ = await stored(judgments, REST, WATER, RENT)
    await judgments.verify(rest, Verdict.ADOPTED, episode=1)
    await judgments.verify(water, Verdict.CORRECTED, episode=1, correction="Rest it instead")
    triples = await exported(judgments, tmp_path / "t.jsonl", Format.TRIPLES)
    assert [(line["context"], line["outcome"]) for line in triples] == [
        (DOUGH, "adopted"),
        (DOUGH, "corrected"),
    ]
    pairs = await exported(judgments, tmp_path / "p.jsonl", Format.PREFERENCES)
    assert pairs == [{"id": water, "context": DOUGH, "chosen": "Rest it instead", "rejected": WATER.judgment}]
    chats = await exported(judgments, tmp_path / "c.jsonl", Format.CHAT)
    assert [line["messages"][1]["content"] for line in chats] == [  # type: ignore[index]
        f"{REST.judgment}. {REST.reasoning}",
        "Rest it instead",
    ]


async def test_an_interrupted_export_goes_on_where_it_stopped(judgments: Judgments, tmp_path: Path) -> None:
    drafts = [JudgmentDraft(f"User meets case number {number}", f"Do thing {number}") for number in range(5)]
    for known in await stored(judgments, *drafts):
        await judgments.verify(known, Verdict.ADOPTED)
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    await judgments.export(whole)
    cut.write_bytes(whole.read_bytes()[:-40])
    assert await judgments.export(cut) == 2
    assert cut.read_bytes() == whole.read_bytes()


async def test_another_file_is_not_overwritten_by_an_export(judgments: Judgments, tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("Dear Sir\n")
    with pytest.raises(MemoryInputError, match="not an export"):
        await judgments.export(other)
    assert other.read_text() == "Dear Sir\n"


# The small library ----------------------------------------------------------------------------------------------------


async def test_an_export_of_another_format_is_left_as_it_is(judgments: Judgments, tmp_path: Path) -> None:
    (rest,) = await stored(judgments, REST)
    await judgments.verify(rest, Verdict.ADOPTED, episode=1)
    target = tmp_path / "export.jsonl"
    before = await exported(judgments, target, Format.TRIPLES)
    with pytest.raises(MemoryInputError, match="another format"):
        await judgments.export(target, Format.CHAT)
    assert await exported(judgments, target, Format.TRIPLES) == before


async def test_a_place_that_cannot_be_written_is_told_with_its_reason(
    judgments: Judgments, tmp_path: Path
) -> None:
    with pytest.raises(FileError, match=r"nowhere/export.jsonl cannot be written: no such file"):
        await judgments.export(tmp_path / "nowhere" / "export.jsonl")
    with pytest.raises(FileError, match="is a directory"):
        await judgments.export(tmp_path)


def test_the_library_stores_searches_verifies_counts_and_exports(embedder: Embedder) -> None:
    with JudgmentMemory(embedder) as memory:
        rest = memory.store(DOUGH, REST.judgment, REST.reasoning, "cooking")
        water = memory.store(DOUGH, WATER.judgment, WATER.reasoning, "cooking")
        question = "should I add water to stiff dough?"
        assert memory.search(question)[0].judgment.id == water
        memory.verify(rest, adopted=True)
        memory.verify(water, adopted=False, correction="Rest it")
        assert memory.search(question)[0].judgment.id == water
        assert memory.search(question, use_utility=True)[0].judgment.id == rest
        assert (memory.count(), memory.get(water).correction) == (2, "Rest it")
        assert [line["judgment"] for line in memory.export_triples()] == [REST.judgment]


def test_the_library_filters_by_domain_similarity_and_number(embedder: Embedder) -> None:
    with JudgmentMemory(embedder) as memory:
        memory.store(DOUGH, REST.judgment, REST.reasoning, "cooking")
        rent = memory.store(RENT.trigger, RENT.judgment, RENT.reasoning, "money")
        assert [
            found.judgment.id for found in memory.search("stiff dough", domain="money", min_score=-1)
        ] == [rent]
        assert [found.judgment.domain for found in memory.search("stiff dough", min_score=0.4)] == ["cooking"]
        assert len(memory.search("stiff dough", top_k=1, min_score=-1)) == 1


def test_the_library_refuses_empty_text_and_unknown_ids_and_keeps_a_file(
    embedder: Embedder, tmp_path: Path
) -> None:
    path = tmp_path / "kept.duckdb"
    with JudgmentMemory(embedder, path) as memory:
        with pytest.raises(MemoryInputError):
            memory.store(DOUGH, "Rest it", "")
        with pytest.raises(UnknownIdError):
            memory.verify(7, adopted=True)
        memory.store(DOUGH, REST.judgment, REST.reasoning)
    with JudgmentMemory(embedder, path) as memory:
        assert memory.count() == 1
