"""What a judge makes of one answer, of whichever kind it is."""

import contextlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol

from rcca_cli.bench.artifacts.evidence import Evidence
from rcca_cli.bench.artifacts.rows import SLOTS, Item

# Why there is no score. There was no answer to be had from the model; the judge said nothing that counts; its server
# will not take the request; it never answered; the money is spent; the browser was lost before it was asked. The last
# three are tried again by the next call.
Trouble = Literal["unanswered", "judge_unparsed", "judge_refused", "judge_unanswered", "max_cost", "browser_lost"]
PASSING: frozenset[Trouble] = frozenset(["judge_unanswered", "max_cost", "browser_lost"])
UNMARKED: tuple[None, ...] = (None,) * SLOTS


@dataclass(frozen=True)
class Verdict:
    """`score` is what counts, 0 to 100 (the official way does not bound it), None if it is not known, and `why` not.

    `overall` is the judge's own total, `told` the same as the official column has it, `reason` its words. `scores` are
    the ten marks of 0 to 10, None each where there are none. `repeats` are the totals of all times that it was asked.
    `left_out` is how many characters of the answer it was not shown.
    """

    score: float | None
    overall: float | None = None
    told: str | None = None
    reason: str = ""
    scores: tuple[int | None, ...] = UNMARKED
    evidence: tuple[str, ...] = ("",) * SLOTS
    repeats: tuple[float, ...] = ()
    left_out: int = 0
    trouble: Trouble | None = None
    why: str | None = None

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    @staticmethod
    def of(told: Any) -> "Verdict | None":
        """From what `plain` gave; None from anything else."""
        with contextlib.suppress(KeyError, TypeError):
            return Verdict(**told | {name: tuple(told[name]) for name in ("scores", "evidence", "repeats")})
        return None

    @staticmethod
    def unknown(trouble: Trouble, why: str, **more: Any) -> "Verdict":
        """There is no score."""
        return Verdict(None, trouble=trouble, why=why, **more)


class Judge(Protocol):
    """Something that marks answers; by `identity`, and by what it is shown, its marks are fixed."""

    @property
    def identity(self) -> str:
        """For records: verdicts of two are not comparable."""
        ...

    def verdict(self, item: Item, answer: str, evidence: Evidence, pictures: Sequence[bytes]) -> Verdict:
        """The marks of one answer, with the pictures of `evidence.pictures`. Called from several threads."""
        ...


def nothing_to_judge(why: str) -> Verdict:
    """Of an answer that says nothing: nobody is asked."""
    words = (why,) * SLOTS
    return Verdict(0.0, 0.0, "0", why, (0,) * SLOTS, words)
