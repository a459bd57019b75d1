import orjson
import pytest

from rcca_cli import resume
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line


def write(path, rows, tail=b""):
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows) + tail)
    return path


def names(done):
    return [one.name for one in done]


def made_of(*lines):
    """What is finished, if an output was made from these names."""
    return [resume.Done(name, [resume.Unit().print({"id": name})]) for name in lines]


def row(group, index, config="c"):
    return {"id": f"{group}/{index}", "group": group, "judge": {"config": config}}


def test_a_torn_line_is_cut_and_the_whole_ones_are_kept(tmp_path):
    partial = write(tmp_path / "p", [row("a", 0), row("a", 1)], b'{"id":"a/2"')
    assert names(resume.finished(partial, "judge", "c", resume.Unit())) == ["a/0", "a/1"]
    assert partial.read_bytes().endswith(b"\n")
    assert partial.read_bytes().count(b"\n") == 2


def test_an_unfinished_group_is_redone(tmp_path):
    partial = write(tmp_path / "p", [row("a", 0), row("a", 1), row("b", 0)])
    assert names(resume.finished(partial, "judge", "c", resume.Unit("group", size=2))) == ["a"]
    assert partial.read_bytes().count(b"\n") == 2


def test_a_group_of_unknown_size_is_redone_unless_another_follows(tmp_path):
    partial = write(tmp_path / "p", [row("a", 0), row("a", 1), row("b", 0), row("b", 1)])
    assert names(resume.finished(partial, "judge", "c", resume.Unit("group", size=None))) == ["a"]


def test_an_unfinished_window_is_redone_from_its_start(tmp_path):
    partial = write(tmp_path / "p", [row(group, 0) for group in "abcde"])
    assert names(resume.finished(partial, "judge", "c", resume.Unit("group", size=1, window=2))) == ["a", "b", "c", "d"]
    assert partial.read_bytes().count(b"\n") == 4


def test_other_options_are_refused(tmp_path):
    partial = write(tmp_path / "p", [row("a", 0, config="other")])
    with pytest.raises(RccaError, match="other options"):
        resume.finished(partial, "judge", "c", resume.Unit())


def test_an_item_that_is_not_known_counts_as_done(tmp_path):
    partial = write(tmp_path / "p", [row("a", 0), row("a", 1) | {"judge": None, "error": "no answer"}])
    assert names(resume.finished(partial, "judge", "c", resume.Unit())) == ["a/0", "a/1"]


def lines(*ids):
    return iter([Line({"id": name}, "f", number) for number, name in enumerate(ids, 1)])


def ids(found):
    return [line.record["id"] for line in found]


def test_the_finished_are_skipped():
    assert ids(resume.skip(lines("a", "b", "c"), made_of("a", "b"), resume.Unit())) == ["c"]


def test_adjacent_records_of_one_unit_are_skipped_together():
    assert ids(
        resume.skip(
            lines("a", "a", "b", "b"), [resume.Done("a", 2 * made_of("a")[0].prints)], resume.Unit("id", size=None)
        )
    ) == ["b", "b"]


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
    assert (names(done), partial.read_bytes().count(b"\n")) == (["a"], 2)
    tasks = [Line({"id": name, "group": "a"}, "f", 1) for name in ("x", "y")]
    assert ids(resume.skip(iter(tasks), done, unit)) == ["y"]


def test_a_task_without_a_group_is_one_of_its_own(tmp_path):
    unit = resume.Unit("group", size=1)
    done = resume.finished(write(tmp_path / "p", [row("a", 0)]), "judge", "c", unit)
    assert ids(resume.skip(lines("a", "b"), done, unit)) == ["b"]


def test_a_changed_input_is_refused_by_its_line():
    with pytest.raises(RccaError, match=r"^f:2: id: x where the output has b"):
        ids(resume.skip(lines("a", "x"), made_of("a", "b"), resume.Unit()))


def test_a_shorter_input_is_refused():
    with pytest.raises(RccaError, match="3 finished items, the input only 1"):
        ids(resume.skip(lines("a"), made_of("a", "b", "c"), resume.Unit()))


KEPT = resume.Unit("group", size=None, kept=("task", "rollout.text"))


def answered(group, index, text):
    return row(group, index) | {"task": {"prompt": group}, "rollout": {"text": text, "tokens": [1, 2]}}


ANSWERS = [answered("a", 0, "x"), answered("a", 1, "y"), answered("b", 0, "z"), answered("c", 0, "w")]


def skipped(tmp_path, rows, unit=KEPT):
    done = resume.finished(write(tmp_path / "p", ANSWERS), "judge", "c", unit)
    return ids(resume.skip(iter([Line(one, "f", number) for number, one in enumerate(rows, 1)]), done, unit))


def test_the_same_answers_are_skipped_whatever_else_is_in_their_records(tmp_path):
    more = [one | {"judge": {"old": 1}, "extra": 1} for one in ANSWERS]
    assert skipped(tmp_path, more) == ["c/0"]
    assert skipped(tmp_path, more, resume.Unit(kept=KEPT.kept)) == []


@pytest.mark.parametrize("unit", [KEPT, resume.Unit(kept=KEPT.kept)])
def test_other_answers_under_the_same_names_are_refused(tmp_path, unit):
    others = [answered("a", 0, "x"), answered("a", 1, "another model's"), *ANSWERS[2:]]
    with pytest.raises(RccaError, match=r"^f:2: a/1 is not what the output was made from \(the input has changed"):
        skipped(tmp_path, others, unit)


@pytest.mark.parametrize("rows", [[ANSWERS[0], *ANSWERS[2:]], [*ANSWERS[:1]]])
def test_a_group_that_has_lost_an_answer_is_refused(tmp_path, rows):
    with pytest.raises(RccaError, match="the input has changed"):
        skipped(tmp_path, rows)


def test_a_group_that_has_one_more_answer_is_refused(tmp_path):
    with pytest.raises(RccaError, match="f:3: a/2 is not what the output was made from"):
        skipped(tmp_path, [*ANSWERS[:2], answered("a", 2, "v"), *ANSWERS[2:]])
