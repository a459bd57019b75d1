"""Libraries of CDNs: from the mirror under the CDN's own address, or missing and known to be."""

import base64
import hashlib
import json

import pytest

from rcca_cli import checks
from rcca_cli.bench.redteam.watch import Listener
from rcca_cli.browser import Machine, Mirror, Screen, Settings
from tests.browser.packages import TINY, mirror_in

JSDELIVR = "https://cdn.jsdelivr.net/npm"
OUT = "<h1 id=out>nothing</h1>"
SAY = "<script>out.textContent = window.tinyLib ? tinyLib.version + ' ' + tinyLib.from : 'none'</script>"
SRI = "sha384-" + base64.b64encode(hashlib.sha384(TINY["lib/tiny.js"].encode()).digest()).decode()


@pytest.fixture(scope="module", params=[True, False], ids=["isolated", "flags"])
def stocked(request, tmp_path_factory):
    """A browser whose CDNs have the made-up packages, at both levels of isolation."""
    folder = mirror_in(tmp_path_factory.mktemp("mirror"))
    with Machine(Settings(isolate=request.param, mirror=Mirror(str(folder)))) as machine:
        yield machine


def seen(machine, page, *wanted):
    """How the page fares with these expectations: what is wrong, what was thrown, and what was missing."""
    steps = wanted or ({"expect": "text", "contains": "never"},)
    case = checks.parse(json.dumps({"cases": [{}, {}], "steps": list(steps)})).cases[0]

    async def played():
        async with machine.visit(page, 1) as visit:
            await visit.load()
            outcome = await checks.play(Screen(visit), case)
            missing = sorted(visit.missing)
            return outcome.diagnosis, [one.message for one in visit.thrown], missing

    return machine.run(played)


def shows(text):
    return {"expect": "text", "contains": text}


@pytest.mark.parametrize(
    ("url", "text"),
    [
        (f"{JSDELIVR}/tiny-lib@1.2.3", "1.2.3 main"),
        (f"{JSDELIVR}/tiny-lib@1.2", "1.2.3 main"),
        (f"{JSDELIVR}/tiny-lib@1", "1.10.0 index"),
        (f"{JSDELIVR}/tiny-lib@latest?x=1", "1.10.0 index"),
        (f"{JSDELIVR}/tiny-lib@~1.2.1/lib/tiny.min.js", "1.2.3 main"),
        ("//cdn.jsdelivr.net/npm/tiny-lib@%5E1.2.0", "1.10.0 index"),
        ("https://unpkg.com/tiny-lib@1.2.3", "1.2.3 unpkg"),
        ("https://unpkg.com/tiny-lib", "1.10.0 index"),
        ("https://cdnjs.cloudflare.com/ajax/libs/tiny-lib/1.2.3/tiny.min.js", "1.2.3 unpkg"),
    ],
)
def test_a_script_of_a_package_runs(stocked, url, text):
    page = f'{OUT}<script src="{url}"></script>{SAY}'
    assert seen(stocked, page, shows(text)) == (None, [], [])


def test_a_module_is_imported_with_what_it_imports(stocked):
    for url in (
        f"{JSDELIVR}/tiny-lib@1.2.3/+esm",
        "https://esm.sh/tiny-lib@1.2.3",
        "https://unpkg.com/tiny-lib@1.2.3/esm/index.js",
    ):
        page = f'{OUT}<script type=module>import {{ greet }} from "{url}"; out.textContent = greet("you")</script>'
        assert seen(stocked, page, shows("Hello you")) == (None, [], [])


def test_an_import_map_works(stocked):
    names = {"imports": {"tiny": "https://unpkg.com/tiny-lib@1.2.3/esm/index.js"}}
    page = f"""{OUT}<script type=importmap>{json.dumps(names)}</script>
    <script type=module>import {{ greet }} from "tiny"; out.textContent = greet("map")</script>"""
    assert seen(stocked, page, shows("Hello map")) == (None, [], [])


