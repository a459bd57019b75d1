"""Under which names others keep what we need: a few names each that are common, and those that the user gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rcca_cli.errors import RccaError

# Of a row: one answer with its verdicts, or one verdict on it.
ROW = {
    "prompt": ("prompt", "messages", "instruction", "question", "query", "input", "request"),
    "answer": ("text", "answer", "response", "completion", "output", "generation", "prediction"),
    "verdicts": ("verdicts", "rubric", "rubrics", "criteria", "results", "judgements", "judgments", "evaluations"),
    "group": ("group", "task_id", "prompt_id", "problem_id", "question_id"),
    "id": ("id", "answer_id", "response_id", "sample_id"),
    "model": ("model", "model_name", "generator"),
    "reward": ("reward", "total", "overall", "score"),
}
# Of a verdict.
VERDICT = {
    "item": ("item", "rubric_id", "criterion_id", "id", "key", "name"),
    "requirement": ("requirement", "criterion", "rubric", "description", "title", "statement", "question"),
    "passed": ("passed", "pass", "verdict", "met", "satisfied", "result", "judgement", "judgment", "label", "score"),
    "reason": ("reason", "reasoning", "explanation", "rationale", "feedback", "comment", "critique", "diagnosis"),
    "failure": ("failure", "failure_type", "type", "category"),
    "importance": ("importance", "weight", "priority"),
    "severity": ("severity",),
    "confidence": ("confidence", "certainty"),
    "quotes": ("quotes", "quote", "snippets", "snippet", "evidence"),
    "units": ("units", "unit"),
    "lines": ("lines", "line"),
    "selector": ("selector", "selectors"),
    "kind": ("kind",),
    "parents": ("parents", "depends_on"),
    "check": ("check",),
}
NOTHING = object()


@dataclass(frozen=True)
class Columns:
    """The names to look under; what the user named is looked for under that name alone."""

    named: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def of(options: Sequence[str]) -> "Columns":
        """From what the user typed, `OURS=THEIRS` each; RccaError for a name of ours that there is not."""
        named = {}
        for option in options:
            ours, sign, theirs = option.partition("=")
            if not sign or not theirs or ours not in ROW | VERDICT:
                raise RccaError(f"--column {option}: expected OURS=THEIRS with one of {', '.join(ROW | VERDICT)}")
            named[ours] = theirs
        return Columns(named)

    def names(self, ours: str, table: Mapping[str, tuple[str, ...]] = ROW) -> tuple[str, ...]:
        """Where to look for one of our names, in order."""
        return (self.named[ours],) if ours in self.named else table[ours]

    def find(
        self,
        row: Mapping[str, Any],
        ours: str,
        table: Mapping[str, tuple[str, ...]] = ROW,
        kinds: tuple[type, ...] = (),
    ) -> tuple[str, Any] | None:
        """(their name, the value) of the first that the row has, of one of these types; None if it has none.

        A name may lead inside objects: `meta.task.id`.
        """
        for name in self.names(ours, table):
            value: Any = row
            for part in [name] if name in row else name.split("."):
                value = value.get(part, NOTHING) if isinstance(value, Mapping) else NOTHING
            if value is not NOTHING and (not kinds or isinstance(value, kinds)):
                return name, value
        return None

    def value(self, row: Mapping[str, Any], ours: str, table: Mapping[str, tuple[str, ...]] = ROW) -> Any:
        """The value alone; None also where it is null."""
        found = self.find(row, ours, table)
        return found[1] if found else None


def last_text(value: Any) -> str | None:
    """A text, or that of the last of some messages."""
    if isinstance(value, list) and value and isinstance(value[-1], Mapping):
        value = value[-1].get("content")
    return value if isinstance(value, str) else None
