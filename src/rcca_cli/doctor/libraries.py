"""`rcca doctor --cdn`: which libraries the pages of a file of rollouts load from CDNs, and how to have them here."""

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

import orjson

from rcca_cli import console
from rcca_cli.browser import Mirror, Wanted, cdn
from rcca_cli.doctor import report
from rcca_cli.doctor.finding import Finding
from rcca_cli.errors import ItemsFailed
from rcca_cli.jsonl import Line


@dataclass(frozen=True)
class Asked:
    """One file of one package at one host. `mirrored` is null without a mirror to look in, `command` where none helps.

    `package` is null for what is not of npm; `file` is then its URL.
    """

    package: str | None
    version: str | None
    file: str | None
    host: str
    records: int
    mirrored: bool | None
    command: str | None


def asked(lines: Iterable[Line], mirror: Mirror | None, folder: str) -> list[Asked]:
    """What the answers ask of CDNs, the most frequent first; `folder` is where the commands put the packages."""
    count: Counter[Wanted] = Counter()
    for line in lines:
        rollout = line.record.get("rollout") or {}
        text = rollout.get("text") if isinstance(rollout, dict) else None
        count.update({_general(one) for one in cdn.asked(text)} if isinstance(text, str) else ())
    rows = []
    for wanted, records in sorted(count.items(), key=lambda one: (-one[1], str(one[0]))):
        has = mirror.find(wanted) is not None if mirror else None
        command = None if has or not wanted.package else fill(wanted, folder)
        file = wanted.file if wanted.package else wanted.url
        rows.append(Asked(wanted.package, wanted.version, file, wanted.host, records, has, command))
    return rows


def _general(wanted: Wanted) -> Wanted:
    """The same without its URL, where it is known without."""
    return replace(wanted, url="") if wanted.package else wanted


def fill(wanted: Wanted, folder: str) -> str:
    """The shell command that puts a package into the mirror, in the version that its range comes to today."""
    name = wanted.package or ""
    archive = shlex.quote(name.removeprefix("@").replace("/", "-") + "-")
    spec = shlex.quote(f"{name}@{wanted.version or 'latest'}")
    return (
        f"f=$(npm pack --silent --ignore-scripts {spec} | tail -n 1); v=${{f#{archive}}}; "
        f'd={shlex.quote(f"{folder}/{name}@")}"${{v%.tgz}}"; '
        'mkdir -p "$d" && tar -xzf "$f" -C "$d" --strip-components=1 && rm "$f"'
    )


def as_text(rows: Sequence[Asked]) -> str:
    """A line a file, and below it how to have its package; each command is there once."""
    findings, told = [], set()
    for row in rows:
        state = {True: "ok", False: "missing", None: "optional"}[row.mirrored]
        name = "not of npm" if row.package is None else row.package + (f"@{row.version}" if row.version else "")
        what = f"{row.file or 'its default file'} from {row.host} in {row.records} record{'s' * (row.records > 1)}"
        findings.append(Finding(name, state, what, row.command if row.command not in told else None))  # type: ignore[arg-type]
        told.add(row.command)
    return report.as_text(findings)


def as_json(rows: Sequence[Asked]) -> str:
    """The rows as a JSON array."""
    return orjson.dumps([asdict(row) for row in rows], option=orjson.OPT_INDENT_2).decode()


def refuse_missing(rows: Sequence[Asked]) -> None:
    """ItemsFailed if there is a mirror and it lacks something; a word if nothing is asked for."""
    if not rows:
        console.note("no page loads anything from a CDN that rcca knows")
    lacking = sum(row.mirrored is False for row in rows)
    if lacking:
        raise ItemsFailed(f"the mirror lacks {lacking} of {len(rows)} files")
