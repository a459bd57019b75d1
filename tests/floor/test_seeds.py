import doctest

import pytest

from rcca_cli import seeds


def test_the_worked_examples():
    assert doctest.testmod(seeds).failed == 0


def test_digests_stay_what_they_were():
    assert seeds.digest(["é", 1, {"b": None, "a": 0.5}]) == "d188eca5d8d3f5f8"
    assert seeds.derive(0, "page", "t1/0") == 2717463992361903990


@pytest.mark.parametrize("name", ["t\ud800", 10**30])
def test_a_name_that_is_no_ordinary_json_gives_a_seed_too(name):
    assert seeds.derive(0, name) == seeds.derive(0, name) != seeds.derive(1, name)
    assert seeds.digest({"a": name, "b": 1}) == seeds.digest({"b": 1, "a": name})
