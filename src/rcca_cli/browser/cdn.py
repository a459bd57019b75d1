"""Public CDNs: which package, version and file a URL of theirs asks for. Pure: nothing is looked up anywhere."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote, urlsplit

from rcca_cli.browser.libraries import GLOBALS, NAMES

PACKAGE = re.compile(r"((?:@[\w~-][\w.~-]*/)?[\w~-][\w.~-]*)(?:@([\w.^~*+-]+))?(?:/(.*))?$", re.A | re.S)
LIBRARY = re.compile(r"([\w~-][\w.~-]*)/([\w.+-]+)/(.+)$", re.A | re.S)
JQUERY = re.compile(r"(?:jquery-(\d[\w.-]*?)|ui/(\d[\w.-]*)/jquery-ui)((?:\.slim)?(?:\.min)?\.(?:js|css))$", re.A)
D3 = re.compile(r"d3(?:\.v(\d+))?((?:\.min)?\.js)$", re.A)
VERSION = re.compile(r"[\w.^~*+-]+$", re.A)
# What an error says about something that is not there; the first name is the one that is missing.
NOT_THERE = re.compile(
    r"(?<![\w$.])(?:(?:window|self|globalThis)\.)?([\w$]+)(?:\.[\w$]+)* is not (?:defined|a function|a const)"
)


@dataclass(frozen=True, order=True)
class Wanted:
    """What a URL asks for. `package` is npm's name, None if it is none of npm's.

    `version` may be a range ("3", "^3.1", "latest") or None, `file` is None for the package's default file. `built`:
    the host lays files out in its own way, so that a path may name a file in another folder of the package.
    `module`: it makes an ES module of the package.
    """

    url: str
    host: str
    package: str | None = None
    version: str | None = None
    file: str | None = None
    built: bool = False
    module: bool = False

    @property
    def name(self) -> str:
        """What it is called in messages: `d3@7`, or its URL."""
        return self.url if self.package is None else self.package + (f"@{self.version}" if self.version else "")

    def provides(self, name: str) -> bool:
        """Whether a global called `name` is this package's, by a table of common ones or by its own name."""
        package = self.package or ""
        known = GLOBALS.get(package)
        if known is not None:
            return name in known
        own = _letters(package.rpartition("/")[2])
        return bool(own) and _letters(name) in (own, own.removesuffix("js"))

    def is_named_by(self, message: str) -> bool:
        """Whether the message of an error says that this was not there, by its global or its URL."""
        missed = NOT_THERE.search(message)
        return self.url in message or (missed is not None and self.provides(missed[1]))


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9$]", "", name.lower())


# Why a request was not served. "package": the mirror has it not. With the package there: "bundle", a module that only
# the CDN makes of it; "layout", a file that the CDN may have put together; "file", one that is not in the package.
Lack = Literal["package", "bundle", "layout", "file"]
TOLD: dict[str, str] = {
    "package": "which is not in the mirror; --cdn DIR",
    "bundle": "a bundle with what it imports, which only the CDN makes: no package has it",
    "layout": "a file that its package has not, and the CDN may have made",
    "file": "and the package has no such file: the app's fault",
}


@dataclass(frozen=True, order=True)
class Missing:
    """A request that was not served, and why."""

    wanted: Wanted
    lack: Lack

    @property
    def ours(self) -> bool:
        """Whether it works for users and our side cannot serve it; else the CDN would not have it either."""
        return self.lack != "file"


Parts = dict[str, str | bool | None]


def _package(path: str) -> Parts | None:
    match = PACKAGE.match(path)
    return {"package": match[1], "version": match[2], "file": match[3] or None} if match else None


def _jsdelivr(path: str) -> Parts | None:
    if not path.startswith("npm/"):
        return None  # of GitHub or WordPress, or several files in one
    bare = path.removesuffix("/+esm")
    found = _package(bare.removeprefix("npm/"))
    return found and found | {"module": bare != path}


