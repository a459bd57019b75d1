"""ArtifactsBench rows with the answer to be scored: every spelling that its users write, as one `Item`.

A row is `index, question, checklist, class, difficulty` of the data set and the user's answer beside it. Files are
JSON Lines, whatever their name, or a JSON array. Rows that lack the checklist get it from the data set by `index`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rcca_cli import columns, records, seeds
from rcca_cli.bench.rows import read
from rcca_cli.jsonl import Line

# In the order in which they count; the first one that is not empty is it.
QUESTION = ("original_question", "question", "input", "prompt")
ANSWER = ("model_infer_result", "output", "answer")
THOUGHT = "model_infer_think"
SLOTS = 10
KEYS = ("id", "title", "description", "maxScore")
FROM_TASKS = ("question", "checklist", "class", "difficulty")


@dataclass(frozen=True)
class Item:
    """One answer and what is asked of it. `row` is the line as it came; `answer` is None if it is no text.

    `lost` is why there is none, where the model could not be asked: that is no fault of an answer.
    """

    row: Mapping[str, Any]
    index: int | str
    question: str
    answer: str | None
    checklist: list[dict[str, Any]]
    lost: str | None = None

    @cached_property
    def key(self) -> str:
        """The digest of all that an evaluation is of."""
        return seeds.digest([self.index, self.question, self.checklist, self.answer], 16)

    @property
    def primary(self) -> str:
        """The class up to its first hyphen; what comes behind may hold more of them.

        >>> Item({"class": "Web Applications-E-commerce"}, 1, "", "", []).primary
        'Web Applications'
        """
        return str(self.row.get("class") or "").partition("-")[0]

    @property
    def difficulty(self) -> str:
        """easy, medium or hard (the published figures print the second as "mid")."""
        told = str(self.row.get("difficulty") or "").lower()
        return "medium" if told == "mid" else told

    @property
    def length(self) -> int:
        """Characters of the reasoning, where it is told, and the answer: the published IFLEN is the mean of these."""
        return len(str(self.row.get(THOUGHT) or "")) + len(self.answer or "")


def tasks(path: str) -> dict[str, Mapping[str, Any]]:
    """The rows of the data set by their index, as text."""
    return {str(line.record["index"]): line.record for line in read(path) if line.record.get("index") is not None}


def item(line: Line, known: Mapping[str, Mapping[str, Any]] | None = None) -> Item:
    """The item of a row; `known` are the data set's rows. RecordError if it has no index, question or checklist."""
    row = _plain(line.record)
    index = row.get("index")
    if not isinstance(index, int | str) or isinstance(index, bool):
        raise line.error("index: expected a number (the `index` of the data set's row)")
    task = (known or {}).get(str(index), {})
    row = {key: task[key] for key in FROM_TASKS if key in task and not row.get(key)} | row
    if not row.get("checklist") and task:
        row["checklist"] = task.get("checklist")
    question = next((text for name in QUESTION if (text := columns.last_text(row.get(name)))), "")
    if not question:
        raise line.error(f"no question (one of {', '.join(QUESTION)})")
    told = next((row[name] for name in ANSWER if row.get(name)), "")
    answer = told if isinstance(told, str) else None
    return Item(row, index, question, answer, _checklist(line, row), _lost(line.record))


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row; of a record of `rcca rollout` what belongs into one."""
    task = row.get("task")
    if "rollout" not in row or not isinstance(task, Mapping):
        return dict(row)
    rollout = row["rollout"] if isinstance(row["rollout"], Mapping) else {}
    return {"index": task.get("index"), "answer": rollout.get("text") or "", "model": rollout.get("model")}


def _lost(row: Mapping[str, Any]) -> str | None:
    """Why a record of `rcca rollout` has no answer; None if it has one."""
    if "rollout" not in row or row["rollout"] is not None:
        return None
    return str(row.get("error") or "there is no answer")


def _checklist(line: Line, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    given = row.get("checklist")
    if not given:
        raise line.error("no checklist (add the data set's rows by --tasks FILE, joined by index)")
    if not isinstance(given, list) or len(given) != SLOTS or not all(isinstance(one, dict) for one in given):
        raise line.error(f"checklist: expected a list of {SLOTS} objects with {', '.join(KEYS)}")
    for number, one in enumerate(given):
        if not one.keys() >= set(KEYS) or not isinstance(one["maxScore"], int):
            raise line.error(f"checklist[{number}]: expected {', '.join(KEYS)}")
    return given


def task(line: Line) -> dict[str, Any]:
    """A row of the data set as a task for `rcca rollout`: the question is all of the prompt, with no system message."""
    found = item(line)
    name = f"artifacts:{found.index}"
    return {
        "schema": records.SCHEMA,
        "id": name,
        "group": name,
        "task": {
            "prompt": [{"role": "user", "content": found.question}],
            "class": str(found.row.get("class") or ""),
            "level": found.difficulty,
            "index": found.index,
            "source": name,
            "rubric": [],
            "config": seeds.digest([found.question, found.checklist]),
        },
    }


def sampled(items: Iterable[Item], count: int, seed: int) -> list[Item]:
    """About `count` of the items, from each class and difficulty in proportion, by their own names and not their order.

    Shares are rounded by largest remainder, so that it is `count` exactly where there are as many.
    """
    strata: dict[tuple[str, str], list[Item]] = {}
    every = list(items)
    for one in every:
        strata.setdefault((one.primary, one.difficulty), []).append(one)
    exact = {name: count * len(those) / len(every) for name, those in strata.items()} if every else {}
    shares = {name: int(share) for name, share in exact.items()}
    left = min(count, len(every)) - sum(shares.values())
    for name in sorted(exact, key=lambda name: (shares[name] - exact[name], name))[: max(left, 0)]:
        shares[name] += 1
    chosen: set[int] = set()
    for name, those in strata.items():
        drawn = sorted(those, key=lambda one: seeds.derive(seed, "sample", str(one.index)))
        chosen |= {id(one) for one in drawn[: shares[name]]}
    return [one for one in every if id(one) in chosen]
