"""What the embedded policy does on tasks it has not seen, measured with the real judge, and its model card."""

import re
import statistics
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rcca_cli.judge.stage as judge
import rcca_cli.rollout.stage as rollout
from rcca_cli import console
from rcca_cli.errors import ItemsFailed
from rcca_cli.jsonl import Line
from rcca_cli.records import SCHEMA
from rcca_cli.synth import app, page

LEVELS = ("format", "source", "runtime", "functional")


@dataclass
class Measured:
    """Counts over judged answers. An item that is not known is in `unknown` and in nothing else."""

    answers: int = 0
    tokens: list[int] = field(default_factory=list)
    levels: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    passes: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    unknown: int = 0
    renderings: int = 0  # answers that the generator could have written, whose bugs are therefore known
    broken: int = 0  # items with a bug in those
    left_out: int = 0  # items with code left out in those

    def add(self, record: dict[str, Any], made: app.App) -> None:
        """Count one judged record."""
        self.answers += 1
        self.tokens.append(len(record["rollout"]["tokens"]))
        self.levels[record["judge"]["level"]] += 1
        for verdict in record["judge"]["verdicts"]:
            if verdict["passed"] is None:
                self.unknown += 1
                continue
            self.passes[verdict["rubric"].partition("-")[0]].append(verdict["passed"])
            if not verdict["passed"] and record["judge"]["level"] == "functional":
                self.failures[verdict["failure"]] += 1
        if (bugs := bugs_of(made, record["rollout"]["text"])) is not None:
            self.renderings += 1
            self.broken += len(bugs)
            self.left_out += sum("absent" in kinds for kinds in bugs.values())

    @property
    def pass_rate(self) -> float:
        """Share of known items that passed, each counted alike."""
        return statistics.mean(passed for known in self.passes.values() for passed in known)


def bugs_of(made: app.App, text: str) -> dict[str, set[str]] | None:
    """For each broken item the kinds of its bugs, if `text` is a rendering of this app with any bugs; else None."""
    slots = made.slots()
    parts = [app.part(feature, made.style) for feature in made.features]
    template = page.template(made.title, page.Skeleton("«»", "«»"), parts)
    places: list[str] = []
    pattern = ""
    for line in template.splitlines(keepends=True):
        alone = page.PLACE.fullmatch(line.strip())
        written = ""
        for index, piece in enumerate(re.split("«([^»]*)»", line)):
            if index % 2 == 0:
                written += re.escape(piece)
            elif not piece:
                written += r"[\w, -]+"
            else:
                places.append(piece)
                texts = {slots[piece].right, *(bug.text for bug in slots[piece].bugs)}
                written += f"({'|'.join(map(re.escape, sorted(texts, key=len, reverse=True)))})"
        pattern += f"(?:{written}|)" if alone else written
    if (match := re.fullmatch(pattern, text)) is None:
        return None
    bugs: dict[str, set[str]] = defaultdict(set)
    for place, found in zip(places, match.groups(default=""), strict=True):
        for bug in slots[place].bugs:
            if found != slots[place].right and found == bug.text:
                bugs[slots[place].item].add(bug.failure)
    return bugs


def measure(model: str, seed: int, tasks: int, jobs: int = 2) -> Measured:
    """Sample and judge one answer to each of `tasks` tasks of the stream `seed`."""
    made = [app.make(seed, index, styles=(0,)) for index in range(tasks)]
    records = [{"schema": SCHEMA, "id": one.id, "group": one.id, "task": one.task()} for one in made]
    answers = rollout.run(lines(records), rollout.Options(model=model, window=16))
    judged = judge.run(lines(answers), judge.Options(replay_passes=0.0, jobs=jobs))
    measured = Measured()
    try:
        for record, one in zip(judged, made, strict=True):
            measured.add(record, one)
    except ItemsFailed as error:
        console.note(str(error))
    return measured


def lines(records: Iterable[dict[str, Any]]) -> Iterator[Line]:
    """Records as a stage wants them."""
    return (Line(record, "held-out", number) for number, record in enumerate(records, 1))


CARD = """\
---
license: apache-2.0
library_name: transformers
pipeline_tag: text-generation
---

# The embedded policy of rcca

A Llama of {parameters:,} parameters that writes small web apps for the requests of `rcca synth`, with mistakes. It is
what `rcca rollout`, `rcca run` and `rcca bench` sample when no model is named, so that the whole loop of sampling,
judging, credit and training runs on a machine without a graphics card, a network or any other model.

**What it is not.** It knows the twelve families of `rcca synth` and nothing else. Asked for anything else it writes one
of its own apps or nonsense. It is no assistant, and its scores say nothing about other models.

## How it was made

`python recipes/policy.py`, with the numbers below; each pair is seen once. The answers are reference
solutions in which each requirement holds only some of the time (`rcca_cli/synth/rates.py`); of those that do not,
{omissions:.0%} have their code left out and the others have it wrong, as far as a requirement has both kinds;
{breakage:.0%} of the answers are no working page at all. No text from outside this project was used. The tokens are up
to a line long and cover every byte; digits stand alone. Weights in float16, read back in float32.

{recipe}

## What it does

Measured by the real judge on {answers} answers to held-out tasks (another seed; the families being few, a request can
be one that was trained on), at temperature 1.

| | |
|---|---|
| answers that reach the functional level | {functional:.0%} |
| stopped at the levels format, source, runtime | {stopped} |
| mean pass rate of rubric items | {passed:.2f} |
| broken items whose code was left out ({renderings} answers whose bugs are known exactly) | {left_out:.0%} |
| how failed items fail, as the judge sees it | {failures} |
| tokens an answer: mean, longest | {mean_tokens:.0f}, {longest} |
| items not known | {unknown} |

| family | pass rate | items |
|---|---|---|
{families}
"""


def card(measured: Measured, recipe: Mapping[str, Any], parameters: int) -> str:
    """The text of MODEL_CARD.md."""
    failed = sum(measured.failures.values())
    rows = sorted(measured.passes.items())
    return CARD.format(
        parameters=parameters,
        recipe=textwrap.fill(", ".join(f"{name} {value}" for name, value in recipe.items()) + ".", 120),
        omissions=recipe["omissions"],
        breakage=recipe["breakage"],
        answers=measured.answers,
        functional=measured.levels["functional"] / measured.answers,
        stopped=", ".join(f"{measured.levels[level] / measured.answers:.1%}" for level in LEVELS[:-1]),
        passed=measured.pass_rate,
        renderings=measured.renderings,
        left_out=measured.left_out / measured.broken,
        failures=", ".join(f"{name} {count / failed:.0%}" for name, count in measured.failures.most_common()),
        mean_tokens=statistics.mean(measured.tokens),
        longest=max(measured.tokens),
        unknown=measured.unknown,
        families="\n".join(f"| {name} | {statistics.mean(known):.2f} | {len(known)} |" for name, known in rows),
    )


def write(out: Path, measured: Measured, recipe: Mapping[str, Any], parameters: int) -> None:
    """Put the card beside the weights."""
    (out / "MODEL_CARD.md").write_text(card(measured, recipe, parameters))
