"""For verl's processes: `VERL_USE_EXTERNAL_MODULES=rcca_cli.export.verl`, on the file of `rcca export --to verl`.

It registers the agent `rcca_replay`, which gives verl the recorded ids with one score a token, and the estimator
`rcca`, which takes these scores as the advantages. verl tells an estimator that is not its own token_level_rewards,
response_mask, config and index only, so dense scores are the way in; `tests/export/test_verl.py` watches that.
"""

from typing import Any

import torch
from torch import Tensor
from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics, AgentLoopOutput, register
from verl.trainer.ppo.core_algos import register_adv_est

from rcca_cli.errors import RccaError
from rcca_cli.export.formats.verl import AGENT


@register_adv_est("rcca")
def recorded_advantages(
    token_level_rewards: Tensor, response_mask: Tensor, config: Any = None, index: Any = None, **_: Any
) -> tuple[Tensor, Tensor]:
    """Advantages and returns, both (batch, response length): the scores as they are, 0 outside of the mask."""
    advantages_BT = token_level_rewards * response_mask
    if not bool(torch.isfinite(advantages_BT).all()):
        raise RccaError("one score a rollout where one a token was recorded (run verl with trainer.use_v1=True)")
    return advantages_BT, advantages_BT


class ScoredTokens(AgentLoopOutput):
    """What an agent gives to verl, with a score for each token of the response instead of one on its last."""

    token_scores: list[float]

    def as_dict(self) -> dict[str, Any]:
        """verl's fields, `rm_scores` (response length,) among them."""
        output = super().as_dict()
        output["rm_scores"] = torch.tensor(output.pop("token_scores"), dtype=torch.float32)
        return output


@register(AGENT)
class ReplayAgentLoop(AgentLoopBase):
    """Gives the rollout that is recorded in the row; samples nothing."""

    def __init__(self, trainer_config: Any, **_: Any) -> None:
        # Not the base's own: it reads the tokenizer's chat template, for which a recorded rollout has no use.
        self.rollout_config = trainer_config.config.actor_rollout_ref.rollout

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> AgentLoopOutput:
        """The row's rollout. RccaError if it is longer than verl was told, or was sampled at another temperature."""
        own = row["extra_info"]
        for part, key in (("prompt", "prompt_ids"), ("response", "response_ids")):
            most = self.rollout_config[f"{part}_length"]
            if len(own[key]) > most:
                long = f"a {part} of {len(own[key])} tokens, where there is room for {most}"
                raise RccaError(f"{own['id']}: {long} (raise data.max_{part}_length)")
        if sampling_params.get("temperature", own["temperature"]) != own["temperature"]:
            raise RccaError(f"{own['id']}: sampled at {own['temperature']} (set rollout.temperature to it)")
        return recorded_output(own, int(row.get("global_steps", 0)))


def recorded_output(own: dict[str, Any], step: int) -> ScoredTokens:
    """The row's rollout as verl's own; `step` is the one it is used in.

    `reward_score` is there so that no scorer runs, and is no number so that nobody can take it for the credit.
    """
    version = max(step - 1, 0)  # of the weights that are about to be updated: a replay counts as fresh
    return ScoredTokens(
        prompt_ids=list(own["prompt_ids"]),
        response_ids=list(own["response_ids"]),
        response_mask=[1] * len(own["response_ids"]),
        response_logprobs=list(own["response_logprobs"]) or None,
        reward_score=float("nan"),
        num_turns=2,
        metrics=AgentLoopMetrics(),
        token_scores=list(own["token_advantages"]),
        extra_fields={
            "turn_scores": [],
            "tool_rewards": [],
            "reward_extra_info": {"rcca_reward": own["reward"]},
            "min_global_steps": version,
            "max_global_steps": version,
        },
    )
