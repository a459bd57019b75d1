"""What costs most of the signal, and what helps: sentences that follow from the counts.

Two kinds of cause: those that leave verdicts without any credit, by their share of all verdicts, and those that take
away from the credit due to items, by their share of that.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rcca_cli.credit.signal import SIGNS
from rcca_cli.explain.tally import LEVELS, UNKNOWN

Json = dict[str, Any]
LEAST = 0.05  # share below which a cause is not worth telling


@dataclass(frozen=True)
class Figures:
    """A record's counts, as sentences need them."""

    record: Json

    @property
    def verdicts(self) -> Json:
        found: Json = self.record["verdicts"]
        return found

    @property
    def total(self) -> int:
        """All items of all answers."""
        known = sum(sum(self.verdicts[side].values()) for side in ("passed", "failed"))
        return known + sum(self.verdicts[name] for name in UNKNOWN)

    def ended(self, *names: str) -> int:
        """Known verdicts that came to one of these ends."""
        return sum(self.verdicts[side][name] for side in ("passed", "failed") for name in names)

    def mass(self, name: str) -> float:
        """Of the items, of both signs."""
        return float(sum(self.record["mass"][sign][name] for sign in SIGNS))

    @property
    def contrast(self) -> int:
        """Verdicts on items on which their group differs."""
        return self.ended("unmatched", "left_out", "lost", "placed")


Sentence = Callable[[Figures], str]


def share(part: float, whole: float) -> str:
    """`part` of `whole` as a percentage."""
    return f"{100 * part / whole:.0f} %" if whole else "–"


def part(count: int, whole: int, of: str) -> str:
    """So much of the verdicts or answers that `of` names, in per cent and in numbers."""
    return f"{share(count, whole)} of the {of} ({count} of {whole})"


def _all_fail(of: Figures) -> str:
    same, failed = of.verdicts["failed"]["same"], sum(of.verdicts["failed"].values())
    return (
        f"{part(same, failed, 'failed verdicts')} have nothing to be compared with: their "
        "whole group fails the item. More answers a task (rollout -g), easier tasks, or a warm start "
        "(train --objective sft)."
    )


def _all_pass(of: Figures) -> str:
    same, passed = of.verdicts["passed"]["same"], sum(of.verdicts["passed"].values())
    return (
        f"{part(same, passed, 'passed verdicts')} have nothing to be compared with: their "
        "whole group passes the item. Harder tasks have more to teach."
    )


def _alone(of: Figures) -> str:
    return (
        f"{part(of.ended('alone'), of.total, 'verdicts')} are the only ones "
        "on their item in the group: more answers a task (rollout -g)."
    )


def _gate(of: Figures) -> str:
    answers = of.record["answers"]
    failed = {level: answers[level] for level in LEVELS[:-1]}
    broken, cut = sum(failed.values()), answers["truncated_broken"]
    cure = "Only the gates' credit speaks of them: a warm start (train --objective sft) makes pages that work."
    if 2 * cut >= broken:
        cure = f"{cut} of them were cut off: more room (rollout --max-new-tokens)."
    told = ", ".join(f"{level} {count}" for level, count in failed.items())
    return f"{part(broken, answers['total'], 'answers')} fail a gate ({told}), so none of their items counts. {cure}"


def _unscorable(of: Figures) -> str:
    answers = of.record["answers"]
    return (
        f"{part(answers['unscorable'], answers['total'], 'answers')} have no reward, as too little is known of "
        "them: judge them again (judge --rejudge), "
        "items without a check by a model (judge --model)."
    )


def _missing(of: Figures) -> str:
    answers = of.record["answers"]
    return f"{part(answers['missing'], answers['total'], 'answers')} could not be had: their key error says why."


def _unknown(of: Figures) -> str:
    return (
        f"{part(of.verdicts['unknown'], of.total, 'verdicts')} are null: "
        "judge them again (judge --rejudge), items without a check by a model (judge --model)."
    )


def _parent(of: Figures) -> str:
    return (
        f"{part(of.verdicts['parent'], of.total, 'verdicts')} are of "
        "items whose parent does not hold: they count once it does."
    )


def _unmatched(of: Figures) -> str:
    found = of.ended("unmatched", "lost")
    return (
        f"{part(found, of.contrast, 'verdicts with contrast')} have no place in the "
        "code, or are in an answer of which most failures have none: judge with evidence (not --no-evidence), or have "
        "the evaluator quote the code (docs/foreign.md)."
    )


def _left_out(of: Figures) -> str:
    found = of.ended("left_out")
    return (
        f"{part(found, of.contrast, 'verdicts with contrast')} are omissions that no "
        "token can be blamed for, dropped on purpose: with more answers a task (rollout -g) a passing one that is "
        "alike is likelier."
    )


# What leaves a verdict without credit: how many it leaves so, and what to say.
OF_VERDICTS: dict[str, tuple[Callable[[Figures], int], Sentence]] = {
    "missing": (lambda of: int(of.verdicts["missing"]), _missing),
    "unscorable": (lambda of: int(of.verdicts["unscorable"]), _unscorable),
    "gate": (lambda of: int(of.verdicts["gate"]), _gate),
    "unknown": (lambda of: int(of.verdicts["unknown"]), _unknown),
    "parent": (lambda of: int(of.verdicts["parent"]), _parent),
    "alone": (lambda of: of.ended("alone"), _alone),
    "all_pass": (lambda of: int(of.verdicts["passed"]["same"]), _all_pass),
    "all_fail": (lambda of: int(of.verdicts["failed"]["same"]), _all_fail),
    "unmatched": (lambda of: of.ended("unmatched", "lost"), _unmatched),
    "left_out": (lambda of: of.ended("left_out"), _left_out),
}
# What takes away from the mass of items that have a place, by its name in the record.
OF_MASS = {
    "doubt": "held back because its places are unsure: a browser's evidence, quotes and like siblings make them surer.",
    "capped": "cut by the cap on what one token gets, since its places are a few tokens (κ in credit/calibration.py).",
    "balanced": "scaled away to make praise and blame of an item equal: the other side has no place or was capped.",
    "cancelled": "cancelled by other items' opposite credit on the same tokens, as code that they share has to expect.",
}


def causes(record: Json) -> list[Json]:
    """The two largest of OF_VERDICTS and the largest of OF_MASS: which, its share, and what to say of it."""
    figures = Figures(record)
    total, due = figures.total, figures.mass("due")
    found = [
        {"cause": name, "share": round(count(figures) / total, 4), "of": "verdicts", "advice": sentence(figures)}
        for name, (count, sentence) in OF_VERDICTS.items()
        if total and count(figures) >= LEAST * total
    ]
    taken = [
        {
            "cause": name,
            "share": round(figures.mass(name) / due, 4),
            "of": "mass",
            "advice": f"{share(figures.mass(name), due)} of the credit due to items is {why}",
        }
        for name, why in OF_MASS.items()
        if due and figures.mass(name) >= LEAST * due
    ]
    return [*_largest(found, 2), *_largest(taken, 1)]


def _largest(found: list[Json], most: int) -> list[Json]:
    return sorted(found, key=lambda cause: -cause["share"])[:most]
