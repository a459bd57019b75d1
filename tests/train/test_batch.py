import pytest
import torch

from rcca_cli.errors import RecordError
from rcca_cli.train import batch, pack
from tests.train.helpers import line, lines, record


def row(advantages, **changes):
    return batch.read_row(line(record("g", 0, advantages, **changes)), "advantages")


def test_advantages_are_taken_as_they_are():
    assert row([0.5, -1.0, 0.0]).advantages == [0.5, -1.0, 0.0]


def test_weights_multiply_the_advantage_of_the_sequence():
    given = record("g", 0, [9.0, 9.0], advantage=-2.0, weights=[3.0, 1.5], mode="paper")
    assert batch.read_row(line(given), "weights").advantages == [-6.0, -3.0]


def test_a_weight_below_zero_is_refused():
    given = record("g", 0, [9.0, 9.0], weights=[3.0, -1.5], mode="paper")
    with pytest.raises(RecordError, match=r"^aligned\.jsonl:1: align\.weights: -1\.5, and a weight is at least 0"):
        batch.read_row(line(given), "weights")


def test_weights_are_refused_where_only_advantages_know_the_sign():
    with pytest.raises(RecordError, match=r"^aligned\.jsonl:1: align\.weights: .* --credit advantages"):
        batch.read_row(line(record("g", 0, [1.0], mode="rubric")), "weights")


def test_a_row_that_could_not_be_scored_is_not_a_row_of_zeros():
    groups = list(batch.groups(lines([record("g", 0, None), record("g", 1, [1.0])]), "advantages"))
    assert [len(group.rows) for group in groups] == [1]
    assert [len(group.lines) for group in groups] == [2]


def test_an_answer_that_could_not_be_had_is_no_row():
    missing = record("g", 0, [1.0]) | {"rollout": None, "error": "the server is down"}
    assert batch.read_row(line(missing), "advantages") is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tokens": [], "advantages": []}, "rollout.tokens: empty"),
        ({"advantages": [1.0, 2.0]}, "align.advantages: 2 numbers for 3 tokens"),
        ({"old": [-1.0]}, "rollout.logprobs: 1 numbers for 3 tokens"),
    ],
)
def test_lists_that_do_not_fit_are_named_with_their_line(changes, message):
    given = record("g", 0, [1.0, 2.0, 3.0])
    for key, value in changes.items():
        part = {"tokens": "rollout", "old": "rollout", "advantages": "align"}[key]
        given[part]["logprobs" if key == "old" else key] = value
    with pytest.raises(RecordError, match=f"^aligned.jsonl:1: {message}"):
        batch.read_row(line(given), "advantages")


def test_a_group_that_comes_back_is_an_error():
    records = [record(name, index, [1.0]) for index, name in enumerate("aba")]
    with pytest.raises(RecordError, match=r"^aligned\.jsonl:3: group: a came before"):
        list(batch.groups(lines(records), "advantages"))


@pytest.mark.parametrize(
    ("basis", "temperature", "old", "used"),
    [
        ("temperature", 0.7, [-1.0], 0.7),
        ("raw", 0.7, [-1.0], 1.0),
        ("truncated", 0.7, None, 0.7),
        (None, 0.7, None, 0.7),
        ("truncated", 0.0, None, 1.0),
        ("temperature", None, [-1.0], 1.0),
    ],
)
def test_old_logprobs_are_used_by_their_basis(basis, temperature, old, used):
    given = row([1.0], old=[-1.0], logprobs_basis=basis, sampling={"temperature": temperature})
    assert (given.old, given.temperature) == (old, used)


@pytest.mark.parametrize("temperature", ["hot", True, [1.0], 10**400, -1.0, 1e-300])
def test_a_temperature_that_is_none_is_named_with_its_line(temperature):
    with pytest.raises(RecordError, match=r"^aligned\.jsonl:1: rollout\.sampling\.temperature: expected a number"):
        row([1.0], sampling={"temperature": temperature})


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("align", "advantages", [1e308]),
        ("align", "advantage", 10**400),
        ("rollout", "logprobs", [-1e308]),
        ("judge", "reward", -1e308),
    ],
)
def test_a_number_that_cannot_be_reckoned_with_is_named_with_its_line(part, key, value):
    given = record("g", 0, [1.0])
    given[part][key] = value
    with pytest.raises(RecordError, match=rf"^aligned\.jsonl:1: {part}\.{key}[.0]*: input should be"):
        batch.read_row(line(given), "advantages")


