import pytest
import torch

from rcca_cli.train import batch, logprobs
from tests.train import helpers
from tests.train.helpers import line, record


def rows():
    first = record("g", 0, [1.0] * 4, prompt=[5, 6, 7], tokens=[8, 9, 10, 1], sampling={"temperature": 0.5})
    second = record("g", 1, [1.0] * 2, prompt=[5], tokens=[30, 1])
    return [batch.read_row(line(given), "advantages") for given in (first, second)]


def test_they_are_those_of_each_row_alone_at_its_temperature():
    model = helpers.tiny_model()
    expected = helpers.logprobs(model, [5, 6, 7], [8, 9, 10, 1], 0.5) + helpers.logprobs(model, [5], [30, 1])
    found = logprobs.scorer(model)(batch.tensors(rows()))
    assert found.tolist() == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("chunk", [1, 100, 1 << 24])
def test_chunks_of_the_head_change_neither_values_nor_gradients(chunk):
    model, micro = helpers.tiny_model(), batch.tensors(rows())
    whole = logprobs.by_forward(model, micro)
    (expected,) = torch.autograd.grad(whole.sum(), model.lm_head.weight)
    parts = logprobs.by_head(model, micro, chunk)
    (found,) = torch.autograd.grad(parts.sum(), model.lm_head.weight)
    assert torch.allclose(parts, whole, atol=1e-6)
    assert torch.allclose(found, expected, atol=1e-5)


def test_a_model_that_caps_its_logits_is_scored_by_its_own_forward():
    from transformers import Gemma2Config, Gemma2ForCausalLM

    torch.manual_seed(0)
    size = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "head_dim": 8}
    model = Gemma2ForCausalLM(
        Gemma2Config(vocab_size=40, num_attention_heads=2, num_key_value_heads=1, final_logit_softcapping=0.5, **size)
    ).eval()
    assert not logprobs.has_plain_head(model)
    expected = helpers.logprobs(model, [5, 6, 7], [8, 9, 10, 1], 0.5) + helpers.logprobs(model, [5], [30, 1])
    assert logprobs.scorer(model)(batch.tensors(rows())).tolist() == pytest.approx(expected, abs=1e-5)
