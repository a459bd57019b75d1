"""How an item went before the judge."""

from dataclasses import dataclass, field

from rcca_cli import checks


@dataclass
class Played:
    """An item's cases: the outcome of the first that failed, or of the last."""

    case: checks.Case
    passed_before: int  # how many cases passed
    outcome: checks.Outcome = field(default_factory=checks.Outcome)
    threw: bool = False  # an uncaught error in the case
    trouble: str | None = None  # the page hung or crashed
