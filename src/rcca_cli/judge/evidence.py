"""Rows of evidence: what the instruments saw, at its places in the answer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from rcca_cli.browser import Element, Failure, Frame, Ran
from rcca_cli.judge.places import Places, Span
from rcca_cli.source import html

FRAMES = 10  # of a stack
RULES = 8
BLOCKS = 120  # of coverage
NEVER, LOAD, WINDOW = 1, 2, 3
STATES = {NEVER: "never", LOAD: "load", WINDOW: "window"}
Row = dict[str, Any]


def row(kind: str, span: Span, detail: str) -> Row:
    """One row."""
    return {"kind": kind, "start": span[0], "end": span[1], "detail": detail}


def stack(places: Places, failures: Iterable[Failure]) -> Iterator[Row]:
    """The frames of uncaught errors; the detail begins with the depth, 0 where it was thrown."""
    for failure in failures:
        for depth, frame in enumerate(failure.frames[:FRAMES]):
            span = places.frame(frame)
            if span is not None:
                yield row("stack", span, f"{depth} {frame.function or '(anonymous)'}: {failure.message[:160]}")


def stuck(places: Places, frames: Sequence[Frame]) -> Iterator[Row]:
    """Where a page was busy when it was interrupted."""
    for depth, frame in enumerate(frames[:FRAMES]):
        span = places.frame(frame)
        if span is not None:
            yield row("stack", span, f"{depth} {frame.function or '(anonymous)'}: busy here")


def listeners(places: Places, element: Element, ran: Iterable[Ran]) -> Iterator[Row]:
    """The functions that wait for events on the element and around it; the detail ends with how far out."""
    bodies = [
        (start, end)
        for start, end, _ in _ranges(places, (Ran(one.function, one.script, one.ranges[:1]) for one in ran))
    ]
    for one in element.listeners:
        attribute = places.attribute(one.script, f"on{one.type}")
        if attribute is not None:
            yield row("listener", places.answer(attribute.value_start, attribute.value_end), f"{one.type} {one.depth}")
            continue
        place = places.point(one.script, "", one.line, one.column)
        if place is not None:
            yield row("listener", _body(places, place, bodies), f"{one.type} {one.depth}")


def _body(places: Places, place: int, bodies: Sequence[tuple[int, int]]) -> Span:
    """The function whose head is at `place` of the page, as far as `bodies` know it; else the word there."""
    unit = places.offsets.utf16(place)
    around = [(start, end) for start, end in bodies if start <= unit < end]
    if len(around) < 2:  # only the script itself
        return places.word(place) or places.answer(place, place)
    start, end = min(around, key=lambda body: body[1] - body[0])
    return places.answer(places.offsets.cp_from_utf16(start), places.offsets.cp_from_utf16(end))


def element(places: Places, found: Element, sources: Mapping[int, html.Element]) -> Iterator[Row]:
    """The element's own markup, or the calls that made it."""
    written = sources.get(found.place) if found.place is not None else None
    if written is not None:
        yield row("element", places.answer(written.start, written.start_tag_end), f"<{found.tag}> 0")
        return
    for depth, frame in enumerate(found.created[:3]):
        span = places.frame(frame)
        if span is not None:
            yield row("element", span, f"<{found.tag}> made by {frame.function or '(anonymous)'} {depth}")


def rules(places: Places, found: Element) -> Iterator[Row]:
    """The style rules that apply to the element, the strongest last, as the browser orders them."""
    for rule in found.rules[-RULES:]:
        yield row("css", places.rule(rule), rule.selector[:120])


def coverage(places: Places, load: Iterable[Ran], window: Iterable[Iterable[Ran]]) -> list[Row]:
    """Which code ran in the window of the check, which only while the page loaded, which never.

    The window is what was taken at several moments, each since the one before.
    """
    size = places.offsets.utf16(len(places.page))
    state = np.zeros(size, dtype=np.int8)
    for start, end, count in _ranges(places, load):
        state[start:end] = LOAD if count else NEVER
    for part in window:
        ran = np.zeros(size, dtype=bool)
        for start, end, count in _ranges(places, part):
            ran[start:end] = count > 0
        state[ran] = WINDOW
    edges = [0, *(np.flatnonzero(np.diff(state)) + 1).tolist(), size]
    rows: list[Row] = []
    for start, end in pairwise(edges):
        if start < end and state[start]:
            rows += _block(places, start, end, STATES[int(state[start])])
    return rows[:BLOCKS]


def _ranges(places: Places, ran: Iterable[Ran]) -> Iterator[tuple[int, int, int]]:
    """All ranges in UTF-16 units of the page, functions before those inside them."""
    found = []
    for order, one in enumerate(ran):
        base = places.base(one.script, one.function if one.function.startswith("on") else "")
        if base is not None:
            found += [(base + start, base + end, order, count) for start, end, count in one.ranges]
    for start, end, _, count in sorted(found, key=lambda one: (one[0] - one[1], one[2])):
        yield start, end, count


def _block(places: Places, start: int, end: int, state: str) -> Iterator[Row]:
    """The row of one block without the blanks around it; none for mere brackets."""
    first, last = places.offsets.cp_from_utf16(start), places.offsets.cp_from_utf16(end)
    text = places.page[first:last]
    if any(letter.isalnum() for letter in text):
        first += len(text) - len(text.lstrip())
        yield row("coverage", places.answer(first, first + len(text.strip())), state)
