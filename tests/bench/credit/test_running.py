"""A run of one arm: the same bytes twice, also when it was cut off; nothing of the clock in it but stamps."""

from dataclasses import replace

import orjson
import pytest

from rcca_cli import seeds
from rcca_cli.bench.credit import lab, running, stage, summary
from rcca_cli.bench.credit.options import Options
from rcca_cli.errors import RccaError

SMALL = Options(
    arm="oracle", steps=2, groups=1, group_size=2, eval_every=1, eval_tasks=2, calibration_tasks=1, max_new_tokens=200
)


def made(options):
    with lab.opened(options, [options.arm]) as ours:
        running.run(options, ours)
    with open(options.path, "rb") as stream:
        return stream.read()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """An undisturbed run: its options and bytes. What the oracle does not know is judged once, and kept."""
    folder = tmp_path_factory.mktemp("credit")
    options = replace(SMALL, out=str(folder / "first"), cache=str(folder / "judged"))
    return options, made(options)


def test_an_option_that_came_later_leaves_the_digest_of_runs_without_it():
    assert seeds.config_digest(SMALL) == seeds.config_digest(replace(SMALL, items=None))
    assert "items" not in seeds.counting(SMALL)
    assert seeds.config_digest(SMALL) != seeds.config_digest(replace(SMALL, items=2))
    assert seeds.config_digest(Options(arm="broadcast", seed=100, steps=60, learning_rate=5e-4)) == "a13d8e5475b19f7f"


def test_what_is_only_told_besides_leaves_the_digest():
    assert seeds.config_digest(SMALL) == seeds.config_digest(replace(SMALL, agreement=True, stamp=True))


def lines_of(options):
    """The lines of a whole run by these options, without figures."""
    head = {"kind": "run", "config": seeds.config_digest(options), "options": seeds.counting(options)}
    rest = [{"kind": kind, "step": step} for kind, step in running.outline(options)[1:]]
    return [orjson.dumps(record) + b"\n" for record in (head, *rest)]


def finished(options, lines):
    """Whether a file of these lines is taken for the finished run."""
    with open(options.path, "wb") as stream:
        stream.writelines(lines)
    return running.is_finished(options)


def test_a_file_that_is_not_the_whole_of_its_run_is_not_taken_for_it(tmp_path):
    options = replace(SMALL, steps=3, eval_every=2, out=str(tmp_path))
    whole = lines_of(options)
    assert len(whole) == 7  # the run, three steps, and evaluations at the start, after step 2 and at the end
    assert finished(options, whole)
    for cut in range(len(whole)):
        with pytest.raises(RccaError, match=r"oracle-S-000.jsonl: not the whole of a run \(remove it"):
            finished(options, whole[:cut])
    with pytest.raises(RccaError, match=r"oracle-S-000.jsonl:7:\d+: not JSON"):
        finished(options, [*whole[:-1], whole[-1][:9]])


def test_other_options_are_named_also_those_that_the_file_has_not(tmp_path):
    options = replace(SMALL, out=str(tmp_path))
    assert finished(options, lines_of(options))
    with pytest.raises(RccaError, match=r"oracle-S-000.jsonl:1: a run with eval_tasks 2, no items "):
        finished(replace(options, items=3, eval_tasks=4), lines_of(options))


def test_a_finished_run_says_what_is_asked_for_now_that_it_was_made_without(tmp_path):
    options = replace(SMALL, out=str(tmp_path), agreement=True, stamp=True)
    finished(options, lines_of(options))
    assert running.lacking(options) == ", without --agreement and --stamp (another --out has it made with)"
    finished(options, [line.replace(b'"step":', b'"stamp":{},"step":') for line in lines_of(options)])
    assert running.lacking(options) == ", without --agreement (another --out has it made with)"
    assert running.lacking(replace(options, agreement=False)) == ""


@pytest.mark.slow
def test_a_run_of_two_items_a_task_has_verdicts_on_two(whole, tmp_path):
    records = made(replace(whole[0], items=2, steps=1, out=str(tmp_path))).splitlines()
    shares = [orjson.loads(line)["passed"] for line in records if orjson.loads(line)["kind"] == "eval"]
    assert all((4 * share).is_integer() for share in shares)  # two tasks of two items, of like weight in the share