def test_the_ramp_goes_from_the_sequences_advantage_to_the_tokens_own():
    given = row([3.0, -1.0], advantage=1.0)
    assert batch.ramped(given, 0.0).advantages == [1.0, 1.0]
    assert batch.ramped(given, 0.25).advantages == [1.5, 0.5]
    assert batch.ramped(given, 1.0).advantages == [3.0, -1.0]


def test_a_row_ends_behind_its_last_credit_but_counts_whole():
    cut = row([0.0, 2.0, 0.0, 0.0], old=[-1.0, -2.0, -3.0, -4.0]).sparse()
    assert (cut.tokens, list(cut.scored), cut.counted) == ([4, 5], [1], 4)
    assert pack.flat([cut], "old").tolist() == [-2.0]
    assert row([0.0, 0.0]).sparse().tokens == []


def test_micro_batches_keep_to_the_budget_and_lose_no_row():
    rows = [row([1.0] * count) for count in (9, 1, 5, 5, 2, 30)]  # with the prompt: 10, 2, 6, 6, 3, 31 positions
    parts = pack.micro_batches(rows, budget=12)
    assert [[part.length for part in rows] for rows in parts] == [[31], [10], [6, 6], [3, 2]]
    assert [len(rows) for rows in pack.micro_batches(rows, budget=0)] == [1] * 6


def test_what_is_trained_on_is_the_prompt_and_the_tokens_as_they_were():
    """No chat template and no tokenizer stands between: a think block, a stop token, anything stays where it was."""
    given = row([1.0, 1.0, 1.0], prompt=[9, 2, 7], tokens=[5, 1, 5])
    micro = pack.tensors([given])
    read = [*micro.ids_T.tolist(), int(micro.labels_N[-1])]
    assert read == [9, 2, 7, 5, 1, 5]


def test_scored_positions_are_those_before_each_sampled_token():
    rows = [row([1.0, 1.0], prompt=[2, 3, 4], tokens=[5, 6]), row([1.0], prompt=[7], tokens=[8])]
    micro = pack.tensors(rows)
    assert micro.ids_T.tolist() == [2, 3, 4, 5, 7]  # the last token of a row is only ever predicted
    assert micro.positions_T.tolist() == [0, 1, 2, 3, 0]
    assert micro.places_N.tolist() == [2, 3, 4]
    assert micro.labels_N.tolist() == [5, 6, 8]
    assert micro.rows_N.tolist() == [0, 0, 1]
    assert pack.split(torch.tensor([1.0, 2.0, 3.0]), rows) == [[1.0, 2.0], [3.0]]
    assert pack.tensors(rows[:1]).positions_T is None


def test_a_logprob_that_is_not_known_makes_all_of_its_row_unknown():
    """F6: an engine that wrote null for one token; what is made of a NaN is never a weight."""
    given = row([1.0, 1.0], old=[-1.0, None])
    assert given.old is None


def test_tokens_that_spell_the_same_keep_their_own_credit():
    """Credit is by place in the ids that were sampled; nothing is decoded and split again on the way."""
    one, other = row([1.0, 2.0, 3.0], tokens=[4, 5, 6]), row([3.0], tokens=[9])
    assert pack.flat([one, other], "advantages").tolist() == [1.0, 2.0, 3.0, 3.0]
    assert pack.tensors([one, other]).labels_N.tolist() == [4, 5, 6, 9]


def test_a_record_that_is_there_twice_is_an_error():
    with pytest.raises(RecordError, match=r"^aligned\.jsonl:2: id: g/0 came before"):
        list(batch.groups(lines([record("g", 0, [1.0]), record("g", 0, [1.0])]), "advantages"))


def test_probabilities_in_the_place_of_their_logarithms_are_an_error():
    with pytest.raises(RecordError, match=r"^aligned\.jsonl:1: rollout\.logprobs\.1: 0\.7, and the logarithm"):
        row([1.0, 1.0], old=[-1e-7, 0.7])
