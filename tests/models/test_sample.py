import pytest
import torch

from rcca_cli.errors import RccaError
from rcca_cli.models import llama, score
from rcca_cli.models.cache import CachedModel
from rcca_cli.models.choice import Sampling, choose, truncated
from rcca_cli.models.sample import sample as stream
from tests.models import tiny

PROMPTS = [[5, 6, 7], [8, 9, 10, 11, 12, 13], [14]]
SHORT = Sampling(max_new_tokens=20)


def sample(*args, **more):
    return list(stream(*args, **more))


@pytest.mark.parametrize("key_heads", [1, 2, 4])
def test_the_lean_decoder_says_what_transformers_says(key_heads):
    model = tiny.llama(100, key_heads)
    both = []
    for decoder in (llama.Decoder(model, 6), CachedModel(model, 6)):
        steps = []

        def join(prompt, copies, decoder=decoder, steps=steps):
            (prefix,) = decoder.read([prompt])
            steps.append(prefix.logits_V[None])
            for _ in range(copies):
                decoder.join(prefix)

        with torch.inference_mode():
            for prompt, copies in zip(PROMPTS, [2, 1, 3], strict=True):
                join(prompt, copies)
            steps += [decoder.write(torch.arange(6) + 20 + place) for place in range(4)]
            decoder.keep(torch.tensor([0, 2, 5]))
            steps += [decoder.write(torch.arange(3) + 40 + place) for place in range(4)]
            join(list(range(30, 45)), 1)
            steps += [decoder.write(torch.arange(4) + 50 + place) for place in range(4)]
            decoder.keep(torch.tensor([], dtype=torch.long))
            join([7, 8], 2)
            steps += [decoder.write(torch.tensor([9, 10]))]
        both.append(torch.cat([logits_BV.log_softmax(-1) for logits_BV in steps]))
    torch.testing.assert_close(both[0], both[1], atol=2e-5, rtol=0)


