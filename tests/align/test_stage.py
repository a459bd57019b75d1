import itertools

import numpy as np
import orjson
import pytest

from rcca_cli import cli, source
from rcca_cli.align import stage
from rcca_cli.errors import RecordError
from rcca_cli.jsonl import Line, encode
from tests.align.example import ITEM, PAGE, evidence, lines, place, record, verdict

WRONG = PAGE.replace("field.value", "field.name")
LEFT_OUT = PAGE.replace("  list.append(row);\n", "")


def aligned(*records, **options):
    return [out["align"] for out in stage.run(lines(*records), stage.Options(**options))]


def pair(wrong=WRONG, **facts):
    """An answer that passes and one that fails."""
    return record([verdict(True)], reward=1.0), record([verdict(False, **facts)], wrong, 1)


def heavy(one, row):
    """The text of the token with the largest advantage, by size, of one record."""
    token = int(np.argmax(np.abs(row["advantages"])))
    return one["rollout"]["text"][slice(*one["rollout"]["offsets"][token])]


def test_a_record_only_grows():
    good, bad = pair()
    for before, after in zip((good, bad), stage.run(lines(good, bad), stage.Options()), strict=True):
        assert {key: after[key] for key in before} == before
        assert set(after["align"]) == {"advantage", "advantages", "weights", "spans", "unmatched", "mode", "config"}
        assert len(after["align"]["advantages"]) == len(after["align"]["weights"]) == len(before["rollout"]["tokens"])


def test_blame_and_praise_fall_on_the_token_that_differs():
    good, bad = pair()
    up, down = aligned(good, bad)
    assert (up["advantage"], down["advantage"]) == (1, -1)
    assert heavy(good, up) == "value"
    assert heavy(bad, down) == "name"
    assert up["spans"][0] == {
        "rubric": "adds",
        "start": place("value")[0],
        "end": place("value")[1],
        "unit": "statement",
        "mass": up["spans"][0]["mass"],
        "sources": ["sibling"],
        "advantage": 1.0,
        "confidence": 0.3,
    }
    assert down["spans"][0]["advantage"] == -1


def test_an_omission_falls_on_the_token_that_went_on():
    good, bad = pair(LEFT_OUT, failure="absent")
    up, down = aligned(good, bad)
    assert down["spans"][0]["unit"] == "omission"
    assert down["spans"][0]["start"] == bad["rollout"]["text"].index("}\nfunction unused")
    assert heavy(good, up) in {"list", "append", "row", ".", "(", ")", ";"}


def test_an_omission_without_a_place_blames_nobody_and_still_praises():
    other = "<!doctype html><html><body><main>Nothing of the sort</main></body></html>\n"
    good, bad = record([verdict(True)], reward=1.0), record([verdict(False, failure="absent")], other, 1)
    up, down = aligned(good, bad)
    assert down["spans"] == []
    assert set(down["advantages"]) == {-0.8}  # the share of the sequence, nothing else
    assert max(up["advantages"]) > 0.8


def test_uniform_and_paper():
    good, bad = pair()
    up, down = aligned(good, bad, mode="uniform")
    assert set(up["weights"]) == {1.0}
    assert set(down["advantages"]) == {-1.0}
    up, down = aligned(good, bad, mode="paper")
    assert set(down["weights"]) == {1.0, 1.5, 3.0}
    assert down["weights"][bad["rollout"]["offsets"].index(list(place("name", WRONG)))] == 3.0
    assert set(up["weights"]) == {1.2}
    (_, down) = aligned(good, bad, mode="paper", mean_one=True)
    assert np.mean(down["weights"]) == pytest.approx(1, abs=1e-5)


def test_the_share_of_the_sequence_is_an_option():
    good, bad = pair()
    _, down = aligned(good, bad, sequence_share=1.0)
    assert set(down["advantages"]) == {-1.0}
    _, down = aligned(good, bad, sequence_share=0.0)
    assert down["advantages"][0] == 0.0


