"""Two to blame: a script that looks for an element under one name, and markup that gives it another.

`Cannot read properties of null` is thrown where the element is used. The fault is in the name, on either side.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from rapidfuzz.distance import Levenshtein

from rcca_cli.align.answer import Answer
from rcca_cli.align.case import Case
from rcca_cli.credit import Attribution

NOTHING = re.compile(r"of (?:null|undefined)|(?:null|undefined) (?:is not|\()|is null|is undefined")
FIELD = re.compile(r"\((?:reading|setting) '([\w$]+)'\)")
# A look-up by an id or a selector; of a selector of several parts the last one is the element's.
QUERY = re.compile(r"\(\s*[\"'`](?:[^\"'`\n]{0,80}[\s>+~])?[\w-]{0,40}?([#.]?[A-Za-z_][\w-]*)[\"'`]\s*\)")
READS = re.compile(r"([A-Za-z_$][\w$]*)\s*(?:\?\.|\.|\[)")
NAMES = re.compile(
    r"\b(?:id|class)\s*=\s*[\"']?([\w -]+)|\.(?:id|className)\s*=\s*[\"'`]([\w -]+)|classList\.add\(\s*[\"'`]([\w-]+)"
    r"|\(\s*[\"'](?:id|class)[\"']\s*,\s*[\"'`]([\w -]+)"
)
EDITS = 2
RECEIVERS = 8  # variables of one unit that are followed to their look-up; minified code may use thousands
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
LONG = 4  # letters of a last word that says something


def split(case: Case, attribution: Attribution) -> Attribution:
    """Half of the thrown-at units' mass on the looked-up name, half on where an element gets a name much like it.

    The same attribution if the error is another one, if no look-up is found, if an element has just that name, or if
    no name is near. Of several near ones the nearest count, by their length.
    """
    thrown = np.array(["stack" in names for names in attribution.sources])
    said = f"{case.verdict['diagnosis'] or ''} {' '.join(row['detail'] for row in case.evidence('stack'))}"
    if not thrown.any() or not NOTHING.search(said):
        return attribution
    field = FIELD.search(said)
    found = looked_up(case.answer, attribution, int(np.argmax(thrown * attribution.mass)), field[1] if field else "")
    if found is None:
        return attribution
    place, name = found
    near = nearest(case.answer, attribution, name)
    if not near:
        return attribution
    mass = np.where(thrown, 0.0, attribution.mass)
    half = float(attribution.mass[thrown].sum()) / 2
    mass[attribution.units.touched(place, place + 1).start] += half
    mass[near] += half * attribution.units.lengths[near] / attribution.units.lengths[near].sum()
    return replace(attribution, mass=mass)


def looked_up(answer: Answer, attribution: Attribution, unit: int, field: str) -> tuple[int, str] | None:
    """Where the code names the element whose `field` a unit uses, and the name: there, or where its variable is set."""
    start, end = attribution.units.spans[unit]
    query = QUERY.search(answer.text, start, end)
    if query:
        return query.start(1), query.group(1).lstrip("#.")
    used = dict.fromkeys(match.group(1) for match in READS.finditer(answer.text, start, end))
    own = rf"([A-Za-z_$][\w$]*)\s*(?:\?\.|\.|\[[\"'])\s*{re.escape(field)}\b" if field else "(?!)"
    first = [match.group(1) for match in re.finditer(own, answer.text[start:end])]
    for variable in list(dict.fromkeys([*first, *used]))[:RECEIVERS]:
        declared = re.compile(rf"\b{re.escape(variable)}\s*=[^;\n]{{0,120}}?{QUERY.pattern}")
        query = declared.search(answer.text, answer.start, answer.end)
        if query:
            return query.start(1), query.group(1).lstrip("#.")
    return None


def nearest(answer: Answer, attribution: Attribution, name: str) -> list[int]:
    """The units that give elements the names nearest to one; none if one has just that name, or all are far."""
    ranks: dict[int, int] = {}
    for unit, span in enumerate(attribution.units.spans):
        for other in _names(answer.text[slice(*span)]):
            if other == name:
                return []
            rank = _distance(name, other)
            if rank is not None:
                ranks[unit] = min(rank, ranks.get(unit, rank))
    least = min(ranks.values(), default=0)
    return [unit for unit, rank in ranks.items() if rank == least]


def _names(code: str) -> Iterator[str]:
    for match in NAMES.finditer(code):
        yield from next(filter(None, match.groups())).split()


def _distance(one: str, other: str) -> int | None:
    """In edits, up to EDITS; one more for the same last word, or if one name is the other with words behind; or None.

    >>> _distance("total", "totla"), _distance("itemTotal", "sum-total"), _distance("total", "total-box")
    (2, 3, 3)
    """
    edits = Levenshtein.distance(one, other, score_cutoff=EDITS)
    if edits <= EDITS:
        return int(edits)
    here, there = ([word.lower() for word in WORD.findall(name)] for name in (one, other))
    few = min(len(here), len(there))
    longer = few and here[:few] == there[:few]
    same_end = few and here[-1] == there[-1] and len(here[-1]) >= LONG
    return EDITS + 1 if longer or same_end else None
