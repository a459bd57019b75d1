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


TASK = record(answer("<p>"), SHOWS)["task"]


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ({"prompt": "Make it.", "text": "<p>"}, "missing 'task' (an answer alone; `rcca rollout TASKS --answers FILE`"),
        ({"id": "t", "rollout": {"text": "<p>"}}, "missing 'task' (an answer alone; `rcca rollout TASKS --answers"),
        ({"prompt": [], "rubric": []}, "missing 'task' (its prompt and rubric go into an object 'task'"),
        ({"id": "t"}, "missing 'task' (run `rcca synth` first)"),
        ({"id": "t", "task": TASK, "answer": "<p>"}, "missing 'rollout' (an answer alone; `rcca rollout TASKS --answ"),
        ({"id": "t", "task": TASK}, "missing 'rollout' (run `rcca rollout` first)"),
    ],
)
def test_the_hint_fits_what_is_there(given, hint):
    (line,) = lines(given)
    with pytest.raises(RecordError) as error:
        records.need(line, "task", "rollout")
    assert str(error.value).removeprefix("tasks.jsonl:1: ").startswith(hint)
