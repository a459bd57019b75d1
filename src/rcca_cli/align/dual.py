"""Two to blame: a script that looks for an element under one name, and markup that gives it another.

`Cannot read properties of null` is thrown where the element is used. The fault is in the name, on either side.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
from rapidfuzz.distance import Levenshtein

from rcca_cli.align.answer import Answer
from rcca_cli.align.case import Case
from rcca_cli.credit import Attribution

NOTHING = re.compile(r"of (?:null|undefined)|(?:null|undefined) (?:is not|\()|is null|is undefined")
QUERY = re.compile(r"\(\s*[\"'`]([#.]?[A-Za-z_][\w-]*)[\"'`]\s*\)")
READS = re.compile(r"([A-Za-z_$][\w$]*)\s*(?:\.|\[)")
NAMES = re.compile(r"\b(?:id|class)\s*=\s*[\"']?([^\"'>]+)")
EDITS = 2
MOST = 20  # variables of a unit that are followed; one line of minified code may use thousands
SUFFIX = re.compile(r"(?:^|[-_]|(?<=[a-z])(?=[A-Z]))([A-Za-z]{4,})$")


def split(case: Case, attribution: Attribution) -> Attribution:
    """Half of the thrown-at units' mass on the looked-up name, half on markup with a name much like it.

    The same attribution if the error is another one, if no look-up is found, or if no name is near.
    """
    thrown = np.array(["stack" in names for names in attribution.sources])
    said = f"{case.verdict['diagnosis'] or ''} {' '.join(row['detail'] for row in case.evidence('stack'))}"
    if not thrown.any() or not NOTHING.search(said):
        return attribution
    found = looked_up(case.answer, attribution, int(np.argmax(thrown * attribution.mass)))
    if found is None:
        return attribution
    place, name = found
    near = [unit for unit in range(thrown.size) if is_near(case.answer, attribution, unit, name)]
    if not near:
        return attribution
    mass = np.where(thrown, 0.0, attribution.mass)
    half = float(attribution.mass[thrown].sum()) / 2
    mass[attribution.units.touched(place, place + 1).start] += half
    mass[near] += half * attribution.units.lengths[near] / attribution.units.lengths[near].sum()
    return replace(attribution, mass=mass)


def looked_up(answer: Answer, attribution: Attribution, unit: int) -> tuple[int, str] | None:
    """Where the code names the element that a unit uses, and the name: there, or where its variable is set."""
    start, end = attribution.units.spans[unit]
    query = QUERY.search(answer.text, start, end)
    if query:
        return query.start(1), query.group(1).lstrip("#.")
    for used in islice(dict.fromkeys(READS.findall(answer.text, start, end)), MOST):
        declared = re.compile(rf"\b{re.escape(used)}\s*=[^;\n]*?{QUERY.pattern}")
        query = declared.search(answer.text, answer.start, answer.end)
        if query:
            return query.start(1), query.group(1).lstrip("#.")
    return None


def is_near(answer: Answer, attribution: Attribution, unit: int, name: str) -> bool:
    """Whether a unit is a tag whose id or class is almost a name, but not it."""
    if attribution.units.units[unit].kind != "tag":
        return False
    names = set(_names(answer.text[slice(*attribution.units.spans[unit])]))
    return name not in names and any(_alike(name, other) for other in names)


def _names(tag: str) -> Iterator[str]:
    for match in NAMES.finditer(tag):
        yield from match.group(1).split()


def _alike(one: str, other: str) -> bool:
    ends = [match.group(1).lower() for match in map(SUFFIX.search, (one, other)) if match]
    return Levenshtein.distance(one, other) <= EDITS or (len(ends) == 2 and ends[0] == ends[1])