def test_a_failed_gate_is_blamed_on_its_place():
    start, end = place("function unused")
    gate = {"level": "source", "passed": False, "diagnosis": "x", "start": start, "end": end}
    fine = {"level": "source", "passed": True, "diagnosis": None, "start": None, "end": None}
    bad = record([verdict(False)], level="source", reward=-0.7, gates=[gate])
    good = record([verdict(True)], index=1, reward=1.0, gates=[fine])
    down, up = aligned(bad, good)
    text = bad["rollout"]["text"]
    blamed = [i for i, value in enumerate(down["advantages"]) if value == min(down["advantages"])]
    assert text[bad["rollout"]["offsets"][blamed[0]][0] :].startswith("}\nfunction unused")
    assert [span["rubric"] for span in down["spans"]] == ["gate"]
    assert len(set(up["advantages"])) == 1


def test_an_answer_that_could_not_be_scored_is_left_out():
    unknown = record([verdict(None, error="browser lost")], reward=None, index=2)
    up, down, lost = aligned(*pair(), unknown)
    assert lost["advantage"] is lost["advantages"] is lost["weights"] is None
    assert [up, down] == aligned(*pair())


def test_an_answer_that_could_not_be_had_is_left_out():
    missing = record([]) | {"rollout": None, "judge": None, "error": "server gone"}
    *known, lost = aligned(*pair(), missing)
    assert lost["advantages"] is None
    assert known == aligned(*pair())


def test_groups_without_a_comparison_are_counted(capsys):
    alone = aligned(record([verdict(True)], reward=1.0), record([verdict(True)], reward=1.0, group="h"))
    assert {tuple(set(one["advantages"])) for one in alone} == {(0.0,)}
    assert {tuple(set(one["weights"])) for one in alone} == {(1.0,)}
    assert "2 of 2 groups have fewer than two scorable answers" in capsys.readouterr().err


def test_a_group_of_unknowns_is_null():
    lost = aligned(record([], reward=None), record([], reward=None, index=1))
    assert [one["advantages"] for one in lost] == [None, None]


def test_a_unanimous_group_learns_nothing():
    for one in aligned(record([verdict(False)], reward=0.3), record([verdict(False)], WRONG, 1, reward=0.3)):
        assert set(one["advantages"]) == {0.0}
        assert set(one["weights"]) == {1.0}


def test_a_child_of_a_failed_item_has_no_credit_of_its_own():
    child = ITEM | {"id": "child", "parents": ["adds"]}
    good = record([verdict(True), verdict(True, "child")], items=[ITEM, child], reward=1.0)
    bad = record([verdict(False), verdict(False, "child")], WRONG, 1, items=[ITEM, child])
    up, down = aligned(good, bad)
    assert {span["rubric"] for span in down["spans"]} == {"adds"}
    assert {span["rubric"] for span in up["spans"]} == {"adds"}


def test_a_group_leaves_when_the_next_begins():
    taken = []

    def feed():
        for line in lines(*pair(), *[one | {"group": "h"} for one in pair()]):
            taken.append(line.record["group"])
            yield line

    rows = stage.run(feed(), stage.Options())
    assert [one["group"] for one in itertools.islice(rows, 2)] == ["g", "g"]
    assert taken == ["g", "g", "h"]


def test_a_group_that_comes_again_is_an_error():
    good, bad = pair()
    with pytest.raises(RecordError, match=r"^judged.jsonl:3: group: g comes again"):
        list(stage.run(lines(good, record([verdict(True)], group="h"), bad), stage.Options()))


