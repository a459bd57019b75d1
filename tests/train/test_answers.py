"""What objective `sft` reads: whose tokens, which end, what is held out and what left out, and in which order."""

import pytest

from rcca_cli.errors import RccaError, RecordError
from rcca_cli.models.load import Policy
from rcca_cli.records import SCHEMA, text_only
from rcca_cli.train import answers, sft
from tests.models import tiny
from tests.train.helpers import lines

TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}"
    "{% if m['role'] == 'assistant' %}<|end|>{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


@pytest.fixture(scope="module")
def policy():
    tokenizer = tiny.byte_level()
    tokenizer.chat_template = TEMPLATE
    return Policy(tiny.llama(len(tokenizer)), tokenizer, "tiny")


def solution(group, text, index=0, **changes):
    """A record whose answer is known as text; `changes` go into the rollout."""
    task = {"prompt": [{"role": "user", "content": f"write {group}"}], "rubric": []}
    rollout = text_only(text, "stop", "synth:reference") | changes
    return {"schema": SCHEMA, "id": f"{group}/{index}", "group": group, "task": task, "rollout": rollout, "truth": []}


def read(records, policy, share=0.0):
    return answers.read(lines(records), policy, share)


def written(policy, ids):
    return "".join(policy.tokenizer.convert_ids_to_tokens(list(ids)))


def test_the_request_is_as_rollout_writes_it_and_the_answer_ends_its_turn(policy):
    (answer,) = read([solution("g", "<p>hé</p>")], policy).learned
    assert list(answer.prompt) == policy.prompt_ids([{"role": "user", "content": "write g"}])
    assert policy.decode(answer.tokens).text == "<p>hé</p>"
    assert answer.tokens[-1] in policy.end_ids
    assert sum(token in policy.end_ids for token in answer.tokens) == 1


def test_a_control_token_written_in_an_answer_is_text(policy):
    (answer,) = read([solution("g", "a<|end|>b")], policy).learned
    assert policy.decode(answer.tokens).text == "a<|end|>b"
    assert sum(token in policy.end_ids for token in answer.tokens) == 1


def test_an_answer_that_was_cut_off_does_not_learn_to_end_there(policy):
    (answer,) = read([solution("g", "<p>", finish_reason="length")], policy).learned
    assert answer.truncated
    assert not any(token in policy.end_ids for token in answer.tokens)


def test_tokens_that_are_the_policys_own_are_used_and_others_are_not(policy):
    spelt = [policy.tokenizer.convert_tokens_to_ids(letter) for letter in "the"]  # not as encode would
    own = {"prompt_ids": [3, 4], "tokens": [*spelt, 1], "tokenizer": policy.digest}
    (answer,) = read([solution("g", "the", **own)], policy).learned
    assert (list(answer.prompt), list(answer.tokens)) == ([3, 4], [*spelt, 1])
    for foreign in ("0123456789abcdef", None):
        theirs = own | {"tokens": [7, 7], "tokenizer": foreign}
        (answer,) = read([solution("g", "the", **theirs)], policy).learned
        assert list(answer.prompt) == policy.prompt_ids([{"role": "user", "content": "write g"}])
        assert policy.decode(answer.tokens).text == "the"
    (answer,) = read([solution("g", "the", **own | {"tokens": spelt, "tokenizer": None})], policy).learned
    assert list(answer.tokens) == [*spelt, 1]  # a server that leaves the end token out


def test_without_a_template_the_tokenizers_end_is_the_end():
    bare = Policy(tiny.llama(342), tiny.byte_level(), "bare")
    assert answers.end_of_turn(bare) == [1]


def test_the_end_is_the_templates_where_it_is_another_than_the_tokenizers(policy):
    tokenizer = tiny.byte_level()
    tokenizer.chat_template = TEMPLATE.replace("<|end|>", "<|user|>")
    chat = Policy(tiny.llama(len(tokenizer)), tokenizer, "chat")
    assert answers.end_of_turn(chat) == [1]  # it does not stop at <|user|>, so that is not its end
    chat = Policy(tiny.llama(len(tokenizer)), tokenizer, "chat")
    chat.model.generation_config.eos_token_id = [1, 2]
    assert answers.end_of_turn(chat) == [2]


def test_what_cannot_be_learned_is_left_out_and_counted(policy, capsys):
    fault = {"rubric": "r", "start": 0, "end": 1, "failure": "silent"}
    missing = solution("b", "x") | {"rollout": None}
    given = [solution("a", "fine"), missing, solution("c", "bug") | {"truth": [fault]}, solution("d", "x " * 80)]
    corpus = read(given, policy)
    assert [answer.id for answer in corpus.learned] == ["a/0"]
    corpus.say()
    said = capsys.readouterr().err
    for reason in ("could not be had", "faults known by `truth`", "longer than the model's 64 tokens"):
        assert f"1 left out ({reason})" in said
    with pytest.raises(RccaError, match=r"^no answers to learn from: 0 held out, 1 left out"):
        read(given[1:2], policy).say()


def test_a_letter_the_tokenizer_lacks_leaves_its_answer_out():
    tokenizer = tiny.metaspace()
    policy = Policy(tiny.llama(len(tokenizer)), tokenizer, "words")
    assert read([solution("a", "Ж")], policy).left_out == {"not to be spelt in this model's tokens": 1}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rollout": {"text": 3}}, r"^aligned\.jsonl:1: rollout"),
        ({"task": {"prompt": [], "rubric": []}}, r"task\.prompt: empty"),
    ],
)
def test_a_record_that_is_none_is_named(policy, change, message):
    with pytest.raises(RecordError, match=message):
        read([solution("g", "x") | change], policy)
    with pytest.raises(RecordError, match=r"rollout\.text: half a character"):
        read([solution("g", "\ud800")], policy)


def test_whole_groups_are_held_out_by_their_names_alone(policy):
    given = [solution(f"g{number}", "x", index) for number in range(100) for index in range(2)]
    corpus = read(given, policy, share=0.3)
    groups = {answer.id.partition("/")[0] for answer in corpus.held_out}
    assert 15 < len(groups) < 45
    assert len(corpus.held_out) == 2 * len(groups)
    assert not groups & {answer.id.partition("/")[0] for answer in corpus.learned}
    fewer = read(given[50:], policy, share=0.3)
    assert {answer.id for answer in fewer.held_out} <= {answer.id for answer in corpus.held_out}


def test_a_pass_uses_every_answer_once_in_steps_of_nearly_one_size(policy):
    learned = read([solution(f"g{number}", "x") for number in range(10)], policy).learned
    steps = list(sft.parts(learned, seed=0, first=1, size=4))
    assert sorted(map(len, steps)) == [3, 3, 4]
    assert sorted(answer.id for step in steps for answer in step) == sorted(answer.id for answer in learned)


def test_the_order_is_made_of_names_and_not_of_the_input(policy):
    learned = read([solution(f"g{number}", "x") for number in range(10)], policy).learned

    def order(learned, **names):
        return [answer.id for step in sft.parts(learned, size=4, **names) for answer in step]

    assert order(learned, seed=0, first=1) == order(learned[::-1], seed=0, first=1)
    assert order(learned, seed=0, first=1) != order(learned, seed=0, first=4)
    assert order(learned, seed=0, first=1) != order(learned, seed=1, first=1)
