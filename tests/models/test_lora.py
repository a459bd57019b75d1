"""Adapters: what they change, where they are kept, and that nothing is lost on the way."""

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import MixtralConfig, MixtralForCausalLM

from rcca_cli import models
from rcca_cli.errors import RccaError
from rcca_cli.models import lora
from rcca_cli.models.save import save
from rcca_cli.train import stage
from rcca_cli.train.policy import prepare
from rcca_cli.train.stage import Options
from tests.models import tiny
from tests.train.helpers import lines, random_records, saved_policy


@pytest.fixture
def start(tmp_path):
    return saved_policy(tmp_path / "policy")


def logits(policy):
    with torch.no_grad():
        return policy.model(torch.tensor([[2, 3, 4, 5]])).logits


def adapted(start, seed=0):
    policy = models.load(start)
    lora.add(policy.model, policy.name, 4, seed)
    return policy


def livened(policy):
    """With what training would have put there: at first the second factor is zero."""
    torch.manual_seed(1)
    for name, weight in policy.model.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weight, std=0.1)
    return policy


def test_fresh_adapters_change_nothing_are_all_that_is_trained_and_come_from_their_seed(start):
    policy = adapted(start)
    assert torch.equal(logits(policy), logits(models.load(start)))
    trained = {name for name, weight in policy.model.named_parameters() if weight.requires_grad}
    assert trained
    assert all("lora_" in name for name in trained)
    assert not any("lm_head" in name for name in trained)
    assert lora.rank(policy.model) == 4
    assert lora.rank(models.load(start).model) == 0
    first = [weight for name, weight in policy.model.named_parameters() if "lora_A" in name]
    for seed, same in ((0, True), (1, False)):
        again = [weight for name, weight in adapted(start, seed).model.named_parameters() if "lora_A" in name]
        assert all(torch.equal(*pair) for pair in zip(first, again, strict=True)) == same


@pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing:FutureWarning")  # peft's affair
def test_a_folder_of_adapters_loads_apart_or_merged_and_peft_reads_it(start, tmp_path):
    policy = livened(adapted(start))
    save(policy, tmp_path / "adapters")
    assert not (tmp_path / "adapters" / "model.safetensors").exists()
    expected = logits(policy)
    assert not torch.allclose(expected, logits(models.load(start)), atol=1e-2)
    apart, merged = (models.load(str(tmp_path / "adapters"), apart=apart) for apart in (True, False))
    assert torch.equal(logits(apart), expected)
    assert any(weight.requires_grad for weight in apart.model.parameters())
    assert torch.allclose(logits(merged), expected, atol=1e-5)
    assert lora.rank(merged.model) == 0
    assert models.load_reader(str(tmp_path / "adapters")).context == policy.context

    from peft import PeftModel

    theirs = PeftModel.from_pretrained(models.load(start).model, str(tmp_path / "adapters"))
    assert torch.equal(logits(models.Policy(theirs, None, "peft")), expected)


def test_training_adapters_leaves_the_model_and_is_resumed_bit_for_bit(start, tmp_path):
    records = random_records(groups=4, name=start)
    options = {"groups_per_step": 1, "learning_rate": 1e-2, "lora": 2}
    expected = list(stage.run(lines(records), Options(out=str(tmp_path / "whole"), **options)))
    interrupted = stage.run(lines(records), Options(out=str(tmp_path / "cut"), **options))
    assert [next(interrupted) for _ in range(2)] == expected[:2]
    interrupted.close()
    assert list(stage.run(lines(records), Options(out=str(tmp_path / "cut"), resume=True, **options))) == expected
    for name in (lora.WEIGHTS, "optimizer.safetensors"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    moved = logits(models.load(str(tmp_path / "whole"))) - logits(models.load(start))
    assert moved.abs().max() > 1e-3


def test_adapters_of_experts_lie_one_in_another_and_are_merged_all_the_same(tmp_path):
    torch.manual_seed(0)
    sizes = tiny.SIZES | {"vocab_size": 352, "num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": None}
    save(tiny.policy(MixtralForCausalLM(MixtralConfig(**sizes))), tmp_path / "experts")
    policy = livened(adapted(str(tmp_path / "experts")))
    save(policy, tmp_path / "adapters")
    merged = models.load(str(tmp_path / "adapters"))
    assert torch.allclose(logits(merged), logits(policy), atol=1e-5)
    assert not torch.allclose(logits(merged), logits(models.load(str(tmp_path / "experts"))), atol=1e-3)


def test_a_model_that_cannot_have_adapters_is_one_line(tmp_path):
    save(tiny.policy(tiny.other("states alone")), tmp_path)
    with pytest.raises(RccaError, match=r"^--lora: .*Mamba"):
        prepare(models.load(str(tmp_path)), Options(lora=2))


def test_adapters_of_which_some_are_lost_are_refused(start, tmp_path):
    save(adapted(start), tmp_path / "adapters")
    weights = load_file(tmp_path / "adapters" / lora.WEIGHTS)
    weights.pop(next(name for name in weights if "lora_B" in name))
    save_file(weights, tmp_path / "adapters" / lora.WEIGHTS)
    with pytest.raises(RccaError, match=rf"{lora.WEIGHTS} lacks .*lora_B"):
        models.load(str(tmp_path / "adapters"))
