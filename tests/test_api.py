"""The stages as functions on lists of records."""

import doctest
import subprocess
import sys

import pytest

from rcca_cli import api
from tests.align.example import PAGE, record, verdict

HEAVY = {"torch", "transformers", "numpy", "turbohtml", "tree_sitter", "esprima", "playwright", "openai"}
BAD = PAGE.replace("field.value", "field.name")


def test_the_worked_examples():
    assert doctest.testmod(api).failed == 0


def test_importing_it_loads_no_heavy_library():
    code = "import sys; from rcca_cli import api; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.decode().split()
    assert not HEAVY & set(loaded)


def test_records_come_back_with_one_key_more_and_none_is_changed():
    given = [record([verdict(True)], reward=1.0), record([verdict(False)], BAD, 1)]
    before = [dict(one) for one in given]
    aligned = api.align(given, mode="uniform")
    assert given == before
    assert [one | {"align": None} for one in given] == [one | {"align": None} for one in aligned]
    assert [set(one["align"]["advantages"]) for one in aligned] == [{1.0}, {-1.0}]


def test_answers_that_are_known_come_by_rollout(tmp_path):
    tasks = api.synth(1, seed=3, families=["counter"])
    (tmp_path / "answers.jsonl").write_text('{"prompt": "?", "text": "x"}\n')
    (record_,) = api.rollout(tasks, backend="replay", answers=str(tmp_path / "answers.jsonl"))
    assert record_["rollout"] is None  # none has its id: null with the reason, and no exception
    assert "no answer to" in record_["error"]


def test_a_verdict_that_cannot_be_read_is_in_its_record(capsys):
    (one,) = api.foreign(
        [{"q": "x", "a": "<p>", "v": {"shows": "maybe", "ok": True}}],
        columns={"prompt": "q", "answer": "a", "verdicts": "v"},
    )
    assert [verdict_["passed"] for verdict_ in one["judge"]["verdicts"]] == [None, True]
    assert "1 of 2 verdicts could not be read" in capsys.readouterr().err


def test_what_the_caller_can_mend_is_one_line():
    with pytest.raises(api.RccaError, match=r"^record:1: missing 'judge' \(run `rcca judge` first\)$"):
        api.align([{"id": "a", "group": "a", "task": {"prompt": [], "rubric": []}, "rollout": {}}])
    with pytest.raises(api.RccaError, match=r"^record 1: expected a dictionary, not str$"):
        api.align(["x"])


def test_a_numbered_page_names_its_units():
    page = "<p>Hé😀</p><script>let a = 1;\nb();</script>"
    assert api.numbered(page) == "⟦u1⟧<p>⟦u2⟧Hé😀</p>⟦u3⟧<script>⟦u4⟧let a = 1;\n⟦u5⟧b();</script>"
    assert api.numbered("") == ""
