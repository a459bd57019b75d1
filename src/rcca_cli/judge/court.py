"""Where an answer is judged: the four gates in order, then the verdicts, then the reward."""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rcca_cli import rewards
from rcca_cli.browser import BrowserLost, Machine
from rcca_cli.judge import artifact, gates, lacking, repeats, verdicts
from rcca_cli.judge.again import Again, Rows, rescored
from rcca_cli.judge.model import Asker
from rcca_cli.judge.trial import Findings, Trial, page_seed

ATTEMPTS = 3  # a neighbour's hang may cost us the browser once; more often, something is wrong with the machine


class Court:
    """Judges records in a browser that is kept warm. Threads may share it.

    `replay_passes` is the share of passed items that are replayed with those that failed; None: nothing is.
    `again` says what stands of an earlier judgement; `repeat` is how often each page is judged, with another chance
    each time; with `stamp` a judgement says how long it took.
    """

    def __init__(
        self,
        machine: Machine,
        seed: int,
        replay_passes: float | None,
        reward: str,
        config: str,
        *,
        asker: Asker | None = None,
        again: Again | None = None,
        repeat: int = 1,
        stamp: bool = False,
    ) -> None:
        self.machine = machine
        self.seed = seed
        self.replay_passes = replay_passes
        self.reward = reward
        self.config = config
        self.asker = asker  # for items without a check
        self.again = again or Again()
        self.repeat = repeat
        self.stamp = stamp
        self._lock = threading.Lock()

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        """The value of `judge` for a record that has `task` and `rollout`, and perhaps a `judge`."""
        began = time.perf_counter()
        earlier, rubric, rollout = record.get("judge"), record["task"]["rubric"], record["rollout"]
        found = artifact.find(rollout["text"], rollout["finish_reason"], rollout.get("thought_end"))
        now = {"artifact": found.artifact, "environment": self._environment(record), "config": self.config}
        standing = self.again.standing(earlier, now)
        pending = [item for item in rubric if item["id"] not in (standing or {})]
        if earlier is not None and standing is not None and not pending:
            stamp = earlier.get("stamp") if self.stamp else None
            return rescored(earlier, rubric, self.reward) | {"stamp": stamp, "config": self.config}
        rows, fresh, trials = [gates.format_gate(found)], None, _Trials()
        if found.artifact is not None and rows[-1]["passed"]:
            html = rollout["text"][found.artifact["start"] : found.artifact["end"]]
            rows.append(gates.source_gate(html, found.artifact["start"]))
            if rows[-1]["passed"]:
                part = record | {"task": record["task"] | {"rubric": pending}}
                trials = self._tried(part, html, found.artifact["start"])
                rows.append(trials.findings.gate)
                fresh = self._asked(part, html, found.artifact["start"], trials.findings.verdicts)
        if fresh is None:
            fresh = [verdicts.not_reached(item["id"], rows[-1]["diagnosis"]) for item in pending]
        judge = self._sentence(record, found.artifact, rows, fresh, standing)
        before = earlier.get("missing") or [] if earlier and standing is not None else []
        judge["missing"] = lacking.rows(trials.findings.missing, before)
        seconds = round(time.perf_counter() - began, 3)
        stamp = {"seconds": seconds, "cpu_seconds": round(trials.busy, 3), "attempts": trials.attempts}
        return judge | {"stamp": stamp if self.stamp else None}

    def unknown(self, record: Mapping[str, Any], reason: str) -> dict[str, Any]:
        """The value of `judge` where nothing is known, for this reason of ours."""
        row = verdicts.gate("format", None, diagnosis=reason)
        missed = [verdicts.unknown(item["id"], reason) for item in record["task"]["rubric"]]
        return self._sentence(record, None, [row], missed)

    def _tried(self, record: Mapping[str, Any], html: str, start: int) -> "_Trials":
        """What the browser found, over all repeats, or the reason why that is not known."""
        out, found = _Trials(), []
        for turn in range(self.repeat):
            passes = 0.0 if turn and self.replay_passes else self.replay_passes
            trial = Trial(self.machine, html, start, record, self.seed, passes, turn)
            found.append(self._findings(trial, out))
            out.busy += trial.busy
        out.findings = repeats.together(found)
        return out

    def _findings(self, trial: Trial, trials: "_Trials") -> Findings:
        reason = ""
        for _ in range(ATTEMPTS):
            trials.attempts += 1
            try:
                return self.machine.run(trial.findings)
            except BrowserLost as error:
                reason = str(error)
        return Findings.unknown(trial.rubric, reason)

    def _asked(
        self, record: Mapping[str, Any], html: str, start: int, rows: list[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """The rows, with a model's verdicts where only a check was missing."""
        if self.asker is None:
            return rows
        return self.asker.fill(self.machine, record, html, start, page_seed(self.seed, record["id"]), rows)

    def _sentence(
        self,
        record: Mapping[str, Any],
        found: Any,
        rows: list[dict[str, Any]],
        fresh: list[dict[str, Any]],
        standing: Rows | None = None,
    ) -> dict[str, Any]:
        level = next((row["level"] for row in rows if not row["passed"]), "functional")
        rows = rows + [verdicts.gate(name, None, progress=0.0) for name in verdicts.LEVELS[len(rows) : 3]]
        rubric = record["task"]["rubric"]
        every = {row["rubric"]: row for row in fresh} | dict(standing or {})
        verdict_rows = [every[item["id"]] for item in rubric]
        return {
            "level": level,
            "reward": rewards.REWARDS[self.reward](level, verdict_rows, rubric, rows),
            "artifact": found,
            "gates": rows,
            "verdicts": verdict_rows,
            "missing": [],
            "environment": self._environment(record),
            "stamp": None,
            "config": self.config,
        }

    def _environment(self, record: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "browser": self.machine.version,
            "sandbox": self.machine.sandbox,
            "isolation": self.machine.isolation,
            "viewport": f"{self.machine.settings.width}x{self.machine.settings.height}",
            "seed": page_seed(self.seed, record["id"]),
            "model": self.asker.identity if self.asker else None,
        }


@dataclass
class _Trials:
    """What came of the browser's part, and what it took: processor seconds of pages, and starts."""

    findings: Findings = field(default_factory=lambda: Findings({}, []))
    busy: float = 0.0
    attempts: int = 0
