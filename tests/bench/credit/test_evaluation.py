"""What an evaluation comes to, in all and of tasks that are apart."""

from rcca_cli.bench.credit import evaluation, tasks
from tests.bench.credit.pages import page


def judged(number, group, wrong=()):
    """Answer `number` to the task of this id."""
    one = page(number, wrong=wrong)
    one.answer.record["group"] = group
    return one


def first(unseen, apart):
    """A task of an unseen pair of families or not, and with one of those that are apart or not."""
    made = tasks.stream("tuning", 0, unseen)
    return next(app for app in made if bool(set(app.families) & set(tasks.APART)) is apart)


def test_figures_are_told_apart_by_what_was_never_learned_from():
    seen, unseen, tip = first(False, False), first(True, False), first(False, True)
    answers = [judged(0, seen.id, ["a/state"]), judged(1, unseen.id), judged(2, tip.id, ["a/state", "b/text"])]
    found = evaluation.by_subset([seen, unseen, tip], answers)
    assert {name: one["passed"] for name, one in found.items()} == {"seen": 0.25, "unseen": 1.0, "left_out": 0.0}
    assert {name: one["known"] for name, one in found.items()} == {"seen": 2, "unseen": 1, "left_out": 1}
    assert evaluation.by_subset([seen], answers[:1])["unseen"]["passed"] is None
