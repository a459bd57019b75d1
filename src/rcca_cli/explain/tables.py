"""The record of `train --explain` as small tables and sentences, the same on a terminal and in a report."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rcca_cli.credit.signal import KNOWN, SIGNS
from rcca_cli.explain.advice import Figures, share
from rcca_cli.explain.tally import UNKNOWN

Json = dict[str, Any]
ALWAYS = (
    "total",
    "no_contrast",
    "nothing",
    "truncated",
    "unscorable",
    "placed",
    "due",
    "given",
)  # also where they are 0
LONGEST = 24  # characters of an item's id, so that its row fits 80 columns
GROUPS = {
    "total": "groups",
    "no_contrast": "  no contrast in the reward (all A_seq 0)",
    "nothing": "  no credit at all",
    "lonely": "  fewer than two answers that have a reward",
    "differing": "  credit that is not align's own: masses not known",
}
ANSWERS = {
    "total": "answers",
    "missing": "  could not be had",
    "unscorable": "  no reward (null)",
    "truncated": "  cut off at the length limit",
    "format": "  fail the gate format",
    "source": "  fail the gate source",
    "runtime": "  fail the gate runtime",
    "lost_places": "  most failures without a place: the answer's own credit",
}
PAIRS = {
    "total": "items of groups",
    "all_pass": "  all of the group pass",
    "all_fail": "  all of the group fail",
    "alone": "  a single verdict",
    "unknown": "  no verdict that counts",
    "contrast": "  verdicts that differ",
}
VERDICTS = {
    "missing": "the answer could not be had",
    "unscorable": "the answer has no reward",
    "gate": "the page failed a gate",
    "unknown": "the verdict is null",
    "parent": "a parent does not hold",
    "alone": "nobody to compare with",
    "same": "the whole group passes, or fails",
    "unmatched": "no place was found",
    "left_out": "an omission, dropped on purpose",
    "lost": "in an answer that lost its places",
    "placed": "placed",
}
MASS = {
    "due": "due",
    "unmatched": "  no place was found",
    "left_out": "  omissions, dropped on purpose",
    "doubt": "  held back, as places are unsure",
    "capped": "  cut by the cap on one token",
    "balanced": "  scaled down to the other sign",
    "lost": "  in answers that lost their places",
    "given": "given",
    "cancelled": "  of that, cancelled between items",
}

ITEM_NOTE = (
    "differ, pass, fail, none: groups whose verdicts on the item differ, all pass, all fail, or are fewer than two. "
    "lost: verdicts that differ, without a place. given, cut: of the credit due, what is given and what the cap cuts. "
    "against: of what is given, what other items cancel."
)


@dataclass(frozen=True)
class Table:
    """Rows of cells; the first column names what is counted. What is 0 has a row only if that is telling."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""


def tables(record: Json, most: int | None = None) -> list[Table]:
    """All tables of a record; of the items the `most` that have least credit, their ids cut to fit 80 columns."""
    found = [_counts(record), _verdicts(record)]
    if record["modes"]["rubric"]:
        found.append(_mass(record))
    return [*found, _items(record, most)]


def sentences(record: Json) -> list[str]:
    """What the tables do not say: the size of the terms, and what costs most."""
    return [_terms(record), *(cause["advice"] for cause in record["causes"])]


def _counts(record: Json) -> Table:
    rows = []
    for key, labels in (("groups", GROUPS), ("answers", ANSWERS), ("pairs", PAIRS)):
        counts = record[key]
        for name, label in labels.items():
            part = "" if name == "total" else share(counts[name], counts["total"])
            if counts[name] or name in ALWAYS:
                rows.append((label, str(counts[name]), part))
    figures = Figures(record)
    rows.append(("verdicts", str(figures.total), ""))
    null = figures.verdicts["null"]
    rows.append(("  null, whatever the answer", str(null), share(null, figures.total)))
    if record["unmatched_quotes"]:
        rows.append(("quotes that match nothing in the code", str(record["unmatched_quotes"]), ""))
    return Table("What there is", ("", "count", "share"), rows)


def _verdicts(record: Json) -> Table:
    """Each item of each answer once: why it has no credit of its own, or that it has."""
    figures = Figures(record)
    verdicts = figures.verdicts
    rows = []
    for name in (*UNKNOWN, *KNOWN):
        known = name in KNOWN
        sides = [verdicts[side][name] if known else 0 for side in ("passed", "failed")]
        count = sum(sides) if known else verdicts[name]
        told = [str(side) if known else "" for side in sides]
        if count or name == "placed":
            rows.append((VERDICTS[name], *told, str(count), share(count, figures.total)))
    return Table("What becomes of each verdict", ("", "passed", "failed", "all", "share"), rows)


def _mass(record: Json) -> Table:
    """The items' credit, and last what the clip takes of all credit."""
    rows = []
    for name, label in MASS.items():
        cells: list[str] = []
        for sign in SIGNS:
            mass = record["mass"][sign]
            whole = mass["given"] if name == "cancelled" else mass["due"]
            cells += [f"{mass[name]:.1f}", "" if name == "due" else share(mass[name], whole)]
        if name in ALWAYS or any(record["mass"][sign][name] for sign in SIGNS):
            rows.append((label, *cells))
    over = [cell for sign in SIGNS for cell in (f"{record['clipped'][sign]:.1f}", "")]
    rows.append(("clipped at 5, gates and all", *over))
    return Table("Credit of the items, summed over tokens", ("", "praise", "share", "blame", "share"), rows)


def _items(record: Json, most: int | None) -> Table:
    """Each item: its groups, its verdicts with contrast that have no credit, and what becomes of its mass."""
    items = sorted(record["items"], key=lambda item: (-_uncredited(item), item["item"]))
    rows = [_item(item, LONGEST if most else None) for item in items[:most]]
    if len(rows) < len(items):
        rows.append((f"and {len(items) - len(rows)} more", *[""] * 8))
    columns = ("item", "differ", "pass", "fail", "none", "lost", "given", "cut", "against")
    return Table("Items, those with least credit first", columns, rows, ITEM_NOTE)


def _item(item: Json, longest: int | None) -> tuple[str, ...]:
    groups, figures = item["groups"], Figures(item)
    name = item["item"]
    if longest and len(name) > longest:
        name = f"{name[: longest - 1]}…"
    alike = groups["contrast"], groups["all_pass"], groups["all_fail"], groups["alone"] + groups["unknown"]
    counts = *alike, figures.ended("unmatched", "left_out", "lost")
    due, given = figures.mass("due"), figures.mass("given")
    return (
        name,
        *map(str, counts),
        share(given, due),
        share(figures.mass("capped"), due),
        share(figures.mass("cancelled"), given),
    )


def _uncredited(item: Json) -> float:
    figures = Figures(item)
    return 1 - figures.ended("placed") / figures.total if figures.total else 0.0


def _terms(record: Json) -> str:
    rms = record["rms"]
    words = {"sequence": "the answer's own", "items": "its items'", "gates": "its gates'", "token": "together"}
    told = ", ".join(f"{word} {rms[name]:.3f}" for name, word in words.items() if rms[name] is not None)
    modes = ", ".join(mode for mode, count in record["modes"].items() if count) or "not known"
    mixed = "" if record["sequence_share"] is None else f", sequence share {record['sequence_share']:g}"
    if not told:
        return f"Mode {modes}{mixed}: no token has credit that is known."
    return f"Mode {modes}{mixed}. Root mean squares over {record['tokens']} tokens: {told}."
