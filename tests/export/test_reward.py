"""The judge as a reward function of other trainers, in a real Chromium."""

import orjson
import pytest

from rcca_cli.errors import RccaError
from rcca_cli.export import reward
from rcca_cli.synth import stage as synth
from tests.judge.records import ADDS, SHOWS, TODO, answer

SCRIPT = """<ul></ul><script>
function add() {{
  const item = document.createElement("li");
  item.textContent = {};
  document.querySelector("ul").append(item);
}}
</script>"""
WORKS = answer(TODO + SCRIPT.format("task.value"))
BROKEN = answer(TODO + SCRIPT.format("'nothing'"))
UNKNOWN = ADDS | {"check": None}  # and no model to judge it by


@pytest.fixture(scope="module")
def judge():
    made = reward.JudgeReward(jobs=2)
    yield made
    made.close()


def called(judge, answers, rubrics):
    """As TRL calls it: with more columns than it asked for."""
    prompts = [[{"role": "user", "content": "Make it."}]] * len(answers)
    return judge(
        prompts=prompts, completions=answers, rubric=rubrics, completion_ids=[[1]] * len(answers), trainer_state=None
    )


def test_each_answer_gets_the_reward_of_its_own_rubric(judge):
    answers = [[{"role": "assistant", "content": text}] for text in (WORKS, BROKEN, "no page")]
    works, broken, none = called(judge, answers, [[SHOWS, ADDS]] * 3)
    assert (works, none) == (1.0, -1.0)
    assert -1.0 < broken < 1.0
    assert called(judge, [WORKS, BROKEN], [[SHOWS, ADDS]] * 2) == [works, broken]  # TRL's prompts may be plain strings


def test_what_the_judge_cannot_know_is_none_and_counted(judge, capsys):
    assert called(judge, [WORKS, WORKS], [[SHOWS, UNKNOWN], [SHOWS]]) == [None, 1.0]
    assert judge.unknown == 1
    assert "rcca: 1 of 2 answers could not be judged: their reward is None" in capsys.readouterr().err


def test_a_dataset_without_rubrics_is_told_where_they_come_from(judge):
    with pytest.raises(RccaError, match="no column `rubric`"):
        judge(prompts=["Make it."], completions=[WORKS])


@pytest.mark.filterwarnings("ignore")
def test_the_tasks_of_synth_are_rows_that_the_reward_reads(judge, tmp_path):
    import datasets

    records = list(synth.run(synth.Options(count=2, solutions="references")))
    (tmp_path / "tasks.jsonl").write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    rows = list(datasets.Dataset.from_list(reward.tasks(str(tmp_path / "tasks.jsonl"))))
    found = judge(
        [row["prompt"] for row in rows],
        [record["rollout"]["text"] for record in records],
        [row["rubric"] for row in rows],
    )
    assert found == [1.0, 1.0]
