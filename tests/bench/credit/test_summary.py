"""The figures of runs, from files written by hand."""

import orjson
import pytest

from rcca_cli.bench.credit import summary, tables
from rcca_cli.errors import RccaError


def written(folder, arm, seed, passed, stamp=None, subsets=None):
    """The file of a run whose evaluations, 32 samples apart, came to these shares."""
    head = {"kind": "run", "arm": arm, "tier": "S", "seed": seed, "scale": 2.0}
    rows = [head]
    for step, share in enumerate(passed):
        if step:
            rows.append({"kind": "step", "step": step, "grad_norm": 0.5} | ({"stamp": stamp} if stamp else {}))
        figures = {"passed": share, "all_pass": share and share / 2, "functional": 1.0, "drift": 0.01 * step}
        rows.append(
            {"kind": "eval", "step": step, "samples": 32 * step} | figures | (subsets(share) if subsets else {})
        )
    path = folder / f"{arm}-{seed}.jsonl"
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return summary.read(str(path))


@pytest.fixture
def found(tmp_path):
    """Two arms on two seeds: the second is half way to 1 after 32 samples in each, the first never."""
    plain = [written(tmp_path, "uniform-gates", seed, [0.4, 0.5, 0.6]) for seed in (0, 1)]
    ours = [written(tmp_path, "oracle", seed, [0.4, 0.7, 0.7 + seed / 10], {"train": 1.5}) for seed in (0, 1)]
    return summary.report([*plain, *ours])


def test_an_arms_figures_are_means_over_its_seeds(found):
    plain, ours = found["arms"]
    assert (plain["arm"], plain["tier"], plain["seeds"]) == ("uniform-gates", "S", [0, 1])
    assert plain["auc"] == pytest.approx(0.5)
    assert ours["auc"] == pytest.approx((0.625 + 0.65) / 2)
    assert (ours["final"], ours["final_all_pass"]) == (pytest.approx(0.75), pytest.approx(0.375))
    assert ours["samples_to"]["0.5"] == {"samples": 32, "censored": False}
    assert plain["samples_to"]["0.5"] == {"samples": 64, "censored": True}
    assert (ours["cpu_seconds"], plain["cpu_seconds"]) == (3.0, None)


def test_arms_are_compared_seed_by_seed(found):
    (pair,) = found["comparisons"]
    assert (pair["arm"], pair["control"], pair["seeds"]) == ("oracle", "uniform-gates", [0, 1])
    assert pair["auc"]["mean"] == pytest.approx(0.1375)
    assert pair["auc"]["p_flip"] == 0.5  # two of the four patterns of two signs
    assert pair["functional"]["mean"] == 0
    assert pair["samples_ratio"]["0.5"]["bounded"] == {"at least": 0, "at most": 2, "neither": 0}
    assert pair["samples_ratio"]["0.5"]["ratio"] == pytest.approx(0.5)
    assert pair["samples_ratio"]["0.5"]["low"] is None


def test_arms_are_compared_at_the_seconds_of_the_cheapest_run_of_each_seed(tmp_path):
    plain = [written(tmp_path, "uniform-gates", seed, [0.4, 0.5, 0.6], {"train": 1.0}) for seed in (0, 1)]
    ours = [written(tmp_path, "oracle", 0, [0.4, 0.8, 0.9], {"judge": 1.0, "train": 3.0})]
    ours += [written(tmp_path, "oracle", 1, [0.4, 0.8, 0.9], {"judge": 0.25, "train": 0.25})]
    found = summary.report([*plain, *ours])
    base, dear = (arm["equal_cpu"] for arm in found["arms"])
    # Seed 0 ends after 2 s, half way to the first point of the dear arm; seed 1 after 1 s, at the plain arm's first.
    assert (base["seconds"], base["auc"], base["passed"]) == (1.5, pytest.approx(0.475), pytest.approx(0.55))
    assert (dear["seconds"], dear["auc"], dear["passed"]) == (1.5, pytest.approx(0.6125), pytest.approx(0.75))
    (pair,) = found["comparisons"]
    assert pair["equal_cpu"]["auc"]["mean"] == pytest.approx((0.0 + 0.275) / 2)
    assert pair["equal_cpu"]["passed"]["mean"] == pytest.approx((0.0 + 0.4) / 2)
    assert found["runs"][2]["over_cpu"] == [(0.0, 0.4), (4.0, 0.8), (8.0, 0.9)]


