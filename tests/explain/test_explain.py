"""What is said of aligned files, each cause alone and then together, counted by hand."""

import pytest

from rcca_cli.align import stage as align
from rcca_cli.errors import RccaError, RecordError
from rcca_cli.explain import advice, stage, tables
from rcca_cli.explain.tally import Tally
from rcca_cli.jsonl import Line
from tests.align.example import ITEM, PAGE, lines, record, verdict

WRONG = PAGE.replace("field.value", "field.name")
RESETS = ITEM | {"id": "resets", "requirement": "Reset empties the list.", "parents": ["adds"]}


def aligned(*records, **options):
    """The records after `align`, as lines."""
    return lines(*align.run(lines(*records), align.Options(**options)))


def explained(*records, **options):
    (found,) = stage.run(aligned(*records, **options))
    return found


def answer(passed, index=0, page=None, **facts):
    """One answer to a group; what fails has another page."""
    page = page or (PAGE if passed else WRONG)
    facts = {"reward": float(bool(passed))} | facts
    return record([verdict(passed)], page, index, **facts)


def some(counts):
    """Without what is 0."""
    return {name: count for name, count in counts.items() if count}


def test_a_pair_that_differs_has_credit_for_both():
    found = explained(answer(True), answer(False, 1))
    assert some(found["groups"]) == {"total": 1}
    assert some(found["answers"]) == {"total": 2, "functional": 2}
    assert some(found["verdicts"]["passed"]) == some(found["verdicts"]["failed"]) == {"placed": 1}
    assert found["modes"] == {"rubric": 1, "paper": 0, "uniform": 0}
    assert found["sequence_share"] == 0.8
    (item,) = found["items"]
    assert item["item"] == "adds"
    assert some(item["groups"]) == {"total": 1, "contrast": 1}
    assert item["mass"] == found["mass"]


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_the_share_that_align_was_given_is_found_in_the_credit(share):
    found = explained(answer(True), answer(False, 1), sequence_share=share)
    assert found["sequence_share"] == share
    assert found["groups"]["differing"] == 0


def test_mass_and_sizes_are_those_of_the_pair():
    """A = ±1, ω = 1, c = .93 or so, T̄ = T: due is (1 − λ)·η·T. A_seq is ±1 on every token, so its share is λ."""
    records = [answer(True), answer(False, 1)]
    size = len(records[0]["rollout"]["tokens"])
    found = explained(*records, sequence_share=0.25)
    for sign in ("praise", "blame"):
        assert found["mass"][sign]["due"] == pytest.approx(0.75 * 5 * size)
    assert found["rms"]["sequence"] == 0.25
    assert found["rms"]["gates"] == 0
    assert found["tokens"] == 2 * size


@pytest.mark.parametrize(("passed", "side", "way"), [(True, "passed", "all_pass"), (False, "failed", "all_fail")])
def test_a_group_of_one_mind_has_no_credit(passed, side, way):
    found = explained(answer(passed), answer(passed, 1))
    assert some(found["groups"]) == {"total": 1, "no_contrast": 1, "nothing": 1}
    assert some(found["verdicts"][side]) == {"same": 2}
    assert some(found["items"][0]["groups"]) == {"total": 1, way: 1}
    assert [(cause["cause"], cause["share"]) for cause in found["causes"]] == [(way, 1.0)]


def test_equal_rewards_can_hide_items_that_differ():
    found = explained(answer(True, reward=0.5), answer(False, 1, reward=0.5))
    assert some(found["groups"]) == {"total": 1, "no_contrast": 1}
    assert found["rms"]["sequence"] == 0
    assert found["rms"]["items"] > 0


def test_an_answer_alone_has_nothing_to_be_compared_with():
    found = explained(answer(False))
    assert some(found["groups"]) == {"total": 1, "no_contrast": 1, "nothing": 1, "lonely": 1}
    assert some(found["verdicts"]["failed"]) == {"alone": 1}
    assert found["sequence_share"] is None


