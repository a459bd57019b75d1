"""The page, or the pages and their files, in an answer: nothing that the answer shows is lost.

The last complete document counts, a draft never; a page that was cut off is closed; a drawing or a fragment is wrapped
into a page; files keep their names and are served under them; code that no page links is put in where it can belong to
nothing else. `official.py` is the released harness's way.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rcca_cli.bench.artifacts import fences
from rcca_cli.bench.artifacts.fences import Fence
from rcca_cli.judge import artifact
from rcca_cli.source import Document, Element, html, problems

Status = Literal["ok", "truncated", "wrapped_svg", "fragment", "multi_page", "unsupported_stack", "none"]
STATUSES: tuple[Status, ...] = (
    *("ok", "truncated", "wrapped_svg", "fragment", "multi_page", "unsupported_stack", "none"),
)
# Languages of apps that are no page in themselves; what runs them is not here.
_STACKS = (
    "vue svelte astro jsx tsx ts typescript python py java kotlin swift dart php wxml wxss go rust csharp cs cpp c ruby"
    " mermaid"
)
STACKS = frozenset(_STACKS.split())
DRAWING = re.compile(r"<svg[\s>].*?</svg\s*>", re.S | re.I)
MARKUP = re.compile(r"<!doctype\s+html|<html[\s>]|<body[\s>]", re.I)
COMPONENT = re.compile(r"\s*(?:<!--.*?-->\s*)*<(?:template|script\b[^>]*\bsetup\b|script\b[^>]*lang=)", re.S | re.I)
CLOSERS = ("", "</script>", "-->", "</style>", "</textarea>", "</title>", '">', "'>", ">")
FOLDER = re.compile(r"^(?:\./|/)+")


@dataclass(frozen=True)
class Page:
    """What is rendered: `html` at the address of the site, `files` beside it by their paths. Without html nothing is.

    `why` says what is missing, where something is.
    """

    status: Status
    html: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    why: str | None = None


def page(answer: str) -> Page:
    """The page in an answer, whatever its shape; `answer` may begin with the model's reasoning."""
    found = artifact.find(answer)
    start = found.artifact["start"] if found.artifact else 0
    behind = _answer_start(answer, start)
    blocks = fences.read(answer[behind:])
    if found.artifact is None:
        return _without_page(answer[behind:], blocks, found.diagnosis)
    code = answer[start : found.artifact["end"]]
    if artifact.DOCUMENT.match(code) is None:
        return _of_fragment(code, blocks)
    main, others = _entry(code, blocks)
    files = _files(main, blocks, others)
    if others:
        return Page("multi_page", main, files)
    if found.artifact["truncated"]:
        return Page("truncated", closed(main), files, "the page is cut off before its end")
    return Page("ok", _with_loose_code(main, files, blocks), files)


def _answer_start(text: str, start: int) -> int:
    """Where the answer begins: behind the last end of reasoning that comes before its page."""
    ends = [match.end() for match in artifact.THOUGHT.finditer(text, 0, start)]
    return ends[-1] if ends else 0


def without_thought(answer: str) -> str:
    """The answer behind the model's reasoning. One that never ends its reasoning says nothing.

    >>> without_thought("<think>A draft</think>The page"), without_thought("<think>A draft")
    ('The page', '')
    """
    found = artifact.find(answer)
    if found.artifact is not None:
        return answer[_answer_start(answer, found.artifact["start"]) :]
    opening = artifact.THINK.match(answer)
    ends = list(artifact.THOUGHT.finditer(answer))
    if opening and not ends:
        return ""
    return answer[ends[-1].end() :] if ends else answer


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


# Without a document ------------------------------------------------------------------------------------------------


def _without_page(answer: str, blocks: Sequence[Fence], why: str | None) -> Page:
    if not MARKUP.search(answer) and (drawings := DRAWING.findall(answer)):
        return Page("wrapped_svg", wrapped(drawings[-1]))
    if stacks := sorted({block.language for block in blocks} & STACKS):
        return Page("unsupported_stack", why=f"its code is {', '.join(stacks)}, which no browser runs as it is")
    loose = [block for block in blocks if block.language == "javascript"]
    if loose:
        return Page("unsupported_stack", why="there is JavaScript, and no page that would load it")
    return Page("none", why=why)


def _of_fragment(code: str, blocks: Sequence[Fence]) -> Page:
    """Markup without a page around it: a drawing, a component of a framework, or a part of a page."""
    if COMPONENT.match(code):
        return Page("unsupported_stack", why="its code is a component, which no browser runs as it is")
    drawing = DRAWING.search(code)
    if drawing and re.fullmatch(r"\s*(?:<\?xml.*?\?>|<!--.*?-->|\s)*", code[: drawing.start()], re.S):
        return Page("wrapped_svg", wrapped(drawing[0]))
    whole = wrapped(code)
    files = _files(whole, blocks, {})
    return Page("fragment", _with_loose_code(whole, files, blocks), files)


def wrapped(markup: str) -> str:
    """The smallest page with this in its body."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Answer</title>\n</head>\n'
        f"<body>\n{markup}\n</body>\n</html>\n"
    )


def closed(code: str) -> str:
    """A page that was cut off, with the end of whatever was open in it."""
    for closer in CLOSERS:
        if not problems.is_unfinished(html.parse(code + closer)):
            return f"{code}{closer}\n</body>\n</html>\n"
    return code


# Several files -----------------------------------------------------------------------------------------------------


def _entry(code: str, blocks: Sequence[Fence]) -> tuple[str, dict[str, str]]:
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


def _files(main: str, blocks: Sequence[Fence], pages: Mapping[str, str]) -> dict[str, str]:
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


def _with_loose_code(code: str, files: dict[str, str], blocks: Sequence[Fence]) -> str:
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
