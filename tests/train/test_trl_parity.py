"""The same loss and gradients as TRL's GRPOTrainer on the same batch, with credit of one and credit per token."""

import random
import warnings

import pytest
import torch

from rcca_cli.train import batch, rival
from rcca_cli.train.loop import Trainer
from rcca_cli.train.options import Options
from tests.train import helpers
from tests.train.helpers import lines, record, tiny_policy

HORIZON = 16
LOW, HIGH, DUAL = 0.2, 0.28, 1.3
# Ours -> TRL's. Its bound of cispo is the weight's own, ours 1 + clip_high; its GSPO is a level of any loss.
THEIRS = {
    "dapo": {"loss_type": "dapo"},
    "grpo": {"loss_type": "grpo"},
    "dr_grpo": {"loss_type": "dr_grpo"},
    "bnpo": {"loss_type": "bnpo"},
    "cispo": {"loss_type": "cispo", "epsilon_high": 1 + HIGH},
    "sapo": {"loss_type": "sapo"},
    "gspo": {"loss_type": "grpo", "importance_sampling_level": "sequence", "epsilon": 0.02, "epsilon_high": 0.03},
}


@pytest.fixture(scope="module", autouse=True)
def trl():
    """Skipped aloud where TRL is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("trl", reason="the extra `trl` is not installed: parity with TRL is NOT tested")


def uneven_records(credit, size=6, seed=3):
    """A group of uneven rollouts; old log-probabilities so far off that clipping is active on both sides.

    `credit`: one number a row, or one a token (of both signs in each row, a fifth of them 0).
    """
    rng = random.Random(seed)
    model, found = helpers.tiny_model(), []
    for index in range(size):
        prompt = [rng.randrange(2, 40) for _ in range(2 + index % 2)]
        tokens = [rng.randrange(2, 40) for _ in range(rng.randint(3, 12))]
        old = [number + 0.3 * rng.gauss(0, 1) for number in helpers.logprobs(model, prompt, tokens)]
        advantage = (-1) ** index * (0.4 + 0.2 * index)
        weights = [1.0 if credit == "ones" else rng.choice([0.0, -0.7, 0.5, 1.3, 2.9]) for _ in tokens]
        advantages = [advantage * weight for weight in weights]
        found.append(record("g", index, advantages, prompt=prompt, tokens=tokens, old=old))
    return found


def by_trl(rows, folder, beta=0.0, **config):
    """(loss, gradients) of TRL's own `_compute_loss`, once on the whole batch."""
    policy, reference = tiny_policy(), helpers.tiny_model(seed=1)
    built = rival.trainer(
        policy,
        len(rows),
        str(folder),
        beta=beta,
        max_completion_length=HORIZON,
        **({"epsilon": LOW, "epsilon_high": HIGH} | config),
    )
    numbers = [helpers.logprobs(reference, row.prompt, row.tokens) for row in rows]
    loss = rival.update(built, rival.inputs(rows, numbers), len(rows))
    return loss, rival.gradients(policy.model)


def assert_the_same(records, ours, theirs, folder, beta=0.0):
    options = Options(kl=beta, horizon=HORIZON, micro_tokens=30, max_grad_norm=1e9, **({"clip_low": LOW} | ours))
    groups = list(batch.groups(lines(records), "advantages"))
    expected, gradients = by_trl(groups[0].rows, folder, beta, **theirs)
    trainer = Trainer(tiny_policy(), options, tiny_policy(seed=1) if beta else None)
    metrics = trainer.learn(groups)
    assert metrics["loss"] == pytest.approx(expected, abs=1e-6)
    found = rival.gradients(trainer.model)
    assert float((found - gradients).norm() / gradients.norm()) < 1e-5
    return metrics


@pytest.mark.parametrize("beta", [0.0, 0.04])
@pytest.mark.parametrize("credit", ["ones", "random"])
@pytest.mark.parametrize("loss", ["dapo", "grpo", "dr_grpo", "bnpo", "cispo", "sapo"])
def test_loss_and_gradient_are_those_of_trl(loss, credit, beta, tmp_path):
    ours = {"loss": loss, "clip_high": HIGH}
    metrics = assert_the_same(uneven_records(credit), ours, THEIRS[loss], tmp_path, beta)
    assert loss == "sapo" or metrics["clip_frac"] > 0.1


@pytest.mark.parametrize("beta", [0.0, 0.04])
def test_gspo_is_trls_where_all_tokens_of_a_row_have_the_same_credit(beta, tmp_path):
    """With credit per token TRL's keeps only its mean over the row; ours each token's own."""
    ours = {"loss": "gspo", "clip_low": 0.02, "clip_high": 0.03}
    metrics = assert_the_same(uneven_records("ones"), ours, THEIRS["gspo"], tmp_path, beta)
    assert metrics["clip_frac"] > 0


def test_dual_clip_is_trls_upper_bound_of_the_ratio(tmp_path):
    ours = {"loss": "dapo", "clip_high": HIGH, "dual_clip": DUAL}
    without = assert_the_same(uneven_records("random"), ours | {"dual_clip": 0.0}, {}, tmp_path)
    with_it = assert_the_same(uneven_records("random"), ours, {"delta": DUAL}, tmp_path)
    assert with_it["clip_frac"] > without["clip_frac"]


def test_trls_own_path_takes_credit_per_token(tmp_path):
    """What the comparison rests on: a subclass that puts (B, T) advantages where TRL makes (B,), through `train`."""
    import datasets
    import trl

    (group,) = batch.groups(lines(uneven_records("random")), "advantages")
    given = rival.inputs(group.rows)
    seen = []

    class Credited(trl.GRPOTrainer):
        def _generate_and_score_completions(self, inputs):
            return given

        def _compute_loss(self, model, inputs):
            seen.append(inputs["advantages"].shape)
            return super()._compute_loss(model, inputs)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trainer = Credited(
            model=helpers.tiny_model(),
            reward_funcs=lambda completions, **_: [0.0] * len(completions),
            args=trl.GRPOConfig(
                output_dir=str(tmp_path),
                max_steps=1,
                per_device_train_batch_size=6,
                num_generations=6,
                gradient_checkpointing=False,
                use_cpu=True,
                bf16=False,
                report_to="none",
                disable_tqdm=True,
                logging_strategy="no",
                save_strategy="no",
                shuffle_dataset=False,
                epsilon=LOW,
                epsilon_high=HIGH,
                lr_scheduler_type="constant",
                learning_rate=1e-3,
                optim="sgd",
                max_grad_norm=0.0,
            ),
            processing_class=helpers.tiny_tokenizer(),
            train_dataset=datasets.Dataset.from_dict({"prompt": ["w0"] * 6}),
        )
        trainer.train()
    assert seen == [given["advantages"].shape]
    _, gradients = by_trl(group.rows, tmp_path)
    start = torch.cat([weight.flatten() for weight in helpers.tiny_model().parameters()])
    moved = torch.cat([weight.detach().flatten() for weight in trainer.model.parameters()]) - start
    assert torch.allclose(moved, -1e-3 * gradients, atol=2e-6)
