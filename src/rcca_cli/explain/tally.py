"""What is counted of a file's groups, in all and for each rubric item, and the record that is made of it."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np

from rcca_cli.align.answer import Answer
from rcca_cli.credit import advantages, signal
from rcca_cli.credit.signal import KNOWN, SIGNS, Mass
from rcca_cli.explain.group import Group

Json = dict[str, Any]
DIGITS = 4
LEVELS = ("format", "source", "runtime", "functional")
GROUPS = ("total", "no_contrast", "nothing", "lonely", "differing")
ANSWERS = ("total", "missing", "unscorable", "truncated", "truncated_broken", "lost_places", *LEVELS)
CONTRAST = ("contrast", "all_pass", "all_fail", "alone", "unknown")  # which a group's verdicts on an item are
UNKNOWN = ("missing", "unscorable", "gate", "unknown", "parent")  # why an item has no verdict to give credit for
TERMS = ("sequence", "items", "gates", "token")


@dataclass
class Item:
    """One rubric item, or all: groups that have it, what became of its verdicts, and its mass."""

    groups: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)  # of UNKNOWN; null: those that are, whatever else
    passed: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    mass: dict[str, Mass] = field(default_factory=lambda: {sign: Mass() for sign in SIGNS})

    def add(self, other: "Item") -> None:
        """Count another's as well."""
        for name in ("groups", "verdicts", "passed", "failed"):
            getattr(self, name).update(getattr(other, name))
        self.add_mass(other.mass)

    def add_mass(self, mass: dict[str, Mass]) -> None:
        """Count the mass of a group."""
        for sign in SIGNS:
            self.mass[sign].add(**asdict(mass[sign]))

    def record(self) -> Json:
        """As JSON, the same keys always."""
        return {
            "groups": {"total": self.groups.total()} | {name: self.groups[name] for name in CONTRAST},
            "verdicts": {
                **{name: self.verdicts[name] for name in (*UNKNOWN, "null")},
                "passed": {name: self.passed[name] for name in KNOWN},
                "failed": {name: self.failed[name] for name in KNOWN},
            },
            "mass": {sign: rounded(self.mass[sign]) for sign in SIGNS},
        }


