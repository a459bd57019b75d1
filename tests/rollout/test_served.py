import threading

import pytest

from rcca_cli import jsonl
from rcca_cli.chat import Client, Unanswered
from rcca_cli.errors import ItemsFailed, RccaError
from rcca_cli.rollout.stage import Options, run
from tests.rollout.server import completion, serving
from tests.rollout.tasks import KEYS, collect, lines, task

END = b"<|im_end|>"


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def options(server, **more):
    return Options(backend="openai", model="m", base_urls=(server.url,), **more)


def test_tokens_and_log_probabilities_of_a_server_are_recorded():
    with serving((200, {}, completion("h😀", [b"h", b"\xf0\x9f", b"\x98\x80", END]))) as server:
        record = next(run(lines(task()), options(server)))
    rollout = record["rollout"]
    assert (record["id"], record["group"], record["mine"], set(rollout)) == ("t1/0", "t1", 7, KEYS)
    assert rollout["tokens"] == [100, 101, 102, 103]
    assert rollout["offsets"] == [[0, 1], [1, 1], [1, 2], [2, 2]]
    assert rollout["logprobs"] == [-0.25] * 4
    assert (rollout["prompt_ids"], rollout["logprobs_basis"]) == ([1, 2, 3], "temperature")


def test_the_request_says_every_parameter():
    with serving((200, {}, completion("x"))) as server:
        record = next(run(lines(task()), options(server, temperature=0.5, top_k=9, max_new_tokens=50)))
        asked = server.asked[0]
    assert asked["messages"] == [{"role": "user", "content": "Make a timer"}]
    assert (asked["temperature"], asked["top_p"], asked["top_k"], asked["max_tokens"]) == (0.5, 1.0, 9, 50)
    assert (asked["logprobs"], asked["return_token_ids"], asked["seed"]) == (True, True, record["rollout"]["seed"])


def test_answers_of_a_group_have_seeds_of_their_own():
    with serving((200, {}, completion("x"))) as server:
        records = list(run(lines(task("a"), task("b")), options(server, group_size=3)))
        asked = {request["seed"] for request in server.asked}
    assert [record["id"] for record in records] == ["a/0", "a/1", "a/2", "b/0", "b/1", "b/2"]
    assert len(asked) == 6


def test_a_server_that_tells_no_tokens_gives_text_alone():
    with serving((200, {}, completion("hello"))) as server:
        rollout = next(run(lines(task()), options(server)))["rollout"]
    assert rollout["text"] == "hello"
    assert [rollout[name] for name in ("tokens", "offsets", "logprobs", "prompt_ids")] == [[]] * 4
    assert rollout["logprobs_basis"] is None


@pytest.mark.parametrize("pieces", [[b"other"], [b"hel"]])
def test_tokens_that_do_not_spell_the_text_are_not_believed(pieces):
    with serving((200, {}, completion("hello", pieces))) as server:
        rollout = next(run(lines(task()), options(server)))["rollout"]
    assert (rollout["text"], rollout["tokens"], rollout["logprobs"]) == ("hello", [], [])


def test_tokens_of_a_stop_string_lie_at_the_end():
    with serving((200, {}, completion("ab", [b"a", b"bST", b"OP"]))) as server:
        rollout = next(run(lines(task()), options(server)))["rollout"]
    assert rollout["offsets"] == [[0, 1], [1, 2], [2, 2]]


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_server_in_trouble_is_asked_again(status):
    trouble = (status, {"Retry-After": "0"}, {"error": {"message": "busy"}})
    with serving(trouble, trouble, (200, {}, completion("ok"))) as server:
        record = next(run(lines(task()), options(server)))
        assert len(server.asked) == 3
    assert record["rollout"]["text"] == "ok"


def test_a_server_that_knows_no_token_ids_is_asked_without():
    refusal = (400, {}, {"error": {"message": "unknown field return_token_ids"}})
    with serving(refusal, (200, {}, completion("ok"))) as server:
        records = list(run(lines(task("a"), task("b")), options(server, jobs=1)))
        assert ["return_token_ids" in request for request in server.asked] == [True, False, False]
    assert [record["rollout"]["text"] for record in records] == ["ok", "ok"]


def test_an_answer_that_cannot_be_had_is_null_with_a_reason_and_counted():
    trouble = (500, {"Retry-After": "0"}, {"error": {"message": "out of memory"}})
    got = []
    with serving(*[trouble] * 5, (200, {}, completion("ok"))) as server, pytest.raises(ItemsFailed, match="1 of 2"):
        collect(run(lines(task("a"), task("b")), options(server, jobs=1)), got)
    assert got[0]["rollout"] is None
    assert "out of memory" in got[0]["error"]
    assert got[1]["rollout"]["text"] == "ok"


