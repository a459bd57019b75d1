"""A verdict's row: what kind of failure it is, what it points to, and the evidence."""

import re
from itertools import chain
from typing import Any

from rcca_cli.judge import evidence, veils, verdicts
from rcca_cli.judge.places import Places
from rcca_cli.judge.played import Played
from rcca_cli.judge.replay import Seen

HANDLER = re.compile(r"(?:on[a-z]+)?")  # no name, or that of an attribute
NAMED = 3  # functions named in a diagnosis


def row(name: str, played: Played, seen: Seen | None, places: Places) -> dict[str, Any]:
    """The verdict on the item `name`, as it was played and, if it was, replayed."""
    rows = found(seen, places) if seen is not None else []
    if played.outcome.passed:
        return verdicts.verdict(name, True, evidence=rows)
    if played.outcome.kind == "unknown":
        return verdicts.unknown(name, played.outcome.problem or "")
    kind = failure(played, seen, places)
    veil = veil_in(kind, played, seen) if seen is not None else None
    if seen is not None and veil is not None:
        rows = [*veils.rows(veil, places, seen.load.sources), *rows]
    diagnosis = f"{played.outcome.diagnosis}{pointer(played, kind, seen, rows, places)}"
    severity = 0.5 if played.passed_before else 1.0
    return verdicts.verdict(name, False, severity=severity, failure=kind, diagnosis=diagnosis, evidence=rows)


def found(seen: Seen, places: Places) -> list[dict[str, Any]]:
    """All rows of evidence of one replay, each once."""
    rows = [*evidence.stack(places, seen.failures), *evidence.stuck(places, seen.stuck)]
    if seen.acted is not None:
        rows += evidence.listeners(places, seen.acted, [*seen.load.ran, *chain(*seen.window)])
        rows += evidence.element(places, seen.acted, seen.load.sources)
    if seen.looked is not None:
        rows += evidence.element(places, seen.looked, seen.load.sources)
        rows += evidence.rules(places, seen.looked)
    rows += evidence.coverage(places, seen.load.ran, seen.window)
    return list({tuple(one.values()): one for one in rows}.values())


def failure(played: Played, seen: Seen | None, places: Places) -> str:
    """What kind of failure: absent, exception, dead, visual or silent, the first that holds."""
    outcome = played.outcome
    veil = seen.veil if seen is not None and seen.complete else None
    if outcome.kind == "absent" and veil is None:
        return "absent"
    if played.threw or played.trouble:
        return "exception"
    if outcome.kind == "unable":
        return "dead"
    if seen is not None and seen.complete and seen.action == ():
        return "dead"
    if seen is not None and veil is not None:
        acted = outcome.last_act is not None
        return "visual" if veils.is_of_looks(veil, acted, places, chain(*seen.window)) else "silent"
    return "visual" if outcome.kind == "visual" else "silent"


def veil_in(kind: str, played: Played, seen: Seen) -> veils.Veil | None:
    """What hides what the failed step looked for, if the failure is of that: not where code threw or none answered."""
    of_it = kind in ("visual", "silent") or played.outcome.kind == "unable"
    return seen.veil if seen.complete and of_it else None


def pointer(played: Played, kind: str, seen: Seen | None, rows: list[dict[str, Any]], places: Places) -> str:
    """What the diagnosis says about the code, behind the rest of it."""
    if seen is None:
        return ""
    veil = veil_in(kind, played, seen)
    if veil is not None:
        return hidden(veil, played, kind, seen, places)
    looks = declaration(played, seen, places) if kind == "visual" else None
    if looks:
        return f" (set by `{looks}`)"
    first = {row["kind"]: row for row in reversed(rows)}
    if kind == "exception" and "stack" in first:
        top = first["stack"]
        said = top["detail"].partition(" ")[2]
        return f" ({said} at `{places.quote(top['start'])}`, line {places.line_of(top['start'])})"
    if kind == "dead" and seen.acted is not None and seen.acted.place is not None and "element" in first:
        return f" (no code of the page ran; the element is `{places.quote(first['element']['start'])}`)"
    if kind == "dead":
        return " (no code of the page ran)"
    return ran(seen)


def ran(seen: Seen) -> str:
    """The functions that the last action made run, in words."""
    names = dict.fromkeys(one.function for one in seen.action or () if not HANDLER.fullmatch(one.function))
    return f" (the page ran {', '.join(list(names)[:NAMED])})" if names else ""


def hidden(veil: veils.Veil, played: Played, kind: str, seen: Seen, places: Places) -> str:
    """What the diagnosis says of what is in the page and not shown.

    Where the script may be to blame, the element is not named: what a diagnosis names is taken for the place.
    """
    step = played.case.steps[played.outcome.step].entry
    found = "" if step.acts or step.name in ("visible", *veils.DRAWINGS) else "; it is in the page, but hidden"
    if kind == "silent":
        return found + ran(seen)
    return f"{found} (`{veils.said(veil, places, seen.load.sources)}`)"


def declaration(played: Played, seen: Seen, places: Places) -> str | None:
    """The declaration of the property that failed, in the strongest rule that has one."""
    wanted = played.case.steps[played.outcome.step].arguments.get("property")
    if not wanted or seen.looked is None:
        return None
    for rule in reversed(seen.looked.rules):
        for name, _, start, end in reversed(rule.declarations):
            if name == wanted or wanted.startswith(name + "-"):
                text = places.page[places.in_sheet(rule.sheet, *start) : places.in_sheet(rule.sheet, *end)]
                return f"{rule.selector} {{ {text.strip().rstrip(';')} }}"[:120]
    return None
