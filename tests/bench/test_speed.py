"""What the timings add up to; the timing itself is `rcca bench speed`, not a test."""

import pytest

from rcca_cli.bench import speed
from rcca_cli.bench.speed import stage
from rcca_cli.bench.speed.stage import Timing
from rcca_cli.errors import RccaError


def test_the_ratio_is_of_the_medians():
    timings = [Timing("judge", 10, 40, wall, cpu) for wall, cpu in ((5.0, 9.0), (6.0, 8.0), (100.0, 7.0))] + [
        Timing("harness", 10, 0, wall, 20.0) for wall in (60.0, 59.0, 61.0)
    ]
    found = stage.summary(timings)
    assert found["sides"]["judge"] == {"apps_a_minute": 100.0, "cpu_an_app": 0.8}
    assert found["sides"]["harness"] == {"apps_a_minute": 10.0, "cpu_an_app": 2.0}
    assert (found["ratio"], found["cpu_ratio"]) == (10.0, 0.4)


def test_the_apps_are_right_and_broken_ones_of_at_least_three_items():
    apps = stage.apps(seed=0)
    assert len(apps) == stage.APPS
    assert [bool(record["truth"]) for record in apps] == [False, True] * (stage.APPS // 2)
    assert min(len(record["task"]["rubric"]) for record in apps) >= 3
    assert all(stage.page(record["rollout"]["text"]).startswith("<!DOCTYPE html>") for record in apps)


def test_the_processor_time_of_all_processes_is_counted():
    spin = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'for _ in range(30_000_000): pass'])"
    found = stage.timed("x", 1, 0, ["timeit", "-n1", "-r1", spin])
    assert found.cpu > 0.1


def test_a_side_that_fails_is_one_line():
    with pytest.raises(RccaError, match="x: ended with 1"):
        stage.timed("x", 1, 0, ["timeit", "-n1", "-r1", "import sys; sys.exit(1)"])


def test_a_part_that_is_not_there_is_named():
    with pytest.raises(RccaError, match="speed has no part 'synth'"):
        speed.part("synth")