@dataclass
class Tally:
    """A file as far as it was read."""

    groups: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    modes: Counter[str] = field(default_factory=Counter)  # groups
    items: dict[str, Item] = field(default_factory=dict)
    gates: dict[str, Item] = field(default_factory=dict)
    clipped: dict[str, float] = field(default_factory=lambda: dict.fromkeys(SIGNS, 0.0))
    squares: dict[str, tuple[float, int]] = field(default_factory=lambda: dict.fromkeys(TERMS, (0.0, 0)))
    shares: set[float] = field(default_factory=set)
    unmatched: int = 0  # quotes of an evaluator that match nothing in the code

    def add(self, group: Group) -> None:
        """Count a group."""
        self._count_group(group)
        for answer in group.answers:
            self._count_answer(answer, answer in group.scored)
        self._count_items(group)
        self._count_terms(group)

    def _count_group(self, group: Group) -> None:
        own = [one.record["align"]["advantage"] for one in group.scored]
        self.modes[group.mode] += 1
        self.groups["total"] += 1
        self.groups["no_contrast"] += not any(own)
        self.groups["nothing"] += not any(given.any() for given in group.advantages)
        self.groups["lonely"] += len(group.scored) < 2
        self.unmatched += sum(line.record["align"]["unmatched"] for line in group.lines if line.record.get("align"))

    def _count_answer(self, answer: Answer | None, scored: bool) -> None:
        self.answers["total"] += 1
        if answer is None:
            self.answers["missing"] += 1
            return
        cut = answer.record["rollout"]["finish_reason"] == "length"
        level = answer.judge["level"]
        self.answers["truncated"] += cut
        self.answers[level if scored else "unscorable"] += 1
        self.answers["truncated_broken"] += cut and scored and level != "functional"

    def _count_items(self, group: Group) -> None:
        ends = signal.ends(group.members)
        names = dict.fromkeys(item["id"] for line in group.lines for item in line.record["task"]["rubric"])
        for name in names:
            item = self.items.setdefault(name, Item())
            found = ends.get(name)
            item.groups[found.contrast if found else "unknown"] += 1
            if found:
                item.passed.update(found.passed)
                item.failed.update(found.failed)
        for line, answer in zip(group.lines, group.answers, strict=True):
            for item in line.record["task"]["rubric"]:
                self.items[item["id"]].verdicts.update(without_credit(item["id"], answer, answer in group.scored))

    def _count_terms(self, group: Group) -> None:
        self.answers["lost_places"] += sum(map(advantages.lost_its_places, group.members))
        if group.mode != "rubric":
            self._square(
                "sequence", (np.full(len(all_), one.record["align"]["advantage"]) for one, all_ in pairs(group))
            )
            self._square("token", group.advantages)
            return
        if group.options is None:
            self.groups["differing"] += 1
            return
        if group.share is not None:
            self.shares.add(round(group.share, DIGITS))
        terms = advantages.terms(group.members, group.options)
        for name in ("sequence", "items", "gates"):
            self._square(name, (getattr(each, name) for each in terms))
        self._square("token", group.advantages)
        for sign, over in signal.clipped(group.members, group.options).items():
            self.clipped[sign] += over
        for name, mass in signal.item_masses(group.members, group.options).items():
            self.items[name].add_mass(mass)
        for name, mass in signal.gate_masses(group.members, group.options).items():
            self.gates.setdefault(name.removeprefix("gate:"), Item()).add_mass(mass)

    def _square(self, term: str, values: Iterable[np.ndarray]) -> None:
        total, count = self.squares[term]
        for each in values:
            total, count = total + float(each @ each), count + each.size
        self.squares[term] = total, count

    def record(self) -> Json:
        """As JSON (docs/train.md); null where nothing is known."""
        whole = Item()
        for item in self.items.values():
            whole.add(item)
        found = whole.record()
        return {
            "groups": {name: self.groups[name] for name in GROUPS},
            "answers": {name: self.answers[name] for name in ANSWERS},
            "pairs": found["groups"],
            "verdicts": found["verdicts"],
            "unmatched_quotes": self.unmatched,
            "mass": found["mass"],
            "clipped": {sign: round(over, DIGITS) for sign, over in self.clipped.items()},
            "rms": {name: round(math.sqrt(total / n), 6) if n else None for name, (total, n) in self.squares.items()},
            "tokens": self.squares["token"][1],
            "modes": {mode: self.modes[mode] for mode in advantages.MODES},
            "sequence_share": next(iter(self.shares)) if len(self.shares) == 1 else None,
            "items": [{"item": name} | item.record() for name, item in sorted(self.items.items())],
            "gates": [
                {"gate": level, "mass": self.gates[level].record()["mass"]} for level in LEVELS if level in self.gates
            ],
        }


def pairs(group: Group) -> Iterable[tuple[Answer, np.ndarray]]:
    """The answers of a group that have credit, with it."""
    return zip(group.scored, group.advantages, strict=True)


def without_credit(name: str, answer: Answer | None, scored: bool) -> list[str]:
    """Why an item of an answer has no verdict to give credit for, of UNKNOWN; "null" too if the verdict is null."""
    if answer is None:
        return ["missing"]
    row = answer.verdicts.get(name)
    null = ["null"] if row is None or row["passed"] is None else []
    if not scored:
        return ["unscorable", *null]
    if answer.judge["level"] != "functional":
        return ["gate", *null]
    if null:
        return ["unknown", *null]
    return ["parent"] if answer.creditable[name] is None else []


def rounded(mass: Mass) -> dict[str, float]:
    """As JSON."""
    return {one.name: round(getattr(mass, one.name), DIGITS) + 0.0 for one in fields(mass)}
