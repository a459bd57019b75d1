"""`rcca doctor --cdn`: what the answers of a file load, and how to have it."""

import json
import subprocess

import pytest

from rcca_cli.browser import Mirror, cdn
from rcca_cli.doctor import libraries
from rcca_cli.jsonl import Line
from tests.browser.packages import mirror_in
from tests.judge.records import answer, record

PAGES = [
    '<script src="https://unpkg.com/d3@7/dist/d3.min.js"></script><script src="//unpkg.com/d3@7/dist/d3.min.js">',
    '<script src="https://unpkg.com/d3@7/dist/d3.min.js"></script><script src="https://unpkg.com/tiny-lib@1.2.3">',
    '<script src="https://cdn.jsdelivr.net/gh/some/one@1/x.js">',
    "<p>none</p>",
]
RECORDS = [record(answer(page), name=f"t/{number}") for number, page in enumerate(PAGES)]
LINES = [Line(one, "in.jsonl", 1) for one in [*RECORDS, {"rollout": None}, {"id": "task"}]]


def test_what_is_asked_for_by_how_many(tmp_path):
    rows = libraries.asked(LINES, None, "libraries")
    assert [(row.package, row.version, row.file, row.records, row.mirrored) for row in rows] == [
        ("d3", "7", "dist/d3.min.js", 2, None),
        ("tiny-lib", "1.2.3", None, 1, None),
        (None, None, "https://cdn.jsdelivr.net/gh/some/one@1/x.js", 1, None),
    ]
    stocked = libraries.asked(LINES, Mirror(str(mirror_in(tmp_path))), "libraries")
    assert [(row.mirrored, row.command is None) for row in stocked] == [(False, False), (True, True), (False, True)]


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
