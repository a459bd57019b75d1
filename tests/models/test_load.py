import re

import pytest
from safetensors.torch import load_file, save_file

from rcca_cli import models
from rcca_cli.errors import RccaError
from rcca_cli.models.save import save
from tests.models import tiny


def test_a_saved_policy_comes_back_the_same(tmp_path):
    policy = tiny.policy()
    policy.model.save_pretrained(tmp_path)
    policy.tokenizer.save_pretrained(tmp_path)
    again = models.load(str(tmp_path))
    assert (again.digest, again.context, again.end_ids) == (policy.digest, 64, frozenset({1}))
    assert again.name == str(tmp_path)


def test_without_a_chat_template_the_roles_are_plain_words():
    policy = tiny.policy()
    ids = policy.prompt_ids([{"role": "user", "content": "A timer"}])
    assert policy.decode(ids).text == "user\nA timer\nassistant\n"


def test_a_chat_template_is_used_as_it_is():
    policy = tiny.policy()
    policy.tokenizer.chat_template = "{% for m in messages %}<|user|>{{ m['content'] }}{% endfor %}<|assistant|>"
    ids = policy.prompt_ids([{"role": "user", "content": "A timer"}])
    assert [ids[0], ids[-1]] == policy.tokenizer.convert_tokens_to_ids(["<|user|>", "<|assistant|>"])


@pytest.mark.parametrize("name", ["./nowhere", "/no/such/folder", "a/b/c"])
def test_a_folder_that_is_not_there_is_named(name):
    with pytest.raises(RccaError, match=f"{name}: no such folder"):
        models.load(name)


def test_a_folder_without_a_model_says_so(tmp_path):
    with pytest.raises(RccaError, match=r"no config\.json there"):
        models.load(str(tmp_path))


def test_a_tokenizer_needs_no_weights(tmp_path):
    tiny.byte_level().save_pretrained(tmp_path)
    assert models.load_tokenizer(str(tmp_path)).split("x != y")[1].text == "x != y"


def test_a_folder_without_a_tokenizer_says_so(tmp_path):
    with pytest.raises(RccaError, match=r"no tokenizer_config\.json there"):
        models.load_tokenizer(str(tmp_path))


@pytest.mark.slow  # the hub is asked again and again, in real time
def test_a_hub_name_without_a_network_says_what_to_do(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(RccaError, match=r"cannot load model 'nobody/nothing-7b'.*hub cannot be reached"):
        models.load("nobody/nothing-7b")


def save_changed(folder, change):
    """A saved policy whose weights were changed on the disk."""
    save(tiny.policy(), folder)
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


DOWN = "model.layers.1.mlp.down_proj.weight"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda weights: weights.pop(DOWN), f"its files lack the weight {DOWN}"),  # else it would be drawn at random
        (lambda weights: weights.update({DOWN: weights[DOWN][:3].clone()}), "ignore_mismatched_sizes"),
    ],
)
def test_weights_that_are_not_those_of_the_model_are_refused(tmp_path, change, said):
    save_changed(tmp_path, change)
    with pytest.raises(RccaError, match=f"^cannot load model '.*': .*{re.escape(said)}"):
        models.load(str(tmp_path))


@pytest.mark.parametrize(
    ("file", "content"),
    [("model.safetensors", b"torn"), ("config.json", b"[]"), ("tokenizer.json", b"[]"), ("tokenizer.json", b"{")],
)
def test_whatever_a_torn_folder_makes_of_a_library_is_one_line(tmp_path, file, content):
    save(tiny.policy(), tmp_path)
    (tmp_path / file).write_bytes(content)
    with pytest.raises(RccaError, match=r"^cannot load model '.*': ."):
        models.load(str(tmp_path))


REFUSING = ("{{ raise_exception('no system role') }}", "{% if %}", "{{ messages[5].content }}", "{{ '' }}")


@pytest.mark.parametrize("template", REFUSING)
def test_a_chat_template_that_will_not_have_the_conversation_is_named(template):
    policy = tiny.policy()
    policy.tokenizer.chat_template = template
    with pytest.raises(RccaError, match=r"^the chat template of tiny: "):
        policy.prompt_ids([{"role": "user", "content": "A timer"}])


def test_a_device_without_numbers_is_refused(tmp_path):
    save(tiny.policy(), tmp_path)
    with pytest.raises(RccaError, match="cannot use device 'meta'"):
        models.load(str(tmp_path), "meta")
