"""A mark: one source's word that one place in the code has to do with one rubric item."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """`text[start:end]` has `score` in [0, 1] of a `feature`, says `source`.

    Features: mask (could this place have caused the verdict at all), the pointers whose weights are in
    calibration.BETA, and quote (an evaluator named it; the score is how well the name matched). Marks `of` one
    reference of an evaluator (a number) are the places that it may mean: they share what it is worth.
    """

    start: int
    end: int
    feature: str
    score: float
    source: str
    of: int = 0
