"""How often the credit lands on the fault: `rcca bench align`."""

from typing import Any

from rcca_cli.bench.benchmark import Entry

TAKES = frozenset(["name", "seed", "jobs", "output", "report", "apps", "repairs", "fit", "cache", "quick"])


def write(options: Any, output: str = "-", report: str = "") -> None:
    """See stage.write; its parsers and operators are loaded by who wants them."""
    from rcca_cli.bench.align import stage

    stage.write(options, output, report)


ENTRY = Entry("align", write, takes=TAKES)
