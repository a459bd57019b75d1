"""Where an answer is judged: the four gates in order, then the verdicts, then the reward."""

import threading
from collections.abc import Mapping
from typing import Any

from rcca_cli import rewards
from rcca_cli.browser import BrowserLost, Machine
from rcca_cli.judge import artifact, gates, verdicts
from rcca_cli.judge.model import Asker
from rcca_cli.judge.trial import Findings, Trial, page_seed

ATTEMPTS = 3  # a neighbour's hang may cost us the browser once; more often, something is wrong with the machine


class Court:
    """Judges records in a browser that is kept warm. Threads may share it."""

    def __init__(
        self,
        machine: Machine,
        seed: int,
        replay_passes: float,
        reward: str,
        config: str,
        asker: Asker | None = None,
    ) -> None:
        self.machine = machine
        self.seed = seed
        self.replay_passes = replay_passes
        self.reward = reward
        self.config = config
        self.asker = asker  # for items without a check
        self._playwright = _version()
        self._lock = threading.Lock()

    def judge(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The value of `judge` for a record that has `task` and `rollout`."""
        rubric, rollout = record["task"]["rubric"], record["rollout"]
        found = artifact.find(rollout["text"], rollout["finish_reason"])
        rows = [gates.format_gate(found)]
        if found.artifact is not None and rows[-1]["passed"]:
            html = rollout["text"][found.artifact["start"] : found.artifact["end"]]
            rows.append(gates.source_gate(html, found.artifact["start"]))
            if rows[-1]["passed"]:
                findings = self._tried(record, html, found.artifact["start"])
                verdict_rows = self._asked(record, html, found.artifact["start"], findings.verdicts)
                return self._sentence(record, found.artifact, [*rows, findings.gate], verdict_rows)
        missed = [verdicts.not_reached(item["id"], rows[-1]["diagnosis"]) for item in rubric]
        return self._sentence(record, found.artifact, rows, missed)

    def unknown(self, record: Mapping[str, Any], reason: str) -> dict[str, Any]:
        """The value of `judge` where nothing is known, for this reason of ours."""
        row = verdicts.gate("format", None, diagnosis=reason)
        missed = [verdicts.unknown(item["id"], reason) for item in record["task"]["rubric"]]
        return self._sentence(record, None, [row], missed)

    def _tried(self, record: Mapping[str, Any], html: str, start: int) -> Findings:
        """What the browser found, or the reason why that is not known."""
        trial = Trial(self.machine, html, start, record, self.seed, self.replay_passes)
        reason = ""
        for _ in range(ATTEMPTS):
            try:
                return self.machine.run(trial.findings)
            except BrowserLost as error:
                reason = str(error)
        return Findings.unknown(record["task"]["rubric"], reason)

    def _asked(
        self, record: Mapping[str, Any], html: str, start: int, rows: list[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """The rows, with a model's verdicts where only a check was missing."""
        if self.asker is None:
            return rows
        return self.asker.fill(self.machine, record, html, start, page_seed(self.seed, record["id"]), rows)

    def _sentence(
        self, record: Mapping[str, Any], found: Any, rows: list[dict[str, Any]], verdict_rows: list[dict[str, Any]]
    ) -> dict[str, Any]:
        level = next((row["level"] for row in rows if not row["passed"]), "functional")
        rows = rows + [verdicts.gate(name, None, progress=0.0) for name in verdicts.LEVELS[len(rows) : 3]]
        rubric = record["task"]["rubric"]
        return {
            "level": level,
            "reward": rewards.REWARDS[self.reward](level, verdict_rows, rubric, rows),
            "artifact": found,
            "gates": rows,
            "verdicts": verdict_rows,
            "environment": {
                "browser": self.machine.version,
                "playwright": self._playwright,
                "isolation": self.machine.isolation,
                "viewport": f"{self.machine.settings.width}x{self.machine.settings.height}",
                "seed": page_seed(self.seed, record["id"]),
                "model": self.asker.identity if self.asker else None,
            },
            "config": self.config,
        }


def _version() -> str:
    from importlib.metadata import version

    return version("playwright")
