"""How the figures of a benchmark look in a table."""

from rcca_cli.bench.statistics import Estimate


def shown(found: Estimate, factor: int, digits: int) -> str:
    """An estimate in one cell.

    >>> shown(Estimate(0.5, 0.25, 0.75, 4), 100, 0), shown(Estimate(None, None, None, 0), 1, 2)
    ('50 [25, 75]', '–')
    """
    if found.value is None:
        return "–"
    text = f"{found.value * factor:.{digits}f}"
    if found.low is None or found.high is None:
        return text
    return f"{text} [{found.low * factor:.{digits}f}, {found.high * factor:.{digits}f}]"
