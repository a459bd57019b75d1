"""The long run: what is drawn, what is measured, what is too much."""

import doctest

import pytest

from rcca_cli.bench.redteam import pack, soak

POINT = soak.Point(pages=100, ours=100_000_000, browser=400_000_000, processes=9, zombies=0, honest=50, changed=0)


def test_every_other_page_is_honest_and_no_page_is_dear():
    pages = soak.draw(400, 3)
    assert [page.group == pack.HONEST for page in pages] == [False, True] * 200
    assert {page.group for page in pages} == {pack.HONEST, *pack.CLASSES}
    assert [page.name for page in pages if "bomb" in page.name] == []
    assert pages == soak.draw(400, 3) != soak.draw(400, 4)


def test_growth_within_its_bound_is_none():
    assert list(soak.grown([POINT, POINT])) == []
    more = soak.Point(1000, 200_000_000, 900_000_000, 9, 0, 500, 0)
    assert list(soak.grown([POINT, more])) == [
        "we grew by 100 MB (at most 60)",
        "the browser grew by 500 MB (at most 400)",
    ]


def test_the_examples_hold():
    assert doctest.testmod(soak).failed == 0


def test_a_short_run_holds(rcca):
    done = rcca("bench", "redteam", "--soak", "12", "--jobs", "2")
    assert done.code == 0, done.stderr
    assert [record["pages"] for record in done.records] == [1, 6, 12]
    assert (done.records[-1]["honest"], done.records[-1]["changed"]) == (6, 0)


@pytest.mark.slow
def test_a_long_run_of_hostile_and_honest_pages_leaves_nothing(rcca):
    done = rcca("bench", "redteam", "--soak", "1000", "--jobs", "2", timeout=3000)
    assert done.code == 0, done.stderr
