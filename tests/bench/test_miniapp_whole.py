"""The page of an answer in one piece: what is given beside it, under a name, is put into it."""

import pytest

from rcca_cli.bench.miniapp import whole
from rcca_cli.judge import artifact

HEAD = "<!DOCTYPE html>\n<html><head>{}</head><body><p>x</p>{}</body></html>"


def block(name, language, text, heading="#### `{}`"):
    return f"{heading.format(name)}\n\n```{language}\n{text}\n```\n"


def page_of(text):
    found = artifact.find(text).artifact
    return text[found["start"] : found["end"]]


def answered(page, **files):
    names = {"css": "style.css", "js": "app.js"}
    parts = [block("index.html", "html", page), *(block(names[kind], kind, text) for kind, text in files.items())]
    return whole.answer("Here it is.\n\n" + "\n".join(parts) + "\nOpen it in a browser.")


@pytest.mark.parametrize(
    "text",
    [
        "I cannot write apps.",
        "```html\n" + HEAD.format("", "") + "\n```",
        "Hello\n\n" + block("index.html", "html", HEAD.format("", "")) + "\nEnjoy!",
        block("index.html", "html", HEAD.format("", ""))
        + block("run.css", "css", "p {}"),  # which the page does not want
    ],
)
def test_an_answer_of_one_page_stays_as_it_is(text):
    assert whole.answer(text) == whole.Whole(text)


def test_sheets_and_scripts_go_where_the_page_wants_them():
    page = HEAD.format('<link rel="stylesheet" href="./style.css" media="print">', '<script src="app.js?v=1"></script>')
    found = answered(page, css="p { color: red }", js="start()")
    assert found.files == ("style.css", "app.js")
    expected = HEAD.format('<style media="print">\np { color: red }\n</style>', "<script>\nstart()\n</script>")
    assert page_of(found.text).strip() == expected


def test_a_script_that_waits_for_the_document_runs_at_its_end():
    found = answered(HEAD.format('<script defer src="app.js"></script>', ""), js="start()")
    assert page_of(found.text).strip() == HEAD.format("", "<script>\nstart()\n</script>")


def test_a_module_stays_a_module_where_it_is():
    found = answered(HEAD.format('<script type="module" src="app.js"></script>', ""), js="start()")
    assert page_of(found.text).strip() == HEAD.format('<script type="module">\nstart()\n</script>', "")


def test_what_would_end_an_element_early_is_written_otherwise():
    found = answered(HEAD.format("", '<script src="app.js"></script>'), js="show('</script><b>')")
    assert "show('<\\/script><b>')" in page_of(found.text)


def test_files_from_elsewhere_are_left_alone():
    page = HEAD.format('<script src="https://cdn.test/app.js"></script><link rel="icon" href="style.css">', "")
    text = block("index.html", "html", page) + block("app.js", "js", "x()") + block("style.css", "css", "p {}")
    assert whole.answer(text) == whole.Whole(text)


def test_of_several_pages_the_one_called_index_counts():
    other = HEAD.format("<title>about</title>", "")
    text = block("index.html", "html", HEAD.format("<title>main</title>", "")) + block("about.html", "html", other)
    assert page_of(text).count("about") == 1  # the judge by itself takes the last one
    assert "<title>main</title>" in page_of(whole.answer(text).text)


def test_a_later_version_of_a_file_replaces_the_earlier_one():
    page = HEAD.format("", '<script src="app.js"></script>')
    text = block("index.html", "html", page) + block("app.js", "js", "old()") + block("app.js", "js", "new()")
    assert "new()" in page_of(whole.answer(text).text)
    assert "old()" not in whole.answer(text).text


@pytest.mark.parametrize("heading", ["**{}**", "`{}`:", "### {}", "- `{}`", "**`{}`**"])
def test_a_file_may_be_named_in_other_ways(heading):
    page = HEAD.format("", '<script src="app.js"></script>')
    text = block("index.html", "html", page, heading) + block("app.js", "js", "start()", heading)
    assert "<script>\nstart()\n</script>" in page_of(whole.answer(text).text)


def test_a_file_is_put_in_once_however_often_it_is_referred_to():
    """Or a small answer could make a page that fills the memory."""
    found = answered(HEAD.format("", '<script src="app.js"></script>' * 1000), js="start()")
    assert found.text.count("start()") == 1
    assert found.files == ("app.js",)


def test_an_address_that_is_none_is_left_alone():
    page = HEAD.format("", '<script src="http://[x/app.js"></script>')
    text = block("index.html", "html", page) + block("app.js", "js", "start()")
    assert whole.answer(text) == whole.Whole(text)


def test_a_page_without_a_name_gets_the_named_files():
    page = HEAD.format("", '<script src="app.js"></script>')
    text = f"```html\n{page}\n```\n" + block("app.js", "js", "start()")
    assert "<script>\nstart()\n</script>" in page_of(whole.answer(text).text)


def test_a_fence_inside_the_page_does_not_end_it():
    page = HEAD.format("", '<pre>\n```js\nx\n```\n</pre><script src="app.js"></script>')
    found = answered(page, js="start()")
    assert "```js" in page_of(found.text)
    assert page_of(found.text).rstrip().endswith("</html>")


def test_a_last_part_that_two_files_have_names_neither():
    files = {"a/x.js": "first()", "b/x.js": "second()"}
    assert whole.of_files('<script src="x.js"></script>', files).files == ()
    assert whole.of_files('<script src="b/x.js"></script>', files).text == "<script>\nsecond()\n</script>"


def test_a_script_stays_of_its_kind():
    put = whole.of_files('<script type="text/babel" src="x.js"></script>', {"x.js": "<p/>"})
    assert put.text == '<script type="text/babel">\n<p/>\n</script>'
    old = '<script nomodule src="x.js"></script>'
    assert whole.of_files(old, {"x.js": "old()"}).text == old