def test_a_server_that_stays_silent_is_asked_once_a_request_until_it_answers():
    trouble = (500, {"Retry-After": "0"}, {"error": {"message": "out of memory"}})
    answers = [*[trouble] * 7, (200, {}, completion("ok")), trouble, (200, {}, completion("late"))]
    with serving(*answers) as server:
        client = Client(server.url, "m", attempts=2)
        for _ in range(4):  # twice each while it is believed to recover: 2 + 2 + 2 + 1
            with pytest.raises(Unanswered):
                client.complete([])
        assert [client.complete([]).text for _ in range(2)] == ["ok", "late"]
        assert len(server.asked) == 10


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, b"{not json"),
        ({"content-type": "text/html"}, b"<h1>Gateway</h1>"),
        ({}, {"choices": []}),
        ({}, {"hello": 1}),
    ],
)
def test_a_reply_that_is_no_completion_costs_its_own_record_only(headers, body):
    got = []
    with (
        serving((200, headers, body), (200, {}, completion("ok"))) as server,
        pytest.raises(ItemsFailed, match="1 of 2"),
    ):
        collect(run(lines(task("a"), task("b")), options(server, jobs=1)), got)
    assert got[0]["rollout"] is None
    assert "no chat completion" in got[0]["error"]
    assert got[1]["rollout"]["text"] == "ok"


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_that_would_come_again_stops_the_call(status):
    with serving((status, {}, {"error": {"message": "no"}})) as server, pytest.raises(RccaError) as stopped:
        list(run(lines(task()), options(server)))
    assert stopped.value.exit_code == 2


def test_the_key_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k1")
    with serving((200, {}, completion("x"))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        list(run(lines(task()), Options(backend="openai", model="m")))
        assert server.asked[0]["key"] == "Bearer k1"


def test_without_a_server_the_message_says_how_to_name_one():
    with pytest.raises(RccaError, match="--base-url"):
        list(run(lines(task()), Options(backend="openai", model="m")))


def changed(**parts):
    """A whole reply of three tokens, with other values in its choice, or in the entry of its first token."""
    reply = completion("hi", [b"h", b"i", END])
    choice = reply["choices"][0]
    choice["logprobs"]["content"][0] |= parts.pop("first", {})
    choice["message"] |= parts.pop("message", {})
    choice |= parts
    return reply


@pytest.mark.parametrize(
    "body",
    [
        {"choices": [None]},
        {"choices": {"a": 1}},
        [1],
        b'{"a":' * 100_000,
        {"choices": [{"message": "x"}]},
        changed(message={"content": [{"type": "text", "text": "hi"}]}),
        changed(message={"tool_calls": 3}),
    ],
)
def test_a_reply_of_another_shape_costs_its_own_record_only(body):
    got = []
    with serving((200, {}, body), (200, {}, completion("ok"))) as server, pytest.raises(ItemsFailed, match="1 of 2"):
        collect(run(lines(task("a"), task("b")), options(server, jobs=1)), got)
    assert got[0]["rollout"] is None
    assert "no chat completion: " in got[0]["error"]
    assert got[1]["rollout"]["text"] == "ok"


@pytest.mark.parametrize(
    "body",
    [
        changed(token_ids="abc"),
        changed(token_ids=[1.5, 2, 3]),
        changed(token_ids=[-1, 2, 3]),
        changed(token_ids=[2**70, 2, 3]),
        changed(token_ids=7),
        changed(logprobs=[1, 2, 3]),
        changed(logprobs={"content": [None] * 3}),
        changed(first={"logprob": "x"}),
        changed(first={"bytes": [300]}),
        changed(first={"bytes": 10**12}),
        changed() | {"prompt_token_ids": [None]},
    ],
)
def test_tokens_that_are_told_in_another_shape_are_not_believed(body):
    with serving((200, {}, body)) as server:
        rollout = next(run(lines(task()), options(server)))["rollout"]
    assert (rollout["text"], rollout["tokens"], rollout["logprobs"], rollout["prompt_ids"]) == ("hi", [], [], [])


@pytest.mark.parametrize("logprob", [None, float("nan"), float("-inf"), -1e300])
def test_a_log_probability_that_is_no_number_is_null(logprob):
    with serving((200, {}, changed(first={"logprob": logprob}))) as server:
        record = next(run(lines(task()), options(server)))
    assert record["rollout"]["logprobs"] == [None, -0.25, -0.25]
    assert jsonl.encode(record)


def test_an_answer_that_the_server_broke_off_is_asked_for_again():
    with serving((200, {}, changed(finish_reason="abort")), (200, {}, completion("ok"))) as server:
        assert Client(server.url, "m", attempts=2).complete([]).text == "ok"


def test_servers_of_different_models_are_noticed(capsys):
    replies = [(200, {}, completion("x") | {"model": name}) for name in ("m", "other")]
    with serving(*replies) as server:
        list(run(lines(task("a"), task("b"), task("c")), options(server, jobs=1)))
    assert capsys.readouterr().err.count("the servers serve different models: m, other") == 1


def test_the_next_window_begins_while_the_last_answer_of_the_one_before_is_awaited():
    third = threading.Event()

    def late(request):
        name = request["messages"][0]["content"]
        if name == "b":
            assert third.wait(20)
        if name == "c":
            third.set()
        return 200, {}, completion(name)

    with serving(late) as server:
        found = list(run(lines(*(task(name, name) for name in "abcd")), options(server, window=2, jobs=2)))
    assert [record["rollout"]["text"] for record in found] == ["a", "b", "c", "d"]
