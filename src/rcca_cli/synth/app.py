"""An app: one or two features on one page, as a request, a rubric, a reference solution and its possible bugs."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from rcca_cli import seeds
from rcca_cli.errors import RccaError
from rcca_cli.records import Failure
from rcca_cli.synth import page
from rcca_cli.synth.families import FAMILIES
from rcca_cli.synth.feature import Feature, Slot, fill
from rcca_cli.synth.rates import rate

MOST_ITEMS = 8
LEVELS = ("Easy", "Mid", "Hard")
OPENINGS = (
    'Build a small web app called "{title}" in a single HTML file.',
    'Please write one self-contained HTML page titled "{title}".',
    'I need a one-page app, "{title}", with its style and script in the same file.',
)


@dataclass(frozen=True)
class Fault:
    """One way to break one requirement: bug number `index` of `slot`."""

    rubric: str
    slot: str
    index: int
    failure: Failure


@dataclass(frozen=True)
class Rendered:
    """A whole answer and where its bugs are: `[{"rubric", "start", "end", "failure"}]`, in code points of `text`."""

    text: str
    truth: list[dict[str, Any]]


@dataclass(frozen=True)
class App:
    """A task with everything that can be written for it. `style` is the identifier scheme of its solutions."""

    id: str
    title: str
    prompt: str
    features: tuple[Feature, ...]
    style: int
    skeleton: page.Skeleton

    @property
    def families(self) -> tuple[str, ...]:
        """The families it is made of, in the order of the request."""
        return tuple(feature.family for feature in self.features)

    def task(self) -> dict[str, Any]:
        """The value of `record["task"]`."""
        first = self.features[0]
        return {
            "prompt": [{"role": "user", "content": self.prompt}],
            "class": first.group,
            "level": max((feature.level for feature in self.features), key=LEVELS.index),
            "source": "synth:" + "+".join(self.families),
            "rubric": [item for feature in self.features for item in rubric(feature)],
            "config": None,
        }

    def slots(self) -> dict[str, Slot]:
        """Each place of the page by its full name, `family/slot`, its texts filled in."""
        return {
            f"{feature.family}/{slot.name}": fill_slot(feature, slot, self.style)
            for feature in self.features
            for slot in feature.slots
        }

    def faults(self) -> list[Fault]:
        """Every single bug, in the order of the page's slots."""
        return [
            Fault(slot.item, name, index, bug.failure)
            for name, slot in self.slots().items()
            for index, bug in enumerate(slot.bugs)
        ]

    def render(self, faults: Sequence[Fault] = ()) -> Rendered:
        """The answer with these bugs, at most one a slot; the reference solution without any."""
        slots = self.slots()
        texts = {name: slot.right for name, slot in slots.items()}
        texts |= {fault.slot: slots[fault.slot].bugs[fault.index].text for fault in faults}
        parts = [part(feature, self.style) for feature in self.features]
        text, spans = page.assemble(page.template(self.title, self.skeleton, parts), texts)
        return Rendered(text, [truth(fault, *spans[fault.slot]) for fault in faults])

    def imperfect(self, rng: Random, omissions: float) -> Rendered:
        """An answer in which each item may be broken (rates.py), a share `omissions` of them by code left out."""
        by_item: dict[str, list[Fault]] = {}
        for fault in self.faults():
            by_item.setdefault(fault.rubric, []).append(fault)
        broken = [faults for item, faults in by_item.items() if rng.random() >= rate(item)]
        return self.render([pick(rng, faults, rng.random() < omissions) for faults in broken])


def make(seed: int, index: int, families: Sequence[str] = (), styles: Sequence[int] = (0, 1)) -> App:
    """Task number `index` of stream `seed`, of one or two of `families` (none given: any)."""
    rng = seeds.generator("synth", seed, index)
    pool = known(families)
    first = rng.choice(pool).make(rng)
    partners = [family for family in pool if first.family != family.NAME]
    second = rng.choice(partners).make(rng) if partners and rng.random() < 0.5 else None
    pair = (first, second) if second and len(first.items) + len(second.items) <= MOST_ITEMS else (first,)
    return compose(pair, rng, styles, (seed, index))


def known(families: Sequence[str]) -> list[Any]:
    """The entries of these families, sorted by name; RccaError for a name there is not."""
    for name in families:
        if name not in FAMILIES:
            raise RccaError(f"--families: no family {name!r} (there are {', '.join(sorted(FAMILIES))})")
    return [FAMILIES[name] for name in sorted(families or FAMILIES)]


def compose(
    features: Sequence[Feature], rng: Random, styles: Sequence[int] = (0, 1), place: tuple[int, int] = (0, 0)
) -> App:
    """One app of these features, the rest of it drawn from `rng`; its id depends on its content and `place`."""
    title = " and ".join(feature.title for feature in features)
    sentences = [fill(rng.choice(item.says), feature.values(0)) for feature in features for item in feature.items]
    prompt = " ".join([rng.choice(OPENINGS).format(title=title), *sentences])
    identity = [*place, prompt, *(rubric(feature) for feature in features)]
    style = rng.choice(list(styles))
    return App("t" + seeds.digest(identity, 6), title, prompt, tuple(features), style, page.draw(rng))


def rubric(feature: Feature) -> list[dict[str, Any]]:
    """The feature's items as they stand in `task.rubric`; an id begins with the family's name."""
    values = feature.values(0)
    return [
        {
            "id": f"{feature.family}-{item.id}",
            "requirement": fill(item.says[0], values),
            "kind": item.kind,
            "importance": item.importance,
            "parents": [f"{feature.family}-{parent}" for parent in item.parents],
            "check": json.dumps(fill(item.check, values), ensure_ascii=False),
        }
        for item in feature.items
    ]


def fill_slot(feature: Feature, slot: Slot, style: int) -> Slot:
    """The slot with its texts filled in and its item's full name."""
    values = feature.values(style)
    bugs = tuple(type(bug)(fill(bug.text, values), bug.failure) for bug in slot.bugs)
    return Slot(slot.name, f"{feature.family}-{slot.item}", fill(slot.right, values), bugs)


def part(feature: Feature, style: int) -> page.Part:
    """The feature's templates filled in, with full names in their places."""
    html, css, js = (
        page.PLACE.sub(f"«{feature.family}/\\1»", fill(text, feature.values(style)))
        for text in (feature.html, feature.css, feature.js)
    )
    return page.Part(html, css, js)


def truth(fault: Fault, start: int, end: int) -> dict[str, Any]:
    """The fault as it stands in `record["truth"]`."""
    return {"rubric": fault.rubric, "start": start, "end": end, "failure": fault.failure}


def pick(rng: Random, faults: Sequence[Fault], omit: bool) -> Fault:
    """One of an item's faults: code left out or code that is wrong, where the item has that kind at all."""
    wanted = [fault for fault in faults if (fault.failure == "absent") == omit]
    return rng.choice(wanted or list(faults))
