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
from rcca_cli.rollout import replay


@dataclass(frozen=True)
class Asked:
    """One file of one package at one host. `mirrored` is null without a mirror to look in, `command` where none helps.

    `package` is null for what is not of npm; `file` is then its URL. `lack`: why it is not mirrored (`cdn.TOLD`).
    """

    package: str | None
    version: str | None
    file: str | None
    host: str
    records: int
    mirrored: bool | None
    lack: cdn.Lack | None
    command: str | None


def asked(lines: Iterable[Line], mirror: Mirror | None, folder: str) -> list[Asked]:
    """What the answers ask of CDNs, the most frequent first; `folder` is where the commands put the packages.

    RecordError for a line that holds no answer; one that could not be had is counted aloud.
    """
    count: Counter[Wanted] = Counter()
    total = unanswered = 0
    for line in lines:
        answer = replay.answer(line)
        total += 1
        unanswered += answer is None
        count.update({_general(one) for one in cdn.asked(answer["text"])} if answer else ())
    if unanswered:
        console.note(f"{unanswered} of {total} records have no answer")
    return [
        _row(wanted, records, mirror, folder)
        for wanted, records in sorted(count.items(), key=lambda one: (-one[1], str(one[0])))
    ]


def _row(wanted: Wanted, records: int, mirror: Mirror | None, folder: str) -> Asked:
    lack = mirror.lack(wanted) if mirror else None
    helps = wanted.package and (lack == "package" or mirror is None)
    return Asked(
        wanted.package,
        wanted.version,
        wanted.file if wanted.package else wanted.url,
        wanted.host,
        records,
        mirrored=None if mirror is None else lack is None,
        lack=lack,
        command=fill(wanted, folder) if helps else None,
    )


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
        state = "warning" if row.lack == "file" else {True: "ok", False: "missing", None: "optional"}[row.mirrored]
        name = "not of npm" if row.package is None else row.package + (f"@{row.version}" if row.version else "")
        what = f"{row.file or 'its default file'} from {row.host} in {row.records} record{'s' * (row.records > 1)}"
        what += f", {cdn.TOLD[row.lack]}" if row.lack not in (None, "package") else ""
        findings.append(Finding(name, state, what, row.command if row.command not in told else None))  # type: ignore[arg-type]
        told.add(row.command)
    return report.as_text(findings)


def as_json(rows: Sequence[Asked]) -> str:
    """The rows as a JSON array."""
    return orjson.dumps([asdict(row) for row in rows], option=orjson.OPT_INDENT_2).decode()


def refuse_missing(rows: Sequence[Asked]) -> None:
    """ItemsFailed if there is a mirror that lacks what the CDNs have; a word if nothing is asked for."""
    if not rows:
        console.note("no page loads anything from a CDN that rcca knows (docs/judge.md lists them)")
    lacking = sum(row.mirrored is False and row.lack != "file" for row in rows)
    if lacking:
        raise ItemsFailed(f"the mirror lacks {lacking} of {len(rows)} files")
