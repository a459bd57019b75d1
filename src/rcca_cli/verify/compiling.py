"""Writes checks for the items of tasks that have none, and keeps those that are proved (`synth --compile`)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rcca_cli import chat, console, filter, jsonl, parallel, records, seeds
from rcca_cli.errors import ItemsFailed
from rcca_cli.judge import stage as judge
from rcca_cli.judge.court import Court
from rcca_cli.judge.model import Asking, prompt
from rcca_cli.synth import stage as synth
from rcca_cli.verify import proof
from rcca_cli.verify.author import Author, Written
from rcca_cli.verify.proof import Example

MOST = 16  # apps a task is proved by
Record = dict[str, Any]


@dataclass(frozen=True)
class Options:
    """Which model writes, and the FILE of finished apps that prove what it writes; it writes its own for the others."""

    asking: Asking
    apps: str | None = field(default=None, metadata={"config": False})
    seed: int = 0
    jobs: int = field(default=2, metadata={"config": False})


def command(options: Options, files: Sequence[str], output: str, resumed: bool = False) -> None:
    """The tasks of the files with checks where they are proved; the counts, and each reason, on standard error.

    ItemsFailed, with the count, if some items stay without a check.
    """
    judging = judge.Options(seed=options.seed, replay_passes=0.0, jobs=options.jobs, asking=options.asking)
    known = read_apps(jsonl.read([options.apps])) if options.apps else {}
    config = seeds.config_digest(options)

    def work(lines: Iterator[jsonl.Line]) -> Iterator[Record]:
        with judge.court(judging, told=False) as court:  # it is an author here as well
            yield from compiled(lines, Compiler(court, known, config), options.jobs)

    filter.run(filter.Plan("task", config, files, output, resumed), work, synth.seeded)


def read_apps(lines: Iterable[jsonl.Line]) -> dict[str, list[Record]]:
    """Finished apps by what they answer: their group, and their request. All of them are held."""
    known: dict[str, list[Record]] = {}
    for line in lines:
        if line.record.get("rollout", "missing") is None:
            continue  # an answer that could not be had
        record = records.need(line, "task", "rollout")
        for key in {str(record["group"]), _key(record)}:
            known.setdefault(key, []).append(record)
    return known


def _key(record: Mapping[str, Any]) -> str:
    return seeds.digest(record["task"]["prompt"])


class Compiler:
    """Writes a task's checks and proves them by the apps in `known`; threads may share it."""

    def __init__(self, court: Court, known: Mapping[str, Sequence[Record]], config: str) -> None:
        assert court.asker is not None
        self.court = court
        self.known = known
        self.config = config
        self.author = Author(court.asker.client, court.seed)

    def __call__(self, line: jsonl.Line) -> tuple[Record, Written]:
        """The task, its open items given the checks that are proved, and what was written for them."""
        record = line.record
        task = record["task"] | {"config": self.config}
        items = [item for item in task["rubric"] if item["check"] is None]
        written = Written()
        if items:
            apps = self.known.get(str(record["group"])) or self.known.get(_key(record)) or ()
            written = written_for(record, items, apps[:MOST], self.author, self.court)
        rubric = [item | {"check": written.checks.get(item["id"], item["check"])} for item in task["rubric"]]
        return record | {"task": task | {"rubric": rubric}}, written


def compiled(lines: Iterable[jsonl.Line], compiler: Compiler, jobs: int) -> Iterator[Record]:
    """Each task as the compiler leaves it, in order; then the counts. ItemsFailed if items stay without a check."""
    done = left = 0
    for record, written in parallel.ordered_map(compiler, lines, jobs):
        done += len(written.checks)
        left += len(written.problems)
        for name, problem in written.problems.items():
            console.error(f"{record['id']}: {name}: {problem}")
        yield record
    console.error(f"compiled: {done} of {done + left} items without a check have one now")
    if left:
        raise ItemsFailed(f"{left} of {done + left} items stay without a check (each is named above)")


def written_for(
    task: Record, items: Sequence[Mapping[str, Any]], apps: Sequence[Record], author: Author, court: Court
) -> Written:
    """The checks of a task that are proved, and why each other item has none."""
    request = prompt.request(task["task"]["prompt"])
    try:
        written = author.checks(request, items)
        if not written.checks:
            return written
        names = list(written.checks)
        asked = [item for item in items if item["id"] in written.checks]
        if apps:
            found = [labelled(task, app, names, court) for app in apps]
        else:
            good, bad = author.apps(request, asked)
            found = [
                Example(good, dict.fromkeys(names, True), "the model's own app"),
                Example(bad, dict.fromkeys(names, False), "the model's own broken app"),
            ]
    except (chat.Unanswered, chat.Refused) as error:
        return Written(problems={item["id"]: f"the model gave no answer: {error}" for item in items})
    for name, problem in proof.proved(court, task, written.checks, [*found, proof.empty(names)]).items():
        if problem:
            del written.checks[name]
            written.problems[name] = f"not proved: {problem}"
    return written


def labelled(task: Record, app: Record, names: Sequence[str], court: Court) -> Example:
    """A finished app as an example: by its truth, its verdicts, or else those of the court's model."""
    example = Example(app["rollout"]["text"], proof.labels(app, names), str(app["id"]))
    open_ = [name for name in names if name not in example.labels]
    if app.get("truth") is not None or not open_:
        return example
    asked = proof.judged(court, task, dict.fromkeys(open_), example)
    more = {name: verdict["passed"] for name, verdict in asked.items() if verdict["passed"] is not None}
    return Example(example.text, {**example.labels, **more}, example.name)
