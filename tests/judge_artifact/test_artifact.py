"""The thirteen ways of table A to lose an artifact, and what must be found instead."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rcca_cli.judge.artifact import find

F = "```"


def page(body="<p>x</p>"):
    return f"<!DOCTYPE html>\n<html><body>{body}</body></html>\n"


def found(text, finish_reason="stop"):
    """The artifact's text; None with the diagnosis printed if there is none."""
    result = find(text, finish_reason)
    if result.artifact is None:
        assert result.diagnosis
        return None
    assert result.diagnosis is None
    return text[result.artifact["start"] : result.artifact["end"]]


def fenced(code, info="html"):
    return f"{F}{info}\n{code}{F}\n"


def test_a_fence_in_a_template_string_does_not_cut_the_page():  # A1
    whole = page(f"<script>\nconst help = `\n{F}js\nlet a;\n{F}\n`;\n</script>")
    assert found(fenced(whole) + "Enjoy!") == whole


@pytest.mark.parametrize("inner", [F, F + "js", "~~~", "    " + F])
def test_a_fence_in_a_text_does_not_cut_the_page(inner):  # A2
    whole = page(f"<pre>\n{inner}\ncode\n{F}\n</pre>")
    assert found(fenced(whole) + "Enjoy!") == whole


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([F, F + "js", "~~~", "````"])), max_size=4))
def test_inserted_fences_never_cut_the_page(fences):  # A2
    lines = ["<textarea>", "a", "b", "c", "</textarea>"]
    for place, fence in sorted(fences, reverse=True):
        lines.insert(max(place, 1), fence)
    whole = page("\n" + "\n".join(lines) + "\n")
    assert found(fenced(whole)) == whole


@pytest.mark.parametrize(("opener", "closer"), [("````", "````"), ("~~~", "~~~"), ("````", "``````")])
def test_the_closer_is_at_least_as_long_and_of_the_same_sign(opener, closer):  # A3
    whole = page(f"<textarea>\n{F}\n</textarea>")
    assert found(f"{opener}html\n{whole}{closer}\n") == whole


def test_backticks_inside_a_line_are_no_fence(  # A4
):
    whole = page(f'<script>const s = "{F}"</script>')
    assert found(fenced(whole)) == whole


def test_the_complete_document_wins_over_a_snippet():  # A5
    text = fenced("<div>demo</div>\n") + "And now all of it:\n" + fenced(page())
    assert found(text) == page()
    assert find(text).artifact["blocks"] == 2
    assert found(fenced(page()) + "Use it like this:\n" + fenced("<iframe></iframe>\n")) == page()


def test_of_two_documents_the_last_complete_one_wins():  # A5
    assert found(fenced(page("draft")) + fenced(page("final"))) == page("final")
    assert found(fenced(page("final")) + F + "html\n<!doctype html><script>let") == page("final")


def test_prose_around_the_block_is_left_out():  # A6
    assert found(f"Sure! A page with `<html>`:\n\n{fenced(page())}\nEnjoy.") == page()


def test_reasoning_that_never_ends_has_no_answer():  # A7
    result = find(f"<think>let me try\n{fenced(page())}", "length")
    assert result.artifact is None
    assert result.diagnosis == "the answer never leaves its <think> block (it was cut off at the token limit)"


def test_reasoning_without_an_opening_tag_is_left_out():  # A8
    text = f"first a 😀 counter\n</think>\n{fenced(page())}"
    assert found(text) == page()
    assert find(text).artifact["start"] == text.index("<!DOCTYPE")


@pytest.mark.parametrize("tail", ["", "</think>", "\n</think>\nbye"])
def test_a_page_about_think_tags_survives(tail):  # A9
    whole = page("<p>Write <think> and\n</think>\nafter it.</p>")
    assert found(fenced(whole) + tail) == whole
    assert found("<think>easy</think>" + fenced(whole) + tail) == whole


@pytest.mark.parametrize("draft", [fenced(page("draft")), f"{F}html\n<html><script>draf\n"])
@pytest.mark.parametrize("opening", ["<think>", "", "<thinking>"])
def test_a_draft_in_the_reasoning_is_not_the_answer(draft, opening):  # A10
    closing = opening.replace("<", "</") or "</think>"
    text = f"{opening}so {draft}\n{closing}\n{fenced(page('final'))}"
    if opening or "draf\n" not in draft:
        text = text.replace("so ", "so\n")
    assert found(text) == page("final")


