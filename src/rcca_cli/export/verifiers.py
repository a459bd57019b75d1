"""For verifiers' processes: apps as a taskset, rewarded by the judge.

`AppTaskset` loads tasks of `rcca synth`. The reward alone plugs into another taskset whose data has a `rubric`:
`--env.taskset.task.rewards.rcca.fn rcca_cli.export.verifiers:rcca`.
"""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import verifiers.v1 as vf

from rcca_cli.export import reward

_judge = reward.JudgeReward()  # one warm browser a process; it starts with the first answer
_pool = ThreadPoolExecutor(_judge.options.jobs)


class Unscorable(Exception):
    """The judge could not know. verifiers records it as the rollout's error; a reward of 0 would be a lie."""


async def rcca(task: Any, trace: vf.Trace) -> float:
    """The reward of the last answer, by the rubric in the task's data. Raises Unscorable where it is not known."""
    prompt = [{"role": "user", "content": task.prompt}] if isinstance(task.prompt, str) else task.prompt
    turns = [turn if isinstance(turn, dict) else turn.model_dump(include={"role", "content"}) for turn in prompt]
    asked = {"prompt": turns, "rubric": task.rubric}
    answer = str(trace.last_message.content or "")
    found = await asyncio.get_running_loop().run_in_executor(_pool, _judge.one, asked, answer)
    if found is None:
        raise Unscorable("the judge could not decide enough of the rubric, for a reason of its own")
    return found


class AppData(vf.TaskData):
    """A task of `rcca synth`: its prompt, and the items that are judged."""

    rubric: list[dict[str, Any]]


class AppTask(vf.Task[AppData]):
    """One app to write."""

    @vf.reward
    async def rcca(self, trace: vf.Trace) -> float:
        """The judge's reward, in [-1, 1] (docs/reward.md)."""
        return await rcca(self.data, trace)


class AppConfig(vf.TasksetConfig):
    """Where the tasks are: `--env.taskset.path tasks.jsonl`."""

    path: str = "tasks.jsonl"


class AppTaskset(vf.Taskset[AppTask, AppConfig]):
    """The tasks of a file of `rcca synth`."""

    def load(self) -> Iterator[AppTask]:
        """One task a line."""
        for row in reward.tasks(self.config.path):
            yield AppTask(AppData(**row), self.config.task)
