"""The agent and the estimator inside the installed verl, as far as they go without a GPU and a cluster.

Its pin of transformers clashes with that of TRL, so verl has an environment of its own, in which this file is run.
"""

import asyncio
import inspect
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch

from rcca_cli.errors import RccaError
from rcca_cli.export import stage
from rcca_cli.train.loss import surrogate
from tests.train import helpers
from tests.train.helpers import lines


@pytest.fixture(scope="module")
def door():
    """The adapter; skipped aloud where verl is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("verl", reason="verl is not installed: the door to verl is NOT tested")
        from rcca_cli.export import verl

        return verl


@pytest.fixture
def rollouts(door, tmp_path):
    """Records, and the rows that verl's own dataset reads of the file that `rcca export --to verl` makes of them."""
    from omegaconf import OmegaConf
    from verl.utils.dataset.rl_dataset import RLHFDataset

    given = helpers.random_records(2, 3, seed=1, model=helpers.tiny_model())
    path = tmp_path / "rollouts.parquet"
    path.write_bytes(b"".join(stage.run(lines(given), stage.Options("verl"))))
    config = OmegaConf.create({"filter_overlong_prompts": False, "cache_dir": str(tmp_path / "cache")})
    rows = RLHFDataset([str(path)], helpers.tiny_tokenizer(), config)
    return given, [rows[index] for index in range(len(rows))]


def agent(door, prompt=8, response=16):
    """The registered agent, made as verl makes it."""
    import hydra
    from omegaconf import OmegaConf
    from verl.experimental.agent_loop import agent_loop

    config = OmegaConf.create(
        {"actor_rollout_ref": {"rollout": {"prompt_length": prompt, "response_length": response}}, "data": {}}
    )
    return hydra.utils.instantiate(
        config=agent_loop._agent_loop_registry["rcca_replay"],
        trainer_config=agent_loop.DictConfigWrap(config=config),
        server_manager=None,
        tokenizer=helpers.tiny_tokenizer(),
        processor=None,
        hf_model_type=None,
        dataset_cls=None,
        data_config=agent_loop.DictConfigWrap(config.data),
        tools=agent_loop.ToolListWrap([]),
    )


def replayed(door, row, **changes):
    return asyncio.run(agent(door).run({"temperature": 1.0}, global_steps=7, **row | changes))


def test_the_agent_gives_the_recorded_ids_and_a_score_for_each(door, rollouts):
    given, rows = rollouts
    assert len(given) == len(rows) == 6
    for record, row in zip(given, rows, strict=True):
        assert row["agent_name"] == "rcca_replay"
        fields = replayed(door, row).as_dict()
        assert fields["prompts"].tolist() == record["rollout"]["prompt_ids"]
        assert fields["responses"].tolist() == record["rollout"]["tokens"]
        assert fields["response_mask"].tolist() == [1] * len(record["rollout"]["tokens"])
        assert torch.allclose(fields["rm_scores"], torch.tensor(record["align"]["advantages"]))
        assert torch.allclose(fields["rollout_log_probs"], torch.tensor(record["rollout"]["logprobs"]))
        assert fields["extra_fields"]["reward_extra_info"] == {"rcca_reward": 0.5}
        assert fields["extra_fields"]["min_global_steps"] == 6


def test_what_the_agent_gives_can_be_put_into_verls_queue(door, rollouts):
    from verl.utils.tensordict_utils import list_of_dict_to_tensordict

    fields = [replayed(door, row).as_dict() | row for row in rollouts[1]]
    for field in fields:
        field.pop("multi_modal_data", None)
    stacked = list_of_dict_to_tensordict(fields)
    assert stacked["rm_scores"].is_nested
    assert [len(row) for row in stacked["rm_scores"].unbind()] == [len(field["responses"]) for field in fields]


def test_a_rollout_longer_than_verl_was_told_is_refused(door, rollouts):
    row = rollouts[1][0]
    with pytest.raises(RccaError, match="raise data"):
        asyncio.run(agent(door, response=2).run({}, **row))
    with pytest.raises(RccaError, match="set rollout"):
        asyncio.run(agent(door).run({"temperature": 0.5}, **row))


def batch(scores_BT, mask_BT):
    from verl import DataProto

    tensors = {"token_level_rewards": scores_BT, "response_mask": mask_BT}
    return DataProto.from_dict(tensors, non_tensors={"uid": np.array(["g"] * len(mask_BT), dtype=object)})


MASK = torch.tensor([[1, 1, 1], [1, 1, 0], [1, 0, 0]])


def test_the_estimator_takes_the_scores_as_they_are(door):
    from verl.trainer.ppo.ray_trainer import compute_advantage

    scores_BT = torch.randn(3, 3, generator=torch.Generator().manual_seed(0))
    found = compute_advantage(batch(scores_BT, MASK), "rcca")
    assert torch.equal(found.batch["advantages"], scores_BT * MASK)
    assert torch.equal(found.batch["returns"], scores_BT * MASK)


