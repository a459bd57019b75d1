"""The contract of a filter (docs/exit-codes.md, docs/architecture.md), by real processes and real pipes."""

import json
import signal
import subprocess
import sys

import orjson
import pytest

from tests.conftest import start

FILTERS = ("rollout", "judge", "align")


@pytest.fixture(scope="session")
def made(rcca, tmp_path_factory):
    """Every stage's output for two tasks, from the real pipe, and the folder of the files."""
    folder = tmp_path_factory.mktemp("made")
    outputs = {"synth": rcca("synth", "-n", "2", "--seed", "3")}
    for stage, options in (("rollout", ["-g", "2"]), ("judge", []), ("align", [])):
        earlier = list(outputs.values())[-1]
        assert earlier.code == 0, earlier.stderr
        outputs[stage] = rcca(stage, *options, stdin=earlier.stdout)
    assert outputs["align"].code == 0, outputs["align"].stderr
    for stage, ended in outputs.items():
        (folder / f"{stage}.jsonl").write_bytes(ended.stdout)
    return folder


@pytest.fixture(scope="session")
def source(made):
    """stage -> (arguments, the file it reads, the file that holds its output)."""
    answers = ["--backend", "replay", "--answers", str(made / "rollout.jsonl")]
    return {
        "rollout": (["rollout", "-g", "2", *answers], made / "synth.jsonl", None),
        "judge": (["judge"], made / "rollout.jsonl", made / "judge.jsonl"),
        "align": (["align"], made / "judge.jsonl", made / "align.jsonl"),
    }


@pytest.mark.parametrize("stage", FILTERS)
def test_standard_input_a_dash_and_files_give_the_same_bytes(rcca, source, tmp_path, stage):
    arguments, reads, _ = source[stage]
    lines = reads.read_bytes().splitlines(keepends=True)
    half = len(lines) // 2
    (tmp_path / "one").write_bytes(b"".join(lines[:half]))
    (tmp_path / "two").write_bytes(b"".join(lines[half:]))
    plain = rcca(*arguments, stdin=reads.read_bytes())
    split = rcca(*arguments, str(tmp_path / "one"), "-", stdin=b"".join(lines[half:]))
    written = rcca(*arguments, str(tmp_path / "one"), str(tmp_path / "two"), "-o", str(tmp_path / "out"))
    assert (plain.code, split.code, written.code) == (0, 0, 0)
    assert plain.stdout == split.stdout == (tmp_path / "out").read_bytes()
    assert written.stdout == b""
    assert "\x1b" not in plain.stderr


def test_order_and_bytes_do_not_depend_on_the_number_of_jobs(rcca, source, made):
    arguments, reads, output = source["judge"]
    assert rcca(*arguments, "--jobs", "1", str(reads)).stdout == output.read_bytes()


@pytest.mark.parametrize("stage", FILTERS)
def test_what_came_before_a_bad_line_is_written_and_the_line_is_named(rcca, source, tmp_path, stage):
    arguments, reads, _ = source[stage]
    lines = reads.read_bytes().splitlines(keepends=True)
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"".join(lines) + b"{oops\n")
    ended = rcca(*arguments, str(bad), "-o", str(tmp_path / "out"))
    assert ended.code == 2
    assert f"rcca {stage}: {bad}:{len(lines) + 1}:2: not JSON: " in ended.stderr
    assert not (tmp_path / "out").exists()
    assert (tmp_path / "out.partial").read_bytes().count(b"\n") >= 2


@pytest.mark.parametrize("stage", ["judge", "align", "train"])
def test_a_record_of_an_earlier_stage_is_sent_to_the_right_one(rcca, made, tmp_path, stage):
    options = ["--out", str(tmp_path / "ckpt")] if stage == "train" else []
    ended = rcca(stage, *options, str(made / "synth.jsonl"))
    assert ended.code == 2
    assert "synth.jsonl:1: missing 'rollout' (run `rcca rollout` first)" in ended.stderr


@pytest.mark.parametrize("stage", FILTERS)
def test_unknown_keys_are_kept(rcca, source, stage):
    arguments, reads, _ = source[stage]
    records = [json.loads(line) | {"mine": {"deep": [1, "é", None]}} for line in reads.read_bytes().splitlines()]
    ended = rcca(*arguments, stdin=records)
    assert ended.code == 0
    assert all(record["mine"] == {"deep": [1, "é", None]} for record in ended.records)


@pytest.mark.parametrize("stage", ["judge", "align"])
def test_a_stage_run_on_its_own_output_replaces_its_key(rcca, source, stage):
    arguments, _, output = source[stage]
    assert rcca(*arguments, str(output)).stdout == output.read_bytes()


def test_a_judged_record_leaves_while_the_input_is_still_open(source):
    arguments, reads, output = source["judge"]
    lines = reads.read_bytes().splitlines(keepends=True)
    with start(*arguments) as process:
        process.stdin.write(lines[0])
        process.stdin.flush()
        first = process.stdout.readline()
        rest, error = process.communicate(b"".join(lines[1:]))
    assert process.returncode == 0, error
    assert first + rest == output.read_bytes()


