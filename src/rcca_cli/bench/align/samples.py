"""Real answers: what a policy writes for synthetic tasks, judged."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rcca_cli.align import stage as align
from rcca_cli.align.answer import Answer
from rcca_cli.bench.align import judging
from rcca_cli.bench.align.kept import ran
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage as judge
from rcca_cli.records import SCHEMA
from rcca_cli.store import Store
from rcca_cli.synth import app as synth
from rcca_cli.synth import page

Record = dict[str, Any]
POLICY = "embedded"
STYLES = (0, 1)  # the identifier schemes of the generator


@dataclass(frozen=True)
class Group:
    """A synthetic task and a group of judged answers to it."""

    made: synth.App
    records: list[Record]

    def answers(self) -> list[Answer]:
        """The answers that reached the functional level, ready to be attributed."""
        found = (align.answer(Line(record, "<bench>", 1), POLICY) for record in self.records if ran(record))
        return [answer for answer in found if answer is not None]


def groups(families: tuple[str, ...], seed: int, tasks: int, size: int, jobs: int, store: Store) -> list[Group]:
    """`size` answers of the embedded policy to each of some tasks of these families."""
    from rcca_cli.rollout import stage as rollout

    made = [synth.make(seed, index, families) for index in range(tasks)]
    wanted = [{"schema": SCHEMA, "id": one.id, "group": one.id, "task": one.task()} for one in made]
    lines = [Line(record, "<bench>", number) for number, record in enumerate(wanted, 1)]
    options = rollout.Options(group_size=size, model=POLICY, seed=seed)
    answered = store.kept(["samples", seed, size, wanted], lambda: list(rollout.run(lines, options)))
    found = judging.run(answered, judge.Options(seed=seed, jobs=jobs), store, "answers")
    return [Group(one, [record for record in found if record["group"] == one.id]) for one in made]


def forms(made: synth.App) -> Iterator[str]:
    """The right answer in every form in which the generator could have written it."""
    for style in STYLES:
        for font in page.FONTS:
            for accent in page.ACCENTS:
                yield dataclasses.replace(made, style=style, skeleton=page.Skeleton(font, accent)).render().text