def test_a_draft_is_not_the_answer_even_if_nothing_follows():  # A10
    assert found(f"<think>{fenced(page('draft'))}</think>\nI will not do that.") is None


def test_the_doctype_stays_and_an_end_tag_in_a_string_is_no_end():  # A11
    whole = page("<script>let s = '</html>'</script><p>after</p>").strip()
    assert found(whole + "\nThat was it.") == whole
    assert find(whole).artifact["method"] == "bare"


@pytest.mark.parametrize("fence", ["", F + "html\n"])
def test_a_truncated_page_is_kept_to_its_end(fence):  # A11
    text = f"{fence}<!doctype html><html><body><script>let s = '</html>'; func"
    artifact = find(text, "length").artifact
    assert text[artifact["start"] : artifact["end"]] == text.removeprefix(fence)
    assert artifact["truncated"]


@pytest.mark.parametrize("text", ["{page}", F + "html\n{page}" + F, F + "html\n{page}" + F + "\nDone: `</style>`!"])
def test_a_forgotten_end_tag_is_not_a_missing_end(text):
    whole = "<!doctype html><html><style>a {} </head><body></body></html>\n"
    result = find(text.replace("{page}", whole))
    assert not result.artifact["truncated"]
    assert text.replace("{page}", whole)[result.artifact["start"] : result.artifact["end"]].strip() == whole.strip()


def test_a_fenced_page_in_a_script_does_not_end_the_page():
    inner = f"{F}html\n<html></html>\n{F}\n"
    whole = f"<!doctype html><html><body><script>/*\n{inner}*/</script></body></html>\n"
    assert found(f"{F}html\n{whole}{F}\n") == whole


def test_a_missing_closing_fence_is_not_a_missing_end():  # A11
    artifact = find(f"{F}html\n{page()}\nHope this helps").artifact
    assert not artifact["truncated"]


@pytest.mark.parametrize("info", ["markdown", "md"])
def test_one_wrapper_is_peeled(info):  # A12
    assert found(f"{F}{info}\n# An app\n{fenced(page())}{F}\n") == page()
    assert found(f"{F}{F}{info}\n# An app\n{fenced(page())}{F}{F}\n") == page()


def test_an_answer_in_another_language_says_which():  # A13
    result = find(fenced("export default () => <div/>\n", "jsx") + fenced("a {}\n", "css"))
    assert result.artifact is None
    assert result.diagnosis == "no HTML document in the answer, only code blocks of css, jsx"


def test_answers_without_any_page():
    assert find("").diagnosis == "the answer is empty"
    assert find("I cannot do that.").diagnosis == "no HTML document in the answer"
    assert find("<think>no</think>  ").diagnosis == "the answer is empty"


def test_a_fragment_counts_when_there_is_no_document():
    assert found("<div>x</div>\n") == "<div>x</div>"
    assert found(fenced("<div>x</div>\n")) == "<div>x</div>\n"
    assert found(fenced("<svg></svg>\n", "svg")) == "<svg></svg>\n"


def test_the_digest_is_of_the_artifact_alone():
    artifact = find(fenced(page("é😀"))).artifact
    assert artifact["sha256"] == hashlib.sha256(page("é😀").encode()).hexdigest()


PIECES = [F, F + "html\n", "<!doctype html>", "<html>", "</html>", "\n", "<think>", "</think>", "<script>", "x", "é"]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_text_has_an_answer_inside_it(text):
    result = find(text)
    assert (result.artifact is None) != (result.diagnosis is None)
    if result.artifact:
        assert 0 <= result.artifact["start"] <= result.artifact["end"] <= len(text)


@pytest.mark.parametrize(
    "hostile",
    [
        F + "html\n" + "<!-- x -->\n" * 200 + "<p>hi</p>\n" + F,
        ("<!--" * 300 + "\n") * 20,
        (F + " " * 3000 + "a" + " " * 3000 + "b\n") * 20,
        "`" * 50_000 + "\n" + " " * 50_000 + "<html",
    ],
)
def test_no_answer_takes_for_ever(hostile):
    find(hostile)  # exponential or cubic in any of these, it would not come back
