"""Precision, checkpointing and adapters: what they change, and what they do not."""

import warnings

import pytest
import torch

from rcca_cli import models
from rcca_cli.errors import RccaError
from rcca_cli.models import lora
from rcca_cli.train import batch, pack, rival, stage
from rcca_cli.train.loop import Trainer
from rcca_cli.train.options import Options
from tests.train import helpers
from tests.train.helpers import lines, random_records, saved_policy, tiny_policy


def gradients(**options):
    trainer = Trainer(tiny_policy(), Options(learning_rate=0.0, max_grad_norm=1e9, **options))
    trainer.learn(list(batch.groups(lines(random_records(model=helpers.tiny_model())), "advantages")))
    return rival.gradients(trainer.model)


def test_checkpointing_changes_no_gradient_and_keeps_less():
    kept = []
    plain, checkpointed = gradients(), gradients(checkpointing=True)
    assert torch.equal(plain, checkpointed)
    for checkpointing in (False, True):
        held = 0

        def count(tensor):
            nonlocal held
            held += tensor.numel()
            return tensor

        trainer = Trainer(tiny_policy(), Options(checkpointing=checkpointing))
        rows = [row for group in batch.groups(lines(random_records()), "advantages") for row in group.rows]
        with torch.autograd.graph.saved_tensors_hooks(count, lambda tensor: tensor):
            trainer.scorer.hidden(pack.tensors(rows[:1]))
        kept.append(held)
    assert kept[1] < kept[0] / 3


def test_bf16_means_products_and_never_weights_moments_or_the_head():
    trainer = Trainer(tiny_policy(), Options(dtype="bf16", learning_rate=1e-3))
    rounded = gradients(dtype="bf16")
    plain = gradients()
    assert 1e-4 < float((rounded - plain).norm() / plain.norm()) < 0.1
    trainer.learn(list(batch.groups(lines(random_records()), "advantages")))
    state = [value for moments in trainer.optimizer.state.values() for value in moments.values()]
    assert {tensor.dtype for tensor in [*trainer.parameters.values(), *state]} == {torch.float32}


def test_adapters_change_nothing_at_first_and_are_all_that_is_trained():
    policy = tiny_policy()
    before = {name: weight.clone() for name, weight in policy.model.named_parameters()}
    trainer = Trainer(policy, Options(lora=2, learning_rate=1e-2))
    metrics = trainer.learn(list(batch.groups(lines(random_records(model=helpers.tiny_model())), "advantages")))
    assert metrics["ratio_deviation"] < 1e-5
    assert all("lora" in name for name in trainer.parameters)
    after = dict(policy.model.named_parameters())
    for name, weight in before.items():
        layer = name.removesuffix(".weight")
        assert torch.equal(weight, after.get(name, after.get(f"{layer}.base_layer.weight"))), name


def test_a_checkpoint_of_adapters_is_small_and_loads_merged_or_apart(tmp_path):
    start = saved_policy(tmp_path / "start")
    options = {"groups_per_step": 2, "learning_rate": 1e-2, "lora": 2}
    records = random_records(groups=4, name=start)
    list(stage.run(lines(records), Options(out=str(tmp_path / "ckpt"), **options)))
    assert (tmp_path / "ckpt" / "adapter_model.safetensors").exists()
    assert not (tmp_path / "ckpt" / "model.safetensors").exists()
    merged, apart = (models.load(str(tmp_path / "ckpt"), apart=apart).model for apart in (False, True))
    assert (lora.rank(merged), lora.rank(apart)) == (0, 2)
    found, expected = (helpers.logprobs(model, [2, 3], [4, 5, 6]) for model in (merged, apart))
    assert found == pytest.approx(expected, abs=1e-5)
    assert found != pytest.approx(helpers.logprobs(helpers.tiny_model(), [2, 3], [4, 5, 6]), abs=1e-4)
    from peft import PeftModel

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peft = PeftModel.from_pretrained(models.load(start).model, str(tmp_path / "ckpt"))
    assert helpers.logprobs(peft, [2, 3], [4, 5, 6]) == pytest.approx(found, abs=1e-5)
    with pytest.raises(RccaError, match="adapters of rank 2"):
        Trainer(models.load(str(tmp_path / "ckpt"), apart=True), Options())


def test_adapters_go_on_from_a_checkpoint_as_in_one_call(tmp_path):
    start = saved_policy(tmp_path / "start")
    options = {"groups_per_step": 2, "learning_rate": 1e-2, "lora": 2, "model": start}
    records = random_records(groups=4, name=start)
    expected = list(stage.run(lines(records), Options(out=str(tmp_path / "long"), **options)))
    found = list(stage.run(lines(records[:8]), Options(out=str(tmp_path / "a"), **options)))
    options |= {"model": None, "start": str(tmp_path / "a")}
    found += list(stage.run(lines(records[8:]), Options(out=str(tmp_path / "b"), **options)))
    assert found == expected
    one, other = ((tmp_path / name / "adapter_model.safetensors").read_bytes() for name in ("long", "b"))
    assert one == other
