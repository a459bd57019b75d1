import pytest

from rcca_cli import models
from rcca_cli.errors import RccaError
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