@pytest.mark.parametrize("calls", [["--", "--resume"], ["--resume", "--resume"]])
def test_it_is_an_error_for_a_call_that_resumes_too(tmp_path, capsys, calls):
    names = ["a", "b", "c", "a"]
    judged = tmp_path / "judged.jsonl"
    judged.write_bytes(b"".join(encode(one | {"group": name}) for name in names for one in pair()))
    for resume in calls:
        words = ["align", "-o", str(tmp_path / "out.jsonl"), *([resume] if resume != "--" else []), str(judged)]
        assert cli.run(words) == 2
        assert "judged.jsonl:7: group: a comes again" in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"tokens": [], "offsets": [], "logprobs": []}, r"rollout.tokens: empty .*--tokenizer MODEL"),
        ({"offsets": [[0, 1]]}, "rollout.offsets: 1 for"),
        ({"tokens": [1, 2], "offsets": [[5, 6], [0, 1]]}, "rollout.offsets: offsets step back"),
        ({"tokens": [1], "offsets": [[0, 10**6]]}, "rollout.offsets: offsets outside the text"),
    ],
)
def test_tokens_that_cannot_be_used_are_named(change, problem):
    good, bad = pair()
    bad["rollout"] |= change
    with pytest.raises(RecordError, match=rf"^judged.jsonl:2: {problem}"):
        list(stage.run(lines(good, bad), stage.Options()))


@pytest.mark.parametrize("place", [(-60, -1), (200, 20), (0, 10**6)])
def test_a_page_outside_the_text_is_refused(place):
    good, bad = pair()
    bad["judge"]["artifact"] |= dict(zip(("start", "end"), place, strict=True))
    with pytest.raises(RecordError, match=r"^judged.jsonl:2: judge.artifact: .* is no place in rollout.text"):
        list(stage.run(lines(good, bad), stage.Options()))


@pytest.mark.parametrize("confidence", [-50.0, -0.1, 1.5])
def test_a_judge_can_be_no_surer_than_sure_nor_less_than_not_at_all(confidence):
    good, bad = pair()
    bad["judge"]["verdicts"][0]["confidence"] = confidence
    with pytest.raises(RecordError, match=r"^judged.jsonl:2: judge.verdicts.0.confidence: input should be"):
        list(stage.run(lines(good, bad), stage.Options()))


@pytest.mark.parametrize("mode", ["rubric", "paper"])
@pytest.mark.parametrize("place", [(-10, 10**9), (200, 20), (10**6, 5), (None, 5)])
def test_the_place_of_a_gate_outside_the_text_is_no_place(place, mode):
    def failed(start, end):
        gate = {"level": "source", "passed": False, "diagnosis": "broken", "start": start, "end": end}
        good, _ = pair()
        return good, record([verdict(None)], WRONG, 1, level="source", gates=[gate])

    assert aligned(*failed(*place), mode=mode) == aligned(*failed(None, None), mode=mode)


def test_order_in_the_group_does_not_matter():
    good, bad = pair()
    third = record([verdict(False, failure="absent")], LEFT_OUT, 2, reward=0.5)
    plain = aligned(good, bad, third)
    mixed = aligned(third, good, bad)
    for one, other in zip(plain, [mixed[1], mixed[2], mixed[0]], strict=True):
        assert one["spans"] == other["spans"]
        np.testing.assert_allclose(one["advantages"], other["advantages"], atol=2e-6)


def test_the_same_input_gives_the_same_bytes():
    records = pair(evidence=[evidence("stack", "list.append(row)", "0", WRONG)], failure="exception")
    assert [encode(one) for one in aligned(*records)] == [encode(one) for one in aligned(*records)]


def test_emoji_split_over_tokens_change_nothing_but_their_own_number():
    page = PAGE.replace("Add", "Add 👩‍🚀 漢字")
    good, bad = (
        record([verdict(True)], page, reward=1.0),
        record([verdict(False)], page.replace("field.value", "name"), 1),
    )
    for one in (good, bad):
        split = []
        for start, end in one["rollout"]["offsets"]:
            wide = len(one["rollout"]["text"][start:end].encode()) > end - start
            split += [[start, end]] * (4 if wide else 1)
        one["rollout"]["offsets"] = split
        one["rollout"]["tokens"] = list(range(len(split)))
    up, down = aligned(good, bad)
    assert heavy(good, up) == "field"
    assert heavy(bad, down) == "name"
    assert sum(span["mass"] for span in down["spans"]) <= 1.001


