"""A rubric as a whole: what no single item shows to be wrong."""

import pytest

from rcca_cli.checks import rubric


def items(**parents):
    return [{"id": name, "parents": list(needs), "check": None} for name, needs in parents.items()]


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        (items(a="", b="a", c="ab"), []),
        (items(gate=""), ["0.id: 'gate' is what the gates are called (choose another)"]),
        (items(a="b", b="a"), ["0.parents: 'a', 'b' are parents of each other, in a circle"]),
        (items(d="", a="c", b="a", c="b", e="a"), ["1.parents: 'a', 'b', 'c' are parents of each other, in a circle"]),
        (items(a="a"), ["0.parents: 'a' is no other item"]),
    ],
)
def test_names_and_circles(given, wrong):
    assert list(rubric.problems(given)) == wrong
