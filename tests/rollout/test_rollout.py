import pytest

from rcca_cli.errors import RccaError, RecordError
from rcca_cli.rollout.stage import Options, open_backend, run
from tests.models import tiny
from tests.rollout.tasks import KEYS, collect, lines, task

TASKS = [task("a"), task("b", "Make a clock with hands"), task("c", "Quiz")]


def sampled(**options):
    options = Options(model="tiny", max_new_tokens=12, **options)
    return list(run(lines(*TASKS), options, open_backend(options, tiny.policy())))


def test_groups_are_adjacent_and_in_the_order_of_the_input():
    assert [record["id"] for record in sampled(group_size=2)] == ["a/0", "a/1", "b/0", "b/1", "c/0", "c/1"]


def test_a_rollout_says_all_that_training_needs():
    policy = tiny.policy()
    rollout = sampled()[0]["rollout"]
    assert set(rollout) == KEYS
    assert rollout["prompt_ids"] == policy.prompt_ids(TASKS[0]["task"]["prompt"])
    assert len(rollout["tokens"]) == len(rollout["offsets"]) == len(rollout["logprobs"])
    assert rollout["text"] == policy.decode(rollout["tokens"]).text
    assert (rollout["logprobs_basis"], rollout["tokenizer"], rollout["model"]) == ("temperature", policy.digest, "tiny")
    assert rollout["sampling"] == {
        "temperature": 1.0,
        "top_p": 1.0,
        "top_k": 0,
        "min_p": 0.0,
        "repetition_penalty": 1.0,
        "max_new_tokens": 12,
        "stop": None,
    }
    assert rollout["thought_end"] == 0


@pytest.mark.parametrize("other", [{"window": 1}, {"window": 3}, {"group_size": 4}])
def test_an_answer_is_the_same_in_any_window_and_group(other):
    here = {record["id"]: record["rollout"] for record in sampled(group_size=2, window=2)}
    there = {record["id"]: record["rollout"] for record in sampled(**{"group_size": 2, **other})}
    for name in here:
        assert here[name]["tokens"] == there[name]["tokens"]
        assert here[name]["logprobs"] == pytest.approx(there[name]["logprobs"], abs=1e-5)


def test_another_seed_gives_other_answers():
    first, second = sampled(seed=1), sampled(seed=2)
    assert [record["rollout"]["tokens"] for record in first] != [record["rollout"]["tokens"] for record in second]


def test_a_window_leaves_before_the_next_is_read():
    options = Options(model="tiny", max_new_tokens=4, window=2)
    read = []

    def feed():
        for line in lines(*TASKS):
            read.append(line)
            yield line

    first = next(run(feed(), options, open_backend(options, tiny.policy())))
    assert (first["id"], len(read)) == ("a/0", 2)


def test_what_later_stages_said_of_another_answer_is_dropped_and_unknown_keys_stay():
    options = Options(model="tiny", max_new_tokens=4)
    old = TASKS[0] | {"judge": {}, "align": {}, "rollout": {"text": "old"}}
    record = next(run(lines(old), options, open_backend(options, tiny.policy())))
    assert record["mine"] == 7
    assert not {"judge", "align"} & set(record)
    assert old["rollout"] == {"text": "old"}


def test_a_prompt_that_leaves_no_room_is_named():
    options = Options(model="tiny")
    long = task("a", "word " * 80)
    with pytest.raises(RecordError, match=r"tasks\.jsonl:1: task\.prompt: \d+ tokens, but tiny has room for 64"):
        list(run(lines(long), options, open_backend(options, tiny.policy())))


def test_half_a_character_in_a_prompt_is_named():
    options = Options(model="tiny")
    with pytest.raises(RecordError, match=r"^tasks\.jsonl:1: task\.prompt\.0\.content: half a character .* at 5$"):
        list(run(lines(task("a", "Make \ud800")), options, open_backend(options, tiny.policy())))


def test_a_record_without_a_task_is_refused():
    with pytest.raises(RecordError, match="rcca synth"):
        list(run(lines({"id": "a", "group": "a"}), Options(), open_backend(Options(), tiny.policy())))


WRONG = [{"temperature": 1e-40}, {"temperature": float("nan")}, {"temperature": 1e7}, {"top_p": 1.5}]


@pytest.mark.parametrize("options", WRONG)
def test_sampling_that_cannot_be_reckoned_with_is_refused(options):
    with pytest.raises(RccaError, match=r"^--t"):
        Options(**options)


def test_what_came_before_a_prompt_that_cannot_be_read_is_answered():
    options, got = Options(model="tiny", max_new_tokens=5), []
    tasks = [task("a"), task("b", "x" * 500), task("c")]
    with pytest.raises(RecordError, match=r"^tasks\.jsonl:2: task\.prompt: 515 tokens, but tiny has room for 64"):
        collect(run(lines(*tasks), options, open_backend(options, tiny.policy())), got)
    assert [record["id"] for record in got] == ["a/0"]


def test_a_prompt_of_tokens_that_the_model_lacks_is_named():
    policy, options = tiny.policy(tiny.llama(100)), Options(model="tiny")
    with pytest.raises(RecordError, match=r"^tasks\.jsonl:1: task\.prompt: token 2\d\d, but tiny has 100"):
        list(run(lines(task("a")), options, open_backend(options, policy)))
