import hashlib
import os
import resource
from pathlib import Path

import orjson
import pytest
import typer

from rcca_cli import models
from rcca_cli.cli import build
from rcca_cli.errors import RccaError, RecordError
from rcca_cli.train import checkpoint, folders, session, stage
from rcca_cli.train.checkpoint import State
from rcca_cli.train.stage import Options
from tests.train.helpers import lines, random_records, record, saved_policy


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """The folder of the policy that all calls here begin with."""
    return saved_policy(tmp_path_factory.mktemp("policy"))


def run(records, **options):
    return list(stage.run(lines(records), Options(groups_per_step=2, learning_rate=1e-2, **options)))


def weights(folder):
    """The bytes of the weights and of the optimizer."""
    files = ("model.safetensors", "optimizer.safetensors")
    return [hashlib.sha256((Path(folder) / name).read_bytes()).hexdigest() for name in files]


def test_each_step_is_one_record_with_the_same_finite_numbers(start, tmp_path):
    records = run(random_records(groups=5, name=start), out=str(tmp_path / "ckpt"))
    assert [(step["step"], step["groups"], step["rows"]) for step in records] == [(1, 2, 8), (2, 2, 8), (3, 1, 4)]
    assert {tuple(step) for step in records} == {tuple(records[0])}
    assert all(isinstance(value, int | float | str) for step in records for value in step.values() if value is not None)


def test_the_checkpoint_is_a_model_folder_and_the_model_has_changed(start, tmp_path):
    run(random_records(name=start), out=str(tmp_path / "ckpt"))
    loaded, before = models.load(str(tmp_path / "ckpt")), models.load(start)
    assert loaded.digest == before.digest
    moved = (loaded.model.lm_head.weight - before.model.lm_head.weight).detach().abs().max()
    assert 1e-3 < float(moved) < 1
    assert [path.name for path in tmp_path.iterdir()] == ["ckpt"]


def test_one_call_a_step_equals_one_long_call(start, tmp_path):
    records = random_records(groups=6, name=start)
    expected = run(records, out=str(tmp_path / "long"), epochs=2, minibatches=2)
    found = run(records[:8], out=str(tmp_path / "a"), epochs=2, minibatches=2)
    found += run(records[8:16], out=str(tmp_path / "b"), start=str(tmp_path / "a"), epochs=2, minibatches=2)
    found += run(records[16:], out=str(tmp_path / "b"), start=str(tmp_path / "b"), epochs=2, minibatches=2)
    assert found == expected
    assert weights(tmp_path / "b") == weights(tmp_path / "long")
    assert checkpoint.load_metrics(str(tmp_path / "b")) == expected


def test_a_session_that_stays_open_equals_one_call_a_step(start, tmp_path):
    records = random_records(groups=4, name=start)
    expected = run(records, out=str(tmp_path / "long"))
    options = Options(groups_per_step=2, learning_rate=1e-2, out=str(tmp_path / "warm"), model=start)
    session = stage.open_session(options, start)
    found = [step for part in (records[:8], records[8:]) for step in stage.run(lines(part), options, session)]
    assert found == expected
    assert weights(tmp_path / "warm") == weights(tmp_path / "long")


def test_a_resumed_call_ends_as_an_undisturbed_one(start, tmp_path):
    records = random_records(groups=8, name=start)
    expected = run(records, out=str(tmp_path / "whole"))
    options = Options(groups_per_step=2, learning_rate=1e-2, out=str(tmp_path / "cut"))
    interrupted = stage.run(lines(records), options)
    assert [next(interrupted) for _ in range(2)] == expected[:2]
    interrupted.close()
    assert run(records, out=str(tmp_path / "cut"), resume=True) == expected
    assert weights(tmp_path / "cut") == weights(tmp_path / "whole")
    assert run(records, out=str(tmp_path / "cut"), resume=True) == expected  # finished: said again, not done again


def test_resume_between_checkpoints_goes_back_to_the_last(start, tmp_path):
    records = random_records(groups=8, name=start)
    expected = run(records, out=str(tmp_path / "whole"))
    options = Options(groups_per_step=2, learning_rate=1e-2, out=str(tmp_path / "cut"), save_every=2)
    interrupted = stage.run(lines(records), options)
    assert [next(interrupted) for _ in range(3)] == expected[:3]
    interrupted.close()
    assert checkpoint.load_state(options.out).step == 2
    assert run(records, out=options.out, save_every=2, resume=True) == expected
    assert weights(options.out) == weights(tmp_path / "whole")


