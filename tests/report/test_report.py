"""The report: one page, bounded memory, hostile text only as text, and it works in a browser."""

import hashlib
import re
from base64 import b64encode
from html.parser import HTMLParser

import orjson
import pytest

from rcca_cli.errors import RecordError
from rcca_cli.jsonl import Line
from rcca_cli.report import page, stage, view
from tests.report.example import TEXT, place, record

HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\x1b[2J\u202e<!--"
)


def rendered(*records, title="Report"):
    lines = (Line(one, "aligned.jsonl", number) for number, one in enumerate(records, 1))
    return "".join(stage.parts(lines, title))


class Tags(HTMLParser):
    """The start tags of a page, as an HTML parser sees them."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def blocks(text, kind):
    return [
        orjson.loads(found)
        for found in re.findall(rf'<script type="application/json" class="{kind}">(.*?)</script>', text)
    ]


def test_every_rollout_is_a_data_block_and_the_index_lists_them():
    text = rendered(record(0), record(1), record(0, group="t2"))
    assert [block["id"] for block in blocks(text, "rollout")] == ["t1/0", "t1/1", "t2/0"]
    (index,) = blocks(text, "index")
    assert index["rollouts"][1] == {
        "id": "t1/1",
        "group": "t1",
        "level": "functional",
        "reward": 0.5,
        "passed": 1,
        "items": 2,
        "scale": 1.5,
    }


def test_a_record_is_written_before_the_next_is_read():
    def lines():
        yield Line(record(0), "aligned.jsonl", 1)
        raise AssertionError("read too early")

    parts = stage.parts(lines(), "Report")
    next(parts), next(parts)
    assert "t1/0" in next(parts)


def test_hostile_text_makes_no_tag():
    plain = Tags(rendered(record())).found
    hostile = record(text=HOSTILE + TEXT[len(HOSTILE) :] + HOSTILE)
    hostile["task"]["rubric"][0]["requirement"] = HOSTILE
    hostile["judge"]["verdicts"][1]["diagnosis"] = HOSTILE
    text = rendered(hostile)
    assert Tags(text).found == plain
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_hostile_title_is_text():
    assert ("img", {"src": "x", "onerror": "document.title='owned'"}) not in Tags(rendered(title=HOSTILE)).found


def test_the_policy_allows_our_style_and_script_and_nothing_else():
    text = rendered(record())
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    hashes = [f"'sha256-{b64encode(hashlib.sha256(part.encode()).digest()).decode()}'" for part in (style, script)]
    assert policy == (
        f"default-src 'none'; style-src {hashes[0]}; script-src {hashes[1]}; base-uri 'none'; form-action 'none'"
    )
    assert not re.search(r"(src|href)=", text.partition("<body>")[0])


def test_control_characters_become_visible_ones_of_the_same_length():
    text = "a\x00b\x1b\x7f\u202ec\n\td\ud800"
    assert page.visible(text) == "a␀b␛\ufffd\ufffdc\n\td\ufffd"
    assert len(page.visible(text)) == len(text)


def test_an_item_shows_what_align_blames_and_before_that_the_judges_evidence():
    _, adds = view.detail(record())["items"]
    assert [(one["start"], one["end"]) for one in adds["places"]] == [place("add()")]
    assert adds["places"][0]["why"] == "listener, quote"
    judged = {key: value for key, value in record().items() if key != "align"}
    _, adds = view.detail(judged)["items"]
    assert [(one["start"], one["end"], one["what"]) for one in adds["places"]] == [(*place("<button>"), "element")]


def test_a_record_without_a_rollout_is_refused_with_its_place():
    with pytest.raises(RecordError, match=r"aligned.jsonl:1: missing 'rollout'"):
        rendered({key: value for key, value in record().items() if key != "rollout"})


def test_the_command_writes_one_file(rcca, tmp_path):
    ended = rcca("report", "-o", str(tmp_path / "report.html"), stdin=[record()])
    assert (ended.code, ended.stdout) == (0, b"")
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")
    assert len(list(tmp_path.iterdir())) == 1
