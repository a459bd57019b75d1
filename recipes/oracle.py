"""Measure what each mistake on the generator's pages comes to before the judge: src/rcca_cli/bench/credit/known.json.

    python recipes/oracle.py --pages 2000 --cache build/oracle
    python recipes/oracle.py --try 320 [--model CKPT]        how it does on a policy's answers to tasks of the set rl

Pages with one mistake and pages with random ones are judged by the real judge, and for each item of each family a
decision tree over the places of that family is grown from the verdicts; then a policy's answers to other tasks than
those it is tried on, as far as the oracle leaves them open, and the trees are grown again from both. A leaf on which
few pages lie, or on which pages differ, is null: there the oracle does not decide. What is judged already is read from
the cache. About a quarter of a second of one core a page.
"""

import argparse
import itertools
import json
import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from rcca_cli import console, parallel, seeds
from rcca_cli.bench.align import judging
from rcca_cli.bench.credit import agreement, grammar, oracle, tasks, verdicts
from rcca_cli.bench.credit.grammar import ABSENT, RIGHT, Row, Text
from rcca_cli.browser import Machine, Settings
from rcca_cli.jsonl import Line
from rcca_cli.judge import artifact, gates
from rcca_cli.judge import stage as judge
from rcca_cli.judge.played import Played
from rcca_cli.judge.trial import Findings, Trial
from rcca_cli.rollout import stage as rollout
from rcca_cli.store import Store
from rcca_cli.synth import app
from rcca_cli.synth.families import FAMILIES
from rcca_cli.synth.feature import PARAMETER, Feature

OUT = Path(__file__).parent.parent / "src/rcca_cli/bench/credit/known.json"
GROUP = 8  # answers to a task that are tried
FEWEST = 4  # pages on a leaf that decides, and with a state before anything is said of it
ASKED = 8  # what a leaf with fewer decides is asked again, of a policy's own pages
LEVELS = (0.45, 0.65, 0.8, 0.9)  # share of the places that are right, another one each page
STRANGE = 0.4  # how often, against a bug, each kind of wrong value stands in a place
FIXED_WRONG = 0.04  # how often a line that is no slot has a wrong value
NO_HELPER = 0.02

States = dict[str, str]
Label = tuple[bool, float, str | None]  # passed, severity, failure
Example = tuple[States, Label]


def draw(seed: int, index: int) -> app.App:
    """A task of two families that fit on one page, or of one that fits with none; all families alike often."""
    rng = seeds.generator("oracle", seed, index)
    names = sorted(FAMILIES)
    first = FAMILIES[names[index % len(names)]].make(rng)
    others = [FAMILIES[name].make(rng) for name in names if name != first.family]
    fitting = [one for one in others if len(first.items) + len(one.items) <= app.MOST_ITEMS]
    features = [first, rng.choice(fitting)] if fitting else [first]
    rng.shuffle(features)
    return app.compose(features, rng, place=(seed, index))


def page(made: app.App, rng: Random) -> str:
    """An answer with random mistakes."""
    right = rng.choice(LEVELS)
    by_name = {feature.family: feature for feature in made.features}
    styles = [0] * len(made.features) if rng.random() < 0.9 else [1] * len(made.features)
    lines = []
    for row in grammar.of(made).rows(styles):
        feature = by_name.get(row.place.partition("/")[0])
        line = fixed_line(made, row, rng, feature) if not row.item else slot_line(made, row, rng, feature, right)
        lines += [] if line is None else [line]
    return "\n".join(lines)


def fixed_line(made: app.App, row: Row, rng: Random, feature: Feature | None) -> str | None:
    """A line that is no slot; None if it is left out."""
    if feature is not None and rng.random() < FIXED_WRONG:
        return wrong_values(made, row, row.texts[0], rng, feature)
    return None if row.dropped and rng.random() < NO_HELPER else row.texts[0].line(row.values)


def slot_line(made: app.App, row: Row, rng: Random, feature: Feature, right: float) -> str | None:
    """What stands in a slot; None for a line left out."""
    known = {text.state: text for text in row.texts}
    if rng.random() < right:
        return known[RIGHT].line(row.values)
    ways: dict[Any, float] = {text: 1.0 for state, text in known.items() if state != RIGHT}
    if row.dropped:
        ways[None] = STRANGE if row.dropped.state == ABSENT else 1.0
    if PARAMETER.search(known[RIGHT].before + known[RIGHT].words + known[RIGHT].after):
        ways["wrong"] = 2 * STRANGE
    chosen = rng.choices(list(ways), list(ways.values()))[0]
    if chosen == "wrong":
        return wrong_values(made, row, rng.choice([known[RIGHT], known[RIGHT], *row.texts]), rng, feature)
    return None if chosen is None else chosen.line(row.values)