def test_the_browsers_seconds_count_only_where_all_stamps_have_them(tmp_path):
    told = written(tmp_path, "oracle", 0, [0.4, 0.8], {"browser": 3.0, "train": 1.0})
    early = written(tmp_path, "uniform-gates", 0, [0.4, 0.6], {"train": 2.0})
    (alone,) = summary.report([told])["arms"]
    assert (alone["equal_cpu"]["seconds"], alone["equal_cpu"]["browser"]) == (4.0, True)
    for arm in summary.report([told, early])["arms"]:
        assert (arm["equal_cpu"]["seconds"], arm["equal_cpu"]["browser"]) == (1.0, False)


def parts(share):
    """Of unseen pairs it is a tenth worse; no task has a family that was left out."""

    def figures(passed, known):
        return {"passed": passed, "functional": 1.0 if known else None, "known": known}

    return {"subsets": {"seen": figures(share, 6), "unseen": figures(share - 0.1, 3), "left_out": figures(None, 0)}}


def test_parts_of_the_held_out_tasks_have_figures_of_their_own(tmp_path, capsys):
    plain = [written(tmp_path, "uniform-gates", seed, [0.4, 0.6], subsets=parts) for seed in (0, 1)]
    ours = [written(tmp_path, "oracle", seed, [0.4, 0.8 + seed / 10], subsets=parts) for seed in (0, 1)]
    found = summary.report([*plain, *ours])
    unseen = found["arms"][1]["subsets"]["unseen"]
    assert (unseen["answers"], unseen["start"], unseen["final"]) == (3, pytest.approx(0.3), pytest.approx(0.75))
    assert unseen["auc"] == pytest.approx(0.525)
    assert found["arms"][1]["subsets"]["left_out"]["auc"] is None
    (pair,) = found["comparisons"]
    assert pair["subsets"]["seen"]["mean"] == pytest.approx(0.125)
    assert "left_out" not in pair["subsets"]
    tables.show(found | {"estimator": None})
    assert "unseen pairs" in capsys.readouterr().err


def test_runs_without_stamps_or_parts_have_neither(found):
    assert [arm["equal_cpu"] is None for arm in found["arms"]] == [True, False]
    assert all(arm["subsets"] is None for arm in found["arms"])
    assert found["comparisons"][0]["equal_cpu"] is found["comparisons"][0]["subsets"] is None


def test_the_tables_say_what_there_is(found, capsys):
    tables.show(found | {"estimator": None})
    told = capsys.readouterr().err
    assert "oracle − uniform-gates" in told
    assert "+0.138" in told
    assert "> 64" in told


def test_runs_without_a_seed_in_common_are_not_compared(tmp_path):
    runs = [written(tmp_path, "uniform-gates", 0, [0.4, 0.5]), written(tmp_path, "oracle", 1, [0.4, 0.5])]
    assert summary.report(runs)["comparisons"] == []


def test_a_figure_that_is_not_known_is_left_out_and_never_0(tmp_path):
    def unknown_drift(share):
        return {"drift": None} | ({"passed": None} if share == 0.5 else {})

    one = written(tmp_path, "oracle", 0, [0.4, 0.5, 0.6], subsets=unknown_drift)
    other = written(tmp_path, "oracle", 1, [0.2, 0.4, 0.8])
    (arm,) = summary.report([one, other])["arms"]
    assert arm["drift"] == pytest.approx(0.02)  # of the one that has it
    assert arm["auc"] == pytest.approx((0.5 + 0.45) / 2)  # from 0.4 straight to 0.6, and 0.3, 0.6
    assert arm["samples_to"]["0.5"] == {"samples": pytest.approx(64 * 0.35 / 0.4), "censored": False}
    (arm,) = summary.report([one])["arms"]
    assert arm["drift"] is None


def test_a_run_without_verdicts_has_no_figures_and_says_so(tmp_path):
    with pytest.raises(RccaError, match=r"oracle-0.jsonl: no verdict in its evaluations but of one \(remove it"):
        written(tmp_path, "oracle", 0, [None, 0.5], subsets=lambda share: {"all_pass": None})
