"""What the timings of align add up to, and the answers that are timed; the timing itself is no test."""

import pytest

from rcca_cli import source
from rcca_cli.bench.speed import align, stage
from rcca_cli.bench.speed.align import Growth
from rcca_cli.bench.speed.stage import Timing
from rcca_cli.errors import RccaError


def test_the_ratios_are_of_the_medians_and_the_exponent_of_the_growth():
    timings = [Timing("judge", 10, 40, 20.0, 40.0)]
    timings += [Timing("align", 10, 40, wall, 0.8) for wall in (0.5, 0.4, 9.0)]
    timings += [Timing(align.FUNCTION, 10, 40, wall, 0.1) for wall in (0.1, 0.2, 0.1)]
    growths = [Growth(length, 2 * length, 2e-6 * length * power) for length in (10_000, 1_000_000) for power in (1, 1)]
    found = align.summary([*timings, *growths])
    assert (found["ratio"], found["function_ratio"], found["clock_ratio"]) == (0.02, 0.0025, 0.025)
    assert found["seconds_per_megabyte"] == pytest.approx({"10000": 1.0, "1000000": 1.0})
    assert found["exponent"] == pytest.approx(1.0)
    square = [Growth(length, length, 1e-12 * length**2) for length in (10_000, 100_000)]
    assert align.summary([*timings, *square])["exponent"] == pytest.approx(2.0)


def test_the_tables_say_the_shares_and_the_growth(capsys):
    turns = [Timing("judge", 10, 40, 20.0, 40.0), Timing("align", 10, 40, 0.5, 0.8)]
    turns += [Timing(align.FUNCTION, 10, 40, 0.1, 0.1), Growth(10_000, 20_000, 0.02), Growth(1_000_000, 2_000_000, 2.0)]
    align.show(align.summary(turns))
    said = " ".join(capsys.readouterr().err.split())
    assert "align takes 2.0% of the judge's processor time, 0.2% without start-up; by the clock 2.5%" in said
    assert "align, without start-up 0.10 0.10" in said


def test_a_lengthened_app_is_the_app_with_more_of_everything():
    record = stage.apps(seed=0, count=2)[0]
    text = align.lengthened(record, 20_000)["rollout"]["text"]
    assert 20_000 <= len(text) < 21_000
    assert text.startswith(record["rollout"]["text"].rpartition("</body>")[0])
    assert source.check(stage.page(text)) == []


def test_another_kind_of_report_is_refused_before_any_work():
    with pytest.raises(RccaError, match=r"--report x\.html: the figures are written as \.json"):
        align.write(None, report="x.html")
