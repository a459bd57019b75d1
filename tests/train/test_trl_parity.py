"""All-ones credit is plain GRPO: the same loss and gradients as TRL's GRPOTrainer on the same batch."""

import random
import warnings

import pytest
import torch

from rcca_cli.train import batch
from rcca_cli.train.loop import Trainer
from rcca_cli.train.options import Options
from tests.train import helpers
from tests.train.helpers import lines, record, tiny_policy

HORIZON = 16
CLIP = {"clip_low": 0.2, "clip_high": 0.28}


@pytest.fixture(scope="module")
def trl():
    """TRL's trainer class and its configuration; skipped aloud where TRL is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = pytest.importorskip("trl", reason="the extra `trl` is not installed: parity with TRL is NOT tested")
        return module.GRPOTrainer, module.GRPOConfig


def uniform_records(size=6, seed=3):
    """A group of uneven rollouts; old log-probabilities so far off that clipping is active on both sides."""
    rng = random.Random(seed)
    model, found = helpers.tiny_model(), []
    for index in range(size):
        prompt = [rng.randrange(2, 40) for _ in range(2 + index % 2)]
        tokens = [rng.randrange(2, 40) for _ in range(rng.randint(3, 12))]
        old = [number + 0.3 * rng.gauss(0, 1) for number in helpers.logprobs(model, prompt, tokens)]
        advantages = [(-1) ** index * (0.4 + 0.2 * index)] * len(tokens)
        found.append(record("g", index, advantages, prompt=prompt, tokens=tokens, old=old))
    return found


def by_trl(trl, records, loss, beta, folder):
    """(loss, gradients by name) of TRL's own `_compute_loss`, once on the whole batch."""
    import datasets

    trainer_class, config = trl
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trainer = trainer_class(
            model=helpers.tiny_model(),
            reward_funcs=lambda completions, **_: [0.0] * len(completions),
            args=config(
                output_dir=str(folder),
                loss_type=loss,
                epsilon=CLIP["clip_low"],
                epsilon_high=CLIP["clip_high"],
                beta=0.0,
                use_bias_correction_kl=False,  # ours is never multiplied by the ratio
                max_completion_length=HORIZON,
                per_device_train_batch_size=len(records),
                num_generations=len(records),
                gradient_checkpointing=False,
                use_cpu=True,
                bf16=False,
                report_to="none",
            ),
            processing_class=helpers.tiny_tokenizer(),
            train_dataset=datasets.Dataset.from_dict({"prompt": ["w0"]}),
        )
        trainer.beta = beta
        trainer.current_gradient_accumulation_steps = 1
        model = trainer.model.train()
        value = trainer._compute_loss(model, trl_batch(records))
    value.backward()
    return value.item(), {name: weight.grad for name, weight in model.named_parameters()}


def trl_batch(records):
    """The batch as TRL pads it: prompts on the left, completions on the right."""
    rollouts = [given["rollout"] for given in records]
    width = max(len(rollout["prompt_ids"]) for rollout in rollouts)
    length = max(len(rollout["tokens"]) for rollout in rollouts)

    def left(values):
        return [0] * (width - len(values)) + values

    def right(values):
        return values + [0] * (length - len(values))

    reference = helpers.tiny_model(seed=1)
    theirs = [helpers.logprobs(reference, rollout["prompt_ids"], rollout["tokens"]) for rollout in rollouts]
    return {
        "prompt_ids": torch.tensor([left(rollout["prompt_ids"]) for rollout in rollouts]),
        "prompt_mask": torch.tensor([left([1] * len(rollout["prompt_ids"])) for rollout in rollouts]),
        "completion_ids": torch.tensor([right(rollout["tokens"]) for rollout in rollouts]),
        "completion_mask": torch.tensor([right([1] * len(rollout["tokens"])) for rollout in rollouts]),
        "old_per_token_logps": torch.tensor([right(rollout["logprobs"]) for rollout in rollouts]),
        "ref_per_token_logps": torch.tensor([right(numbers) for numbers in theirs]),
        "advantages": torch.tensor([given["align"]["advantage"] for given in records]),
        "num_items_in_batch": torch.tensor(sum(len(rollout["tokens"]) for rollout in rollouts)),
    }


@pytest.mark.parametrize("beta", [0.0, 0.04])
@pytest.mark.parametrize("loss", ["dapo", "grpo", "dr_grpo", "bnpo"])
def test_uniform_credit_is_the_grpo_of_trl(trl, loss, beta, tmp_path):
    records = uniform_records()
    expected, their_gradients = by_trl(trl, records, loss, beta, tmp_path)
    options = Options(loss=loss, kl=beta, horizon=HORIZON, micro_tokens=30, max_grad_norm=1e9, **CLIP)
    trainer = Trainer(tiny_policy(), options, tiny_policy(seed=1) if beta else None)
    metrics = trainer.learn(list(batch.groups(lines(records), "advantages")))
    assert metrics["clip_frac"] > 0.1
    assert metrics["loss"] == pytest.approx(expected, abs=1e-6)
    ours = torch.cat([weight.grad.flatten() for weight in trainer.parameters.values()])
    theirs = torch.cat([their_gradients[name].flatten() for name in trainer.parameters])
    assert float((ours - theirs).norm() / theirs.norm()) < 1e-5
