"""The page, or the pages and their files, in an answer: nothing that the answer shows is lost.

The last complete document counts, a draft never; a page that was cut off is closed; a drawing or a fragment is wrapped
into a page; files keep their names and are served under them; code that no page links is put in where it can belong to
nothing else. `official.py` is the released harness's way.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rcca_cli.bench.artifacts import fences, files, official
from rcca_cli.bench.artifacts.fences import Fence
from rcca_cli.judge import artifact
from rcca_cli.source import html, problems

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
DRAWING = (re.compile(r"<svg[\s>]", re.I), re.compile(r"</svg\s*+>", re.I))  # where one begins and ends
BEFORE_DRAWING = re.compile(r"(?:<\?xml(?>.*?\?>)|<!--(?>.*?-->)|\s)*+", re.S)
MARKUP = re.compile(r"<!doctype\s+html|<html[\s>]|<body[\s>]", re.I)
COMPONENT = re.compile(artifact.COMMENTS + r"<(?:template|script\b[^>]*\bsetup\b|script\b[^>]*lang=)", re.S | re.I)
CLOSERS = ("", "</script>", "-->", "</style>", "</textarea>", "</title>", '">', "'>", ">")


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
    told = artifact.find(answer)
    found, text = told.artifact, without_thought(answer)
    blocks = fences.read(text)
    if found is None:
        return _without_page(text, blocks, told.diagnosis)
    code = answer[found["start"] : found["end"]]
    if artifact.DOCUMENT.match(code) is None:
        return _of_fragment(code, blocks)
    main, others = files.entry(code, blocks)
    beside = files.beside(main, blocks, others)
    if others:
        return Page("multi_page", main, beside)
    if found["truncated"]:
        return Page("truncated", closed(main), beside, "the page is cut off before its end")
    return Page("ok", files.with_loose_code(main, beside, blocks), beside)


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


# Without a document ------------------------------------------------------------------------------------------------


def _without_page(answer: str, blocks: Sequence[Fence], why: str | None) -> Page:
    if not MARKUP.search(answer) and (drawings := list(official.spans(answer, *DRAWING))):
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
    drawing = next(official.spans(code, *DRAWING), None)
    if drawing and BEFORE_DRAWING.fullmatch(code, 0, code.index(drawing)):
        return Page("wrapped_svg", wrapped(drawing))
    whole = wrapped(code)
    beside = files.beside(whole, blocks, {})
    return Page("fragment", files.with_loose_code(whole, beside, blocks), beside)


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