def test_answers_without_a_reward_or_cut_off_or_not_had_are_counted_apart():
    unknown = record([verdict(None)], index=1, reward=None)
    cut = answer(True, 2)
    cut["rollout"]["finish_reason"] = "length"
    missing = answer(True, 3) | {"rollout": None, "judge": None, "error": "the server is gone"}
    found = explained(answer(False), unknown, cut, missing)
    counts = {"total": 4, "missing": 1, "unscorable": 1, "truncated": 1, "functional": 2}
    assert some(found["answers"]) == counts
    verdicts = found["verdicts"]
    assert (verdicts["missing"], verdicts["unscorable"], verdicts["null"]) == (1, 1, 1)
    assert some(verdicts["passed"]) == some(verdicts["failed"]) == {"placed": 1}


def test_a_page_that_fails_a_gate_has_no_verdicts_that_count():
    gates = [{"level": "format", "passed": True}, {"level": "source", "passed": False}]
    gates = [gate | {"diagnosis": None, "start": None, "end": None} for gate in gates]
    passing = [gate | {"passed": True} for gate in gates]
    broken = answer(False, 1, reward=-0.5, level="source", gates=gates)
    broken["rollout"]["finish_reason"] = "length"
    found = explained(answer(True, gates=passing), broken)
    assert some(found["answers"]) == {"total": 2, "truncated": 1, "truncated_broken": 1, "source": 1, "functional": 1}
    assert found["verdicts"]["gate"] == 1
    assert some(found["verdicts"]["passed"]) == {"alone": 1}
    assert [gate["gate"] for gate in found["gates"]] == ["format", "source"]
    size = len(broken["rollout"]["tokens"])
    assert found["gates"][1]["mass"]["blame"]["given"] == 0.5 * size  # μ·T̄, all over the page
    assert found["gates"][0]["mass"]["blame"]["due"] == 0  # all pass it
    assert "1 of them were cut off: more room" in found["causes"][0]["advice"]


def test_a_verdict_may_be_null_or_its_parent_s():
    def two(first, second, index):
        rows = [verdict(first), verdict(second, "resets")]
        return record(rows, PAGE if first else WRONG, index, items=(ITEM, RESETS), reward=float(bool(first)))

    found = explained(two(True, None, 0), two(False, False, 1))
    adds, resets = found["items"]
    assert some(adds["verdicts"]["failed"]) == {"placed": 1}
    assert (resets["verdicts"]["unknown"], resets["verdicts"]["null"], resets["verdicts"]["parent"]) == (1, 1, 1)
    assert some(resets["groups"]) == {"total": 1, "unknown": 1}
    assert found["verdicts"]["parent"] == 1


def test_an_omission_without_a_like_sibling_is_dropped_and_said_so():
    bare = "<!doctype html><p>Nothing is here but this.</p>"
    found = explained(answer(True), record([verdict(False, failure="absent")], bare, 1))
    assert some(found["verdicts"]["failed"]) == {"left_out": 1}
    assert found["mass"]["blame"]["left_out"] == found["mass"]["blame"]["due"] > 0
    assert found["mass"]["praise"]["given"] > 0
    assert found["causes"][0]["cause"] == "left_out"


def test_a_failure_of_an_answer_without_code_has_no_place():
    empty = record([verdict(False)], "", 1)
    empty["judge"]["artifact"] = None
    found = explained(answer(True), empty)
    assert some(found["verdicts"]["failed"]) == {"unmatched": 1}
    assert found["answers"]["lost_places"] == 1
    assert found["mass"]["blame"]["unmatched"] == found["mass"]["blame"]["due"] > 0
    assert found["mass"]["praise"]["given"] == 0
    assert {cause["cause"] for cause in found["causes"]} >= {"unmatched"}


def test_quotes_that_match_nothing_are_counted():
    found = explained(answer(True), record([verdict(False, diagnosis="`frobnicate()` throws")], WRONG, 1, reward=0.0))
    assert found["unmatched_quotes"] == 1
    assert ("quotes that match nothing in the code", "1", "") in tables.tables(found)[0].rows


def test_every_cause_has_words_also_where_nothing_was_counted():
    figures = advice.Figures(Tally().record())
    assert figures.total == 0
    assert all(sentence(figures).endswith(".") for _, sentence in advice.OF_VERDICTS.values())
    assert advice.causes(figures.record) == []


