"""What this machine can do: each examination is one function and one entry in EXAMINATIONS."""

import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from importlib import metadata, util
from typing import Any

from rcca_cli import __version__
from rcca_cli.doctor.finding import Finding, guarded
from rcca_cli.doctor.probe import PROBE
from rcca_cli.errors import ItemsFailed, install
from rcca_cli.jsonl import Line

BROWSER_FIX = "apt-get install chromium-headless-shell, or playwright install chromium"
PARSERS = ("turbohtml", "tree-sitter", "tree-sitter-javascript", "tree-sitter-css", "tinycss2", "esprima-fork")
EXTRAS = {
    "openai": "serve: to ask OpenAI-compatible servers",
    "trl": "trl: to compare with TRL's trainer",
    "datasets": "to load records with load_dataset",
}


def run() -> list[Finding]:
    """Every finding, in the order of EXAMINATIONS."""
    return [finding for examine in EXAMINATIONS for finding in guarded(examine)]


def python() -> Iterator[Finding]:
    """The interpreter and the machine."""
    version = platform.python_version()
    old = sys.version_info < (3, 11)
    fix = "rcca needs Python 3.11 or newer" if old else None
    yield Finding("python", "missing" if old else "ok", f"{version}, rcca {__version__}", fix)
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    yield Finding("processors", "ok", f"{processors} ({platform.machine()}, {platform.system()})")


def packages() -> Iterator[Finding]:
    """The parsers, by reading a page with an error in it."""
    from rcca_cli import source

    versions = ", ".join(f"{name} {metadata.version(name)}" for name in PARSERS)
    problems = source.check("<!DOCTYPE html><title>a</title><style>p{color:red}</style><script>let = 1 +</script>")
    if not problems:
        yield Finding(
            "parsers", "missing", f"a script that does not parse was not noticed ({versions})", "reinstall rcca"
        )
        return
    yield Finding("parsers", "ok", versions)


def esprima() -> Iterator[Finding]:
    """Which distribution `import esprima` is: two install the same package, and the last one installed wins."""
    owners = set(metadata.packages_distributions().get("esprima", ()))
    if owners == {"esprima-fork"}:
        yield Finding("esprima", "ok", f"esprima-fork {metadata.version('esprima-fork')}")
        return
    yield Finding(
        "esprima",
        "warning" if owners else "missing",
        f"`import esprima` belongs to {', '.join(sorted(owners)) or 'nobody'}: newer scripts may be rejected",
        "pip uninstall -y esprima esprima-fork && pip install --force-reinstall 'esprima-fork>=5'",
    )


def policy() -> Iterator[Finding]:
    """The embedded policy and the device it would run on."""
    from rcca_cli import models

    loaded = models.load("embedded", "auto")
    yield Finding(
        "torch", "ok", f"{metadata.version('torch')} on {loaded.device}, transformers {_version('transformers')}"
    )
    size = sum(parameter.numel() for parameter in loaded.model.parameters())
    yield Finding("policy", "ok", f"embedded: {size / 1e6:.1f} million parameters, context {loaded.context} tokens")


def browser() -> Iterator[Finding]:
    """The browser, and whether a page can be judged in it."""
    from rcca_cli.judge import stage

    options = stage.Options(jobs=1, replay_passes=0.0)
    with stage.court(options) as court:
        path = _browser_path() or "Playwright's own"
        yield Finding("browser", "ok", f"{court.machine.version} ({path})")
        began = time.perf_counter()
        try:
            (judged,) = stage.run([Line(PROBE, "<doctor>", 1)], options, court)
        except ItemsFailed as error:
            yield Finding("judge", "missing", str(error), "run `rcca judge` on a small page to see the reason")
            return
        seconds = time.perf_counter() - began
    yield verdict(judged, seconds)


def isolation() -> Iterator[Finding]:
    """How well pages are kept from the network, by what a page can do."""
    from rcca_cli.doctor import leak

    yield from leak.examine()


def verdict(judged: dict[str, Any], seconds: float) -> Finding:
    """Whether the probe, which works, was found to work."""
    judge = judged["judge"]
    (item,) = judge["verdicts"]
    if item["passed"]:
        return Finding("judge", "ok", f"a page with a button was judged in {seconds:.1f} s")
    reason = item["error"] or item["diagnosis"] or f"stopped at {judge['level']}"
    return Finding("judge", "missing", f"a page that works was found not to: {reason}", BROWSER_FIX)


def extras() -> Iterator[Finding]:
    """What can be installed beside rcca."""
    for name, use in EXTRAS.items():
        if util.find_spec(name) is None:
            extra, colon, _ = use.partition(":")
            yield Finding(name, "optional", use, install(extra) if colon else f"pip install {name}")
        else:
            yield Finding(name, "ok", _version(name))


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "of unknown version"


def _browser_path() -> str | None:
    from rcca_cli.browser import find

    return find.executable()


EXAMINATIONS: tuple[Callable[[], Iterator[Finding]], ...] = (
    python,
    packages,
    esprima,
    policy,
    browser,
    isolation,
    extras,
)
