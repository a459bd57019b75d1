import pytest
import torch

from rcca_cli.train import batch, pack
from rcca_cli.train.logprobs import Scorer
from tests.train import helpers
from tests.train.helpers import line, record


class Weighted:
    """An objective that is linear in the log-probabilities, with weights of both signs."""

    needs_rows = False

    def __call__(self, logprobs_C, at):
        return (logprobs_C * torch.tensor([1.0, -0.5, 0.25, 2.0, -1.0, 0.0], dtype=logprobs_C.dtype)[at]).sum()


def rows():
    first = record("g", 0, [1.0] * 4, prompt=[5, 6, 7], tokens=[8, 9, 10, 1], sampling={"temperature": 0.5})
    second = record("g", 1, [1.0] * 2, prompt=[5], tokens=[30, 1])
    return [batch.read_row(line(given), "advantages") for given in (first, second)]


def by_autograd(model, given):
    """The weighted sum from the model's own logits, one row at a time, and the gradient of every weight."""
    found = []
    for row in given:
        logits = model(torch.tensor([row.prompt + row.tokens])).logits[0, len(row.prompt) - 1 : -1]
        found.append((logits / row.temperature).log_softmax(-1)[range(len(row.tokens)), row.tokens])
    loss = Weighted()(torch.cat(found), slice(0, 6))
    return loss.detach(), torch.autograd.grad(loss, list(model.parameters()))


def capped_model():
    """One whose logits are capped behind the head (Gemma 2)."""
    from transformers import Gemma2Config, Gemma2ForCausalLM

    torch.manual_seed(0)
    size = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "head_dim": 8}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1}
    return Gemma2ForCausalLM(Gemma2Config(vocab_size=40, final_logit_softcapping=0.5, **heads, **size)).eval()


def biased_model():
    """One with a bias at its head, and a head of its own."""
    from transformers import PhiConfig, PhiForCausalLM

    torch.manual_seed(0)
    size = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    model = PhiForCausalLM(PhiConfig(vocab_size=40, bos_token_id=0, eos_token_id=1, pad_token_id=0, **size)).eval()
    torch.nn.init.normal_(model.lm_head.bias)
    return model


def test_they_are_those_of_each_row_alone_at_its_temperature():
    model = helpers.tiny_model()
    expected = helpers.logprobs(model, [5, 6, 7], [8, 9, 10, 1], 0.5) + helpers.logprobs(model, [5], [30, 1])
    found = Scorer(model).logprobs(pack.tensors(rows()))
    assert found.tolist() == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("chunk", [1, 100, 1 << 24])
@pytest.mark.parametrize("make", [helpers.tiny_model, biased_model, capped_model])
def test_the_single_pass_is_autograd_whatever_the_chunk_and_the_head(make, chunk):
    model = make().double()  # in which the head stays, too
    expected, gradients = by_autograd(model, rows())
    scorer = Scorer(model, chunk=chunk)
    assert scorer.packs
    assert scorer.plain == (make is not capped_model)
    loss, logprobs_N = scorer.loss(pack.tensors(rows()), Weighted())
    assert loss.item() == pytest.approx(expected.item(), rel=1e-9)
    assert torch.allclose(logprobs_N, scorer.logprobs(pack.tensors(rows())), atol=1e-6)
    for found, wanted in zip(torch.autograd.grad(loss, list(model.parameters())), gradients, strict=True):
        assert torch.allclose(found, wanted, rtol=1e-6, atol=1e-9)


def test_a_weight_that_is_not_trained_gets_no_gradient():
    model = helpers.tiny_model()
    model.lm_head.weight.requires_grad_(False)
    loss, _ = Scorer(model).loss(pack.tensors(rows()), Weighted())
    loss.backward()
    assert model.lm_head.weight.grad is None
    assert model.model.layers[0].mlp.down_proj.weight.grad.abs().sum() > 0


def test_a_model_that_caps_its_logits_is_scored_by_its_own_forward():
    model = capped_model()
    expected = helpers.logprobs(model, [5, 6, 7], [8, 9, 10, 1], 0.5) + helpers.logprobs(model, [5], [30, 1])
    assert Scorer(model).logprobs(pack.tensors(rows())).tolist() == pytest.approx(expected, abs=1e-5)


def test_the_head_never_holds_more_than_a_chunk_of_logits():
    """Counted in the largest tensor that any operation of forward and backward makes: one row of 60 tokens."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Largest(TorchDispatchMode):
        size = 0

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            made = function(*args, **(kwargs or {}))
            for tensor in made if isinstance(made, list | tuple) else [made]:
                if isinstance(tensor, torch.Tensor):
                    Largest.size = max(Largest.size, tensor.numel())
            return made

    model = helpers.tiny_model(vocabulary=1000)
    given = batch.read_row(line(record("g", 0, [1.0] * 60)), "advantages")

    class Sum:
        needs_rows = False

        def __call__(self, logprobs_C, at):
            return logprobs_C.sum()

    scorer, micro = Scorer(model, chunk=8000), pack.tensors([given])
    with Largest():
        scorer.loss(micro, Sum())[0].backward()
    assert Largest.size == 1000 * 16  # the head's weight, which is more than the 8 tokens of a chunk