def test_all_causes_together_add_up():
    """Three groups: one of one mind, one that differs, one with an answer without a reward."""
    every = [
        *(answer(False, index, group="a") for index in range(2)),
        *(answer(bool(index), index, group="b") for index in range(2)),
        record([verdict(None)], reward=None, group="c"),
        answer(True, 1, group="c"),
    ]
    found = explained(*every)
    (item,) = found["items"]
    assert some(found["groups"]) == {"total": 3, "no_contrast": 2, "nothing": 2, "lonely": 1}
    assert some(item["groups"]) == some(found["pairs"]) == {"total": 3, "contrast": 1, "all_fail": 1, "alone": 1}
    assert some(item["verdicts"]["failed"]) == {"same": 2, "placed": 1}
    assert some(item["verdicts"]["passed"]) == {"placed": 1, "alone": 1}
    assert found["causes"][0]["cause"] == "all_fail"
    assert found["causes"][0]["share"] == pytest.approx(2 / 6, abs=1e-4)
    assert "67 % of the failed verdicts (2 of 3)" in found["causes"][0]["advice"]


@pytest.mark.parametrize("mode", ["uniform", "paper"])
def test_other_modes_have_no_credit_of_items(mode):
    found = explained(answer(True), answer(False, 1), mode=mode)
    assert found["modes"][mode] == 1
    assert found["rms"]["items"] is None
    assert found["rms"]["sequence"] == 1
    assert (found["rms"]["token"] == 1) is (mode == "uniform")
    assert found["mass"]["praise"]["due"] == 0
    assert some(found["verdicts"]["failed"]) == {"placed": 1}
    assert len(tables.tables(found)) == 3


def test_credit_that_is_not_align_s_own_is_not_reckoned_again():
    changed = [line.record for line in aligned(answer(True), answer(False, 1))]
    changed[1]["align"]["advantages"][3] += 1
    (found,) = stage.run(lines(*changed))
    assert found["groups"]["differing"] == 1
    assert found["mass"]["praise"]["due"] == 0
    assert found["rms"] == dict.fromkeys(("sequence", "items", "gates", "token"))
    assert "not align's own" in str(tables.tables(found)[0].rows)


def test_a_reward_that_came_after_align_is_no_part_of_its_credit():
    later = [
        line.record for line in aligned(answer(True), answer(False, 1), record([verdict(None)], index=2, reward=None))
    ]
    later[2]["judge"] |= {"reward": 1.0, "verdicts": [verdict(True)]}
    (found,) = stage.run(lines(*later))
    assert found["groups"]["differing"] == 1
    assert found["answers"]["unscorable"] == 1


def test_the_tables_fit_80_columns(capsys):
    named = [ITEM | {"id": f"item-{number:02}-of-a-family-with-a-long-name"} for number in range(30)]
    for passed in (True, False):
        explained(
            *(
                record([verdict(ok, one["id"]) for one in named], PAGE if ok else WRONG, index, items=named)
                for index, ok in enumerate([True, passed])
            )
        )
        told = capsys.readouterr().err
        assert max(map(len, told.splitlines())) <= 80
        assert "and 10 more" in told


def test_the_same_input_gives_the_same_record_whatever_the_order_of_its_groups():
    one = [answer(True, group="a"), answer(False, 1, group="a")]
    two = [answer(False, group="b"), answer(False, 1, group="b")]
    assert explained(*one, *two) == explained(*two, *one)


def test_bad_input_is_named():
    good = [line.record for line in aligned(answer(True), answer(False, 1))]
    with pytest.raises(RecordError, match=r"judged\.jsonl:1: missing 'align' \(run `rcca align` first\)"):
        list(stage.run(lines(answer(True))))
    with pytest.raises(RecordError, match="group: g comes again"):
        list(stage.run(lines(*good, good[0] | {"group": "h"}, good[1])))
    short = good[0] | {"align": good[0]["align"] | {"advantages": [0.0]}}
    with pytest.raises(RecordError, match=r"align\.advantages: 1 numbers for \d+ tokens"):
        list(stage.run(lines(short)))
    bare = good[0] | {"rollout": good[0]["rollout"] | {"tokens": []}}
    with pytest.raises(RecordError, match=r"rollout\.tokens: empty \(`rcca align --tokenizer MODEL`"):
        list(stage.run(lines(bare)))
    with pytest.raises(RecordError, match="group: expected a string, not a number"):
        list(stage.run([Line(good[0] | {"group": 3}, "a.jsonl", 1)]))
    with pytest.raises(RccaError, match="no records to explain"):
        list(stage.run([]))
