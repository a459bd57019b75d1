"""`rcca doctor --cdn`: what the answers of a file load, and how to have it."""

import json
import re
import subprocess

import pytest

from rcca_cli.browser import Mirror, cdn
from rcca_cli.doctor import libraries
from rcca_cli.jsonl import Line
from tests.browser.packages import LACKS, mirror_in
from tests.judge.records import answer, record

PAGES = [
    '<script src="https://unpkg.com/d3@7/dist/d3.min.js"></script><script src="//unpkg.com/d3@7/dist/d3.min.js">',
    '<script src="https://unpkg.com/d3@7/dist/d3.min.js"></script><script src="https://unpkg.com/tiny-lib@1.2.3">',
    '<script src="https://cdn.jsdelivr.net/gh/some/one@1/x.js">',
    "<p>none</p>",
]
RECORDS = [record(answer(page), name=f"t/{number}") for number, page in enumerate(PAGES)]
LINES = [Line(one, "in.jsonl", 1) for one in [*RECORDS, {"rollout": None}]]


def test_what_is_asked_for_by_how_many(tmp_path):
    rows = libraries.asked(LINES, None, "libraries")
    assert [(row.package, row.version, row.file, row.records, row.mirrored) for row in rows] == [
        ("d3", "7", "dist/d3.min.js", 2, None),
        ("tiny-lib", "1.2.3", None, 1, None),
        (None, None, "https://cdn.jsdelivr.net/gh/some/one@1/x.js", 1, None),
    ]
    stocked = libraries.asked(LINES, Mirror(str(mirror_in(tmp_path))), "libraries")
    assert [(row.mirrored, row.command is None) for row in stocked] == [(False, False), (True, True), (False, True)]


def test_only_a_package_that_is_not_there_has_a_command(rcca, tmp_path):
    lines = [{"text": f'<script src="{url}"></script>'} for url in LACKS]
    stocked = ("doctor", "--cdn", "-", "--mirror", str(mirror_in(tmp_path)))
    rows = json.loads(rcca(*stocked, "--json", stdin=lines).stdout)
    assert sorted(row["lack"] for row in rows) == sorted(LACKS.values())
    assert {row["package"] for row in rows if row["command"]} == {"d3"}
    text = rcca(*stocked, stdin=lines)
    assert text.stderr == "rcca doctor: the mirror lacks 6 of 8 files\n"
    told = " ".join(text.stdout.decode().split())
    typo = "in 1 record, and the package has no such file: the app's fault"
    assert re.search(rf"warning tiny-lib@1\.2\.3 \S*tiny\.mni\.js from \S+ {typo}", told)
    assert rcca(*stocked, stdin=[line for line in lines if "mni" in line["text"]]).code == 0


@pytest.mark.parametrize("shape", [{"text": PAGES[0]}, {"prompt": "p", "answer": PAGES[0]}, RECORDS[0]])
def test_answers_are_read_as_rollout_and_bench_read_them(shape):
    (row,) = libraries.asked([Line(shape, "in.jsonl", 1)], None, "libraries")
    assert (row.package, row.records) == ("d3", 1)


@pytest.mark.parametrize("line", [{"a": 1}, {key: value for key, value in RECORDS[0].items() if key != "rollout"}])
def test_a_line_without_an_answer_is_refused(rcca, line):
    ended = rcca("doctor", "--cdn", "-", stdin=[line])
    wanted = "expected the answer as a string: 'text', 'answer' or 'rollout.text'"
    assert (ended.code, ended.stderr) == (2, f"rcca doctor: <stdin>:1: {wanted}\n")


def test_records_whose_answer_could_not_be_had_are_counted(rcca):
    ended = rcca("doctor", "--cdn", "-", stdin=[RECORDS[0], RECORDS[1] | {"rollout": None, "error": "no reply"}])
    assert (ended.code, ended.stderr) == (0, "1 of 2 records have no answer\n")


@pytest.mark.parametrize(
    ("url", "archive", "place"),
    [
        ("https://unpkg.com/d3@7", "d3-7.9.0.tgz", "d3@7.9.0"),
        ("https://unpkg.com/@made/up", "made-up-0.4.1-rc.1.tgz", "@made/up@0.4.1-rc.1"),
    ],
)
def test_the_command_puts_the_archive_where_the_mirror_has_it(tmp_path, url, archive, place):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "index.js").write_text("1")
    subprocess.run(["tar", "-czf", archive, "package"], cwd=tmp_path, check=True)
    npm = f"npm() {{ echo {archive}; }}\n"
    command = libraries.fill(cdn.wanted(url), "my libraries")
    subprocess.run(["bash", "-ec", npm + command], cwd=tmp_path, check=True)
    assert (tmp_path / "my libraries" / place / "index.js").exists()
    assert Mirror(str(tmp_path / "my libraries")).find(cdn.wanted(url))


@pytest.mark.parametrize("spec", ["$(touch x)", "a;b", "a`b`", "a'b", "a&b", "a|b"])
def test_a_page_cannot_write_the_command(spec):
    for url in (f"https://unpkg.com/{spec}@1", f"https://unpkg.com/a@{spec}", f"https://cdn.tailwindcss.com/{spec}"):
        wanted = cdn.wanted(url)
        assert wanted.package is None or spec not in libraries.fill(wanted, "libraries")


def test_the_command_line(rcca, tmp_path):
    listed = rcca("doctor", "--cdn", "-", "--json", stdin=RECORDS)
    assert (listed.code, [row["package"] for row in json.loads(listed.stdout)]) == (0, ["d3", "tiny-lib", None])
    text = rcca("doctor", "--cdn", "-", "--mirror", str(mirror_in(tmp_path)), stdin=RECORDS)
    assert text.code == 1
    assert "missing   d3@7" in text.stdout.decode()
    assert "dist/d3.min.js from unpkg.com in 2 records" in text.stdout.decode()
    assert text.stderr == "rcca doctor: the mirror lacks 2 of 3 files\n"
    assert "nothing from a CDN" in rcca("doctor", "--cdn", "-", stdin=RECORDS[3:]).stderr.replace(
        "no page loads any", "no"
    )
    assert rcca("doctor", "--mirror", str(tmp_path)).code == 2
