"""`--shard i/n`: parts that share the work, and together are all of it."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rcca_cli import shard
from rcca_cli.errors import RccaError
from rcca_cli.shard import Shard

groups = st.lists(st.text(min_size=1), unique=True)


@given(groups, st.integers(1, 9))
def test_each_record_is_in_one_part_and_its_group_with_it(names, count):
    parts = [Shard(index, count) for index in range(1, count + 1)]
    for name in names:
        answers = [{"id": f"{name}/{n}", "group": name} for n in range(3)]
        assert [sum(part.holds(answer) for part in parts) for answer in answers] == [1, 1, 1]
        assert len({next(part for part in parts if part.holds(answer)) for answer in answers}) == 1


def test_the_examples_in_the_code_hold():
    assert doctest.testmod(shard).failed == 0


def test_parts_are_of_like_size():
    counts = [sum(Shard(index, 4).holds({"group": f"t{n}"}) for n in range(4000)) for index in range(1, 5)]
    assert sum(counts) == 4000
    assert all(900 < count < 1100 for count in counts)


def test_what_has_no_group_goes_by_its_id_and_what_has_no_id_by_what_it_says():
    assert Shard(1, 2).holds({"id": "a"}) == Shard(1, 2).holds({"group": "a", "id": "b"})
    assert Shard(1, 2).holds({"prompt": "x"}) != Shard(2, 2).holds({"prompt": "x"})


@pytest.mark.parametrize("text", ["0/4", "5/4", "1/0", "1", "a/b", "1/2/3", "-1/2", ""])
def test_what_is_no_part_is_refused(text):
    with pytest.raises(RccaError, match="say i/n, with i from 1 to n"):
        Shard.of(text)


def test_the_parts_together_are_the_whole_and_one_that_lacks_is_named(rcca, tmp_path):
    answers = [{"prompt": f"Page {n}", "completion": f"```html\n<p>{n}</p>\n```"} for n in range(6)]
    command = ("rollout", "--backend", "replay")
    whole = tmp_path / "whole.jsonl"
    whole.write_bytes(rcca(*command, stdin=answers).stdout)
    parts = [rcca(*command, "--shard", f"{index}/2", stdin=answers) for index in (1, 2)]
    assert sorted(b"".join(part.stdout for part in parts).splitlines()) == sorted(whole.read_bytes().splitlines())
    check = ("validate", "--unique", "id", "--against", str(whole))
    assert rcca(*check, stdin=[*parts[0].records, *parts[1].records]).code == 0
    short = rcca(*check, stdin=parts[0].records)
    assert short.code == 1
    assert f"{parts[1].records[0]['id']}: missing" in short.stderr
    assert f"{len(parts[1].records)} are missing" in short.stderr


def test_a_part_is_resumed_as_that_part(rcca, tmp_path):
    answers = [{"prompt": f"Page {n}", "completion": f"```html\n<p>{n}</p>\n```"} for n in range(6)]
    command = ("rollout", "--backend", "replay", "-o", str(tmp_path / "part.jsonl"), "--resume", "--shard")
    first = rcca(*command, "1/2", stdin=answers)
    assert (first.code, first.stdout) == (0, b"")
    assert "is finished" in rcca(*command, "1/2", stdin=answers).stderr
    other = rcca(*command, "2/2", stdin=answers)
    assert other.code == 2
    assert "the input has changed" in other.stderr