def test_a_reader_that_leaves_ends_the_writer_quietly():
    with start("synth", "-n", "5000") as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) == 141
        assert process.stderr.read() == b""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_leaves_whole_lines_and_its_exit_code(source, tmp_path, number, code):
    arguments, reads, output = source["judge"]
    partial = tmp_path / "out.partial"
    with start(*arguments, "-o", str(tmp_path / "out")) as process:
        process.stdin.write(reads.read_bytes())
        process.stdin.flush()  # and stays open: the stage waits for more
        while not partial.exists() or partial.read_bytes().count(b"\n") < 4:
            assert process.poll() is None
        process.send_signal(number)
        assert process.wait(60) == code
        said = process.stderr.read().decode()
    assert said == f"rcca judge: stopped; 4 records are in {tmp_path}/out.partial (go on with --resume)\n"
    assert partial.read_bytes() == output.read_bytes()
    assert not (tmp_path / "out").exists()


def test_two_signals_at_once_are_one_end(source, tmp_path):
    arguments, reads, _ = source["judge"]
    partial = tmp_path / "out.partial"
    with start(*arguments, "-o", str(tmp_path / "out")) as process:
        process.stdin.write(reads.read_bytes())
        process.stdin.flush()
        while not partial.exists() or not partial.stat().st_size:
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) in (130, 143)
        assert b"Traceback" not in process.stderr.read()


def test_judge_killed_at_any_moment_and_resumed_gives_the_same_bytes(rcca, source, tmp_path):
    arguments, reads, output = source["judge"]
    out = tmp_path / "out"
    partial = tmp_path / "out.partial"
    for records in range(4):
        with start(*arguments, str(reads), "-o", str(out), *(["--resume"] if records else [])) as process:
            while process.poll() is None and (not partial.exists() or partial.read_bytes().count(b"\n") < records):
                pass
    with partial.open("ab") as stream:
        stream.write(b'{"id": "torn')
    ended = rcca(*arguments, str(reads), "-o", str(out), "--resume")
    assert ended.code == 0, ended.stderr
    assert out.read_bytes() == output.read_bytes()


def test_resume_refuses_other_options(rcca, source, tmp_path):
    arguments, reads, output = source["judge"]
    (tmp_path / "out.partial").write_bytes(output.read_bytes())
    ended = rcca(*arguments, "--seed", "9", str(reads), "-o", str(tmp_path / "out"), "--resume")
    assert ended.code == 2
    assert "made with other options" in ended.stderr


@pytest.mark.parametrize("stage", ["synth", *FILTERS])
@pytest.mark.filterwarnings("ignore")
def test_every_output_loads_in_datasets_and_pyarrow(made, tmp_path, stage):
    import datasets
    import pyarrow.json

    path = str(made / f"{stage}.jsonl")
    rows = (made / f"{stage}.jsonl").read_bytes().count(b"\n")
    assert pyarrow.json.read_json(path).num_rows == rows
    loaded = datasets.load_dataset("json", data_files=path, split="train", cache_dir=str(tmp_path))
    assert loaded.num_rows == rows


@pytest.mark.filterwarnings("ignore")
def test_a_column_of_nulls_loads_once_its_type_is_named(tmp_path):
    import datasets

    path = tmp_path / "a.jsonl"
    rows = [{"id": str(number), "error": None} for number in range(200)] + [{"id": "200", "error": "browser lost"}]
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    features = datasets.Features({name: datasets.Value("string") for name in ("id", "error")})
    given = {"data_files": str(path), "split": "train", "cache_dir": str(tmp_path), "chunksize": 1000}
    assert datasets.load_dataset("json", features=features, **given)[-1]["error"] == "browser lost"


@pytest.mark.parametrize("stage", ["synth", *FILTERS])
def test_every_row_has_the_same_keys(made, stage):
    def shape(value):
        return {key: shape(item) for key, item in value.items()} if isinstance(value, dict) else None

    rows = [orjson.loads(line) for line in (made / f"{stage}.jsonl").read_bytes().splitlines()]
    assert all(shape(row) == shape(rows[0]) for row in rows)


def test_no_file_and_an_empty_file_are_ends_of_their_own(rcca, tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    assert rcca("judge", str(tmp_path / "empty")).code == 0
    ended = rcca("judge", str(tmp_path / "missing"))
    assert (ended.code, ended.stderr) == (2, f"rcca judge: {tmp_path}/missing: No such file or directory\n")


def test_train_explain_reads_files_or_a_pipe_writes_one_record_and_trains_nothing(rcca, made, tmp_path):
    reads = made / "align.jsonl"
    piped = rcca("train", "--explain", stdin=reads.read_bytes(), cwd=tmp_path)
    named = rcca("-q", "train", str(reads), "--explain", "-o", "why.json", cwd=tmp_path)
    assert (piped.code, named.code) == (0, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["why.json"]
    assert piped.stdout == (tmp_path / "why.json").read_bytes()
    assert named.stderr == ""
    (found,) = piped.records
    assert (found["groups"]["total"], found["groups"]["differing"], found["answers"]["total"]) == (2, 0, 4)
    assert found["sequence_share"] in (0.8, None)
    assert "Root mean squares" in piped.stderr
    assert max(map(len, piped.stderr.splitlines())) <= 80


def test_train_explain_loads_no_torch(made):
    code = "import sys; from rcca_cli import cli; cli.run(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    words = [sys.executable, "-c", code, "-q", "train", "--explain", str(made / "align.jsonl")]
    loaded = set(subprocess.run(words, capture_output=True, check=True).stderr.decode().split())
    assert "rcca_cli.explain.tally" in loaded
    assert not {"torch", "transformers"} & loaded


def test_train_explain_names_what_is_not_aligned(rcca, made):
    ended = rcca("train", "--explain", str(made / "judge.jsonl"))
    assert (ended.code, ended.stdout) == (2, b"")
    assert ended.stderr.endswith("judge.jsonl:1: missing 'align' (run `rcca align` first)\n")
