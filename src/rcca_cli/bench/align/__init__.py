"""How often the credit lands on the fault: `rcca bench align`."""

from rcca_cli.bench.align import stage
from rcca_cli.bench.benchmark import Entry

TAKES = frozenset(["name", "seed", "jobs", "output", "report", "apps", "repairs", "fit", "cache", "quick"])
ENTRY = Entry("align", stage.write, takes=TAKES)
