"""The datums inside the installed Tinker SDK, and what its loss makes of them."""

import pytest
import torch

from rcca_cli.export import stage
from rcca_cli.train import batch
from rcca_cli.train.loop import Trainer
from rcca_cli.train.options import Options
from tests.train import helpers
from tests.train.helpers import lines, tiny_policy


@pytest.fixture(scope="module")
def door():
    pytest.importorskip("tinker", reason="tinker is not installed: the door to Tinker is NOT tested")
    from rcca_cli.export import tinker

    return tinker


@pytest.fixture
def exported(tmp_path):
    """Records of three groups, and the file of them with two groups a step."""
    given = helpers.random_records(3, 3, seed=2, model=helpers.tiny_model())
    path = tmp_path / "steps.jsonl"
    path.write_bytes(b"".join(stage.run(lines(given), stage.Options("tinker", groups_per_step=2))))
    return given, str(path)


def test_a_step_is_a_list_of_datums_with_all_lists_of_one_length(door, exported):
    import tinker

    found = list(door.steps(exported[1]))
    assert [len(step) for step in found] == [6, 3]
    for datum in (datum for step in found for datum in step):
        assert isinstance(datum, tinker.Datum)
        assert {name: data.dtype for name, data in datum.loss_fn_inputs.items()} == {
            "target_tokens": "int64",
            "logprobs": "float32",
            "advantages": "float32",
        }
        assert {len(data.data) for data in datum.loss_fn_inputs.values()} == {datum.model_input.length}


def test_the_gradient_of_tinkers_sum_is_that_of_rcca_train(door, exported):
    """Its importance_sampling loss, -sum exp(l - l_sampler) A, on these datums by our own model."""
    given, path = exported
    model = helpers.tiny_model()
    total = torch.zeros(())
    for datum in next(door.steps(path)):
        inputs = {name: torch.tensor(data.data) for name, data in datum.loss_fn_inputs.items()}
        logits_TV = model(torch.tensor([datum.model_input.to_ints()])).logits[0]
        logprobs_T = logits_TV.log_softmax(-1).gather(1, inputs["target_tokens"][:, None]).squeeze(1)
        total = total - ((logprobs_T - inputs["logprobs"]).exp() * inputs["advantages"]).sum()
    total.backward()
    own = Trainer(tiny_policy(), Options(max_grad_norm=1e9))
    own.learn(list(batch.groups(lines(given[:6]), "advantages")))
    theirs = torch.cat([dict(model.named_parameters())[name].grad.flatten() for name in own.parameters])
    ours = torch.cat([weight.grad.flatten() for weight in own.parameters.values()])
    assert float((theirs - ours).norm() / ours.norm()) < 1e-5
