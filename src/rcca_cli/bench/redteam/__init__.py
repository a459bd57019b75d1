"""The red team: hostile and deceptive pages, and what must come of each."""

from rcca_cli.bench.benchmark import Entry
from rcca_cli.bench.redteam import stage

ENTRY = Entry("redteam", stage.write, takes=frozenset(["name", "seed", "output", "model", "base_url", "soak", "jobs"]))
