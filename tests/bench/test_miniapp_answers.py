"""Finished answers find their task, however it is named."""

import json
import os

import pytest

from rcca_cli.bench.miniapp import answers
from rcca_cli.errors import RccaError, RecordError
from rcca_cli.jsonl import Line
from tests.bench.canned import RECORDS

TASKS = list(RECORDS.values())


def read(*records):
    lines = [Line(record, "answers.jsonl", number) for number, record in enumerate(records, 1)]
    return [line.record for line in answers.joined(lines, TASKS, TASKS)]


@pytest.mark.parametrize(
    "given",
    [
        {"id": "water", "text": "x"},
        {"id": "miniapp:water", "answer": "x"},
        {"id": "miniapp:water/3", "text": "x"},
        {"task": "water", "text": "x"},
        {"index": 9, "text": "x"},
        {"index": "9", "text": "x"},
        {"index": "009", "text": "x"},
        {"index": 9.0, "text": "x"},
        {"id": " water\n", "text": "x"},
        {"group": "miniapp:water", "id": "miniapp:water/0", "rollout": {"text": "x"}},
    ],
)
def test_a_task_is_named_or_numbered(given):
    (record,) = read(given)
    assert (record["id"], record["group"], record["rollout"]["text"]) == ("miniapp:water/0", "miniapp:water", "x")
    assert record["task"] == RECORDS["water"]["task"]


def test_answers_to_one_task_are_its_samples():
    found = read({"id": "water", "text": "a"}, {"id": "roman", "text": "b"}, {"id": "water", "text": "c"})
    assert [record["id"] for record in found] == ["miniapp:water/0", "miniapp:roman/0", "miniapp:water/1"]


def test_what_is_known_of_the_tokens_is_kept():
    rollout = {"text": "ab", "tokens": [1, 2], "offsets": [[0, 1], [1, 2]], "model": "m"}
    (record,) = read({"group": "miniapp:water", "rollout": rollout})
    assert record["rollout"]["tokens"] == [1, 2]
    assert record["rollout"]["logprobs"] == []


def test_an_answer_that_could_not_be_had_is_kept_as_such():
    lost, other = read(
        {"id": "miniapp:water/0", "rollout": None, "error": "no reply"}, {"id": "water", "rollout": None}
    )
    assert (lost["rollout"], lost["error"], other["error"]) == (None, "no reply", "there is no answer")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"id": "nobody", "text": "x"}, "answers.jsonl:1: not an answer to a task of this benchmark: 'nobody'"),
        ({"text": "x"}, "answers.jsonl:1: not an answer to a task of this benchmark: ''"),
        ({"id": "water"}, "answers.jsonl:1: expected the answer as a string: 'text', 'answer' or 'rollout.text'"),
    ],
)
def test_other_lines_are_refused_with_their_place(given, message):
    with pytest.raises(RecordError) as error:
        read(given)
    assert str(error.value) == message


def test_a_row_that_failed_has_no_answer_and_its_reason():
    (record,) = read({"index": 9, "text": None, "error": "generation timeout"})
    assert (record["rollout"], record["error"]) == (None, "generation timeout")


def test_answers_to_tasks_that_were_not_chosen_are_left_out():
    lines = [Line({"id": name, "text": name}, "a", 1) for name in ("water", "roman")]
    found = list(answers.joined(lines, TASKS, [RECORDS["roman"]]))
    assert [line.record["group"] for line in found] == ["miniapp:roman"]


def test_tokens_and_seconds_are_taken_from_a_row():
    usage = {"prompt_tokens": 7, "completion_tokens": 11}
    (record,) = read({"id": "water", "text": "x", "usage": usage, "seconds": 2})
    assert record["rollout"]["usage"] == {"input_tokens": 7, "output_tokens": 11}
    assert record["rollout"]["stamp"] == {"seconds": 2.0}


# A folder as MiniAppBench's pipeline leaves it ---------------------------------------------------------------------