def test_resume_before_the_first_checkpoint_begins(start, tmp_path):
    assert len(run(random_records(name=start), out=str(tmp_path / "ckpt"), resume=True)) == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda records: records[1:], "its first 4 groups differ"),
        (lambda records: records[:4], "its first 4 groups are not all there"),
        (lambda records: records + random_records(seed=5, name=records[0]["rollout"]["model"]), "goes on after the 4"),
    ],
)
def test_resume_refuses_another_input(start, tmp_path, change, message):
    records = random_records(name=start)
    run(records, out=str(tmp_path / "ckpt"))
    with pytest.raises(RccaError, match=message):
        run(change(records), out=str(tmp_path / "ckpt"), resume=True)


def test_resume_refuses_other_options_and_names_them(start, tmp_path):
    records = random_records(name=start)
    run(records, out=str(tmp_path / "ckpt"))
    with pytest.raises(RccaError, match=r"ckpt: --loss was dapo, now grpo, --epochs was 1, now 2 \(use the same"):
        run(records, out=str(tmp_path / "ckpt"), resume=True, epochs=2, loss="grpo")
    with pytest.raises(RccaError, match=r"ckpt: --model was .*, now embedded \("):
        run(records, out=str(tmp_path / "ckpt"), resume=True, model="embedded")


def test_every_option_is_named_as_it_is_typed():
    typed = {flag for option in typer.main.get_command(build()).commands["train"].params for flag in option.opts}
    asked = Options(learning_rate=1.0, reference="r", start="y")
    named = {said.split()[0] for said in session.differences(State(source="x"), asked)}
    assert named - typed == set()
    assert {"--lr", "--from", "--seed"} <= named


def test_a_crash_between_the_two_renames_loses_nothing(start, tmp_path):
    records = random_records(groups=6, name=start)
    expected = run(records, out=str(tmp_path / "whole"))
    options = Options(groups_per_step=2, learning_rate=1e-2, out=str(tmp_path / "cut"))
    call = stage.run(lines(records), options)
    next(call)
    call.close()
    (tmp_path / "cut").rename(tmp_path / "cut.old")
    (tmp_path / "cut.tmp").mkdir()  # the half that was written when the power went
    assert run(records, out=options.out, resume=True) == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cut", "whole"]


def test_a_crash_after_the_two_renames_keeps_both(start, tmp_path):
    run(random_records(groups=4, name=start), out=str(tmp_path / "ckpt"))
    (tmp_path / "ckpt" / "previous").rename(tmp_path / "ckpt.old")
    folders.settle(str(tmp_path / "ckpt"))
    assert [checkpoint.load_state(str(tmp_path / name)).step for name in ("ckpt", "ckpt/previous")] == [2, 1]
    assert [path.name for path in tmp_path.iterdir()] == ["ckpt"]


def test_the_two_last_checkpoints_are_there_and_whole(start, tmp_path):
    run(random_records(groups=8, name=start), out=str(tmp_path / "ckpt"))
    assert [checkpoint.load_state(str(tmp_path / name)).step for name in ("ckpt", "ckpt/previous")] == [4, 3]
    assert not (tmp_path / "ckpt" / "previous" / "previous").exists()


def truncate(folder):
    path = folder / "model.safetensors"
    os.truncate(path, path.stat().st_size // 2)


def overwrite(folder):
    path = folder / "optimizer.safetensors"
    path.write_bytes(path.read_bytes()[:-8] + bytes(8))


@pytest.mark.parametrize(
    ("tear", "said"),
    [
        (truncate, "model.safetensors has "),
        (overwrite, "optimizer.safetensors is not what was written"),
        (lambda folder: (folder / "rcca.json").unlink(), "rcca.json is missing"),
        (lambda folder: os.truncate(folder / "rcca.json", 40), "rcca.json is not what was written"),
        (lambda folder: (folder / "metrics.jsonl").unlink(), "metrics.jsonl is missing"),
    ],
)
def test_a_torn_checkpoint_makes_way_for_the_one_before(start, tmp_path, capsys, tear, said):
    records = random_records(groups=8, name=start)
    expected = run(records, out=str(tmp_path / "whole"))
    run(records, out=str(tmp_path / "torn"))
    tear(tmp_path / "torn")
    assert run(records, out=str(tmp_path / "torn"), resume=True) == expected
    assert f"torn: torn ({said}" in capsys.readouterr().err
    assert weights(tmp_path / "torn") == weights(tmp_path / "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["torn", "torn.torn", "whole"]


def test_a_torn_checkpoint_is_not_gone_on_from_with_new_data(start, tmp_path):
    records = random_records(groups=4, name=start)
    run(records, out=str(tmp_path / "a"))
    truncate(tmp_path / "a")
    with pytest.raises(RccaError, match=r"a: torn: model\.safetensors has .* \(--from .*a/previous is whole\)"):
        run(records, out=str(tmp_path / "b"), start=str(tmp_path / "a"))
    assert run(records, out=str(tmp_path / "b"), start=str(tmp_path / "a" / "previous"))[0]["step"] == 2


def test_a_model_that_is_not_finite_is_never_saved(start, tmp_path):
    records = random_records(groups=4, name=start)
    options = Options(groups_per_step=2, learning_rate=1e20, weight_decay=1e20, out=str(tmp_path / "ckpt"))
    with pytest.raises(RccaError, match=r"not saved \(try a lower --lr\)"):
        list(stage.run(lines(records), options))
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_checkpoint_before(start, tmp_path):
    records = random_records(groups=6, name=start)
    expected = run(records, out=str(tmp_path / "whole"))
    options = Options(groups_per_step=2, learning_rate=1e-2, out=str(tmp_path / "ckpt"))
    call = stage.run(lines(records), options)
    assert next(call) == expected[0]
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, most[1]))  # bytes a file may have, as if no more were free
    try:
        with pytest.raises(RccaError, match="ckpt: the checkpoint cannot be written: "):
            next(call)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ckpt", "whole"]
    assert run(records, out=options.out, resume=True) == expected


