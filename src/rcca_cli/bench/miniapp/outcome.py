"""What is counted of one app: its scores, whether it passes, what it cost, and who judged it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rcca_cli import __version__
from rcca_cli.bench.miniapp import rule

Record = dict[str, Any]
NO_ANSWER = "no answer"  # the error of a record that stands for a task which nobody answered
BRIEF = 240  # characters of a requirement or diagnosis, in a report


@dataclass(frozen=True)
class Outcome:
    """Null is not known. `passed` is the benchmark's rule, `every` that all gates and all items pass.

    `tokens` are those of the answer; `seconds` what it took to write, `judging` what it took to judge, by the clock.
    """

    id: str
    task: str
    index: int
    group: str  # class
    subclass: str
    level: str
    passed: bool | None
    every: bool | None
    intention: float | None
    static: float | None
    dynamic: float | None
    rubric: float | None  # share of the known items that pass
    reward: float | None
    failed: tuple[str, ...]
    faults: tuple[dict[str, str], ...]  # of each failed item, or the gate that failed: item, requirement, diagnosis
    gate: str | None  # the level the judge reached
    answered: bool
    tokens: int | None
    seconds: float | None
    judging: float | None
    model: str | None
    judge: dict[str, Any] | None  # what the verdicts depend on
    error: str | None

    @property
    def missing(self) -> bool:
        """Whether it only stands for a task that nobody answered."""
        return not self.answered and self.error == NO_ANSWER


def of(record: Record, threshold: float, kind: str) -> Outcome:
    """Count one record; without an answer or a judgement everything is unknown, with the reason."""
    task, judge, rollout = record["task"], record.get("judge"), record.get("rollout")
    verdicts = judge["verdicts"] if judge else []
    known = [verdict["passed"] for verdict in verdicts if verdict["passed"] is not None]
    scores = rule.scores(record, threshold) if judge else dict.fromkeys((*rule.CAPS, "passed"))
    stamp = (judge or {}).get("stamp")
    return Outcome(
        id=record["id"],
        task=record["group"],
        index=task["index"],
        group=task["class"],
        subclass=task["subclass"],
        level=task["level"],
        every=strictly(judge) if judge else None,
        rubric=sum(known) / len(known) if known else None,
        reward=judge["reward"] if judge else None,
        failed=tuple(verdict["rubric"] for verdict in verdicts if verdict["passed"] is False),
        faults=tuple(faults(record)) if judge else (),
        gate=judge["level"] if judge else None,
        answered=rollout is not None,
        tokens=tokens(rollout),
        seconds=(rollout.get("stamp") or {}).get("seconds") if rollout else None,
        judging=stamp["seconds"] if stamp else None,
        model=rollout.get("model") if rollout else None,
        judge=identity(judge, kind, threshold) if judge else None,
        error=problem(record),
        **scores,
    )


def faults(record: Record) -> Iterator[dict[str, str]]:
    """What was seen of each failed item, shortly; behind a gate that failed nothing was, so it is the gate."""
    judge = record["judge"]
    stopped = next((gate for gate in judge["gates"] if gate["passed"] is False), None)
    if stopped:
        yield {"item": f"gate: {stopped['level']}", "requirement": "", "diagnosis": brief(stopped["diagnosis"])}
        return
    requirements = {item["id"]: item["requirement"] for item in record["task"]["rubric"]}
    for one in judge["verdicts"]:
        if one["passed"] is False:
            wanted = brief(requirements.get(one["rubric"]))
            yield {"item": one["rubric"], "requirement": wanted, "diagnosis": brief(one["diagnosis"])}


def brief(words: str | None) -> str:
    """The beginning of a text, on one line."""
    line = " ".join((words or "").split())
    return line if len(line) <= BRIEF else line[: BRIEF - 1] + "…"


def strictly(judge: Record) -> bool | None:
    """True if the app got through every gate and every item passes; null only if what is unknown decides."""
    found = [part["passed"] for part in (*judge["gates"], *judge["verdicts"])]
    if False in found:
        return False
    return None if None in found or not judge["verdicts"] else True


def tokens(rollout: Record | None) -> int | None:
    """How many tokens the answer has, its reasoning among them; null where nobody told."""
    if rollout is None:
        return None
    usage = rollout.get("usage")
    return usage["output_tokens"] if usage else len(rollout["tokens"]) or None


def identity(judge: Record, kind: str, threshold: float) -> dict[str, Any]:
    """Who judged: two figures are comparable only if this is the same."""
    environment = judge.get("environment") or {}
    told = ("browser", "viewport", "isolation", "model")
    own = {"kind": kind, "threshold": threshold, "rcca": __version__, "config": judge.get("config")}
    return own | {name: environment.get(name) for name in told}


def problem(record: Record) -> str | None:
    """Why something is not known: there is no answer, or the first reason that the judge gives."""
    judge = record.get("judge")
    if judge is None:
        return str(record.get("error") or "not judged")
    gates = (gate["diagnosis"] or "a gate is not known" for gate in judge["gates"][:1] if gate["passed"] is None)
    return next((one["error"] for one in judge["verdicts"] if one["passed"] is None), None) or next(gates, None)
