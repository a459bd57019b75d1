"""Several servers for one model: whoever is free is asked, whoever fails is not missed."""

import doctest
import socket
import threading
import time

import pytest

from rcca_cli.chat import Client, Unanswered, server
from rcca_cli.errors import ItemsFailed, RccaError
from rcca_cli.rollout import spelled
from rcca_cli.rollout.stage import Options, run
from tests.rollout.server import completion, serving
from tests.rollout.tasks import collect, lines, task

OK = (200, {}, completion("ok"))
BUSY = (500, {"Retry-After": "0"}, {"error": {"message": "out of memory"}})


def options(*urls, **more):
    return Options(backend="openai", model="m", base_urls=urls, **more)


def dead():
    """An address at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


def test_examples_hold():
    for module in (server, spelled):
        assert doctest.testmod(module).failed == 0


def test_the_requests_of_a_dead_server_go_to_the_others():
    tasks = [task(name) for name in "abcdef"]
    with serving(OK) as first, serving(OK) as second:
        records = list(run(lines(*tasks), options(dead(), first.url, second.url, jobs=2)))
        assert len(first.asked) + len(second.asked) == 6
        assert first.asked
        assert second.asked
    assert [record["id"] for record in records] == [f"{name}/0" for name in "abcdef"]
    assert all(record["rollout"]["text"] == "ok" for record in records)


def test_a_server_that_is_busy_leaves_the_work_to_the_free_one():
    held = threading.Event()

    def slow(_request):
        held.wait(20)
        return OK

    def quick(_request):
        if len(second.asked) == 5:
            held.set()
        return OK

    with serving(slow) as first, serving(quick) as second:
        records = list(run(lines(*(task(name) for name in "abcdef")), options(first.url, second.url, jobs=1)))
        assert (len(first.asked), len(second.asked)) == (1, 5)
    assert [record["id"] for record in records] == [f"{name}/0" for name in "abcdef"]


def test_a_server_has_at_most_so_many_requests_at_once():
    lock, now, most = threading.Lock(), [0], [0]
    both = threading.Barrier(2, timeout=20)

    def count(_request):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        both.wait()  # two at once, or the test fails
        with lock:
            now[0] -= 1
        return OK

    with serving(count) as one:
        list(run(lines(*(task(name) for name in "abcdef")), options(one.url, jobs=2)))
    assert most == [2]


def test_a_server_that_asks_for_time_is_given_it():
    asked = []
    late = (429, {"Retry-After": "1"}, {"error": {"message": "slow down"}})

    def note(reply):
        return lambda _request: asked.append(time.monotonic()) or reply

    with serving(note(late), note(OK)) as one:
        assert Client(one.url, "m").complete([]).text == "ok"
    assert asked[1] - asked[0] >= 0.99


def test_a_request_is_tried_at_another_server_before_it_is_given_up():
    with serving(BUSY) as first, serving(BUSY, OK) as second:
        client = Client([first.url, second.url], "m", attempts=5)
        assert client.complete([]).text == "ok"
        assert first.asked
    with serving(BUSY) as first, pytest.raises(Unanswered, match="out of memory"):
        Client([first.url], "m", attempts=2).complete([])


def test_those_who_wait_for_a_server_that_never_answered_give_up_together(capsys):
    got = []
    with serving(BUSY) as one, pytest.raises(ItemsFailed, match="12 of 12"):
        collect(run(lines(*(task(name) for name in "abcdefghijkl")), options(one.url, jobs=4)), got)
    assert len(one.asked) < 24  # not five times twelve
    assert all(record["rollout"] is None and "out of memory" in record["error"] for record in got)
    assert f"{one.url}: Error code: 500 - out of memory (asked again in 0 s)" in capsys.readouterr().err


def test_a_server_that_has_answered_before_is_waited_for():
    pause = [OK, *[BUSY] * 3, OK]  # as when it is started anew
    with serving(*pause) as one:
        records = list(run(lines(*(task(name) for name in "abcd")), options(one.url, jobs=2)))
    assert [record["rollout"]["text"] for record in records] == ["ok"] * 4


def test_an_address_that_is_not_there_is_asked_about():
    missing = (404, {}, {"detail": "Not Found"})
    with serving(missing) as one, pytest.raises(RccaError, match=r"does --base-url end in /v1\?"):
        list(run(lines(task()), options(one.url)))


def test_a_request_that_is_refused_is_null_and_the_others_go_on_with_their_tokens():
    def choosy(request):
        if "long" in request["messages"][0]["content"]:
            return 400, {}, {"error": {"message": "the prompt is longer than the context"}}
        return 200, {}, completion("ok", [b"ok"])

    got = []
    with serving(choosy) as one, pytest.raises(ItemsFailed, match="1 of 3"):
        collect(run(lines(task("a"), task("b", "long"), task("c")), options(one.url, jobs=1)), got)
    assert [record["rollout"] and record["rollout"]["tokens"] for record in got] == [[100], None, [100]]
    assert "longer than the context" in got[1]["error"]


def test_what_a_server_cannot_be_told_is_null_in_the_record():
    refusal = (422, {}, {"detail": "Unexpected fields"})
    with serving(refusal, OK) as one:
        sampling = next(run(lines(task()), options(one.url, top_k=5)))["rollout"]["sampling"]
        assert '"top_k": 5' in one.asked[1]["generation_config"]
    assert (sampling["top_k"], sampling["min_p"]) == (5, None)
    with serving(refusal, refusal, OK) as one:
        rollout = next(run(lines(task()), options(one.url)))["rollout"]
        assert set(one.asked[2]) == {"messages", "model", "temperature", "top_p", "max_tokens", "seed", "key"}
    assert (rollout["sampling"]["temperature"], rollout["sampling"]["top_k"]) == (1.0, None)


def test_the_ids_of_sglang_are_read_where_it_puts_them():
    reply = completion("ok", [b"ok"])
    reply["choices"][0]["prompt_token_ids"] = reply.pop("prompt_token_ids")
    with serving((200, {}, reply)) as one:
        rollout = next(run(lines(task()), options(one.url)))["rollout"]
    assert (rollout["prompt_ids"], rollout["tokens"], rollout["logprobs_basis"]) == ([1, 2, 3], [100], "temperature")


def test_parts_of_characters_that_a_server_tells_as_broken_are_placed():
    broken = "\ufffd".encode()
    with serving((200, {}, completion("a 😀é!", [b"a ", broken, broken, b"\xc3\xa9!", b"<end>"]))) as one:
        rollout = next(run(lines(task()), options(one.url)))["rollout"]
    assert rollout["offsets"] == [[0, 2], [2, 2], [2, 3], [3, 5], [5, 5]]


def reasoned(pieces=None):
    reply = completion("<p>", pieces)
    reply["choices"][0]["message"]["reasoning_content"] = "so"
    return 200, {}, reply


def test_reasoning_that_a_server_took_out_is_kept_and_marked():
    with serving(reasoned([b"<think>", b"so", b"</think>", b"\n\n", b"<p>", b"<end>"])) as one:
        rollout = next(run(lines(task()), options(one.url)))["rollout"]
    assert rollout["text"] == "<think>so</think>\n\n<p>"
    assert rollout["text"][rollout["thought_end"] :] == "<p>"
    assert (len(rollout["tokens"]), rollout["offsets"][-2:]) == (6, [[19, 22], [22, 22]])
    with serving(reasoned()) as one:
        rollout = next(run(lines(task()), options(one.url)))["rollout"]
    assert "so" in rollout["text"][: rollout["thought_end"]]
    assert (rollout["text"][rollout["thought_end"] :], rollout["tokens"]) == ("<p>", [])


def test_an_answer_of_a_server_is_cut_behind_its_document():
    pieces = [b"<html>", b"</html>", b"\n", b"Done", b"<end>"]
    with serving((200, {}, completion("<html></html>\nDone", pieces, ends=False))) as one:
        rollout = next(run(lines(task()), options(one.url, stop_at_document=True)))["rollout"]
    assert (rollout["text"], rollout["finish_reason"]) == ("<html></html>", "stop")
    assert len(rollout["tokens"]) == len(rollout["logprobs"]) == len(rollout["offsets"]) == 2
