"""What is counted of one app: its scores, whether it passes, what it cost, and who judged it."""

from dataclasses import dataclass
from typing import Any

from rcca_cli import __version__
from rcca_cli.bench.miniapp import rule

Record = dict[str, Any]


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
    gate: str | None  # the level the judge reached
    answered: bool
    tokens: int | None
    seconds: float | None
    judging: float | None
    model: str | None
    judge: dict[str, Any] | None  # what the verdicts depend on
    error: str | None


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
