"""Mutants: an app with one thing broken, and where. Which ones are drawn depends on the seed and the app alone."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from rcca_cli import records, seeds
from rcca_cli.bench.align.apps import App
from rcca_cli.bench.align.operators import OPERATORS, Edits, Operator, Page, applied
from rcca_cli.bench.miniapp import load, own
from rcca_cli.judge import artifact

Record = dict[str, Any]
BY_HAND = "by hand"  # the operator of faults that are in the suite
FEW = 3  # mutants of looks of an app whose checks look at no style


@dataclass(frozen=True)
class Mutant:
    """`record` has the broken answer; `edits` are the changed places in it, one that is empty is a deletion."""

    app: App
    operator: str
    expected: str
    edits: tuple[tuple[int, int], ...]
    record: Record

    @property
    def deleted(self) -> bool:
        """Whether code was only left out."""
        return all(start == end for start, end in self.edits)


def draw(app: App, seed: int, quota: Sequence[tuple[str, int]]) -> list[Mutant]:
    """As many mutants of each expected kind of failure as `quota` says, if there are so many; no two are the same."""
    page = page_of(app)
    looked_at = set(
        re.findall(r"\"property\": \"([a-z-]+)\"", " ".join(i["check"] for i in app.record["task"]["rubric"]))
    )
    texts = {app.text}
    mutants: list[Mutant] = []
    for expected, count in quota:
        rng = seeds.generator("mutants", seed, app.name, expected)
        left = count if looked_at or expected != "visual" else min(count, FEW)
        for operator, edits in sites(page, expected, rng, looked_at):
            if not left:
                break
            made = mutant(app, len(mutants), operator, edits)
            if made is not None and made.record["rollout"]["text"] not in texts:
                texts.add(made.record["rollout"]["text"])
                mutants.append(made)
                left -= 1
    return mutants


def by_hand(app: App, seed: int, count: int) -> list[Mutant]:
    """Faults of the embedded suite, as people made them for its items (bench/miniapp/suite); of other apps there are
    none."""
    if app.suite != "miniapp":
        return []
    task = {key: value for key, value in app.record.items() if key != "rollout"}
    written = list(own.bugs(app.record["group"].removeprefix(load.PREFIX), task))
    chosen = seeds.generator("bugs", seed, app.name).sample(written, min(count, len(written)))
    return [_written_by_hand(app, bug) for bug in chosen]


def _written_by_hand(app: App, bug: Record) -> Mutant:
    """A fault that is in the suite; its record says nothing of where it is."""
    truth = bug["truth"][0]
    shown = {key: value for key, value in bug.items() if key not in ("truth", "expected")}
    return Mutant(app, BY_HAND, truth["failure"], ((truth["start"], truth["end"]),), shown)


def page_of(app: App) -> Page:
    """The app's page in its answer."""
    found = artifact.find(app.text).artifact
    assert found is not None
    return Page(app.text, found["start"], found["end"])


def sites(page: Page, expected: str, rng: Random, looked_at: set[str]) -> Iterator[tuple[Operator, Edits]]:
    """The ways to break a page for one kind of failure, by turns of the operators, each in random order.

    Declarations of properties that no check looks at come last: they would nearly all survive.
    """
    queues = []
    for operator in OPERATORS.values():
        if operator.expected == expected:
            ways = list(operator.breaks(page))
            rng.shuffle(ways)
            if operator.group == "looks":
                ways.sort(key=lambda edits: not _shows(page, edits, looked_at))
            queues.append((operator, ways[::-1]))
    rng.shuffle(queues)
    while any(ways for _, ways in queues):
        for operator, ways in queues:
            if ways:
                yield operator, ways.pop()


def _shows(page: Page, edits: Edits, looked_at: set[str]) -> bool:
    """Whether an edit is outside style sheets, or of a rule with a property that a check looks at."""
    start, end = edits[0].start, edits[0].end
    for block in page.document.styles:
        if page.start + block.start <= start < page.start + block.end:
            low = page.text.rfind("}", 0, start) if page.text[start - 1] == "{" else page.text.rfind("\n", 0, start)
            around = page.text[low:end] if end - start > 1 else page.text[low : page.text.find("}", start)]
            return any(name.partition("-")[0] in around for name in looked_at)
    return True


def mutant(app: App, number: int, operator: Operator, edits: Edits) -> Mutant | None:
    """The mutant; None if the place belongs to no family of an app whose families are known."""
    families = list(dict.fromkeys(name for edit in edits for name in app.families_at(edit.start, edit.end)))
    if app.regions and not families:
        return None
    text, spans = applied(app.text, edits)
    record = written(app, f"m{number}", text, families, operator.name)
    return Mutant(app, operator.name, operator.expected, tuple(spans), record)


def written(app: App, name: str, text: str, families: Sequence[str], operator: str) -> Record:
    """The app's record with another answer, to be judged by the items of some families."""
    return app.record | {
        "id": f"{app.record['group']}/{name}",
        "task": app.record["task"] | {"rubric": app.rubric(families)},
        "rollout": records.text_only(text, "stop", f"mutant:{operator}"),
    }


def commented(app: App, seed: int, count: int) -> list[Mutant]:
    """The app with nothing but a comment more, at random places: nothing may come of it."""
    page = page_of(app)
    rng = seeds.generator("comments", seed, app.name)
    places: list[tuple[int, str]] = []
    for blocks, comment in ((page.document.scripts, "// see above\n"), (page.document.styles, "/* see above */\n")):
        for block in blocks:
            lines = [m.end() for m in re.finditer(r";\n", page.document.text[block.start : block.end])]
            places += [(page.start + block.start + place, comment) for place in lines]
    chosen = rng.sample(places, min(count, len(places)))
    return [_commented(app, number, *one) for number, one in enumerate(chosen)]


def _commented(app: App, number: int, place: int, comment: str) -> Mutant:
    text = app.text[:place] + comment + app.text[place:]
    families: Sequence[str] = app.families_at(place, place) or sorted(app.regions)[:1]
    record = written(app, f"c{number}", text, families, "comment")
    return Mutant(app, "comment", "", ((place, place + len(comment)),), record)
