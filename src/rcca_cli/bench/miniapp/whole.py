"""An answer whose page is in one piece: CSS and JavaScript files that it gives beside the page are put into it.

A file is named on the line above its block (`#### `style.css``), as the contract asks for the page; of several blocks
with one name the last counts. An answer that gives no such file stays as it is, and the judge finds the page in it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from rcca_cli.judge import artifact
from rcca_cli.source import html

NAMED = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+|[-*][ \t]+)?[*_]{0,2}`?([\w./-]+\.(?:html?|css|m?js))`?[*_]{0,2}:?[ \t]*\r?\n\s*?"
    r"(`{3,}|~{3,})[^\r\n]*\r?\n",
    re.M | re.I,
)
STYLE_END, SCRIPT_END = re.compile("</(?=style)", re.I), re.compile("</(?=script)", re.I)
ESCAPED = r"<\\/"  # in a string, a pattern or a comment it is the same
PAGE = "index.html"
ANSWER = "#### `index.html`\n\n```html\n{}\n```\n"


@dataclass(frozen=True)
class Whole:
    """The answer's text, and the names of the files that were put into its page; none: the text is as it was."""

    text: str
    files: tuple[str, ...] = ()


def answer(text: str) -> Whole:
    """The answer with its page in one piece."""
    found = dict(blocks(text))
    pages = [name for name in found if name.lower().endswith((".html", ".htm"))]
    name = next((one for one in pages if base(one) == PAGE), pages[-1] if pages else None)
    if name is None:
        there = artifact.find(text).artifact if found else None
        page = text[there["start"] : there["end"]] if there else ""
    else:
        page = found[name]
    put = of_files(page, found)
    if put.files or len(pages) > 1:  # of several pages the judge would take the last
        return Whole(ANSWER.format(put.text.strip("\n")), put.files)
    return Whole(text)


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """(name, content) of each named file, in order."""
    places = list(NAMED.finditer(text))
    for number, place in enumerate(places):
        stop = places[number + 1].start() if number + 1 < len(places) else len(text)
        name, inside = place[1], text[place.end() : stop]
        if name.lower().endswith((".html", ".htm")):
            there = artifact.find(text[place.start(2) : stop]).artifact  # it knows a fence inside a page from its end
            inside = text[place.start(2) + there["start"] : place.start(2) + there["end"]] if there else ""
        else:
            closing = re.search(rf"^[ \t]*{place[2][0]}{{{len(place[2])},}}[ \t]*\r?$", inside, re.M)
            inside = inside[: closing.start()] if closing else inside
        yield name, inside


def of_files(page: str, files: Mapping[str, str]) -> Whole:
    """The page with the sheets and scripts that it refers to, and that are among the files, put into it, each once.

    A script that waits for the document (`defer`, `async`) goes to the end of it, where it runs just as late.
    """
    edits: list[tuple[int, int, str]] = []
    late: list[str] = []
    alike = Counter(base(name) for name in files)
    names = {base(name): name for name in files if alike[base(name)] == 1} | {path(name): name for name in files}
    used: dict[str, None] = {}
    document = html.parse(page)
    for element in document.elements:
        name = wanted(element, names)
        if name is None or name in used:
            continue
        used[name] = None
        if element.tag == "link":
            put = sheet(files[name], element.attribute("media"))
        else:
            put = script(files[name], element.attribute("type"))
        waits = "defer" in element.attributes or "async" in element.attributes
        edits.append((element.start, element.end, "" if waits else put))
        late += [put] if waits else []
    if late:
        end = next((e.end_tag_start for e in document.elements if e.tag == "body" and e.end_tag_start), len(page))
        edits.append((end, end, "\n".join(late)))
    return Whole(edited(page, edits), tuple(used))


def wanted(element: html.Element, names: Mapping[str, str]) -> str | None:
    """The file that a sheet's link or a script refers to: by its path, else by its last part if one file alone has it.

    None of a script that no browser of today runs.
    """
    is_sheet = element.tag == "link" and "stylesheet" in element.attribute("rel").lower().split()
    if not (is_sheet or element.tag == "script") or "nomodule" in element.attributes:
        return None
    try:
        address = urlsplit(element.attribute("href" if is_sheet else "src").strip())
    except ValueError:  # no address at all
        return None
    if address.scheme or address.netloc or not address.path:
        return None
    here = path(unquote(address.path))
    return names.get(here) or names.get(base(here))


def path(name: str) -> str:
    """A file's path without what says that it begins here."""
    return name.removeprefix("./").lstrip("/")


def base(name: str) -> str:
    """The last part of a path, in small letters."""
    return PurePosixPath(name).name.lower()


def sheet(css: str, media: str) -> str:
    """A style element; what would end it early is written otherwise."""
    wanted = f' media="{media}"' if media and '"' not in media else ""
    return f"<style{wanted}>\n{STYLE_END.sub(ESCAPED, css).rstrip()}\n</style>"


def script(code: str, kind: str) -> str:
    """A script element of the kind that it was: a module, or of a language that a library of the page reads."""
    type_ = f' type="{kind.strip()}"' if kind.strip() and '"' not in kind else ""
    return f"<script{type_}>\n{SCRIPT_END.sub(ESCAPED, code).rstrip()}\n</script>"


def edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    """The text with each span replaced; spans do not overlap."""
    parts, place = [], 0
    for start, end, put in sorted(edits):
        parts += [text[place:start], put]
        place = end
    return "".join([*parts, text[place:]])
