"""What URLs of CDNs ask for, and which version and file of a package answers. Nothing of this needs a browser."""

import doctest
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rcca_cli.browser import Mirror, cdn, mirror
from rcca_cli.errors import RccaError
from tests.browser.packages import LACKS, mirror_in, put

JSDELIVR = "https://cdn.jsdelivr.net/npm"


@pytest.mark.parametrize(
    ("url", "package", "version", "file"),
    [
        (f"{JSDELIVR}/d3", "d3", None, None),
        (f"{JSDELIVR}/d3@7", "d3", "7", None),
        (f"{JSDELIVR}/d3@7/dist/d3.min.js?a=b#c", "d3", "7", "dist/d3.min.js"),
        (f"{JSDELIVR}/@scope/name@1.0.0-rc.1/a/b.css", "@scope/name", "1.0.0-rc.1", "a/b.css"),
        (f"{JSDELIVR}/three@0.160.0/+esm", "three", "0.160.0", None),
        ("//unpkg.com/react@18/umd/react.development.js", "react", "18", "umd/react.development.js"),
        ("https://cdnjs.cloudflare.com/ajax/libs/three.js/r128/three.min.js", "three", "0.128", "three.min.js"),
        ("https://cdnjs.cloudflare.com/ajax/libs/Chart.js/3.9.1/chart.min.js", "chart.js", "3.9.1", "chart.min.js"),
        (
            "https://cdnjs.cloudflare.com/ajax/libs/font-awesome/6.4.0/css/all.min.css",
            "@fortawesome/fontawesome-free",
            "6.4.0",
            "css/all.min.css",
        ),
        (
            "https://maxcdn.bootstrapcdn.com/font-awesome/4.7.0/css/font-awesome.min.css",
            "font-awesome",
            "4.7.0",
            "css/font-awesome.min.css",
        ),
        ("https://ajax.googleapis.com/ajax/libs/jquery/3.7.1/jquery.min.js", "jquery", "3.7.1", "jquery.min.js"),
        ("https://code.jquery.com/jquery-3.6.0.slim.min.js", "jquery", "3.6.0", "jquery.slim.min.js"),
        ("https://code.jquery.com/ui/1.13.2/jquery-ui.js", "jquery-ui", "1.13.2", "jquery-ui.js"),
        ("https://d3js.org/d3.v7.min.js", "d3", "7", "d3.min.js"),
        ("https://esm.sh/v135/preact@10.19.2/hooks", "preact", "10.19.2", "hooks"),
        ("https://cdn.skypack.dev/canvas-confetti", "canvas-confetti", None, None),
        ("https://cdn.tailwindcss.com", "@tailwindcss/browser", None, None),
        ("https://cdn.tailwindcss.com/3.4.1?plugins=forms", "@tailwindcss/browser", "3.4.1", None),
        ("https://cdn.jsdelivr.net/gh/some/one@1/x.js", None, None, None),
        ("https://unpkg.com/", None, None, None),
    ],
)
def test_a_url_of_a_cdn(url, package, version, file):
    found = cdn.wanted(url)
    assert (found.package, found.version, found.file) == (package, version, file)


@pytest.mark.parametrize(
    "url", ["https://app.test/npm/d3", "ftp://unpkg.com/d3", "https://unpkg.com.evil.test/d3", "https://[", "d3", ""]
)
def test_no_url_of_a_cdn(url):
    assert cdn.wanted(url) is None
    assert not cdn.named(f'<script src="{url}">')


@given(st.sampled_from(sorted(cdn.CDNS)), st.text())
def test_no_url_is_too_odd_to_be_read(host, path):
    found = cdn.wanted(f"https://{host}/{path}")
    assert found is None or found.host == host


def test_no_page_is_searched_for_long():
    began = time.process_time()
    for text in ("<script type=importmap", "<script type=importmap>", "import ", "from ", "//unpkg.com/", "https:"):
        assert not cdn.imports(text * 50_000, "https://unpkg.com/d3")
        assert cdn.named(text * 50_000) == ("unpkg" in text)
    assert time.process_time() - began < 5


@given(st.text())
def test_no_text_is_too_odd_to_be_searched(text):
    assert list(cdn.asked(text + "//unpkg.com/" + text)) is not None
    assert cdn.named(f"//unpkg.com/{text}")