def test_a_module_that_needs_the_cdn_s_own_bundler_is_missing(stocked):
    page = f'{OUT}<script type=module>import "https://esm.sh/tiny-lib@1.2.3/esm/needy.js"</script>'
    (missing,) = seen(stocked, page)[2]
    assert (missing.wanted.name, missing.ours) == ("tiny-lib@1.2.3", True)


def test_a_style_sheet_applies(stocked):
    page = f'<link rel=stylesheet href="{JSDELIVR}/tiny-lib@1.2.3/dist/tiny.css">{OUT}'
    red = {"expect": "style", "target": {"role": "heading"}, "property": "color", "equals": "rgb(1, 2, 3)"}
    assert seen(stocked, page, red) == (None, [], [])


@pytest.mark.parametrize(("integrity", "text"), [(SRI, "1.2.3 main"), ("sha384-" + "A" * 64, "none")])
def test_integrity_is_that_of_the_package_s_own_bytes(stocked, integrity, text):
    script = f'<script src="{JSDELIVR}/tiny-lib@1.2.3" integrity="{integrity}" crossorigin=anonymous></script>'
    assert seen(stocked, OUT + script + SAY, shows(text)) == (None, [], [])


def test_a_fetch_reads_a_file(stocked):
    page = f"""{OUT}<script>fetch("{JSDELIVR}/tiny-lib@1.2.3/package.json").then(one => one.json())
    .then(found => {{ out.textContent = found.name + " is read" }})</script>"""
    assert seen(stocked, page, shows("tiny-lib is read")) == (None, [], [])


@pytest.mark.parametrize(
    ("url", "name", "file", "ours"),
    [
        (f"{JSDELIVR}/other-lib@2/x.js", "other-lib@2", "x.js", True),
        (f"{JSDELIVR}/tiny-lib@3", "tiny-lib@3", None, True),
        (f"{JSDELIVR}/tiny-lib@1.2.3/no.js", "tiny-lib@1.2.3", "no.js", False),
        (
            f"{JSDELIVR}/gh/some/one@1/x.js".replace("/npm", ""),
            "https://cdn.jsdelivr.net/gh/some/one@1/x.js",
            None,
            True,
        ),
    ],
)
def test_what_the_mirror_lacks_is_known(stocked, url, name, file, ours):
    _, thrown, (missing,) = seen(stocked, f'{OUT}<script src="{url}"></script><script>tinyLib.go()</script>')
    assert thrown == ["Uncaught ReferenceError: tinyLib is not defined"]
    assert (missing.wanted.name, missing.wanted.file, missing.ours) == (name, file, ours)


def test_without_a_mirror_it_is_known_too_and_nothing_leaves(machine):
    with Listener() as listener:
        page = f'{OUT}<script src="{JSDELIVR}/d3@7"></script><img src="http://{listener.host}/x">'
        assert [one.wanted.name for one in seen(machine, page)[2]] == ["d3@7"]
        assert listener.heard() == []


def test_a_page_that_names_no_cdn_asks_for_no_more_than_before(machine):
    async def visited():
        async with machine.visit(OUT, 1) as visit:
            await visit.load()
            return visit.names_cdn, visit.slow, visit.is_clean

    assert machine.run(visited) == (False, False, True)


@pytest.mark.parametrize(
    "path", ["../secret.js", "..%2fsecret.js", "%2e%2e/secret.js", "lib/../../secret.js", "out.js"]
)
def test_nothing_outside_of_a_package_is_served(tmp_path, path):
    from rcca_cli.browser.cdn import wanted

    folder = mirror_in(tmp_path / "mirror")
    (folder / "secret.js").write_text("secret")
    (folder / "tiny-lib@1.2.3" / "out.js").symlink_to(folder / "secret.js")
    mirror = Mirror(str(folder))
    assert mirror.find(wanted(f"{JSDELIVR}/tiny-lib@1.2.3/lib/tiny.js"))
    assert mirror.find(wanted(f"{JSDELIVR}/tiny-lib@1.2.3/{path}")) is None
    assert mirror.find(wanted(f"{JSDELIVR}/..@1.2.3/{path}")) is None
