"""What the verification demands of each kind of solution, and that it leaves no bug out."""

import random

from rcca_cli.synth import app
from rcca_cli.synth.families import FAMILIES
from rcca_cli.verify import plan

RUBRIC = [
    {"id": "a", "parents": []},
    {"id": "b", "parents": ["a"]},
    {"id": "c", "parents": []},
]


def judged(level="functional", **passed):
    verdicts = [{"rubric": name, "passed": value} for name, value in passed.items()]
    return {"task": {"rubric": RUBRIC}, "judge": {"level": level, "verdicts": verdicts}}


def known(kind, broken=None):
    return plan.Known({}, kind, "somewhere", broken)


def test_a_reference_must_pass_everything():
    assert plan.problem(known("reference"), judged(a=True, b=True, c=True)) is None
    assert plan.problem(known("reference"), judged(a=True, b=False, c=True)) == "fails b"


def test_a_bug_must_fail_its_item_and_may_fail_what_rests_on_it():
    assert plan.problem(known("bug", "a"), judged(a=False, b=False, c=True)) is None
    assert plan.problem(known("bug", "a"), judged(a=False, b=True, c=True)) is None
    assert plan.problem(known("bug", "a"), judged(a=True, b=True, c=True)) == "passes a"
    assert plan.problem(known("bug", "b"), judged(a=False, b=False, c=True)) == "fails a"


def test_an_empty_page_must_pass_nothing():
    assert plan.problem(known("empty"), judged(a=False, b=False, c=False)) is None
    assert plan.problem(known("empty"), judged(a=False, b=False, c=True)) == "passes c"


def test_what_is_not_known_is_not_right():
    assert plan.problem(known("empty"), judged(a=False, b=None, c=False)) == "not known: b"


def test_a_bug_that_keeps_the_page_from_loading_is_wrong():
    assert plan.problem(known("bug", "a"), judged("runtime", a=False)) == "stopped at the level runtime"


def test_as_many_apps_as_families_hold_every_bug():
    made = list(plan.apps(0, len(FAMILIES)))
    assert [one.families for one in made] == [(name,) for name in sorted(FAMILIES)]
    slots = {fault.slot for one in made for fault in one.faults()}
    for name, family in FAMILIES.items():
        assert {f"{name}/{slot.name}" for slot in family.make(random.Random(0)).slots if slot.bugs} <= slots


def test_later_apps_are_pairs_where_two_fit():
    made = list(plan.apps(0, 40))
    assert {len(one.families) for one in made} == {1, 2}
    assert all(len(one.task()["rubric"]) <= app.MOST_ITEMS for one in made)
    assert len({one.id for one in made}) == 40


def test_the_solutions_of_an_app_are_reference_bugs_and_an_empty_page():
    (made,) = plan.apps(0, 1, ("todo",))
    kinds = [one.kind for one in plan.solutions(made, "")]
    assert kinds == ["reference", *["bug"] * len(made.faults()), "empty"]