@pytest.mark.slow
def test_a_run_has_a_line_for_itself_its_evaluations_and_its_steps(whole):
    records = [orjson.loads(line) for line in whole[1].splitlines()]
    assert [record["kind"] for record in records] == ["run", "eval", "step", "eval", "step", "eval"]
    assert [record["samples"] for record in records if record["kind"] == "eval"] == [0, 2, 4]
    assert records[0]["scale"] > 0
    assert records[1]["drift"] == pytest.approx(0, abs=1e-5)
    assert records[-1]["drift"] != records[1]["drift"]


@pytest.mark.slow
def test_the_same_run_gives_the_same_bytes(whole, tmp_path):
    options, content = whole
    assert made(replace(options, out=str(tmp_path))) == content


@pytest.mark.slow
def test_a_run_cut_off_in_the_middle_of_a_line_goes_on_to_the_same_bytes(whole, tmp_path):
    options, content = whole
    short = replace(options, out=str(tmp_path), steps=1)
    part = replace(options, out=str(tmp_path))
    lines = content.splitlines(keepends=True)

    class Cut(Exception):
        pass

    class Short(running.Run):
        def step(self, number):
            if number == 2:
                raise Cut
            return super().step(number)

    with lab.opened(options, [options.arm]) as ours, pytest.raises(Cut):
        running.write(part, Short(part, ours, []))
    partial = tmp_path / f"{part.name}.jsonl.partial"
    assert partial.read_bytes() == b"".join(lines[:4])
    partial.write_bytes(b"".join(lines[:4]) + b'{"kind":"st')
    assert made(part) == content
    with pytest.raises(RccaError, match="a run with steps 2"):
        made(short)


@pytest.mark.slow
def test_the_real_judge_is_asked_too_and_nothing_else_changes(whole, tmp_path):
    options, content = whole
    records = [orjson.loads(line) for line in made(replace(options, agreement=True, out=str(tmp_path))).splitlines()]
    asked = [record.pop("agreement") for record in records if "agreement" in record]
    assert records == [orjson.loads(line) for line in content.splitlines()]
    assert len(asked) == 3  # of the evaluations at the start, after step 1 of 2, and at the end
    assert all(one["answers"] == 2 and one["decided"] <= 2 for one in asked)


@pytest.mark.slow
def test_seen_and_unseen_pairs_are_all_of_an_evaluation(whole):
    evals = [one for line in whole[1].splitlines() if (one := orjson.loads(line))["kind"] == "eval"]
    for record in evals:
        seen, unseen = (record["subsets"][name] for name in ("seen", "unseen"))
        assert seen["known"] + unseen["known"] == record["known"] == 2
        assert (seen["passed"] + unseen["passed"]) / 2 == pytest.approx(record["passed"])


@pytest.mark.slow
def test_arms_of_one_seed_have_the_same_start_and_the_same_tasks(whole, tmp_path):
    options, _ = whole
    made(replace(options, arm="uniform-gates", out=str(tmp_path)))
    ours = summary.read(options.path)
    theirs = summary.read(replace(options, arm="uniform-gates", out=str(tmp_path)).path)
    assert ours.evals[0] == theirs.evals[0]
    assert ours.steps[0]["pass_mean"] == theirs.steps[0]["pass_mean"]
    assert ours.steps[0]["grad_norm"] != theirs.steps[0]["grad_norm"]


@pytest.mark.slow
def test_the_report_has_every_arm_and_every_pair(whole, tmp_path):
    options, _ = whole
    run = replace(options, out=str(tmp_path), steps=1, stamp=True)
    found = {}
    records = list(stage.run(stage.Options(run, ("oracle", "uniform-gates"), 2, "runs", runs_at_once=2), found))
    assert [record["arm"] for record in records] == ["uniform-gates", "oracle"]
    (pair,) = found["comparisons"]
    assert (pair["arm"], pair["control"], pair["seeds"]) == ("oracle", "uniform-gates", [0, 1])
    assert all(one["cpu"]["train"] > 0 for one in found["runs"])