def wrong_values(made: app.App, row: Row, text: Text, rng: Random, feature: Feature) -> str:
    """The line with values of another request, or with another value of this one."""
    names = [name for name in PARAMETER.findall(text.before + text.words + text.after) if name in row.values]
    values = dict(row.values)
    if rng.random() < 0.5:
        other = FAMILIES[feature.family].make(rng)
        values |= {name: other.params[name] for name in names}
    elif names:
        name = rng.choice(names)
        everything = {value for one in made.features for value in one.params.values()}
        alike = [v for v in everything if v.isalpha() == values[name].isalpha() and v != values[name]]
        values[name] = rng.choice(sorted(alike) or [values[name]])
    return text.line(values)


class Verdicts(Trial):
    """A trial that plays nothing again for evidence."""

    def _wanted(self, name: str, played: Played) -> bool:
        return False


Page = tuple[app.App, str]


def pages(count: int, seed: int) -> Iterator[Page]:
    """Tasks and pages with random mistakes."""
    for index in range(count):
        made = draw(seed, index)
        yield made, page(made, seeds.generator("oracle page", seed, index))


def single(seed: int) -> Iterator[Page]:
    """For each family a page without a mistake and one with each single bug."""
    for name in sorted(FAMILIES):
        rng = seeds.generator("oracle single", seed, name)
        made = app.compose([FAMILIES[name].make(rng)], rng, place=(seed, 0))
        for faults in [(), *((fault,) for fault in made.faults())]:
            yield made, made.render(faults).text


