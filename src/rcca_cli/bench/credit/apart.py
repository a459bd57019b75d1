"""Whether a policy was taught tasks that it is trained or evaluated on here, as far as it says what it was taught.

`recipes/policy.py` writes it into the policy's configuration, which training and saving keep:
`"taught": {"seed": 0, "tasks": 38400, "set": "sft"}`, the set null where tasks of all sets were drawn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rcca_cli import models
from rcca_cli.bench.credit import tasks
from rcca_cli.bench.credit.options import Options
from rcca_cli.errors import RccaError
from rcca_cli.synth.app import App

Record = dict[str, Any]


def checked(options: Options, seeds: Sequence[int]) -> Record:
    """What is known of the tasks of runs like this one with these seeds, which must be apart, before any is made.

    RccaError if two sets share a task, or a policy that was taught tasks of its own set knows one of another.
    """
    runs = [replace(options, seed=seed) for seed in seeds]
    sets = {"rl": [made for one in runs for made in one.learned()]}
    for name in tasks.EVALUATED:
        sets[name] = [made for one in runs for made in one.evaluated(name)]
    tasks.must_be_apart(sets)
    told = getattr(models.load(options.model).model.config, "taught", None)
    return {"taught": told} | known(sets, told)


def known(sets: Mapping[str, Sequence[App]], told: Mapping[str, Any] | None) -> Record:
    """How many different tasks of each set the policy was taught, and whether it was none; null if it does not say."""
    if told is None:
        return {"different": None, "known": None, "apart": None}
    learned = tasks.taught(told["seed"], told["tasks"], told["set"])
    asked = {name: {tasks.identity(made) for made in some} for name, some in sets.items()}
    counts = {name: len(some & learned) for name, some in asked.items()}
    if told["set"] is not None and any(counts.values()):
        raise RccaError(f"a policy taught tasks of the set {told['set']} alone knows others ({counts})")
    return {
        "different": {name: len(some) for name, some in asked.items()},
        "known": counts,
        "apart": not any(counts.values()),
    }
