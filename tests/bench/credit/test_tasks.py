"""Four sets of tasks that share none."""

import itertools

import pytest

from rcca_cli import records, seeds
from rcca_cli.bench.align.apps import FITTED
from rcca_cli.bench.credit import apart, tasks
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.synth import app
from rcca_cli.synth import stage as synth
from rcca_cli.synth.families import FAMILIES


def test_the_sets_share_no_task():
    sets = {name: tasks.draw(name, 0, 60) for name in tasks.SHARES}
    tasks.must_be_apart(sets)
    found = {name: {tasks.identity(made) for made in some} for name, some in sets.items()}
    for one, other in itertools.combinations(found.values(), 2):
        assert not one & other


def test_sets_that_share_a_task_are_refused():
    (made,) = tasks.draw("rl", 0, 1)
    with pytest.raises(RccaError, match="the sets rl and tuning share 1 tasks"):
        tasks.must_be_apart({"rl": [made], "tuning": [made]})


def test_a_task_is_the_same_in_other_words_and_another_with_other_parameters():
    by_identity = {}
    for index in range(400):
        made = app.make(3, index)
        by_identity.setdefault(tasks.identity(made), []).append(made)
    for same in by_identity.values():
        assert len({tuple(sorted((f.family, *sorted(f.params.items())) for f in made.features)) for made in same}) == 1
    assert max(len({made.prompt for made in same}) for same in by_identity.values()) > 1


def test_a_fifth_of_the_pairs_is_never_learned_from_and_there_are_a_hundred_tasks_of_them_to_evaluate_on():
    pairs = [pair for pair in itertools.combinations(sorted(FAMILIES), 2) if tasks.fits(*pair)]
    assert len(tasks.unseen_pairs()) / len(pairs) == pytest.approx(0.2, abs=0.01)
    for name in tasks.LEARNED:
        assert not any(tasks.is_unseen(made) for made in tasks.draw(name, 5, 200))
    for name in tasks.EVALUATED:
        assert len(tasks.different(tasks.stream(name, 0, True), 100)) == 100


def test_a_third_of_an_evaluation_is_of_unseen_pairs_and_no_task_is_there_twice():
    drawn = tasks.draw("confirmation", 1, 30)
    assert len({tasks.identity(made) for made in drawn}) == 30
    assert sum(tasks.is_unseen(made) for made in drawn) == 10


def test_too_many_different_tasks_are_refused():
    (made,) = tasks.draw("rl", 0, 1)
    with pytest.raises(RccaError, match="2 different tasks are asked for, and there are 1"):
        tasks.different(iter([made, made, made]), 2)


def test_the_families_reported_apart_had_no_part_in_the_fit():
    assert len(tasks.APART) == 2
    assert set(tasks.APART) <= set(FAMILIES) - FITTED


def test_a_task_is_apart_by_any_of_its_families():
    drawn = tasks.draw("tuning", 0, 60)
    assert {tasks.is_left_out(made) for made in drawn} == {True, False}
    for made in drawn:
        assert tasks.is_left_out(made) == ("filter" in made.families or "tip" in made.families)


def test_the_data_of_checks_differ_between_all_sets():
    assert set(tasks.CHECK_SEEDS) == set(tasks.SHARES)
    assert len(set(tasks.CHECK_SEEDS.values())) == len(tasks.SHARES)


def test_a_record_is_as_synth_writes_it():
    (written,) = synth.run(synth.Options(seed=4, count=1))
    found = tasks.record(app.make(4, 0))
    assert found | {"task": found["task"] | {"config": None}} == written | {"task": written["task"] | {"config": None}}
    assert records.need(Line(found, "a", 1), "task")


def test_an_unknown_set_is_refused():
    with pytest.raises(RccaError, match="no set 'test' of tasks"):
        next(tasks.stream("test", 0))


def test_a_policy_that_was_taught_its_own_set_knows_no_task_of_the_others():
    told = {"seed": 1, "tasks": 300, "set": "sft"}
    sets = {name: tasks.draw(name, 0, 40) for name in ("rl", "tuning", "confirmation")}
    found = apart.known(sets, told)
    assert found["known"] == {"rl": 0, "tuning": 0, "confirmation": 0}
    assert (found["different"]["tuning"], found["apart"]) == (40, True)
    with pytest.raises(RccaError, match="taught tasks of the set sft alone knows others"):
        apart.known({"rl": [app.make(seeds.derive(1, "train"), index) for index in range(10)]}, told)


def test_of_a_policy_that_was_taught_tasks_of_all_sets_it_is_said_how_many_it_knows():
    sets = {"tuning": [app.make(seeds.derive(0, "train"), 3, styles=(0,)), *tasks.draw("rl", 9, 1)]}
    found = apart.known(sets, {"seed": 0, "tasks": 4, "set": None})
    assert (found["known"], found["different"], found["apart"]) == ({"tuning": 1}, {"tuning": 2}, False)


def test_of_a_policy_that_says_nothing_nothing_is_known():
    assert apart.known({"rl": tasks.draw("rl", 0, 1)}, None) == {"different": None, "known": None, "apart": None}


def item(name, *parents):
    return {"id": name, "parents": list(parents)}


def test_a_rubric_is_cut_to_so_many_items_with_those_they_build_on():
    rubric = [item("a"), item("b", "a"), item("c", "b"), item("d"), item("e", "d")]
    for count in range(1, 6):
        kept = tasks.cut(rubric, count)
        names = {one["id"] for one in kept}
        assert len(kept) == count
        assert all(parent in names for one in kept for parent in one["parents"])
        assert kept == [one for one in rubric if one["id"] in names]


def test_tasks_that_are_cut_are_those_with_the_longest_rubrics():
    for made in tasks.draw("rl", 0, 20, full=True):
        assert len(made.task()["rubric"]) == 8
        assert len(tasks.record(made, 2)["task"]["rubric"]) == 2
    assert len(tasks.draw("tuning", 0, 30, full=True)) == 30
