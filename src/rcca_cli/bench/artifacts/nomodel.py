"""A judge without a model: marks from what was measured alone, the same ones every time.

It knows whether a page is there, runs, is about what was asked and answers to its user. It cannot know whether it is
right, new or beautiful: it puts blank, broken, half and whole pages in order, and is for tests, for machines without a
server and as a baseline. Its figures are comparable with nothing else.
"""

import re
from collections.abc import Sequence

from rcca_cli.bench.artifacts.evidence import Evidence
from rcca_cli.bench.artifacts.rows import SLOTS, Item
from rcca_cli.bench.artifacts.verdict import Verdict

FUNCTION, ROBUST, ENGINEERING, LOOKS, DYNAMIC = range(4), 4, 7, 8, 9  # innovation and redundancy are not to be measured
WORD = re.compile(r"[^\W\d_]{4,}|[\u4e00-\u9fff]{2}")
# Of the frame that every request has, and of web pages in general.
_WORDS = (
    "that this with from have will should your code coding expert please must using user users create implement write"
    " html javascript page website application into each provide executable task complete also make when which"
)
COMMON = frozenset(_WORDS.split())
ENOUGH = 0.35  # share of the request's own words on a page that is about it


class NoModel:
    """The judge. `score` is ten times the mean of the marks that can be given."""

    identity = "no model 1"

    def verdict(self, item: Item, answer: str, evidence: Evidence, pictures: Sequence[bytes]) -> Verdict:
        """The marks; two of the ten are not known."""
        found = marks(item, evidence)
        known = [score for score, _ in found if score is not None]
        score = 10.0 * sum(known) / len(known)
        words = tuple(why for _, why in found)
        reason = "Marked by rcca's own measurements, by no model: " + "; ".join(dict.fromkeys(words))
        return Verdict(score, None, f"{score:g}", reason, tuple(score for score, _ in found), words, (score,))


def marks(item: Item, evidence: Evidence) -> list[tuple[int | None, str]]:
    """For each criterion its mark, 0 to 10 or None, and what decides it."""
    why = "this cannot be measured"
    if not evidence.frames or evidence.failure in ("blank", "hang", "crash"):
        gone = evidence.why or f"there is no page to see ({evidence.failure})"
        return [(None, why) if slot in (5, 6) else (0, gone) for slot in range(SLOTS)]
    facts, found = evidence.facts, list[tuple[int | None, str]]()
    about, answers = relevance(item, evidence), answering(evidence)
    for slot in range(SLOTS):
        if slot in FUNCTION:
            share = about if answers is None else (about + about * answers) / 2
            found.append((round(10 * share), f"{about:.0%} of what is asked for is named on the page"))
        elif slot == ROBUST:
            errors = facts.get("error_count", 0) + sum(bool(act.errors) for act in evidence.acts)
            found.append((max(0, 10 - 4 * errors), f"{errors} errors were thrown"))
        elif slot == ENGINEERING:
            broken = facts["broken_parts"] / facts["parts"]
            lost = 3 if evidence.status in ("truncated", "fragment") else 0
            found.append((max(0, round(10 * (1 - broken)) - lost), f"{facts['broken_parts']} parts do not parse"))
        elif slot == LOOKS:
            found.append((10 if facts.get("elements", 0) >= 3 else 5, f"{facts.get('elements', 0)} elements show"))
        elif slot == DYNAMIC:
            moves = 1.0 if facts.get("moves") or facts.get("keys") == "changed" else 0.0
            share = max(answers or 0.0, moves)
            found.append((round(10 * share), f"{facts.get('changed', 0)} of {facts.get('used', 0)} actions changed it"))
        else:
            found.append((None, why))
    return found


def relevance(item: Item, evidence: Evidence) -> float:
    """How much of the request's own words the page names, from 0 to 1; ENOUGH of them is all."""
    asked = {word.lower() for word in WORD.findall(item.question)} - COMMON
    says = f"{evidence.facts.get('title', '')} {evidence.facts.get('says', '')}".lower()
    if not asked:
        return 1.0
    return min(1.0, sum(word in says for word in asked) / len(asked) / ENOUGH)


def answering(evidence: Evidence) -> float | None:
    """The share of actions whose effect is known that had one; None if none is known."""
    known = [act for act in evidence.acts if act.outcome in ("changed", "nothing", "undone")]
    return sum(act.outcome == "changed" for act in known) / len(known) if known else None