def written(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return [(line.record["index"], line.record["text"]) for line in answers.read(str(folder))]


def test_a_folder_has_pages_and_raw_outputs_by_number(tmp_path):
    files = {
        "html_2/index.html": "<p>two</p>",
        "html_10/index.html": "<p>ten</p>",
        "set_2_output.txt": "what the model said",
        "set_3_output.txt": "```html\n<p>three</p>\n```",
        "html_4/index.html": " ",
        "my_set_4_output.txt": "four, raw",
        "html_5/other.txt": "",
        "notes.md": "",
    }
    assert written(tmp_path, files) == [
        (2, "#### `index.html`\n\n```html\n<p>two</p>\n```\n"),
        (3, "```html\n<p>three</p>\n```"),
        (4, "four, raw"),
        (5, ""),
        (10, "#### `index.html`\n\n```html\n<p>ten</p>\n```\n"),
    ]


def test_files_beside_a_page_are_put_into_it(tmp_path):
    page = '<link rel="stylesheet" href="css/style.css"><p>x</p><script src="./app.js"></script>'
    files = {"html_1/index.html": page, "html_1/css/style.css": "p { color: red }", "html_1/app.js": "start()"}
    ((_, text),) = written(tmp_path, files)
    assert "<style>\np { color: red }\n</style><p>x</p><script>\nstart()\n</script>" in text


def test_a_folder_of_something_else_is_an_error(tmp_path):
    (tmp_path / "page.html").write_text("<p>")
    with pytest.raises(RccaError, match=r"no html_N/index\.html and no …_N_output\.txt in it"):
        answers.read(str(tmp_path))


# The output of an OpenAI batch -------------------------------------------------------------------------------------


def batch(custom_id, body=None, status=200, error=None):
    response = None if body is None else {"status_code": status, "request_id": "r", "body": body}
    return {"id": "batch_req_1", "custom_id": custom_id, "response": response, "error": error}


def chat(content, finish_reason="stop"):
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish_reason}
    usage = {"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8}
    return {"object": "chat.completion", "model": "m-1", "choices": [choice], "usage": usage}


def from_file(tmp_path, *rows):
    path = tmp_path / "batch.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return [line.record for line in answers.joined(answers.read(str(path)), TASKS, TASKS)]


@pytest.mark.parametrize("custom_id", ["water", "miniapp:water", "9", "request-9", "task_9", "request-009"])
def test_a_line_of_a_batch_names_its_task(tmp_path, custom_id):
    (record,) = from_file(tmp_path, batch(custom_id, chat("hello", "length")))
    rollout = record["rollout"]
    assert (record["group"], rollout["text"], rollout["finish_reason"]) == ("miniapp:water", "hello", "length")
    assert (rollout["model"], rollout["usage"]) == ("m-1", {"input_tokens": 3, "output_tokens": 5})


def test_content_in_parts_and_the_shape_of_the_other_interface_are_read(tmp_path):
    text = {"type": "output_text", "text": "hello"}
    output = [{"type": "reasoning", "summary": []}, {"type": "message", "content": [text]}]
    responses = {"object": "response", "status": "incomplete", "model": "m", "output": output}
    responses["usage"] = {"input_tokens": 2, "output_tokens": 4}
    parts = chat([{"type": "text", "text": "he"}, {"type": "text", "text": "llo"}])
    one, two = from_file(tmp_path, batch("water", responses), batch("roman", parts))
    assert (one["rollout"]["text"], one["rollout"]["finish_reason"]) == ("hello", "length")
    assert one["rollout"]["usage"] == {"input_tokens": 2, "output_tokens": 4}
    assert two["rollout"]["text"] == "hello"


def test_requests_of_a_batch_that_failed_are_answers_that_could_not_be_had(tmp_path):
    refused = batch("water", {"error": {"message": "context too long"}}, status=400)
    expired = batch("roman", error={"code": "batch_expired", "message": "not in time"})
    one, two = from_file(tmp_path, refused, expired)
    assert (one["rollout"], one["error"]) == (None, "the batch has no answer: context too long")
    assert (two["rollout"], two["error"]) == (None, "the batch has no answer: not in time")


def test_a_response_without_an_answer_in_it_is_refused_with_its_place(tmp_path):
    with pytest.raises(RecordError, match=r"batch.jsonl:1: response.body: no answer in it"):
        from_file(tmp_path, batch("water", {"object": "list"}))


def test_each_of_several_choices_is_an_answer(tmp_path):
    several = chat("one") | {"choices": chat("one")["choices"] + chat("two", "length")["choices"]}
    found = from_file(tmp_path, batch("water", several))
    assert [(one["id"], one["rollout"]["text"], one["rollout"]["finish_reason"]) for one in found] == [
        ("miniapp:water/0", "one", "stop"),
        ("miniapp:water/1", "two", "length"),
    ]
    assert [one["rollout"]["usage"] for one in found] == [None, None]  # of both together


# Names and numbers of tasks of one's own ---------------------------------------------------------------------------


def own(*names):
    """Tasks of these names, numbered by their places."""
    return [RECORDS["water"] | {"group": name, "task": {"index": n}} for n, name in enumerate(names, 1)]


@pytest.mark.parametrize("names", [("3", "2", "1"), ("0", "1", "2"), ("a/b", "a/c", "a"), ("x:a", "y:a", "a:b")])
def test_a_task_s_own_name_is_never_another_s(names):
    given = [Line({key: name, "text": "x"}, "f", 1) for name in names for key in ("id", "group", "task")]
    found = [line.record["group"] for line in answers.joined(given, own(*names), own(*names))]
    assert found == [name for name in names for _ in range(3)]


def test_a_short_name_that_two_tasks_have_is_neither_s():
    with pytest.raises(RecordError, match="not an answer to a task of this benchmark: 'a'"):
        list(answers.joined([Line({"id": "a", "text": "x"}, "f", 1)], own("x:a", "y:a"), []))


# What is in a folder that others packed ----------------------------------------------------------------------------


@pytest.mark.parametrize("link", ["html_1/app.js", "html_2", "x_3_output.txt"])
def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path, link):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.html").write_text("a secret")
    folder = tmp_path / "theirs"
    written(folder, {"html_1/index.html": '<script src="app.js"></script>'})
    place = folder / link
    place.symlink_to(tmp_path / "mine" if link == "html_2" else tmp_path / "mine" / "index.html")
    with pytest.raises(RccaError, match=f"{link}: a link that leads out of"):
        answers.read(str(folder))
    place.unlink()
    (folder / "html_4").symlink_to("html_1")  # inside it one may
    assert [line.record["index"] for line in answers.read(str(folder))] == [1, 4]


def test_two_of_one_number_are_an_error(tmp_path):
    with pytest.raises(RccaError, match="html_1: html_01 has the same number"):
        written(tmp_path, {"html_1/index.html": "<p>1</p>", "html_01/index.html": "<p>01</p>"})


def test_what_is_no_file_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "x_2_output.txt")
    (tmp_path / "x_3_output.txt").mkdir()
    assert written(tmp_path, {"x_1_output.txt": "one"}) == [(1, "one")]


@pytest.mark.parametrize("seconds", [float("inf"), float("nan"), 10**400, -1, True, "4"])
@pytest.mark.parametrize("tokens", [10**30, -4, True, 1.5, "4"])
def test_what_no_record_can_hold_is_not_known(seconds, tokens):
    (record,) = read({"id": "water", "text": "x", "seconds": seconds, "usage": {"output_tokens": tokens}})
    assert (record["rollout"]["stamp"], record["rollout"]["usage"]) == (None, None)