def test_uniform_credit_is_the_grpo_of_verl(door):
    from verl.trainer.ppo.core_algos import AdvantageEstimator
    from verl.trainer.ppo.ray_trainer import compute_advantage

    rewards = torch.tensor([1.0, 0.0, 0.5])
    last_BT = torch.tensor([[0, 0, 1.0], [0, 0.0, 0], [0.5, 0, 0]])
    theirs = compute_advantage(batch(last_BT, MASK), AdvantageEstimator.GRPO)
    credit_BT = ((rewards - rewards.mean()) / (rewards.std() + 1e-6))[:, None] * MASK
    ours = compute_advantage(batch(credit_BT, MASK), "rcca")
    assert torch.allclose(ours.batch["advantages"], theirs.batch["advantages"], atol=1e-6)


def test_one_score_a_rollout_is_no_credit(door, rollouts):
    """What verl's older trainer makes of the agent's output: `reward_score` on the last token."""
    from verl.trainer.ppo.ray_trainer import compute_advantage

    scores_BT = torch.zeros(3, 3)
    scores_BT[:, 0] = replayed(door, rollouts[1][0]).reward_score
    with pytest.raises(RccaError, match="use_v1=True"):
        compute_advantage(batch(scores_BT, MASK), "rcca")


def test_verl_tells_an_estimator_what_we_count_on(door):
    """A canary: these names, and no others (an open request would add more: then credit could travel by itself)."""
    from verl.trainer.ppo import core_algos
    from verl.trainer.ppo.ray_trainer import compute_advantage

    told = {}

    @core_algos.register_adv_est("rcca-canary")
    def watch(**given):
        told.update(given)
        return given["token_level_rewards"], given["token_level_rewards"]

    compute_advantage(batch(torch.ones(3, 3), MASK), "rcca-canary")
    assert set(told) == {"token_level_rewards", "response_mask", "config", "index"}


def test_verls_queue_reads_dense_scores_from_the_agents_output(door):
    """A canary: its V1 trainer takes `as_dict()` of whatever output class, and `rm_scores` as they come."""
    from verl.experimental.agent_loop.agent_loop import AgentLoopOutput
    from verl.trainer.ppo.v1 import agent_loop_tq, trainer_base

    assert ".as_dict()" in inspect.getsource(agent_loop_tq)
    assert 'data.batch["token_level_scores"] = data.batch["rm_scores"]' in inspect.getsource(trainer_base)
    assert {"prompt_ids", "response_ids", "response_mask", "response_logprobs", "reward_score", "extra_fields"} <= set(
        AgentLoopOutput.model_fields
    )


def test_verls_loss_of_the_credit_is_ours(door):
    from omegaconf import OmegaConf
    from verl.trainer.ppo.core_algos import get_policy_loss_fn

    draws = torch.Generator().manual_seed(1)
    logprobs_BT, old_BT, credit_BT = (torch.randn(3, 3, generator=draws) * scale for scale in (0.3, 0.3, 1.0))
    config = OmegaConf.create({"clip_ratio": 0.2, "clip_ratio_low": 0.2, "clip_ratio_high": 0.28})
    config = OmegaConf.merge(config, {"clip_ratio_c": 1e9, "global_batch_info": {}})  # no dual clip
    theirs, _ = get_policy_loss_fn("vanilla")(old_BT, logprobs_BT, credit_BT, MASK, "token-mean", config)
    chosen = MASK.bool()
    ours = surrogate(logprobs_BT[chosen], old_BT[chosen], credit_BT[chosen]).sum() / MASK.sum()
    assert float(theirs) == pytest.approx(float(ours), abs=1e-6)


def test_the_options_of_the_docs_are_verls(door):
    from hydra import compose, initialize_config_module
    from verl.trainer.ppo.utils import need_critic

    page = (Path(__file__).parent.parent.parent / "docs" / "export.md").read_text()
    command = page.partition("verl.trainer.main_ppo")[2].partition("```")[0]
    with initialize_config_module("verl.trainer.config", version_base=None), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config = compose("ppo_trainer", overrides=command.replace("\\", " ").split())
        assert not need_critic(config)
    assert config.algorithm.adv_estimator == "rcca"
    assert config.trainer.use_v1
    assert config.actor_rollout_ref.rollout.response_length == 4096


def test_verl_loads_the_door_by_its_name(door):
    code = "import verl; from verl.trainer.ppo.core_algos import get_adv_estimator_fn as f; print(f('rcca').__module__)"
    environment = os.environ | {"VERL_USE_EXTERNAL_MODULES": "rcca_cli.export.verl"}
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, check=True)
    assert ended.stdout.decode().split()[-1] == "rcca_cli.export.verl"
