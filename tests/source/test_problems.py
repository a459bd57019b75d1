import pytest

from rcca_cli.source import check, count_parts


def marked(page):
    """(part, marked text) of each problem."""
    return [(problem.part, page[problem.start : problem.end]) for problem in check(page)]


@pytest.mark.parametrize(
    "page",
    [
        "<p>no end tags <b>at all",
        "<script>const a = b?.c ?? 1n; class A { #x = 1; static { } }</script>",
        "<script type=module>import a from 'x'; await 1; export default a</script>",
        "<script type='text/template'>{{ not code }}</script><script src=x.js></script>",
        "<button onclick='return go(event)'>x</button>",
        '<button onclick="say(&quot;hi&quot;)">x</button>',
        "<style>a { color: nonsense; } } garbage b { }</style>",
        "<style></style><script></script><script> // only a comment\n</script>",
    ],
)
def test_what_a_browser_takes_is_valid(page):
    assert check(page) == []


def test_a_script_error_is_placed_exactly():
    assert marked("<p>😀<script>\r\nlet é = '😀' + ;\r\n</script>") == [("script", ";")]
    assert check("<script>let a;\nlet a;</script>")[0].message == (
        "the script does not parse: Identifier 'a' has already been declared (line 2)"
    )
    assert marked("<script>function f() {\n</script>") == [("script", "{")]  # the last sign there is
    assert marked("<script>import a from 'b'</script>") == [("script", "import")]


def test_a_handler_error_is_placed_exactly_unless_it_is_encoded():
    assert marked("<a onclick='go(1;'>") == [("handler", ";")]
    assert marked("<a onclick='go(&quot;1;'>") == [("handler", "go(&quot;1;")]


@pytest.mark.parametrize("tag", ["script", "style", "textarea", "title"])
def test_an_element_of_raw_text_needs_its_end(tag):
    page = f"<p>x</p><{tag}>let a = 1"
    assert marked(page) == [("html", "1")]
    assert check(page)[0].message == f"<{tag}> (line 1) is never closed"


@pytest.mark.parametrize(
    ("head", "place"),
    [
        ("<style>\na { color: red }\n</head>\n<body>", "</head>"),
        ("<title>Tea Timer</h1>\n<p>", "</h1>"),
        ("<script>\nlist.innerHTML = '<li>one</li>';\n  <p>after</p>\n</body>", "</body>"),
    ],
)
def test_a_forgotten_end_tag_is_missing_where_the_markup_goes_on(head, place):
    page = f"<!doctype html><html>\n{head}\n</html>\n"
    assert marked(page) == [("html", place)]
    assert "(line 2) is never closed" in check(page)[0].message


@pytest.mark.parametrize("page", ["<p>x</p><a href='x", "<p>x</p><a hre", "<!-- x", "<p>text</"])
def test_a_tag_or_comment_needs_its_end(page):
    assert [problem.part for problem in check(page)] == ["html"]


def test_a_sheet_without_any_rule_is_an_error():
    assert marked("<style>this is prose</style>") == [("style", "this is prose")]


def test_nesting_beyond_the_parser_is_not_known_to_be_wrong():
    assert check("<script>" + "(" * 3000 + "1" + ")" * 3000 + "</script>") == []
    assert check("<script>" + "[" * 100_000 + "</script>") == []


def test_each_part_is_counted_once_and_reports_once():
    page = "<style>x</style><script>let = ; var = </script><script>1</script><a onclick='x('>"
    assert count_parts(page) == 5
    assert [problem.part for problem in check(page)] == ["style", "script", "handler"]
