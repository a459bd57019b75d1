"""For a script with TRL: `RccaGRPOTrainer` trains on the file of `rcca export --to trl`, and nothing is sampled.

TRL has no public place for credit per token. Its `_compute_loss` takes advantages of shape (B, T) "to support
subclasses", and `rollout_func` is the place for completions from elsewhere; `tests/export/test_trl.py` watches both.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from trl import GRPOTrainer

from rcca_cli.errors import RccaError

Member = dict[str, Any]  # one rollout: the entries of a group's lists that are its own


def recorded(prompts: Sequence[Any], recorded_reward: Sequence[float | None], **_: Any) -> list[float | None]:
    """A reward function: the rewards that were recorded. TRL leaves None out of its means, and logs the rest."""
    return list(recorded_reward)


class RccaGRPOTrainer(GRPOTrainer):
    """TRL's trainer on recorded rollouts, with an advantage of its own for every token.

    `train_dataset` is the exported file; `num_generations` is the size of its groups. Of a group with fewer rollouts
    (the others could not be scored) the missing ones are rows without a token in the loss. Where the sampler's
    log-probabilities were recorded, the ratio is to those, as in `rcca train`.
    """

    def __init__(self, model: Any, reward_funcs: Any = recorded, **given: Any) -> None:
        super().__init__(model=model, reward_funcs=reward_funcs, rollout_func=replay, **given)
        self.members: list[Member] = []
        settings: Any = self.args
        refuse_sequence_losses(settings)
        check_count(self.train_dataset, settings.generation_batch_size // self.num_generations)

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        own: Any = self
        size = own.num_generations if own.model.training else own.num_generations_eval or own.num_generations
        first = self.accelerator.process_index * len(inputs)  # where in the whole batch this process's rows are
        self.members = [member(row, (first + index) % size, size) for index, row in enumerate(inputs)]
        check_temperature(self.members, self.temperature)
        output = super()._generate_and_score_completions([{"prompt": row["prompt"]} for row in inputs])
        check_lengths(self.members, output["completion_mask"])
        like = output["completion_ids"]
        if "token_advantages" in inputs[0]:
            output["advantages"] = padded([one["token_advantages"] for one in self.members], like)
        else:
            weights_BT = padded([one["token_weights"] for one in self.members], like)
            output["advantages"] = output["advantages"].unsqueeze(1) * weights_BT
        if all(one["logprobs"] for one in self.members if one["in_loss"]):
            output["old_per_token_logps"] = padded([one["logprobs"] for one in self.members], like)
        return output


def member(row: dict[str, Any], index: int, size: int) -> Member:
    """Rollout `index` of a group; behind its last one, one token that is left out of the loss."""
    count = len(row["ids"])
    if count > size:
        raise RccaError(f"group {row['group']}: {count} rollouts (set num_generations={count})")
    keys = [key for key in ("token_advantages", "token_weights") if key in row]
    if index < count:
        own = {key: row[key][index] for key in ("ids", "prompt_ids", "completion_ids", "logprobs", "rewards", *keys)}
        return own | {"in_loss": True, "temperature": row["temperature"]}
    empty: Member = {"ids": None, "prompt_ids": row["prompt_ids"][0], "completion_ids": row["completion_ids"][0][-1:]}
    nothing = {"logprobs": [], "rewards": None, "in_loss": False, "temperature": row["temperature"]}
    return empty | nothing | {key: [0.0] for key in keys}


def replay(prompts: Sequence[Any], trainer: Any) -> dict[str, Any]:
    """TRL's `rollout_func`: the recorded rollouts of the rows that TRL is about to score, in their order."""
    members = trainer.members
    assert len(prompts) == len(members)
    return {
        "prompt_ids": [one["prompt_ids"] for one in members],
        "completion_ids": [one["completion_ids"] for one in members],
        "logprobs": None,
        "env_mask": [[int(one["in_loss"])] * len(one["completion_ids"]) for one in members],
        "recorded_reward": [one["rewards"] for one in members],
    }


def padded(values: Sequence[Sequence[float]], like_BT: Tensor) -> Tensor:
    """One row a member, zeros behind it: (B, T) as wide as the completions."""
    out_BT = torch.zeros(like_BT.shape, dtype=torch.float32)
    for row_T, numbers in zip(out_BT, values, strict=True):
        row_T[: len(numbers)] = torch.tensor(numbers)
    return out_BT.to(like_BT.device)


def check_lengths(members: Sequence[Member], mask_BT: Tensor) -> None:
    """RccaError where TRL's completion is not the recorded one. A row that TRL masked as truncated has no tokens."""
    for one, length in zip(members, mask_BT.sum(1).tolist(), strict=True):
        credit = one.get("token_advantages") or one.get("token_weights") or []
        if length not in (0, len(credit)):
            raise RccaError(f"{one['ids']}: credit for {len(credit)} tokens, and TRL has {int(length)}")


def check_temperature(members: Sequence[Member], temperature: float) -> None:
    """RccaError unless TRL divides its logits by what the sampler divided its own by."""
    for one in members:
        if one["temperature"] != temperature:
            raise RccaError(
                f"{one['ids']}: sampled at temperature {one['temperature']} (set GRPOConfig(temperature=...) to it)"
            )


def check_count(dataset: Any, batch: int) -> None:
    """RccaError if there are fewer groups than TRL takes at once: it would make no step, and say so in a log only."""
    if hasattr(dataset, "__len__") and len(dataset) < batch:
        raise RccaError(
            f"{len(dataset)} groups, and a batch takes {batch} (lower gradient_accumulation_steps or "
            "per_device_train_batch_size: their product, times the processes, is groups times num_generations)"
        )


def refuse_sequence_losses(args: Any) -> None:
    """RccaError for what would make one number of a rollout's credit, or would sample."""
    if args.importance_sampling_level != "token":
        raise RccaError('importance_sampling_level="sequence" averages credit over the answer (use "token")')
    if args.loss_type == "luspo":
        raise RccaError('loss_type="luspo" is a loss of whole sequences (use "dapo", say)')
    if args.use_vllm:
        raise RccaError("use_vllm=True: the rollouts are recorded, nothing is sampled (set it to False)")
