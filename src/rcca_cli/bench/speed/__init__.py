"""How fast the parts are, beside what people use instead: `rcca bench speed`."""

from rcca_cli.bench.benchmark import Entry
from rcca_cli.bench.speed import align, rollout, stage, train

TAKES = frozenset(["name", "part", "seed", "jobs", "quick", "output", "report"])
PARTS = {"judge": stage.write, "align": align.write, "rollout": rollout.write, "train": train.write}
ENTRY = Entry("speed", stage.write, takes=TAKES, parts=PARTS)
