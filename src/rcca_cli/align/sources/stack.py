"""Where an error was thrown, and from where that was called."""

import re
from collections.abc import Iterator

from rcca_cli.align.case import Case
from rcca_cli.credit import Mark


def marks(case: Case) -> Iterator[Mark]:
    """1 / (1 + depth) for each frame of the stack; the detail begins with the depth."""
    for row in case.evidence("stack"):
        depth = re.match(r"\s*(\d{1,9})", row["detail"])
        yield Mark(row["start"], row["end"], "stack", 1 / (1 + int(depth.group(1) if depth else 0)), "stack")
