"""The tasks of the experiment: four sets of the generator's that share none, by what is asked and not by a seed.

What a task is, is its families and their parameters; how the request is worded is not. Its digest says which set it
is of. A fifth of the pairs of families is in no task that is learned from, only in those of the two evaluations.

What can be claimed of the embedded policy: `recipes/policy.py` learned from 38,400 tasks of all pairs of families and
draws from every set (`taught` has their 6,150 identities), so for it the sets part what reinforcement and evaluation
see, not what it was first taught: of 300 draws of each evaluation it knows 72 to 77 % of the different tasks of seen
pairs and 55 to 61 % of those of unseen ones. A policy made with `--own-tasks 1` learned from tasks of the set `sft`
alone, and for it all four sets are apart. A policy says which it is, and `apart` holds it to that before the runs.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from rcca_cli import records, seeds
from rcca_cli.errors import RccaError
from rcca_cli.synth import app
from rcca_cli.synth.families import FAMILIES
from rcca_cli.synth.stage import Options

SHARES = {"sft": 50, "rl": 25, "tuning": 12, "confirmation": 13}  # of 100 digests
LEARNED, EVALUATED = ("sft", "rl"), ("tuning", "confirmation")
UNSEEN_PAIRS = 0.2
# Two families on which no weight of attribution was fitted (bench/align/apps.py FITTED); they are reported apart.
APART = ("filter", "tip")
# What the values of checks are drawn by: those of an evaluation are never the ones that were trained on.
CHECK_SEEDS = {"sft": 0, "rl": 1, "tuning": 2, "confirmation": 3}
Record = dict[str, object]


def identity(made: app.App) -> str:
    """A digest of the families and parameters of a task."""
    parts = sorted((feature.family, dict(feature.params)) for feature in made.features)
    return seeds.digest(["credit task", *parts])


@cache
def unseen_pairs() -> frozenset[frozenset[str]]:
    """The pairs of families that are in no task that is learned from."""
    pairs = [frozenset(pair) for pair in itertools.combinations(sorted(FAMILIES), 2) if fits(*pair)]
    ordered = sorted(pairs, key=lambda pair: seeds.digest(["credit pair", *sorted(pair)]))
    return frozenset(ordered[: round(UNSEEN_PAIRS * len(pairs))])


@cache
def fits(first: str, second: str) -> bool:
    """Whether two families can be on one page."""
    sizes = [len(FAMILIES[name].make(seeds.generator("credit size", name)).items) for name in (first, second)]
    return sum(sizes) <= app.MOST_ITEMS


def is_unseen(made: app.App) -> bool:
    """Whether its pair of families is in no task that is learned from."""
    return frozenset(made.families) in unseen_pairs()


def is_left_out(made: app.App) -> bool:
    """Whether it has a family on which no weight of attribution was fitted."""
    return bool(set(APART) & set(made.families))


def set_of(made: app.App) -> str:
    """Which of the four sets a task is of."""
    number = int(identity(made), 16)
    names = EVALUATED if is_unseen(made) else tuple(SHARES)
    place = number % sum(SHARES[name] for name in names)
    for name in names:
        place -= SHARES[name]
        if place < 0:
            return name
    raise AssertionError(place)


def stream(name: str, seed: int, unseen: bool | None = None, full: bool = False) -> Iterator[app.App]:
    """The tasks of a set, without end, each as often as it is drawn; only those of unseen pairs, or of none, if so.

    `full`: only those whose rubric is as long as any, so that it can be cut to any number of items.
    """
    known(name)
    own = seeds.derive("credit tasks", name, seed)
    pairs = sorted(sorted(pair) for pair in unseen_pairs())
    for index in itertools.count():
        made = app.make(own, index, pairs[index % len(pairs)] if unseen else ())
        if full and sum(len(feature.items) for feature in made.features) < app.MOST_ITEMS:
            continue
        if set_of(made) == name and unseen in (None, is_unseen(made)):
            yield made


def draw(name: str, seed: int, count: int, full: bool = False) -> list[app.App]:
    """The first `count` tasks of a set; those of an evaluation are all different, a third of them of unseen pairs."""
    if name in LEARNED:
        return list(itertools.islice(stream(name, seed, full=full), count))
    rare = round(count / 3)
    seen = different(stream(name, seed, False, full), count - rare)
    return [*seen, *different(stream(name, seed, True, full), rare)]


def different(made: Iterator[app.App], count: int) -> list[app.App]:
    """The first `count` of which no two ask for the same. RccaError if there are not so many."""
    found: dict[str, app.App] = {}
    for one in itertools.islice(made, 200 * (count + 20)):
        if len(found) == count:
            break
        found.setdefault(identity(one), one)
    if len(found) < count:
        raise RccaError(f"{count} different tasks are asked for, and there are {len(found)}")
    return list(found.values())


def record(made: app.App, items: int | None = None) -> Record:
    """The task as stage `synth` writes it, its rubric cut to so many items."""
    task = made.task() | {"config": Options().config()}
    task["rubric"] = task["rubric"] if items is None else cut(task["rubric"], items)
    return {"schema": records.SCHEMA, "id": made.id, "group": made.id, "task": task}


def cut(rubric: Sequence[Mapping[str, Any]], items: int) -> list[Mapping[str, Any]]:
    """So many items of a rubric, chosen by the digest of their ids, each with those it builds on; in their order."""
    parents = {item["id"]: item["parents"] for item in rubric}
    kept: set[str] = set()
    for name in sorted(parents, key=lambda name: seeds.digest(["credit item", name])):
        wanted, found = [name], {name}
        while wanted:
            wanted = [parent for child in wanted for parent in parents[child]]
            found |= set(wanted)
        if len(kept | found) <= items:
            kept |= found
    return [item for item in rubric if item["id"] in kept]


@cache
def taught(seed: int = 0, count: int = 38_400, name: str | None = None) -> frozenset[str]:
    """The identities of the tasks that `recipes/policy.py` learns from (its seed, steps times batch); seconds.

    Of the set `name` alone, as with `--own-tasks 1`, or of all.
    """
    of = seeds.derive(seed, "train")
    drawn = (app.make(of, index, styles=(0,)) for index in itertools.count())
    return frozenset(map(identity, itertools.islice((one for one in drawn if name in (None, set_of(one))), count)))


def must_be_apart(sets: Mapping[str, Sequence[app.App]]) -> None:
    """RccaError if two of these sets share a task, or an unseen pair is in one that is learned from."""
    for (one, here), (other, there) in itertools.combinations(sets.items(), 2):
        both = {identity(made) for made in here} & {identity(made) for made in there}
        if both:
            raise RccaError(f"the sets {one} and {other} share {len(both)} tasks")
    for name in LEARNED:
        if any(is_unseen(made) for made in sets.get(name, ())):
            raise RccaError(f"the set {name} has a pair of families that it must not")


def known(name: str) -> None:
    """RccaError if there is no such set."""
    if name not in SHARES:
        raise RccaError(f"no set {name!r} of tasks (there are {', '.join(SHARES)})")
