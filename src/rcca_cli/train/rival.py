"""TRL's GRPOTrainer on our rows: what the update is tested and timed against. Needs the extra `trl`."""

import warnings
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from rcca_cli.train.batch import Row


def trainer(policy: Any, rows: int, folder: str, **config: Any) -> Any:
    """A GRPOTrainer of the policy's own model, on the CPU in float32; `config` goes into its GRPOConfig."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import datasets
        import trl

        beta = config.pop("beta", 0.0)
        class_: Any = trl.GRPOTrainer
        built = class_(
            model=policy.model,
            reward_funcs=lambda completions, **_: [0.0] * len(completions),
            args=trl.GRPOConfig(
                output_dir=folder,
                per_device_train_batch_size=rows,
                num_generations=rows,
                gradient_checkpointing=False,
                use_cpu=True,
                bf16=False,
                report_to="none",
                use_bias_correction_kl=False,  # ours is never multiplied by the ratio
                **config,
            ),
            processing_class=policy.tokenizer,
            train_dataset=datasets.Dataset.from_dict({"prompt": ["w"]}),
        )
    built.beta = beta  # set afterwards, so that it loads no reference model: the batch brings its log-probabilities
    built.model.train()
    return built


def inputs(rows: Sequence[Row], reference: Sequence[Sequence[float]] | None = None) -> dict[str, Tensor]:
    """The rows as TRL pads them: prompts on the left, completions on the right, advantages (B, T).

    `reference` are log-probabilities under the reference model, a list a row.
    """
    width = max(len(row.prompt) for row in rows)
    length = max(len(row.tokens) for row in rows)

    def left(values: list[int]) -> list[int]:
        return [0] * (width - len(values)) + values

    def right(values: Sequence[float]) -> list[float]:
        return [*values, *[0] * (length - len(values))]

    found: dict[str, Tensor] = {
        "prompt_ids": torch.tensor([left(row.prompt) for row in rows]),
        "prompt_mask": torch.tensor([left([1] * len(row.prompt)) for row in rows]),
        "completion_ids": torch.tensor([right(row.tokens) for row in rows]),
        "completion_mask": torch.tensor([right([1] * len(row.tokens)) for row in rows]),
        "advantages": torch.tensor([right(row.advantages) for row in rows]),
        "num_items_in_batch": torch.tensor(sum(len(row.tokens) for row in rows)),
    }
    if all(row.old is not None for row in rows):
        found["old_per_token_logps"] = torch.tensor([right(row.old or []) for row in rows])
    if reference is not None:
        found["ref_per_token_logps"] = torch.tensor([right(numbers) for numbers in reference])
    return found


def update(built: Any, given: dict[str, Tensor], micro: int) -> float:
    """Loss and gradients of the batch, `micro` rows at a time, each as wide as the longest of all (as TRL does it)."""
    rows = len(given["prompt_ids"])
    parts = -(-rows // micro)
    built.current_gradient_accumulation_steps = built.args.steps_per_generation = parts
    total = 0.0
    for start in range(0, rows, micro):
        part = {name: value if value.dim() == 0 else value[start : start + micro] for name, value in given.items()}
        loss = built._compute_loss(built.model, part)
        loss.backward()
        total += float(loss.detach())
    return total


def gradients(model: Any) -> Tensor:
    """All gradients of a model in one vector, in the order of its parameters."""
    return torch.cat([weight.grad.flatten() for weight in model.parameters() if weight.grad is not None])
