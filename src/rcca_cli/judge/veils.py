"""What a failed step looked for may be in the page, in an element that is not shown: which one, and what hides it."""

import contextlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rcca_cli.browser import Element, NoEvidence, Probe, Ran, Rule
from rcca_cli.checks.language import Step
from rcca_cli.judge import evidence
from rcca_cli.judge.places import Places
from rcca_cli.source import html
from rcca_cli.units import showing

DRAWINGS = ("painted", "drawn")  # what is on a canvas that is not shown cannot be known
SHOWN = {"display": re.compile(r"(?!none\b)"), "visibility": re.compile("visible")}  # values that hide nothing


@dataclass(frozen=True)
class Veil:
    """An element that hides what was wanted. `by` are the CSS properties of which one does it.

    `tag` is its start tag as it is in the page now, `names` its id and classes. `early`: it did so after the load.
    """

    element: Element
    tag: str
    by: tuple[str, ...]
    names: frozenset[str]
    early: bool


async def find(probe: Probe, sources: Mapping[int, html.Element], step: Step) -> Veil | None:
    """The first element without whose hiding the step would hold, on the page as it is now; None if there is none."""
    query = step.entry.query(step.arguments) if step.entry.query else {"target": step.arguments.get("target")}
    if not step.entry.query and not query["target"]:
        return None
    with contextlib.suppress(NoEvidence):
        found = await probe.evaluate(f"rcca.unveil({json.dumps(query)})") or {"veils": []}
        for place, one in enumerate(found["veils"]):
            if _holds(step, found["seen"], one):
                await probe.evaluate(f"rcca.veil({place})")
                element = await probe.element(sources, styled=True)
                if element is None:
                    return None
                return Veil(element, one["tag"], tuple(one["by"]), frozenset(one["names"]), one["early"])
    return None


def _holds(step: Step, seen: dict[str, Any], veil: dict[str, Any]) -> bool:
    """Whether the step would hold if this veil hid nothing, and does not as it is."""
    if step.entry.acts or step.entry.name in DRAWINGS:
        return not seen["visible"] and bool(veil["count"])
    more = {key: seen[key] + veil["count"] for key in ("found", "visible")}
    text = {} if seen["text"] is None else {"text": veil["text"]}
    return step.entry.run(seen, step.arguments, {}) is not None and (
        step.entry.run(seen | more | text, step.arguments, {}) is None
    )


def rule(veil: Veil) -> tuple[Rule, str] | None:
    """The strongest rule that hides, and its declaration in words (`display: none`)."""
    for one in reversed(veil.element.rules):
        values = {name: value for name, value, _, _ in one.declarations}
        for name in veil.by:
            if name in values and not (name in SHOWN and SHOWN[name].match(values[name])):
                return one, f"{name}: {values[name]}"
    return None


def said(veil: Veil, places: Places, sources: Mapping[int, html.Element]) -> str:
    """What hides, as it is written: a declaration in its rule, or the element's start tag."""
    by = rule(veil)
    if by is not None:
        return f"{by[0].selector} {{ {by[1]} }}"[:120]
    written = sources.get(veil.element.place) if veil.element.place is not None else None
    return places.page[written.start : written.start_tag_end][:120] if written is not None else veil.tag


def is_of_looks(veil: Veil, acted: bool, places: Places, ran: Iterable[Ran]) -> bool:
    """Whether markup or style are to blame, and not a script that should have shown what is hidden.

    Before any action they are. After one, they are if the element was hidden since the load and nothing could have
    shown it: no code that ran since shows or hides anything, and none at all does so that names the element. Where
    some could, the handler may have failed to, which the same page looks like.
    """
    if not acted:
        return True
    if not veil.early:
        return False
    blocks = evidence.coverage(places, (), [tuple(ran)])
    window = [places.page[one["start"] - places.start : one["end"] - places.start] for one in blocks]
    scripts = [places.page[block.start : block.end] for block in [*places.document.scripts, *places.document.handlers]]
    return not showing.can_show(scripts, window, veil.names or {veil.element.tag})


def rows(veil: Veil, places: Places, sources: Mapping[int, html.Element]) -> list[evidence.Row]:
    """The evidence: the element that hides, and the rule by which it does if there is one."""
    hides = evidence.element(places, veil.element, sources)
    found = [one | {"detail": f"{one['detail']} {showing.HIDES}"} for one in hides]
    by = rule(veil)
    if by is not None:
        found.append(evidence.row("css", places.rule(by[0]), f"{by[0].selector[:120]} {{ {by[1][:80]} }}"))
    return found
