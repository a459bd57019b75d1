"""The apps that are broken on purpose: ones that pass all their checks, each with the families it is made of."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rcca_cli import records, seeds
from rcca_cli.bench.miniapp import load
from rcca_cli.checks import rubric as rubrics
from rcca_cli.errors import RccaError
from rcca_cli.synth import app as synth
from rcca_cli.synth import page
from rcca_cli.synth.families import FAMILIES
from rcca_cli.synth.feature import Feature

Record = dict[str, Any]
# What the weights may be fitted on. Both halves have items about looks.
FITTED = frozenset(["accordion", "converter", "form", "rating", "stopwatch", "tabs"])
TOGETHER = 5  # features of a composed app, for the size of real ones
ANSWER = "Here it is.\n\n```html\n{}```\n"


@dataclass(frozen=True)
class App:
    """`record` is complete but for `judge`: the task, and an answer that passes it.

    `regions` are the places of each family's code, where it is known; a mutant is then judged by the items of its own
    family and one more, as many as a task has.
    """

    name: str
    suite: str  # composed, miniapp, small, given
    fitted: bool
    record: Record
    regions: dict[str, list[tuple[int, int]]]

    @property
    def text(self) -> str:
        """The whole answer."""
        return str(self.record["rollout"]["text"])

    def families_at(self, start: int, end: int) -> list[str]:
        """The families whose code is at a place."""
        return [
            name for name, spans in self.regions.items() if any(low <= start and end <= high for low, high in spans)
        ]

    def rubric(self, families: Sequence[str]) -> list[Record]:
        """The items by which a change in the code of some families is judged."""
        items: list[Record] = self.record["task"]["rubric"]
        if not self.regions:
            return items
        names = sorted(self.regions)
        partner = names[(names.index(families[0]) + 1) % len(names)]
        return [item for item in items if item["id"].partition("-")[0] in {*families, partner}]


def suite(fitted: bool, seed: int, count: int) -> list[App]:
    """The apps of one half, of the families that weights may be fitted on or of the others: at most `count` a kind."""
    return [*composed(fitted, seed, count), *embedded(fitted)[:count], *small(fitted, seed, count // 3)]


def composed(fitted: bool, seed: int, count: int) -> list[App]:
    """Pages of five features; which family is missing goes round."""
    names = sorted(FITTED if fitted else set(FAMILIES) - FITTED)
    found = []
    for index in range(count):
        rng = seeds.generator("bench align", seed, index, *names)
        chosen = [name for name in names if name != names[index % len(names)]][:TOGETHER]
        rng.shuffle(chosen)
        made = synth.compose([FAMILIES[name].make(rng) for name in chosen], rng, place=(seed, index))
        found.append(from_synth(made, "composed", fitted))
    return found


def small(fitted: bool, seed: int, count: int) -> list[App]:
    """Pages of one or two features, as the embedded policy writes them."""
    names = sorted(FITTED if fitted else set(FAMILIES) - FITTED)
    return [from_synth(synth.make(seed + 1000, index, names), "small", fitted) for index in range(count)]


def from_synth(made: synth.App, kind: str, fitted: bool) -> App:
    """An app of the generator, with its reference solution."""
    text = made.render().text
    rollout = records.text_only(text, "stop", "synth:reference")
    record = {"schema": records.SCHEMA, "id": made.id, "group": made.id, "task": made.task(), "rollout": rollout}
    regions = {feature.family: places(made, feature, text) for feature in made.features}
    return App(f"{kind}:{'+'.join(made.families)}:{made.id}", kind, fitted, record, regions)


def places(made: synth.App, feature: Feature, text: str) -> list[tuple[int, int]]:
    """Where the markup, style and script of a feature are in the reference solution."""
    texts = {name: slot.right for name, slot in made.slots().items()}
    part = synth.part(feature, made.style)
    written = [page.assemble(code, texts)[0] for code in (part.html, part.css, part.js)]
    return [(text.index(code), text.index(code) + len(code)) for code in written if code.strip()]


def embedded(fitted: bool) -> list[App]:
    """The references of the embedded benchmark; every other task is for fitting."""
    found = []
    for record in load.tasks():
        if (record["task"]["index"] % 2 == 0) is fitted:
            name = record["group"].removeprefix(load.PREFIX)
            text = ANSWER.format(load.page(name, "reference"))
            complete = record | {"rollout": records.text_only(text, "stop", "reference")}
            found.append(App(record["group"], "miniapp", fitted, complete, {}))
    return found


def given(folder: str) -> Iterator[App]:
    """Apps of a folder: NAME.html, and in NAME.json the task with its rubric (docs/own.md). RccaError if one is bad."""
    pages = sorted(Path(folder).glob("*.html"))
    if not pages:
        raise RccaError(f"--apps {folder}: no .html files there")
    for path in pages:
        try:
            task = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
            task = task.get("task", task)
            problems = rubrics.problems(task["rubric"])
            html = path.read_text(encoding="utf-8")
        except (OSError, ValueError, KeyError, AttributeError) as error:
            raise RccaError(f"{path}: no task with a rubric in {path.stem}.json beside it ({error})") from None
        for problem in problems:
            raise RccaError(f"{path.with_suffix('.json')}: rubric.{problem}")
        rollout = records.text_only(ANSWER.format(html), "stop", "reference")
        record = {"schema": records.SCHEMA, "id": path.stem, "group": path.stem, "task": task, "rollout": rollout}
        yield App(f"given:{path.stem}", "given", False, record, {})