def test_a_line_without_a_judge_is_sent_to_it():
    one = orjson.loads(orjson.dumps(record([verdict(True)])))
    del one["judge"]
    with pytest.raises(RecordError, match=r"missing 'judge' \(run `rcca judge` first\)"):
        list(stage.run([Line(one, "x", 1)], stage.Options()))


def test_an_answer_known_as_text_only_gets_the_tokens_of_a_named_model():
    good, bad = pair()
    for one in (good, bad):
        one["rollout"] |= {"tokens": [], "offsets": [], "logprobs": []}
    up, down = aligned(good, bad, tokenizer="embedded")
    assert len(up["advantages"]) > 50
    assert min(down["advantages"]) < -0.8


def test_a_named_tokenizer_never_replaces_tokens_that_were_sampled():
    good, bad = pair()
    for one in (good, bad):  # a sample of single characters, which no tokenizer would make of the text
        size = len(one["rollout"]["text"])
        one["rollout"] |= {"tokens": list(range(size)), "offsets": [[i, i + 1] for i in range(size)]}
    for one, row in zip((good, bad), aligned(good, bad, tokenizer="./nowhere"), strict=True):
        assert len(row["advantages"]) == len(one["rollout"]["text"])


def test_a_control_token_written_in_a_page_is_text():
    good, bad = (record([verdict(index == 0)], PAGE.replace("Add", "<|end|>"), index) for index in (0, 1))
    for one in (good, bad):
        one["rollout"] |= {"tokens": [], "offsets": [], "logprobs": []}
    assert len(aligned(good, bad, tokenizer="embedded")) == 2


@pytest.mark.parametrize("prose", ["", "Sure! 🎉\r\n<think>a < b</think>\n", "é漢𝒳" * 50])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_units_are_placed_in_the_answer_whatever_comes_before_the_page(prose, end):
    page = PAGE.replace("Add", "Add 🎉").replace("\n", end)
    alone = source.units(page)
    one = record([verdict(True)], page)
    text = prose + one["rollout"]["text"]
    offsets = [[place, place + 1] for place in range(len(text))]
    one["rollout"] |= {"text": text, "tokens": list(range(len(text))), "offsets": offsets}
    start = text.index(page)
    one["judge"]["artifact"] |= {"start": start, "end": start + len(page)}
    answer = stage.answer(lines(one)[0], None)
    assert answer.spans == [(start + unit.start, start + unit.end) for unit in alone]
    assert answer.codes[-1] == "clear();"


def pieces(text, size):
    """The spans of the same text in other tokens, `size` characters each, the end of the text too."""
    return [[place, min(place + size, len(text))] for place in range(0, len(text), size)] + [[len(text), len(text)]]


@pytest.mark.parametrize("size", [1, 2, 7])
def test_credit_is_for_the_tokens_that_were_sampled_however_odd(size):
    """A model may sample a word letter by letter: no tokenizer would write it so, and all the same it is the truth."""
    good, bad = pair()
    for one in (good, bad):
        one["rollout"]["offsets"] = pieces(one["rollout"]["text"], size)
        one["rollout"]["tokens"] = list(range(len(one["rollout"]["offsets"])))
        one["rollout"]["logprobs"] = [0.0] * len(one["rollout"]["tokens"])
    _, down = aligned(good, bad)
    assert len(down["advantages"]) == len(bad["rollout"]["tokens"])
    start, end = place("name", WRONG)
    worst = bad["rollout"]["offsets"][int(np.argmin(down["advantages"]))]
    assert worst[0] < end
    assert worst[1] > start
    assert [span["start"] for span in down["spans"]] == [span["start"] for span in aligned(*pair())[1]["spans"]]


def test_tokens_behind_the_text_get_no_credit_of_an_item():
    """A server cuts the stop string off the text and not off the tokens: those lie at the end, and decided nothing."""
    good, bad = pair()
    for one in (good, bad):
        end = len(one["rollout"]["text"])
        one["rollout"]["offsets"] += [[end, end]] * 3
        one["rollout"]["tokens"] += [0] * 3
        one["rollout"]["logprobs"] += [0.0] * 3
    for row in aligned(good, bad, sequence_share=0.0):
        assert row["advantages"][-4:] == [0, 0, 0, 0]


