"""What an app cannot be blamed for: a library of a public CDN that it needs and that is not here.

An app is excused only by what it did, not by what it names: its first error says that the library was not there, or a
module of it imports the library, or it is blank. Whatever else fails is its own.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from rcca_cli import seeds
from rcca_cli.browser import Missing, Thrown, Visit, cdn

SHOWN = 20  # rows of one record
LONGEST = 300  # characters of a URL


def reason(thrown: Sequence[Thrown], missing: Collection[Missing]) -> str | None:
    """Why the errors are not the app's, if the first of them says that a missing library was not there."""
    if not thrown:
        return None
    message = thrown[0].message
    lacked = next((one for one in _ours(missing) if one.wanted.is_named_by(message)), None)
    return f"{message} ({_told(lacked)})" if lacked else None


def at_load(visit: Visit, blank: bool) -> str | None:
    """Why a page that did not load well is not to be blamed, or None."""
    why = reason(visit.thrown, visit.missing)
    if why or visit.thrown:
        return why
    missing = _ours(visit.missing)
    imported = next((one for one in missing if cdn.imports(visit.html, one.wanted.url)), None)
    if imported:
        return f"a module of the page did not run ({_told(imported)})"
    return f"the page is blank ({_told(missing[0])})" if blank and missing else None


def excused(row: dict[str, Any], why: str | None) -> dict[str, Any]:
    """A verdict's row; not known, with what was seen, if it failed and that is excused."""
    if why is None or row["passed"] is not False:
        return row
    return row | {"passed": None, "severity": 1.0, "failure": None, "error": why}


def rows(missing: Iterable[Missing], earlier: Iterable[dict[str, Any]] = ()) -> list[dict[str, Any]]:
    """The rows of `judge.missing`, in order and each once, together with those of an earlier judgement."""
    found = [
        {"url": one.wanted.url, "package": one.wanted.package, "version": one.wanted.version, "file": one.wanted.file}
        | {"ours": one.ours}
        for one in missing
    ]
    short = [{key: _short(value) for key, value in row.items()} for row in found]
    distinct = {(row["url"], seeds.digest(row)): row for row in [*earlier, *short]}
    return [distinct[key] for key in sorted(distinct)][:SHOWN]


def _ours(missing: Iterable[Missing]) -> list[Missing]:
    return sorted(one for one in missing if one.ours)


def _told(missing: Missing) -> str:
    wanted = missing.wanted
    return f"the page loads {_short(wanted.name)} from {wanted.host}, {cdn.TOLD[missing.lack]}"


def _short(value: Any) -> Any:
    return value[:LONGEST] if isinstance(value, str) else value