def test_a_second_call_on_the_same_folder_is_refused(start, tmp_path):
    records = random_records(groups=4, name=start)
    first = stage.run(lines(records), Options(groups_per_step=2, learning_rate=1e-2, out=str(tmp_path / "ckpt")))
    begun = [next(first)]
    with pytest.raises(RccaError, match="ckpt: another call is writing there"):
        run(records, out=str(tmp_path / "ckpt"), resume=True)
    assert len(begun + list(first)) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["ckpt"]


def test_a_call_from_its_own_folder_is_resumed_whether_or_not_it_had_saved(start, tmp_path):
    records, out = random_records(groups=8, name=start), str(tmp_path / "loop")
    expected = run(records, out=str(tmp_path / "whole"))
    assert run(records[:16], out=out) == expected[:2]
    again = {"out": out, "start": out, "resume": True}
    assert run(records[16:], **again) == expected[2:]  # killed before its first checkpoint: begun
    assert run(records[16:], **again) == expected[2:]  # killed before its end was told: said again
    assert weights(out) == weights(tmp_path / "whole")
    with pytest.raises(RccaError, match="--epochs was 1, now 2"):
        run(records[16:], **again, epochs=2)


def test_a_folder_that_is_no_checkpoint_is_not_replaced(start, tmp_path):
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(RccaError, match="not a checkpoint"):
        run(random_records(name=start), out=str(tmp_path))
    assert (tmp_path / "letters.txt").read_text() == "dear"


def test_kept_checkpoints_stay_as_they_were(start, tmp_path):
    records = random_records(groups=4, name=start)
    run(records[:8], out=str(tmp_path / "one"))
    run(records, out=str(tmp_path / "ckpt"), keep=True)
    assert sorted(path.name for path in tmp_path.glob("ckpt*")) == ["ckpt", "ckpt-step0001", "ckpt-step0002"]
    assert weights(tmp_path / "ckpt-step0001") == weights(tmp_path / "one")
    assert checkpoint.load_state(str(tmp_path / "ckpt-step0001")).step == 1


def test_two_samplers_in_one_input_need_a_word_on_which_to_train(start, tmp_path):
    records = [*random_records(groups=2, name=start), *random_records(groups=2, seed=1, name="other")]
    with pytest.raises(RecordError, match=r"^aligned\.jsonl:9: rollout\.model: other after "):
        run(records, out=str(tmp_path / "ckpt"))
    assert len(run(records, out=str(tmp_path / "other"), model=start)) == 2


def test_another_tokenizers_ids_are_refused(start, tmp_path):
    given = [record("g", 0, [1.0], model=start)]
    given[0]["rollout"]["tokenizer"] = "0123456789abcdef"
    with pytest.raises(RecordError, match=r"^aligned\.jsonl:1: rollout\.tokenizer: 0123456789abcdef, but that of "):
        run(given, out=str(tmp_path / "ckpt"))


def test_a_text_that_is_not_its_tokens_is_refused(start, tmp_path):
    """Credit was found in the text: were that edited, it would fall on tokens that never wrote it."""
    given = record("g", 0, [1.0, -1.0], tokens=[4, 5], model=start)
    policy = models.load(start)
    given["rollout"] |= {"tokenizer": policy.digest, "text": policy.decode([4, 5]).text}
    assert run([given], out=str(tmp_path / "a"))[0]["rows"] == 1
    given["rollout"]["text"] += " edited"
    with pytest.raises(RecordError, match=r"^aligned\.jsonl:1: rollout\.text: not what rollout\.tokens say"):
        run([given], out=str(tmp_path / "b"))


def test_nothing_to_train_on_is_an_error(tmp_path):
    with pytest.raises(RccaError, match="no records"):
        run([], out=str(tmp_path / "ckpt"))


