"""The report as a file: one record in memory, hostile text only in packed blocks, a policy that allows nothing else."""

import hashlib
import re
import zlib
from base64 import b64decode, b64encode
from html.parser import HTMLParser

import orjson
import pytest

from rcca_cli.errors import RccaError, RecordError
from rcca_cli.jsonl import Line
from rcca_cli.report import page, stage, view
from tests.report.example import TEXT, place, record
from tests.report.test_hostile_page import HOSTILE, hostile


class Tags(HTMLParser):
    """The start tags of a page, as an HTML parser sees them."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def blocks(text, kind):
    """The values of the blocks of this kind."""
    packed = re.findall(rf'<script type="{page.BLOCK}" class="{kind}">([A-Za-z0-9+/=]*)</script>', text)
    return [orjson.loads(zlib.decompress(b64decode(one))) for one in packed]


def test_every_rollout_is_a_block_and_the_index_lists_them(written):
    text = written(record(0), record(1), record(0, group="t2")).read_text()
    assert [block["id"] for block in blocks(text, "rollout")] == ["t1/0", "t1/1", "t2/0"]
    (index,) = blocks(text, "index")
    assert index["rollouts"][1] == {
        "id": "t1/1",
        "group": "t1",
        "file": "aligned.jsonl",
        "mode": "rubric",
        "title": "A page that adds.",
        "class": "Tools",
        "level": "functional",
        "reward": 0.5,
        "items": ["shows", "adds"],
        "verdicts": "+-",
        "failures": ["silent"],
        "scale": 1.5,
        "local": 1.75,
    }


@pytest.mark.parametrize("reason", [{}, {"error": "no reply"}])
def test_a_record_without_an_answer_is_listed_and_counted(written, capsys, reason):
    lost = {key: value for key, value in record(1).items() if key not in ("judge", "align")} | {"rollout": None}
    text = written(record(0), lost | reason).read_text()
    assert [one["level"] for one in blocks(text, "index")[0]["rollouts"]] == ["functional", view.NO_ANSWER]
    assert blocks(text, "rollout")[1]["error"] == reason.get("error", "there is no answer")
    assert capsys.readouterr().err == "report: records without an answer: 1\n"


def test_a_record_is_written_before_the_next_is_read(tmp_path):
    output = tmp_path / "report.html"

    def lines():
        yield Line(record(0), "aligned.jsonl", 1)
        assert [one["id"] for one in blocks((tmp_path / "report.html.partial").read_text(), "rollout")] == ["t1/0"]
        yield Line(record(1), "aligned.jsonl", 2)

    stage.write(lines(), str(output), stage.Options())
    assert [one["id"] for one in blocks(output.read_text(), "rollout")] == ["t1/0", "t1/1"]


def test_the_same_records_give_the_same_bytes(written):
    assert written(record()).read_bytes() == written(record()).read_bytes()


def test_a_record_takes_a_fraction_of_its_size(written):
    """Eight answers of 8 kB in 2,000 tokens."""
    text = "".join(f"<p id=p{number}>{number * 7919 % 1000}</p>\n" for number in range(320))[:8000]
    offsets = [[at, at + 4] for at in range(0, len(text), 4)]
    members = [record(sample, text=text) for sample in range(8)]
    for one in members:
        one["rollout"] |= {"offsets": offsets, "tokens": [n * 31 % 9973 for n in range(len(offsets))]}
        one["align"] |= {"advantages": [n % 9 / 3 for n in range(len(offsets))], "weights": [1.0] * len(offsets)}
    size = written(*members).stat().st_size - written().stat().st_size
    assert size < sum(len(orjson.dumps(one)) for one in members) / 4


def test_hostile_text_makes_no_tag(written):
    plain = Tags(written(record(0), record(1)).read_text()).found
    text = written(hostile(0), hostile(1)).read_text()
    assert Tags(text).found == plain
    assert "leak.test" not in text


def test_a_hostile_title_is_text(written):
    text = written(title=HOSTILE).read_text()
    assert not any("leak.test" in str(attributes) for _, attributes in Tags(text).found)
    assert not set("\x1b\u202e\u2028\u200b") & set(text)


def test_the_policy_allows_our_style_and_script_and_nothing_else(written):
    text = written(record()).read_text()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    hashes = [f"'sha256-{b64encode(hashlib.sha256(part.encode()).digest()).decode()}'" for part in (style, script)]
    assert policy == (
        f"default-src 'none'; style-src {hashes[0]}; script-src {hashes[1]}; img-src data:; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    assert not any({"src", "style", "onclick"} & set(attributes) for _, attributes in Tags(text).found)


def test_control_characters_become_visible_ones_of_the_same_length():
    text = "a\x00b\x1b\x7f\u202ec\n\td\ud800\u2028\u200e"
    assert page.visible(text) == "a␀b␛\ufffd\ufffdc\n\td\ufffd\ufffd\ufffd"
    assert len(page.visible(text)) == len(text)


def test_characters_that_hide_text_become_visible_ones_and_pictures_stay_whole():
    hidden = "\U000e0041\u3164\u115f\ufffb\u200c\u200d\ufe0f\U000e0101"
    assert page.visible(f"a{hidden}b") == "a" + 8 * "\ufffd" + "b"
    pictures = "\U0001f469\u200d\U0001f680 \u2764\ufe0f 1\ufe0f\u20e3 \U0001f44d\U0001f3fd"
    assert page.visible(pictures) == pictures


def test_an_item_shows_what_align_blames_and_before_that_the_judges_evidence():
    _, adds = view.detail(record())["items"]
    assert [(one["start"], one["end"]) for one in adds["places"]] == [place("add()")]
    assert (adds["places"][0]["why"], adds["places"][0]["confidence"]) == ("listener, quote", 0.9)
    judged = {key: value for key, value in record().items() if key != "align"}
    _, adds = view.detail(judged)["items"]
    assert [(one["start"], one["end"], one["what"]) for one in adds["places"]] == [(*place("<button>"), "element")]


def test_a_long_request_is_cut_for_the_index():
    asked = record()
    asked["task"]["prompt"] = [{"role": "system", "content": "x"}, {"role": "user", "content": "word\n" * 99}]
    title = view.summary(asked)["title"]
    assert (len(title), title[:10], title[-1]) == (view.TITLE, "word word ", "…")


def test_a_record_without_a_rollout_is_refused_with_its_place(written):
    with pytest.raises(RecordError, match=r"aligned.jsonl:1: missing 'rollout'"):
        written({key: value for key, value in record().items() if key != "rollout"})


def test_a_row_of_another_evaluator_is_sent_to_align(written):
    row = {"prompt": "A page", "answer": TEXT, "verdicts": [{"criterion": "adds", "passed": False}]}
    with pytest.raises(RecordError, match=r"aligned.jsonl:1: missing 'task' .*`rcca align` first"):
        written(row)


@pytest.mark.parametrize("offsets", [[[0, 1, 2], [3, 4]], [[0], [3]], [[], [0, 3]]])
def test_offsets_that_are_no_pairs_are_named(written, offsets):
    bad = record()
    bad["rollout"] |= {"tokens": [1, 2], "offsets": offsets}
    with pytest.raises(RecordError, match=r"aligned.jsonl:1: rollout.offsets.0: list should have at"):
        written(bad)


def test_an_id_that_is_not_there_is_refused(written):
    with pytest.raises(RccaError, match="--open t9: no record has this id"):
        written(record(), only="t9")


def test_the_command_writes_one_file(rcca, tmp_path):
    ended = rcca("report", "-o", str(tmp_path / "report.html"), stdin=[record()])
    assert (ended.code, ended.stdout) == (0, b"")
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_needs_a_name():
    with pytest.raises(RccaError, match=r"^--split needs -o DIR$"):
        stage.write([], "-", stage.Options(split=10))


def test_the_title_of_an_answer_to_a_benchmark_is_what_follows_its_fixed_words():
    from rcca_cli.bench.miniapp.contract import prompt

    def titled(content):
        task = {"prompt": [{"role": "user", "content": content}]}
        return view.request({"task": task})

    (turn,) = prompt("A clock.\nThe request:\nnone")
    assert titled(turn["content"]) == "A clock.\nThe request:\nnone"
    assert titled("The request: a clock") == "The request: a clock"
    assert titled("Words\nThe request:\n") == "Words\nThe request:\n"
