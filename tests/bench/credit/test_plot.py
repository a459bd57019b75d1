"""The plots of a report: which there are, and that the same figures give the same file."""

import sys
from pathlib import Path

import pytest

from rcca_cli.bench.credit import summary
from tests.bench.credit.test_summary import written

pytest.importorskip("matplotlib")  # of developers
sys.path.insert(0, str(Path(__file__).parents[3] / "recipes"))
import credit_plot


@pytest.fixture
def report(tmp_path):
    """Two arms on two seeds, the one with processor seconds; and the estimator's figures."""
    runs = [written(tmp_path, "uniform-gates", seed, [0.4, 0.5 + seed / 10]) for seed in (0, 1)]
    runs += [written(tmp_path, "oracle", seed, [0.4, 0.8], {"train": 1.0}) for seed in (0, 1)]
    arms = [
        {"arm": "oracle", "cosine": 0.2, "cosine_error": 0.01, "cosine_of_mean": None},
        {"arm": "uniform", "cosine": 0.1, "cosine_error": 0.01, "cosine_of_mean": 0.6},
    ]
    return summary.report(runs) | {"estimator": {"arms": arms}}


def drawn(report, folder, arms=()):
    folder.mkdir()
    credit_plot.draw(report, folder, list(arms))
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_report_has_the_plots_that_it_has_figures_for(report, tmp_path):
    found = drawn(report, tmp_path / "all")
    assert found.keys() == {f"credit-{name}.svg" for name in ("curves", "cpu", "differences", "cosines")}
    assert found == drawn(report, tmp_path / "again")
    bare = {"arms": [], "comparisons": [], "runs": [], "estimator": report["estimator"]}
    assert drawn(bare, tmp_path / "bare").keys() == {"credit-cosines.svg"}


def test_curves_can_be_of_some_arms_alone(report, tmp_path):
    assert "credit-differences.svg" not in drawn(report, tmp_path / "one", ["oracle"])
    shown = credit_plot.only(report, ["oracle", "uniform-gates"])
    assert [arm["arm"] for arm in shown["arms"]] == ["oracle", "uniform-gates"]
    assert len(shown["comparisons"]) == 1


def test_the_dose_response_needs_all_its_arms(report, tmp_path):
    runs = [
        written(tmp_path, arm, 0, [0.4, 0.4 + share / 2])
        for arm, share in {**credit_plot.DOSES, "broadcast": 0.2}.items()
    ]
    assert "credit-doses.svg" in drawn(summary.report(runs), tmp_path / "doses")
    assert "credit-doses.svg" not in drawn(summary.report(runs[1:]), tmp_path / "fewer")


def test_the_accuracy_of_align_is_a_share_of_failed_items():
    assert 0.5 < credit_plot.accuracy() < 1.0


@pytest.mark.parametrize(
    ("content", "words", "why"),
    [
        ("", ["{file}"], "a report and a folder are needed"),
        ('{"arms": [', ["{file}", "{folder}"], "{file}: not JSON"),
        ("[]", ["{file}", "{folder}"], "{file}: no report of rcca bench credit"),
        ("{}", ["{folder}/none.json", "{folder}"], "none.json: No such file"),
        (
            '{"arms": [{"arm": "oracle"}], "comparisons": [], "runs": []}',
            ["{file}", "{folder}", "broad"],
            "broad: no such",
        ),
    ],
)
def test_what_cannot_be_drawn_is_one_line_and_2(content, words, why, tmp_path, capsys):
    places = {"file": tmp_path / "r.json", "folder": tmp_path / "plots"}
    places["file"].write_text(content)
    with pytest.raises(SystemExit) as ended:
        credit_plot.main([word.format(**places) for word in words])
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert said.count("\n") == 1
    assert why.format(**places) in said
