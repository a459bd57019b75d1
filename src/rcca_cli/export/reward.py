"""The judge as a reward function: answers of a trainer that samples its own, judged in one warm browser.

For TRL: `GRPOTrainer(reward_funcs=JudgeReward(), …)` on a dataset of `tasks("tasks.jsonl")`. For verifiers there is
`verifiers.py`.
"""

import atexit
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import rcca_cli.judge.stage as judge
from rcca_cli import console, jsonl, parallel, records, seeds
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line

Task = Mapping[str, Any]  # the value of a record's `task`: prompt and rubric


def tasks(path: str) -> list[dict[str, Any]]:
    """The records of `rcca synth` (or your own) as rows of a dataset with the columns that `JudgeReward` reads."""
    found = [records.need(line, "task")["task"] for line in jsonl.read([path])]
    return [{"prompt": task["prompt"], "rubric": task["rubric"]} for task in found]


class JudgeReward:
    """Rewards of answers, each judged by its row's `rubric`; None where the judge could not know.

    `options` are those of `rcca judge` (`jobs`, `reward`, `cdn`, …). The browser starts with the first answer and ends
    with `close`, or with the process. An answer to a task is judged with the same drawn data whenever it comes.
    """

    __name__ = "rcca"  # what TRL calls it in its logs

    def __init__(self, **options: Any) -> None:
        self.options = judge.Options(**{"evidence": False} | options)  # which is for `align`
        self.unknown = 0
        self._stack = ExitStack()
        self._court: Any = None
        self._lock = threading.Lock()
        atexit.register(self.close)

    def __call__(
        self, prompts: Sequence[Any], completions: Sequence[Any], rubric: Sequence[Any] | None = None, **_: Any
    ) -> list[float | None]:
        """TRL's reward function: one reward a completion. TRL leaves those that are None out of the group."""
        if rubric is None:
            raise RccaError("the dataset has no column `rubric` (rcca_cli.export.reward.tasks makes one that has)")
        given = zip(prompts, completions, rubric, strict=True)
        return self.many(
            [({"prompt": turns(prompt), "rubric": items}, text(answer)) for prompt, answer, items in given]
        )

    def many(self, answers: Iterable[tuple[Task, str]]) -> list[float | None]:
        """The reward of each answer to its task, `jobs` of them judged at once."""
        self._open()
        found = list(parallel.ordered_map(self._reward, answers, self.options.jobs))
        missing = sum(reward is None for reward in found)
        if missing:
            self.unknown += missing
            console.note(f"rcca: {missing} of {len(found)} answers could not be judged: their reward is None")
        return found

    def one(self, task: Task, answer: str) -> float | None:
        """The reward of one answer. Threads may share this."""
        self._open()
        return self._reward((task, answer))

    def close(self) -> None:
        """End the browser; the next answer starts another."""
        with self._lock:
            self._court = None
            self._stack.close()

    def _open(self) -> None:
        with self._lock:
            if self._court is None:
                self._court = self._stack.enter_context(judge.court(self.options))

    def _reward(self, given: tuple[Task, str]) -> float | None:
        task, answer = given
        group = seeds.digest(task)
        record = {"id": f"{group}/{seeds.digest(answer, 4)}", "group": group, "task": dict(task)}
        line = Line(record | {"rollout": records.text_only(answer)}, "answer", 1)
        reward: float | None = judge.judged(line, self._court)["judge"]["reward"]
        return reward


def turns(prompt: Any) -> list[dict[str, str]]:
    """A prompt as messages: TRL's may be a string."""
    return [{"role": "user", "content": prompt}] if isinstance(prompt, str) else [dict(turn) for turn in prompt]


def text(completion: Any) -> str:
    """What the model wrote: TRL's completions are strings, or lists with the assistant's message."""
    return completion if isinstance(completion, str) else "".join(str(turn.get("content") or "") for turn in completion)