def test_each_sampled_token_has_one_credit_in_one_place():
    good, bad = pair()
    for row, given in zip(stage.run(lines(good, bad), stage.Options()), (good, bad), strict=True):
        assert len(row["align"]["advantages"]) == len(row["align"]["weights"]) == len(given["rollout"]["tokens"])
        assert row["rollout"] == given["rollout"]  # nothing of it is written elsewhere


def gate(level, passed, start=None, end=None):
    return {"level": level, "passed": passed, "diagnosis": None, "start": start, "end": end, "progress": 0.0}


@pytest.mark.parametrize("mode", ["rubric", "paper", "uniform"])
def test_answers_that_fail_at_every_level_have_credit_in_one_group(mode):
    good = record([verdict(True)], reward=1.0, gates=[gate(level, True) for level in ("format", "source", "runtime")])
    shapeless = record([verdict(False)], index=1, level="format", reward=-1.0, gates=[gate("format", False)])
    shapeless["judge"]["artifact"] = None
    broken = [gate("format", True), gate("source", False, *place("list.append")), gate("runtime", None)]
    unparsed = record([verdict(False)], index=2, level="source", reward=-0.6, gates=broken)
    crashed = [gate("format", True), gate("source", True), gate("runtime", False)]
    blank = record([verdict(False)], "<p></p>\n", 3, level="runtime", reward=-0.4, gates=crashed)
    rows = aligned(good, shapeless, unparsed, blank, mode=mode)
    assert [one["advantage"] > 0 for one in rows] == [True, False, False, False]
    for one in rows:
        assert np.isfinite(one["advantages"]).all()
        assert len(one["advantages"]) == len(one["weights"])
    assert rows[1]["advantage"] == min(one["advantage"] for one in rows)


def test_an_empty_answer_and_an_empty_rubric_are_no_trouble():
    empty = record([], items=[], reward=0.5)
    empty["rollout"] |= {"text": "", "tokens": [7], "offsets": [[0, 0]], "logprobs": [0.0]}
    empty["judge"] |= {"artifact": None}
    rows = aligned(empty, record([], index=1, items=[], reward=1.0))
    assert len(rows[0]["advantages"]) == 1
    assert rows[0]["advantages"] == [-0.8]


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("group",), ["g"], "group: expected a string, not a list"),
        (("rollout", "offsets", 3, 1), 10**30, r"rollout\.offsets\.3\.1: input should be"),
        (("judge", "reward"), -1e308, r"judge\.reward: input should be"),
        (("judge", "verdicts", 0, "confidence"), 1e308, r"judge\.verdicts\.0\.confidence: input should be"),
        (("judge", "artifact", "end"), 10**30, r"judge\.artifact\.end: input should be"),
    ],
)
def test_odd_values_are_one_line(place, value, message):
    good, bad = pair()
    bad = orjson.loads(orjson.dumps(bad))
    inside = bad
    for part in place[:-1]:
        inside = inside[part]
    inside[place[-1]] = value
    with pytest.raises(RecordError, match=rf"^judged\.jsonl:2: {message}"):
        list(stage.run([*lines(good), Line(bad, "judged.jsonl", 2)], stage.Options()))


def test_half_a_character_in_an_answer_known_as_text_only_is_one_line():
    one = record([verdict(True)], PAGE + "\ud800")
    one["rollout"] |= {"tokens": [], "offsets": [], "logprobs": []}
    with pytest.raises(RecordError, match=r"^judged\.jsonl:1: rollout\.text: half a character"):
        list(stage.run([Line(one, "judged.jsonl", 1)], stage.Options(tokenizer="embedded")))


def test_a_check_that_is_nested_deeply_tells_nothing_or_what_is_in_it():
    for depth in (900, 100_000):
        good, bad = pair()
        for one in (good, bad):
            one["task"]["rubric"] = [ITEM | {"check": "[" * depth + '"row"' + "]" * depth}]
        assert aligned(good, bad)[0]["advantage"] == 1