def test_the_urls_of_a_page_in_order():
    page = """<link rel=preconnect href="https://cdn.jsdelivr.net"> See https://unpkg.com/d3@7.
    <script type=importmap>{"imports": {"three/": "https://unpkg.com/three@0.160.0/examples/jsm/"}}</script>
    <script src='https://cdn.tailwindcss.com'></script> <script src="https://code.jquery.com/else.js">"""
    assert [one.name for one in cdn.asked(page)] == [
        "d3@7",
        "@tailwindcss/browser",
        "https://code.jquery.com/else.js",
    ]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("1.2.3", "1.2.3"),
        ("1.2", "1.2.10"),
        ("1", "1.10.0"),
        ("1.x", "1.10.0"),
        ("1.2.x", "1.2.10"),
        ("^1.2.4", "1.10.0"),
        ("~1.2.4", "1.2.10"),
        ("~1", "1.10.0"),
        ("^0.3.1", "0.3.2"),
        ("latest", "2.0.0"),
        (None, "2.0.0"),
        ("2.1.0-beta.1", "2.1.0-beta.1"),
        ("3", None),
        ("1.2.4", None),
        ("^1.11", None),
        ("next", None),
        ("", None),
        ("9" * 5000, None),
    ],
)
def test_the_version_that_answers(wanted, found):
    versions = ["1.10.0", "1.2.3", "1.2.10", "0.3.2", "0.4.0", "2.0.0", "2.1.0-beta.1", "odd"]
    assert mirror.best(versions, wanted) == found


@given(st.lists(st.tuples(*[st.integers(0, 20)] * 3), min_size=1))
def test_the_latest_is_the_highest(releases):
    versions = [".".join(map(str, one)) for one in releases]
    assert mirror.best(versions, "latest") == ".".join(map(str, max(releases)))


def test_what_a_mirror_holds_is_its_digest(tmp_path):
    mirror_in(tmp_path / "one")
    mirror_in(tmp_path / "two")
    one, two = (Mirror(str(tmp_path / name)) for name in ("one", "two"))
    assert str(one) == str(two)
    put(tmp_path / "two", "more@1.0.0", {"index.js": "1"})
    assert str(one) != str(Mirror(str(tmp_path / "two")))


def test_a_package_with_a_scope_and_a_main_without_an_ending(tmp_path):
    found = Mirror(str(mirror_in(tmp_path))).find(cdn.wanted(f"{JSDELIVR}/@made/up@0"))
    assert (found.body, found.type) == (b"window.up = 'up';", "text/javascript; charset=utf-8")


@pytest.mark.parametrize(("url", "why"), LACKS.items())
def test_why_a_url_is_not_served(tmp_path, url, why):
    wanted = cdn.wanted(url)
    assert Mirror(str(mirror_in(tmp_path))).lack(wanted) == why
    assert cdn.Missing(wanted, why).ours == (why != "file")


def test_what_is_served_lacks_nothing(tmp_path):
    assert Mirror(str(mirror_in(tmp_path))).lack(cdn.wanted(f"{JSDELIVR}/tiny-lib@1.2.3/+esm")) is None


def test_a_folder_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(RccaError, match="no folder of packages"):
        Mirror(str(tmp_path / "none"))


@pytest.mark.parametrize(
    ("url", "message", "named"),
    [
        (f"{JSDELIVR}/d3@7", "Uncaught ReferenceError: d3 is not defined", True),
        (f"{JSDELIVR}/d3@7", "Uncaught ReferenceError: data is not defined", False),
        (f"{JSDELIVR}/three@0.160", "Uncaught ReferenceError: THREE is not defined", True),
        (f"{JSDELIVR}/three@0.160", "TypeError: THREE.OrbitControls is not a constructor", True),
        (f"{JSDELIVR}/chart.js", "Uncaught TypeError: window.Chart is not a constructor", True),
        (f"{JSDELIVR}/jquery", "Uncaught TypeError: $ is not a function", True),
        (f"{JSDELIVR}/react-dom@18", "Uncaught ReferenceError: ReactDOM is not defined", True),
        (f"{JSDELIVR}/tiny-lib", "Uncaught ReferenceError: tinyLib is not defined", True),
        (f"{JSDELIVR}/tiny-lib", "TypeError: Cannot read properties of null (reading 'tinyLib')", False),
        ("https://unpkg.com/x", "Failed to fetch dynamically imported module: https://unpkg.com/x", True),
        ("https://unpkg.com/", "Uncaught ReferenceError: x is not defined", False),
    ],
)
def test_the_error_that_names_a_library(url, message, named):
    assert cdn.wanted(url).is_named_by(message) == named


def test_what_a_module_imports():
    url = "https://unpkg.com/three@0.160.0/build/three.module.js"
    assert cdn.imports(f'<script type=module>import * as THREE from "{url}"</script>', url)
    assert cdn.imports(f'<script type="importmap">{{"imports": {{"three": "{url}"}}}}</script>', url)
    assert cdn.imports('<script type=importmap>{"a/": "https://unpkg.com/three@0.160.0/"}</script>', url)
    assert not cdn.imports(f'<script src="{url}"></script><script>import("{url}")</script>', url)


def test_the_examples_in_the_code_hold():
    assert doctest.testmod(cdn).failed == 0
    assert doctest.testmod(mirror).failed == 0
