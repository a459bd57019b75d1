"""How an item went before the judge."""

from dataclasses import dataclass, field

from rcca_cli import checks


@dataclass(eq=False)
class Played:
    """One case of an item, and how it went."""

    case: checks.Case
    passed_before: int  # how many cases passed
    begun: bool = False
    outcome: checks.Outcome = field(default_factory=checks.Outcome)
    threw: bool = False  # an uncaught error in the case
    lacked: str | None = None  # why that error is not the app's
    trouble: str | None = None  # the page hung or crashed
