import pytest

from rcca_cli import records
from rcca_cli.errors import RecordError
from tests.judge.records import SHOWS, answer, record
from tests.rollout.tasks import lines


def test_two_items_of_one_id_are_refused_wherever_a_task_is_needed():
    (line,) = lines(record(answer("<p>"), SHOWS, SHOWS))
    for keys in (("task",), ("task", "rollout")):
        with pytest.raises(RecordError, match=r"^tasks\.jsonl:1: task\.rubric\.1\.id: 'shows' is there twice$"):
            records.need(line, *keys)
