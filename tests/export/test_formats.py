"""What each format holds, worked out by hand, and that it reads back."""

import io

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rcca_cli.errors import RccaError, RecordError
from rcca_cli.export import stage
from rcca_cli.export.row import Counts
from tests.train.helpers import lines, record

TOKENS = {"prompt": [7, 8, 9], "tokens": [4, 5], "old": [-0.5, -1.5]}


def exported(records, to, **options):
    return b"".join(stage.run(lines(records), stage.Options(to, **options)))


def rows(records, to, **options):
    return [orjson.loads(line) for line in exported(records, to, **options).splitlines()]


def two():
    return [record("g", 0, [0.5, -1.0], **TOKENS), record("g", 1, [2.0, 0.0], **TOKENS)]


def test_tinker_asks_each_position_for_the_next_token():
    first, second = rows(two(), "tinker")
    assert first["input_tokens"] == [7, 8, 9, 4]
    assert first["target_tokens"] == [8, 9, 4, 5]
    assert first["logprobs"] == [0, 0, -0.5, -1.5]
    assert first["advantages"] == [0, 0, 0.125, -0.25]  # over the 4 sampled tokens of the step
    assert second["advantages"] == [0, 0, 0.5, 0]
    assert (first["step"], first["tokens_in_step"]) == (0, 4)


def test_tinkers_steps_are_of_so_many_groups_and_each_has_its_own_count():
    records = [record(f"g{index}", 0, [1.0] * (index + 1), prompt=[3], old=[-1.0] * (index + 1)) for index in range(5)]
    found = rows(records, "tinker", groups_per_step=2)
    assert [row["step"] for row in found] == [0, 0, 1, 1, 2]
    assert [row["tokens_in_step"] for row in found] == [3, 3, 7, 7, 5]


@settings(max_examples=30)
@given(st.lists(st.lists(st.floats(-5, 5), min_size=1, max_size=6), min_size=1, max_size=9), st.integers(1, 4))
def test_the_sum_over_a_step_of_tinker_is_the_mean_over_its_tokens(credit, groups_per_step):
    records = [record(f"g{i}", 0, numbers, old=[-1.0] * len(numbers)) for i, numbers in enumerate(credit)]
    found = rows(records, "tinker", groups_per_step=groups_per_step)
    for step in range(0, len(credit), groups_per_step):
        some = [number for numbers in credit[step : step + groups_per_step] for number in numbers]
        told = [sum(row["advantages"]) for row in found if row["step"] == step // groups_per_step]
        assert sum(told) == pytest.approx(sum(some) / len(some), abs=1e-9)


def test_verifiers_has_credit_on_the_answers_node_over_sampled_tokens_alone():
    episode = rows(two(), "verifiers")[0]
    prompt, answer = episode["traces"][0]["nodes"]
    assert (prompt["token_ids"], prompt["mask"]) == ([7, 8, 9], [False] * 3)
    assert (answer["token_ids"], answer["mask"]) == ([4, 5], [True] * 2)
    assert (answer["logprobs"], answer["advantages"]) == ([-0.5, -1.5], [0.5, -1.0])
    assert (answer["parent"], answer["sampled"]) == (0, True)
    assert episode["group"] == {"id": "g"}
    assert episode["traces"][0]["rewards"] == {"rcca": {"score": 0.5, "weight": 1.0}}


def test_prime_rl_has_credit_at_the_token_itself_and_nothing_in_the_prompt():
    msgpack = pytest.importorskip("msgpack", reason="msgpack is not installed: the export to prime-rl is NOT tested")
    first, second = msgpack.Unpacker(io.BytesIO(exported(two(), "prime-rl")))
    assert first["token_ids"] == [7, 8, 9, 4, 5]
    assert first["mask"] == [False, False, False, True, True]
    assert first["logprobs"] == [0, 0, 0, -0.5, -1.5]
    assert first["advantages"] == [0, 0, 0, 0.5, -1.0]
    assert first["temperatures"] == [1.0] * 5
    assert second["advantages"] == [0, 0, 0, 2.0, 0]


def test_verls_parquet_reads_back_and_its_types_do_not_depend_on_the_rows():
    import pyarrow.parquet

    known, unknown = two(), [value | {"judge": None} for value in two()]
    tables = [pyarrow.parquet.read_table(io.BytesIO(exported(some, "verl"))) for some in (known, unknown, [])]
    assert len({str(table.schema) for table in tables}) == 1
    own = [row["extra_info"] for row in tables[0].to_pylist()]
    assert [row["token_advantages"] for row in own] == [[0.5, -1.0], [2.0, 0.0]]
    assert (own[0]["prompt_ids"], own[0]["response_ids"]) == ([7, 8, 9], [4, 5])
    assert [row["index"] for row in own] == [0, 1]
    assert tables[1].to_pylist()[0]["extra_info"]["reward"] is None
    assert tables[2].num_rows == 0


def test_weights_are_handed_to_trl_as_they_are_and_multiplied_for_the_others():
    records = [record("g", 0, [3.0, 1.0], weights=[1.5, 0.5], mode="paper", **TOKENS)]
    assert rows(records, "trl", credit="weights")[0]["token_weights"] == [[1.5, 0.5]]
    assert "token_advantages" not in rows(records, "trl", credit="weights")[0]
    assert rows(records, "tinker", credit="weights")[0]["advantages"] == [0, 0, 1.5, 0.5]  # 2.0 w / 2


@pytest.mark.parametrize("to", [name for name in stage.FORMATS if name != "prime-rl"])
def test_weights_of_mode_rubric_are_refused(to):
    with pytest.raises(RecordError, match="use --credit advantages"):
        exported([record("g", 0, [1.0, 2.0], mode="rubric", **TOKENS)], to, credit="weights")


def test_what_could_not_be_scored_or_had_is_left_out_and_counted():
    counts = Counts()
    unanswered = record("g", 3, [1.0]) | {"rollout": None}
    given = [*two(), record("g", 2, None), unanswered, record("h", 0, None)]
    found = [orjson.loads(line) for line in stage.run(lines(given), stage.Options("trl"), counts)]
    assert [row["ids"] for row in found] == [["g/0", "g/1"]]
    assert (counts.rows, counts.unscored, counts.unanswered) == (2, 2, 1)


def test_a_log_probability_that_is_null_costs_the_row_its_own_and_no_call():
    (found,) = rows([record("g", 0, [1.0, 1.0], tokens=[4, 5], old=[None, -1.5])], "trl")
    assert found["logprobs"] == [[]]


def test_log_probabilities_that_cannot_be_repeated_are_not_handed_on():
    greedy = record("g", 0, [1.0, 1.0], sampling={"temperature": 0.0}, **TOKENS)
    cut = record("h", 0, [1.0, 1.0], logprobs_basis="truncated", **TOKENS)
    raw = record("i", 0, [1.0, 1.0], logprobs_basis="raw", sampling={"temperature": 0.7}, **TOKENS)
    found = rows([greedy, cut, raw], "trl")
    assert [row["logprobs"] for row in found] == [[[]], [[]], [[-0.5, -1.5]]]
    assert [row["temperature"] for row in found] == [1.0, 1.0, 1.0]
    for value, message in (
        (cut, "tinker needs the sampler's"),
        (record("g", 0, [1.0], sampling={"temperature": 0.7}, old=[-1.0]), "Tinker's are at 1"),
    ):
        with pytest.raises(RecordError, match=message):
            exported([value], "tinker")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"advantages": [1.0]}, "align.advantages: 1 numbers for 2 tokens"),
        ({"logprobs": [-1.0]}, "rollout.logprobs: 1 numbers for 2 tokens"),
        ({"prompt_ids": []}, "rollout.prompt_ids: empty"),
    ],
)
def test_lists_of_another_length_are_named(changes, message):
    value = record("g", 0, [1.0, 2.0], **TOKENS)
    for part in ("rollout", "align"):
        value[part] |= {key: given for key, given in changes.items() if key in value[part]}
    with pytest.raises(RecordError, match=f"aligned.jsonl:1: {message}"):
        exported([value], "trl")


