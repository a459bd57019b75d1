import orjson
import pytest

from rcca_cli import resume
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line


def write(path, rows, tail=b""):
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows) + tail)
    return path


def row(group, index, config="c"):
    return {"id": f"{group}/{index}", "group": group, "judge": {"config": config}}


def test_a_torn_line_is_cut_and_the_whole_ones_are_kept(tmp_path):
    partial = write(tmp_path / "p", [row("a", 0), row("a", 1)], b'{"id":"a/2"')
    assert resume.finished(partial, "judge", "c", resume.Unit()) == ["a/0", "a/1"]
    assert partial.read_bytes().endswith(b"\n")
    assert partial.read_bytes().count(b"\n") == 2


def test_an_unfinished_group_is_redone(tmp_path):
    partial = write(tmp_path / "p", [row("a", 0), row("a", 1), row("b", 0)])
    assert resume.finished(partial, "judge", "c", resume.Unit("group", size=2)) == ["a"]
    assert partial.read_bytes().count(b"\n") == 2


def test_a_group_of_unknown_size_is_redone_unless_another_follows(tmp_path):
    partial = write(tmp_path / "p", [row("a", 0), row("a", 1), row("b", 0), row("b", 1)])
    assert resume.finished(partial, "judge", "c", resume.Unit("group", size=None)) == ["a"]


def test_an_unfinished_window_is_redone_from_its_start(tmp_path):
    partial = write(tmp_path / "p", [row(group, 0) for group in "abcde"])
    assert resume.finished(partial, "judge", "c", resume.Unit("group", size=1, window=2)) == ["a", "b", "c", "d"]
    assert partial.read_bytes().count(b"\n") == 4


def test_other_options_are_refused(tmp_path):
    partial = write(tmp_path / "p", [row("a", 0, config="other")])
    with pytest.raises(RccaError, match="other options"):
        resume.finished(partial, "judge", "c", resume.Unit())


def test_an_item_that_is_not_known_counts_as_done(tmp_path):
    partial = write(tmp_path / "p", [row("a", 0), row("a", 1) | {"judge": None, "error": "no answer"}])
    assert resume.finished(partial, "judge", "c", resume.Unit()) == ["a/0", "a/1"]


def lines(*ids):
    return iter([Line({"id": name}, "f", number) for number, name in enumerate(ids, 1)])


def ids(found):
    return [line.record["id"] for line in found]


def test_the_finished_are_skipped():
    assert ids(resume.skip(lines("a", "b", "c"), ["a", "b"], resume.Unit())) == ["c"]


def test_adjacent_records_of_one_unit_are_skipped_together():
    assert ids(resume.skip(lines("a", "a", "b", "b"), ["a"], resume.Unit("id", size=None))) == ["b", "b"]


def test_neighbours_of_one_name_are_units_of_their_own(tmp_path):
    rows = [row("a", 0), row("a", 0), row("b", 0)]
    for count in range(4):
        done = resume.finished(write(tmp_path / "p", rows[:count]), "judge", "c", resume.Unit())
        assert len(done) == count
        left = list(resume.skip(iter([Line(one, "f", 1) for one in rows]), done, resume.Unit()))
        assert [line.record for line in left] == rows[count:]


def test_two_tasks_of_one_group_have_their_answers_each(tmp_path):
    unit = resume.Unit("group", size=2)
    partial = write(tmp_path / "p", [row("a", 0), row("a", 1), row("a", 0)])
    done = resume.finished(partial, "judge", "c", unit)
    assert (done, partial.read_bytes().count(b"\n")) == (["a"], 2)
    tasks = [Line({"id": name, "group": "a"}, "f", 1) for name in ("x", "y")]
    assert ids(resume.skip(iter(tasks), done, unit)) == ["y"]


def test_a_task_without_a_group_is_one_of_its_own(tmp_path):
    unit = resume.Unit("group", size=1)
    done = resume.finished(write(tmp_path / "p", [row("a", 0)]), "judge", "c", unit)
    assert ids(resume.skip(lines("a", "b"), done, unit)) == ["b"]


def test_a_changed_input_is_refused_by_its_line():
    with pytest.raises(RccaError, match=r"^f:2: id: x where the partial output has b"):
        ids(resume.skip(lines("a", "x"), ["a", "b"], resume.Unit()))


def test_a_shorter_input_is_refused():
    with pytest.raises(RccaError, match="3 finished items, the input only 1"):
        ids(resume.skip(lines("a"), ["a", "b", "c"], resume.Unit()))
