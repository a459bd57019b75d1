"""Where mutants and repairs disagree about which evidence is better: repairs decide."""

from itertools import combinations
from typing import Any

Record = dict[str, Any]
BY = "mass"  # what variants are ranked by: top k is the same for many


def compared(by_mutants: Record, by_repairs: Record, names: list[str]) -> Record:
    """Both rankings of the variants, the rank correlation (Kendall's τ), and the pairs they order otherwise."""
    both = [name for name in names if by_mutants.get(name) and by_repairs.get(name)]
    one = {name: by_mutants[name]["all"][BY] for name in both}
    other = {name: by_repairs[name]["all"][BY] for name in both}
    known = [name for name in both if one[name] is not None and other[name] is not None]
    pairs = [(a, b, (one[a] - one[b]) * (other[a] - other[b])) for a, b in combinations(known, 2)]
    return {
        "mutants": sorted(known, key=lambda name: -one[name]),
        "repairs": sorted(known, key=lambda name: -other[name]),
        "tau": sum((value > 0) - (value < 0) for _, _, value in pairs) / len(pairs) if pairs else None,
        "disagree": [sorted((a, b), key=lambda name: -other[name]) for a, b, value in pairs if value < 0],
    }
