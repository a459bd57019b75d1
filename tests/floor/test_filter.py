"""What is around a stage: an output that is finished already, and places that cannot be written to."""

from dataclasses import replace

import orjson
import pytest

from rcca_cli import filter
from rcca_cli.errors import RccaError
from rcca_cli.resume import Unit
from rcca_cli.shard import Shard

ROWS = [{"id": f"a/{number}", "judge": {"config": "c"}} for number in range(3)]


def put(path, rows):
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return str(path)


def resume(tmp_path, rows, config="c"):
    """What is done with these lines of input, by a call that resumes `out`."""
    used = []

    def work(lines):
        for line in lines:
            used.append(line.record["id"])
            yield line.record | {"judge": {"config": config}}

    output = str(tmp_path / "out")
    filter.run(filter.Plan("judge", config, [put(tmp_path / "in", rows)], output, resume=True), work)
    return used


def test_a_finished_file_is_left_as_it_is(tmp_path, capsys):
    before = put(tmp_path / "out", ROWS)
    assert resume(tmp_path, ROWS) == []
    assert (tmp_path / "out").read_bytes().count(b"\n") == 3
    assert capsys.readouterr().err.endswith(f"{before} is finished\n")
    assert not (tmp_path / "out.partial").exists()


def test_one_that_was_made_with_other_options_or_input_is_refused(tmp_path):
    put(tmp_path / "out", ROWS)
    with pytest.raises(RccaError, match="out:1: made with other options"):
        resume(tmp_path, ROWS, config="other")
    with pytest.raises(RccaError, match=r"in:4: not in .*out, which is finished"):
        resume(tmp_path, [*ROWS, {"id": "a/3"}])
    with pytest.raises(RccaError, match="has 3 finished items, the input only 2"):
        resume(tmp_path, ROWS[:2])
    put(tmp_path / "out", [{"id": "a/0"}])
    with pytest.raises(RccaError, match="made with other options"):
        resume(tmp_path, ROWS[:1])


def test_a_partial_file_goes_before_a_finished_one(tmp_path, capsys):
    put(tmp_path / "out", ROWS)
    put(tmp_path / "out.partial", ROWS[:2])
    assert resume(tmp_path, ROWS) == ["a/2"]
    assert capsys.readouterr().err == "resumed after 2 finished items (counts and exit code are of the others)\n"


@pytest.mark.parametrize("place", ["in/x", "in/x/y"])
def test_a_file_in_the_place_of_a_folder_is_named(tmp_path, place):
    put(tmp_path / "in", ROWS)
    plan = filter.Plan("judge", "c", [str(tmp_path / "in")], str(tmp_path / place))
    for write in (lambda: filter.write_all(plan, ROWS), lambda: filter.run(plan, iter)):
        with pytest.raises(RccaError, match="in is a file, not a folder") as error:
            write()
        assert str(error.value).startswith(str(tmp_path / place))


def test_two_calls_never_write_to_one_file(tmp_path):
    output = str(tmp_path / "out")
    plan = filter.Plan("judge", "c", [put(tmp_path / "in", ROWS)], output, resume=True)

    def work(lines):
        for line in lines:
            yield line.record
            with pytest.raises(RccaError, match="out: another call is writing there"):
                filter.run(plan, iter)  # its --resume would cut off what this one is writing

    filter.run(plan, work)
    assert [orjson.loads(line) for line in (tmp_path / "out").read_bytes().splitlines()] == ROWS
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


def test_nor_do_two_calls_that_begin_anew(tmp_path):
    plan = filter.Plan("bench", "c", output=str(tmp_path / "out"))

    def records():
        for row in ROWS:
            yield row
            with pytest.raises(RccaError, match="out: another call is writing there"):
                filter.write_all(plan, ROWS)

    filter.write_all(plan, records())
    assert [orjson.loads(line) for line in (tmp_path / "out").read_bytes().splitlines()] == ROWS


@pytest.mark.parametrize(("unit", "total"), [(Unit(), 3), (Unit("group", 4), 12), (Unit("group", None), 3)])
def test_the_lines_of_the_input_tell_how_many_records_there_will_be(tmp_path, unit, total):
    put(tmp_path / "in", ROWS)
    plan = filter.Plan("judge", "c", [str(tmp_path / "in")], unit=unit)
    assert len(ROWS) == 3
    assert plan.total() == total
    assert replace(plan, expected=lambda: None).total() is None
    assert replace(plan, files=[]).total() is None  # standard input
    assert replace(plan, files=["/dev/null"]).total() is None
    assert replace(plan, shard=Shard.of("1/2")).total() is None
