"""The one document in an answer: found between reasoning, prose and other code, and placed in code points.

A fence inside the page (a template string about Markdown, say) does not end it, a `<think>` inside the page
does not hide it, and what stands in the reasoning is never the answer.
"""

import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rcca_cli.records import Artifact
from rcca_cli.source import html, problems

# Answers are hostile: no pattern may take more than a time in proportion to the text, hence `(?>…)` and `*+`.
FENCE = re.compile(r"(?:^|(?<=think>)|(?<=thinking>))[ \t]{0,12}(?:[-*>][ \t]+)?(`{3,}|~{3,})([^\r\n]*+)\r?$", re.M)
COMMENTS = r"\s*+(?:<!--(?>.*?-->)\s*+)*+"
OPENING = re.compile(r"(?:(?<!`)<!doctype\s+html|^[ \t]*<html[\s>])", re.I | re.M)  # not one that the prose names
DOCUMENT = re.compile(COMMENTS + r"(?:<!doctype\s+html|<html[\s>])", re.I | re.S)
FRAGMENT = re.compile(
    COMMENTS + r"<(?:body|head|main|header|div|style|script|section|svg|form|h1|p|button)[\s>/]", re.I | re.S
)
END_TAG = re.compile(r"</(?:html|body)\s*>", re.I)
THINK = re.compile(r"\s*<think(?:ing)?>", re.I)
THOUGHT = re.compile(r"</think(?:ing)?>", re.I)
HTML_NAMES = frozenset(["html", "htm", "xhtml", "html5"])
WRAPPERS = frozenset(["markdown", "md"])
HOLDS_FENCES = frozenset(["script", "style", "textarea", "title", "pre", "code"])
REACH = 128  # how many fences on a page's own end is looked for
MOST = 64  # candidates in one answer


@dataclass(frozen=True)
class Found:
    """The artifact, or None and in `diagnosis` why the answer has none."""

    artifact: Artifact | None
    diagnosis: str | None


@dataclass(frozen=True)
class Candidate:
    """A place that may be the document."""

    start: int
    end: int
    after: int  # where the prose goes on
    method: str  # how it was found
    document: bool  # it begins with a doctype or <html>
    truncated: bool  # its end is missing; one that is only swallowed by an open <style> or <script> is there


def find(text: str, finish_reason: str | None = None, thought_end: int | None = None) -> Found:
    """The HTML document in `text`, the whole answer of a model.

    Of several, the last complete one counts; a fragment counts only if nothing says that it is a document.
    `truncated` is true of one whose end is missing. `method` is fence, bare (a document without a fence) or
    fragment; `blocks` is how many candidates there were. `thought_end` is where the reasoning is known to end.
    """
    start, candidates = _answer(text, thought_end or 0)
    if start is None:
        return Found(None, _explained("the answer never leaves its <think> block", finish_reason))
    if not candidates:
        return Found(None, _explained(_nothing(text[start:]), finish_reason))
    best = max(candidates, key=lambda candidate: (candidate.document, not candidate.truncated, candidate.start))
    artifact = Artifact(
        start=best.start,
        end=best.end,
        method=best.method,
        blocks=len(candidates),
        truncated=best.truncated,
        sha256=hashlib.sha256(text[best.start : best.end].encode("utf-8", "surrogatepass")).hexdigest(),
    )
    return Found(artifact, None)


def _explained(diagnosis: str, finish_reason: str | None) -> str:
    return diagnosis + (" (it was cut off at the token limit)" if finish_reason == "length" else "")


def _nothing(answer: str) -> str:
    if not answer.strip():
        return "the answer is empty"
    names = {words[0].lower() for match in FENCE.finditer(answer) if (words := match.group(2).split())}
    if names:
        return f"no HTML document in the answer, only code blocks of {', '.join(sorted(names))}"
    return "no HTML document in the answer"


def _answer(text: str, start: int) -> tuple[int | None, list[Candidate]]:
    """Where the answer begins, behind its reasoning, and the candidates in it; None if the reasoning never ends.

    What stands before `start` is known to be reasoning; one that fills the text was cut off.

    The opening tag may be missing, because many chat templates write it. Then a closing tag ends the reasoning
    only if it is outside of every document and a document follows; otherwise it is stray.
    """
    if start and not text[start:].strip() and not THOUGHT.search(text, max(0, start - 12), start):
        return None, []
    opening = THINK.match(text, start)
    if opening:
        closing = THOUGHT.search(text, opening.end())
        if closing is None:
            return None, []
        start = closing.end()
    candidates = list(_candidates(text, start))
    for closing in reversed(list(THOUGHT.finditer(text, start))):
        around = next((c for c in candidates if c.start <= closing.start() < c.end), None)
        if around and not (around.truncated and _alone(text, closing)):
            continue  # a page about such tags; but a draft that was never finished cannot hold the answer
        later = list(_candidates(text, closing.end()))
        if later:
            return closing.end(), later
        if not around or around is candidates[0]:
            break  # nothing more to find before it
    return start, candidates