def test_the_lean_decoder_leaves_other_models_alone():
    assert llama.fits(tiny.llama(100))
    assert not llama.fits(tiny.llama(100, rope_parameters={"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1e4}))
    assert not llama.fits(tiny.gpt2(100))


@pytest.mark.parametrize("make", [tiny.llama, tiny.gpt2])
@pytest.mark.parametrize("temperature", [1.0, 0.7])
def test_log_probabilities_are_those_of_the_model_itself(make, temperature):
    policy = tiny.policy(make(100))
    sampling = Sampling(temperature=temperature, top_k=20, max_new_tokens=20)
    groups = sample(policy, PROMPTS, [[1, 2], [3], [4]], sampling)
    for prompt, answers in zip(PROMPTS, groups, strict=True):
        for answer in answers:
            again = score.logprobs(policy, prompt, answer.tokens, temperature)
            assert answer.logprobs == pytest.approx(again, abs=1e-5)


@pytest.mark.parametrize("make", [tiny.llama, tiny.gpt2])
def test_an_answer_does_not_depend_on_what_is_sampled_beside_it(make):
    policy = tiny.policy(make(100))
    together = sample(policy, PROMPTS, [[1, 2, 3], [4, 5], [6]], SHORT)
    alone = sample(policy, PROMPTS[1:2], [[5]], SHORT)[0][0]
    assert together[1][1].tokens == alone.tokens
    assert together[1][1].logprobs == pytest.approx(alone.logprobs, abs=1e-5)


def test_seeds_tell_answers_apart_and_repeat_them():
    policy = tiny.policy()
    first, second, again = sample(policy, PROMPTS[:1], [[1, 2, 1]], SHORT)[0]
    assert first == again
    assert first.tokens != second.tokens


def test_an_answer_ends_with_its_end_token_or_when_it_is_full():
    policy = tiny.policy(tiny.llama(12))
    answers = sample(policy, [[5, 6]], [list(range(40))], Sampling(max_new_tokens=10))[0]
    for answer in answers:
        assert len(answer.tokens) == len(answer.logprobs) <= 10
        assert 1 not in answer.tokens[:-1]
        assert answer.finish_reason == ("stop" if answer.tokens[-1] == 1 else "length")
    assert {answer.finish_reason for answer in answers} == {"stop", "length"}


def test_an_answer_stops_where_the_context_does():
    policy = tiny.policy(tiny.llama(100))
    policy.end_ids = frozenset()
    short, long = sample(policy, [[5] * 60, [5] * 3], [[1], [1]], Sampling())
    assert (len(short[0].tokens), len(long[0].tokens)) == (4, 61)


def test_greedy_takes_the_likeliest_token():
    policy = tiny.policy()
    answer = sample(policy, PROMPTS[:1], [[1]], Sampling(temperature=0, max_new_tokens=5))[0][0]
    with torch.no_grad():
        logits_TV = policy.model(torch.tensor([[*PROMPTS[0], *answer.tokens]])).logits[0]
    assert logits_TV.argmax(-1)[2:-1].tolist() == answer.tokens


def test_draws_follow_the_probabilities():
    logits_BV = torch.tensor([0.5, 0.2, 0.3]).log().expand(5, 3)
    draws_B = torch.tensor([0.0, 0.49, 0.51, 0.69, 0.71], dtype=torch.float64)
    chosen_B, logprobs_B = choose(logits_BV, draws_B, Sampling())
    assert chosen_B.tolist() == [0, 0, 1, 1, 2]
    torch.testing.assert_close(logprobs_B.exp(), torch.tensor([0.5, 0.5, 0.2, 0.2, 0.3]))


def test_truncation_keeps_the_likeliest_and_the_recorded_probability_is_of_all():
    logits_BV = torch.tensor([[0.5, 0.2, 0.3]]).log()
    last = torch.tensor([0.999], dtype=torch.float64)
    for sampling in (Sampling(top_k=2), Sampling(top_p=0.7)):
        assert truncated(logits_BV, sampling).isfinite().tolist() == [[True, False, True]]
        chosen_B, logprob_B = choose(logits_BV, last, sampling)
        assert (chosen_B.item(), round(logprob_B.exp().item(), 6)) == (2, 0.3)
    assert truncated(logits_BV, Sampling(top_p=0.01)).isfinite().tolist() == [[True, False, False]]


def test_who_has_finished_makes_room_for_the_next_and_nothing_else_changes():
    for make in (tiny.llama, tiny.gpt2):
        policy = tiny.policy(make(16))  # few tokens, so that many answers end early
        seeds = [[1, 2, 3, 4, 5], [6, 7], [8, 9, 10]]
        together = sample(policy, PROMPTS, seeds, SHORT)
        for rows in (1, 3):
            again = sample(policy, PROMPTS, seeds, SHORT, rows)
            for group, others in zip(together, again, strict=True):
                for answer, other in zip(group, others, strict=True):
                    assert (answer.tokens, answer.finish_reason) == (other.tokens, other.finish_reason)
                    assert answer.logprobs == pytest.approx(other.logprobs, abs=1e-5)


def test_a_prompt_is_read_once_for_its_group_and_no_more_rows_are_written_than_asked_for():
    model = tiny.gpt2(16)
    shapes = []
    model.register_forward_pre_hook(
        lambda _model, _args, named: shapes.append(tuple(named["input_ids"].shape)), with_kwargs=True
    )
    sample(tiny.policy(model), PROMPTS, [[1, 2, 3, 4], [5, 6], [7, 8]], SHORT, rows=3)
    assert [shape for shape in shapes if shape[1] > 1 or shape == (1, 1)][:3] == [(1, 3), (1, 6), (1, 1)]
    assert sum(shape[1] > 1 for shape in shapes) == 2
    assert max(rows for rows, _ in shapes) == 3


def test_a_group_leaves_before_the_next_is_begun():
    policy = tiny.policy()
    policy.end_ids = frozenset()
    asked = []
    groups = stream(policy, PROMPTS, [[1], [2], [3]], SHORT, 1, lambda prompt, _: asked.append(len(prompt)))
    assert len(next(groups)[0].tokens) == 20
    assert set(asked) == {len(PROMPTS[0])}


@pytest.mark.parametrize("kind", sorted(tiny.OTHERS))
def test_models_of_every_kind_are_sampled_as_they_score(kind):
    policy = tiny.policy(tiny.other(kind))
    policy.tokenizer.pad_token = None
    groups = sample(policy, [*PROMPTS, list(range(20, 32))], [[1, 2], [3], [4], [5]], SHORT, 2)
    prompts = [*PROMPTS, list(range(20, 32))]
    assert llama.fits(policy.model) == (kind in tiny.LEAN)
    for prompt, answers in zip(prompts, groups, strict=True):
        for answer in answers:
            close = 1e-3 if kind == "states alone" else 1e-5  # a scan in steps of one adds up in another order
            assert answer.logprobs == pytest.approx(score.logprobs(policy, prompt, answer.tokens), abs=close)


def test_a_vocabulary_of_several_blocks_is_searched_as_a_whole():
    torch.manual_seed(0)
    logits_BV = torch.randn(50, 1000) * 3
    draws_B = torch.rand(50, dtype=torch.float64)
    sums_BV = logits_BV.double().softmax(-1).cumsum(-1)
    chosen_B, logprobs_B = choose(logits_BV, draws_B, Sampling())
    assert chosen_B.tolist() == [int((sums > draw).nonzero()[0]) for sums, draw in zip(sums_BV, draws_B, strict=True)]
    torch.testing.assert_close(logprobs_B, logits_BV.log_softmax(-1).gather(-1, chosen_B[:, None])[:, 0])
    assert choose(logits_BV, draws_B, Sampling(temperature=0))[0].tolist() == logits_BV.argmax(-1).tolist()


@pytest.mark.parametrize("top_p", [0.0, 1e-300, 1e-9])
def test_the_likeliest_token_stays_however_little_mass_is_wanted(top_p):
    policy = tiny.policy()
    greedy, least = (
        next(stream(policy, [[5, 6]], [[1]], Sampling(max_new_tokens=6, **more)))[0].tokens
        for more in ({"temperature": 0.0}, {"top_p": top_p})
    )
    assert least == greedy


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_model_whose_weights_are_no_numbers_is_named(temperature):
    policy = tiny.policy()
    policy.model.lm_head.weight.data.fill_(float("nan"))
    with pytest.raises(RccaError, match="tiny: its logits are not numbers"):
        list(stream(policy, [[5, 6]], [[1]], Sampling(temperature=temperature, max_new_tokens=6)))