def answers(model: str, name: str, count: int, seed: int) -> Iterator[Page]:
    """Tasks of a set and a policy's answers to them, GROUP a task."""
    made = {one.id: one for one in tasks.draw(name, seed, count // GROUP)}
    lines = (Line(tasks.record(one), name, number) for number, one in enumerate(made.values(), 1))
    for one in rollout.run(lines, rollout.Options(group_size=GROUP, model=model, window=4, seed=seed)):
        yield made[one["group"]], one["rollout"]["text"]


def unsure(written: Iterable[Page], known: Mapping[str, Any]) -> Iterator[Page]:
    """Those pages of the grammar that the oracle does not decide."""
    for made, text in written:
        if oracle.read(made, text, known) is None and grammar.of(made).read(text)[0] is not None:
            yield made, text


def judged(written: Iterable[Page], cache: str, jobs: int) -> Iterator[tuple[app.App, str, Findings]]:
    """Tasks, answers and what the judge's browser says of them; only of pages that get so far."""
    store = Store(cache)

    def one(written: Page) -> tuple[app.App, str, Any]:
        made, text = written
        return made, text, store.kept([judging.version(), made.task(), text], lambda: looked_at(machine, made, text))

    with Machine(Settings()) as machine:
        for number, (made, text, found) in enumerate(parallel.ordered_map(one, written, jobs), 1):
            if found["gate"] is not None:
                yield made, text, Findings(found["gate"], found["verdicts"])
            if number % 100 == 0:
                console.note(f"{number} pages")


def looked_at(machine: Machine, made: app.App, text: str) -> dict[str, Any]:
    """The runtime gate's row, null if the page does not get there, and the verdicts' rows."""
    document = artifact.find(text)
    if document.artifact is None or not gates.format_gate(document)["passed"]:
        return {"gate": None, "verdicts": []}
    start, end = document.artifact["start"], document.artifact["end"]
    if not gates.source_gate(text[start:end], start)["passed"]:
        return {"gate": None, "verdicts": []}
    record = {"id": made.id, "group": made.id, "task": made.task()}
    found = machine.run(Verdicts(machine, text[start:end], start, record, 0, 0.0).findings)
    return {"gate": found.gate, "verdicts": found.verdicts}


def examples(found: Iterable[tuple[app.App, str, Findings]]) -> dict[str, dict[str, list[Example]]]:
    """By family and item (and the runtime gate), the states of the family's places and what came of them."""
    gathered: dict[str, dict[str, list[Example]]] = defaultdict(lambda: defaultdict(list))
    for made, text, findings in found:
        page, _ = grammar.of(made).read(text)
        if page is None or findings.gate["passed"] is None:
            continue
        rows = {row["rubric"]: row for row in findings.verdicts}
        stopped = stopping(page, findings.gate)
        for feature in made.features:
            if stopped is not None and stopped != feature.family:
                continue
            states = {name: at.state for name, at in oracle.near(page, feature.family).items()}
            for item in feature.items:
                row = rows[f"{feature.family}-{item.id}"]
                if row["passed"] is not None:
                    gathered[feature.family][item.id].append((states, (row["passed"], row["severity"], row["failure"])))
            gathered[feature.family][oracle.RUNTIME].append((states, (findings.gate["passed"], 1.0, None)))
    return gathered


def stopping(page: grammar.Page, gate: Mapping[str, Any]) -> str | None:
    """The family that stops a page while it loads, "" if that cannot be told; None if none of them does."""
    if gate["passed"] or page["page/byId"].state != RIGHT:
        return None
    at = gate["start"] or 0
    return next((one.place.partition("/")[0] for one in page.values() if one.start <= at < one.end), "")


def grow(rows: Sequence[Example], fewest: int) -> dict[str, Any] | None:
    """The decision that these examples teach."""
    labels = Counter(label for _, label in rows)
    settled = len({label[0] for label in labels}) == 1
    best = None
    if len(labels) > 1:
        split = max(tests(rows), key=lambda test: gain(rows, test, settled), default=None)
        if split is not None and gain(rows, split, settled) > 1e-9:
            best = split
    if best is not None:
        place, states = best
        sides = [[one for one in rows if (one[0][place] in states) == side] for side in (True, False)]
        if not settled or min(map(len, sides)) >= fewest:
            yes, no = (grow(side, fewest) for side in sides)
            return {"place": place, "is": sorted(states), "yes": yes, "no": no}
    if not settled or len(rows) < fewest:
        return None
    passed, severity, failure = labels.most_common(1)[0][0]
    return {"passed": passed, "severity": severity, "failure": failure}


def tests(rows: Sequence[Example]) -> Iterator[tuple[str, frozenset[str]]]:
    """The questions that can be asked: whether in a place stands one certain state."""
    for place in sorted(rows[0][0]):
        for state in sorted({states[place] for states, _ in rows}):
            yield place, frozenset([state])


def gain(rows: Sequence[Example], test: tuple[str, frozenset[str]], settled: bool) -> float:
    """The bits that an answer to the question tells: of pass or failure or, once that is settled, of all the rest."""
    place, states = test
    sides: list[Counter[Any]] = [Counter(), Counter()]
    for known, label in rows:
        sides[known[place] in states][label if settled else label[0]] += 1
    return entropy(sides[0] + sides[1]) - entropy(sides[0]) - entropy(sides[1])


def entropy(counts: Mapping[Any, int]) -> float:
    """The bits of all these together."""
    total = sum(counts.values())
    return sum(-count * math.log2(count / total) for count in counts.values())


def learn(gathered: Mapping[str, Mapping[str, list[Example]]], fewest: int = FEWEST) -> dict[str, Any]:
    """The value of known.json, where `fewest` pages are enough to say something."""
    known = {}
    for family, items in sorted(gathered.items()):
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for states, _ in items[oracle.RUNTIME]:
            for place, state in states.items():
                counts[place][state] += 1
        seen = {place: sorted(s for s, n in count.items() if n >= fewest) for place, count in sorted(counts.items())}
        known[family] = {"seen": seen, "items": {item: grow(rows, fewest) for item, rows in items.items()}}
    return known


def write(known: Mapping[str, Any], out: Path) -> None:
    """One line an item, so that a change can be seen."""
    lines = []
    for family, one in known.items():
        items = ",\n".join(f"  {json.dumps(item)}: {json.dumps(node)}" for item, node in one["items"].items())
        lines.append(f'"{family}": {{\n "seen": {json.dumps(one["seen"])},\n "items": {{\n{items}\n}}}}')
    out.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


def try_on(model: str, count: int, seed: int, cache: str, jobs: int) -> dict[str, Any]:
    """The agreement on a policy's answers, how long reading one takes, and how often code is missing."""
    made = {one.id: one for one in tasks.draw("rl", seed, count)}
    lines = (Line(tasks.record(one), "rl", number) for number, one in enumerate(made.values(), 1))
    answers = list(rollout.run(lines, rollout.Options(group_size=GROUP, model=model, window=4, seed=seed)))
    began = time.process_time()
    readings = [oracle.read(made[one["group"]], one["rollout"]["text"]) for one in answers]
    spent = time.process_time() - began
    with verdicts.Bench(judge.Options(replay_passes=0.0, jobs=jobs), Store(cache), ask_oracle=False) as bench:
        found = bench.judge(made, answers)
    places = [
        causes for one in readings if one for item, causes in one.causes.items() if not one.passed[item] and causes
    ]
    left_out = sum(any(cause.failure == "absent" for cause in causes) for causes in places)
    return agreement.measured(made, found) | {
        "milliseconds": round(1000 * spent / len(answers), 3),
        "levels": Counter(one["judge"]["level"] for one in found),
        "undecided_levels": Counter(
            one["judge"]["level"] for one, known in zip(found, readings, strict=True) if not known
        ),
        "failed_items": len(places),
        "left_out": round(left_out / max(len(places), 1), 3),
    }


def main() -> None:
    """Measure, learn, write."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pages", type=int, default=2000)
    options.add_argument("--answers", type=int, default=1200, help="of the policy, to tasks of the set sft")
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--cache", default="build/oracle")
    options.add_argument("--out", type=Path, default=OUT)
    options.add_argument("--try", dest="tried", type=int, help="answers, eight a task; nothing is learned")
    options.add_argument("--model", default="embedded")
    given = options.parse_args()
    if given.tried:
        print(json.dumps(try_on(given.model, given.tried // GROUP, given.seed, given.cache, given.jobs), indent=1))  # noqa: T201
        return
    drawn = itertools.chain(single(given.seed), pages(given.pages, given.seed))
    written = list(judged(drawn, given.cache, given.jobs))
    open_yet = unsure(answers(given.model, "sft", given.answers, given.seed), learn(examples(written), ASKED))
    known = learn(examples([*written, *judged(list(open_yet), given.cache, given.jobs)]))
    write(known, given.out)


if __name__ == "__main__":
    main()