def _alone(text: str, match: re.Match[str]) -> bool:
    return not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip()


def _candidates(text: str, start: int) -> Iterator[Candidate]:
    """The candidates from a place on, in order, at most MOST; none is inside another."""
    fences = list(FENCE.finditer(text, start))
    openings = list(OPENING.finditer(text, start))
    fence_places, opening_places = [fence.start() for fence in fences], [opening.start() for opening in openings]
    place, count = start, 0
    while count < MOST:
        number = bisect_left(fence_places, place)
        near = fences[number : number + REACH]
        bare = openings[bisect_left(opening_places, place) :][:1]
        if bare and (not near or bare[0].start() < near[0].start()):
            found: Candidate | int = _bare(text, bare[0], near)
        elif near:
            found = _fenced(text, near)
        else:
            break
        if isinstance(found, Candidate):
            count += 1
            yield found
        place = found.after if isinstance(found, Candidate) else found
    if not count and FRAGMENT.match(text, start):
        yield Candidate(_skip_blank(text, start), len(text.rstrip()), len(text), "fragment", False, False)


def _skip_blank(text: str, place: int) -> int:
    return place + len(text[place:]) - len(text[place:].lstrip())


def _bare(text: str, opening: re.Match[str], fences: list[re.Match[str]]) -> Candidate:
    """A document without a fence: to its own end tag, or else to the next document or the end of the text."""
    start = _skip_blank(text, opening.start())
    stop = _next_document(text, start, len(text), fences)
    end = _end_of_document(text, start, stop)
    if end is None:
        return Candidate(start, stop, stop, "bare", True, not problems.ends_as_page(text[start:stop]))
    return Candidate(start, end, end, "bare", True, False)


def _end_of_document(text: str, start: int, stop: int) -> int | None:
    """Where the document ends by its own end tag; the parser knows that one in a script does not count."""
    document = html.parse(text[start:stop])
    outer = [e.end for e in document.elements if e.tag in ("html", "body") and e.end_tag_start is not None]
    return start + max(outer) if outer and not problems.is_unfinished(document) else None


def _next_document(text: str, start: int, stop: int, fences: list[re.Match[str]]) -> int:
    """The first fence in `text[start:stop]` that opens a document of its own, not one that the page talks about."""
    for fence in fences:
        if start < fence.start() < stop and DOCUMENT.match(text, fence.end()):
            document = html.parse(text[start:stop])
            around = document.at(fence.start() - start)
            inside = around is not None and around.tag in HOLDS_FENCES and around.end_tag_start is not None
            if not inside or problems.check(text[start:stop]):
                return fence.start()
    return stop


def _fenced(text: str, fences: list[re.Match[str]]) -> Candidate | int:
    """The candidate that the first fence opens, or where to go on reading."""
    fence, rest = fences[0], fences[1:]
    words = fence.group(2).split()
    name = words[0].lower() if words else ""
    if name in WRAPPERS:
        return fence.end()  # the answer is inside
    start = min(fence.end() + 1, len(text))
    closers = [other for other in rest if _closes(other, fence)]
    first_end, first_after = (closers[0].start(), closers[0].end()) if closers else (len(text), len(text))
    document = DOCUMENT.match(text, start) is not None
    if not (document or _is_fragment(text[start:first_end], name)):
        return first_after
    stop = _next_document(text, start, closers[-1].start() if closers else len(text), rest)
    candidate = Candidate(start, stop, stop, "fence", document, True)
    for closer in closers:
        if closer.start() <= stop and _complete(text[start : closer.start()], document):
            return replace(candidate, end=closer.start(), after=closer.end(), truncated=False)
    return _without_end(text, candidate, first_end, first_after)


def _is_fragment(code: str, name: str) -> bool:
    if name in HTML_NAMES:
        return bool(code.strip())
    return name in ("", "svg", "xml") and FRAGMENT.match(code) is not None


def _closes(match: re.Match[str], fence: re.Match[str]) -> bool:
    """CommonMark: alone on its line, of the same sign, at least as long."""
    sign, opener = match.group(1), fence.group(1)
    return not match.group(2).strip(" \t") and sign[0] == opener[0] and len(sign) >= len(opener)


def _complete(page: str, document: bool) -> bool:
    return (not document or END_TAG.search(page) is not None) and not problems.is_unfinished(html.parse(page))


def _without_end(text: str, candidate: Candidate, first_end: int, first_after: int) -> Candidate:
    """A block of which no closing fence ends a whole page: to the first one, or to the document's own end."""
    if first_end <= candidate.end and first_end < len(text):
        page = text[candidate.start : first_end]
        unfinished = problems.is_unfinished(html.parse(page)) and not problems.ends_as_page(page)
        return replace(candidate, end=first_end, after=first_after, truncated=unfinished)
    end = _end_of_document(text, candidate.start, candidate.end) if candidate.document else None
    return candidate if end is None else replace(candidate, end=end, after=end, truncated=False)
