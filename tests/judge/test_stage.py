"""The stage as a filter: order, promptness, same bytes however many at once, what is not known."""

import queue
import threading

import orjson
import pytest

from rcca_cli.browser import BrowserLost
from rcca_cli.errors import ItemsFailed, RecordError
from rcca_cli.jsonl import Line, encode
from rcca_cli.judge import stage
from rcca_cli.judge.court import Court
from tests.judge.records import ADDS, RED, SHOWS, TODO, answer, item, record

PAGES = [
    answer(TODO),
    answer(TODO.replace("append", "remove")),
    answer("<script>while (true) {}</script>"),
    answer(TODO.replace(' onclick="add()"', "")),
    "no page",
    answer(TODO.replace("red", "blue") + "<script>list.append(Math.random())</script>"),
]


def lines():
    for number, page in enumerate(PAGES, 1):
        yield Line(record(page, SHOWS, ADDS, RED, name=f"t1/{number}"), "in.jsonl", number)


def test_the_bytes_do_not_depend_on_how_many_are_judged_at_once(court):
    alone, together = (b"".join(map(encode, stage.run(lines(), stage.Options(jobs=jobs), court))) for jobs in (1, 4))
    assert alone == together
    assert [orjson.loads(line)["id"] for line in alone.splitlines()] == [f"t1/{n}" for n in range(1, 7)]


def test_a_record_leaves_before_the_next_one_arrives(court):
    waiting = queue.Queue()
    results = queue.Queue()

    def read():
        while (line := waiting.get()) is not None:
            yield line

    def run():
        for result in stage.run(read(), stage.Options(jobs=2), court):
            results.put(result["id"])

    thread = threading.Thread(target=run)
    thread.start()
    for line in list(lines())[:2]:
        waiting.put(line)
        assert results.get(timeout=60) == line.record["id"]
    waiting.put(None)
    thread.join(timeout=60)


def test_the_input_is_not_changed(court):
    line = next(lines())
    before = encode(line.record)
    (result,) = stage.run([line], stage.Options(), court)
    assert encode(line.record) == before
    assert list(result) == [*line.record, "judge"]


def test_no_case_finds_what_another_left_in_the_history(judged):
    page = answer("""<button onclick="said.textContent = before">Say</button><p id="said"></p>
<script>const before = history.length; history.pushState(1, "")</script>""")
    asked = (
        {"do": "click", "target": {"role": "button"}},
        {"expect": "text", "target": {"css": "#said"}, "equals": "2"},
    )
    verdicts = judged(record(page, item("first", *asked), item("second", *asked)))["verdicts"]
    assert [(one["passed"], one["diagnosis"]) for one in verdicts] == [(True, None)] * 2


def test_a_bug_of_ours_costs_one_record_its_verdicts_and_no_other(court):
    class Odd:
        """A machine with a fault that shows on the first page only."""

        first = True

        def __getattr__(self, name):
            return getattr(court.machine, name)

        def run(self, work):
            if self.first:
                self.first = False
                raise TypeError("unhashable type: 'dict'")
            return court.machine.run(work)

    odd = Court(Odd(), 0, 0.0, "hierarchical", "test")
    given = [Line(record(answer(TODO), SHOWS, ADDS, name=f"t1/{n}"), "in.jsonl", n) for n in (1, 2)]
    results = stage.run(given, stage.Options(jobs=1), odd)
    lost, fine = next(results)["judge"], next(results)["judge"]
    assert (lost["reward"], [verdict["passed"] for verdict in lost["verdicts"]]) == (None, [None, None])
    assert lost["verdicts"][0]["error"] == "a bug in rcca: TypeError: unhashable type: 'dict'"
    assert fine["reward"] == 1.0
    with pytest.raises(ItemsFailed):
        next(results)


def test_what_our_side_lost_is_not_known_and_counted(court):
    class Broken:
        """A machine whose browser is always lost."""

        def __getattr__(self, name):
            return getattr(court.machine, name)

        def run(self, work):
            raise BrowserLost("the browser was closed")

    lost = Court(Broken(), 0, 0.0, "hierarchical", "test")
    results = stage.run([Line(record(answer(TODO), SHOWS, ADDS), "in.jsonl", 1)], stage.Options(), lost)
    judge = next(results)["judge"]
    with pytest.raises(ItemsFailed, match="2 of 2 verdicts are not known"):
        next(results)
    assert judge["reward"] is None
    assert judge["level"] == "runtime"
    assert [verdict["error"] for verdict in judge["verdicts"]] == ["the browser was closed"] * 2


def test_a_browser_that_was_killed_is_started_anew(court):
    from rcca_cli.browser import processes

    (before,) = stage.run([next(lines())], stage.Options(), court)
    processes.kill_group(court.machine.pid)
    (after,) = stage.run([next(lines())], stage.Options(), court)
    assert encode(after) == encode(before)


def test_a_check_that_is_none_is_an_error_of_the_input(court):
    broken = SHOWS | {"check": '{"cases": [{}, {}], "steps": [{"expect": "smell"}]}'}
    with pytest.raises(RecordError, match=r"in.jsonl:1: task.rubric.0.check.steps\[0\]: expect: no 'smell'"):
        list(stage.run([Line(record(answer(TODO), broken), "in.jsonl", 1)], stage.Options(), court))
