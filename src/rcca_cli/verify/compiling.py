"""Writes checks for the items of tasks that have none, and keeps those that are proved (`synth --compile`)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rcca_cli import chat, console, filter, jsonl, records, seeds
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
    apps: str | None = None
    seed: int = 0
    browser: str | None = None


def command(options: Options, files: Sequence[str], output: str) -> None:
    """The tasks of the files with checks where they are proved; the counts, and each reason, on standard error.

    ItemsFailed, with the count, if some items stay without a check.
    """
    counts: Counter[str] = Counter()
    judging = judge.Options(seed=options.seed, replay_passes=0.0, browser=options.browser, asking=options.asking)
    known = read_apps(jsonl.read([options.apps])) if options.apps else {}
    with judge.court(judging) as court:
        tasks = synth.seeded(jsonl.read(files))
        filter.write_all(filter.Plan("task", "", output=output), compiled(tasks, known, court, counts))
    total = counts["compiled"] + counts["left"]
    console.error(f"compiled: {counts['compiled']} of {total} items without a check have one now")
    if counts["left"]:
        raise ItemsFailed(f"{counts['left']} of {total} items stay without a check (each is named above)")


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


def compiled(
    tasks: Iterable[Record], known: Mapping[str, Sequence[Record]], court: Court, counts: Counter[str]
) -> Iterator[Record]:
    """Each task, its open items given the checks that are proved; `counts` has compiled and left."""
    assert court.asker is not None
    author = Author(court.asker.client, court.seed)
    for task in tasks:
        items = [item for item in task["task"]["rubric"] if item["check"] is None]
        if not items:
            yield task
            continue
        apps = known.get(str(task["group"])) or known.get(_key(task)) or ()
        written = written_for(task, items, apps[:MOST], author, court)
        counts["compiled"] += len(written.checks)
        counts["left"] += len(written.problems)
        for name, problem in written.problems.items():
            console.error(f"{task['id']}: {name}: {problem}")
        rubric = [item | {"check": written.checks.get(item["id"], item["check"])} for item in task["task"]["rubric"]]
        yield task | {"task": task["task"] | {"rubric": rubric}}


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
