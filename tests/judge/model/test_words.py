"""The parts that are plain text: examples in their docstrings, the source as it is shown, the tools' schema."""

import doctest

import pytest

from rcca_cli.chat import server
from rcca_cli.checks import EXPECTATIONS, STEPS, describe
from rcca_cli.judge.model import data, opinion, reply, toolbox, view
from rcca_cli.judge.model.listing import LINES, WIDE, Listing


@pytest.mark.parametrize("module", [server, data, describe, opinion, reply, view], ids=lambda module: module.__name__)
def test_examples_in_docstrings_hold(module):
    tried, failed = doctest.testmod(module).attempted, doctest.testmod(module).failed
    assert (failed, tried > 0) == (0, True)


def test_each_unit_has_a_name_and_its_place():
    html = "<p>Hi</p>\r\n<script>\nlet a = 1;\nlet b = 2; let c = 3;\n</script>"
    listing = Listing(html)
    lines = listing.lines().split("\n")
    assert lines[0] == "lines 1 to 5 of 5"
    assert lines[1] == "1 [u1 u2] <p>Hi</p>"
    assert lines[4] == "4 [u5 u6] let b = 2; let c = 3;"
    assert [html[slice(*listing.span(name))] for name in ("u1", "u2", "u6")] == ["<p>", "Hi", "let c = 3;"]
    assert listing.span("u7") is None


def test_long_sources_are_shown_in_parts():
    listing = Listing("\n".join(["x" * (WIDE + 5)] + ["y"] * (LINES + 1)))
    assert listing.lines().split("\n")[1].endswith("x … (5 more characters)")
    assert listing.lines(LINES + 1).split("\n")[0] == f"lines {LINES + 1} to {LINES + 2} of {LINES + 2}"


def test_every_word_of_the_language_is_told_with_its_arguments():
    told = describe.language(STEPS, EXPECTATIONS)
    for entry in [*STEPS.values(), *EXPECTATIONS.values()]:
        (line,) = [
            one for one in told.split("\n") if one.startswith(f"- {entry.name}: ") and describe.what(entry) in one
        ]
        assert all(field.name in line for field in entry.fields)


def test_the_tools_are_the_acting_words_looks_and_a_verdict_that_comes_before_its_reason():
    specs = {spec["function"]["name"]: spec["function"] for spec in toolbox.specs(vision=False)}
    assert set(specs) == set(toolbox.ACTIONS) | {"snapshot", "source", "evaluate", "verdict"}
    assert specs["click"]["parameters"]["required"] == ["target"]
    named = list(specs["verdict"]["parameters"]["properties"])
    assert named.index("passed") < named.index("reason")
    assert all(f"- {name}: " in toolbox.words(vision=False) for name in specs)