def _module(path: str) -> Parts | None:
    found = _package(re.sub(r"^(?:v\d+|stable|npm:?)/", "", path))
    return found and found | {"module": True}


def _library(path: str) -> Parts | None:
    match = LIBRARY.match(path.removeprefix("ajax/libs/"))
    if not match:
        return None
    name, version, file = match.groups()
    package = NAMES.get(name, name)
    if name == "font-awesome" and version < "5":
        package = name
    version = re.sub(r"^r(\d+)$", r"0.\1", version)  # three.js r128
    return {"package": package, "version": version, "file": file, "built": True}


def _jquery(path: str) -> Parts | None:
    match = JQUERY.match(path)
    if not match:
        return None
    package = "jquery" if match[1] else "jquery-ui"
    return {"package": package, "version": match[1] or match[2], "file": package + match[3], "built": True}


def _d3(path: str) -> Parts | None:
    match = D3.match(path)
    return {"package": "d3", "version": match[1], "file": f"d3{match[2]}", "built": True} if match else None


def _tailwind(path: str) -> Parts:
    version = path.strip("/")
    return {"package": "@tailwindcss/browser", "version": version if VERSION.match(version) else None}


# One line a CDN: how its paths, without the first slash, are read.
CDNS: dict[str, Callable[[str], Parts | None]] = {
    "cdn.jsdelivr.net": _jsdelivr,
    "unpkg.com": _package,
    "cdnjs.cloudflare.com": _library,
    "ajax.googleapis.com": _library,
    "esm.sh": _module,
    "esm.run": _module,
    "cdn.skypack.dev": _module,
    "code.jquery.com": _jquery,
    "d3js.org": _d3,
    "cdn.tailwindcss.com": _tailwind,
    "stackpath.bootstrapcdn.com": _library,
    "maxcdn.bootstrapcdn.com": _library,
}
PATTERNS = [{"urlPattern": f"*://{host}/*"} for host in CDNS]
ADDRESS = re.compile(rf"(?:https?:|(?<!:))//(?:{'|'.join(map(re.escape, CDNS))})(?![\w.:@-])[^\s\"'`<>()\\]*", re.I)
IMPORTED = re.compile(r"""\b(?:from|import)\s*["'](https?://[^"'\s]+)""")
# Neither part may run over the next tag, or a hostile page would make the search quadratic.
IMPORT_MAP = re.compile(r"<script\b[^<>]{0,300}?\btype\s{0,9}=\s{0,9}[\"']?importmap[^<>]{0,300}>([^<]*)", re.I)


def wanted(url: str) -> Wanted | None:
    """What `url` asks for; None if it is no URL of a CDN.

    >>> wanted("https://cdn.jsdelivr.net/npm/d3@7/dist/d3.min.js").name
    'd3@7'
    """
    try:
        parts = urlsplit(f"https:{url}" if url.startswith("//") else url)
        host = parts.hostname or ""
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or host not in CDNS:
        return None
    found = CDNS[host](unquote(parts.path).lstrip("/"))
    return Wanted(url, host, **(found or {}))  # type: ignore[arg-type]


def named(text: str) -> bool:
    """Whether `text` names a CDN at all."""
    return ADDRESS.search(text) is not None


def asked(text: str) -> Iterator[Wanted]:
    """What the URLs in `text` ask for, in order; bare hosts and the folders of import maps ask for nothing."""
    for match in ADDRESS.finditer(text):
        found = wanted(match[0].rstrip(".,;"))
        if found and (found.package or urlsplit(found.url).path.strip("/")) and not found.url.endswith("/"):
            yield found


def imports(page: str, url: str) -> bool:
    """Whether a module of `page` imports `url` by itself or through its import map: without it, it never runs."""
    named = IMPORTED.findall(page) + ADDRESS.findall("".join(IMPORT_MAP.findall(page)))
    return any(url == one or (one.endswith("/") and url.startswith(one)) for one in named)
