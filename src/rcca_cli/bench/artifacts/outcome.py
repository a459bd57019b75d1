"""One item when all is done: the row that is written, with the official fields and ours."""

from dataclasses import dataclass, replace
from typing import Any

from rcca_cli.bench.artifacts import facts
from rcca_cli.bench.artifacts.evidence import Evidence
from rcca_cli.bench.artifacts.rows import Item
from rcca_cli.bench.artifacts.verdict import Verdict

VIEWPORT = "1280x720"


@dataclass(frozen=True)
class Outcome:
    """What came of an item: what was seen, what was said of it, and by which protocol and judge."""

    item: Item
    evidence: Evidence
    verdict: Verdict
    compat: str
    judge: str
    seed: int
    length: int  # characters of the answer and its reasoning

    @property
    def index(self) -> int | str:
        """The item's, in the data set."""
        return self.item.index

    def lighter(self) -> "Outcome":
        """Without what figures do not need: thousands of answers and of what pages say stay in the file."""
        row = {key: self.item.row[key] for key in ("class", "difficulty") if key in self.item.row}
        item = Item(row, self.index, "", None, [])
        evidence = replace(self.evidence, acts=(), facts={})
        return replace(self, item=item, evidence=evidence, verdict=replace(self.verdict, reason="", evidence=()))

    def record(self, columns: str, config: str) -> dict[str, Any]:
        """The row as it came, the official fields, and `artifacts`, which has the same keys in every row."""
        said = {f"{columns}_ans": self.verdict.told, f"{columns}_reason": self.verdict.reason}
        return {**self.item.row, **said, "artifacts": self._ours() | {"config": config}}

    def _ours(self) -> dict[str, Any]:
        verdict, evidence = self.verdict, self.evidence
        return {
            "compat": self.compat,
            "judge": self.judge,
            "browser": evidence.facts.get("browser"),
            "viewport": VIEWPORT,
            "seed": self.seed,
            "extract_status": evidence.status,
            "failure": evidence.failure,
            "score": verdict.score,
            "overall": verdict.overall,
            "trouble": verdict.trouble,
            "why": verdict.why or evidence.why,
            "scores": list(verdict.scores),
            "evidence": list(verdict.evidence),
            "repeats": list(verdict.repeats),
            "left_out": verdict.left_out,
            "frames": [
                {"sha256": one.sha256, "caption": one.caption, "at": one.at, "width": one.width, "height": one.height}
                for one in evidence.pictures
            ],
            "shots": evidence.shots,
            "facts": facts.in_words(evidence),
        }