def test_groups_and_tokenizers_that_mix_are_refused():
    mixed = [two()[0], record("h", 0, [1.0]), two()[1]]
    with pytest.raises(RecordError, match=r"aligned.jsonl:3: group: g came before"):
        exported(mixed, "trl")
    with pytest.raises(RecordError, match=r"aligned.jsonl:2: id: g/0 came before"):
        exported([two()[0], two()[0]], "trl")
    given = two()
    for value, digest in zip(given, ("aa", "bb"), strict=True):
        value["rollout"]["tokenizer"] = digest
    with pytest.raises(RecordError, match="tokenizer: bb after aa"):
        exported(given, "trl")


def test_a_format_or_credit_that_is_not_there_is_named():
    with pytest.raises(RccaError, match="--to: 'slime' is not one of trl, verl, prime-rl, verifiers, tinker"):
        stage.Options("slime")
    with pytest.raises(RccaError, match="--credit"):
        stage.Options("trl", "both")


@pytest.mark.parametrize("to", ["trl", "verl", "verifiers", "tinker"])
@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("judge", {"reward": "x"}, "judge.level: field required"),
        ("judge", "x", "judge: input should be an object"),
        ("rollout", {"tokens": [4, 5, 2**63]}, "rollout.tokens.2: 9223372036854775808 is no token's id"),
        ("rollout", {"tokens": [4, -1, 5]}, "rollout.tokens.1: -1 is no token's id"),
        ("rollout", {"text": "a\ud800"}, "rollout.text: half a character"),
        ("id", "\ud800", "id: half a character"),
    ],
)
def test_what_no_trainer_could_read_is_named_with_its_line(to, part, value, message):
    given = record("g", 0, [1.0, 1.0, 1.0], old=[-1.0] * 3)
    given[part] = given[part] | value if part == "rollout" else value
    with pytest.raises(RecordError, match=rf"^aligned\.jsonl:1: {message}"):
        list(stage.run(lines([given]), stage.Options(to)))
