"""The episodes and the reward inside the installed verifiers."""

import asyncio

import orjson
import pytest

from rcca_cli.export import stage
from rcca_cli.synth import stage as synth
from tests.judge.records import ADDS, SHOWS, answer
from tests.train import helpers
from tests.train.helpers import lines

REASON = "verifiers is not installed: the door to verifiers is NOT tested"


@pytest.fixture(scope="module")
def vf():
    return pytest.importorskip("verifiers.v1", reason=REASON)


def test_verifiers_reads_the_episodes_and_spreads_credit_over_the_branch(vf, tmp_path):
    from verifiers.v1.utils.trace_store import TRACES_FILE, read_episodes

    given = helpers.random_records(2, 2, model=helpers.tiny_model())
    written = b"".join(stage.run(lines(given), stage.Options("verifiers")))
    (tmp_path / TRACES_FILE).write_bytes(written)
    episodes = read_episodes(tmp_path, vf.WireTrace)
    assert [episode.group.id for episode in episodes] == [record["group"] for record in given]
    for episode, record in zip(episodes, given, strict=True):
        (trace,) = episode.traces
        (branch,) = trace.branches
        before = len(record["rollout"]["prompt_ids"])
        assert branch.token_ids == record["rollout"]["prompt_ids"] + record["rollout"]["tokens"]
        assert branch.sampled_mask == [False] * before + [True] * len(record["rollout"]["tokens"])
        assert branch.advantages == [0.0] * before + record["align"]["advantages"]
        assert branch.logprobs == [0.0] * before + record["rollout"]["logprobs"]
        assert trace.reward == 0.5
        assert trace.calls[0].model == "tiny"
        assert branch.trainable


def test_verifiers_has_the_places_that_credit_goes_to(vf):
    """A canary: the fields of a node, and that no advantages are not the same as advantages of 0."""
    assert {"token_ids", "mask", "logprobs", "advantages", "sampled"} <= set(vf.MessageNode.model_fields)
    node = vf.MessageNode(message=vf.AssistantMessage(content="a"), token_ids=[1], mask=[True])
    assert node.advantages is None


def scored(vf, task, text):
    """The trace of this answer, after verifiers has scored it."""
    state, agent = (
        vf.State(),
        vf.AgentInfo(config=vf.WireAgentConfig() if hasattr(vf, "WireAgentConfig") else vf.AgentConfig()),
    )
    trace = vf.Trace(task=vf.TraceTask(type="AppTask", data=task.data), agent=agent, state=state)
    trace.nodes.append(vf.MessageNode(message=vf.AssistantMessage(content=text), sampled=True))
    asyncio.run(task.score(trace))
    return trace


@pytest.fixture(scope="module")
def door(vf):
    from rcca_cli.export import verifiers

    yield verifiers
    verifiers._judge.close()


def test_a_taskset_of_apps_is_rewarded_by_the_judge(vf, door, tmp_path):
    records = list(synth.run(synth.Options(count=2, solutions="references")))
    (tmp_path / "tasks.jsonl").write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    tasks = list(door.AppTaskset(door.AppConfig(path=str(tmp_path / "tasks.jsonl"))))
    assert [task.data.prompt[0].content for task in tasks] == [
        record["task"]["prompt"][0]["content"] for record in records
    ]
    trace = scored(vf, tasks[0], records[0]["rollout"]["text"])
    assert trace.rewards["rcca"].score == 1.0
    assert scored(vf, tasks[0], "no page").reward == -1.0


def test_the_reward_plugs_into_a_taskset_of_others(vf, door):
    class Data(vf.TaskData):
        rubric: list[dict]

    class Task(vf.Task[Data]):
        pass

    config = vf.TaskConfig(rewards={"app": {"fn": "rcca_cli.export.verifiers:rcca", "weight": 0.5}})
    task = Task(Data(prompt="Make it.", rubric=[SHOWS]), config)
    assert scored(vf, task, answer("<button>Add</button>")).reward == 0.5


def test_what_the_judge_cannot_know_is_an_error_of_the_rollout_not_a_0(vf, door):
    task = door.AppTask(door.AppData(prompt="Make it.", rubric=[ADDS | {"check": None}]))
    with pytest.raises(vf.TaskError, match="could not decide"):
        scored(vf, task, answer("<button>Add</button>"))
