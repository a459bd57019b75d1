"""The files of an answer that has several: what each is called, who loads it, and how a request finds it."""

import re
from collections.abc import Iterator, Mapping, Sequence

from rcca_cli.bench.artifacts import fences
from rcca_cli.bench.artifacts.fences import Fence
from rcca_cli.judge import artifact
from rcca_cli.source import Document, Element, html

FOLDER = re.compile(r"^(?:\./|/)+")


class Site(Mapping[str, str]):
    """The files beside a page as a server finds them: by `lookup`."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files

    def __getitem__(self, name: str) -> str:
        found = lookup(self._files, name)
        if found is None:
            raise KeyError(name)
        return self._files[found]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def entry(code: str, blocks: Sequence[Fence]) -> tuple[str, dict[str, str]]:
    """The page to begin with, and the other pages by their names, if the answer has several of different names."""
    named = {
        path(block.name): block.code
        for block in blocks
        if block.language == "html" and block.name and artifact.DOCUMENT.match(block.code)
    }
    if len(named) < 2:
        return code, {}
    linking = {name for name, text in named.items() if any(_links_to(text, other) for other in named if other != name)}
    if not linking:
        return code, {}  # drafts: nothing leads from one to another
    first = next(
        (name for name in named if name.rpartition("/")[2].lower() in ("index.html", "index.htm")),
        next(name for name in named if name in linking),
    )
    return named[first], named


def _links_to(code: str, name: str) -> bool:
    base = re.escape(name.rpartition("/")[2])
    return re.search(rf"""["'`(=/]\s*{base}(?:[?#][^"'`]*)?["'`)\s>]""", code, re.I) is not None


def beside(main: str, blocks: Sequence[Fence], pages: Mapping[str, str]) -> dict[str, str]:
    """All files beside the page, by path: blocks by their names, or by the page's links that no name answers."""
    found = dict(pages)
    codes = [block for block in blocks if block.language in ("css", "javascript", "json")]
    for block in codes:
        if block.name:
            found[path(block.name)] = block.code
    document = html.parse(main)
    for language in ("css", "javascript"):
        asked = [link for link in links(document, language) if lookup(found, link) is None]
        nameless = [block for block in codes if block.language == language and not block.name]
        found |= {path(link): block.code for link, block in zip(asked, nameless, strict=False)}
    return found


def links(document: Document, language: str) -> list[str]:
    """The local files that a page loads of a language, in order."""
    if language == "css":
        sheets = [one for one in document.elements if one.tag == "link" and re.search("stylesheet|preload", _rel(one))]
        told = [element.attribute("href") for element in sheets]
    else:
        told = [element.attribute("src") for element in document.elements if element.tag == "script"]
    return [one for one in dict.fromkeys(told) if one and not re.match(r"[a-z][a-z+.-]*:|//", one, re.I)]


def _rel(link: Element) -> str:
    told: str | list[str] = link.attribute("rel")  # the parser splits it
    return " ".join([told] if isinstance(told, str) else told).lower()


def path(name: str) -> str:
    """A file's path from the site's root.

    >>> path("./js/main.js"), path("/style.css?v=2")
    ('js/main.js', 'style.css')
    """
    return FOLDER.sub("", re.split(r"[?#]", name, maxsplit=1)[0])


def lookup(files: Mapping[str, str], name: str) -> str | None:
    """The path of the file that answers a request: the same path, else the only one of that name; None if none does.

    >>> lookup({"a.js": "", "css/b.css": ""}, "./js/a.js"), lookup({"x/b.css": "", "y/b.css": ""}, "b.css")
    ('a.js', None)
    """
    wanted = path(name)
    if wanted in files:
        return wanted
    base = wanted.rpartition("/")[2].lower()
    same = [one for one in files if one.rpartition("/")[2].lower() == base]
    return same[0] if len(same) == 1 else None


def with_loose_code(code: str, files: dict[str, str], blocks: Sequence[Fence]) -> str:
    """The page with the blocks that nothing in it loads; only of a language that it has no code of at all.

    Else a block may be a part of the page shown once more, or one that is to replace another.
    """
    document = html.parse(code)
    linked = {lookup(files, link) for language in ("css", "javascript") for link in links(document, language)}
    imported = {
        name for name in files for other in files.values() if other is not files[name] and _links_to(other, name)
    }
    for language, tag, owns in (("css", "style", document.styles), ("javascript", "script", document.scripts)):
        if owns or links(document, language):
            continue
        loose = [
            block.code
            for block in blocks
            if block.language == language and not (block.name and path(block.name) in linked | imported)
        ]
        module = ' type="module"' if tag == "script" and any(map(fences.is_module, loose)) else ""
        code = _put_in(code, "".join(f"<{tag}{module}>\n{one}\n</{tag}>\n" for one in loose), tag)
    return code


def _put_in(code: str, text: str, tag: str) -> str:
    """`text` before the end of the head or of the body, else at that end of the page."""
    ends = list(re.finditer("</head>" if tag == "style" else "</body>", code, re.I))
    if ends:
        place = ends[0].start() if tag == "style" else ends[-1].start()
        return code[:place] + text + code[place:]
    return code + text