def test_answers_that_are_mostly_cut_off_are_said_once(start, tmp_path, capsys):
    records = random_records(groups=4, name=start)
    for given in records:
        given["rollout"]["finish_reason"] = "length"
    run(records)
    said = capsys.readouterr().err
    assert said.count("ran into their length limit") == 1
    assert "step 1: 8 of 8 answers" in said
    run(random_records(groups=4, name=start))
    assert "length limit" not in capsys.readouterr().err


def test_the_kl_reference_stays_the_first_model_across_calls(start, tmp_path):
    records = random_records(groups=4, name=start)
    run(records[:8], out=str(tmp_path / "a"))
    (first,) = run(records[8:], out=str(tmp_path / "b"), start=str(tmp_path / "a"), kl=0.1)
    assert first["kl_reference"] > 1e-6  # the first step has moved it away from where it began


def test_wrong_options_are_refused_before_anything_is_read():
    for options in ({"loss": "ppo"}, {"kl_kind": "k4"}, {"credit": "x"}, {"loss": "dr_grpo"}):
        with pytest.raises(RccaError, match=r"^--"):
            Options(**options)
    with pytest.raises(RccaError, match="--from"):
        Options(model="a", start="b")


def test_metrics_load_as_one_table(start, tmp_path):
    import pyarrow.json

    unjudged = random_records(name=start)
    for given in unjudged[:8]:
        del given["judge"]
    steps = run(unjudged, out=str(tmp_path / "ckpt"))
    assert steps[0]["reward_mean"] is None
    assert steps[1]["reward_mean"] == 0.5
    (tmp_path / "metrics.jsonl").write_bytes(b"".join(orjson.dumps(step) + b"\n" for step in steps))
    table = pyarrow.json.read_json(tmp_path / "metrics.jsonl")
    assert table.num_rows == 2


def test_a_link_stays_a_link_to_the_folder_that_it_names(start, tmp_path):
    records = random_records(groups=6, name=start)
    expected = run(records, out=str(tmp_path / "whole"))
    (tmp_path / "link").symlink_to("real")
    assert run(records[:16], out=str(tmp_path / "link")) == expected[:2]
    again = run(records[16:], out=str(tmp_path / "link"), start=str(tmp_path / "real"))
    assert again == expected[2:]
    assert weights(tmp_path / "real") == weights(tmp_path / "whole")
    assert (tmp_path / "link").is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real", "whole"]


@pytest.mark.parametrize("name", ["loop", "/"])
def test_a_place_that_can_be_no_folder_is_refused(start, tmp_path, name):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(RccaError, match="cannot be a folder of its own"):
        folders.paths(str(tmp_path / name))


def test_a_manifest_of_another_version_is_named(start, tmp_path):
    run(random_records(groups=2, name=start), out=str(tmp_path / "a"))
    manifest = tmp_path / "a" / "rcca.json"
    manifest.write_bytes(orjson.dumps(orjson.loads(manifest.read_bytes()) | {"later": 1}))
    with pytest.raises(RccaError, match=r"a: rcca\.json is of another version of rcca \(--model .*a takes its weights"):
        run(random_records(seed=1, name=start), out=str(tmp_path / "b"), start=str(tmp_path / "a"))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"tokens": [4, 40, 6]}, r"rollout\.tokens\.1: token 40, and .* has 40 \(another tokenizer's\?\)"),
        ({"tokens": [4, 5, -1]}, r"rollout\.tokens\.2: -1 is no token's id"),
        ({"prompt_ids": [2, 99]}, r"rollout\.prompt_ids\.1: token 99, and"),
        ({"prompt_ids": [2] * 126}, r"rollout\.tokens: 129 with the prompt, and .* has room for 128"),
    ],
)
def test_ids_that_the_model_cannot_read_are_named_with_their_line(start, changes, said):
    given = [record("g", 0, [1.0, 1.0, 1.0], model=start), record("g", 1, [1.0, 1.0, 1.0], model=start)]
    given[1]["rollout"] |= changes
    with pytest.raises(RecordError, match=rf"^aligned\.jsonl:2: {said}"):
        run(given)


def test_what_makes_a_step_of_little_use_is_said_once(start, capsys):
    nothing = [record(f"g{number}", 0, [0.0], model=start) for number in range(4)]
    run([*nothing, record("h", 0, None, model=start)])
    said = capsys.readouterr().err
    assert said.count("no credit in any of its 2 rollouts, so nothing was learned") == 1
    assert "1 of 5 rollouts left out: no answer, or not scored" in said
    run([record("g", 0, [1.0, -1.0], old=[-9.0, -9.0], model=start)])
    assert "step 1: the log-probabilities in the rollouts are not this policy's (KL " in capsys.readouterr().err
